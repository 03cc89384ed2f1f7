DROP INDEX token_families_ended;
DROP INDEX refresh_tokens_expires;
DROP TRIGGER seats_account_stands ON seats;
DROP FUNCTION refuse_seat_of_the_ended();
