//! One shape against many equals one against each.

use kinworld::Pose;
use kinworld::geometry::{Geometry, Primitive, query};
use proptest::prelude::*;

use super::invalid;
use super::properties::{any_pose, any_shape, seeded};

proptest! {
    #![proptest_config(seeded(21, 300))]

    #[test]
    fn one_against_many_is_one_against_each(
        a in any_shape(), x in any_pose(1.0), d in 0.0..1.0,
        many in prop::collection::vec((any_shape(), any_pose(2.5)), 0..12), twice in any::<bool>(),
    ) {
        let at = (&a, &x);
        let mut others: Vec<query::At<'_>> = many.iter().map(|(g, y)| (g, y)).collect();
        if twice {
            // the first of equals counts
            others.extend_from_within(..);
        }
        let distances: Vec<query::Distance> = others.iter().map(|&b| query::distance(at, b).unwrap()).collect();

        let hit = others.iter().position(|&b| query::collides(at, b).unwrap());
        prop_assert_eq!(query::first_collision(at, &others).unwrap(), hit);
        let near = others.iter().position(|&b| query::within_distance(at, b, d).unwrap());
        prop_assert_eq!(query::first_within(at, &others, d).unwrap(), near);
        prop_assert_eq!(query::first_within(at, &others, -d - 0.1).unwrap(), None);

        // the first of the least
        let mut nearest: Option<(usize, query::Distance)> = None;
        for (i, found) in distances.iter().enumerate() {
            let is_nearer = nearest.is_none_or(|(_, best)| found.distance < best.distance);
            if is_nearer && found.distance.is_finite() {
                nearest = Some((i, *found));
            }
        }
        prop_assert_eq!(query::nearest(at, &others).unwrap(), nearest);
    }
}

#[test]
fn invalid_poses_and_distances_are_rejected() {
    let sphere = Geometry::from(Primitive::sphere(kinworld::Point::origin(), 1.0).unwrap());
    let (good, bad) = (Pose::identity(), Pose::translation(f64::NAN, 0.0, 0.0));
    for (a, b) in [(&good, &bad), (&bad, &good)] {
        let others = [(&sphere, b)];
        for problem in [
            invalid(query::first_collision((&sphere, a), &others)),
            invalid(query::first_within((&sphere, a), &others, 1.0)),
            invalid(query::nearest((&sphere, a), &others)),
        ] {
            assert_eq!(problem, "pose of a geometry: is not finite");
        }
    }
    let others = [(&sphere, &good)];
    assert_eq!(
        invalid(query::first_within((&sphere, &good), &others, f64::NAN)),
        "distance to be within: is not a number"
    );
    // an empty shape is infinitely far
    let empty = Geometry::group(Vec::new());
    assert_eq!(query::nearest((&empty, &good), &others).unwrap(), None);
    assert_eq!(
        query::first_within((&empty, &good), &others, f64::INFINITY).unwrap(),
        Some(0)
    );
}
