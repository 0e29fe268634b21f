//! Proofs about edges, without samples.

use kinworld::planning::{CSpace, Proof, RobotCSpace};

use super::{cell, random_free, space};

/// Checks a proof with samples that lie much closer than the resolution; no pair has a margin larger than `margin`.
pub(super) fn check(space: &RobotCSpace, seed: u64, margin: f64, tally: &mut [usize; 3]) {
    let (a, b) = (random_free(space, seed), random_free(space, seed + 500));
    // a part of some edges, so that more are free
    let mut near = b.clone();
    space.interpolate_into(&a, &b, [0.3, 1.0][seed as usize % 2], &mut near);
    if space.obstacle(&near).unwrap().is_some() {
        return;
    }
    let proof = space.prove_edge(&a, &near, 1e-3).unwrap();
    let free_until = match proof {
        Proof::Free => 1.0,
        Proof::Near { t, .. } => t,
        Proof::Collision(collision) => collision.t,
    };
    let mut q = a.clone();
    for i in 0..=400 {
        let u = f64::from(i) / 400.0;
        space.interpolate_into(&a, &near, u, &mut q);
        let obstacle = space.obstacle(&q).unwrap();
        assert!(
            u >= free_until || obstacle.is_none(),
            "{proof:?} at {u}: {obstacle:?}"
        );
    }
    match proof {
        Proof::Free => tally[0] += 1,
        Proof::Collision(_) => tally[1] += 1,
        Proof::Near { nearest, .. } => {
            assert!(nearest.distance <= margin + 1e-3);
            tally[2] += 1;
        }
    }
}

#[test]
fn a_proof_holds_wherever_one_looks() {
    let mut tally = [0; 3];
    for seed in 0..12 {
        check(&cell(), seed, 0.0, &mut tally);
    }
    assert!(
        tally[0] > 0 && tally[1] + tally[2] > 0,
        "both outcomes occur: {tally:?}"
    );
}

#[test]
fn proofs_hold_for_prismatic_and_revolute_bases_too() {
    let mut tally = [0; 3];
    for files in [
        &["robots/mobile_arm.rob", "terrains/pedestal.env"][..],
        &["robots/scara.urdf", "objects/crate.obj"],
        &["robots/quadruped.rob", "objects/ball.obj"],
    ] {
        for seed in 0..4 {
            check(&space(files), seed, 0.0, &mut tally);
        }
    }
    assert!(tally[0] > 0, "{tally:?}");
}

#[test]
fn an_edge_into_an_obstacle_ends_before_it() {
    let space = cell();
    let up = [0.0; 6];
    let into = [0.0, 1.6, 0.0, 0.0, 0.0, 0.0];
    // the end itself collides, and that is seen at once
    assert!(
        matches!(space.prove_edge(&up, &into, 1e-3).unwrap(), Proof::Collision(c) if c.t == 1.0)
    );
}
