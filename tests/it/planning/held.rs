//! Ways with something in the hand, beside those of a robot of which that is a part.

use kinworld::planning::{CSpace, Proof, RobotCSpace};
use kinworld::robot::{Element, RobotBuilder};
use kinworld::world::{EntityId, PairFilter};
use kinworld::{Pose, Vector, WorldModel};

use super::{cell, random, random_free};

/// The arm of [`cell`] with its crate in the hand, and with the crate as a part of its flange.
fn both(shapes: impl Fn(&WorldModel) -> WorldModel) -> (RobotCSpace, RobotCSpace) {
    let space = cell();
    let x_lo = Pose::new(Vector::new(0.0, 0.02, 0.12), Vector::new(0.1, 0.3, -0.2));
    let mut held = space.world().clone();
    let arm = held.robots().next().unwrap();
    let (id, model) = (arm.id(), arm.model().clone());
    let flange = model.link_id("flange").unwrap();
    let object = held.rigid_object_id("crate").unwrap();

    // a crate that is part of the flange may touch what the flange may touch
    let links = (0..model.links().len()).map(kinworld::LinkId::new);
    let touch = links.filter(|&link| !model.self_collision_enabled(flange, link));
    let touch: Vec<EntityId> = touch.map(|link| (id, link).into()).collect();
    held.grasp(object, (id, flange), &x_lo, &touch).unwrap();

    let mut grown = space.world().clone();
    let shape = grown
        .rigid_object(object)
        .unwrap()
        .geometry
        .clone()
        .unwrap();
    let mut builder = RobotBuilder::from(&*model);
    builder.links[flange.index()]
        .collision
        .push(Element::placed(shape, x_lo));
    grown.replace_robot(id, builder.build().unwrap()).unwrap();
    grown.remove(object).unwrap();

    let space = |world: &WorldModel| RobotCSpace::new(&shapes(world), &[id]).unwrap();
    (space(&held), space(&grown))
}

/// Whether both say the same of configurations and of ways, and how many were free.
fn compare(ours: &mut RobotCSpace, theirs: &mut RobotCSpace) -> [usize; 2] {
    let n = ours.dimension();
    let rows: Vec<f64> = (0..96).flat_map(|seed| random(ours, seed)).collect();
    let (mut free, mut expected) = (vec![false; 96], vec![false; 96]);
    ours.are_free(&rows, &mut free);
    theirs.are_free(&rows, &mut expected);
    assert_eq!(free, expected);
    let mut tally = [free.iter().filter(|free| **free).count(), 0];
    for way in rows.chunks_exact(2 * n) {
        let (a, b) = way.split_at(n);
        let mut near = b.to_vec();
        ours.interpolate_into(a, b, 0.4, &mut near);
        let is_free = ours.is_edge_free(a, &near);
        assert_eq!(is_free, theirs.is_edge_free(a, &near), "{a:?} to {near:?}");
        tally[1] += usize::from(is_free);
        let contact = ours
            .first_contact(a, &near)
            .unwrap()
            .map(|contact| contact.t);
        let expected = theirs.first_contact(a, &near).unwrap();
        assert_eq!(contact, expected.map(|contact| contact.t));
        assert_eq!(contact.is_none(), is_free);
    }
    tally
}

#[test]
fn ways_with_something_in_the_hand_are_free_as_those_of_a_robot_that_it_is_part_of() {
    let (mut ours, mut theirs) = both(WorldModel::clone);
    let tally = compare(&mut ours, &mut theirs);
    assert!(tally[0] > 10 && tally[1] > 5, "{tally:?}");

    // balls decide where they can, and do not change the answers
    let (mut ours, mut theirs) = both(WorldModel::clone);
    ours = ours.with_tiers(6).unwrap();
    assert_eq!(compare(&mut ours, &mut theirs), tally);
    let tiers = ours.tiers();
    assert!(tiers.outer > 0 && tiers.exact > 0, "{tiers:?}");
}

#[test]
fn a_robot_of_balls_stays_one_with_something_in_its_hand() {
    let balls = |world: &WorldModel| world.with_spheres(6).unwrap();
    let (mut ours, _) = both(balls);
    let _ = ours.is_free(&[0.0; 6]);
    let tiers = ours.tiers();
    assert_eq!(
        tiers.outer + tiers.inner + tiers.exact,
        1,
        "balls were asked"
    );

    // against the same shapes, asked one by one
    let mut tally = [0; 2];
    for seed in 0..200 {
        let q = random(&ours, seed);
        let free = ours.obstacle(&q).unwrap().is_none();
        assert_eq!(ours.is_free(&q), free, "{q:?}");
        tally[usize::from(free)] += 1;
    }
    assert!(tally.iter().all(|&count| count > 10), "{tally:?}");
    assert!(ours.tiers().outer > 0);
}

#[test]
fn gradients_of_clearance_count_what_is_held() {
    let (ours, theirs) = both(WorldModel::clone);
    let (world, arm) = (ours.world(), ours.world().robots().next().unwrap());
    let links = arm.links().map(|link| link.entity());
    let filter = links.fold(PairFilter::default(), PairFilter::ignore);
    let mut alone = RobotCSpace::with_filter(world, &[arm.id()], &filter).unwrap();
    let (mut ours, mut theirs) = (ours.clone(), theirs);
    let mut n = 0;
    for seed in 0..30 {
        // the same gap, whether the crate is held or a part of the link
        let q = random(&ours, seed);
        let near = ours.clearance(&q).unwrap().unwrap().nearest.distance;
        let expected = theirs.clearance(&q).unwrap().unwrap().nearest.distance;
        assert!((near - expected).abs() < 1e-9, "{q:?}");

        // of the crate alone, against differences
        let near = alone.clearance(&q).unwrap().unwrap();
        let held = |entity| alone.world().carrier(entity).is_some();
        assert!(held(near.nearest.a) || held(near.nearest.b));
        if near.nearest.distance == 0.0 {
            continue;
        }
        let h = 1e-5;
        for k in 0..q.len() {
            let mut distance = |step: f64| {
                let mut there = q.clone();
                there[k] += step;
                alone.clearance(&there).unwrap().unwrap().nearest.distance
            };
            let (before, here, after) = (distance(-h), distance(0.0), distance(h));
            // where the nearest points jump from corner to corner there is no slope
            if (after - 2.0 * here + before).abs() < 1e-3 * h {
                let slope = (after - before) / (2.0 * h);
                assert!((slope - near.gradient[k]).abs() < 1e-4, "{q:?} {k}");
                n += 1;
            }
        }
    }
    assert!(n > 50, "{n}");
}

#[test]
fn proofs_hold_for_what_is_held() {
    let (mut ours, _) = both(WorldModel::clone);
    let mut tally = [0; 2];
    for seed in 0..8 {
        let a = random_free(&mut ours, seed);
        let mut b = random_free(&mut ours, 100 + seed);
        ours.interpolate_into(&a, &b.clone(), 0.3, &mut b);
        if ours.obstacle(&b).unwrap().is_some() {
            continue;
        }
        let until = match ours.prove_edge(&a, &b, 1e-3).unwrap() {
            Proof::Free => 1.0,
            Proof::Near { t, .. } => t,
            Proof::Contact(contact) => contact.t,
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
