-- The public keys that histories were ever signed with. They stay published for ever: the table is append-only like the log.
CREATE TABLE proof_keys (
    key      bytea       NOT NULL CONSTRAINT proof_keys_pk PRIMARY KEY
                         CONSTRAINT proof_keys_key_length CHECK (octet_length(key) = 32),
    -- When a server first came up with it.
    since_at timestamptz NOT NULL DEFAULT now()
);
CREATE FUNCTION refuse_change_of_proof_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'proof_keys is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation',
        CONSTRAINT = 'proof_keys_append_only';
END
$$;
CREATE TRIGGER proof_keys_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON proof_keys
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_proof_keys();
ALTER TABLE proof_keys ENABLE ALWAYS TRIGGER proof_keys_append_only;
