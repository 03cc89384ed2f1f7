-- Finished games that came from elsewhere as a file. Such a game has nobody's seats, and keeps the proof key (32 bytes) and the
-- signature (64 bytes) that its file had, so that it is exported as it came.
ALTER TABLE games ADD COLUMN imported bytea
    CONSTRAINT games_imported_length CHECK (octet_length(imported) = 96);
-- They need a creator, and touch no account: so they are nobody's, who cannot log in, as nobody has his name.
INSERT INTO accounts (id, name, name_key, password_hash, locale, status, created_at)
VALUES ('00000000-0000-0000-0000-000000000000', '', NULL, NULL, 'en', 'deleted', '2026-11-30T00:00:00Z');
