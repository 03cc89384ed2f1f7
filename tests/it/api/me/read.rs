use reqwest::Method;
use serde_json::Value;

use crate::support::Api;
use crate::support::api::problem;

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sees_himself() {
    let api = Api::start().await;
    let (taro, jiro) = (api.account("Taro").await, api.guest("Jiro").await);
    for session in [&taro, &jiro] {
        let answer = api.ask(session, Method::GET, "/v1/me", None).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["cache-control"], "private, no-cache");
        let me: Value = answer.json().await.unwrap();
        assert_eq!(me, session["account"]);
    }
    problem(api.get("/v1/me").await, "unauthorized").await;
}
