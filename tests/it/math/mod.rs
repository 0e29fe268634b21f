//! Rotations, poses, angles, spatial vectors.

mod poses;
mod refs;
mod rotations;
mod spatial;
