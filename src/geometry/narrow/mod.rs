//! The narrow phase: what really happens between two shapes.
//!
//! A geometry is compiled once into a [`Body`]: convex [`Piece`]s (a triangle, a ball, a box, a hull, ...) under a tree of
//! boxes. Every question then is a walk through one tree or two, with one function at the leaves; yes and no, within and
//! distance share that function, so that they cannot disagree.

mod body;
mod bvh;
mod frame;
mod gjk;
mod inside;
mod near;
mod piece;
mod ray;
mod search;
mod simplex;
mod stack;

pub(super) use body::{Body, FARTHEST, Part};
pub(super) use frame::Frame;
pub(super) use gjk::Support;
pub(super) use near::Near;
pub(super) use piece::{Convex, Core, Piece};
pub(super) use ray::nearest_hit;
pub(super) use search::{all_near, any_near, nearest};
