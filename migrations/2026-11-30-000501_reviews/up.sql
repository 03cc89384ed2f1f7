-- Reviews of games that have ended: asked for, under way, or made. A game that nobody asked about has no row.
CREATE TABLE reviews (
    game_id uuid CONSTRAINT reviews_pk PRIMARY KEY CONSTRAINT reviews_game_fk REFERENCES games (id),
    asked_at timestamptz NOT NULL,
    -- Whether somebody wants to see it; those of games that just ended are made after these.
    is_awaited boolean NOT NULL DEFAULT false,
    -- Of how many decisions how many have been looked at, for who waits; 0 of 0 before it is begun.
    done integer NOT NULL DEFAULT 0,
    decisions integer NOT NULL DEFAULT 0,
    -- Until when one server works at it. Nothing hangs on it but work done twice.
    leased_until timestamptz,
    -- The review and the version of its form; both NULL until it is made.
    format smallint,
    content bytea,
    CONSTRAINT reviews_done_range CHECK (0 <= done AND done <= decisions),
    CONSTRAINT reviews_whole CHECK ((format IS NULL) = (content IS NULL))
);
-- What is to be made: first what somebody waits for, the longest asked for first.
CREATE INDEX reviews_wanted ON reviews (is_awaited DESC, asked_at) WHERE content IS NULL;
