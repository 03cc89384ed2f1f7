//! Puts the API on a socket, and takes it off again without breaking off a request.

use std::{io, net::TcpListener, num::NonZeroUsize, time::Duration};

use actix_web::{
    HttpServer,
    dev::Server,
    middleware::{Compress, from_fn},
    web::{self, Data, PayloadConfig},
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use utoipa_actix_web::AppExt as _;

use super::{
    App,
    connections::Connections,
    extract,
    middleware::frame::{TimeLimit, frame, nothing_here},
    middleware::limits::{LimitSettings, Limits},
    openapi, routes,
    surface::Surface,
};
use crate::config;

/// How long the rest of a body that nobody reads is waited for before its connection is closed: so long the client can read
/// the answer.
const UNREAD_TIME: Duration = Duration::from_secs(1);

/// What the operator decides about the server.
#[derive(Clone, Debug)]
pub struct ServeSettings {
    /// Threads that serve requests; `None` for one per core.
    pub workers: Option<usize>,
    /// How long a request may take until its answer begins.
    pub request_timeout: Duration,
    /// How long a client may take to send a request's head.
    pub client_timeout: Duration,
    /// How long an idle connection is kept. One on which nothing is answered is shut down after that and the time for a head.
    pub keep_alive: Duration,
    /// How long a client may take nothing of an answer that waits for it, before its connection is dropped.
    pub stall_timeout: Duration,
    /// The most connections at once; more wait until one is free.
    pub max_connections: usize,
    /// How long the server goes on after it has said that it is not ready any more, so that whoever sends it requests
    /// can notice.
    pub drain: Duration,
    /// How long requests that have begun may go on after that.
    pub grace: Duration,
    /// How many connections to the database each worker has to read games through; none for those of the pool.
    pub read_connections: usize,
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
            stall_timeout: Duration::from_millis(config::STALL_TIMEOUT_MS),
            max_connections: usize::from(config::MAX_CONNECTIONS),
            drain: Duration::ZERO,
            grace: Duration::from_secs(30),
            read_connections: usize::from(config::READ_CONNECTIONS),
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
    let connections = Connections::default();
    let server = start(app.clone(), &settings, &connections, listener)?;
    let handle = server.handle();
    let stopping = tokio::spawn(async move {
        stop.await;
        tracing::info!("draining");
        app.drain();
        tokio::time::sleep(settings.drain).await;
        handle.stop(true).await;
    });
    // As long as an idle one is kept, and as long as a request's head may take.
    let quiet = settings.keep_alive + settings.client_timeout;
    let ending = tokio::spawn(connections.end_quiet_ones(quiet));
    let served = server.await;
    stopping.abort();
    ending.abort();
    play.finish().await;
    served
}

fn start(app: App, settings: &ServeSettings, connections: &Connections, listener: TcpListener) -> io::Result<Server> {
    let document = openapi::api();
    let surface = Data::new(Surface::of(&document));
    let text = Data::new(openapi::Document::of(&document));
    let limit = TimeLimit(settings.request_timeout);
    let limits = settings.limits.as_ref().map(|limits| Data::new(Limits::new(limits)));
    let read_connections = settings.read_connections;
    // Called by each worker, on its own runtime.
    let server = HttpServer::new(move || {
        let mut base = actix_web::App::new();
        if let Some(limits) = &limits {
            base = base.app_data(limits.clone());
        }
        base.app_data(Data::new(app.for_worker(read_connections)))
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
    // What an answer still has to say does not wait until the client has acknowledged its beginning: up to 40 ms.
    .tcp_nodelay(true)
    .on_connect({
        let connections = connections.clone();
        move |connection, data| connections.add(connection, data)
    })
    .client_request_timeout(settings.client_timeout)
    .keep_alive(settings.keep_alive)
    // How long is waited for the rest of a body that nobody reads.
    .client_disconnect_timeout(UNREAD_TIME)
    .shutdown_timeout(settings.grace.as_secs())
    .disable_signals();
    drop_stalled(&listener, settings.stall_timeout)?;
    allow_descriptors(settings.max_connections);
    let workers = settings.workers.map_or_else(std::thread::available_parallelism, |workers| {
        NonZeroUsize::new(workers).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))
    })?;
    // actix counts them for each worker.
    let server = server.workers(workers.get()).max_connections((settings.max_connections / workers).max(1));
    Ok(server.listen(listener)?.run())
}

/// Has the system grant the descriptors that so many connections need, two each and some for all else, as far as it may.
fn allow_descriptors(connections: usize) {
    let needed = connections as u64 * 2 + 512;
    let granted = getrlimit(Resource::Nofile);
    if granted.current.is_none_or(|current| current >= needed) {
        return;
    }
    let current = granted.maximum.map_or(needed, |most| most.min(needed));
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(current), ..granted });
    if raised.is_err() || current < needed {
        tracing::warn!(needed, granted = current, "the system grants fewer descriptors than the connections may need");
    }
}

/// Lets the system end a connection whose peer has taken nothing for so long: actix has no limit for that while requests wait
/// behind the answer. Connections inherit it from the socket that they come in at.
///
/// What remains: a client that takes a little now and then keeps its connection, which only their number bounds.
#[cfg(target_os = "linux")]
fn drop_stalled(listener: &TcpListener, after: Duration) -> io::Result<()> {
    let after_ms = u32::try_from(after.as_millis()).unwrap_or(u32::MAX);
    Ok(rustix::net::sockopt::set_tcp_user_timeout(listener, after_ms)?)
}

/// Other systems have nothing like it: there the number of connections is the only bound.
#[cfg(not(target_os = "linux"))]
fn drop_stalled(_: &TcpListener, _: Duration) -> io::Result<()> {
    Ok(())
}
