//! Hands the started parts to the API. For the time being it answers only whether it is alive.

use std::net::TcpListener;
use std::path::PathBuf;

use actix_web::{App, HttpResponse, HttpServer, web};

use super::signals::Signals;
use crate::store::Store;

/// All that the API is made of.
pub(super) struct ServerParts {
    /// The database, checked.
    pub(super) store: Store,
    /// Where to serve, bound.
    pub(super) listener: TcpListener,
    /// Where keys are.
    #[expect(dead_code, reason = "the keys come with the API")]
    pub(super) data_dir: PathBuf,
    /// Whether the database is our own: then missing keys may be made, as no other server needs to share them.
    #[expect(dead_code, reason = "the keys come with the API")]
    pub(super) private: bool,
    /// What asks the server to stop.
    pub(super) signals: Signals,
}

/// Serves until a signal comes and the requests that had begun are answered.
pub(super) async fn serve_http(parts: ServerParts) -> std::io::Result<()> {
    let ServerParts { store, listener, mut signals, .. } = parts;
    let server = HttpServer::new(move || {
        App::new().app_data(web::Data::new(store.clone())).route("/healthz", web::get().to(HttpResponse::NoContent))
    })
    .disable_signals()
    .listen(listener)?
    .run();
    let handle = server.handle();
    let stopping = tokio::spawn(async move {
        signals.next().await;
        tracing::info!("stopping");
        handle.stop(true).await;
    });
    let served = server.await;
    stopping.abort();
    served
}
