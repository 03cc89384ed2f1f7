//! Puts the API on a socket, and takes it off again without breaking off a request.

use std::{io, net::TcpListener, time::Duration};

use actix_web::{
    HttpServer,
    dev::Server,
    middleware::{Compress, from_fn},
    web::{self, Data, PayloadConfig},
};
use utoipa_actix_web::AppExt as _;

use super::{
    App, extract,
    middleware::frame::{TimeLimit, frame, nothing_here},
    middleware::limits::{LimitSettings, Limits},
    openapi, routes,
    surface::Surface,
};

/// What the operator decides about the server.
#[derive(Clone, Debug)]
pub struct ServeSettings {
    /// Threads that serve requests; `None` for one per core.
    pub workers: Option<usize>,
    /// How long a request may take until its answer begins.
    pub request_timeout: Duration,
    /// How long a client may take to send a request's head.
    pub client_timeout: Duration,
    /// How long an idle connection is kept.
    pub keep_alive: Duration,
    /// How long the server goes on after it has said that it is not ready any more, so that whoever sends it requests
    /// can notice.
    pub drain: Duration,
    /// How long requests that have begun may go on after that.
    pub grace: Duration,
    /// How often somebody may ask; `None` for as often as he likes.
    pub limits: Option<LimitSettings>,
}

impl Default for ServeSettings {
    fn default() -> Self {
        Self {
            workers: None,
            request_timeout: Duration::from_secs(10),
            client_timeout: Duration::from_secs(5),
            keep_alive: Duration::from_secs(75),
            drain: Duration::ZERO,
            grace: Duration::from_secs(30),
            limits: Some(LimitSettings::DEFAULT),
        }
    }
}

/// Serves until `stop` comes, then says so at /readyz, goes on for the time to drain, takes no more connections, and
/// returns when every request that had begun has been answered, or after the grace; writes that had begun are done by then.
///
/// # Errors
/// Whatever is wrong with the socket.
pub async fn serve(
    app: App,
    settings: ServeSettings,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let play = app.play.clone();
    let app = Data::new(app);
    let server = start(app.clone(), &settings, listener)?;
    let handle = server.handle();
    let stopping = tokio::spawn(async move {
        stop.await;
        tracing::info!("draining");
        app.drain();
        tokio::time::sleep(settings.drain).await;
        handle.stop(true).await;
    });
    let served = server.await;
    stopping.abort();
    play.finish().await;
    served
}

fn start(app: Data<App>, settings: &ServeSettings, listener: TcpListener) -> io::Result<Server> {
    let document = openapi::api();
    let surface = Data::new(Surface::of(&document));
    let text = Data::new(openapi::Document::of(&document));
    let limit = TimeLimit(settings.request_timeout);
    let limits = settings.limits.as_ref().map(|limits| Data::new(Limits::new(limits)));
    let server = HttpServer::new(move || {
        let mut base = actix_web::App::new();
        if let Some(limits) = &limits {
            base = base.app_data(limits.clone());
        }
        base.app_data(app.clone())
            .app_data(surface.clone())
            .app_data(text.clone())
            .app_data(limit)
            .app_data(PayloadConfig::new(extract::MAX_BODY))
            .into_utoipa_app()
            .configure(routes)
            .into_app()
            .service(web::redirect("/", "/docs/"))
            .service(web::redirect("/docs", "/docs/"))
            .service(openapi::docs())
            .default_service(web::to(nothing_here))
            .wrap(Compress::default())
            .wrap(from_fn(frame))
    })
    .client_request_timeout(settings.client_timeout)
    .keep_alive(settings.keep_alive)
    .shutdown_timeout(settings.grace.as_secs())
    .disable_signals();
    let server = match settings.workers {
        Some(workers) => server.workers(workers),
        None => server,
    };
    Ok(server.listen(listener)?.run())
}
