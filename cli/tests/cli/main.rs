//! The binary: output, errors and exit codes.

mod acm;
mod bench;
mod cartesian;
mod check;
mod commands;
mod common;
mod degrees;
mod differential;
mod dynamics;
mod export;
mod faults;
mod goals;
mod ik;
mod info;
mod loading;
mod messages;
mod missing;
mod models;
mod names;
mod outputs;
mod places;
mod planning;
mod prioritized;
mod protocol;
mod render;
mod roots;
mod scene;
mod session;
mod simulate;
mod spherize;
mod state;
mod usage;
#[cfg(feature = "view")]
mod view;
mod worlds;
mod wrench;
