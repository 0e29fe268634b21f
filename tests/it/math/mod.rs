//! Rotations, poses, angles, spatial vectors.

mod checked;
mod poses;
mod refs;
mod rotations;
mod solids;
mod spatial;
