//! Road maps while objects move, against checks made anew.

use kinworld::kinematics::ik::{Objective, RotationGoal};
use kinworld::planning::{
    Budget, CSpace, ConstrainedSpace, EdgeState, RigidObjectCSpace, RoadMap, RobotCSpace,
    RobotConstraint,
};
use kinworld::world::{PairFilter, RigidObjectId};
use kinworld::{Pose, Vector, WorldModel};

use super::{assert_states, length, path};
use crate::common::random::Random;
use crate::planning::{cell, random_free};

/// The objects of a space that may move.
fn objects(space: &RobotCSpace) -> Vec<RigidObjectId> {
    let world = space.world();
    let ids = world.rigid_objects().map(|(id, _)| id);
    ids.filter(|&id| world.attachment(id).is_none()).collect()
}

/// A pose over the table, where the arm may come.
fn pose(random: &mut Random) -> Pose {
    let at = Vector::new(0.5, 0.0, 0.4) + 0.5 * random.vector();
    Pose::new(at, 2.0 * random.vector())
}

/// Moves one of the objects.
fn shuffle(space: &mut RobotCSpace, random: &mut Random) {
    let ids = objects(space);
    let id = ids[random.below(ids.len())];
    space.set_pose(id, &pose(random)).unwrap();
}

/// The same space with few samples of edges.
fn coarse(space: RobotCSpace) -> RobotCSpace {
    space.with_resolution(0.125).unwrap()
}

/// Moves objects, and checks after each repair that what is known about edges is what checks say.
fn check_repairs(space: RobotCSpace, rounds: usize) -> [usize; 2] {
    let mut space = coarse(space);
    let mut map = RoadMap::new(&space).with_seed(1);
    map.grow(&space, 24).unwrap();
    let mut random = Random::new(4);
    let [mut kept, mut forgotten] = [0, 0];
    for _ in 0..rounds {
        map.check_edges(&space, |_| true).unwrap();
        let known = map.edges().len();
        shuffle(&mut space, &mut random);
        let repair = map.repair(&space).unwrap();
        assert_eq!(repair.kept + repair.forgotten, known);
        let unknown = map
            .edges()
            .iter()
            .filter(|edge| edge.state == EdgeState::Unknown);
        assert_eq!(unknown.count(), repair.forgotten);
        let again = map.repair(&space).unwrap();
        assert_eq!((again.kept, again.forgotten), (repair.kept, 0));
        assert_states(&map, &space);
        kept += repair.kept;
        forgotten += repair.forgotten;
    }
    [kept, forgotten]
}

#[test]
fn after_a_move_no_edge_is_kept_whose_state_changed() {
    let plain = cell();
    let prefiltered = cell().with_sphere_prefilter(4).unwrap();
    let world = cell().world().clone();
    let arm = world.robots().next().unwrap();
    let (id, flange) = (arm.id(), arm.model().link_id("flange").unwrap());
    let mut filter = PairFilter::default().with_margin_of(id, 0.04);
    for (object, _) in world.rigid_objects() {
        filter = filter.with_margin(id, object, 0.1);
    }
    let with_margins = RobotCSpace::with_filter(&world, &[id], &filter).unwrap();
    let mut held = world.clone();
    let crate_ = held.rigid_object_id("crate").unwrap();
    let x_lo = Pose::translation(0.0, 0.0, 0.15);
    held.grasp(crate_, (id, flange), &x_lo, &[]).unwrap();
    let with_crate = RobotCSpace::new(&held, &[id]).unwrap();
    for space in [plain, prefiltered, with_margins, with_crate] {
        let [kept, forgotten] = check_repairs(space, 2);
        assert!(kept > forgotten / 4 && forgotten > 8, "{kept} {forgotten}");
    }
}

#[test]
fn a_repaired_map_answers_as_one_of_which_nothing_is_known() {
    let mut space = coarse(cell());
    let mut repaired = RoadMap::new(&space).with_seed(2);
    repaired.grow(&space, 80).unwrap();
    let anew = repaired.clone();
    let mut random = Random::new(8);
    let budget = Budget::default().max_iterations(0).shortcuts(0);
    let (mut found, mut changed) = (0, 0);
    let mut before = None;
    for round in 0..8 {
        shuffle(&mut space, &mut random);
        let fine = space
            .clone()
            .with_resolution(space.resolution() / 4.0)
            .unwrap();
        for seed in 0..2 {
            let (a, b) = (random_free(&space, seed), random_free(&space, 50 + seed));
            let ours = repaired.plan(&space, &a, &b, &budget).unwrap();
            let theirs = anew.clone().plan(&space, &a, &b, &budget).unwrap();
            assert_eq!(ours, theirs, "round {round}");
            let Some(waypoints) = &ours.path else {
                continue;
            };
            found += 1;
            for edge in waypoints.windows(2) {
                assert!(fine.is_edge_free(&edge[0], &edge[1]).unwrap());
            }
            if seed == 0 {
                changed += usize::from(before.as_ref().is_some_and(|old| old != waypoints));
                before = Some(waypoints.clone());
            }
        }
    }
    assert_eq!(repaired.len(), anew.len());
    assert!(found > 8 && changed > 0, "{found} {changed}");
}

#[test]
fn plans_pass_the_checks_of_a_plan_and_may_be_made_shorter() {
    let mut space = cell();
    let mut map = RoadMap::new(&space);
    map.grow(&space, 60).unwrap();
    let mut random = Random::new(11);
    let (mut shorter, mut around) = (0, 0);
    for seed in 0.. {
        shuffle(&mut space, &mut random);
        let (a, b) = (random_free(&space, seed), random_free(&space, 70 + seed));
        if space.is_edge_free(&a, &b).unwrap() {
            continue;
        }
        let [plain, short] = [0, 30].map(|shortcuts| {
            let budget = Budget::default().shortcuts(shortcuts);
            let plan = map.plan(&space, &a, &b, &budget).unwrap();
            let fine = space.clone().with_resolution(1.0 / 120.0).unwrap();
            for edge in path(&plan, &a, &b).windows(2) {
                assert!(fine.is_edge_free(&edge[0], &edge[1]).unwrap());
            }
            length(&space, &plan.path.unwrap())
        });
        assert!(short <= plain * (1.0 + 1e-12));
        shorter += usize::from(short < plain);
        around += 1;
        if around == 3 {
            break;
        }
    }
    assert!(shorter > 0);
}

/// A map of a space with all edges checked.
fn checked(space: &impl CSpace, samples: usize) -> RoadMap {
    let mut map = RoadMap::new(space);
    map.grow(space, samples).unwrap();
    map.check_edges(space, |_| true).unwrap();
    map
}

/// Numbers of edges of which the state is kept and forgotten.
fn counts(map: &RoadMap, space: &impl CSpace) -> [usize; 2] {
    let repair = map.clone().repair(space).unwrap();
    [repair.kept, repair.forgotten]
}

#[test]
fn what_no_box_tells_is_forgotten() {
    let space = coarse(cell());
    let map = checked(&space, 20);
    let all = map.edges().len();
    assert_eq!(counts(&map, &space), [all, 0]);
    let weighted = space.clone().with_weights(&[2.0; 6]).unwrap();
    assert_eq!(counts(&map, &weighted), [all, 0]);
    let mut measured = map.clone();
    measured.repair(&weighted).unwrap();
    for (edge, before) in measured.edges().iter().zip(map.edges()) {
        assert!((edge.length - 2.0 * before.length).abs() < 1e-12);
    }

    // nothing has moved, but other samples may be asked, or another world
    let finer = space.clone().with_resolution(0.01).unwrap();
    assert_eq!(counts(&map, &finer), [0, all]);
    let id = space.robots().next().unwrap();
    let other = RobotCSpace::new(space.world(), &[id]).unwrap();
    assert_eq!(counts(&map, &other), [0, all]);

    // an object that comes back changed nothing
    let ball = space.world().rigid_object_id("ball").unwrap();
    let before = space.world().rigid_object(ball).unwrap().pose;
    let mut moved = space.clone();
    moved
        .set_pose(ball, &Pose::translation(0.3, 0.2, 0.5))
        .unwrap();
    moved.set_pose(ball, &before).unwrap();
    assert_eq!(counts(&map, &moved), [all, 0]);
}

#[test]
fn maps_of_manifolds_and_of_rigid_objects_forget_all_that_a_move_may_change() {
    let mut space = coarse(cell());
    let arm = space.world().robots().next().unwrap();
    let up = RotationGoal::Axis {
        d_link: Vector::z(),
        target: Vector::z(),
    };
    let goal = Objective::rotation(arm.model().link_id("flange").unwrap(), up);
    let keep = RobotConstraint::new(&space, arm.id(), &[goal]).unwrap();
    let upright = ConstrainedSpace::new(space.clone(), keep.clone());
    let map = checked(&upright, 12);
    let all = map.edges().len();
    assert!(all > 10);
    assert_eq!(counts(&map, &upright), [all, 0]);
    let ball = space.world().rigid_object_id("ball").unwrap();
    let far = Pose::translation(9.0, 0.0, 0.0);
    space.set_pose(ball, &far).unwrap();
    assert_eq!(counts(&map, &ConstrainedSpace::new(space, keep)), [0, all]);

    let mut world = WorldModel::load(crate::common::files::data("terrains/table.env"))
        .unwrap()
        .value;
    for file in ["objects/crate.obj", "objects/ball.obj"] {
        let _ = world
            .load_element(crate::common::files::data(file))
            .unwrap();
    }
    let crate_ = world.rigid_object_id("crate").unwrap();
    let ball = world.rigid_object_id("ball").unwrap();
    let bounds = [[0.0, 1.5], [-1.0, 1.0], [0.0, 1.0]];
    let mut space = RigidObjectCSpace::new(&world, crate_, bounds, &[]).unwrap();
    let map = checked(&space, 20);
    let all = map.edges().len();
    assert_states(&map, &space);
    space.robot_space_mut().set_pose(ball, &far).unwrap();
    assert_eq!(counts(&map, &space), [0, all]);
}
