//! Contacts: friction cones, net wrenches, equilibrium and closure.

#[cfg(feature = "contact")]
mod balanced;
#[cfg(feature = "contact")]
mod closed_forms;
mod cones;
#[cfg(feature = "contact")]
mod klampt;
#[cfg(feature = "contact")]
mod robots;

use kinworld::contact::ContactPoint;
use kinworld::{Point, Vector};
use proptest::prelude::*;

use random_robots::any_vector;

/// A contact within a metre of the origin, one in five without friction.
fn any_contact() -> impl Strategy<Value = ContactPoint> {
    let normal = any_vector(1.0).prop_filter("a direction", |n| n.norm() > 0.1);
    let friction = prop_oneof![4 => 0.05..1.5, 1 => Just(0.0)];
    (any_vector(1.0), normal, friction).prop_map(|(p, n, mu)| contact(Point::from(p), n, mu))
}

fn contact(point: Point, normal: Vector, friction: f64) -> ContactPoint {
    ContactPoint::new(point, normal, friction).unwrap()
}
