//! The OpenAPI document, made from the code, and the pages that show it.
//!
//! Must never: hold a path or a schema that the code does not have. `openapi/openapi.json` is a copy that a test compares.

use actix_web::{
    HttpResponse, get,
    http::header,
    middleware::DefaultHeaders,
    web::{self, Bytes, Data},
};
use std::collections::BTreeMap;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        Content, Ref, RefOr, Response, ResponseBuilder, Schema,
        example::Example,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};
use utoipa_actix_web::AppExt as _;
use utoipa_swagger_ui::{Config, SwaggerUi};

mod examples;
mod finish;

use super::{
    problem::{MEDIA_TYPE, ProblemBody, ProblemType},
    routes,
};

/// The document as text: pretty, and the same for the same code.
pub fn document() -> String {
    let mut text = serde_json::to_string_pretty(&api()).unwrap_or_default();
    text.push('\n');
    text
}

/// The document's bytes, made once.
pub(super) struct Document(Bytes);

impl Document {
    pub(super) fn of(api: &utoipa::openapi::OpenApi) -> Self {
        Self(Bytes::from(serde_json::to_vec(api).unwrap_or_default()))
    }
}

/// The document.
pub(super) fn api() -> utoipa::openapi::OpenApi {
    let described = actix_web::App::new().into_utoipa_app().openapi(Base::openapi()).configure(routes);
    let mut document = described.split_for_parts().1;
    finish::finish(&mut document);
    document
}

/// Swagger UI under /docs, from files inside this program.
pub(super) fn docs() -> impl actix_web::dev::HttpServiceFactory + 'static {
    // What these pages may load: what this server has, and the styles and pictures that are in them.
    let policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
    let config = Config::new(["/v1/openapi.json"]).validator_url("none").deep_linking(true);
    web::scope("")
        .wrap(DefaultHeaders::new().add((header::CONTENT_SECURITY_POLICY, policy)))
        .service(SwaggerUi::new("/docs/{_:.*}").config(config))
}

/// This document.
#[utoipa::path(tag = "server", responses((status = 200, description = "OpenAPI 3.1.", body = Object)))]
#[get("/v1/openapi.json")]
pub(crate) async fn read_openapi(document: Data<Document>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=60"))
        .content_type("application/json")
        .body(document.0.clone())
}

/// `problems!(Name: Malformed, …)`: a type `Name` for an operation's `responses(…)`, with these problems.
macro_rules! problems {
    ($name:ident: $($kind:ident),+ $(,)?) => {
        /// The problems of this operation.
        struct $name;

        impl utoipa::IntoResponses for $name {
            fn responses() -> std::collections::BTreeMap<String, utoipa::openapi::RefOr<utoipa::openapi::Response>> {
                $crate::api::openapi::problem_responses(&[$($crate::api::problem::ProblemType::$kind),+])
            }
        }
    };
}
pub(crate) use problems;

/// One response per status, which names the problems that have it. `finish` adds those that every operation has.
pub(crate) fn problem_responses(kinds: &[ProblemType]) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<String, Vec<ProblemType>> = BTreeMap::new();
    for kind in kinds {
        by_status.entry(kind.status().to_string()).or_default().push(*kind);
    }
    by_status.into_iter().map(|(status, kinds)| (status, RefOr::T(problem_response(&kinds)))).collect()
}

/// The response of a status that stands for these problems, each with its example.
fn problem_response(kinds: &[ProblemType]) -> Response {
    let told: Vec<String> = kinds.iter().map(|kind| format!("`{}`: {}.", kind.slug(), kind.title())).collect();
    let example = |kind: &ProblemType| {
        let slug = kind.slug().to_owned();
        (slug.clone(), RefOr::<Example>::Ref(Ref::new(format!("#/components/examples/{slug}"))))
    };
    let mut content = Content::new(Some(RefOr::<Schema>::Ref(Ref::from_schema_name("Problem"))));
    content.examples = kinds.iter().map(example).collect();
    ResponseBuilder::new().description(told.join(" ")).content(MEDIA_TYPE, content).build()
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "fereta",
        description = "フェレータ (Verräter) as a play-by-web game.\n\nField names are snake_case, times RFC 3339 UTC (`…_at`), \
            durations in seconds (`…_s`), ids UUIDs. Request bodies and query strings are closed: what is not known is \
            refused, by its path. Answers are open: ignore what you do not know, fields may be added. Everything that is \
            refused or fails is an RFC 9457 problem with a documented `type`. Every answer carries `X-Request-Id` \
            (yours, if it is a UUID in its usual form with hyphens). Both but for what cannot be read as an HTTP request at \
            all (a malformed request line or header, no `Host`, a bad `Content-Length`, a head that is too large or does \
            not come): that gets an empty 400, 431 or 408, and the connection ends. An address has one spelling: with \
            percent-encoded characters in its path it is not found. `RateLimit-Policy` and `RateLimit` \
            (draft-ietf-httpapi-ratelimit-headers) tell how often you may ask and how often you still may."
    ),
    components(schemas(ProblemBody)),
    modifiers(&Bearer),
    tags(
        (name = "accounts", description = "Who plays."),
        (name = "me", description = "One's own account."),
        (name = "tokens", description = "How an account shows who it is."),
        (name = "games", description = "Tables: set up, listed, looked at, started; and their history."),
        (name = "invites", description = "Codes that let others in at a private table."),
        (name = "seats", description = "Sitting down and getting up again."),
        (name = "bots", description = "Opponents that the server plays."),
        (name = "moves", description = "What can be done now, and doing it."),
        (name = "audit", description = "What a history can be proved and checked with."),
        (name = "server", description = "The server itself: health, keys, documentation.")
    )
)]
struct Base;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("JWT")
            .description(Some("The `access_token` of a session, in the header Authorization and nowhere else."))
            .build();
        openapi.components.get_or_insert_default().add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}
