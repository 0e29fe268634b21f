//! Klampt's example robots and worlds, where `KINWORLD_CORPUS` and `KINWORLD_REFS` name them.

mod read;
mod robots;
mod worlds;
