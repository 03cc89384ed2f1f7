DROP TABLE requests;
DROP TABLE game_events;
DROP FUNCTION refuse_change_of_the_log();
DROP TABLE seats;
DROP TABLE games;
