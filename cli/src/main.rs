//! Command-line tool of kinworld.
fn main() {}
