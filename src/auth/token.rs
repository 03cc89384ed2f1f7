//! Access tokens: JWT signed with Ed25519, good for a quarter of an hour.
//!
//! A token says which account its bearer is and on which device, nothing else; whether both still stand is read with the
//! request's first statement, on every server, so a log-out is felt at once and nothing here has to be told of it. The device
//! is the first half of `jti`, which names the token (`<device>.<token>`): no claim is needed for it that others do not
//! know. Checking a signature costs a third of a move, so tokens that were found good are remembered, by hash and
//! within bounds, until they expire. Must never: accept an algorithm or a key because the token names it, hold a name, or
//! read the clock (the caller says what time it is).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, Header, Validation};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::keys::Keys;
use crate::ids::{AccountId, Bearer, DeviceId};

/// How long an access token is good, in seconds.
pub const LIFE_S: i64 = 900;
/// The longest token that is looked at, in bytes; ours have about 500.
pub const MAX_BYTES: usize = 2_048;
/// By how much the clocks of servers on one database may differ, in seconds: for `iat` and `nbf`, never for `exp`.
const CLOCK_SKEW_S: i64 = 5;
/// Remembered tokens per generation; two generations are kept, of about 100 bytes a token.
const REMEMBERED: usize = 50_000;

/// Makes and checks access tokens.
pub struct Tokens {
    keys: Arc<Keys>,
    issuer: String,
    audience: String,
    remembered: Mutex<Remembered>,
}

/// What a good token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Good {
    /// Who bears it.
    pub bearer: Bearer,
    /// When the token ends, seconds of the epoch.
    pub expires: i64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: Uuid,
    jti: String,
    iat: i64,
    exp: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
}

impl Tokens {
    /// Tokens of `issuer` (this service's name) for `audience` (who is to accept them).
    pub fn new(keys: Arc<Keys>, issuer: impl Into<String>, audience: impl Into<String>) -> Self {
        Self { keys, issuer: issuer.into(), audience: audience.into(), remembered: Mutex::new(Remembered::default()) }
    }

    /// A token for `account` on `device`, good for [`LIFE_S`] from `now`. `id` is a new UUID.
    ///
    /// # Errors
    /// [`TokenError::Signing`] is a bug.
    pub fn issue(
        &self,
        account: AccountId,
        device: DeviceId,
        id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<String, TokenError> {
        let iat = now.timestamp();
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: self.audience.clone(),
            sub: account.uuid(),
            jti: format!("{}.{}", device.uuid().simple(), id.simple()),
            iat,
            exp: iat + LIFE_S,
            nbf: None,
        };
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(self.keys.signing_kid().to_owned());
        jsonwebtoken::encode(&header, &claims, self.keys.signing()).map_err(|_| TokenError::Signing)
    }

    /// Who bears `token` at `now`.
    ///
    /// # Errors
    /// [`TokenError::Expired`] for a token of ours that has ended, [`TokenError::Invalid`] for everything else that is no
    /// good.
    pub fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Good, TokenError> {
        if token.len() > MAX_BYTES {
            return Err(TokenError::Invalid);
        }
        let now = now.timestamp();
        let hash: [u8; 32] = Sha256::digest(token).into();
        let remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner).find(&hash);
        if let Some(good) = remembered {
            return if now < good.expires { Ok(good) } else { Err(TokenError::Expired) };
        }
        let good = self.check(token, now)?;
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).keep(hash, good);
        Ok(good)
    }

    fn check(&self, token: &str, now: i64) -> Result<Good, TokenError> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Invalid)?;
        // `crit` names extensions that must be understood (RFC 7515, 4.1.11); none is.
        if header.alg != Algorithm::EdDSA || header.crit.is_some() {
            return Err(TokenError::Invalid);
        }
        let key = header.kid.as_deref().and_then(|kid| self.keys.accepted(kid)).ok_or(TokenError::Invalid)?;
        let data = jsonwebtoken::decode::<Claims>(token, &key.decoding, &signature_only());
        let claims = data.map_err(|_| TokenError::Invalid)?.claims;
        let begun = now + CLOCK_SKEW_S;
        if claims.iss != self.issuer
            || claims.aud != self.audience
            || claims.iat > begun
            || claims.nbf.is_some_and(|nbf| nbf > begun)
        {
            return Err(TokenError::Invalid);
        }
        if claims.exp <= now {
            return Err(TokenError::Expired);
        }
        let device = device_of(&claims.jti).ok_or(TokenError::Invalid)?;
        let bearer = Bearer { account: AccountId::from(claims.sub), device: Some(device) };
        Ok(Good { bearer, expires: claims.exp })
    }
}

/// Why a token is no good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Ours, and ended: get a new one with the refresh token.
    #[error("the access token has expired")]
    Expired,
    /// Not a token of ours, or not for now, or not for here.
    #[error("the access token is not valid here")]
    Invalid,
    /// The token could not be signed.
    #[error("signing an access token")]
    Signing,
}

/// The device that a `jti` of ours names.
fn device_of(jti: &str) -> Option<DeviceId> {
    let (device, id) = jti.split_once('.')?;
    Uuid::try_parse(id).ok()?;
    Uuid::try_parse(device).ok().map(DeviceId::from)
}

/// The claims are checked above, against a time that is a value; the library checks algorithm and signature.
fn signature_only() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation.validate_aud = false;
    validation
}

/// Good tokens in two generations: when the young one is full it becomes the old one, and the old one is forgotten. So the
/// bound holds and no request ever pays for a sweep.
#[derive(Default)]
struct Remembered {
    young: HashMap<[u8; 32], Good>,
    old: HashMap<[u8; 32], Good>,
}

impl Remembered {
    fn find(&mut self, hash: &[u8; 32]) -> Option<Good> {
        if let Some(good) = self.young.get(hash) {
            return Some(*good);
        }
        let good = self.old.remove(hash)?;
        self.keep(*hash, good);
        Some(good)
    }

    fn keep(&mut self, hash: [u8; 32], good: Good) {
        if self.young.len() >= REMEMBERED {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(hash, good);
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use chrono::TimeDelta;
    use ed25519_dalek::{
        SigningKey,
        pkcs8::{EncodePrivateKey as _, spki::der::pem::LineEnding},
    };
    use jsonwebtoken::EncodingKey;
    use serde_json::{Value, json};

    use super::*;
    use crate::auth::keys::KeyTexts;

    const NOW: DateTime<Utc> = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");

    fn pem(byte: u8) -> String {
        SigningKey::from_bytes(&[byte; 32]).to_pkcs8_pem(LineEnding::LF).expect("PEM").to_string()
    }

    fn keys(signing: u8, other: Option<u8>) -> Arc<Keys> {
        let texts =
            KeyTexts { token: pem(signing), other_token: other.map(pem), refresh: "00".repeat(32), proof: pem(250) };
        Arc::new(Keys::from_texts(&texts).expect("keys"))
    }

    fn tokens(signing: u8, other: Option<u8>) -> Tokens {
        Tokens::new(keys(signing, other), "fereta", "fereta")
    }

    fn account() -> AccountId {
        AccountId::from(Uuid::from_u128(7))
    }

    fn device() -> DeviceId {
        DeviceId::from(Uuid::from_u128(9))
    }

    fn issue(tokens: &Tokens) -> String {
        tokens.issue(account(), device(), Uuid::from_u128(8), NOW).expect("issued")
    }

    /// A token with claims and header as a forger would like them, signed with key 1.
    fn forged(change: impl FnOnce(&mut Header, &mut Value)) -> String {
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(keys(1, None).signing_kid().to_owned());
        let now = NOW.timestamp();
        let mut claims = json!({"iss": "fereta", "aud": "fereta", "sub": Uuid::from_u128(7), "jti": format!("{}.{}", Uuid::from_u128(9), Uuid::from_u128(8)),
            "iat": now, "exp": now + 60});
        change(&mut header, &mut claims);
        let der = SigningKey::from_bytes(&[1; 32]).to_pkcs8_der().expect("DER");
        jsonwebtoken::encode(&header, &claims, &EncodingKey::from_ed_der(der.as_bytes())).expect("signed")
    }

    fn verdict(token: &str) -> Result<AccountId, TokenError> {
        tokens(1, None).verify(token, NOW).map(|good| good.bearer.account)
    }

    #[test]
    fn a_token_is_good_for_a_quarter_of_an_hour() {
        let tokens = tokens(1, None);
        let token = issue(&tokens);
        assert!(token.is_ascii() && token.len() < 512, "{}", token.len());
        for (after_s, verdict) in [(0, Ok(())), (899, Ok(())), (900, Err(TokenError::Expired))] {
            let at = NOW + TimeDelta::seconds(after_s);
            let bearer = Bearer { account: account(), device: Some(device()) };
            assert_eq!(tokens.verify(&token, at).map(|good| assert_eq!(good.bearer, bearer)), verdict);
            assert_eq!(self::tokens(1, None).verify(&token, at).map(|_| ()), verdict, "unremembered");
        }
    }

    #[test]
    fn the_forgers_template_is_good_unless_changed() {
        assert_eq!(verdict(&forged(|_, _| ())), Ok(account()));
    }

    #[test]
    fn claims_are_checked() {
        let now = NOW.timestamp();
        let refused: [(&str, Value); 14] = [
            ("iss", json!("elsewhere")),
            ("iss", json!(["fereta"])),
            ("iss", Value::Null),
            ("aud", json!("elsewhere")),
            ("aud", json!(["fereta", "elsewhere"])),
            ("sub", json!("Taro")),
            ("jti", Value::Null),
            ("jti", json!(Uuid::from_u128(8))),
            ("jti", json!(format!(".{}", Uuid::from_u128(8)))),
            ("iat", json!(now + 60)),
            ("nbf", json!(now + 60)),
            ("exp", Value::Null),
            ("exp", json!("never")),
            ("exp", json!(1e300)),
        ];
        for (claim, value) in refused {
            let token = forged(|_, claims| claims[claim] = value.clone());
            assert_eq!(verdict(&token), Err(TokenError::Invalid), "{claim} {value}");
        }
        assert_eq!(verdict(&forged(|_, claims| claims["exp"] = json!(now))), Err(TokenError::Expired));
        assert_eq!(verdict(&forged(|_, claims| claims["nbf"] = json!(now))), Ok(account()));
    }

    #[test]
    fn the_header_decides_nothing() {
        assert_eq!(verdict(&forged(|header, _| header.kid = None)), Err(TokenError::Invalid));
        assert_eq!(
            verdict(&forged(|header, _| header.kid = Some("../../etc/passwd".into()))),
            Err(TokenError::Invalid)
        );
        assert_eq!(verdict(&forged(|header, _| header.crit = Some(vec!["b64".into()]))), Err(TokenError::Invalid));
        let jwk = jsonwebtoken::jwk::Jwk::from_encoding_key(
            &EncodingKey::from_ed_der(SigningKey::from_bytes(&[6; 32]).to_pkcs8_der().expect("DER").as_bytes()),
            Algorithm::EdDSA,
        );
        if let Ok(jwk) = jwk {
            // Signed with the true key, so only the header is odd: the key that it brings along is not used.
            assert_eq!(verdict(&forged(|header, _| header.jwk = Some(jwk))), Ok(account()));
        }
    }

    #[test]
    fn only_eddsa_with_our_key_is_accepted() {
        let good = forged(|_, _| ());
        let parts: Vec<&str> = good.split('.').collect();
        let kid = keys(1, None).signing_kid().to_owned();
        let none = URL_SAFE_NO_PAD.encode(json!({"alg": "none", "kid": kid}).to_string());
        for token in [format!("{none}.{}.", parts[1]), format!("{none}.{}.{}", parts[1], parts[2])] {
            assert_eq!(verdict(&token), Err(TokenError::Invalid), "alg none");
        }
        let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(parts[1]).expect("base64")).expect("JSON");
        let mut header = Header::new(Algorithm::HS256);
        header.kid = Some(kid);
        let public = SigningKey::from_bytes(&[1; 32]).verifying_key();
        let x = URL_SAFE_NO_PAD.encode(public.as_bytes());
        for secret in [public.as_bytes().as_slice(), x.as_bytes()] {
            let key = EncodingKey::from_secret(secret).expect("a secret");
            let token = jsonwebtoken::encode(&header, &claims, &key).expect("signed");
            assert_eq!(verdict(&token), Err(TokenError::Invalid), "HS256 with the public key");
        }
        let foreign = issue(&tokens(2, None));
        assert_eq!(verdict(&foreign), Err(TokenError::Invalid), "another server's key");
        let foreign: Vec<&str> = foreign.split('.').collect();
        let mixed = format!("{}.{}.{}", parts[0], foreign[1], foreign[2]);
        assert_eq!(verdict(&mixed), Err(TokenError::Invalid), "our kid, another's signature");
    }

    #[test]
    fn rubbish_is_refused_whatever_its_size() {
        let good = forged(|_, _| ());
        let signature_cut = good.get(..good.len() - 4).expect("ASCII");
        let oversized = forged(|header, _| header.cty = Some("x".repeat(MAX_BYTES)));
        for token in ["", ".", "..", "...", "a.b.c", "花.子.!", signature_cut, &oversized, &format!("{good}.{good}")]
        {
            assert_eq!(verdict(token), Err(TokenError::Invalid), "{token}");
        }
    }

    #[test]
    fn two_keys_are_good_while_they_rotate() {
        let token = issue(&tokens(1, None));
        assert_eq!(tokens(2, Some(1)).verify(&token, NOW).map(|good| good.bearer.account), Ok(account()));
        assert_eq!(keys(2, Some(1)).jwks().len(), 2);
        assert_eq!(tokens(2, None).verify(&token, NOW), Err(TokenError::Invalid));
    }

    #[test]
    fn memory_is_bounded_and_keeps_what_is_used() {
        let mut remembered = Remembered::default();
        let good = Good { bearer: account().into(), expires: 0 };
        let hash = |n: usize| {
            let mut hash = [0; 32];
            hash[..8].copy_from_slice(&n.to_be_bytes());
            hash
        };
        for n in 0..3 * REMEMBERED {
            remembered.keep(hash(n), good);
            assert!(remembered.find(&hash(0)).is_some(), "in use all the time");
        }
        assert!(remembered.young.len() + remembered.old.len() <= 2 * REMEMBERED + 1);
        assert!(remembered.find(&hash(1)).is_none(), "long unused");
    }
}
