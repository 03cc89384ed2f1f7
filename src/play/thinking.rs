//! Where there is thinking: on few threads at once, of low priority, so that it never holds up whoever is served.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// How much more willing than others a thinking thread is to give way.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// How many who asked for a thought may wait for it.
const MOST_WAITING: usize = 8;
/// How often to look for room that nobody waits for.
const SPARE_EVERY: Duration = Duration::from_millis(20);

/// The limit that all thinking of a server shares. Clones share it.
#[derive(Clone, Debug)]
pub struct Thinking {
    threads: usize,
    places: Arc<Semaphore>,
    /// Who asked for a thought waits in a queue of his own, of which one at a time waits for a place: so bots, which have a fixed time to
    /// keep, wait for one such thought at most.
    asked: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

/// The right to think one thought.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
    /// Of a thought that was asked for.
    _turn: Option<OwnedSemaphorePermit>,
}

/// The thought came to no end: its thread could not be started, or it panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the thinking broke off")]
pub struct BrokeOff;

impl Thinking {
    /// On so many threads at once; on none if it is 0.
    #[must_use]
    pub fn on(threads: usize) -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self { threads, places: semaphore(threads), asked: semaphore(1), waiting: semaphore(MOST_WAITING) }
    }

    /// Whether there is any.
    #[must_use]
    pub const fn is_possible(&self) -> bool {
        self.threads > 0
    }

    /// Waits until there is room for one more thought.
    pub async fn place(&self) -> Place {
        match self.places.clone().acquire_owned().await {
            Ok(permit) => Place { _permit: permit, _turn: None },
            // Nobody ever closes it.
            Err(_) => std::future::pending().await,
        }
    }

    /// Waits until there is room for a thought that somebody asked for; none if too many wait for that.
    pub async fn asked_place(&self) -> Option<Place> {
        let _waiting = self.waiting.clone().try_acquire_owned().ok()?;
        let turn = self.asked.clone().acquire_owned().await.ok()?;
        Some(Place { _turn: Some(turn), ..self.place().await })
    }

    /// Waits until there is room that nobody waits for in [`Thinking::place`]; for what can wait for long.
    pub async fn spare_place(&self) -> Place {
        loop {
            // Of whoever queues the semaphore sees to first, so that this overtakes nobody.
            if let Ok(permit) = self.places.clone().try_acquire_owned() {
                return Place { _permit: permit, _turn: None };
            }
            tokio::time::sleep(SPARE_EVERY).await;
        }
    }
}

impl Place {
    /// Thinks. Whoever stops waiting for it stops nothing: the place is free when the thought has ended.
    ///
    /// # Errors
    /// [`BrokeOff`].
    pub async fn think<T: Send + 'static>(self, thought: impl FnOnce() -> T + Send + 'static) -> Result<T, BrokeOff> {
        let (tell, told) = oneshot::channel();
        // A thread of its own, as its priority cannot be raised again.
        let thinking = thread::Builder::new().name("thinking".into()).spawn(move || {
            give_way();
            let thought = thought();
            // First, as a thread of low priority may not get to it for long after whoever waited goes on.
            drop(self);
            let _ = tell.send(thought);
        });
        if thinking.is_err() {
            return Err(BrokeOff);
        }
        told.await.map_err(|_| BrokeOff)
    }
}

/// On Linux this is about the thread that calls it, elsewhere it would be about the whole process.
fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn no_more_think_at_once_than_may_and_one_that_panics_takes_no_place_along() {
        let thinking = Thinking::on(2);
        assert_eq!(thinking.place().await.think(|| panic!("on purpose")).await, Err::<(), _>(BrokeOff));
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let thoughts = (0..20).map(|number| {
            let (thinking, now, most) = (thinking.clone(), now.clone(), most.clone());
            tokio::spawn(async move {
                let thought = move || {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::sleep(std::time::Duration::from_millis(2));
                    now.fetch_sub(1, Ordering::SeqCst);
                    number
                };
                thinking.place().await.think(thought).await
            })
        });
        for (number, thought) in thoughts.enumerate() {
            assert_eq!(thought.await.expect("no panic"), Ok(number));
        }
        assert!((1..=2).contains(&most.load(Ordering::SeqCst)));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_asks_waits_for_others_who_asked_and_not_for_ever_many() {
        let thinking = Thinking::on(1);
        let place = thinking.place().await;
        let asking: Vec<_> = (0..=MOST_WAITING)
            .map(|_| {
                tokio::spawn({
                    let thinking = thinking.clone();
                    async move { thinking.asked_place().await.is_some() }
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(50)).await;
        // One of them is before it at most, however many there are.
        let bot = tokio::spawn({
            let thinking = thinking.clone();
            async move { thinking.place().await }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(place);
        drop(bot.await.expect("a place"));
        let mut placed = 0;
        for asked in asking {
            placed += usize::from(asked.await.expect("no panic"));
        }
        assert_eq!(placed, MOST_WAITING);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn spare_room_is_what_nobody_waits_for() {
        let thinking = Thinking::on(1);
        let (first, spare) = (thinking.place().await, thinking.spare_place());
        let second = tokio::spawn({
            let thinking = thinking.clone();
            async move { thinking.place().await }
        });
        tokio::pin!(spare);
        let soon = Duration::from_millis(60);
        assert!(tokio::time::timeout(soon, &mut spare).await.is_err());
        drop(first);
        let second = second.await.expect("a place");
        assert!(tokio::time::timeout(soon, &mut spare).await.is_err());
        drop(second);
        spare.await;
    }
}
