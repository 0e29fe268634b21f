//! Edges of an arm of bars among blocks, by two roads.

use std::sync::Arc;

use super::Proof;
use super::certain::Certainty;
use crate::geometry::Primitive;
use crate::planning::{CSpace, RobotCSpace};
use crate::robot::{Element, LinkId, LinkMotion, LinkSpec, Robot, RobotBuilder};
use crate::world::{EntityId, Terrain};
use crate::{Point, Pose, Vector, WorldModel, kinematics};

const LEAST_DISTANCE: f64 = 0.02;
const CERTAIN: Certainty = Certainty {
    least_distance: LEAST_DISTANCE,
    near_ends: false,
};

/// The same, but for what is near at an end.
const PASSED: Certainty = Certainty {
    near_ends: true,
    ..CERTAIN
};

/// Four bars one on the other, which turn or slide, among blocks.
fn bars_among_blocks() -> WorldModel {
    let block = |at: Point, size: Vector| Primitive::aabb(at, at + size).unwrap();
    let bar = || {
        Element::new(
            block(
                Point::new(-0.025, -0.025, 0.05),
                Vector::new(0.05, 0.05, 0.3),
            )
            .into(),
        )
    };
    let mut bars = RobotBuilder::new("bars");
    let mut below = None;
    for i in 0..5 {
        let motion = match i {
            0 => LinkMotion::Fixed,
            1 | 4 => LinkMotion::Revolute(Vector::z()),
            3 => LinkMotion::Prismatic(Vector::x()),
            _ => LinkMotion::Revolute(Vector::y()),
        };
        let mut link = LinkSpec::new(format!("bar{i}"), below, motion);
        link.placement = Pose::translation(0.0, 0.0, if i > 1 { 0.4 } else { 0.0 });
        let most = if i == 3 { 0.3 } else { 2.5 };
        (link.limits.q_min, link.limits.q_max) = (-most, most);
        link.collision.push(bar());
        below = Some(bars.add_link(link));
    }
    let mut world = WorldModel::new();
    world.add_robot(bars.build().unwrap());
    for (i, x) in [-0.9, -0.5, 0.5, 0.9].into_iter().enumerate() {
        let at = Point::new(x, 0.3 * x, 0.7 - 0.5 * x);
        let block = block(at, Vector::repeat(0.2));
        let block = Terrain::new(format!("block{i}"), Some(block.into()));
        world.add_terrain(block).unwrap();
    }
    world
}

/// The robot of bars, its space, and one of a fine resolution.
fn bars_and_spaces() -> (Arc<Robot>, RobotCSpace, RobotCSpace) {
    let world = bars_among_blocks();
    let bars = world.robot("bars").unwrap();
    let space = RobotCSpace::new(&world, &[bars.id()]).unwrap();
    let fine = space.clone().with_resolution(1e-3).unwrap();
    (bars.model().clone(), space, fine)
}

#[test]
fn what_is_surely_free_is_free_at_fine_samples_and_what_is_proved_is_surely_free() {
    let (arm, space, fine) = bars_and_spaces();
    let quick = fine.clone().with_sphere_prefilter(16).unwrap();
    let (mut ws, mut quick_ws) = (fine.workspace(), quick.workspace());
    let rows: Vec<Vec<f64>> = (0..400)
        .map(|seed| kinematics::sample(&arm, seed, 1.0))
        .filter(|q| space.is_free(q).unwrap())
        .collect();
    let (mut sure, mut blocked, mut proved) = (0, 0, 0);
    for edge in rows.windows(2) {
        let (a, b) = (&edge[0], &edge[1]);
        let is_quick = quick.is_surely_free_with(a, b, CERTAIN, &mut quick_ws);
        let is_quick = is_quick.unwrap();
        let is_sure = fine.is_surely_free_with(a, b, CERTAIN, &mut ws).unwrap();
        let steps = (space.distance(a, b) / 2e-3).ceil() as usize;
        let is_free = space.is_edge_free_in_steps(a, b, steps).unwrap();
        assert!(is_free || !(is_sure || is_quick));
        match fine.prove_edge_with(a, b, LEAST_DISTANCE, &mut ws).unwrap() {
            Proof::Free => {
                assert!(is_sure && is_quick);
                proved += 1;
            }
            Proof::Collision(_) => assert!(!is_sure && !is_quick),
            Proof::Near { .. } => {}
        }
        sure += usize::from(is_sure);
        blocked += usize::from(!is_free);
    }
    assert!(
        proved > 10 && sure > proved && blocked > 10,
        "{proved} {sure} {blocked}"
    );
}

#[test]
fn arcs_that_are_surely_free_are_free_at_fine_samples() {
    let (arm, space, fine) = bars_and_spaces();
    let quick = fine.clone().with_sphere_prefilter(16).unwrap();
    let (mut ws, mut quick_ws) = (fine.workspace(), quick.workspace());
    let (mut sure, mut blocked, mut bent) = (0, 0, 0);
    for seed in 0..crate::draws(700, 3000) as u64 {
        let draw = |k: u64| kinematics::sample(&arm, 3 * seed + k, 1.0);
        let [a, far, side] = [0, 1, 2].map(draw);
        let mix = |p: &[f64], q: &[f64], u: f64| -> Vec<f64> {
            p.iter().zip(q).map(|(p, q)| p + u * (q - p)).collect()
        };
        // long arcs collide more often, short ones are proved more often
        let [length, depth] = [[0.15, 0.1], [0.1, 0.06]][(seed % 2) as usize];
        let b = mix(&a, &far, length);
        let straight = mix(&a, &b, 0.5);
        let middle = mix(&straight, &side, depth);
        if !space.is_free(&a).unwrap() || !space.is_free(&b).unwrap() {
            continue;
        }
        let arc = [&a[..], &middle, &b];
        let is_sure = fine.is_arc_surely_free_with(arc, CERTAIN, &mut ws).unwrap();
        let is_quick = quick.is_arc_surely_free_with(arc, CERTAIN, &mut quick_ws);
        let is_quick = is_quick.unwrap();
        let on_arc = |u: f64| {
            let bend = 4.0 * u * (1.0 - u);
            let chord = mix(&a, &b, u);
            let beside = straight.iter().zip(&middle).map(|(s, m)| bend * (m - s));
            chord.iter().zip(beside).map(|(c, d)| c + d).collect()
        };
        // what is not sure is only counted
        let steps = if is_sure || is_quick { 300 } else { 40 };
        let is_free = (0..=steps).all(|k| {
            let q: Vec<f64> = on_arc(f64::from(k) / f64::from(steps));
            space.is_free(&q).unwrap()
        });
        assert!(is_free || !(is_sure || is_quick), "{seed}");
        let is_chord_free = fine.is_surely_free_with(&a, &b, CERTAIN, &mut ws).unwrap();
        sure += usize::from(is_sure && is_quick);
        blocked += usize::from(!is_free);
        bent += usize::from(is_chord_free && !is_free);
    }
    let [least_sure, least_blocked, least_bent] =
        [(70, 300), (4, 12), (2, 10)].map(|(few, all)| crate::draws(few, all));
    assert!(
        sure > least_sure && blocked > least_blocked && bent > least_bent,
        "{sure} {blocked} {bent}"
    );
}

#[test]
fn what_is_near_at_an_end_may_be_near_along_an_edge_where_that_is_allowed() {
    let (arm, space, fine) = bars_and_spaces();
    let mut ws = fine.workspace();
    let mut count = 0;
    for seed in 0..200 {
        let [a, b] = [2 * seed, 2 * seed + 1].map(|k| kinematics::sample(&arm, k, 1.0));
        if !space.is_free(&a).unwrap() || space.is_free(&b).unwrap() {
            continue;
        }
        // as near as rounding allows to the first obstacle, and back
        let at = |u: f64| -> Vec<f64> { a.iter().zip(&b).map(|(a, b)| a + u * (b - a)).collect() };
        let steps = (0..1000).map(|k| f64::from(k) / 1000.0);
        let mut low = steps
            .take_while(|u| space.is_free(&at(*u)).unwrap())
            .last()
            .unwrap();
        let mut high = low + 1e-3;
        while high - low > 1e-9 {
            let middle = 0.5 * (low + high);
            *(if space.is_free(&at(middle)).unwrap() {
                &mut low
            } else {
                &mut high
            }) = middle;
        }
        let (touching, before) = (at(low), at(low - 0.01));
        let is_strict = fine.is_surely_free_with(&before, &touching, CERTAIN, &mut ws);
        assert!(!is_strict.unwrap(), "{seed}");
        let is_passed = fine.is_surely_free_with(&before, &touching, PASSED, &mut ws);
        let steps = (space.distance(&before, &touching) / 1e-4).ceil() as usize;
        let is_free = space
            .is_edge_free_in_steps(&before, &touching, steps)
            .unwrap();
        assert!(is_free || !is_passed.as_ref().unwrap());
        count += usize::from(is_passed.unwrap());
    }
    assert!(count > 20, "{count}");
}

#[test]
fn edges_are_not_free_where_an_end_collides_or_is_beyond_a_limit() {
    let (arm, space, _) = bars_and_spaces();
    let quick = space.clone().with_sphere_prefilter(16).unwrap();
    let mut count = 0;
    for seed in 0..120 {
        let [a, b] = [2 * seed, 2 * seed + 1].map(|k| kinematics::sample(&arm, k, 1.0));
        if !space.is_free(&a).unwrap() {
            continue;
        }
        let mut beyond = a.clone();
        beyond[0] = arm.limits()[0].q_max + 1e-6;
        let collides = (!space.is_free(&b).unwrap()).then_some(b);
        count += usize::from(collides.is_some());
        for end in [Some(beyond), collides].into_iter().flatten() {
            for (space, certainty) in [(&space, CERTAIN), (&quick, CERTAIN), (&quick, PASSED)] {
                let mut ws = space.workspace();
                for [from, to] in [[&a, &end], [&end, &a], [&end, &end]] {
                    let is_sure = space.is_surely_free_with(from, to, certainty, &mut ws);
                    assert!(!is_sure.unwrap(), "{seed}");
                }
            }
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn bounds_on_speeds_hold_where_they_were_tightened_to() {
    let world = bars_among_blocks();
    let arm = world.robot("bars").unwrap();
    let (id, robot) = (arm.id(), arm.model());
    let space = RobotCSpace::new(&world, &[id]).unwrap();
    let mut ws = space.workspace();
    let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| {
        let side = |bit: usize, low, high| if i >> bit & 1 == 0 { low } else { high };
        let half = 0.025;
        Point::new(
            side(0, -half, half),
            side(1, -half, half),
            side(2, 0.05, 0.35),
        )
    });
    let (mut tighter, mut all) = (0, 0);
    for seed in 0..600 {
        let [a, b] = [2 * seed, 2 * seed + 1].map(|seed| kinematics::sample(robot, seed, 1.0));
        let mut speeds = space.speeds(&a, &b).unwrap();
        let loose = speeds.fastest();
        let part = 0.5 * f64::from(seed as u32) / 600.0;
        let mut at = |t: f64| -> Vec<Pose> {
            let q: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + t * (b - a)).collect();
            ws.poses.world.set_config(id, &q).unwrap();
            let state = ws.poses.world.state(id).unwrap();
            (0..5).map(|i| state.pose(robot, LinkId::new(i))).collect()
        };
        let step = 1e-3 * part;
        let times = [-1.0, -0.5, -0.1, 0.2, 0.7, 0.999].map(|u| 0.5 + u * part);
        let moves = times.map(|t| [at(t), at(t + step)]);
        at(0.5);
        space.tighten(&mut speeds, part, &ws.poses.world).unwrap();
        all += 1;
        tighter += usize::from(speeds.fastest() < 0.8 * loose);
        let links = (0..5).map(|i| EntityId::Link(id, LinkId::new(i)));
        for [before, after] in &moves {
            for (i, link) in links.clone().enumerate() {
                let most = speeds.at_most(link) * step + 1e-12;
                for corner in &corners {
                    let moved = after[i] * corner - before[i] * corner;
                    assert!(moved.norm() <= most, "{} > {most}", moved.norm());
                }
                // beside each link below it
                for (j, below) in links.clone().take(i).enumerate() {
                    let most = speeds.between(below, link) * step + 1e-12;
                    for corner in &corners {
                        let [a, b] = [before, after].map(|x| x[j].inverse() * (x[i] * corner));
                        let moved = (b - a).norm();
                        assert!(moved <= most, "{moved} > {most}");
                    }
                }
            }
        }
    }
    assert!(3 * tighter > all, "{tighter} of {all}");
}
