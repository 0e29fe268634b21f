//! Prioritized plans of several robots, against brute force along their times.

mod limits;
mod smooth;

use kinworld::geometry::{Geometry, Primitive};
use kinworld::planning::{
    Budget, CSpace, JointMotion, MotionLimits, PrioritizedOptions, PrioritizedPlan, RobotCSpace,
    Separation, Termination, plan_prioritized,
};
use kinworld::robot::{Element, Limits, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::{PairFilter, RigidObject, RobotId, Terrain, WorldCollider};
use kinworld::{Point, Pose, Robot, Vector, WorldModel};

/// Radius of a disc, m.
const RADIUS: f64 = 0.2;

/// A sphere that moves in the plane of x and y.
fn disc(name: &str) -> Robot {
    let mut limits = Limits::default();
    (limits.q_min, limits.q_max) = (-3.0, 3.0);
    (limits.v_min, limits.v_max) = (-1.0, 1.0);
    limits.a_max = 2.0;
    let mut builder = RobotBuilder::new(name);
    let mut x = LinkSpec::new("x", None, LinkMotion::Prismatic(Vector::x()));
    x.limits = limits;
    let x = builder.add_link(x);
    let mut y = LinkSpec::new("y", Some(x), LinkMotion::Prismatic(Vector::y()));
    y.limits = limits;
    let ball = Primitive::sphere(Point::origin(), RADIUS).unwrap();
    y.collision.push(Element::new(Geometry::from(ball)));
    builder.add_link(y);
    builder.build().unwrap()
}

/// The space of so many discs among walls, boxes from corner to corner.
fn discs(count: usize, walls: &[[f64; 4]]) -> RobotCSpace {
    let mut world = WorldModel::new();
    let ids: Vec<RobotId> = (0..count)
        .map(|i| world.add_robot(disc(&format!("disc {i}"))))
        .collect();
    for (i, [x0, y0, x1, y1]) in walls.iter().enumerate() {
        let wall = Primitive::aabb(Point::new(*x0, *y0, -1.0), Point::new(*x1, *y1, 1.0));
        let wall = Terrain::new(format!("wall {i}"), Some(wall.unwrap().into()));
        world.add_terrain(wall).unwrap();
    }
    RobotCSpace::new(&world, &ids).unwrap()
}

/// Two copies of an arm that face each other, as in the example.
fn two_arms() -> RobotCSpace {
    let data = crate::common::files::data("");
    let arm = Robot::load(data.join("robots/arm6.urdf")).unwrap().value;
    let mut opposite = RobotBuilder::from(&arm);
    let turned = Pose::new(
        Vector::new(1.3, 0.0, 0.0),
        Vector::z() * std::f64::consts::PI,
    );
    opposite.links[0].placement = turned * opposite.links[0].placement;
    let mut world = WorldModel::new();
    let near = world.add_robot(arm);
    let far = world.add_robot(opposite.build().unwrap());
    let _ = world.load_element(data.join("terrains/table.env")).unwrap();
    RobotCSpace::new(&world, &[near, far]).unwrap()
}

fn limits_of(space: &RobotCSpace) -> MotionLimits {
    let robots = space.robots().map(|id| space.world().robot(id).unwrap());
    let each: Vec<MotionLimits> = robots.map(|r| MotionLimits::of(r.model())).collect();
    let limits = MotionLimits::joined(&each);
    let acceleration: Vec<f64> = limits.acceleration().iter().map(|a| a.min(5.0)).collect();
    limits.with_acceleration(&acceleration).unwrap()
}

fn solve(
    space: &RobotCSpace,
    start: &[f64],
    goal: &[f64],
    options: &PrioritizedOptions,
) -> PrioritizedPlan {
    plan_prioritized(space, start, goal, &limits_of(space), options, |_| true).unwrap()
}

fn alone() -> PrioritizedOptions {
    let budget = Budget::default().max_iterations(300);
    PrioritizedOptions::default()
        .with_budget(budget)
        .with_joint(None)
}

/// Checks a motion at many times by a collider of its own, and rates by differences of configurations.
fn assert_valid(space: &RobotCSpace, motion: &JointMotion, start: &[f64], goal: &[f64]) {
    let limits = limits_of(space);
    assert_eq!(motion.check(&limits).unwrap(), None);
    assert_eq!(motion.at(-1.0), start);
    let end = motion.at(motion.duration() + 1.0);
    let off = end.iter().zip(goal).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f64::max) < 1e-9, "{end:?} {goal:?}");

    let collider = WorldCollider::new(space.world(), &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    let count = 3000;
    let h = motion.duration().max(0.1) / f64::from(count);
    let at = |i: i32| motion.at(h * f64::from(i));
    for i in 0..=count {
        let (before, q, after) = (at(i - 1), at(i), at(i + 1));
        let mut first = 0;
        for id in space.robots() {
            let n = space.world().robot(id).unwrap().model().n_dofs();
            ws.set_config(id, &q[first..first + n]).unwrap();
            first += n;
        }
        let time = h * f64::from(i);
        assert_eq!(collider.first_collision_with(&mut ws), None, "{time}");
        for dof in 0..q.len() {
            let v = (after[dof] - q[dof]) / h;
            let a = (after[dof] - 2.0 * q[dof] + before[dof]) / (h * h);
            let [_, most] = limits.velocity()[dof];
            assert!(v.abs() <= most * (1.0 + 1e-6), "{time} {dof} {v}");
            let most = limits.acceleration()[dof];
            assert!(a.abs() <= most * (1.0 + 1e-6) + 1e-6, "{time} {dof} {a}");
        }
    }
}

/// Distance of the centres of two discs.
fn apart(q: &[f64], p: &[f64], [i, j]: [usize; 2]) -> f64 {
    (q[2 * i] - p[2 * j]).hypot(q[2 * i + 1] - p[2 * j + 1])
}

#[test]
fn who_comes_later_waits_no_longer_than_it_has_to() {
    let space = discs(2, &[]);
    let (start, goal) = ([-1.0, 0.0, 0.0, -1.0], [1.0, 0.0, 0.0, 1.0]);
    let found = solve(&space, &start, &goal, &alone());
    let motion = found.motion.expect("one waits");
    assert_valid(&space, &motion, &start, &goal);

    let ids: Vec<RobotId> = space.robots().collect();
    assert_eq!((found.order, found.is_joint), (ids.clone(), false));
    assert_eq!(found.termination, Termination::Found);
    assert!(found.failed.is_empty());
    // 2 m with 2 m/s² up to 1 m/s
    assert!((motion.arrival(ids[0]).unwrap() - 2.5).abs() < 1e-3);
    assert!(motion.waits(ids[0]).is_empty());
    let last = motion.arrival(ids[1]).unwrap();
    assert!(last > 2.6 && last < 3.5, "{last}");
    assert!(!motion.waits(ids[1]).is_empty());
    assert_eq!(motion.duration(), last);

    let rows = motion.discretized(0.01).unwrap();
    assert_eq!(rows.end_time(), last);
    assert_eq!(rows.milestones()[100], motion.at(1.0));
    let [q, v, _] = motion.state_at(1.0);
    assert_eq!((q, v), (motion.at(1.0), motion.velocity_at(1.0)));
    assert!((motion.velocity_at(1.0)[0] - 1.0).abs() < 1e-9);

    // no common departure without a wait is free
    let at_once = solve(&discs(1, &[]), &start[2..], &goal[2..], &alone());
    let at_once = at_once.motion.unwrap();
    let meets = (0..=2500).any(|i| {
        let t = f64::from(i) * 1e-3;
        let q = [motion.at(t)[..2].to_vec(), at_once.at(t)].concat();
        apart(&q, &q, [0, 1]) < 2.0 * RADIUS
    });
    assert!(meets);
}

#[test]
fn swept_volumes_are_clear_at_all_pairs_of_times() {
    let space = discs(3, &[]);
    let start = [-1.0, 0.0, 0.0, -1.0, 1.6, -1.0];
    let goal = [1.0, 0.0, 0.0, 1.0, 1.6, 1.0];
    let separation = Separation::SweptVolumes { spacing: 0.02 };
    let options = alone().with_separation(separation);
    let found = solve(&space, &start, &goal, &options);
    let motion = found.motion.expect("there is a way around");
    assert_valid(&space, &motion, &start, &goal);
    for id in space.robots() {
        assert!(motion.waits(id).is_empty());
    }
    let count = 400;
    let all: Vec<Vec<f64>> = (0..=count)
        .map(|i| motion.at(motion.duration() * f64::from(i) / f64::from(count)))
        .collect();
    let mut least = f64::INFINITY;
    for q in &all {
        for p in &all {
            for pair in [[0, 1], [0, 2], [1, 2]] {
                least = apart(q, p, pair).min(least);
            }
        }
    }
    // the copies stand for all that is between them
    assert!(least > 2.0 * RADIUS, "{least}");

    // timed motions are not: the second passes where the first was
    let timed = solve(&space, &start, &goal, &alone()).motion.unwrap();
    let at = |t: f64| timed.at(t);
    let times = || (0..=100).map(|i| timed.duration() * f64::from(i) / 100.0);
    assert!(times().any(|s| times().any(|t| apart(&at(s), &at(t), [0, 1]) < 2.0 * RADIUS)));
}

#[test]
fn what_robots_carry_is_swept_and_waited_for() {
    let mut world = discs(2, &[]).world().clone();
    let ids: Vec<RobotId> = world.robots().map(|robot| robot.id()).collect();
    let bar = Primitive::cuboid(Pose::identity(), Vector::new(0.1, 1.0, 0.1)).unwrap();
    let bar = world
        .add_rigid_object(RigidObject {
            geometry: Some(bar.into()),
            ..RigidObject::new("bar")
        })
        .unwrap();
    world
        .robot_mut(ids[0])
        .unwrap()
        .set_config(&[-2.0, 0.0])
        .unwrap();
    world
        .rigid_object_mut(bar)
        .unwrap()
        .set_pose(&Pose::translation(-2.0, 0.0, 0.0))
        .unwrap();
    let hand = world.robot(ids[0]).unwrap().link("y").unwrap().entity();
    world.attach(bar, hand, &[]).unwrap();
    let space = RobotCSpace::new(&world, &ids).unwrap();
    // the first passes the second at its start, its bar does not
    let (start, goal) = ([-2.0, 0.0, 0.0, 0.6], [2.0, 0.0, 0.0, 1.6]);
    for separation in [
        Separation::Timed,
        Separation::SweptVolumes { spacing: 0.02 },
    ] {
        let options = alone().with_separation(separation);
        let with_bar = solve(&space, &start, &goal, &options).motion.unwrap();
        assert_valid(&space, &with_bar, &start, &goal);
        let without = solve(&discs(2, &[]), &start, &goal, &options)
            .motion
            .unwrap();
        let lowest = |motion: &JointMotion| {
            let times = (0..=1000).map(|i| motion.duration() * f64::from(i) / 1000.0);
            times.map(|t| motion.at(t)[1]).fold(0.0, f64::min)
        };
        assert!(lowest(&without).abs() < 1e-9, "{}", lowest(&without));
        assert!(lowest(&with_bar) < -0.1, "{}", lowest(&with_bar));
    }
}

#[test]
fn another_order_is_tried_where_one_fails() {
    // a pocket that opens to the right, with one disc in it, and the goal of the other at its mouth
    let pocket = [
        [-2.0, -0.5, -0.4, -0.3],
        [-2.0, 0.3, -0.4, 0.5],
        [-2.2, -0.5, -2.0, 0.5],
    ];
    let space = discs(2, &pocket);
    let ids: Vec<RobotId> = space.robots().collect();
    let (start, goal) = ([-0.3, -0.9, -1.5, 0.0], [-0.4, 0.0, 1.5, 1.0]);
    let found = solve(&space, &start, &goal, &alone());
    let motion = found.motion.as_ref().expect("the other order works");
    assert_valid(&space, motion, &start, &goal);
    assert_eq!(found.order, [ids[1], ids[0]]);
    assert_eq!(found.failed.len(), 1);
    assert_eq!(found.failed[0].order, [ids[0], ids[1]]);
    let reason = &found.failed[0].reason;
    assert!(reason.starts_with("`disc 1`: no path found"), "{reason}");
    assert!(
        reason.ends_with("no timing along its path avoids those before it"),
        "{reason}"
    );

    // from far away the first arrives so late that the second gets out before
    let start = [2.5, -1.0, -1.0, 0.0];
    let found = solve(&space, &start, &goal, &alone());
    let motion = found.motion.as_ref().expect("it gets out in time");
    assert_valid(&space, motion, &start, &goal);
    assert_eq!((found.order, found.failed.len()), (ids, 0));

    let one = alone().with_max_orders(1);
    let start = [-0.3, -0.9, -1.5, 0.0];
    assert!(solve(&space, &start, &goal, &one).motion.is_none());
}

#[test]
fn where_no_order_works_the_joint_space_is_searched_and_it_is_said() {
    let space = discs(2, &[]);
    let (start, goal) = ([-1.0, 0.0, 1.0, 0.0], [1.0, 0.0, -1.0, 0.0]);
    let found = solve(&space, &start, &goal, &alone());
    assert_eq!(found.motion, None);
    assert_eq!(found.termination, Termination::Iterations);
    assert_eq!((found.failed.len(), found.iterations), (2, 0));
    let reason = &found.failed[0].reason;
    assert!(reason.starts_with("`disc 0`: goal: "), "{reason}");
    assert!(reason.contains(" collide"), "{reason}");

    let options = alone().with_joint(Some(Budget::default()));
    let found = solve(&space, &start, &goal, &options);
    assert!(found.is_joint && found.order.is_empty());
    assert_eq!(found.termination, Termination::Found);
    assert_eq!(found.failed.len(), 2);
    let motion = found.motion.expect("they pass each other");
    assert_valid(&space, &motion, &start, &goal);
    for id in space.robots() {
        assert_eq!(motion.arrival(id), Some(motion.duration()));
        assert!(motion.waits(id).is_empty());
    }
}

#[test]
fn eight_robots_cross_a_square() {
    let space = discs(8, &[]);
    // from left to right and from below to above, between one another
    let at = |i: usize| -2.1 + 1.4 * i as f64;
    let (mut start, mut goal) = (Vec::new(), Vec::new());
    for i in 0..4 {
        start.extend([-2.8, at(i)]);
        goal.extend([2.8, at(i)]);
    }
    for i in 0..4 {
        start.extend([at(i), -2.8]);
        goal.extend([at(i), 2.8]);
    }
    let found = solve(&space, &start, &goal, &alone());
    let motion = found.motion.expect("they pass one another");
    assert_valid(&space, &motion, &start, &goal);
    let alone = 5.6 + 0.5;
    assert!(motion.duration() < 2.0 * alone, "{}", motion.duration());
}

#[test]
fn random_ends_of_discs_are_joined_or_the_reason_is_given() {
    let walls = [[-0.1, -3.5, 0.1, -0.5], [-0.1, 0.5, 0.1, 3.5]];
    let space = discs(3, &walls);
    let count = if std::env::var_os("KINWORLD_FULL").is_some() {
        60
    } else {
        6
    };
    let mut solved = 0;
    for seed in 0..count {
        let start = super::random_free(&space, 2 * seed);
        let goal = super::random_free(&space, 2 * seed + 1);
        let found = solve(&space, &start, &goal, &alone());
        match found.motion {
            Some(motion) => {
                solved += 1;
                assert_eq!(motion.check(&limits_of(&space)).unwrap(), None);
                // between two samples of the check discs come nearer by less than that
                let near = 2.0 * RADIUS - 2.0 * 2.0_f64.sqrt() * space.step() / 4.0;
                for i in 0..=2000 {
                    let q = motion.at(motion.duration() * f64::from(i) / 2000.0);
                    for pair in [[0, 1], [0, 2], [1, 2]] {
                        assert!(apart(&q, &q, pair) > near, "{seed} {i}");
                    }
                }
            }
            None => assert!(!found.failed.is_empty()),
        }
    }
    assert!(solved > count / 2, "{solved}");
}

#[test]
fn arms_take_turns_with_and_without_spheres() {
    let space = two_arms();
    // one comes to where the other begins
    let bent = |yaw: f64| [yaw, 0.9, -0.5, 0.0, 0.4, 0.0];
    let start = [bent(0.6), [0.0; 6]].concat();
    let goal = [bent(-0.6), bent(-0.6)].concat();
    let options = PrioritizedOptions::default().with_joint(None);
    let found = solve(&space, &start, &goal, &options);
    assert_eq!(found, solve(&space, &start, &goal, &options));
    let motion = found.motion.as_ref().expect("one waits for the other");
    assert_valid(&space, motion, &start, &goal);

    // spheres decide in lanes, with the same answers
    let lanes = space.clone().with_sphere_prefilter(8).unwrap();
    assert_eq!(found, solve(&lanes, &start, &goal, &options));

    // limits of jerk are held, too
    let limits = limits_of(&space).with_jerk(&[40.0; 12]).unwrap();
    let slow = plan_prioritized(&space, &start, &goal, &limits, &options, |_| true).unwrap();
    let slow = slow.motion.unwrap();
    assert_eq!(slow.check(&limits).unwrap(), None);
    assert!(slow.duration() > motion.duration());
    assert_valid(&space, &slow, &start, &goal);
}

#[test]
fn spin_joints_take_the_shorter_way_and_never_jump() {
    let data = crate::common::files::data("");
    let arm = Robot::load(data.join("robots/planar3R.rob")).unwrap().value;
    let mut moved = RobotBuilder::from(&arm);
    moved.links[0].placement = Pose::translation(2.0, 0.0, 0.0) * moved.links[0].placement;
    let mut world = WorldModel::new();
    let ids = [
        world.add_robot(arm),
        world.add_robot(moved.build().unwrap()),
    ];
    let space = RobotCSpace::new(&world, &ids).unwrap();
    // the second lifts its arm out of the way through 0 of its elbow, the first comes there and waits on its way
    let start = [3.0, 0.3, 0.2, 2.6, 0.4, 0.2];
    let goal = [0.6, 6.0, 6.1, 0.5, 6.0, 0.1];
    for seed in 0..3 {
        let budget = Budget::default().max_iterations(2000).seed(seed);
        let options = alone().with_budget(budget);
        let limits = limits_of(&space);
        let found = plan_prioritized(&space, &start, &goal, &limits, &options, |_| true).unwrap();
        let motion = found.motion.expect("there is room above");
        assert_eq!(motion.check(&limits).unwrap(), None);
        assert_eq!(space.joint_motion_collision(&motion).unwrap(), None);
        // no number moves faster than its limit from one time to the next
        let count = 2000;
        let at = |i: i32| motion.at(motion.duration() * f64::from(i) / f64::from(count));
        for i in 0..count {
            let step = at(i).into_iter().zip(at(i + 1)).map(|(a, b)| (a - b).abs());
            let most = 1.001 * motion.duration() / f64::from(count);
            assert!(step.fold(0.0, f64::max) <= most, "{seed} {i}");
        }
        let turn = std::f64::consts::TAU;
        for (x, goal) in at(count).iter().zip(goal) {
            let off = (x - goal).rem_euclid(turn);
            assert!(off.min(turn - off) < 1e-9, "{x} {goal}");
        }
    }
}
