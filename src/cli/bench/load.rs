//! Requests over HTTP as fast as they are answered, on connections that are kept. A client as small as can be, as it runs on
//! the cores of the server that it measures.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::CliError;

/// A request, ready to be sent.
pub(super) type Request = Arc<[u8]>;

/// How to send requests.
pub(super) struct Load<'a> {
    pub(super) address: &'a str,
    pub(super) connections: usize,
    pub(super) time: Duration,
}

/// What came of it.
pub(super) struct Done {
    pub(super) answered: usize,
    took: Duration,
    latencies: Vec<Duration>,
}

impl Done {
    pub(super) fn per_second(&self) -> f64 {
        self.answered as f64 / self.took.as_secs_f64()
    }

    pub(super) fn percentile_ms(&self, percent: usize) -> f64 {
        let place = self.latencies.len() * percent / 100;
        self.latencies.get(place).map_or(0.0, |latency| latency.as_secs_f64() * 1e3)
    }
}

impl Load<'_> {
    /// Sends `scripts`, each from its first request to its last, as many at once as there are connections, until the time
    /// is over.
    ///
    /// # Errors
    /// The first answer that is not 200, or a broken connection.
    pub(super) async fn run(&self, scripts: Vec<Vec<Request>>) -> Result<Done, CliError> {
        let scripts = Arc::new(Mutex::new(scripts));
        let begun = Instant::now();
        let until = begun + self.time;
        let mut clients = JoinSet::new();
        for _ in 0..self.connections {
            let stream = TcpStream::connect(self.address).await?;
            stream.set_nodelay(true)?;
            clients.spawn(client(stream, Arc::clone(&scripts), until));
        }
        let mut latencies = Vec::new();
        while let Some(done) = clients.join_next().await {
            latencies.extend(done??);
        }
        let took = begun.elapsed();
        latencies.sort_unstable();
        Ok(Done { answered: latencies.len(), took, latencies })
    }
}

async fn client(
    mut stream: TcpStream,
    scripts: Arc<Mutex<Vec<Vec<Request>>>>,
    until: Instant,
) -> Result<Vec<Duration>, CliError> {
    let next = || scripts.lock().ok().and_then(|mut scripts| scripts.pop());
    let (mut latencies, mut buffer) = (Vec::new(), vec![0; 64 * 1024]);
    while let Some(script) = next() {
        for request in script {
            let sent = Instant::now();
            if sent >= until {
                return Ok(latencies);
            }
            stream.write_all(&request).await?;
            read_answer(&mut stream, &mut buffer).await?;
            latencies.push(sent.elapsed());
        }
    }
    Ok(latencies)
}

/// Reads one answer, which must be 200 and say its length.
async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) -> Result<(), CliError> {
    let mut filled = 0;
    loop {
        let free = buffer.get_mut(filled..).unwrap_or_default();
        let read = stream.read(free).await?;
        if read == 0 {
            return Err("the server closed the connection".into());
        }
        filled += read;
        let answer = buffer.get(..filled).unwrap_or_default();
        let Some(head) = answer.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let text = std::str::from_utf8(answer.get(..head).unwrap_or_default())?;
        if !text.starts_with("HTTP/1.1 200") {
            return Err(String::from_utf8_lossy(answer).into_owned().into());
        }
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.ok_or("an answer without a length")?.parse()?;
        if filled >= head + 4 + length {
            return Ok(());
        }
    }
}
