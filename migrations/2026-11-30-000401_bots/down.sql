DROP TRIGGER games_creator_stands ON games;
CREATE TRIGGER games_creator_stands BEFORE INSERT ON games FOR EACH ROW WHEN (NEW.status = 'open')
    EXECUTE FUNCTION refuse_table_of_the_ended();
DROP TRIGGER games_of_bots_per_creator ON games;
DROP FUNCTION refuse_too_many_games_of_bots();
DROP INDEX games_with_bots;
ALTER TABLE games DROP COLUMN bots;
DROP INDEX games_due;
ALTER TABLE games DROP COLUMN leased_until;
ALTER TABLE games DROP COLUMN hints;
-- The log still knows where bots sat.
DELETE FROM seats WHERE account_id IS NULL;
ALTER TABLE seats DROP CONSTRAINT seats_one_occupant;
ALTER TABLE seats DROP COLUMN bot;
ALTER TABLE seats ALTER COLUMN account_id SET NOT NULL;
