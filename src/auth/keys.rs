//! The server's keys: Ed25519 for access tokens, a secret for deriving refresh tokens, and the proof key, which vouches for the
//! games' histories.
//!
//! All servers on one database share them, so a server with a database of its own makes them at its first start
//! ([`Keys::load_or_create`]) and one that was given a database only reads them ([`Keys::load`], [`Keys::from_texts`]).
//! Must never: print a key, overwrite a file, or start with a key that others could read or that it made up beside a
//! shared database.
//!
//! Rotation: put the new key beside the old one as the *other* key on every server, swap the two on every server, drop the
//! old one a quarter of an hour later. Both are accepted and published all the while.

use std::{
    fs, io,
    io::Write as _,
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ed25519_dalek::{
    SigningKey, VerifyingKey,
    pkcs8::{DecodePrivateKey as _, DecodePublicKey as _, EncodePrivateKey as _, spki::der::pem::LineEnding},
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jsonwebtoken::{DecodingKey, EncodingKey};
use sha2::{Digest as _, Sha256};

/// File name of the key that signs access tokens (PKCS#8 PEM).
pub const TOKEN_KEY_FILE: &str = "token.pem";
/// File name of the other accepted key, if there is one (PKCS#8 or public key PEM).
pub const OTHER_TOKEN_KEY_FILE: &str = "token-other.pem";
/// File name of the secret behind refresh tokens (64 hex digits).
pub const REFRESH_KEY_FILE: &str = "refresh.key";

/// File name of the proof key (PKCS#8 PEM).
pub const PROOF_KEY_FILE: &str = "proof.pem";

/// The keys of a server. `Debug` shows key ids only.
pub struct Keys {
    signing: EncodingKey,
    accepted: Vec<PublicKey>,
    refresh: RefreshKey,
    proof: SigningKey,
}

/// Keys as text, from the environment.
pub struct KeyTexts {
    /// The signing key, PKCS#8 PEM.
    pub token: String,
    /// The other accepted key, PKCS#8 or public key PEM.
    pub other_token: Option<String>,
    /// The refresh secret, 64 hex digits.
    pub refresh: String,
    /// The proof key, PKCS#8 PEM.
    pub proof: String,
}

/// 32 random bytes each, for the keys that have to be made.
pub struct NewKeys {
    /// Becomes the Ed25519 signing key.
    pub token: [u8; 32],
    /// Becomes the refresh secret.
    pub refresh: [u8; 32],
    /// Becomes the proof key.
    pub proof: [u8; 32],
}

/// The secret under which the successor of a refresh token is derived.
pub struct RefreshKey([u8; 32]);

/// A public key that access tokens are checked with.
pub(super) struct PublicKey {
    kid: String,
    x: String,
    pub(super) decoding: DecodingKey,
}

/// One key of a JWK set (RFC 7517, RFC 8037).
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct Jwk {
    /// Always `OKP`.
    pub kty: &'static str,
    /// Always `Ed25519`.
    pub crv: &'static str,
    /// The public key, base64url.
    pub x: String,
    /// RFC 7638 thumbprint of the key.
    pub kid: String,
    /// Always `EdDSA`.
    pub alg: &'static str,
    /// Always `sig`.
    #[serde(rename = "use")]
    pub usage: &'static str,
}

impl Keys {
    /// Reads the keys from texts.
    ///
    /// # Errors
    /// [`KeyError::Token`], [`KeyError::Refresh`] or [`KeyError::Proof`] for what is not a key, [`KeyError::OneForBoth`] for a token key
    /// that is the proof key, too.
    pub fn from_texts(texts: &KeyTexts) -> Result<Self, KeyError> {
        let signing = SigningKey::from_pkcs8_pem(texts.token.trim()).map_err(|_| KeyError::Token)?;
        let mut accepted = vec![PublicKey::new(&signing.verifying_key())?];
        if let Some(other) = &texts.other_token {
            let other = PublicKey::new(&parse_public(other.trim())?)?;
            if accepted.iter().all(|key| key.kid != other.kid) {
                accepted.push(other);
            }
        }
        let proof = parse_proof_key(&texts.proof)?;
        if proof == signing {
            return Err(KeyError::OneForBoth);
        }
        let der = signing.to_pkcs8_der().map_err(|_| KeyError::Token)?;
        Ok(Self {
            signing: EncodingKey::from_ed_der(der.as_bytes()),
            accepted,
            refresh: RefreshKey::parse(&texts.refresh)?,
            proof,
        })
    }

    /// Reads the keys from the files of a directory: `token.pem`, `refresh.key`, `proof.pem` and, if it is there,
    /// `token-other.pem`.
    ///
    /// # Errors
    /// [`KeyError::Read`] for a missing file, [`KeyError::Exposed`] for one that others may read.
    pub fn load(dir: &Path) -> Result<Self, KeyError> {
        let other = dir.join(OTHER_TOKEN_KEY_FILE);
        Self::from_texts(&KeyTexts {
            token: read_private(&dir.join(TOKEN_KEY_FILE))?,
            other_token: if other.exists() { Some(read_private(&other)?) } else { None },
            refresh: read_private(&dir.join(REFRESH_KEY_FILE))?,
            proof: read_private(&dir.join(PROOF_KEY_FILE))?,
        })
    }

    /// As [`Keys::load`], making the files that are not there yet from `fresh` (mode 0600; the directory 0700).
    ///
    /// Only for a server on a database of its own. Two that start at once agree: a file is never written twice.
    ///
    /// # Errors
    /// As [`Keys::load`]; [`KeyError::Write`] when a file cannot be made.
    pub fn load_or_create(dir: &Path, fresh: &NewKeys) -> Result<Self, KeyError> {
        fs::create_dir_all(dir).map_err(|source| KeyError::Write { path: dir.to_owned(), source })?;
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
            .map_err(|source| KeyError::Write { path: dir.to_owned(), source })?;
        for (file, secret) in [(TOKEN_KEY_FILE, &fresh.token), (PROOF_KEY_FILE, &fresh.proof)] {
            let pem = SigningKey::from_bytes(secret).to_pkcs8_pem(LineEnding::LF).map_err(|_| KeyError::Token)?;
            write_once(&dir.join(file), pem.as_bytes())?;
        }
        write_once(&dir.join(REFRESH_KEY_FILE), format!("{}\n", hex::encode(fresh.refresh)).as_bytes())?;
        Self::load(dir)
    }

    /// The accepted public keys as a JWK set's `keys`, the signing one first.
    pub fn jwks(&self) -> Vec<Jwk> {
        self.accepted.iter().map(PublicKey::jwk).collect()
    }

    /// The secret behind refresh tokens.
    pub fn refresh(&self) -> &RefreshKey {
        &self.refresh
    }

    /// What vouches for the games' histories (fairness F3).
    pub fn proof(&self) -> &SigningKey {
        &self.proof
    }

    pub(super) fn signing(&self) -> &EncodingKey {
        &self.signing
    }

    /// The id of the signing key.
    pub(super) fn signing_kid(&self) -> &str {
        self.accepted.first().map_or("", |key| &key.kid)
    }

    pub(super) fn accepted(&self, kid: &str) -> Option<&PublicKey> {
        self.accepted.iter().find(|key| key.kid == kid)
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.accepted.iter().map(|key| &key.kid)).finish()
    }
}

impl RefreshKey {
    /// A key of these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A key for another purpose, the same on all servers that share this one; neither tells anything of the other.
    pub(super) fn derive(&self, purpose: &str) -> [u8; 32] {
        #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    fn parse(text: &str) -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.trim(), &mut bytes).map_err(|_| KeyError::Refresh)?;
        Ok(Self(bytes))
    }
}

impl PublicKey {
    fn new(key: &VerifyingKey) -> Result<Self, KeyError> {
        let x = URL_SAFE_NO_PAD.encode(key.as_bytes());
        let kid = URL_SAFE_NO_PAD.encode(Sha256::digest(format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#)));
        let decoding = DecodingKey::from_ed_components(&x).map_err(|_| KeyError::Token)?;
        Ok(Self { kid, x, decoding })
    }

    fn jwk(&self) -> Jwk {
        Jwk { kty: "OKP", crv: "Ed25519", x: self.x.clone(), kid: self.kid.clone(), alg: "EdDSA", usage: "sig" }
    }
}

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The token key is not an Ed25519 key in PEM.
    #[error("the token key is not an Ed25519 key in PEM (PKCS#8)")]
    Token,
    /// The refresh secret is not 64 hex digits.
    #[error("the refresh key is not 64 hex digits")]
    Refresh,
    /// The proof key is not an Ed25519 key in PEM.
    #[error("the proof key is not an Ed25519 key in PEM (PKCS#8)")]
    Proof,
    /// What signs tokens must not vouch for histories.
    #[error("the token key and the proof key are the same: make another one")]
    OneForBoth,
    /// A key file could not be read.
    #[error("reading the key file {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A key file could not be made.
    #[error("making the key file {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A key file can be read by everybody on the machine.
    #[error("the key file {} can be read by everybody: chmod 600", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
    },
}

fn parse_public(pem: &str) -> Result<VerifyingKey, KeyError> {
    SigningKey::from_pkcs8_pem(pem)
        .map(|key| key.verifying_key())
        .or_else(|_| VerifyingKey::from_public_key_pem(pem))
        .map_err(|_| KeyError::Token)
}

/// Reads the proof key alone, from its file in the directory of the keys.
///
/// # Errors
/// As [`Keys::load`].
pub fn load_proof_key(dir: &Path) -> Result<SigningKey, KeyError> {
    parse_proof_key(&read_private(&dir.join(PROOF_KEY_FILE))?)
}

/// Reads the proof key from PKCS#8 PEM.
///
/// # Errors
/// [`KeyError::Proof`].
pub fn parse_proof_key(pem: &str) -> Result<SigningKey, KeyError> {
    SigningKey::from_pkcs8_pem(pem.trim()).map_err(|_| KeyError::Proof)
}

fn read_private(path: &Path) -> Result<String, KeyError> {
    let failed = |source| KeyError::Read { path: path.to_owned(), source };
    // Group-readable is how a container's secrets are mounted; readable by everybody is a mistake.
    if fs::metadata(path).map_err(failed)?.permissions().mode() & 0o007 != 0 {
        return Err(KeyError::Exposed { path: path.to_owned() });
    }
    fs::read_to_string(path).map_err(failed)
}

/// Makes the file whole or not at all, unless it is there already: written beside, then linked into place.
fn write_once(path: &Path, content: &[u8]) -> Result<(), KeyError> {
    if path.exists() {
        return Ok(());
    }
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let write = || {
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(content)?;
        file.sync_all()?;
        match fs::hard_link(&beside, path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            Ok(()) | Err(_) => fs::remove_file(&beside),
        }
    };
    write().map_err(|source| KeyError::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(byte: u8) -> NewKeys {
        NewKeys { token: [byte; 32], refresh: [byte + 1; 32], proof: [byte + 2; 32] }
    }

    fn dir(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("fereta-keys-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        dir
    }

    #[test]
    fn keys_are_made_once_and_private() {
        let dir = dir("once");
        let first = Keys::load_or_create(&dir, &fresh(1)).expect("made");
        let again = Keys::load_or_create(&dir, &fresh(9)).expect("read");
        assert_eq!(first.jwks(), again.jwks());
        assert_eq!(again.refresh().as_bytes(), &[2; 32]);
        for file in [TOKEN_KEY_FILE, REFRESH_KEY_FILE, PROOF_KEY_FILE] {
            let mode = fs::metadata(dir.join(file)).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(&dir).expect("there").count(), 3, "nothing is left behind");
        fs::set_permissions(dir.join(TOKEN_KEY_FILE), fs::Permissions::from_mode(0o644)).expect("set");
        assert!(matches!(Keys::load(&dir), Err(KeyError::Exposed { .. })));
        fs::remove_dir_all(dir).expect("removed");
    }

    #[test]
    fn no_key_is_no_start() {
        assert!(matches!(Keys::load(&dir("none")), Err(KeyError::Read { .. })));
        let pem = |byte| SigningKey::from_bytes(&[byte; 32]).to_pkcs8_pem(LineEnding::LF).expect("PEM").to_string();
        let keys = |token: &str, refresh: &str, proof: &str| {
            let (token, refresh, proof) = (token.to_owned(), refresh.to_owned(), proof.to_owned());
            Keys::from_texts(&KeyTexts { token, other_token: None, refresh, proof })
        };
        let refresh = "0".repeat(64);
        assert!(keys(&pem(1), &refresh, &pem(2)).is_ok());
        assert!(matches!(keys("secret", &refresh, &pem(2)), Err(KeyError::Token)));
        assert!(matches!(keys(&pem(1), "00", &pem(2)), Err(KeyError::Refresh)));
        assert!(matches!(keys(&pem(1), &refresh, "secret"), Err(KeyError::Proof)));
        assert!(matches!(keys(&pem(1), &refresh, &pem(1)), Err(KeyError::OneForBoth)));
    }

    /// RFC 8037, appendix A.2 and A.3.
    #[test]
    fn kid_is_the_thumbprint() {
        let secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
        let key = SigningKey::from_bytes(&hex::decode(secret).expect("hex").try_into().expect("32 bytes"));
        let jwk = PublicKey::new(&key.verifying_key()).expect("a key").jwk();
        assert_eq!(jwk.x, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
        assert_eq!(jwk.kid, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }
}
