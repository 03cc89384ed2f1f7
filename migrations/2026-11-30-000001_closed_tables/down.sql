DROP INDEX games_open_created;
-- The word is older than the event: a server that does not know it takes a closed table for one that has ended.
UPDATE games SET status = 'ended' WHERE status = 'closed';
ALTER TABLE games DROP CONSTRAINT games_status_known;
ALTER TABLE games ADD CONSTRAINT games_status_known CHECK (status IN ('open', 'running', 'ended'));
