//! Files in: robots, objects, terrains, meshes, and everything that is wrong with them.

mod collada;
mod formats;
mod goals;
mod hulls;
mod malformed;
mod masks;
mod memory;
mod meshes;
mod motions;
mod mutations;
mod objects;
mod primitives;
mod rules;
mod same;
mod saving;
mod scratch;
mod sources;
mod urdf;
mod worlds;
mod writing;
#[cfg(feature = "xacro")]
mod xacro;
