//! Worlds: handles, names, views, and what collides.

mod attachments;
mod brute_force;
mod collider;
mod convex_parts;
mod dynamics;
mod filter;
mod handles;
mod lint;
mod margins;
mod memory;
mod missing;
mod moved;
mod placed;
mod pool;
mod poses;
mod self_filter;
#[cfg(feature = "serde")]
mod serialized;
mod several;
mod views;

use kinworld::geometry::{Geometry, Primitive};
use kinworld::robot::{Element, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::{EntityId, RigidObject, Terrain, WorldModel};
use kinworld::{LinkId, Point, Pose, Robot, Vector};

/// A ball around the origin.
fn ball(radius: f64) -> Geometry {
    Primitive::sphere(Point::origin(), radius).unwrap().into()
}

/// A block between two corners.
fn block(min: [f64; 3], max: [f64; 3]) -> Geometry {
    Primitive::aabb(min.into(), max.into()).unwrap().into()
}

/// A rigid object with a shape somewhere.
fn object(name: &str, geometry: Geometry, at: [f64; 3]) -> RigidObject {
    RigidObject {
        geometry: Some(geometry),
        pose: Pose::translation(at[0], at[1], at[2]),
        ..RigidObject::new(name)
    }
}

/// A terrain with a shape.
fn terrain(name: &str, geometry: Geometry) -> Terrain {
    Terrain::new(name, Some(geometry))
}

/// A link with a shape, one metre along x from its parent.
fn shaped_link(name: &str, parent: Option<usize>, motion: LinkMotion, shape: Geometry) -> LinkSpec {
    let mut link = LinkSpec::new(name, parent.map(LinkId::new), motion);
    if parent.is_some() {
        link.placement = Pose::translation(1.0, 0.0, 0.0);
    }
    link.collision.push(Element::new(shape));
    link
}

/// Balls of 0.3 m at 0, 1, 2, ... m along x; each but the first turns about the z axis of the one before it.
fn string_of_balls(name: &str, n_links: usize) -> Robot {
    let mut builder = RobotBuilder::new(name);
    for i in 0..n_links {
        let parent = i.checked_sub(1);
        let motion = LinkMotion::Revolute(Vector::z());
        builder.add_link(shaped_link(&format!("ball{i}"), parent, motion, ball(0.3)));
    }
    builder.build().unwrap()
}

/// The names of pairs, for messages and comparisons.
fn names(world: &WorldModel, pairs: &[(EntityId, EntityId)]) -> Vec<[String; 2]> {
    pairs
        .iter()
        .map(|&(a, b)| [world.name(a).unwrap(), world.name(b).unwrap()])
        .collect()
}

/// Whether a call was refused as invalid, with these words in its message.
fn is_invalid<T>(result: kinworld::Result<T>, words: &str) -> bool {
    match result {
        Err(error @ kinworld::Error::Invalid { .. }) => error.to_string().contains(words),
        _ => false,
    }
}
