DROP INDEX games_open_creator;
DROP TRIGGER games_open_per_creator ON games;
DROP TRIGGER games_creator_stands ON games;
DROP FUNCTION refuse_too_many_open_tables();
DROP FUNCTION refuse_table_of_the_ended();
