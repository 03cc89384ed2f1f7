//! The HTTP API: the only layer that knows actix-web.
//!
//! A URL tells the file: `<noun>/<verb>.rs`; the handler's name is the operation's id. Handlers parse, call `auth` or `play`
//! and answer. Must never: hold SQL or a rule, or choose a status code outside `problem`. What every answer has in common
//! (request id, problems, time limit, CORS, caching) is done once, in [`middleware`].

pub mod accounts;
pub mod bots;
mod closed;
mod conditional;
pub mod connections;
pub mod events;
pub mod extract;
pub mod games;
pub mod healthz;
pub mod hint;
pub mod history;
pub mod invites;
pub mod me;
pub mod metrics;
pub mod middleware;
pub mod moves;
mod one_of;
pub mod openapi;
pub mod problem;
pub mod problems;
pub mod proof_keys;
pub mod readyz;
pub mod review;
pub mod seats;
mod serve;
pub mod surface;
pub mod tokens;
pub mod union;
pub mod well_known;

use std::sync::Arc;

use actix_web::{HttpRequest, web::Data};
use tokio::sync::watch;
use utoipa_actix_web::service_config::ServiceConfig;

pub use self::serve::{ServeSettings, serve};
use self::{problem::Problem, problem::ProblemType};
use crate::{
    auth::{Auth, Fresh},
    clock, entropy,
    play::Play,
    store::Store,
    telemetry::metrics::Metrics,
};

/// What handlers work with. Cheap to clone; clones are one server.
#[derive(Clone)]
pub struct App {
    /// The database.
    pub store: Store,
    /// Accounts and tokens.
    pub auth: Arc<Auth>,
    /// The door to the games.
    pub play: Play,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    draining: Arc<watch::Sender<bool>>,
    tag_key: [u8; 32],
}

impl App {
    /// Of these parts.
    pub fn new(store: Store, auth: Auth, play: Play) -> Self {
        let metrics = Arc::new(Metrics::new(play.counts()));
        let tag_key = auth.tag_key();
        Self { store, auth: Arc::new(auth), play, metrics, draining: Arc::new(watch::Sender::new(false)), tag_key }
    }

    /// Turns true, once, when the server is about to stop: what runs long (a stream) is to come to its end then.
    pub fn draining(&self) -> watch::Receiver<bool> {
        self.draining.subscribe()
    }

    /// The time now and new randomness, for one call of [`Auth`].
    pub fn fresh(&self) -> Fresh {
        Fresh { now: clock::now(), refresh: entropy::bytes(), salt: entropy::bytes() }
    }

    /// The one that serves this request.
    ///
    /// # Errors
    /// A 500, if the server was put together without one.
    pub fn of(request: &HttpRequest) -> Result<Data<Self>, Problem> {
        request.app_data::<Data<Self>>().cloned().ok_or_else(|| Problem::new(ProblemType::Internal))
    }

    /// For one worker, which reads games through `connections` of its own.
    fn for_worker(&self, connections: usize) -> Self {
        match self.store.beside(connections) {
            Ok(reads) if connections > 0 => Self { play: self.play.reading_through(reads), ..self.clone() },
            Ok(_) => self.clone(),
            Err(error) => {
                tracing::warn!(%error, "a worker has no connections of its own");
                self.clone()
            }
        }
    }

    fn drain(&self) {
        self.draining.send_replace(true);
    }
}

/// Every operation. What is added here is served, and is in the OpenAPI document.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(accounts::create::create_account)
        .service(accounts::create_guest::create_guest_account)
        .service(tokens::create::create_token)
        .service(tokens::refresh::refresh_token)
        .service(tokens::delete::delete_token)
        .service(me::read::read_me)
        .service(me::update::update_me)
        .service(me::delete::delete_me)
        .service(me::set_password::set_password)
        .service(games::create::create_game)
        .service(games::list::list_games)
        .service(games::read::read_game)
        .service(games::close::close_game)
        .service(games::start::start_game)
        .service(seats::take::take_seat)
        // Before the one for any seat, whose pattern it fits.
        .service(seats::leave::leave_seat)
        .service(seats::vacate::vacate_seat)
        .service(bots::list::list_bots)
        .service(bots::seat::seat_bot)
        .service(invites::create::create_invite)
        .service(invites::list::list_invites)
        .service(invites::revoke::revoke_invite)
        .service(invites::open::open_invite)
        .service(moves::list::list_moves)
        .service(moves::submit::submit_move)
        .service(hint::read::read_hint)
        .service(review::read::read_review)
        .service(history::read::read_history)
        .service(history::export::export_game)
        .service(games::signed_head::read_signed_head)
        .service(proof_keys::list::list_proof_keys)
        .service(openapi::read_openapi)
        .service(healthz::read_healthz)
        .service(readyz::read_readyz)
        .service(well_known::jwks::read_jwks)
        .service(problems::list::list_problems)
        .service(problems::read::read_problem);
}

/// The length of a page: what was asked for, if it is 1 to 100.
fn limit(asked: Option<u32>, usual: u32) -> Result<u32, Problem> {
    match asked {
        None => Ok(usual),
        Some(limit @ 1..=100) => Ok(limit),
        Some(_) => Err(Problem::malformed("?limit", "a page has 1 to 100 entries")),
    }
}
