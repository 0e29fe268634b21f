//! Our answers about `data/` beside those of Klampt and Pinocchio, which a clone carries in `data/golden/`.

mod checks;
mod collisions;
mod expected;
mod read;
mod robots;
mod terms;
mod two_formats;
mod worked_example;
mod worlds;
