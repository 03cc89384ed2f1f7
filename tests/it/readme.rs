//! The README's game with curl, as it stands there.

use std::process::Stdio;

use tokio::process::Command;

use crate::support::Api;

#[tokio::test(flavor = "multi_thread")]
async fn the_game_with_curl_can_be_played() {
    let readme = include_str!("../../README.md");
    let script =
        readme.split("```sh\n").find(|block| block.starts_with("B=http")).unwrap().split("```").next().unwrap();
    let api = Api::start().await;
    let script = script.replace("http://127.0.0.1:8080", &api.base);
    let run = Command::new("bash").arg("-euo").arg("pipefail").arg("-c").arg(script).stdin(Stdio::null()).output();
    let output = run.await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.lines().count() > 20, "{text}");
    assert!(!text.contains("/problems/"), "{text}");
    assert!(text.contains("\"type\":\"battle_fought\""), "{text}");
}
