//! What docs/operate.md tells operators to type, as it stands there, on a PostgreSQL that has never seen us.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::Folder;
use crate::support::process::program;

const PAGE: &str = include_str!("../../docs/operate.md");

/// The page's commands in order; the one that serves does so in the background, and what follows waits for it.
fn commands() -> String {
    let blocks = PAGE.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let typed = |block: &str| {
        if block.contains("fereta serve") {
            format!("{} & SERVER=$!\nready\n{PLAY}", block.trim_end())
        } else {
            block.to_owned()
        }
    };
    blocks.map(typed).collect::<Vec<_>>().join("\n")
}

/// What an operator's players do meanwhile.
const PLAY: &str = "play() { fereta swarm --url http://127.0.0.1:8080 --games 2 --rough --seed 3; }\nplay\n";

fn run(folder: &Folder, script: &str) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let _ = std::os::unix::fs::symlink(root.join("docs"), folder.path().join("docs"));
    let own = Path::new(env!("CARGO_BIN_EXE_fereta")).parent().unwrap();
    let path = format!("{}:{}", own.display(), std::env::var("PATH").unwrap());
    let mut command: Command = program();
    command.args(["with-postgres", "--throwaway", "--", "bash", "-euo", "pipefail", "-c", script]);
    command.current_dir(folder.path()).env("PATH", path).output().unwrap()
}

/// On free ports, and with the socket's directory as the machine that PostgreSQL is on.
fn script(after: &str) -> String {
    let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let before = "PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)\n\
                  DB=${FERETA_TEST_DATABASE_URL#*@}; DB=${DB%/*}\n\
                  ready() { for i in {1..100}; do fereta health 2>/dev/null && return; sleep 0.1; done; return 1; }\n\
                  trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n";
    let (api, metrics) = (free(), free());
    format!("export FERETA_LISTEN=127.0.0.1:8080\n{before}{}\n{after}", commands())
        .replace("127.0.0.1:8080", &api)
        .replace("127.0.0.1:9464", &metrics)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_operators_type_works_and_a_backup_brings_every_game_back() {
    let folder = Folder::new();
    let count = "SELECT count(*), md5(string_agg(line, '' ORDER BY game_id, seq)) FROM game_events";
    let output = run(
        &folder,
        &script(&format!(
            "kill $SERVER; wait $SERVER\n\
             echo \"before $(psql -Atc \"{count}\" fereta)\"; echo \"after $(psql -Atc \"{count}\" restored)\"\n\
             DATABASE_URL=${{DATABASE_URL%/*}}/restored fereta serve --keys-dir keys & ready; play\n\
             echo done $(psql -Atc 'SELECT count(*) FROM games' restored)\n\
             play & pg_dump --format=custom --file=busy.dump restored; wait $!\n\
             psql -qc 'CREATE DATABASE again OWNER fereta_owner' postgres\n\
             pg_restore --no-owner --exit-on-error --single-transaction --role=fereta_owner --dbname=again busy.dump\n\
             fereta migrate --database-url \"${{RESTORED%/*}}/again\" >/dev/null\n\
             fereta verify-store --database-url \"${{DATABASE_URL%/*}}/again\"\n"
        )),
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let line = |word: &str| said.lines().find_map(|line| line.strip_prefix(word)).unwrap_or_else(|| panic!("{said}"));
    assert_eq!(line("before "), line("after "));
    assert!(said.contains("fereta_games{") && said.matches("findings 0").count() == 3, "{said}");
    assert!(said.matches(" games, 0 with a fault").count() == 2, "{said}");
    assert!(line("done ").parse::<u32>().unwrap() >= 4, "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_key_logs_nobody_out() {
    let folder = Folder::new();
    let steps = PAGE.split("```sh\n").find(|block| block.starts_with("fereta keys")).unwrap();
    let mut steps = steps.split("```").next().unwrap().lines();
    let mut step = || steps.next().unwrap();
    let script = format!(
        "trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n\
         start() {{ fereta serve --keys-dir keys & SERVER=$!; for i in {{1..100}}; do fereta health 2>/dev/null && return; sleep 0.1; done; }}\n\
         stop() {{ kill $SERVER; wait $SERVER; }}\n\
         me() {{ curl -s -o /dev/null -w '%{{http_code}}\\n' http://$FERETA_LISTEN/v1/games -H \"Authorization: Bearer $1\"; }}\n\
         token() {{ curl -s http://$FERETA_LISTEN/v1/accounts/guest -H 'Content-Type: application/json' -d \"{{\\\"name\\\":\\\"$1\\\"}}\" | \
                    sed -E 's/.*\"access_token\":\"([^\"]+)\".*/\\1/'; }}\n\
         {setup}\n\
         start; OLD=$(token old); me $OLD; stop\n\
         {one}\nstart; me $OLD; stop\n\
         {two}\nstart; me $OLD; NEW=$(token new); me $NEW; stop\n\
         {three}\nstart; me $NEW; me $OLD; stop\n",
        setup = "psql -qc 'CREATE ROLE o LOGIN' -c 'CREATE ROLE s LOGIN' -c 'CREATE DATABASE d OWNER o' postgres\n\
                 DB=${FERETA_TEST_DATABASE_URL#*@}; DB=${DB%/*}\nexport DATABASE_URL=postgres://s@$DB/d\n\
                 fereta migrate --database-url postgres://o@$DB/d --serving-role s >/dev/null; fereta keys --keys-dir keys >/dev/null",
        one = step(),
        two = step(),
        three = step(),
    );
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let output = run(&folder, &format!("export FERETA_LISTEN={free}\n{script}"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let codes: Vec<&str> = said.lines().filter(|line| line.len() == 3).collect();
    assert_eq!(codes, ["200", "200", "200", "200", "200", "401"], "{said}");
}
