//! GET /v1/bots: the levels of bots.

use actix_web::{HttpResponse, get, http::header, web::Data};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::App;
use crate::api::openapi::problems;
use crate::bots::BOTS_VERSION;
use crate::engine::BotLevel;

/// The bots that can be given seats.
#[derive(Serialize, ToSchema)]
pub struct Bots {
    /// The weakest first.
    #[schema(max_items = 16)]
    items: Vec<Bot>,
    /// The version of their play: how a level plays can change with it.
    #[schema(minimum = 0, maximum = 65_535)]
    version: u16,
}

/// A level of bots.
#[derive(Serialize, ToSchema)]
pub struct Bot {
    /// The level.
    level: BotLevel,
    /// Whom it is for, in English.
    description: &'static str,
    /// How long after its turn began a bot of this level moves, in seconds: always the same, also with one legal move only.
    #[schema(minimum = 0, maximum = 600)]
    pace_s: f64,
    /// Its share of victories as one of four against three bots of the level below, as measured; 0.25 is par. Null for the
    /// weakest, and where it was not measured.
    #[schema(minimum = 0, maximum = 1)]
    strength: Option<f32>,
}

problems!(Problems: Internal, Unavailable);

/// The levels of bots, how long they take for a move here, and how strong they are.
#[utoipa::path(tag = "bots", responses((status = 200, description = "The levels.", body = Bots), Problems))]
#[get("/v1/bots")]
pub(crate) async fn list_bots(app: Data<App>) -> HttpResponse {
    let items = app.play.bot_levels().map(|(strength, pace)| Bot {
        level: strength.level,
        description: description(strength.level),
        pace_s: pace.as_secs_f64(),
        strength: strength.against_the_level_below,
    });
    let bots = Bots { items: items.collect(), version: BOTS_VERSION };
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "public, max-age=300")).json(bots)
}

const fn description(level: BotLevel) -> &'static str {
    match level {
        BotLevel::Easy => "For those who are learning the rules.",
        BotLevel::Normal => "For those who know them.",
        BotLevel::Hard => "For those who want to be beaten.",
        BotLevel::Expert => "The strongest there is.",
    }
}
