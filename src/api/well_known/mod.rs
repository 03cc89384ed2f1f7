//! Addresses that the standards fix.

pub mod jwks;
