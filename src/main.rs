//! Fereta.
fn main() {}
