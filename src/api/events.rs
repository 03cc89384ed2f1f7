//! Events as they are written on the wire: the public line as it was hashed, and beside it the secret that the viewer may
//! know. Only their schemas are made here; what a viewer is told is decided in `log::told`.

use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::one_of::{union_schema, with_type};
use crate::engine::{self, Bytes32};

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
        let of = |name: &str| {
            let seat = ObjectBuilder::new()
                .schema_type(SchemaType::new(Type::Integer))
                .minimum(Some(0))
                .maximum(Some(4))
                .build();
            ObjectBuilder::new().property(name, seat).required(name).build()
        };
        let mut word = Object::with_type(SchemaType::new(Type::String));
        word.enum_values = Some(vec!["clock".into(), "table".into()]);
        let union = utoipa::openapi::OneOfBuilder::new().item(of("seat")).item(of("bot")).item(word).build();
        RefOr::T(Schema::OneOf(union))
    }
}

impl ToSchema for Cause {}

fn event_schema(data: &str) -> Object {
    let seq = ObjectBuilder::new().schema_type(SchemaType::new(Type::Integer)).minimum(Some(1)).build();
    let at = ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .format(Some(utoipa::openapi::SchemaFormat::KnownFormat(utoipa::openapi::KnownFormat::DateTime)))
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
    seat.description = Some("The seat that may know the secret while the game runs; null for nobody.".into());
    event.properties.insert("secret_for".into(), RefOr::T(Schema::Object(seat)));
    event.properties.insert("secret_hash".into(), Bytes32::schema());
    event.properties.insert("secret".into(), reference(secret));
    event.required.extend(["secret_for".to_owned(), "secret_hash".to_owned()]);
    event
}

fn reference(name: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name))
}
