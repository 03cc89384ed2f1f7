-- Invites: codes that let a stranger sit down at a table that he may not know of.

CREATE TABLE invites (
    id         uuid        NOT NULL CONSTRAINT invites_pk PRIMARY KEY,
    game_id    uuid        NOT NULL CONSTRAINT invites_game_fk REFERENCES games (id),
    -- SHA-256 of the code, which has 128 random bits and is not kept. Rows are never deleted: a code that was revoked or
    -- has expired is told from one that never was.
    code_hash  bytea       NOT NULL CONSTRAINT invites_code_unique UNIQUE
                           CONSTRAINT invites_code_hash_length CHECK (octet_length(code_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
);
-- Ids are UUID v7: the newest of a table come first, and the id alone is the list's cursor.
CREATE INDEX invites_game ON invites (game_id, id);
