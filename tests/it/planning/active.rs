//! Spaces where some degrees of freedom stay, and searches with several goals.

use kinworld::planning::{
    Budget, CSpace, EdgeQuery, Obstacle, RobotCSpace, RrtConnect, plan, plan_to_any,
};
use kinworld::{DofId, WorldModel};

use crate::common::files::data;

fn cell() -> (WorldModel, RobotCSpace) {
    let world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let arm = world.robot("arm").unwrap().id();
    let space = RobotCSpace::new(&world, &[arm]).unwrap();
    (world, space)
}

const WRIST: [usize; 3] = [3, 4, 5];

#[test]
fn inactive_degrees_of_freedom_stay() {
    let (_, whole) = cell();
    let home = whole.current();
    let wrist = WRIST.map(DofId::new);
    for spheres in [None, Some(4)] {
        let space = whole.clone().with_active(&wrist).unwrap();
        let space = match spheres {
            Some(most) => space.with_sphere_prefilter(most).unwrap(),
            None => space,
        };
        assert_eq!(space.active().collect::<Vec<_>>(), wrist);
        assert_eq!(space.bounds()[0], [home[0]; 2]);
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut q = vec![0.0; 6];
        let mut last = home.clone();
        for _ in 0..200 {
            space.sample_into(&mut random, &mut q);
            assert_eq!(q[..3], home[..3]);
            // where nothing inactive moves, the answers are those of the whole space
            assert_eq!(space.is_free(&q).unwrap(), whole.is_free(&q).unwrap());
            let edges = [&space, &whole].map(|space| {
                let any = space.is_edge_free(&last, &q).unwrap();
                let first = space.edge_collision(&last, &q, EdgeQuery::First).unwrap();
                assert_eq!(any, first.is_none());
                (any, first)
            });
            assert_eq!(edges[0], edges[1]);
            last.clone_from(&q);
        }
        let mut moved = home.clone();
        moved[1] += 1e-3;
        assert!(whole.is_free(&moved).unwrap());
        assert!(!space.is_free(&moved).unwrap());
        assert!(!space.is_edge_free(&home, &moved).unwrap());
        let obstacle = space.obstacle(&moved).unwrap();
        assert!(matches!(obstacle, Some(Obstacle::Inactive { dof, .. }) if dof.index() == 1));

        // unless it stays there
        let there = space.clone().with_inactive_at(&moved).unwrap();
        assert!(there.is_free(&moved).unwrap() && !there.is_free(&home).unwrap());
    }
}

#[test]
fn a_path_moves_the_active_ones_alone() {
    let (_, whole) = cell();
    let home = whole.current();
    let space = whole.with_active(&WRIST.map(DofId::new)).unwrap();
    let mut goal = home.clone();
    (goal[3], goal[4]) = (1.0, -1.2);
    for seed in 0..5 {
        let found = plan(&space, &home, &goal, &Budget::default().seed(seed)).unwrap();
        for q in found.path.unwrap() {
            assert_eq!(q[..3], home[..3]);
        }
    }
    goal[0] += 0.5;
    let error = plan(&space, &home, &goal, &Budget::default()).unwrap_err();
    assert!(
        error.to_string().contains("stays at 0.3, and is at 0.8"),
        "{error}"
    );
}

#[test]
fn what_a_driver_couples_is_active_together() {
    let world = WorldModel::load(data("robots/gripper.urdf")).unwrap().value;
    let gripper = world.robots().next().unwrap();
    let slide = gripper.model().dof_id("left_slide").unwrap();
    let space = RobotCSpace::new(&world, &[gripper.id()]).unwrap();
    let space = space.with_active(&[slide]).unwrap();
    assert_eq!(space.active().count(), 4);
    let floating = world.robots().next().unwrap().model().n_dofs();
    assert_eq!(floating, 4);
}

#[test]
fn a_turned_base_stays_to_the_last_bit() {
    let mut world = WorldModel::load(data("robots/drone.urdf")).unwrap().value;
    let id = world.robots().next().unwrap().id();
    let model = world.robot(id).unwrap().model().clone();
    let joint = model.joints().iter().find(|joint| joint.links.len() == 6);
    let Some(joint) = joint else {
        return;
    };
    let base: Vec<usize> = joint
        .links
        .iter()
        .map(|&l| model.link(l).dof().unwrap().index())
        .collect();
    let mut q = world.robot(id).unwrap().config().to_vec();
    for (k, &i) in base.iter().enumerate() {
        q[i] = -0.1 - 0.1 * k as f64;
    }
    world.robot_mut(id).unwrap().set_config(&q).unwrap();
    let others: Vec<DofId> = (0..q.len())
        .filter(|i| !base.contains(i))
        .map(DofId::new)
        .collect();
    assert!(!others.is_empty());
    let space = RobotCSpace::new(&world, &[id])
        .unwrap()
        .with_active(&others)
        .unwrap();
    let mut goal = q.clone();
    goal[others[0].index()] += 0.2;
    let mut out = vec![0.0; q.len()];
    space.interpolate_into(&q, &goal, 0.5, &mut out);
    for &i in &base {
        assert_eq!(out[i].to_bits(), q[i].to_bits());
    }
}

#[test]
fn of_several_goals_one_that_is_free_is_reached() {
    let (_, space) = cell();
    let home = space.current();
    let blocked = vec![0.0, 1.6, 0.0, 0.0, 0.0, 0.0];
    let near = vec![0.1, 0.0, 0.2, 0.0, 0.3, 0.0];
    let goals = [blocked.clone(), near.clone()];
    let found = plan_to_any(&space, &home, &goals, &Budget::default(), |_| true).unwrap();
    assert_eq!(found.goal, Some(1));
    assert_eq!(found.path.unwrap().last(), Some(&near));

    let error = plan_to_any(&space, &home, &goals[..1], &Budget::default(), |_| true).unwrap_err();
    assert!(error.to_string().starts_with("goal: "), "{error}");
    let none: [&[f64]; 0] = [];
    assert!(plan_to_any(&space, &home, &none, &Budget::default(), |_| true).is_err());
    let one = plan(&space, &home, &near, &Budget::default()).unwrap();
    assert_eq!(one.goal, Some(0));
}

/// The unit square with a wall that has a gap at the top.
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
        Ok(!(0.4..0.6).contains(&q[0]) || q[1] > 0.9)
    }
}

#[test]
fn the_goal_that_is_named_is_the_end_of_the_path() {
    let goals = [[0.9, 0.1], [0.95, 0.5], [0.7, 0.2]];
    for seed in 0..10 {
        let planner = RrtConnect::new(&Budget::default().seed(seed));
        let found = planner
            .solve_any(&Square, &[0.1, 0.1], &goals, |_| true)
            .unwrap();
        let path = found.path.unwrap();
        assert!(path.len() > 2);
        assert_eq!(path.last().unwrap().as_slice(), goals[found.goal.unwrap()]);
    }
}
