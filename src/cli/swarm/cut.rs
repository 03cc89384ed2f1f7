//! Requests whose connection is cut before the answer is read, as on a bad network.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use super::wire::Ask;

/// When the connection is cut.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cut {
    /// After the whole request was sent, and this long after.
    AfterSending(Duration),
    /// In the middle of the request, which then must not be carried out.
    Midway,
}

/// Sends a request and hangs up. Whether anybody heard it is not known.
pub(super) async fn send_and_hang_up(authority: &str, ask: &Ask, cut: Cut) {
    let request = written(authority, ask);
    let Ok(mut connection) = TcpStream::connect(authority).await else { return };
    let _ = connection.set_nodelay(true);
    match cut {
        Cut::AfterSending(pause) => {
            let _ = connection.write_all(request.as_bytes()).await;
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
        }
        Cut::Midway => {
            let half = request.as_bytes().get(..request.len() - 10).unwrap_or_default();
            let _ = connection.write_all(half).await;
        }
    }
}

/// The request as it goes over the wire.
fn written(authority: &str, ask: &Ask) -> String {
    let body = ask.body.as_deref().unwrap_or_default();
    let mut text =
        format!("{} {} HTTP/1.1\r\nHost: {authority}\r\nContent-Length: {}\r\n", ask.method, ask.path, body.len());
    if let Some(token) = &ask.token {
        text.push_str(&format!("Authorization: Bearer {token}\r\n"));
    }
    if let Some(key) = &ask.key {
        text.push_str(&format!("Idempotency-Key: {key}\r\n"));
    }
    if ask.body.is_some() {
        text.push_str("Content-Type: application/json\r\n");
    }
    text.push_str("\r\n");
    text.push_str(body);
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_written_whole() {
        let ask = Ask::post("/v1/x", "/v1/x".into()).token("t").key("k").json(&json!({"a": 1}));
        let expected = "POST /v1/x HTTP/1.1\r\nHost: h:1\r\nContent-Length: 7\r\nAuthorization: Bearer t\r\n\
                        Idempotency-Key: k\r\nContent-Type: application/json\r\n\r\n{\"a\":1}";
        assert_eq!(written("h:1", &ask), expected);
    }
}
