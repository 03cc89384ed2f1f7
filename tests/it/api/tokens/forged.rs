//! Tokens as attackers make them, sent to an operation that is really served; and keys that are rotated.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey as _;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};

use crate::support::api::problem;
use crate::support::process::Server;
use crate::support::{Api, Database};

/// The tests' servers sign with this key: `support::api::auth(1)`.
const SERVERS: [u8; 32] = [1; 32];

fn sign(key: [u8; 32], header: &Header, claims: &Value) -> String {
    let der = SigningKey::from_bytes(&key).to_pkcs8_der().unwrap();
    jsonwebtoken::encode(header, claims, &EncodingKey::from_ed_der(der.as_bytes())).unwrap()
}

fn part(token: &str, n: usize) -> Value {
    let part = token.split('.').nth(n).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_forgery_gets_in() {
    let api = Api::start().await;
    let taro = api.account("Taro").await;
    let token = taro["access_token"].as_str().unwrap();
    let (kid, claims) = (part(token, 0)["kid"].as_str().unwrap().to_owned(), part(token, 1));
    assert_eq!(part(token, 0), json!({"alg": "EdDSA", "typ": "JWT", "kid": kid}));
    let mut names: Vec<_> = claims.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["aud", "exp", "iat", "iss", "jti", "sub"]);
    let header = |change: &dyn Fn(&mut Header)| {
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(kid.clone());
        change(&mut header);
        header
    };
    let ask =
        async |token: &str| -> Response { api.request(Method::GET, "/v1/me").bearer_auth(token).send().await.unwrap() };
    let good = header(&|_| ());
    assert_eq!(ask(&sign(SERVERS, &good, &claims)).await.status(), 200, "the forger's template is good");

    let now = claims["iat"].as_i64().unwrap();
    let mut forged = Vec::new();
    for (claim, value) in [
        ("iss", json!("elsewhere")),
        ("aud", json!("elsewhere")),
        ("aud", json!(["fereta"])),
        ("exp", json!(now - 1)),
        ("exp", json!(null)),
        ("nbf", json!(now + 60)),
        ("iat", json!(now + 60)),
        ("sub", json!("Taro")),
        ("sub", json!("00000000-0000-7000-8000-000000000000")),
        ("jti", json!("00000000-0000-7000-8000-000000000000")),
        ("jti", json!("00000000000070008000000000000000.00000000000070008000000000000000")),
    ] {
        let mut claims = claims.clone();
        claims[claim] = value;
        forged.push(sign(SERVERS, &good, &claims));
    }
    for key in [[2; 32], [0; 32]] {
        let own = URL_SAFE_NO_PAD.encode(SigningKey::from_bytes(&key).verifying_key().as_bytes());
        forged.push(sign(key, &good, &claims));
        forged.push(sign(key, &header(&|header| header.kid = Some(own.clone())), &claims));
    }
    forged.push(sign(SERVERS, &header(&|header| header.kid = None), &claims));
    forged.push(sign(SERVERS, &header(&|header| header.kid = Some("token.pem".into())), &claims));
    forged.push(sign(SERVERS, &header(&|header| header.cty = Some("x".repeat(4_000))), &claims));
    let public = SigningKey::from_bytes(&SERVERS).verifying_key();
    let x = URL_SAFE_NO_PAD.encode(public.as_bytes());
    let mut symmetric = Header::new(Algorithm::HS256);
    symmetric.kid = Some(kid.clone());
    for secret in [public.as_bytes().as_slice(), x.as_bytes()] {
        forged.push(jsonwebtoken::encode(&symmetric, &claims, &EncodingKey::from_secret(secret).unwrap()).unwrap());
    }
    let parts: Vec<&str> = token.split('.').collect();
    for alg in ["none", "None", "NONE", ""] {
        let header = URL_SAFE_NO_PAD.encode(json!({"alg": alg, "typ": "JWT", "kid": kid}).to_string());
        forged.push(format!("{header}.{}.", parts[1]));
        forged.push(format!("{header}.{}.{}", parts[1], parts[2]));
    }
    for token in &forged {
        let answer = ask(token).await;
        assert!(answer.headers()["www-authenticate"].to_str().unwrap().contains("invalid_token"));
        problem(answer, "unauthorized").await;
    }
    assert_eq!(ask(token).await.status(), 200);
}

/// One's own account with another's device, as only a holder of the key could make it: not even then.
#[tokio::test(flavor = "multi_thread")]
async fn a_device_is_its_accounts_own() {
    let api = Api::start().await;
    let (taro, jiro) = (api.account("Taro").await, api.account("Jiro").await);
    let (of_taro, of_jiro) = (taro["access_token"].as_str().unwrap(), jiro["access_token"].as_str().unwrap());
    let mut header = Header::new(Algorithm::EdDSA);
    header.kid = part(of_taro, 0)["kid"].as_str().map(str::to_owned);
    let mut claims = part(of_taro, 1);
    claims["jti"] = part(of_jiro, 1)["jti"].clone();
    let mixed = json!({"access_token": sign(SERVERS, &header, &claims)});
    for path in ["/v1/me", "/v1/games"] {
        problem(api.ask(&mixed, Method::GET, path, None).await, "unauthorized").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_rotated_without_logging_anybody_out() {
    let database = Database::new().await;
    let pem = |key: u8| SigningKey::from_bytes(&[key; 32]).to_pkcs8_pem(LineEnding::LF).unwrap().to_string();
    let start = |signing: u8, other: Option<u8>| {
        let mut command = Server::command(&database);
        command.env("FERETA_TOKEN_KEY", pem(signing));
        if let Some(other) = other {
            command.env("FERETA_OTHER_TOKEN_KEY", pem(other));
        }
        Server::try_start(command).unwrap()
    };
    let client = Client::new();
    let me = async |server: &Server, session: &Value| -> Response {
        let token = session["access_token"].as_str().unwrap();
        client.get(server.url("/v1/me")).bearer_auth(token).send().await.unwrap()
    };
    let kids = async |server: &Server| -> Vec<String> {
        let set: Value = client.get(server.url("/.well-known/jwks.json")).send().await.unwrap().json().await.unwrap();
        set["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
    };
    let refresh = async |server: &Server, session: &Value| -> Value {
        let body = json!({"refresh_token": session["refresh_token"]});
        let answer = client.post(server.url("/v1/tokens/refresh")).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    };
    let (old, both, new) = (start(1, Some(2)), start(2, Some(1)), start(2, None));
    let guest = client.post(old.url("/v1/accounts/guest")).json(&json!({"name": "Taro"})).send().await.unwrap();
    let first: Value = guest.json().await.unwrap();
    let second = refresh(&both, &first).await;
    // Both servers know both keys, so both take both tokens; each lists the key that it signs with first.
    for server in [&old, &both] {
        for session in [&first, &second] {
            assert_eq!(me(server, session).await.status(), 200);
        }
    }
    let (listed_old, listed_both) = (kids(&old).await, kids(&both).await);
    assert_eq!(listed_old.iter().rev().collect::<Vec<_>>(), listed_both.iter().collect::<Vec<_>>());
    assert_eq!(part(first["access_token"].as_str().unwrap(), 0)["kid"], json!(listed_old[0]));
    assert_eq!(part(second["access_token"].as_str().unwrap(), 0)["kid"], json!(listed_both[0]));
    // Where the old key is gone, its tokens are too, but nobody is logged out.
    assert_eq!(kids(&new).await, listed_both[..1]);
    problem(me(&new, &first).await, "unauthorized").await;
    assert_eq!(me(&new, &second).await.status(), 200);
    let third = refresh(&new, &second).await;
    assert_eq!(me(&both, &third).await.status(), 200);
}
