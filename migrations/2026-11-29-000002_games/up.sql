-- Games, who sits at them, their append-only log, and the requests that were accepted.

CREATE TABLE games (
    id          uuid        NOT NULL CONSTRAINT games_pk PRIMARY KEY,
    -- The number of events. It is the guard of every write: UPDATE ... WHERE id = ... AND version = expected.
    version     bigint      NOT NULL CONSTRAINT games_version_positive CHECK (version >= 1),
    -- The hash of the newest event.
    head        bytea       NOT NULL CONSTRAINT games_head_length CHECK (octet_length(head) = 32),
    -- Secret until the game has ended.
    server_seed bytea       NOT NULL CONSTRAINT games_server_seed_length CHECK (octet_length(server_seed) = 32),
    -- The state folded from the log up to `version`. A convenience: the log is the truth.
    snapshot    bytea       NOT NULL,
    status      text        NOT NULL CONSTRAINT games_status_known CHECK (status IN ('open', 'running', 'ended')),
    visibility  text        NOT NULL
                            CONSTRAINT games_visibility_known CHECK (visibility IN ('public', 'unlisted', 'private')),
    start       text        NOT NULL CONSTRAINT games_start_known CHECK (start IN ('full', 'creator')),
    players     smallint    NOT NULL CONSTRAINT games_players_range CHECK (players BETWEEN 3 AND 5),
    open_seats  smallint    NOT NULL CONSTRAINT games_open_seats_range CHECK (open_seats BETWEEN 0 AND players),
    -- The seat whose decision is awaited.
    decider     smallint    CONSTRAINT games_decider_range CHECK (decider BETWEEN 0 AND players - 1),
    creator     uuid        NOT NULL CONSTRAINT games_creator_fk REFERENCES accounts (id),
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    -- When a bot or a deadline is due. Not indexed on purpose: every move sets it, and an index on it would
    -- take away the heap-only updates that the fillfactor is there for.
    wake_at     timestamptz
) WITH (fillfactor = 70);
-- Kept in the row as long as it fits: an out-of-line copy would cost two more writes a move.
ALTER TABLE games ALTER COLUMN snapshot SET STORAGE MAIN;
-- Ids are UUID v7, so their order is the order of creation, and the id alone is the list's cursor.
CREATE INDEX games_status_id ON games (status, id);
CREATE INDEX games_creator ON games (creator);

CREATE TABLE seats (
    game_id    uuid     NOT NULL CONSTRAINT seats_game_fk REFERENCES games (id),
    seat       smallint NOT NULL CONSTRAINT seats_seat_range CHECK (seat BETWEEN 0 AND 4),
    account_id uuid     NOT NULL CONSTRAINT seats_account_fk REFERENCES accounts (id),
    CONSTRAINT seats_pk PRIMARY KEY (game_id, seat),
    CONSTRAINT seats_account_once UNIQUE (game_id, account_id)
);
CREATE INDEX seats_account ON seats (account_id);

-- The log and the requests have no foreign keys: their rows are written only by the statement that also
-- writes the game's row, games and accounts are never deleted, and a key's check would lock the account's
-- row with every move.
CREATE TABLE game_events (
    game_id uuid   NOT NULL,
    seq     bigint NOT NULL CONSTRAINT game_events_seq_positive CHECK (seq >= 1),
    -- The public line and the secret part, byte for byte as they were hashed.
    line    text   NOT NULL,
    secret  text,
    hash    bytea  NOT NULL CONSTRAINT game_events_hash_length CHECK (octet_length(hash) = 32),
    CONSTRAINT game_events_pk PRIMARY KEY (game_id, seq)
);

-- One trigger a statement, and not a row, so that TRUNCATE and a change that meets no row are refused too.
CREATE FUNCTION refuse_change_of_the_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'game_events is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation',
        CONSTRAINT = 'game_events_append_only';
END
$$;
CREATE TRIGGER game_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON game_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_the_log();
-- ALWAYS: also under session_replication_role = replica.
ALTER TABLE game_events ENABLE ALWAYS TRIGGER game_events_append_only;

CREATE TABLE requests (
    account_id  uuid        NOT NULL,
    key         text        NOT NULL,
    fingerprint bytea       NOT NULL CONSTRAINT requests_fingerprint_length CHECK (octet_length(fingerprint) = 32),
    game_id     uuid        NOT NULL,
    seat        smallint,
    first_seq   bigint      NOT NULL,
    last_seq    bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT requests_pk PRIMARY KEY (account_id, key),
    CONSTRAINT requests_range CHECK (first_seq BETWEEN 1 AND last_seq)
);
CREATE INDEX requests_game ON requests (game_id);
