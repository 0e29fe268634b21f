//! What is planned where little or nothing can be: robots that stay, refusals, the end of a search.

use kinworld::geometry::{Geometry, Primitive};
use kinworld::planning::{
    Budget, MotionLimits, PrioritizedOptions, RobotCSpace, Separation, Termination,
    plan_prioritized,
};
use kinworld::robot::{Element, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::RobotId;
use kinworld::{Point, Pose, WorldModel};

use super::{RADIUS, alone, assert_valid, disc, discs, limits_of, solve};

#[test]
fn robots_that_are_there_stay() {
    let space = discs(2, &[]);
    let (start, goal) = ([0.0, 0.0, -1.0, 0.0], [0.0, 0.0, 1.0, 0.0]);
    let ids: Vec<RobotId> = space.robots().collect();
    let found = solve(&space, &start, &goal, &alone());
    let motion = found.motion.expect("there is a way around");
    assert_valid(&space, &motion, &start, &goal);
    assert_eq!(motion.arrival(ids[0]), Some(0.0));
    let found = solve(&space, &start, &start, &alone());
    let motion = found.motion.unwrap();
    assert_eq!((motion.duration(), motion.at(3.0)), (0.0, start.to_vec()));
    assert_eq!(motion.discretized(0.1).unwrap().times(), [0.0]);
    let other = discs(3, &[]).robots().nth(2).unwrap();
    assert_eq!(motion.arrival(other), None);
}

#[test]
fn robots_without_degrees_of_freedom_stand_there() {
    let post = |name: &str, x: f64| {
        let mut builder = RobotBuilder::new(name);
        let mut link = LinkSpec::new("post", None, LinkMotion::Fixed);
        link.placement = Pose::translation(x, 0.0, 0.0);
        let shape = Primitive::sphere(Point::origin(), RADIUS).unwrap();
        link.collision.push(Element::new(Geometry::from(shape)));
        builder.add_link(link);
        builder.build().unwrap()
    };
    for (count, distance) in [(1, 1.0), (2, 1.0), (2, 0.1)] {
        let mut world = WorldModel::new();
        let posts = (0..count).map(|i| world.add_robot(post("post", f64::from(i) * distance)));
        let posts: Vec<RobotId> = posts.collect();
        let space = RobotCSpace::new(&world, &posts).unwrap();
        let limits = MotionLimits::joined(&[]);
        let options = PrioritizedOptions::default();
        let found = plan_prioritized(&space, &[], &[], &limits, &options, |_| true);
        if count == 2 && distance < 2.0 * RADIUS {
            assert!(found.unwrap_err().to_string().contains("collide"));
            continue;
        }
        let motion = found.unwrap().motion.unwrap();
        assert_eq!((motion.n_dofs(), motion.duration()), (0, 0.0));
        assert_eq!(space.joint_motion_collision(&motion).unwrap(), None);
    }

    // beside one that moves
    let mut world = WorldModel::new();
    let ids = [
        world.add_robot(post("post", 0.0)),
        world.add_robot(disc("disc")),
    ];
    let space = RobotCSpace::new(&world, &ids).unwrap();
    let (start, goal) = ([-1.0, 0.0], [1.0, 0.0]);
    let found = solve(&space, &start, &goal, &alone());
    assert_valid(&space, &found.motion.unwrap(), &start, &goal);
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let space = discs(2, &[]);
    let limits = limits_of(&space);
    let options = alone();
    let (start, goal) = ([-1.0, 0.0, 1.0, 0.0], [1.0, 1.0, -1.0, 0.0]);
    let refused = |start: &[f64], goal: &[f64], limits: &MotionLimits, options: &_| {
        let outcome = plan_prioritized(&space, start, goal, limits, options, |_| true);
        outcome.unwrap_err().to_string()
    };
    let together = [0.0, 0.0, 0.1, 0.0];
    let error = refused(&together, &goal, &limits, &options);
    assert!(
        error.starts_with("start: ") && error.contains("collide"),
        "{error}"
    );
    let error = refused(&start, &together, &limits, &options);
    assert!(
        error.starts_with("goal: ") && error.contains("collide"),
        "{error}"
    );
    let error = refused(&start[..2], &goal, &limits, &options);
    assert!(error.contains("needs 4 values, got 2"), "{error}");
    let error = refused(&start, &goal, &MotionLimits::new(2), &options);
    assert!(error.contains("needs 4 values, got 2"), "{error}");
    let error = refused(&start, &goal, &MotionLimits::new(4), &options);
    assert!(error.contains("no limit of velocity"), "{error}");
    for (options, what) in [
        (alone().with_max_orders(0), "orders"),
        (alone().with_deviation(f64::NAN), "deviation"),
        (
            alone().with_separation(Separation::SweptVolumes { spacing: 0.0 }),
            "spacing",
        ),
    ] {
        let error = refused(&start, &goal, &limits, &options);
        assert!(error.contains(what), "{error}");
    }
    let id = space.robots().next().unwrap();
    let twice = RobotCSpace::new(space.world(), &[id, id]).unwrap_err();
    assert!(twice.to_string().contains("is named twice"), "{twice}");
}

#[test]
fn searches_end_by_time_and_by_their_observer() {
    let wall = [[-0.1, -3.0, 0.1, 2.5]];
    let space = discs(2, &wall);
    let (start, goal) = ([-1.0, 0.0, -1.0, 1.0], [1.0, 0.0, 1.0, 1.0]);
    let limits = limits_of(&space);
    let cancelled = plan_prioritized(&space, &start, &goal, &limits, &alone(), |i| i < 5).unwrap();
    assert_eq!(cancelled.termination, Termination::Cancelled);
    assert_eq!((cancelled.motion, cancelled.iterations), (None, 5));
    let none = Budget::default().max_time(std::time::Duration::ZERO);
    let found = solve(&space, &start, &goal, &alone().with_budget(none));
    assert_eq!((found.motion, found.termination), (None, Termination::Time));
}
