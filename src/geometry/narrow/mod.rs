//! The narrow phase: what really happens between two shapes.
//!
//! A geometry is compiled once into a [`Body`]: convex [`Piece`]s (a triangle, a ball, a box, a hull, ...) under a tree of
//! boxes. Every question then is a walk through one tree or two, with one function at the leaves; yes and no, within and
//! distance share that function, so that they cannot disagree.
//!
//! Bodies of more than a few pieces are walked through in wide trees: a box against all children of a node at once, a triangle
//! against all of a leaf. These lanes are of single precision and only leave out what they prove to be apart, with room for
//! their rounding; bodies too large or too small for that are walked through in double precision.

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
mod vec3;
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
