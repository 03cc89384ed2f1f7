//! The documentation: its commands run, its links lead somewhere, and its settings are there.

use std::path::Path;
use std::process::Stdio;

use clap::CommandFactory as _;
use fereta::cli::Cli;
use tokio::process::Command;

use crate::support::{Api, Folder};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PAGES: &[&str] = &[
    "README.md",
    "README.ja.md",
    "CONTRIBUTING.md",
    "docs/play-by-curl.md",
    "docs/clients.md",
    "docs/operate.md",
    "docs/how-it-is-built.md",
    "docs/audit.md",
    "web/verify/README.md",
    "docs/events.md",
    "openapi/CHANGELOG.md",
];

fn page(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

/// What a page tells people to type.
fn commands(text: &str) -> Vec<&str> {
    text.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_can_be_played_by_curl() {
    let text = page("docs/play-by-curl.md");
    let api = Api::with_bots(0).await;
    let audit = page("docs/audit.md");
    let node = std::process::Command::new("node").arg("--version").output().is_ok();
    let audit = commands(&audit).concat();
    let lines = audit.lines().filter(|line| node || !line.starts_with("node"));
    let audit =
        lines.map(|line| line.replace("web/verify", &format!("{ROOT}/web/verify"))).collect::<Vec<_>>().join("\n");
    let script = commands(&text).join("\n").replace("http://127.0.0.1:8080", &api.base) + &audit;
    let folder = Folder::new();
    let own = Path::new(env!("CARGO_BIN_EXE_fereta")).parent().unwrap();
    let path = format!("{}:{}", own.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", &script]).stdin(Stdio::null()).current_dir(folder.path()).env("PATH", path);
    let output = bash.output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("the same answer, and one move") && said.contains("\"status\":\"ended\""), "{said}");
    let both = if node { 2 } else { 1 };
    // And once more with what the bots thought.
    assert_eq!(said.matches("consistent, not anchored").count(), both + 1, "{said}");
    assert_eq!(said.matches("anchored: ").count(), 2 * both + 1, "{said}");
    assert_eq!(said.matches("moves of bots: ").count(), 1, "{said}");
}

#[test]
fn links_lead_somewhere() {
    for path in PAGES {
        let text = page(path);
        let targets = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        for target in targets.filter(|target| !target.starts_with("http")) {
            let folder = Path::new(ROOT).join(path).parent().unwrap().to_owned();
            assert!(folder.join(target).exists(), "{path} leads to {target}");
        }
    }
}

#[test]
fn settings_that_are_named_exist() {
    let mut cli = Cli::command();
    cli.build();
    let arguments: Vec<_> = cli.get_subcommands().flat_map(clap::Command::get_arguments).collect();
    let variables: Vec<_> = arguments.iter().filter_map(|arg| arg.get_env()).map(|env| env.to_str().unwrap()).collect();
    for path in PAGES.iter().chain(&["docker-compose.yml", "Dockerfile"]) {
        let text = page(path);
        for word in text.split(|c: char| !c.is_ascii_uppercase() && c != '_').filter(|word| word.starts_with("FERETA_"))
        {
            assert!(variables.contains(&word), "{path} names {word}, which does not exist");
        }
    }
}

#[test]
fn the_japanese_readme_says_the_same() {
    let (english, japanese) = (page("README.md"), page("README.ja.md"));
    assert_eq!(commands(&english), commands(&japanese));
    let links = |text: &str| {
        let targets = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned());
        let mut targets: Vec<_> = targets.filter(|target| !target.starts_with("README")).collect();
        targets.sort();
        targets.dedup();
        targets
    };
    assert_eq!(links(&english), links(&japanese));
}

/// What the program is built from is all in the image's context, which leaves out what the build does not need.
#[test]
fn the_image_is_given_all_that_it_is_built_from() {
    let context = page(".dockerignore");
    let given: Vec<&str> = context.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let mut files = vec![Path::new(ROOT).join("src")];
    let mut embedded = vec!["migrations".to_owned()];
    while let Some(file) = files.pop() {
        if file.is_dir() {
            files.extend(std::fs::read_dir(file).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let names = text.split("include_str!(\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        for name in names {
            let target = file.parent().unwrap().join(name).canonicalize().unwrap();
            embedded.push(target.strip_prefix(ROOT).unwrap().to_str().unwrap().to_owned());
        }
    }
    for file in embedded {
        assert!(given.iter().any(|given| file == *given || file.starts_with(&format!("{given}/"))), "{file}");
    }
}
