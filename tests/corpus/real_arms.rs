//! Arms that exist, among shelves, boxes and tables.

use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::path::Path;

use kinworld::geometry::{Geometry, Placed, Primitive};
use kinworld::io::{LoadOptions, Loader};
use kinworld::kinematics::{State, sample};
use kinworld::planning::{
    Budget, CSpace, EdgeQuery, MaskOptions, Obstacle, PairClass, RobotCSpace, SelfCollisionMask,
    plan,
};
use kinworld::robot::Limits;
use kinworld::world::{EntityId, PairFilter, Terrain, WorldCollider, self_collisions};
use kinworld::{LinkId, Point, Pose, Robot, Vector, WorldModel};
use serde_json::Value;

use crate::common::files::{data, json};
use crate::common::numbers::{list, numbers, word};
use crate::common::random::Random;
use crate::folders::{corpus, motion_bench};
use crate::things::shape;

/// One in fifty of the problems of MotionBenchMaker, with spheres for the Panda as VAMP has them.
pub(crate) fn the_panda_solves_the_problems_of_motion_bench_maker() {
    let folder = motion_bench();
    let spheres = panda(&folder.join("panda_spherized.urdf"));
    let meshes = panda(&folder.join("panda.urdf"));
    let problems = json(&data("golden/motion_bench.json"));
    let mut refused = 0;
    for problem in list(&problems) {
        let (start, goal) = (numbers(&problem["start"]), numbers(&problem["goal"]));
        let space = among(&spheres, &obstacles(problem));
        let found = plan(&space, &start, &goal, &Budget::default()).unwrap();
        let path = found.path.unwrap_or_else(|| panic!("{problem}"));
        assert_eq!((&path[0], &path[path.len() - 1]), (&start, &goal));
        assert_free(space.world(), &path);

        // the same path with the exact shapes, with and without a sphere pre-filter
        let exact = among(&meshes, &obstacles(problem));
        let prefiltered = exact.clone().with_sphere_prefilter(16).unwrap();
        let mut is_refused = false;
        for w in path.windows(2) {
            let is_free = exact
                .edge_collision(&w[0], &w[1], EdgeQuery::First)
                .unwrap()
                .is_none();
            assert_eq!(prefiltered.is_edge_free(&w[0], &w[1]).unwrap(), is_free);
            is_refused |= !is_free;
        }
        refused += usize::from(is_refused);
    }
    let count = list(&problems).len();
    // without spheres around it, the hand of the Panda is wider, but not everywhere
    assert!(
        0 < refused && refused < count,
        "meshes refuse {refused} of {count} paths"
    );
}

/// The UR5 of the corpus with its meshes: shelves, a bin, pillars.
pub(crate) fn the_ur5_finds_paths_among_shelves_pillars_and_into_a_bin() {
    let root = corpus();
    let mut arm = WorldModel::new();
    let robot = Loader::new().robot(root.join("robots/ur5.rob"));
    arm.add_robot(robot.unwrap().value);
    let mut around = 0;
    let is_full = std::env::var_os("KINWORLD_FULL").is_some();
    let seeds = if is_full { 0..3 } else { 0..1 };
    for (name, obstacles) in scenes() {
        let plain = among(&arm, &obstacles);
        let space = plain.clone().with_sphere_prefilter(32).unwrap();
        for seed in seeds.clone() {
            // joints rotate through two full turns; the elbow cannot, see below
            let [a, b] = [seed, seed + 50].map(|seed| {
                let mut q = random_free(&plain, seed);
                q[ELBOW] = q[ELBOW].sin().atan2(q[ELBOW].cos());
                q
            });
            let found = plan(&space, &a, &b, &Budget::default().seed(seed)).unwrap();
            let path = found
                .path
                .unwrap_or_else(|| panic!("{name} {seed}: {:?} {a:?} {b:?}", found.termination));
            let fine = plain.clone().with_resolution(1.0 / 128.0).unwrap();
            for w in path.windows(2) {
                assert_eq!(
                    fine.edge_collision(&w[0], &w[1], EdgeQuery::First).unwrap(),
                    None,
                    "{name} {seed}"
                );
            }
            around += usize::from(path.len() > 2);
        }
    }
    assert!(around > 0, "all paths are straight");
}

/// The limits of the elbow allow two turns, but folded up it puts the wrist into the shoulder, whatever the other joints do:
/// no path joins configurations that differ by a full turn of the elbow.
pub(crate) fn the_elbow_of_the_ur5_cannot_make_a_full_rotation() {
    let root = corpus();
    let mut arm = WorldModel::new();
    let robot = Loader::new().robot(root.join("robots/ur5.rob"));
    arm.add_robot(robot.unwrap().value);
    let robot = arm.robots().next().unwrap();
    let elbow = robot.link("forearm_link").unwrap().id();
    let dof = robot.model().link(elbow).dof().unwrap().index();
    let limits = robot.model().limits()[dof];
    assert_eq!(dof, ELBOW);
    assert!(limits.q_min < -PI && limits.q_max > PI);

    let space = among(&arm, &[]);
    for seed in 0..40 {
        let mut q = random(&space, seed);
        q[ELBOW] = [PI, -PI, PI - 0.1, 0.1 - PI][seed as usize % 4];
        let obstacle = space.obstacle(&q).unwrap();
        let is_self = matches!(obstacle, Some(Obstacle::SelfCollision { .. }));
        assert!(is_self, "{q:?}: {obstacle:?}");
    }
}

/// A random configuration of the first robot.
fn random(space: &RobotCSpace, seed: u64) -> Vec<f64> {
    let robot = space.world().robots().next().unwrap();
    sample(robot.model(), seed, 1.0)
}

/// A random configuration that is free.
fn random_free(space: &RobotCSpace, seed: u64) -> Vec<f64> {
    let mut tries = (0..1000).map(|i| random(space, 1000 * seed + i));
    let is_free = |q: &Vec<f64>| space.is_free(q).unwrap();
    tries.find(is_free).expect("one of a thousand is free")
}

/// The degree of freedom of the elbow of `ur5.rob`, where the weld of the base has the first one.
const ELBOW: usize = 3;

/// Obstacles around an arm that stands at the origin.
fn scenes() -> Vec<(&'static str, Vec<Geometry>)> {
    let cuboid = |x: f64, y: f64, z: f64, size: [f64; 3]| {
        let pose = Pose::translation(x, y, z);
        Geometry::from(Primitive::cuboid(pose, Vector::from(size)).unwrap())
    };
    let mut shelves = vec![
        cuboid(0.85, -0.45, 0.5, [0.3, 0.02, 1.0]),
        cuboid(0.85, 0.45, 0.5, [0.3, 0.02, 1.0]),
    ];
    shelves.extend([0.2, 0.5, 0.8].map(|z| cuboid(0.85, 0.0, z, [0.3, 0.9, 0.02])));
    let bin = vec![
        cuboid(0.55, 0.0, 0.01, [0.42, 0.42, 0.02]),
        cuboid(0.35, 0.0, 0.12, [0.02, 0.42, 0.2]),
        cuboid(0.75, 0.0, 0.12, [0.02, 0.42, 0.2]),
        cuboid(0.55, -0.2, 0.12, [0.42, 0.02, 0.2]),
        cuboid(0.55, 0.2, 0.12, [0.42, 0.02, 0.2]),
    ];
    let pillars = [0.4, 1.7, 2.9, 4.2, 5.3].map(|angle: f64| {
        let (x, y) = (0.55 * angle.cos(), 0.55 * angle.sin());
        let (foot, head) = (Point::new(x, y, -0.2), Point::new(x, y, 1.0));
        Geometry::from(Primitive::capsule(foot, head, 0.05).unwrap())
    });
    vec![
        ("shelves", shelves),
        ("bin", bin),
        ("pillars", pillars.into()),
    ]
}

/// Checks that along a path no two shapes that count collide, pair by pair in double precision, at every hundredth of a radian.
fn assert_free(world: &WorldModel, path: &[Vec<f64>]) {
    let mut world = world.clone();
    let pairs: Vec<_> = WorldCollider::new(&world, &PairFilter::default())
        .unwrap()
        .pairs()
        .collect();
    assert!(!pairs.is_empty());
    let id = world.robots().next().unwrap().id();
    for w in path.windows(2) {
        let moves = w[0].iter().zip(&w[1]);
        let far = moves
            .clone()
            .fold(0.0, |far: f64, (a, b)| far.max((b - a).abs()));
        let n = (far * 100.0).ceil().max(1.0) as usize;
        for i in 0..=n {
            let u = i as f64 / n as f64;
            let q: Vec<f64> = moves.clone().map(|(a, b)| a + u * (b - a)).collect();
            world.robot_mut(id).unwrap().set_config(&q).unwrap();
            let robot = world.robot(id).unwrap();
            let placed = |entity| match entity {
                EntityId::Link(_, link) => robot.link(link).unwrap().geometry().unwrap(),
                EntityId::Terrain(id) => {
                    let shape = world.terrain(id).unwrap().geometry.clone();
                    Placed::new(shape.unwrap(), Pose::identity())
                }
                other => panic!("{other}"),
            };
            for &(a, b) in &pairs {
                assert!(!placed(a).collides(&placed(b)).unwrap(), "{a} {b} {q:?}");
            }
        }
    }
}

/// The obstacles of a problem.
fn obstacles(problem: &Value) -> Vec<Geometry> {
    let solid = |value: &Value| {
        let (size, pose) = (numbers(&value["size"]), numbers(&value["pose"]));
        shape(word(&value["type"]), &size, &pose)
    };
    list(&problem["objects"]).iter().map(solid).collect()
}

/// A robot among obstacles.
fn among(robot: &WorldModel, obstacles: &[Geometry]) -> RobotCSpace {
    let mut world = robot.clone();
    for (i, obstacle) in obstacles.iter().enumerate() {
        let obstacle = Terrain::new(format!("obstacle {i}"), Some(obstacle.clone()));
        world.add_terrain(obstacle).unwrap();
    }
    let id = world.robots().next().unwrap().id();
    RobotCSpace::new(&world, &[id]).unwrap()
}

/// The groups and states of the Panda's own SRDF, and a path of the arm from one state to another.
pub(crate) fn the_panda_has_the_groups_and_states_of_its_srdf() {
    let world = panda(&motion_bench().join("panda.urdf"));
    let robot = world.robots().next().unwrap();
    let model = robot.model();
    let names: Vec<&str> = model
        .groups()
        .iter()
        .map(|group| group.name.as_str())
        .collect();
    assert_eq!(names, ["panda_arm", "hand", "panda_arm_hand"]);
    let arm = model.dofs_of(model.group("panda_arm").unwrap());
    let joints: Vec<&str> = arm.iter().map(|&dof| model.joint_name(dof)).collect();
    let expected: Vec<String> = (1..8).map(|i| format!("panda_joint{i}")).collect();
    assert_eq!(joints, expected);
    let hand = &model.end_effectors()[0];
    assert_eq!(model.link(hand.parent).name(), "panda_link8");
    assert_eq!(hand.parent_group.as_deref(), Some("panda_arm"));

    let state = |name: &str| model.named_config(name, Some("panda_arm")).unwrap();
    let (ready, extended) = (state("ready"), state("extended"));
    assert!((ready[1] + 0.785).abs() < 1e-15);
    let space = RobotCSpace::new(&world, &[robot.id()]).unwrap();
    let space = space
        .with_active(&arm)
        .unwrap()
        .with_inactive_at(&ready)
        .unwrap();
    let found = plan(&space, &ready, &extended, &Budget::default()).unwrap();
    assert_eq!(found.path.unwrap().last(), Some(&extended));
}

/// A world with the Panda alone.
fn panda(file: &Path) -> WorldModel {
    let options = LoadOptions::default()
        .with_srdf(Some(file.with_file_name("panda.srdf")))
        .with_packages(vec![("meshes".to_owned(), file.with_file_name("meshes"))]);
    let mut world = WorldModel::new();
    let loaded = Loader::with_options(options).robot(file);
    world.add_robot(loaded.unwrap().value);
    world
}

/// What the Panda's official SRDF hides, and what masks that are learned do, beside the bound that they report.
pub(crate) fn masks_of_the_panda_hide_no_more_than_they_report() {
    let is_full = std::env::var_os("KINWORLD_FULL").is_some();
    let (checked, samples) = if is_full {
        (100_000, 10_000)
    } else {
        (4000, 2000)
    };
    let file = motion_bench().join("panda.urdf");
    let loaded = |srdf: bool| {
        let options = LoadOptions::default()
            .with_srdf(srdf.then(|| file.with_file_name("panda.srdf")))
            .with_packages(vec![("meshes".to_owned(), file.with_file_name("meshes"))]);
        Loader::with_options(options).robot(&file).unwrap().value
    };
    let bare = loaded(false);
    let learn = |samples: usize, disables_default: bool| {
        let options = MaskOptions::default().with_samples(samples);
        let options = options.with_disable_default(disables_default);
        SelfCollisionMask::learn(&bare, &options).unwrap()
    };
    let few = learn(samples / 10, false);
    let many = learn(samples, false);
    let default = learn(samples, true);

    // pairs that always collide and neighbours are of no interest, in none of the masks
    let of_interest: Vec<(LinkId, LinkId)> = many
        .pairs()
        .iter()
        .filter(|pair| !matches!(pair.class, PairClass::Adjacent | PairClass::Always))
        .map(|pair| pair.links)
        .collect();
    let masks: [(&str, Robot, Option<f64>); 4] = [
        ("official SRDF", loaded(true), None),
        (
            "acm, a tenth of the samples",
            few.apply(&bare).unwrap(),
            Some(bound(&few)),
        ),
        ("acm", many.apply(&bare).unwrap(), Some(bound(&many))),
        (
            "acm --default",
            default.apply(&bare).unwrap(),
            Some(bound(&default)),
        ),
    ];
    let tested = masks.each_ref().map(|(_, robot, _)| {
        robot
            .self_collision_pairs()
            .collect::<BTreeSet<(LinkId, LinkId)>>()
    });

    let mut colliding = 0;
    let mut hidden = [0; 4];
    let mut state = State::new(&bare);
    let mut random = Random::new(77);
    for _ in 0..checked {
        let within = |limits: &Limits| {
            let part = 0.5 + 0.5 * random.unit();
            limits.q_min + part * (limits.q_max - limits.q_min)
        };
        let q: Vec<f64> = bare.limits().iter().map(within).collect();
        state.set_config(&bare, &q).unwrap();
        let pairs = self_collisions(&bare, &state).unwrap();
        let pairs: Vec<_> = pairs
            .into_iter()
            .filter(|pair| of_interest.contains(pair))
            .collect();
        colliding += usize::from(!pairs.is_empty());
        for (hidden, tested) in hidden.iter_mut().zip(&tested) {
            let is_hidden = !pairs.is_empty() && pairs.iter().all(|pair| !tested.contains(pair));
            *hidden += usize::from(is_hidden);
        }
    }
    for ((name, _, bound), (hidden, tested)) in masks.iter().zip(hidden.iter().zip(&tested)) {
        let share = *hidden as f64 / checked as f64;
        let line = format!(
            "{name:<28} {:>3} pairs tested, {hidden:>5} of {colliding} collisions hidden: {:.3} % of {checked}, reported at most {}",
            tested.len(),
            100.0 * share,
            bound.map_or("-".to_owned(), |bound| format!("{:.3} %", 100.0 * bound)),
        );
        if let Some(bound) = bound {
            // the sample is random, too: three standard deviations
            let slack = 3.0 * (bound / checked as f64).sqrt();
            assert!(share <= bound + slack, "{line}");
        }
    }
}

fn bound(mask: &SelfCollisionMask) -> f64 {
    mask.missed_bound(0.95).unwrap()
}
