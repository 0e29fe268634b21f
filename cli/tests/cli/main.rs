//! The binary: output, errors and exit codes.

mod acm;
mod bench;
mod check;
mod commands;
mod common;
mod differential;
mod dynamics;
mod faults;
mod ik;
mod info;
mod loading;
mod messages;
mod missing;
mod names;
mod outputs;
mod places;
mod planning;
mod protocol;
mod roots;
mod scene;
mod session;
mod simulate;
mod spherize;
mod usage;
mod worlds;
mod wrench;
