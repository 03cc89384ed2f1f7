//! The HTTP API: the only layer that knows actix-web.
//!
//! A URL tells the file: `<noun>/<verb>.rs`; the handler's name is the operation's id. Handlers parse, call `auth` or `play`
//! and answer. Must never: hold SQL or a rule, or choose a status code outside `problem`. What every answer has in common
//! (request id, problems, time limit, CORS, caching) is done once, in [`middleware`].

pub mod accounts;
pub mod extract;
pub mod healthz;
pub mod middleware;
pub mod openapi;
pub mod problem;
pub mod problems;
pub mod readyz;
mod serve;
pub mod surface;
pub mod tokens;
pub mod union;
pub mod well_known;

use actix_web::{HttpRequest, web::Data};
use tokio::sync::watch;
use utoipa_actix_web::service_config::ServiceConfig;

pub use self::serve::{ServeSettings, serve};
use self::{problem::Problem, problem::ProblemType};
use crate::{
    auth::{Auth, Fresh},
    clock, entropy,
    store::Store,
};

/// What handlers work with. One for all workers.
pub struct App {
    /// The database.
    pub store: Store,
    /// Accounts and tokens.
    pub auth: Auth,
    draining: watch::Sender<bool>,
}

impl App {
    /// Of these parts.
    pub fn new(store: Store, auth: Auth) -> Self {
        Self { store, auth, draining: watch::Sender::new(false) }
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
        .service(openapi::read_openapi)
        .service(healthz::read_healthz)
        .service(readyz::read_readyz)
        .service(well_known::jwks::read_jwks)
        .service(problems::list::list_problems)
        .service(problems::read::read_problem);
}
