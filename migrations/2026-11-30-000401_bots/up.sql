-- Bots: who sits there without an account, which games wait for one, and whether the players of a game may ask for hints.

-- A seat is an account's or a bot's. The log says the same; here it is for lists.
ALTER TABLE seats ALTER COLUMN account_id DROP NOT NULL;
ALTER TABLE seats ADD COLUMN bot text
    CONSTRAINT seats_bot_known CHECK (bot IN ('easy', 'normal', 'hard', 'expert'));
ALTER TABLE seats ADD CONSTRAINT seats_one_occupant CHECK ((account_id IS NULL) <> (bot IS NULL));

ALTER TABLE games ADD COLUMN hints boolean NOT NULL DEFAULT false;
-- Until when one server thinks about the game's next move, so that no other need do the same. Nothing hangs on it but
-- work done twice: the version guards the move.
ALTER TABLE games ADD COLUMN leased_until timestamptz;
-- What waits for a bot, the longest due first. Games without bots are not in it: their moves stay heap-only updates, as
-- their wake_at stays NULL.
CREATE INDEX games_due ON games (wake_at) WHERE wake_at IS NOT NULL;

-- Games of bots alone go on without anybody who asks for a move, so nothing else limits how many there are. An account has
-- 50 of its making that have not ended and at which bots sit; then none sits down at another one. Whether it may is asked before
-- anything is drawn, and of nothing that hangs on a draw: else who is refused could try again until the draw suits him.
-- Where a bot plays on for somebody who left there is no limit.
ALTER TABLE games ADD COLUMN bots smallint NOT NULL DEFAULT 0
    CONSTRAINT games_bots_range CHECK (bots BETWEEN 0 AND players);
CREATE INDEX games_with_bots ON games (creator) WHERE bots > 0 AND status IN ('open', 'running');
CREATE FUNCTION refuse_too_many_games_of_bots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    others bigint;
BEGIN
    IF TG_OP = 'UPDATE' AND (OLD.bots > 0 OR OLD.status <> 'open') THEN
        RETURN NEW;
    END IF;
    -- Rivals count one after the other. Not by the account's row, which whoever sits down holds, too: two who sit down at each
    -- other's tables would wait for ever.
    PERFORM pg_advisory_xact_lock(hashtextextended('fereta games of bots ' || NEW.creator::text, 0));
    SELECT count(*) INTO others FROM games WHERE creator = NEW.creator AND bots > 0 AND status IN ('open', 'running');
    IF others >= 50 THEN
        RAISE EXCEPTION 'the account has % games at which bots sit', others USING ERRCODE = 'check_violation',
            CONSTRAINT = 'games_of_bots_per_creator';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER games_of_bots_per_creator BEFORE INSERT OR UPDATE ON games FOR EACH ROW
    WHEN (NEW.bots > 0 AND NEW.status IN ('open', 'running')) EXECUTE FUNCTION refuse_too_many_games_of_bots();
-- A game can begin with its creation, so the creator has to stand then, too.
DROP TRIGGER games_creator_stands ON games;
CREATE TRIGGER games_creator_stands BEFORE INSERT ON games FOR EACH ROW WHEN (NEW.status IN ('open', 'running'))
    EXECUTE FUNCTION refuse_table_of_the_ended();
