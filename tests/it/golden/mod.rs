//! Our answers about `data/` beside those of Klampt and Pinocchio, which a clone carries in `data/golden/`.

pub(crate) mod checks;
pub(crate) mod collisions;
pub(crate) mod dynamics;
pub(crate) mod expected;
mod read;
mod robots;
mod terms;
mod two_formats;
mod worked_example;
mod worlds;
