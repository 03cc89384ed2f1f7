DROP TABLE refresh_tokens;
DROP TABLE token_families;
DROP TABLE accounts;
