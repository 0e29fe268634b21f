//! Klampt's example robots, where `KINWORLD_CORPUS` and `KINWORLD_REFS` name them.

mod read;
mod robots;
