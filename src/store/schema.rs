//! The tables as diesel sees them. Written by hand from `migrations/`, which hold the constraints and the reasons.

diesel::table! {
    accounts (id) {
        id -> Uuid,
        name -> Text,
        name_key -> Nullable<Text>,
        password_hash -> Nullable<Text>,
        locale -> Text,
        status -> Text,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    token_families (id) {
        id -> Uuid,
        account_id -> Uuid,
        created_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    refresh_tokens (hash) {
        hash -> Binary,
        family -> Uuid,
        account_id -> Uuid,
        issued_at -> Timestamptz,
        expires_at -> Timestamptz,
        spent_at -> Nullable<Timestamptz>,
    }
}

// Without `imported` and `hints`, which only statements written by hand name: diesel counts to 16.
diesel::table! {
    games (id) {
        id -> Uuid,
        version -> BigInt,
        head -> Binary,
        server_seed -> Binary,
        snapshot -> Binary,
        status -> Text,
        visibility -> Text,
        start -> Text,
        players -> SmallInt,
        open_seats -> SmallInt,
        decider -> Nullable<SmallInt>,
        creator -> Uuid,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        wake_at -> Nullable<Timestamptz>,
        leased_until -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    seats (game_id, seat) {
        game_id -> Uuid,
        seat -> SmallInt,
        account_id -> Nullable<Uuid>,
        bot -> Nullable<Text>,
    }
}

diesel::table! {
    game_events (game_id, seq) {
        game_id -> Uuid,
        seq -> BigInt,
        line -> Text,
        secret -> Nullable<Text>,
        hash -> Binary,
    }
}

diesel::table! {
    requests (account_id, key) {
        account_id -> Uuid,
        key -> Text,
        fingerprint -> Binary,
        game_id -> Uuid,
        seat -> Nullable<SmallInt>,
        first_seq -> BigInt,
        last_seq -> BigInt,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    invites (id) {
        id -> Uuid,
        game_id -> Uuid,
        code_hash -> Binary,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        revoked_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    proof_keys (key) {
        key -> Binary,
        since_at -> Timestamptz,
    }
}

diesel::table! {
    reviews (game_id) {
        game_id -> Uuid,
        asked_at -> Timestamptz,
        is_awaited -> Bool,
        done -> Integer,
        decisions -> Integer,
        leased_until -> Nullable<Timestamptz>,
        format -> Nullable<SmallInt>,
        content -> Nullable<Binary>,
    }
}

diesel::joinable!(token_families -> accounts (account_id));
diesel::joinable!(refresh_tokens -> token_families (family));
diesel::joinable!(seats -> games (game_id));
diesel::joinable!(seats -> accounts (account_id));

diesel::allow_tables_to_appear_in_same_query!(
    accounts,
    token_families,
    refresh_tokens,
    games,
    seats,
    game_events,
    requests,
    invites,
);
