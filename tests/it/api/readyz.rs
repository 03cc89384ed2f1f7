use crate::support::Api;
use crate::support::api::problem;

#[tokio::test(flavor = "multi_thread")]
async fn ready_with_the_right_schema_only_and_up_all_the_while() {
    let api = Api::start().await;
    assert_eq!(api.get("/readyz").await.status(), 204);
    api.database.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('99991231000000')").await.unwrap();
    problem(api.get("/readyz").await, "unavailable").await;
    assert_eq!(api.get("/healthz").await.status(), 204);
}
