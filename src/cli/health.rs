//! `fereta health`: whether a server can serve requests now, as an exit code. For health checks in images that hold no other
//! client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::CliError;

/// Which server, and how long to wait for it.
#[derive(Debug, Args)]
pub(super) struct HealthArgs {
    /// The server, such as http://127.0.0.1:8080; without it the one that listens at FERETA_LISTEN on this machine
    #[arg(long)]
    url: Option<String>,
    /// Address and port that the server listens on
    #[arg(long, env = "FERETA_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// How long to wait for its answer, in milliseconds
    #[arg(long, default_value_t = 3_000, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    timeout_ms: u64,
}

/// Asks /readyz; succeeds if the server can serve requests.
pub(super) async fn health(args: &HealthArgs) -> Result<ExitCode, CliError> {
    let base = args.url.clone().unwrap_or_else(|| format!("http://{}", reachable(args.listen)));
    let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_millis(args.timeout_ms)).build()?;
    let answer = client.get(format!("{}/readyz", base.trim_end_matches('/'))).send().await?;
    if answer.status().is_success() {
        println!("ready");
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!("{base} is not ready: {}", answer.status()).into())
}

/// Where a server can be asked that listens on every address.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_asked_here() {
        let asked = |listen: &str| reachable(listen.parse().unwrap()).to_string();
        assert_eq!(asked("0.0.0.0:80"), "127.0.0.1:80");
        assert_eq!(asked("[::]:80"), "[::1]:80");
        assert_eq!(asked("192.0.2.1:80"), "192.0.2.1:80");
    }
}
