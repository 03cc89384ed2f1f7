//! How often somebody may ask: limits per account and per address.
//!
//! Which limits a request counts for follows from its method and its address's template, whom it counts for from its token
//! or from where it comes; nothing of what it asks for and nothing of what it is answered has a say in it, so that the
//! headers tell nobody more than how often he has asked. Each server counts for itself.
//!
//! The memory is fixed: whoever asks is hashed, under a key of this process, to one of [`SLOTS`] counters. Two who share one
//! share a limit; it costs no more than that, and nobody can choose with whom.

use std::hash::{BuildHasher as _, RandomState};
use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::{
    dev::ServiceRequest,
    http::{
        Method,
        header::{HeaderMap, HeaderName, HeaderValue},
    },
};
use governor::clock::{Clock as _, MonotonicClock};
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::{InMemoryState, NotKeyed, StateStore};
use governor::{Quota, RateLimiter};

use super::address::{Origin, Proxies};
use crate::api::{extract, problem::Problem};
use crate::config;
use crate::ids::AccountId;

/// How many counters a limit has, of 8 bytes each.
pub const SLOTS: usize = 1 << 16;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

const HOUR_S: u64 = 3_600;
const MINUTE_S: u64 = 60;
const TEN_S: u64 = 10;

/// How often somebody may ask. As many may come at once, and then as fast as they are given back.
#[derive(Clone, Copy, Debug)]
pub struct LimitSettings {
    /// Requests of any kind from one address, a minute.
    pub requests: NonZeroU32,
    /// New accounts from one address, an hour.
    pub sign_ups: NonZeroU32,
    /// Log-ins with a password from one address, a minute; and as often an account may be asked for its password.
    pub log_ins: NonZeroU32,
    /// Reads by one account, a minute.
    pub reads: NonZeroU32,
    /// Changes by one account, a minute.
    pub writes: NonZeroU32,
    /// Hints for one account, in 10 seconds.
    pub hints: NonZeroU32,
    /// What is between the clients and this server.
    pub proxies: Proxies,
}

impl LimitSettings {
    /// The defaults, for a server that clients ask directly.
    pub const DEFAULT: Self = Self {
        requests: config::limits::REQUESTS,
        sign_ups: config::limits::SIGN_UPS,
        log_ins: config::limits::LOG_INS,
        reads: config::limits::READS,
        writes: config::limits::WRITES,
        hints: config::limits::HINTS,
        proxies: Proxies { count: 0, header: config::ProxyHeader::XForwardedFor },
    };
}

/// All limits of a server.
pub struct Limits {
    requests: Limit,
    sign_ups: Limit,
    log_ins: Limit,
    reads: Limit,
    writes: Limit,
    hints: Limit,
    proxies: Proxies,
    hasher: RandomState,
}

/// What the limits say of a request.
#[derive(Default)]
pub struct Counted {
    policies: Vec<String>,
    left: Vec<String>,
    /// Why it is not served.
    pub refused: Option<Problem>,
}

struct Limit {
    name: &'static str,
    quota: NonZeroU32,
    window_s: u64,
    counters: RateLimiter<usize, Slots, MonotonicClock, StateInformationMiddleware>,
}

struct Slots(Box<[InMemoryState]>);

/// Whom a request counts for.
#[derive(Hash)]
enum Who {
    Account(AccountId),
    Origin(Origin),
}

impl Limits {
    /// By these settings.
    pub fn new(settings: &LimitSettings) -> Self {
        Self {
            requests: Limit::new("requests", settings.requests, MINUTE_S),
            sign_ups: Limit::new("sign-ups", settings.sign_ups, HOUR_S),
            log_ins: Limit::new("log-ins", settings.log_ins, MINUTE_S),
            reads: Limit::new("reads", settings.reads, MINUTE_S),
            writes: Limit::new("writes", settings.writes, MINUTE_S),
            hints: Limit::new("hints", settings.hints, TEN_S),
            proxies: settings.proxies,
            hasher: RandomState::new(),
        }
    }

    /// Counts a request whose path has that template.
    pub fn count(&self, request: &ServiceRequest, template: Option<&str>) -> Counted {
        let mut counted = Counted::default();
        if matches!(template, Some("/healthz" | "/readyz")) {
            return counted;
        }
        let origin = Origin::of(request.headers(), request.peer_addr(), self.proxies);
        self.requests.count(self.slot(&Who::Origin(origin)), &mut counted);
        if counted.refused.is_some() {
            return counted;
        }
        let account = || match extract::caller(request.request()) {
            Ok(caller) => Who::Account(caller.0.account),
            Err(_) => Who::Origin(origin),
        };
        let (limit, who) = match (request.method(), template) {
            (_, None) => return counted,
            (&Method::POST, Some("/v1/accounts" | "/v1/accounts/guest")) => (&self.sign_ups, Who::Origin(origin)),
            (&Method::POST, Some("/v1/tokens")) => (&self.log_ins, Who::Origin(origin)),
            // Passwords can be tried here too, by who has somebody's token.
            (&Method::PUT, Some("/v1/me/password")) | (&Method::DELETE, Some("/v1/me")) => (&self.log_ins, account()),
            // Each is thought of anew.
            (&Method::GET | &Method::HEAD, Some("/v1/games/{id}/hint")) => (&self.hints, account()),
            (&Method::GET | &Method::HEAD | &Method::OPTIONS, Some(_)) => (&self.reads, account()),
            (_, Some(_)) => (&self.writes, account()),
        };
        limit.count(self.slot(&who), &mut counted);
        counted
    }

    fn slot(&self, who: &Who) -> usize {
        // The remainder is smaller than a usize of any size.
        (self.hasher.hash_one(who) % SLOTS as u64) as usize
    }
}

impl Counted {
    /// Tells the caller how often he may go on asking (draft-ietf-httpapi-ratelimit-headers).
    pub fn tell(&self, headers: &mut HeaderMap) {
        for (name, items) in [(RATE_LIMIT_POLICY, &self.policies), (RATE_LIMIT, &self.left)] {
            if let (false, Ok(value)) = (items.is_empty(), HeaderValue::from_str(&items.join(", "))) {
                headers.insert(name, value);
            }
        }
    }
}

impl Limit {
    fn new(name: &'static str, quota: NonZeroU32, window_s: u64) -> Self {
        let one = Duration::from_secs(window_s) / quota.get();
        let gives_back = Quota::with_period(one).unwrap_or(Quota::per_second(quota)).allow_burst(quota);
        Self { name, quota, window_s, counters: RateLimiter::new(gives_back, Slots::new(), MonotonicClock) }
    }

    fn count(&self, slot: usize, counted: &mut Counted) {
        let (left, wait_s) = match self.counters.check_key(&slot) {
            Ok(state) => (state.remaining_burst_capacity(), 0),
            Err(until) => {
                let wait = until.wait_time_from(self.counters.clock().now());
                (0, (wait.as_millis() as u64).div_ceil(1_000).max(1))
            }
        };
        // Until all is given back.
        let reset_s = (u64::from(self.quota.get() - left) * self.window_s).div_ceil(u64::from(self.quota.get()));
        counted.policies.push(format!("\"{}\";q={};w={}", self.name, self.quota, self.window_s));
        counted.left.push(format!("\"{}\";r={left};t={}", self.name, reset_s.max(wait_s)));
        if wait_s > 0 {
            counted.refused = Some(Problem::too_many_requests(self.name, wait_s));
        }
    }
}

impl Slots {
    fn new() -> Self {
        Self((0..SLOTS).map(|_| InMemoryState::default()).collect())
    }
}

impl StateStore for Slots {
    type Key = usize;

    fn measure_and_replace<T, F, E>(&self, slot: &usize, change: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        match self.0.get(*slot) {
            Some(counter) => counter.measure_and_replace(&NotKeyed::NonKey, change),
            None => change(None).map(|(outcome, _)| outcome),
        }
    }
}
