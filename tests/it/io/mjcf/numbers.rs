//! The models in `data/mjcf` have MuJoCo's numbers: poses, masses, mass matrices, forces, limits, pairs, keyframes.

use std::path::Path;

use kinworld::dynamics;
use kinworld::nalgebra::{DMatrix, DVector};
use kinworld::{Pose, Robot, State, Vector, WorldModel};
use serde_json::Value;

use crate::common::files;
use crate::common::numbers::{index, list, number, numbers, word};

/// Largest difference, relative to the largest number of a kind; MuJoCo's rotations lose some digits in quaternions.
const TOLERANCE: f64 = 1e-10;

/// A robot and its part of the model.
struct Tree<'w> {
    robot: &'w Robot,
    bodies: Vec<&'w str>,
    qpos: std::ops::Range<usize>,
    qvel: std::ops::Range<usize>,
}

/// Calls a function for every model in `data/mjcf` with its reference numbers.
fn each(check: impl Fn(&str, &WorldModel, &Value)) {
    let folder = files::data("golden/mjcf");
    let golden = files::files_below(&folder);
    assert_eq!(golden.len(), 5, "one file of numbers for each model");
    for path in golden {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let world = WorldModel::load(files::data("mjcf").join(name));
        let world = world.unwrap_or_else(|error| panic!("{error}")).value;
        check(name, &world, &files::json(Path::new(&path)));
    }
}

fn trees<'w>(world: &'w WorldModel, golden: &'w Value) -> Vec<Tree<'w>> {
    let roots = golden["trees"].as_object().unwrap();
    let range = |value: &Value| {
        let [start, n] = [index(&value[0]), index(&value[1])];
        start..start + n
    };
    let of = |robot: &'w Robot| {
        let (_, tree) = roots
            .iter()
            .find(|(root, _)| robot.link_id(root).is_ok())
            .unwrap_or_else(|| panic!("{} has no root", robot.name()));
        Tree {
            robot,
            bodies: list(&tree["bodies"]).iter().map(word).collect(),
            qpos: range(&tree["qpos"]),
            qvel: range(&tree["qvel"]),
        }
    };
    world.robots().map(|robot| of(robot.model())).collect()
}

fn assert_near(what: &str, ours: &[f64], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    let scale = theirs.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    for (a, b) in ours.iter().zip(theirs) {
        assert!((a - b).abs() <= TOLERANCE * scale, "{what}: {a} is not {b}");
    }
}

fn assert_pose(what: &str, ours: &Pose, theirs: &Value) {
    assert_near(
        what,
        ours.translation.vector.as_slice(),
        &numbers(&theirs[0]),
    );
    let rows: Vec<f64> = list(&theirs[1]).iter().flat_map(numbers).collect();
    let own = ours.rotation.matrix().transpose();
    assert_near(what, own.as_slice(), &rows);
}

#[test]
fn bodies_and_sites_stand_where_mujoco_puts_them() {
    each(|name, world, golden| {
        let mut counted = 0;
        for tree in trees(world, golden) {
            for case in list(&golden["cases"]) {
                let qpos = numbers(&case["qpos"]);
                let q = tree
                    .robot
                    .config_from_mujoco(&qpos[tree.qpos.clone()])
                    .unwrap();
                let mut state = State::new(tree.robot);
                state.set_config(tree.robot, &q).unwrap();
                for body in &tree.bodies {
                    let link = tree.robot.link_id(body).unwrap();
                    let pose = state.pose(tree.robot, link);
                    assert_pose(&format!("{name} {body}"), &pose, &case["bodies"][*body]);
                }
                for (site, pose) in case["sites"].as_object().unwrap() {
                    let own = tree.robot.link_id(&format!("{site}_site"));
                    let link = own.or_else(|_| tree.robot.link_id(site)).unwrap();
                    let own = state.pose(tree.robot, link);
                    assert_pose(&format!("{name} {site}"), &own, pose);
                    counted += 1;
                }
            }
        }
        assert!(counted > 0 || name == "bounds.xml" || name == "meshes.xml");
    });
}

#[test]
fn mass_matrices_and_forces_are_those_of_mujoco() {
    each(|name, world, golden| {
        let gravity = Vector::from_column_slice(&numbers(&golden["gravity"]));
        for Tree {
            robot, qpos, qvel, ..
        } in trees(world, golden)
        {
            for case in list(&golden["cases"]) {
                let all = numbers(&case["qpos"]);
                let velocity = numbers(&case["qvel"]);
                let q = robot.config_from_mujoco(&all[qpos.clone()]).unwrap();
                let dq = robot
                    .velocity_from_mujoco(&q, &velocity[qvel.clone()])
                    .unwrap();
                let mut state = State::new(robot);
                state.set_config(robot, &q).unwrap();
                state.set_velocity(robot, &dq).unwrap();

                // M = Eᵀ M_mujoco E
                let e = robot.mujoco_velocity_map(&q).unwrap();
                let rows: Vec<Vec<f64>> = list(&case["mass_matrix"]).iter().map(numbers).collect();
                let n = qvel.len();
                let theirs = DMatrix::from_fn(n, n, |i, k| rows[qvel.start + i][qvel.start + k]);
                let ours = dynamics::mass_matrix(robot, &state);
                let mapped = e.transpose() * &theirs * &e;
                assert_near(&format!("{name} mass"), ours.as_slice(), mapped.as_slice());

                // forces: gravity alone, then with the velocity, for which E changes in time
                let weight = numbers(&case["gravity"]);
                let ours = gravity_forces(robot, &q, &gravity);
                let ours = robot.force_to_mujoco(&q, &ours).unwrap();
                assert_near(&format!("{name} gravity"), &ours, &weight[qvel.clone()]);
                let bias = numbers(&case["bias"]);
                let ours = dynamics::bias_forces(robot, &state, &gravity);
                let de = rate(robot, &q, &dq);
                let inertial = e.transpose() * theirs * de * DVector::from_vec(dq);
                let ours: Vec<f64> = ours.iter().zip(&inertial).map(|(a, b)| a - b).collect();
                let theirs = robot.force_from_mujoco(&q, &bias[qvel.clone()]).unwrap();
                for (a, b) in ours.iter().zip(&theirs) {
                    // the rate is a difference quotient
                    let scale = theirs.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                    assert!((a - b).abs() < 1e-7 * scale, "{name} bias: {a} is not {b}");
                }
            }
        }
    });
}

fn gravity_forces(robot: &Robot, q: &[f64], gravity: &Vector) -> Vec<f64> {
    let mut state = State::new(robot);
    state.set_config(robot, q).unwrap();
    dynamics::bias_forces(robot, &state, gravity)
}

/// The rate of E along a velocity.
fn rate(robot: &Robot, q: &[f64], dq: &[f64]) -> DMatrix<f64> {
    const STEP: f64 = 1e-5;
    let at = |t: f64| {
        let q: Vec<f64> = q.iter().zip(dq).map(|(q, v)| q + t * v).collect();
        robot.mujoco_velocity_map(&q).unwrap()
    };
    (at(STEP) - at(-STEP)) / (2.0 * STEP)
}

#[test]
fn masses_limits_pairs_and_keyframes_are_those_of_mujoco() {
    each(|name, world, golden| {
        for Tree {
            robot,
            bodies,
            qpos,
            ..
        } in trees(world, golden)
        {
            for body in &bodies {
                let mass = robot.link(robot.link_id(body).unwrap()).inertia().mass;
                assert_near(
                    &format!("{name} {body}"),
                    &[mass],
                    &[number(&golden["masses"][*body])],
                );
            }
            for joint in robot.joints() {
                let range = &golden["ranges"][joint.name()];
                let (1, Some(dof)) = (joint.links.len(), robot.link(joint.link).dof()) else {
                    continue;
                };
                let limits = robot.limits()[dof.index()];
                match range.is_null() {
                    true => assert_eq!(limits.q_max.to_bits(), f64::INFINITY.to_bits()),
                    false => assert_near(name, &[limits.q_min, limits.q_max], &numbers(range)),
                }
            }
            let label = |link| robot.link(link).name();
            let mut pairs: Vec<[&str; 2]> = robot
                .self_collision_pairs()
                .map(|(a, b)| [label(a), label(b)])
                .collect();
            pairs.iter_mut().for_each(|pair| pair.sort_unstable());
            pairs.sort_unstable();
            let theirs = list(&golden["pairs"])
                .iter()
                .map(|p| [word(&p[0]), word(&p[1])]);
            let theirs: Vec<_> = theirs
                .filter(|pair| pair.iter().all(|name| bodies.contains(name)))
                .collect();
            assert_eq!(pairs, theirs, "{name}");
            let keys = golden["keys"].as_object().unwrap();
            for (k, (key, all)) in keys.iter().enumerate() {
                let key = if key.is_empty() {
                    format!("key{k}")
                } else {
                    key.clone()
                };
                let key = if robot.named_config(&key, None).is_ok() {
                    key
                } else {
                    "key1".to_owned()
                };
                let q = robot.named_config(&key, None).unwrap();
                let back = robot.config_to_mujoco(&q).unwrap();
                assert_near(name, &back, &numbers(all)[qpos.clone()]);
            }
        }
    });
}
