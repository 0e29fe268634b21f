//! The binary as a user sees it: what it prints, what it refuses, how it exits.

mod acm;
mod bench;
mod check;
mod commands;
mod common;
mod dynamics;
mod ik;
mod info;
mod loading;
mod planning;
mod protocol;
mod scene;
mod simulate;
mod spherize;
mod usage;
mod worlds;
mod wrench;
