//! Refresh tokens: 256 bits that buy one new access token, and their own successor.
//!
//! Only a token's hash is stored. The successor is derived from the spent token under a key of the server, so that a client
//! that lost the answer and asks again gets the very same one, without the server having kept it. What is done with a spent
//! token is decided where it is spent (`store::tokens`), in one statement. Must never: store, log or print a token.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use super::keys::RefreshKey;

/// How long an unused token stays good, in days from its making (that is, from the last use of its line).
pub const LIFE_DAYS: i32 = 180;
/// For how long a spent token still buys its one successor, in seconds.
pub const RETRY_S: i32 = 30;

const MESSAGE: &[u8] = b"fereta/refresh/1/";

/// A refresh token, unhashed. Neither printed nor serialised by accident: [`RefreshToken::to_text`] says it out loud.
pub struct RefreshToken([u8; 32]);

/// SHA-256 of a refresh token: what the database knows of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefreshHash(pub [u8; 32]);

impl RefreshToken {
    /// The first token of a new family, from 32 bytes of the operating system's randomness.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads a token as clients send it: 43 characters of base64url. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 43 {
            return None;
        }
        let mut bytes = [0; 32];
        match URL_SAFE_NO_PAD.decode_slice(text, &mut bytes) {
            Ok(32) => Some(Self(bytes)),
            Ok(_) | Err(_) => None,
        }
    }

    /// The token as clients get it.
    pub fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// What is stored of it.
    pub fn hash(&self) -> RefreshHash {
        RefreshHash(Sha256::digest(self.0).into())
    }

    /// The one token that this one buys.
    pub fn successor(&self, key: &RefreshKey) -> Self {
        #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("HMAC takes a key of any length");
        mac.update(MESSAGE);
        mac.update(&self.0);
        Self(mac.finalize().into_bytes().into())
    }
}

impl std::fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RefreshToken(_)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_back_as_it_went() {
        let token = RefreshToken::from_random([0xAB; 32]);
        let again = RefreshToken::parse(&token.to_text()).expect("readable");
        assert_eq!(again.hash(), token.hash());
        assert_eq!(format!("{token:?}"), "RefreshToken(_)");
    }

    #[test]
    fn nothing_else_is_a_token() {
        let text = RefreshToken::from_random([0xAB; 32]).to_text();
        for bad in ["", "abc", &format!("{text}="), &format!(" {text}"), &text.replace('q', "+"), &"é".repeat(22)] {
            assert!(RefreshToken::parse(bad).is_none(), "{bad}");
        }
        // The last character carries two unused bits: only one spelling is the token.
        let other = format!("{}t", text.get(..42).expect("ASCII"));
        assert!(RefreshToken::parse(&other).is_none());
    }

    #[test]
    fn the_successor_is_always_the_same_and_the_servers_own() {
        let (here, there) = (RefreshKey::from_bytes([1; 32]), RefreshKey::from_bytes([2; 32]));
        let token = RefreshToken::from_random([3; 32]);
        assert_eq!(token.successor(&here).hash(), token.successor(&here).hash());
        assert_ne!(token.successor(&here).hash(), token.successor(&there).hash());
        assert_ne!(token.successor(&here).hash(), token.hash());
    }
}
