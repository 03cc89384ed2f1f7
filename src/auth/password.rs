//! Passwords: hashed with argon2id, off the async threads, few at once.
//!
//! Must never: keep, log or print a password; take less time for a name that nobody has; hash on a thread that serves
//! requests. Not taken: a pepper (one more key to lose, for little against whoever has the machine).

use std::{
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::{Error as HashError, phc},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use unicode_normalization::UnicodeNormalization;

/// The fewest characters (code points) of a password.
pub const MIN_CHARACTERS: usize = 8;
/// The most characters (code points) of a password.
pub const MAX_CHARACTERS: usize = 128;

const PATIENCE: Duration = Duration::from_secs(5);

/// A password of acceptable length, as somebody typed it. Neither printed nor serialised.
pub struct Password(String);

impl Password {
    /// Accepts `text`. It is put into NFC, as keyboards differ in how they compose what looks the same.
    ///
    /// # Errors
    /// [`PasswordError::Length`] when it has fewer than 8 or more than 128 characters.
    pub fn parse(text: &str) -> Result<Self, PasswordError> {
        let length = text.chars().take(MAX_CHARACTERS + 1).count();
        if (MIN_CHARACTERS..=MAX_CHARACTERS).contains(&length) {
            Ok(Self(text.nfc().collect()))
        } else {
            Err(PasswordError::Length)
        }
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(_)")
    }
}

/// Hashes and checks passwords, a few at once, on threads of its own: a hash fills 19 MiB, which each
/// thread keeps for the next one. Given back and asked for again, the allocator would come to keep several of them for each thread.
#[derive(Clone)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    threads: mpsc::Sender<Job>,
    /// How long a request waits for its turn before it is told to come back.
    patience: Duration,
    /// The hash that is checked for a name that nobody has.
    nobody: Arc<str>,
}

impl Passwords {
    /// With `at_once` threads at most (each takes 19 MiB once it has worked).
    ///
    /// # Errors
    /// [`PasswordError::Hash`] when argon2 does not work here at all.
    pub fn new(at_once: usize) -> Result<Self, PasswordError> {
        let nobody = Memory::default().hash(&Password(String::from("the password of nobody")), &[0; 16])?;
        let at_once = at_once.max(1);
        let turns = Arc::new(Semaphore::new(at_once));
        Ok(Self { turns, threads: start_threads(at_once), patience: PATIENCE, nobody: nobody.into() })
    }

    /// The password's hash as a PHC string (`$argon2id$v=19$…`), with this salt.
    ///
    /// # Errors
    /// [`PasswordError::Busy`] when no turn came in time; [`PasswordError::Hash`] and [`PasswordError::Stopped`] are
    /// bugs.
    pub async fn hash(&self, password: Password, salt: [u8; 16]) -> Result<String, PasswordError> {
        self.in_turn(move |memory| memory.hash(&password, &salt)).await
    }

    /// Whether `password` is the one behind `stored`. Without a stored hash it takes the same time, and is not.
    ///
    /// # Errors
    /// As [`Passwords::hash`]; also [`PasswordError::Hash`] for a stored hash that cannot be read.
    pub async fn verify(&self, password: Password, stored: Option<String>) -> Result<bool, PasswordError> {
        let nobody = Arc::clone(&self.nobody);
        self.in_turn(move |memory| match stored {
            Some(stored) => memory.verify(&password, &stored),
            None => memory.verify(&password, &nobody).map(|_| false),
        })
        .await
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let turn: OwnedSemaphorePermit = tokio::time::timeout(self.patience, Arc::clone(&self.turns).acquire_owned())
            .await
            .map_err(|_| PasswordError::Busy)?
            .map_err(|_| PasswordError::Stopped)?;
        // The turn goes with the work: a caller who hangs up does not make room for one thread too many.
        let (answer, done) = oneshot::channel();
        let job = move |memory: &mut Memory| {
            // Nobody waits any more for the answer of a request that was given up.
            let _ = answer.send(work(memory));
            drop(turn);
        };
        self.threads.send(Box::new(job)).map_err(|_| PasswordError::Stopped)?;
        done.await.map_err(|_| PasswordError::Stopped)?
    }
}

type Job = Box<dyn FnOnce(&mut Memory) + Send>;

/// Threads that work as long as anybody may send them something.
fn start_threads(count: usize) -> mpsc::Sender<Job> {
    let (sender, receiver) = mpsc::channel::<Job>();
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..count {
        let receiver = Arc::clone(&receiver);
        let next = move || receiver.lock().ok()?.recv().ok();
        thread::spawn(move || {
            let mut memory = Memory::default();
            std::iter::from_fn(next).for_each(|job| job(&mut memory));
        });
    }
    sender
}

/// Why a password could not be taken, hashed or checked.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Too short or too long.
    #[error("a password has {MIN_CHARACTERS} to {MAX_CHARACTERS} characters")]
    Length,
    /// Too many passwords are being hashed; nothing was changed.
    #[error("too many passwords are being checked at once")]
    Busy,
    /// argon2 failed.
    #[error("hashing a password")]
    Hash(#[source] HashError),
    /// A stored hash is not a PHC string.
    #[error("reading a stored password hash")]
    Stored(#[source] phc::Error),
    /// The hashing thread ended without an answer.
    #[error("the hashing thread ended without an answer")]
    Stopped,
}

/// What a thread hashes in: 19 MiB from the first hash on. Nothing of a password stays there.
#[derive(Default)]
struct Memory(Vec<Block>);

impl Memory {
    fn hash(&mut self, password: &Password, salt: &[u8; 16]) -> Result<String, PasswordError> {
        let hash = self.fresh(password, salt).map_err(PasswordError::Hash)?;
        Ok(hash.to_string())
    }

    fn fresh(&mut self, password: &Password, salt: &[u8; 16]) -> Result<phc::PasswordHash, HashError> {
        let (algorithm, version, params) = (Algorithm::default(), Version::default(), Params::default());
        let salt = phc::Salt::new(salt)?;
        Ok(phc::PasswordHash {
            algorithm: algorithm.ident(),
            version: Some(version.into()),
            params: phc::ParamsString::try_from(&params)?,
            salt: Some(salt),
            hash: Some(self.fill(
                Argon2::new(algorithm, version, params),
                password,
                &salt,
                Params::DEFAULT_OUTPUT_LEN,
            )?),
        })
    }

    fn verify(&mut self, password: &Password, stored: &str) -> Result<bool, PasswordError> {
        let stored = phc::PasswordHash::new(stored).map_err(PasswordError::Stored)?;
        self.is_of(password, &stored).map_err(PasswordError::Hash)
    }

    fn is_of(&mut self, password: &Password, stored: &phc::PasswordHash) -> Result<bool, HashError> {
        let (Some(salt), Some(hash)) = (&stored.salt, &stored.hash) else { return Ok(false) };
        let algorithm = Algorithm::try_from(stored.algorithm.as_str())?;
        let version = stored.version.map(Version::try_from).transpose()?.unwrap_or_default();
        let argon2 = Argon2::new(algorithm, version, Params::try_from(stored)?);
        // Compared in constant time.
        Ok(self.fill(argon2, password, salt, hash.len())? == *hash)
    }

    fn fill(
        &mut self,
        argon2: Argon2<'_>,
        password: &Password,
        salt: &[u8],
        length: usize,
    ) -> Result<phc::Output, HashError> {
        let mut buffer = [0; phc::Output::MAX_LENGTH];
        let out = buffer.get_mut(..length).ok_or(HashError::OutputSize)?;
        self.0.resize(argon2.params().block_count(), Block::new());
        let filled = argon2.hash_password_into_with_memory(password.0.as_bytes(), salt, out, &mut self.0);
        // It costs a millisecond or two, and who reads the memory of this process later finds nothing to try passwords on.
        self.0.fill(Block::new());
        filled?;
        Ok(phc::Output::new(out)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::parse(text).expect("acceptable")
    }

    #[test]
    fn eight_to_128_characters() {
        for (length, accepted) in [(7, false), (8, true), (128, true), (129, false)] {
            assert_eq!(Password::parse(&"城".repeat(length)).is_ok(), accepted, "{length}");
        }
    }

    #[test]
    fn a_password_is_not_printed() {
        assert_eq!(format!("{:?}", password("correct horse")), "Password(_)");
    }

    #[tokio::test]
    async fn only_the_right_password_is_right() {
        let passwords = Passwords::new(2).expect("argon2 works");
        let stored = passwords.hash(password("correct horsé"), [7; 16]).await.expect("hashed");
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        let verify = |text: &str, stored: Option<String>| passwords.verify(password(text), stored);
        assert!(verify("correct horse\u{301}", Some(stored.clone())).await.expect("checked"));
        assert!(!verify("correct horse", Some(stored)).await.expect("checked"));
        assert!(!verify("the password of nobody", None).await.expect("checked"));
        assert!(verify("correct horse", Some(String::from("plain"))).await.is_err());
    }

    #[test]
    fn a_hash_is_as_it_always_was_and_leaves_nothing_behind() {
        use argon2::{PasswordHasher as _, PasswordVerifier as _};
        let mut memory = Memory::default();
        let hash = memory.hash(&password("correct horse"), &[7; 16]).expect("hashed");
        let theirs: phc::PasswordHash =
            Argon2::default().hash_password_with_salt(b"correct horse", &[7; 16]).expect("hashed");
        assert_eq!(hash, theirs.to_string());
        assert!(Argon2::default().verify_password(b"correct horse", &theirs).is_ok());
        let (place, blocks) = (memory.0.as_ptr(), memory.0.len());
        assert!(blocks == 19_456 && memory.0.iter().all(|block| block.as_ref().iter().all(|word| *word == 0)));
        for (text, right) in [("correct horse", true), ("correct house", false)] {
            assert_eq!(memory.verify(&password(text), &hash).expect("checked"), right);
        }
        assert_eq!((memory.0.as_ptr(), memory.0.len()), (place, blocks), "one memory for all");
    }

    #[tokio::test]
    async fn a_name_that_nobody_has_takes_as_long() {
        let passwords = Passwords::new(1).expect("argon2 works");
        let stored = passwords.hash(password("correct horse"), [7; 16]).await.expect("hashed");
        let mut known = Duration::MAX;
        let mut unknown = Duration::MAX;
        // The quickest of several: other tests share the cores. Without the hash it would never come near.
        for _ in 0..40 {
            let start = std::time::Instant::now();
            let _ = passwords.verify(password("wrong horse"), Some(stored.clone())).await;
            known = known.min(start.elapsed());
            let start = std::time::Instant::now();
            let _ = passwords.verify(password("wrong horse"), None).await;
            unknown = unknown.min(start.elapsed());
            if (0.6..1.7).contains(&(unknown.as_secs_f64() / known.as_secs_f64())) {
                return;
            }
        }
        panic!("{unknown:?} for a name that nobody has, {known:?} for a known one");
    }

    #[tokio::test]
    async fn who_gets_no_turn_is_told_so() {
        let mut passwords = Passwords::new(1).expect("argon2 works");
        passwords.patience = Duration::from_millis(20);
        let _held = Arc::clone(&passwords.turns).acquire_owned().await.expect("open");
        assert!(matches!(passwords.verify(password("correct horse"), None).await, Err(PasswordError::Busy)));
    }
}
