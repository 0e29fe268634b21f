//! The binary: output, errors and exit codes.

mod acm;
mod bench;
mod check;
mod commands;
mod common;
mod differential;
mod dynamics;
mod ik;
mod info;
mod loading;
mod planning;
mod protocol;
mod scene;
mod session;
mod simulate;
mod spherize;
mod usage;
mod worlds;
mod wrench;
