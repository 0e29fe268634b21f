//! Workspaces of spaces: those of clones and of a space that changed serve, those of another space are refused.

use kinworld::Pose;
use kinworld::planning::{CSpace, EdgeQuery};

use super::{cell, random_free};
use crate::common::errors::is_invalid;

#[test]
fn a_workspace_of_another_space_is_refused_with_both_names() {
    let (space, other) = (cell(), cell());
    let q = random_free(&space, 1);
    let mut ws = other.workspace();
    let problem = space.is_free_with(&q, &mut ws).unwrap_err().to_string();
    let expected = "workspace: belongs to another space, of `arm6`: take one from `workspace` of this one, of `arm6`";
    assert_eq!(problem, expected);
    assert!(is_invalid(&space.is_edge_free_with(&q, &q, &mut ws)));
    assert!(is_invalid(&space.edge_collision_with(
        &q,
        &q,
        EdgeQuery::First,
        &mut ws
    )));
    let mut free = [false];
    assert!(is_invalid(&space.are_free_with(&q, &mut free, &mut ws)));

    // it still serves its own
    assert!(other.is_free_with(&q, &mut ws).unwrap());
}

#[test]
fn a_workspace_serves_clones_and_a_space_that_changed() {
    let space = cell();
    let q = random_free(&space, 2);
    let mut ws = space.workspace();
    assert!(
        space
            .clone()
            .with_resolution(0.1)
            .unwrap()
            .is_free_with(&q, &mut ws)
            .unwrap()
    );
    let mut changed = space.clone();
    let ball = space.world().rigid_object_id("ball").unwrap();
    changed
        .set_pose(ball, &Pose::translation(0.0, 0.0, 50.0))
        .unwrap();
    assert!(changed.is_free_with(&q, &mut ws).unwrap());
    assert!(space.is_free_with(&q, &mut ws).unwrap());
    let spheres = space.clone().with_sphere_prefilter(4).unwrap();
    assert!(spheres.is_free_with(&q, &mut ws).unwrap());
}
