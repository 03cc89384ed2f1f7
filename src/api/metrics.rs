//! GET /metrics, on an address of its own: what the server counts, as OpenMetrics.
//!
//! Not among the operations, as it is for operators and not for players: sums over few games tell more than players should
//! know (that somebody tried a move that the rules forbid). Must never: be served at the address of the API.

use std::{
    io,
    net::TcpListener,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    HttpResponse, HttpServer, get,
    http::header::{self, HeaderValue},
    web::Data,
};
use tokio::sync::Mutex;

use super::App;
use crate::store::Store;
use crate::telemetry::metrics::{MEDIA_TYPE, Metrics, Readings};

/// How long the number of games is good for.
const COUNTED_EVERY: Duration = Duration::from_secs(30);

/// How many games stand where.
type Counted = Vec<(&'static str, u64)>;

/// What the page is made of.
pub struct MetricsPage {
    metrics: Arc<Metrics>,
    store: Store,
    counted: Mutex<Option<(Instant, Counted)>>,
}

impl MetricsPage {
    /// Of this server.
    #[must_use]
    pub fn of(app: &App) -> Self {
        Self { metrics: app.metrics.clone(), store: app.store.clone(), counted: Mutex::new(None) }
    }

    /// Serves the page until the future is dropped.
    ///
    /// # Errors
    /// Whatever is wrong with the socket.
    pub async fn serve(self, listener: TcpListener) -> io::Result<()> {
        let page = Data::new(self);
        let app = move || actix_web::App::new().app_data(page.clone()).service(read_metrics);
        let server = HttpServer::new(app).workers(1).disable_signals().listen(listener)?.run();
        server.await
    }

    async fn readings(&self) -> Readings {
        // Before the count takes a connection itself.
        let connections = self.store.connections();
        Readings {
            games: self.games().await,
            max_connections: connections.max,
            connections_in_use: connections.in_use,
            connections_idle: connections.idle,
            waiting: connections.waiting,
        }
    }

    /// One count at a time, and none if the last is still good; nothing if the database does not tell.
    async fn games(&self) -> Counted {
        let mut counted = self.counted.lock().await;
        if let Some((at, games)) = &*counted
            && at.elapsed() < COUNTED_EVERY
        {
            return games.clone();
        }
        match self.store.count_games().await {
            Ok(games) => {
                let games: Counted = games.into_iter().map(|(status, games)| (status.word(), games)).collect();
                *counted = Some((Instant::now(), games.clone()));
                games
            }
            Err(error) => {
                tracing::warn!(%error, "the games could not be counted");
                Counted::new()
            }
        }
    }
}

#[get("/metrics")]
async fn read_metrics(page: Data<MetricsPage>) -> HttpResponse {
    let text = page.metrics.text(&page.readings().await);
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)))
        .insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-store")))
        .body(text)
}
