//! A way to PostgreSQL that breaks off when it is told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};

use super::Database;
use super::database::{SERVING, superuser_url};

/// What does not arrive.
#[derive(Clone, Copy)]
pub(crate) enum Cut {
    /// What the server sends, so that nothing is done.
    Request = 1,
    /// What the database answers, when it has done it.
    Answer = 2,
    /// Anything, and nobody is told so: from then on the connection is silent.
    Silence = 3,
}

const DONE: u8 = 4;

/// Lies between a server and its database.
pub(crate) struct Proxy {
    address: String,
    database: String,
    cut: Arc<AtomicU8>,
}

impl Proxy {
    pub(crate) async fn start(database: &Database) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let cut = Arc::new(AtomicU8::new(0));
        let shared = Arc::clone(&cut);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, Arc::clone(&shared)));
            }
        });
        Self { address, database: database.name().to_owned(), cut }
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://{SERVING}@{}/{}?sslmode=disable", self.address, self.database)
    }

    /// Breaks the connection over which events are written next.
    pub(crate) fn cut_the_next_write(&self, cut: Cut) {
        self.cut.store(cut as u8, Ordering::SeqCst);
    }

    pub(crate) fn has_cut(&self) -> bool {
        self.cut.load(Ordering::SeqCst) == DONE
    }
}

async fn carry(mut client: TcpStream, cut: Arc<AtomicU8>) {
    let mut server = connect().await;
    let (mut up, mut down) = (vec![0; 1 << 17], vec![0; 1 << 17]);
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let Ok(count @ 1..) = read else { return };
                let sent = &up[..count];
                // Only a write sends lines of a log.
                let writes = sent.windows(8).any(|window| window == b"\"cause\":");
                let now = if writes { cut.swap(0, Ordering::SeqCst) } else { 0 };
                if now == Cut::Request as u8 {
                    cut.store(DONE, Ordering::SeqCst);
                    return;
                }
                if now == Cut::Silence as u8 {
                    cut.store(DONE, Ordering::SeqCst);
                    return std::future::pending().await;
                }
                server.write_all(sent).await.unwrap();
                if now == Cut::Answer as u8 {
                    // The answer says that it is done; nobody hears of it.
                    let _ = server.read(&mut down).await;
                    cut.store(DONE, Ordering::SeqCst);
                    return;
                }
            }
            read = server.read(&mut down) => {
                let Ok(count @ 1..) = read else { return };
                if client.write_all(&down[..count]).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// To the tests' cluster, over its socket.
async fn connect() -> UnixStream {
    let url = superuser_url();
    let host = url.split_once('@').unwrap().1.split_once('/').unwrap().0;
    let directory = host.replace("%2F", "/").replace("%2f", "/");
    UnixStream::connect(format!("{directory}/.s.PGSQL.5432")).await.unwrap()
}
