//! Files in: robots, objects, terrains, meshes, and everything that is wrong with them.

mod corpus;
mod malformed;
mod robots;
mod urdf;
