//! Narrow phase: exact tests between two shapes.
//!
//! A geometry is compiled once into a [`Body`]: convex [`Piece`]s (a triangle, a sphere, a box, a hull, ...) under a
//! bounding volume hierarchy. Every query traverses one tree or two, with one function at the leaves; collision,
//! tolerance and distance queries share that function, so that they cannot disagree.
//!
//! Bodies of more than a few pieces are traversed in wide trees: a box against all children of a node at once, a
//! triangle against all of a leaf. These lanes are in single precision and prune only what they prove to be separated,
//! with room for their rounding; bodies too large or too small for that are traversed in double precision.

mod body;
mod bvh;
mod extremes;
mod frame;
mod gjk;
mod hull_direction;
mod hull_vertices;
mod inside;
mod leaves;
mod near;
mod oriented;
mod piece;
mod ray;
mod relative;
mod sat;
mod search;
mod simplex;
mod stack;
mod support_cache;
mod support_table;
mod triangles;
mod wide;
mod wide_nearest;
mod wide_search;

pub(super) use body::{Body, FARTHEST, Part};
pub(super) use bvh::Threads;
pub(super) use frame::Frame;
pub(super) use gjk::Support;
pub(super) use hull_vertices::HullVertices;
pub(super) use near::Near;
pub(super) use piece::{Convex, Core, Piece};
pub(super) use ray::nearest_hit;
pub(super) use search::{any_near, any_near_from, nearest, nearest_pairs};
