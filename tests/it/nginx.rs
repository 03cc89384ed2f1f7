//! Behind nginx, set up as docs/operate.md says, nothing is different for a client: headers, refusals, and whole games over a
//! bad network, whoever compresses.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::json;

use crate::support::process::program;
use crate::support::{Database, Folder, Player, Server};

/// As Debian ships it.
const GZIP: &str = "gzip on;";
/// What Debian ships as comments, and the server is kept from compressing.
const GZIP_ALL: &str = "gzip on; gzip_vary on; gzip_proxied any; gzip_comp_level 6; gzip_buffers 16 8k; \
    gzip_http_version 1.1; gzip_types text/plain application/json application/problem+json;";

struct Nginx {
    child: Child,
    base: String,
    _folder: Folder,
}

impl Nginx {
    /// In front of that server; None if nginx is not installed here, which continuous integration does not let pass.
    fn start(server: &Server, gzip: &str) -> Option<Self> {
        let program =
            ["/usr/sbin/nginx", "/usr/bin/nginx"].into_iter().find(|path| std::path::Path::new(path).exists());
        let Some(program) = program else {
            assert!(std::env::var_os("CI").is_none(), "nginx is missing");
            eprintln!("nginx is not installed, so this is not tested");
            return None;
        };
        let page = include_str!("../../docs/operate.md");
        let example = page.split("```nginx\n").nth(1).unwrap().split("```").next().unwrap();
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let example = example.replace("127.0.0.1:8080", server.base().trim_start_matches("http://"));
        let example = example.replace("443 ssl http2", &address);
        let mut example: String =
            example.lines().filter(|line| !line.contains("ssl_")).map(|line| format!("{line}\n")).collect();
        if gzip == GZIP_ALL {
            example = example
                .replace("proxy_set_header Host", "proxy_set_header Accept-Encoding \"\"; proxy_set_header Host");
        }
        assert!(example.contains(&address), "{example}");
        let folder = Folder::new();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {}/{kind};\n", folder.path().display()))
            .concat();
        let text = format!(
            "daemon off; master_process off; pid {folder}/pid; error_log stderr warn;\nevents {{}}\n\
             http {{\naccess_log off; sendfile on; tcp_nopush on; types_hash_max_size 2048;\n{temporary}{gzip}\n{example}\n}}\n",
            folder = folder.path().display()
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, text).unwrap();
        let child = Command::new(program).arg("-c").arg(&file).stdin(Stdio::null()).spawn().unwrap();
        Some(Self { child, base: format!("http://{address}"), _folder: folder })
    }

    async fn wait(&self) {
        for _ in 0..100 {
            if reqwest::get(format!("{}/healthz", self.base)).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("nginx does not answer");
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn play_behind(gzip: &str) {
    let database = Database::new().await;
    let server = Server::start(&database);
    let Some(nginx) = Nginx::start(&server, gzip) else { return };
    nginx.wait().await;
    same_answers(&nginx.base, &server.base()).await;
    let swarm = ["swarm", "--url", &nginx.base, "--rough", "--seed", "7", "--games", "2"];
    let output = program().args(swarm).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("findings 0"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(database.count("games WHERE status = 'ended'").await, 2);
}

/// Headers and bodies through nginx are those of the server itself.
async fn same_answers(through: &str, direct: &str) {
    let client = Client::builder().no_gzip().build().unwrap();
    let player = Player::guest(through).await;
    let game = player.new_game(&json!({"players": 3})).await;
    let paths = ["/v1/openapi.json".to_owned(), format!("/v1/games/{game}"), "/v1/nothing".into(), "/problems".into()];
    for (method, path) in [Method::GET, Method::HEAD, Method::DELETE, Method::OPTIONS]
        .iter()
        .flat_map(|method| paths.iter().map(move |path| (method, path)))
    {
        let ask = async |base: &str, encoding: &str| {
            let request = client.request(method.clone(), format!("{base}{path}")).bearer_auth(&player.token);
            let request = request.header("X-Request-Id", "01234567-89ab-7def-8123-456789abcdef");
            request.header("Accept-Encoding", encoding).send().await.unwrap()
        };
        let (one, other) = (ask(through, "identity").await, ask(direct, "identity").await);
        assert_eq!(one.status(), other.status(), "{method} {path}");
        for (name, value) in
            other.headers().iter().filter(|(name, _)| !["date", "connection", "ratelimit"].contains(&name.as_str()))
        {
            assert!(one.headers().get_all(name).iter().any(|told| told == value), "{method} {path}: {name}: {value:?}");
        }
        if let Some(etag) = other.headers().get("etag").filter(|_| method == Method::GET) {
            let unchanged =
                client.get(format!("{through}{path}")).bearer_auth(&player.token).header("If-None-Match", etag);
            assert_eq!(unchanged.send().await.unwrap().status(), 304, "{path}");
        }
        assert_eq!(one.bytes().await.unwrap(), other.bytes().await.unwrap(), "{method} {path}");
    }
    let packed =
        client.get(format!("{through}/v1/openapi.json")).header("Accept-Encoding", "gzip").send().await.unwrap();
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    let packed = packed.bytes().await.unwrap();
    let unpacked = reqwest::get(format!("{through}/v1/openapi.json")).await.unwrap().bytes().await.unwrap();
    assert!(packed.len() * 3 < unpacked.len() && unpacked.starts_with(b"{"));
}

#[tokio::test(flavor = "multi_thread")]
async fn games_behind_nginx_as_debian_ships_it() {
    play_behind(GZIP).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_behind_an_nginx_that_compresses_everything() {
    play_behind(GZIP_ALL).await;
}
