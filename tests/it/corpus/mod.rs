//! Klampt's example files, where `KINWORLD_CORPUS` and `KINWORLD_REFS` name them.

mod others;
mod read;
mod robots;
mod worlds;
