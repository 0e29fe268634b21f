//! Paths in constrained spaces.

use crate::common::errors::assert_refused;
use kinworld::kinematics::ik::{Anchor, Objective, PositionGoal, RotationGoal};
use kinworld::planning::{
    Budget, CSpace, ConstrainedSpace, Constraint, EdgeQuery, EmbeddedSpace, Plan, RobotCSpace,
    RobotConstraint, RrtConnect, Termination,
};
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{DofId, Point, Pose, State, Vector, WorldModel};

use super::{cell, random, space};

/// An arm whose flange keeps its axis up.
fn upright(space: RobotCSpace) -> ConstrainedSpace<RobotCSpace, RobotConstraint> {
    let arm = space.world().robots().next().unwrap();
    let up = RotationGoal::Axis {
        d_link: Vector::z(),
        target: Vector::z(),
    };
    let goal = Objective::rotation(arm.model().link_id("flange").unwrap(), up);
    let keep = RobotConstraint::new(&space, arm.id(), &[goal]).unwrap();
    ConstrainedSpace::new(space, keep)
}

/// A random configuration of the manifold that is free.
fn random_free<C: Constraint>(space: &ConstrainedSpace<RobotCSpace, C>, seed: u64) -> Vec<f64> {
    let drawn = (0..1000).filter_map(|i| {
        let q = random(space.ambient(), 1000 * seed + i);
        space.project(&q)
    });
    let drawn: Vec<_> = drawn.take(200).collect();
    let free = drawn.into_iter().find(|q| space.is_free(q).unwrap());
    free.expect("one of them is free")
}

/// The largest angle between the axis of the flange and the vertical, from the robot itself.
fn worst_tilt(space: &RobotCSpace, path: &[Vec<f64>]) -> f64 {
    let robot = space.world().robots().next().unwrap();
    let flange = robot.model().link_id("flange").unwrap();
    let mut state = State::new(robot.model());
    let tilt = |q: &Vec<f64>| {
        state.set_config(robot.model(), q).unwrap();
        let axis = state.pose(robot.model(), flange).rotation * Vector::z();
        axis.cross(&Vector::z()).norm().atan2(axis.z)
    };
    path.iter().map(tilt).fold(0.0, f64::max)
}

/// Checks that nothing collides on a path, with a collider of its own, and at a fine resolution between its points.
fn assert_free(space: &RobotCSpace, path: &[Vec<f64>]) {
    let world = space.world();
    let robot = world.robots().next().unwrap().id();
    let collider = WorldCollider::new(world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    for q in path {
        ws.set_config(robot, q).unwrap();
        assert_eq!(collider.first_collision_with(&mut ws), None);
    }
    let fine = space.clone().with_resolution(1.0 / 200.0).unwrap();
    for edge in path.windows(2) {
        assert_eq!(
            fine.edge_collision(&edge[0], &edge[1], EdgeQuery::First)
                .unwrap(),
            None
        );
    }
}

fn path(found: Plan) -> Vec<Vec<f64>> {
    assert_eq!(found.termination, Termination::Found);
    found.path.unwrap()
}

#[test]
fn a_cup_stays_upright_around_objects_on_the_table() {
    let space = upright(cell());
    let mut around = 0;
    for seed in 0..4 {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 100));
        let planner = RrtConnect::new(&Budget::default().seed(seed).shortcuts(20));
        let waypoints = path(planner.solve(&space, &a, &b).unwrap());
        around += usize::from(waypoints.len() > 2);
        let all = space.discretized(&waypoints).unwrap();
        assert_eq!((&all[0], &all[all.len() - 1]), (&a, &b));
        let tilt = worst_tilt(space.ambient(), &all);
        assert!(tilt <= 1e-6, "{tilt}");
        assert_free(space.ambient(), &all);

        // no segment jumps
        let longest = all.windows(2).map(|p| space.distance(&p[0], &p[1]));
        assert!(longest.fold(0.0, f64::max) <= 2.0 / 32.0);
    }
    assert!(around > 0, "some paths are not straight");
}

#[test]
fn between_the_points_of_a_path_a_smaller_step_leaves_the_manifold_less() {
    let space = upright(cell());
    let (a, b) = (random_free(&space, 0), random_free(&space, 100));
    let planner = RrtConnect::new(&Budget::default().shortcuts(0));
    let fine = space.clone().with_step(1.0 / 64.0).unwrap();
    let waypoints = path(planner.solve(&fine, &a, &b).unwrap());
    let between = |step: f64| {
        let fine = space.clone().with_step(step).unwrap();
        let all = fine.discretized(&waypoints).unwrap();
        let mut middles = Vec::new();
        for edge in all.windows(2) {
            let mut q = edge[0].clone();
            fine.ambient()
                .interpolate_into(&edge[0], &edge[1], 0.5, &mut q);
            middles.push(q);
        }
        let tilts = middles
            .chunks(1)
            .map(|middle| worst_tilt(space.ambient(), middle));
        tilts.sum::<f64>() / middles.len() as f64
    };

    // the square of the step
    let (coarse, fine) = (between(1.0 / 16.0), between(1.0 / 64.0));
    assert!(fine < coarse / 8.0, "{coarse} {fine}");
}

#[test]
fn a_hand_stays_on_its_line() {
    let space = cell();
    let arm = space.world().robots().next().unwrap();
    let flange = arm.model().link_id("flange").unwrap();
    let line = PositionGoal::Line {
        p_link: Point::origin(),
        through: Point::new(0.5, 0.0, 0.5),
        direction: Vector::new(0.0, 2.0, 0.0),
    };
    let keep = RobotConstraint::new(&space, arm.id(), &[Objective::position(flange, line)]);
    let space = ConstrainedSpace::new(space.clone(), keep.unwrap());
    let near = |angle: f64| space.project(&[angle, 0.5, 0.5, 0.0, 0.4, 0.0]).unwrap();
    let (a, b) = (near(-0.7), near(0.8));
    let found = RrtConnect::new(&Budget::default().shortcuts(20)).solve(&space, &a, &b);
    let all = space.discretized(&path(found.unwrap())).unwrap();
    let robot = space.ambient().world().robots().next().unwrap();
    let mut state = State::new(robot.model());
    for q in &all {
        state.set_config(robot.model(), q).unwrap();
        let p = state.pose(robot.model(), flange).translation.vector;
        assert!((p.x - 0.5).hypot(p.z - 0.5) <= 1.5e-6, "{p}");
    }
    assert_free(space.ambient(), &all);
    let mut y_of = |q: &[f64]| {
        state.set_config(robot.model(), q).unwrap();
        state.pose(robot.model(), flange).translation.vector.y
    };
    assert!(y_of(&b) - y_of(&a) > 0.4, "the path has a length");
}

#[test]
fn equal_seeds_find_equal_paths_and_others_others() {
    let space = upright(cell());
    let blocked = (0..20).find_map(|seed| {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 200));
        (!space.is_edge_free(&a, &b).unwrap()).then_some((a, b))
    });
    let (a, b) = blocked.expect("some edge is blocked");
    let solve = |seed| {
        let planner = RrtConnect::new(&Budget::default().seed(seed).shortcuts(0));
        path(planner.solve(&space, &a, &b).unwrap())
    };
    assert_eq!(solve(5), solve(5));
    assert_ne!(solve(5), solve(6));
}

/// The Jacobian of a constraint by central differences.
fn differences(constraint: &impl Constraint, q: &[f64]) -> Vec<f64> {
    let h = 1e-6;
    let rows = constraint.rows();
    let (mut up, mut down) = (vec![0.0; rows], vec![0.0; rows]);
    let mut out = Vec::new();
    for i in 0..q.len() {
        let mut there = q.to_vec();
        there[i] = q[i] + h;
        constraint.residual_into(&there, &mut up);
        there[i] = q[i] - h;
        constraint.residual_into(&there, &mut down);
        out.extend(
            up.iter()
                .zip(&down)
                .map(|(up, down)| (up - down) / (2.0 * h)),
        );
    }
    out
}

/// Two arms of one world, each with a goal, and one with a goal relative to a link of its own.
fn two_arms() -> (RobotCSpace, RobotConstraint) {
    let data = crate::common::files::data("");
    let world = WorldModel::load(data.join("worlds/cell.xml"))
        .unwrap()
        .value;
    let (arm, reacher) = (world.robot("arm").unwrap(), world.robot("reacher").unwrap());
    let space = RobotCSpace::new(&world, &[reacher.id(), arm.id()]).unwrap();
    let hand = arm.model().link_id("flange").unwrap();
    let tip = reacher.model().link_id("link2").unwrap();
    let plane = PositionGoal::Plane {
        p_link: Point::new(0.1, 0.2, 0.3),
        through: Point::new(0.0, 0.0, 0.6),
        normal: Vector::new(0.1, 0.0, 1.0),
    };
    let axis = RotationGoal::Axis {
        d_link: Vector::new(0.0, 1.0, 1.0),
        target: Vector::x(),
    };
    let point = Objective::point(hand, Point::new(0.0, 0.1, 0.0), Point::new(0.3, 0.1, 0.2))
        .relative_to(Anchor::Link(arm.model().link_id("upper_arm").unwrap()))
        .with_weights(3.0, 1.0);
    let wall = Objective::position(tip, plane)
        .relative_to(Anchor::Object(Pose::translation(-1.6, 0.9, 1.0)));
    let keep = RobotConstraint::new(&space, arm.id(), &[point]).unwrap();
    let keep = keep.and(&space, reacher.id(), &[wall]).unwrap();
    let keep = keep
        .and(&space, arm.id(), &[Objective::rotation(hand, axis)])
        .unwrap();
    (space, keep)
}

#[test]
fn the_jacobian_is_the_derivative_of_the_residual() {
    let (space, keep) = two_arms();
    assert_eq!(keep.rows(), 6);
    let mut jacobian = vec![0.0; keep.rows() * space.n_dofs()];
    for seed in 0..20 {
        let q = random(&space, seed);
        keep.jacobian_into(&q, &mut jacobian);
        let expected = differences(&keep, &q);
        for (ours, theirs) in jacobian.iter().zip(&expected) {
            assert!((ours - theirs).abs() < 1e-7, "{seed}: {ours} {theirs}");
        }
    }
    let single = upright(cell());
    let q = random(single.ambient(), 7);
    let mut jacobian = vec![0.0; 12];
    single.constraint().jacobian_into(&q, &mut jacobian);
    for (ours, theirs) in jacobian.iter().zip(&differences(single.constraint(), &q)) {
        assert!((ours - theirs).abs() < 1e-7, "{ours} {theirs}");
    }
}

/// The same equations with the projection that every constraint has.
struct Plain<'a>(&'a RobotConstraint);

impl Constraint for Plain<'_> {
    fn rows(&self) -> usize {
        self.0.rows()
    }

    fn residual_into(&self, q: &[f64], out: &mut [f64]) {
        self.0.residual_into(q, out);
    }

    fn jacobian_into(&self, q: &[f64], out: &mut [f64]) {
        self.0.jacobian_into(q, out);
    }
}

#[test]
fn two_projections_lead_to_nearly_the_same_point() {
    let space = upright(cell());
    let keep = space.constraint();
    let mut compared = 0;
    for seed in 0..40 {
        let Some(on) = space.project(&random(space.ambient(), seed)) else {
            continue;
        };
        assert!(keep.error(&on) <= keep.tolerance());
        let nudge = random(space.ambient(), seed + 500);
        let near: Vec<f64> = on.iter().zip(&nudge).map(|(q, d)| q + 0.01 * d).collect();
        let (Some(a), Some(b)) = (space.project(&near), Plain(keep).project(&near)) else {
            continue;
        };
        // only one of them respects limits
        let is_inside = |(q, [low, high]): (&f64, [f64; 2])| low + 1e-3 < *q && *q < high - 1e-3;
        if !a.iter().zip(space.bounds()).all(is_inside) {
            continue;
        }
        compared += 1;
        assert!(keep.error(&a) <= 1e-6 && keep.error(&b) <= 1e-6);
        let moved = space.distance(&near, &a).max(space.distance(&near, &b));
        assert!(space.distance(&a, &b) <= 0.2 * moved + 1e-5, "{a:?} {b:?}");
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn samples_are_on_the_manifold_and_near_the_center() {
    let space = upright(cell());
    let center = random_free(&space, 1);
    let mut x = 0.3;
    let mut uniform = || {
        x = (x * 997.0 + 0.123_456_7) % 1.0;
        x
    };
    let mut q = center.clone();
    let mut farthest = 0.0_f64;
    for _ in 0..50 {
        space.sample_into(&mut uniform, &mut q);
        assert!(space.constraint().error(&q) <= 1e-6);
        space.sample_near_into(&center, 0.3, &mut uniform, &mut q);
        assert!(space.constraint().error(&q) <= 1e-6);
        farthest = farthest.max(space.distance(&center, &q));
    }
    assert!((0.05..=0.3).contains(&farthest), "{farthest}");
    let drawn: Vec<f64> = center.iter().chain(&q).copied().collect();
    let mut free = [false; 2];
    space.are_free(&drawn, &mut free).unwrap();
    assert_eq!(
        free,
        [space.is_free(&center).unwrap(), space.is_free(&q).unwrap()]
    );
}

#[test]
fn what_projection_may_not_move_stays() {
    let space = cell();
    let arm = space.world().robots().next().unwrap().id();
    let keep = upright(space.clone()).constraint().clone();
    let wrist: Vec<DofId> = [3, 4, 5].map(DofId::new).to_vec();
    let keep = keep.with_active(arm, &wrist).unwrap();
    let reference = [0.4, -0.2, 0.3, 0.0, 0.0, 0.0];
    let on = keep
        .project(&reference)
        .expect("the wrist can rotate the flange up");
    assert_eq!(on[..3], reference[..3]);
    assert_refused(
        keep.clone().with_active(arm, &[DofId::new(9)]),
        "there is no degree of freedom 9; there are 6",
    );

    // a part of the space, in which only the wrist moves
    let constrained = ConstrainedSpace::new(space, keep);
    let part = EmbeddedSpace::new(constrained, on.clone(), vec![3, 4, 5]).unwrap();
    assert!(part.is_free(&on[3..]).unwrap());
    assert!(!part.is_free(&[0.0; 3]).unwrap());
}

#[test]
fn what_cannot_be_a_constraint_or_an_end_says_why() {
    let space = upright(cell());
    let on = random_free(&space, 2);
    let error = RrtConnect::new(&Budget::default())
        .solve(&space, &on, &[0.0, 0.3, 0.0, 0.0, 0.0, 0.0])
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("goal: `arm6[flange]` misses its goal by "),
        "{error}"
    );

    // beyond the arm
    let plain = cell();
    let arm = plain.world().robots().next().unwrap();
    let flange = arm.model().link_id("flange").unwrap();
    let far = Objective::point(flange, Point::origin(), Point::new(9.0, 0.0, 0.0));
    let keep = RobotConstraint::new(&plain, arm.id(), &[far]).unwrap();
    assert_eq!(keep.project(&[0.1; 6]), None);

    assert_refused(
        RobotConstraint::new(&plain, arm.id(), &[]),
        "the goals of a constraint: there are none",
    );
    assert_refused(keep.clone().with_tolerance(0.0), "0 is not a positive");
    let other = space_of_other();
    let stranger = other.world().robots().nth(1).unwrap().id();
    let joined = keep.clone().and(&other, stranger, &[]);
    assert_refused(joined, "needs 6 values, got 3");
    assert_refused(space.clone().with_step(f64::NAN), "NaN is not a positive");
    assert_refused(
        space.discretized(&[vec![0.0; 5]]),
        "a waypoint of a path needs 6 values, got 5",
    );
    assert_eq!(space.discretized(&[]).unwrap(), Vec::<Vec<f64>>::new());
    assert_eq!(space.project(&[0.0; 5]), None);
    assert_eq!(space.project(&[f64::NAN; 6]), None);
    assert_refused(space.is_free(&[f64::NAN; 6]), "value 0 is NaN");
}

fn space_of_other() -> RobotCSpace {
    space(&["robots/planar3R.rob", "robots/arm6.urdf"])
}

#[test]
fn projections_keep_what_drivers_couple() {
    let space = space(&["robots/gripper.rob"]);
    let gripper = space.world().robots().next().unwrap();
    let pad = gripper.model().link_id("left_pad").unwrap();
    let plane = PositionGoal::Plane {
        p_link: Point::new(0.03, 0.0, 0.0),
        through: Point::new(0.0, 0.03, 0.0),
        normal: Vector::y(),
    };
    let goal = Objective::position(pad, plane);
    let keep = RobotConstraint::new(&space, gripper.id(), &[goal]).unwrap();
    let space = ConstrainedSpace::new(space, keep);
    let mut projected = 0;
    for seed in 0..20 {
        let q = random(space.ambient(), seed);
        let Some(on) = space.project(&q) else {
            continue;
        };
        projected += 1;
        assert!((on[1] - on[2]).abs() < 1e-12 && (on[3] + on[4]).abs() < 1e-12);
        let y = 0.01 + on[1] + 0.03 * on[3].sin();
        assert!((y - 0.03).abs() <= 1e-6, "{y}");
        let is_free = space.ambient().clone().obstacle(&on).unwrap().is_none();
        assert_eq!(space.is_free(&on).unwrap(), is_free);
    }
    assert!(projected > 5, "{projected}");
}
