//! Events as they are written on the wire: the public line as it was hashed, and beside it the secret that the viewer may
//! know. Only their schemas are made here; what a viewer is told is decided in `log::told`.

use utoipa::openapi::schema::{Object, ObjectBuilder, OneOf, Schema, SchemaType, Type};
use utoipa::openapi::{KnownFormat, Ref, RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

use super::one_of::{union_schema, with_type};
use crate::engine;

/// An event on its way out.
pub type EventEntry = crate::log::Entry;

/// The schema of an event: a union by `type`.
pub struct Event;

macro_rules! events {
    ($($tag:literal $fact:ident $(=> $secret:ident)?;)*) => {
        impl PartialSchema for Event {
            fn schema() -> RefOr<Schema> {
                let variants = [$(($tag, concat!(stringify!($fact), "Event")),)*];
                let description = "An event of a game. Fields of `data` may be added; ignore what you do not know.";
                union_schema(description, variants).into()
            }
        }

        impl ToSchema for Event {
            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                schemas.push((<Cause as ToSchema>::name().into_owned(), Cause::schema()));
                Cause::schemas(schemas);
                $(
                    schemas.push((stringify!($fact).to_owned(), engine::$fact::schema()));
                    engine::$fact::schemas(schemas);
                    let event = event_schema(stringify!($fact));
                    $(
                        schemas.push((stringify!($secret).to_owned(), engine::$secret::schema()));
                        engine::$secret::schemas(schemas);
                        let event = with_secret(event, stringify!($secret));
                    )?
                    let event = with_type(RefOr::T(Schema::Object(event)), $tag);
                    schemas.push((concat!(stringify!($fact), "Event").to_owned(), event));
                )*
            }
        }

        /// Every type of event, in the order of a game.
        pub const TYPES: &[&str] = &[$($tag,)*];
    };
}

events! {
    "table_created" TableCreated;
    "seat_taken" SeatTaken;
    "seat_left" SeatLeft;
    "bot_assigned" BotAssigned;
    "table_closed" TableClosed;
    "game_started" GameStarted;
    "lands_laid" LandsLaid;
    "estate_placed" EstatePlaced;
    "deck_shuffled" DeckShuffled => DeckOrder;
    "supplies_dealt" SuppliesDealt => SecretSupplies;
    "round_started" RoundStarted;
    "battlefield_chosen" BattlefieldChosen;
    "action_cards_shuffled" ActionCardsShuffled => ActionCardOrder;
    "action_cards_passed" ActionCardsPassed => SecretActionCards;
    "action_card_kept" ActionCardKept => SecretActionCard;
    "action_cards_left" ActionCardsLeft => SecretActionCards;
    "supplies_played" SuppliesPlayed;
    "action_cards_revealed" ActionCardsRevealed;
    "allegiance_changed" AllegianceChanged;
    "battle_fought" BattleFought;
    "land_turned" LandTurned;
    "points_awarded" PointsAwarded;
    "base_built" BaseBuilt;
    "base_flipped" BaseFlipped;
    "build_passed" BuildPassed;
    "strategy_card_given" StrategyCardGiven;
    "played_supplies_discarded" PlayedSuppliesDiscarded;
    "supplies_drawn" SuppliesDrawn => SecretSupplies;
    "draw_lost" DrawLost;
    "supplies_discarded" SuppliesDiscarded;
    "game_ended" GameEnded;
}

/// Who made an event happen: `{"seat": n}`, `{"bot": n}`, `"clock"` or `"table"` (somebody who acted without a seat).
pub struct Cause;

impl PartialSchema for Cause {
    fn schema() -> RefOr<Schema> {
        let mut union = OneOf::new();
        union.items = ["SeatCause", "BotCause", "CauseWord"].map(reference).into();
        union.description = Some("Who made an event happen.".into());
        RefOr::T(Schema::OneOf(union))
    }
}

impl ToSchema for Cause {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        let of = |name: &str, description: &str| {
            let object = ObjectBuilder::new().property(name, reference("Seat")).required(name);
            RefOr::T(Schema::Object(object.description(Some(description)).build()))
        };
        let mut word = Object::with_type(SchemaType::new(Type::String));
        word.enum_values = Some(vec!["clock".into(), "table".into()]);
        word.description = Some("The clock, or the table: somebody who acted without a seat.".into());
        schemas.push(("SeatCause".into(), of("seat", "The player in that seat.")));
        schemas.push(("BotCause".into(), of("bot", "A bot in that seat.")));
        schemas.push(("CauseWord".into(), RefOr::T(Schema::Object(word))));
    }
}

fn event_schema(data: &str) -> Object {
    let seq = ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Integer))
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
        .minimum(Some(1))
        .build();
    let at = ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .build();
    ObjectBuilder::new()
        .property("seq", seq)
        .required("seq")
        .property("at", at)
        .required("at")
        .property("cause", reference("Cause"))
        .required("cause")
        .property("data", reference(data))
        .required("data")
        .build()
}

fn with_secret(mut event: Object, secret: &str) -> Object {
    let mut seat = Object::with_type(SchemaType::from_iter([Type::Integer, Type::Null]));
    seat.format = Some(SchemaFormat::KnownFormat(KnownFormat::Int32));
    (seat.minimum, seat.maximum) = (Some(0.into()), Some(4.into()));
    seat.description = Some("The seat that may know the secret while the game runs; null for nobody.".into());
    event.properties.insert("secret_for".into(), RefOr::T(Schema::Object(seat)));
    event.properties.insert("secret_hash".into(), reference("Bytes32"));
    event.properties.insert("secret".into(), reference(secret));
    event.required.extend(["secret_for".to_owned(), "secret_hash".to_owned()]);
    event
}

fn reference(name: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name))
}
