//! Goals that inverse kinematics finds.

use std::time::Duration;

use kinworld::geometry::Primitive;
use kinworld::kinematics::ik::{Objective, PositionGoal};
use kinworld::math::Pose;
use kinworld::planning::{
    Budget, CSpace, EdgeQuery, Goal, RobotCSpace, RrtConnect, Termination, plan, plan_to_goals,
};
use kinworld::robot::{Element, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::Terrain;
use kinworld::{DofId, LinkId, Point, State, Vector, WorldModel};

use crate::common::files::data;

fn cell() -> (WorldModel, RobotCSpace, LinkId) {
    let world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let arm = world.robot("arm").unwrap();
    let flange = arm.model().link_id("flange").unwrap();
    let space = RobotCSpace::new(&world, &[arm.id()]).unwrap();
    (world, space, flange)
}

/// Where the flange is at a configuration.
fn pose_at(world: &WorldModel, flange: LinkId, q: &[f64]) -> Pose {
    let robot = world.robot("arm").unwrap().model().clone();
    let mut state = State::new(&robot);
    state.set_config(&robot, q).unwrap();
    state.pose(&robot, flange)
}

#[test]
fn a_path_leads_to_a_pose_and_is_free() {
    let (world, space, flange) = cell();
    let home = space.current();
    for (seed, q) in [
        (0, [0.4, 0.3, -0.2, 0.1, 0.5, 0.2]),
        (1, [-1.2, 0.2, 0.4, 0.3, -0.4, 0.1]),
    ] {
        assert!(space.is_free(&q).unwrap());
        let target = pose_at(&world, flange, &q);
        let goals = [Goal::Objectives(vec![Objective::pose(flange, &target)])];
        let budget = Budget::default().seed(seed);
        let found = plan_to_goals(&space, &home, &goals, &budget, |_| true).unwrap();
        assert_eq!(found.goal, Some(0));
        assert!(found.unreached.is_empty());
        let path = found.path.unwrap();
        assert_eq!(path[0], home);
        let end = pose_at(&world, flange, path.last().unwrap());
        assert!((end.translation.vector - target.translation.vector).norm() < 1e-8);
        assert!(end.rotation.angle_to(&target.rotation) < 1e-8);
        let finer = space.clone().with_resolution(0.005).unwrap();
        for edge in path.windows(2) {
            let blocked = finer.edge_collision(&edge[0], &edge[1], EdgeQuery::Any);
            assert!(blocked.unwrap().is_none());
        }
    }
}

/// A sphere on three rails below a plate with a hole of 0.08 m in its middle.
fn plate_with_a_hole() -> (RobotCSpace, LinkId) {
    let mut robot = RobotBuilder::new("rails");
    let mut carried = None;
    for (name, axis) in [("x", Vector::x()), ("y", Vector::y()), ("z", Vector::z())] {
        let mut rail = LinkSpec::new(name, carried, LinkMotion::Prismatic(axis));
        (rail.limits.q_min, rail.limits.q_max) = (-0.5, 0.5);
        if name == "z" {
            let sphere = Primitive::sphere(Point::origin(), 0.01).unwrap();
            rail.collision.push(Element::new(sphere.into()));
        }
        carried = Some(robot.add_link(rail));
    }
    let mut world = WorldModel::new();
    world.add_robot(robot.build().unwrap());
    for (i, (low, high)) in [
        ([-1.0, -1.0], [-0.04, 1.0]),
        ([0.04, -1.0], [1.0, 1.0]),
        ([-0.04, -1.0], [0.04, -0.04]),
        ([-0.04, 0.04], [0.04, 1.0]),
    ]
    .into_iter()
    .enumerate()
    {
        let corner = |[x, y]: [f64; 2], z| Point::new(x, y, z);
        let part = Primitive::aabb(corner(low, 0.3), corner(high, 0.4)).unwrap();
        let part = Terrain::new(format!("part{i}"), Some(part.into()));
        world.add_terrain(part).unwrap();
    }
    let rails = world.robot("rails").unwrap();
    let carried = rails.model().link_id("z").unwrap();
    (RobotCSpace::new(&world, &[rails.id()]).unwrap(), carried)
}

#[test]
fn where_few_configurations_that_meet_a_goal_are_free_more_are_tried() {
    let (space, carried) = plate_with_a_hole();
    let at = |z: f64| {
        let plane = PositionGoal::Plane {
            p_link: Point::origin(),
            through: Point::new(0.0, 0.0, z),
            normal: Vector::z(),
        };
        [Goal::Objectives(vec![Objective::position(carried, plane)])]
    };
    let start = [-0.3, 0.2, -0.4];
    let solve =
        |z, budget: &Budget| plan_to_goals(&space, &start, &at(z), budget, |_| true).unwrap();
    // of 101 restarts one in four rounds finds the hole, which is 0.0036 of the plate; of sixteen rounds all but 0.3 %
    for seed in 0..8 {
        let found = solve(0.35, &Budget::default().seed(seed));
        let path = found.path.expect("there is a hole");
        let end = path.last().unwrap();
        assert!((end[2] - 0.35).abs() < 1e-6 && end[0].abs() < 0.03 && end[1].abs() < 0.03);
    }
    // without time there is one round, and beyond the rails there is none
    let mut missed = 0;
    for seed in 0..8 {
        let few = solve(0.35, &Budget::default().seed(seed).max_time(Duration::ZERO));
        missed += usize::from(few.termination == Termination::NoGoal);
    }
    assert!(missed > 2, "{missed}");
    let beyond = solve(0.7, &Budget::default());
    assert_eq!(beyond.termination, Termination::NoGoal);
    assert_eq!(beyond.unreached[0].0, 0);
}

#[test]
fn of_configurations_and_objectives_the_one_that_is_reached_is_named() {
    let (world, space, flange) = cell();
    let home = space.current();
    let q = [0.1, 0.0, 0.2, 0.0, 0.3, 0.0];
    let far = Objective::point(flange, Point::origin(), Point::new(9.0, 0.0, 0.0));
    let there = Objective::pose(flange, &pose_at(&world, flange, &q));
    let (far, there) = (Goal::Objectives(vec![far]), Goal::Objectives(vec![there]));
    let budget = Budget::default();
    let goals = [far.clone(), there.clone()];
    let found = plan_to_goals(&space, &home, &goals, &budget, |_| true).unwrap();
    assert_eq!(found.goal, Some(1));
    let [(0, nearest)] = &found.unreached[..] else {
        panic!("{:?}", found.unreached);
    };
    assert!(nearest.position_error > 1.0);

    let goals = [far.clone(), Goal::Config(q.to_vec())];
    let found = plan_to_goals(&space, &home, &goals, &budget, |_| true).unwrap();
    assert_eq!((found.goal, found.unreached.len()), (Some(1), 1));
    // with configurations alone it is the search that there was
    let known = plan(&space, &home, &q, &budget).unwrap();
    assert_eq!(found.path, known.path);

    let found = plan_to_goals(&space, &home, &[far], &budget, |_| true).unwrap();
    assert_eq!(found.termination, Termination::NoGoal);
    assert_eq!((found.path, found.unreached.len()), (None, 1));
    assert!(plan_to_goals(&space, &home, &[], &budget, |_| true).is_err());
}

#[test]
fn what_does_not_move_stays_where_it_is() {
    let (world, space, flange) = cell();
    let home = space.current();
    let active: Vec<DofId> = (0..4).map(DofId::new).collect();
    let space = space.with_active(&active).unwrap();
    let mut q = home.clone();
    q[0] += 0.6;
    q[2] += 0.3;
    let there = pose_at(&world, flange, &q);
    let point = Objective::point(flange, Point::origin(), there.translation.vector.into());
    let goals = [Goal::Objectives(vec![point])];
    let found = plan_to_goals(&space, &home, &goals, &Budget::default(), |_| true).unwrap();
    let path = found.path.unwrap();
    for q in &path {
        assert_eq!(q[4..], home[4..]);
    }
    assert!(path.last().unwrap()[..4] != home[..4]);
}

#[test]
fn objectives_are_for_one_robot() {
    let world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let arm = world.robot("arm").unwrap();
    let (id, flange) = (arm.id(), arm.model().link_id("flange").unwrap());
    let robots: Vec<_> = world.robots().map(|robot| robot.id()).collect();
    assert_eq!(robots.len(), 2);
    let filter = kinworld::world::PairFilter::default().allow_missing_geometry();
    let space = RobotCSpace::with_filter(&world, &robots, &filter).unwrap();
    assert_eq!(space.robots().collect::<Vec<_>>(), robots);
    assert!(robots.contains(&id));
    let there = Objective::point(flange, Point::origin(), Point::new(0.2, 0.4, 0.7));
    let goals = [Goal::Objectives(vec![there])];
    let error = plan_to_goals(&space, &space.current(), &goals, &Budget::default(), |_| {
        true
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("spaces of one robot"), "{error}");
}

/// The unit square with a wall across it, which has a gap at the top.
struct Square;

impl CSpace for Square {
    type Workspace = ();

    fn workspace(&self) {}

    fn n_dofs(&self) -> usize {
        2
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        vec![[0.0, 1.0]; 2]
    }

    fn is_free_with(&self, q: &[f64], (): &mut ()) -> kinworld::Result<bool> {
        Ok((q[0] - 0.5).abs() > 0.02 || q[1] > 0.9)
    }
}

#[test]
fn goals_are_drawn_as_the_tree_grows_and_those_in_the_way_are_left_out() {
    let budget = Budget::default().range(0.05);
    let planner = RrtConnect::new(&budget);
    // behind a wall, so that the search takes a while; of the drawn ones every other is in the wall
    let mut drawn = Vec::new();
    let draw = || {
        let k = drawn.len() as f64;
        let x = if drawn.len() % 2 == 0 { 0.5 } else { 0.95 };
        let goal = vec![x, 0.05 + 0.01 * (k % 50.0)];
        drawn.push(goal.clone());
        Ok(Some(goal))
    };
    let start = [0.1, 0.1];
    let goals = [[0.9, 0.1]];
    let found = planner
        .solve_drawn(&Square, &[start], &goals, draw, |_| true)
        .unwrap();
    assert!(found.iterations > 10, "{}", found.iterations);
    assert!(
        drawn.len() > 2 && drawn.len() < found.iterations + 2,
        "{}",
        drawn.len()
    );
    let end = found.path.unwrap().pop().unwrap();
    let reached = found.goal.unwrap();
    match reached {
        0 => assert_eq!(end, goals[0]),
        k => assert_eq!(end, drawn[k - 1]),
    }
    assert_eq!(end[0], if reached == 0 { 0.9 } else { 0.95 });
    // what is no configuration is refused, and is no goal that is not free
    let short = planner.solve_drawn(&Square, &[start], &goals, || Ok(Some(vec![0.9])), |_| true);
    assert!(short.unwrap_err().to_string().starts_with("goal"));
    // an error of the source ends the search
    let refused = || WorldModel::load("nowhere.xml").map(|_| None);
    let error = planner.solve_drawn(&Square, &[start], &goals, refused, |_| true);
    assert!(error.unwrap_err().to_string().contains("nowhere"));
}
