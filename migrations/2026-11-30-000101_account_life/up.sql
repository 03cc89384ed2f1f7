-- What an account goes through: who has ended sits down nowhere, and what tokens leave behind is found when it is swept.

-- A seat is taken by an account that stands, or not at all: the row's lock makes whoever ends the account wait for the seat,
-- or the seat for the end.
CREATE FUNCTION refuse_seat_of_the_ended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    standing text;
BEGIN
    SELECT status INTO standing FROM accounts WHERE id = NEW.account_id FOR SHARE;
    IF standing <> 'active' THEN
        RAISE EXCEPTION 'the account does not stand' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'seats_account_stands';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER seats_account_stands BEFORE INSERT ON seats FOR EACH ROW EXECUTE FUNCTION refuse_seat_of_the_ended();

CREATE INDEX refresh_tokens_expires ON refresh_tokens (expires_at);
CREATE INDEX token_families_ended ON token_families (ended_at) WHERE ended_at IS NOT NULL;
