//! Many configurations at once.

mod answers;
mod forced;
mod refused;
