use fereta::bots::{BOTS_VERSION, LEVELS};
use serde_json::{Value, json};

use crate::support::Api;

#[tokio::test(flavor = "multi_thread")]
async fn the_levels_are_told_to_everybody_with_the_pace_of_this_server() {
    let api = Api::with_bots(50).await;
    let answer = api.get("/v1/bots").await;
    assert_eq!(answer.status(), 200);
    assert!(answer.headers()["cache-control"].to_str().unwrap().contains("public"));
    let told: Value = answer.json().await.unwrap();
    assert_eq!(told["version"], BOTS_VERSION);
    let levels: Vec<_> = told["items"].as_array().unwrap().iter().map(|one| one["level"].clone()).collect();
    assert_eq!(levels, [json!("easy"), json!("normal"), json!("hard"), json!("expert")]);
    for (told, level) in told["items"].as_array().unwrap().iter().zip(&LEVELS) {
        assert_eq!(told["pace_s"].as_f64().unwrap(), f64::from(level.pace_ms) / 2_000.0);
        assert_eq!(told["strength"].as_f64().map(|share| share as f32), level.against_the_level_below);
        assert!(!told["description"].as_str().unwrap().is_empty());
    }
}
