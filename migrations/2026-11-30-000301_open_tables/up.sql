-- Open tables are set up by an account that stands, and it has 50 of them at most. The account's row is locked, so that rivals
-- count one after the other, and whoever ends the account waits for the table, or the table for the end.

CREATE FUNCTION refuse_table_of_the_ended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    standing text;
BEGIN
    SELECT status INTO standing FROM accounts WHERE id = NEW.creator FOR NO KEY UPDATE;
    IF standing <> 'active' THEN
        RAISE EXCEPTION 'the account does not stand' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'games_creator_stands';
    END IF;
    RETURN NEW;
END
$$;
-- A statement of its own, which sees what was written before the lock was had.
CREATE FUNCTION refuse_too_many_open_tables() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    tables bigint;
BEGIN
    SELECT count(*) INTO tables FROM games WHERE creator = NEW.creator AND status = 'open';
    IF tables >= 50 THEN
        RAISE EXCEPTION 'the account has % open tables', tables USING ERRCODE = 'check_violation',
            CONSTRAINT = 'games_open_per_creator';
    END IF;
    RETURN NEW;
END
$$;
-- Triggers go by their names: first the lock, then the count.
CREATE TRIGGER games_creator_stands BEFORE INSERT ON games FOR EACH ROW WHEN (NEW.status = 'open')
    EXECUTE FUNCTION refuse_table_of_the_ended();
CREATE TRIGGER games_open_per_creator BEFORE INSERT ON games FOR EACH ROW WHEN (NEW.status = 'open')
    EXECUTE FUNCTION refuse_too_many_open_tables();
-- What is counted. Running games are not in it, so a move does not touch it.
CREATE INDEX games_open_creator ON games (creator) WHERE status = 'open';
