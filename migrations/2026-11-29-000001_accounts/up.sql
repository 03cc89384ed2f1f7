-- Accounts and the refresh tokens that keep them logged in.
-- Every constraint is named: `src/store/error.rs` turns the name into a typed error.

CREATE TABLE accounts (
    id            uuid        NOT NULL CONSTRAINT accounts_pk PRIMARY KEY,
    name          text        NOT NULL,
    -- The name after NFKC and case folding. NULL for a tombstone, whose name belongs to nobody.
    name_key      text        CONSTRAINT accounts_name_key_unique UNIQUE,
    -- NULL for a guest, who cannot log in again until the account is claimed with a password.
    password_hash text,
    locale        text        NOT NULL,
    status        text        NOT NULL CONSTRAINT accounts_status_known CHECK (status IN ('active', 'deleted', 'banned')),
    created_at    timestamptz NOT NULL,
    CONSTRAINT accounts_name_key_present CHECK (name_key IS NOT NULL OR status = 'deleted')
);

-- A family is one device: the tokens that descend from one log-in. It ends as a whole.
CREATE TABLE token_families (
    id         uuid        NOT NULL CONSTRAINT token_families_pk PRIMARY KEY,
    account_id uuid        NOT NULL CONSTRAINT token_families_account_fk REFERENCES accounts (id),
    created_at timestamptz NOT NULL,
    ended_at   timestamptz
);
CREATE INDEX token_families_account ON token_families (account_id);

CREATE TABLE refresh_tokens (
    hash       bytea       NOT NULL CONSTRAINT refresh_tokens_pk PRIMARY KEY
                           CONSTRAINT refresh_tokens_hash_length CHECK (octet_length(hash) = 32),
    family     uuid        NOT NULL CONSTRAINT refresh_tokens_family_fk REFERENCES token_families (id) ON DELETE CASCADE,
    account_id uuid        NOT NULL CONSTRAINT refresh_tokens_account_fk REFERENCES accounts (id),
    issued_at  timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    spent_at   timestamptz
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);
CREATE INDEX refresh_tokens_account ON refresh_tokens (account_id);
