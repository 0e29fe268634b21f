//! Loading and saving: robots, objects, terrains, worlds and meshes, and errors in their files.

mod collada;
mod formats;
mod glb;
mod goals;
mod hulls;
mod malformed;
mod masks;
mod memory;
mod meshes;
mod missing;
mod mjcf;
mod motions;
mod mutations;
mod names;
mod objects;
mod octree;
mod outputs;
mod primitives;
mod refused;
mod roots;
mod rules;
mod same;
mod saving;
mod scratch;
mod sdf;
mod sources;
mod urdf;
mod worlds;
mod writing;
mod written;
#[cfg(feature = "xacro")]
mod xacro;
