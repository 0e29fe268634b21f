//! Edges with an attached object, against those of a robot of which it is a part.

use kinworld::planning::{CSpace, EdgeQuery, Proof, RobotCSpace};
use kinworld::robot::{Element, RobotBuilder};
use kinworld::world::{EntityId, PairFilter};
use kinworld::{Pose, Vector, WorldModel};

use super::{cell, random, random_free};

/// The arm of [`cell`] with its crate attached to its flange, and with the crate as a part of the flange.
fn both(shapes: impl Fn(&WorldModel) -> WorldModel) -> (RobotCSpace, RobotCSpace) {
    let space = cell();
    let x_lo = Pose::new(Vector::new(0.0, 0.02, 0.12), Vector::new(0.1, 0.3, -0.2));
    let mut attached = space.world().clone();
    let arm = attached.robots().next().unwrap();
    let (id, model) = (arm.id(), arm.model().clone());
    let flange = model.link_id("flange").unwrap();
    let object = attached.rigid_object_id("crate").unwrap();

    // a crate that is part of the flange may touch what the flange may touch
    let links = (0..model.links().len()).map(kinworld::LinkId::new);
    let touch = links.filter(|&link| !model.self_collision_enabled(flange, link));
    let touch: Vec<EntityId> = touch.map(|link| (id, link).into()).collect();
    attached.grasp(object, (id, flange), &x_lo, &touch).unwrap();

    let mut merged = space.world().clone();
    let shape = merged
        .rigid_object(object)
        .unwrap()
        .geometry
        .clone()
        .unwrap();
    let mut builder = RobotBuilder::from(&*model);
    builder.links[flange.index()]
        .collision
        .push(Element::placed(shape, x_lo));
    merged.replace_robot(id, builder.build().unwrap()).unwrap();
    merged.remove(object).unwrap();

    let space = |world: &WorldModel| RobotCSpace::new(&shapes(world), &[id]).unwrap();
    (space(&attached), space(&merged))
}

/// Checks that both have the same free configurations and edges, and counts these.
fn compare(ours: &RobotCSpace, theirs: &RobotCSpace) -> [usize; 2] {
    let n = ours.n_dofs();
    let rows: Vec<f64> = (0..96).flat_map(|seed| random(ours, seed)).collect();
    let (mut free, mut expected) = (vec![false; 96], vec![false; 96]);
    ours.are_free(&rows, &mut free).unwrap();
    theirs.are_free(&rows, &mut expected).unwrap();
    assert_eq!(free, expected);
    let mut tally = [free.iter().filter(|free| **free).count(), 0];
    for edge in rows.chunks_exact(2 * n) {
        let (a, b) = edge.split_at(n);
        let mut near = b.to_vec();
        ours.interpolate_into(a, b, 0.4, &mut near);
        let is_free = ours.is_edge_free(a, &near).unwrap();
        assert_eq!(
            is_free,
            theirs.is_edge_free(a, &near).unwrap(),
            "{a:?} to {near:?}"
        );
        tally[1] += usize::from(is_free);
        let collision = ours
            .edge_collision(a, &near, EdgeQuery::First)
            .unwrap()
            .map(|collision| collision.t);
        let expected = theirs.edge_collision(a, &near, EdgeQuery::First).unwrap();
        assert_eq!(collision, expected.map(|collision| collision.t));
        assert_eq!(collision.is_none(), is_free);
    }
    tally
}

#[test]
fn edges_with_an_attached_object_are_free_as_those_of_a_robot_that_it_is_part_of() {
    let (ours, theirs) = both(WorldModel::clone);
    let tally = compare(&ours, &theirs);
    assert!(tally[0] > 10 && tally[1] > 5, "{tally:?}");

    // spheres decide where they can, and do not change the answers
    let (mut ours, theirs) = both(WorldModel::clone);
    ours = ours.with_sphere_prefilter(6).unwrap();
    assert_eq!(compare(&ours, &theirs), tally);
    let rows: Vec<f64> = (0..96).flat_map(|seed| random(&ours, seed)).collect();
    let mut ws = ours.workspace();
    ours.are_free_with(&rows, &mut [false; 96], &mut ws)
        .unwrap();
    let counts = ws.prefilter_counts();
    assert!(counts.outer > 0 && counts.exact > 0, "{counts:?}");
}

#[test]
fn a_robot_of_spheres_stays_one_with_an_attached_object() {
    let spheres = |world: &WorldModel| world.with_spheres(6).unwrap();
    let (ours, _) = both(spheres);
    let mut ws = ours.workspace();
    let _ = ours.is_free_with(&[0.0; 6], &mut ws).unwrap();
    let counts = ws.prefilter_counts();
    assert_eq!(
        counts.outer + counts.inner + counts.exact,
        1,
        "there are spheres"
    );

    // against the same shapes, one by one
    let mut tally = [0; 2];
    for seed in 0..200 {
        let q = random(&ours, seed);
        let free = ours.obstacle(&q).unwrap().is_none();
        assert_eq!(ours.is_free_with(&q, &mut ws).unwrap(), free, "{q:?}");
        tally[usize::from(free)] += 1;
    }
    assert!(tally.iter().all(|&count| count > 10), "{tally:?}");
    assert!(ws.prefilter_counts().outer > 0);
}

#[test]
fn gradients_of_clearance_count_what_is_attached() {
    let (ours, theirs) = both(WorldModel::clone);
    let (world, arm) = (ours.world(), ours.world().robots().next().unwrap());
    let links = arm.links().map(|link| link.entity());
    let filter = links.fold(PairFilter::default(), PairFilter::ignore);
    let alone = RobotCSpace::with_filter(world, &[arm.id()], &filter).unwrap();
    let (ours, theirs) = (ours.clone(), theirs);
    let mut n = 0;
    for seed in 0..30 {
        // the same distance, whether the crate is attached or a part of the link
        let q = random(&ours, seed);
        let near = ours.clearance(&q).unwrap().unwrap().nearest.distance;
        let expected = theirs.clearance(&q).unwrap().unwrap().nearest.distance;
        assert!((near - expected).abs() < 1e-9, "{q:?}");

        // of the crate alone, against differences
        let near = alone.clearance(&q).unwrap().unwrap();
        let is_carried = |entity| alone.world().carrier(entity).is_some();
        assert!(is_carried(near.nearest.a) || is_carried(near.nearest.b));
        if near.nearest.distance == 0.0 {
            continue;
        }
        let h = 1e-5;
        for k in 0..q.len() {
            let distance = |step: f64| {
                let mut there = q.clone();
                there[k] += step;
                alone.clearance(&there).unwrap().unwrap().nearest.distance
            };
            let (before, here, after) = (distance(-h), distance(0.0), distance(h));
            // where the nearest points jump from vertex to vertex there is no derivative
            if (after - 2.0 * here + before).abs() < 1e-3 * h {
                let derivative = (after - before) / (2.0 * h);
                assert!((derivative - near.gradient[k]).abs() < 1e-4, "{q:?} {k}");
                n += 1;
            }
        }
    }
    assert!(n > 50, "{n}");
}

#[test]
fn proofs_hold_for_what_is_attached() {
    let (ours, _) = both(WorldModel::clone);
    let mut tally = [0; 2];
    for seed in 0..8 {
        let a = random_free(&ours, seed);
        let mut b = random_free(&ours, 100 + seed);
        ours.interpolate_into(&a, &b.clone(), 0.3, &mut b);
        if ours.obstacle(&b).unwrap().is_some() {
            continue;
        }
        let until = match ours.prove_edge(&a, &b, 1e-3).unwrap() {
            Proof::Free => 1.0,
            Proof::Near { t, .. } => t,
            Proof::Collision(collision) => collision.t,
        };
        tally[usize::from(until < 1.0)] += 1;
        for i in 0..=400 {
            let u = f64::from(i) / 400.0;
            let mut q = a.clone();
            ours.interpolate_into(&a, &b, u, &mut q);
            let obstacle = ours.obstacle(&q).unwrap();
            assert!(
                u >= until || obstacle.is_none(),
                "{until} at {u}: {obstacle:?}"
            );
        }
    }
    assert!(tally[0] > 0, "{tally:?}");
}
