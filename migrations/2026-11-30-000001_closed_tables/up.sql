-- A table can be closed before the start: by its creator, or because it was not started for too long.

ALTER TABLE games DROP CONSTRAINT games_status_known;
ALTER TABLE games ADD CONSTRAINT games_status_known CHECK (status IN ('open', 'running', 'ended', 'closed'));
-- What the worker that closes expired tables looks through. Running games are not in it, so a move does not touch it.
CREATE INDEX games_open_created ON games (created_at, id) WHERE status = 'open';
