use actix_web::body::to_bytes;
use actix_web::middleware::from_fn;
use actix_web::test::{TestRequest, init_service, try_call_service};
use actix_web::{HttpResponse, web};
use fereta::api::middleware::frame::frame;
use serde_json::Value;

#[actix_web::test]
async fn a_handler_that_panics_is_answered_with_a_500() {
    async fn broken() -> HttpResponse {
        panic!("the cause, which is not told")
    }
    let app = actix_web::App::new().route("/v1/broken", web::get().to(broken)).wrap(from_fn(frame));
    let service = init_service(app).await;
    let error = try_call_service(&service, TestRequest::get().uri("/v1/broken").to_request()).await.unwrap_err();
    let answer = error.error_response();
    assert_eq!(answer.status(), 500);
    let id = answer.headers().get("x-request-id").unwrap().to_str().unwrap().to_owned();
    let body: Value = serde_json::from_slice(&to_bytes(answer.into_body()).await.unwrap()).unwrap();
    assert_eq!(body["instance"], format!("urn:uuid:{id}"));
    assert!(body.get("detail").is_none() && !body.to_string().contains("cause"));
}
