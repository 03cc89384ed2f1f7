-- The two roles and the database, made once by a superuser:
--
--   OWNER_PASSWORD=... SERVER_PASSWORD=... psql -f docs/roles.sql
--
-- fereta_owner owns the tables and migrates them; nothing else runs as it. fereta_server serves: it can add to the games'
-- logs, but neither change nor delete what is there.
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv server_password SERVER_PASSWORD
CREATE ROLE fereta_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE fereta_server LOGIN PASSWORD :'server_password';
CREATE DATABASE fereta OWNER fereta_owner ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE fereta FROM PUBLIC;
GRANT CONNECT ON DATABASE fereta TO fereta_server;
