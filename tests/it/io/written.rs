//! Robots and worlds that are written as URDF, MJCF and SDF and read again: the same kinematics and dynamics, limits, masks and
//! names, and a list of what each format cannot hold.

use std::path::PathBuf;

use kinworld::dynamics::{gravity_forces, mass_matrix};
use kinworld::io::Loader;
use kinworld::robot::{Link, LinkMotion, RobotBuilder};
use kinworld::{LinkId, Robot, State, Vector, WorldModel};
use nalgebra::DMatrix;
use proptest::prelude::*;

use super::scratch::{folder, refusal};
use crate::common::files::{data, files_below};
use crate::common::random::Random;
use random_robots::{any_heavy_robot, cases};

pub(super) const FORMATS: [&str; 3] = ["urdf", "mjcf", "sdf"];

/// Every file of one robot.
fn robots() -> Vec<PathBuf> {
    let folders = ["robots", "mjcf", "sdf"].map(|name| files_below(&data(name)));
    let is_robot = |path: &PathBuf| {
        let name = path.to_string_lossy();
        !name.contains("parts/") && Robot::load(path).is_ok()
    };
    folders.into_iter().flatten().filter(is_robot).collect()
}

/// A robot in a format and back, and what was said to be lost.
pub(super) fn copied(robot: &Robot, suffix: &str) -> (Robot, Vec<String>) {
    let path = folder().join("x").with_extension(suffix);
    let lost = robot.save(&path).unwrap();
    let again = Loader::new().robot(&path);
    let again = again.unwrap_or_else(|error| {
        let text = std::fs::read_to_string(&path).unwrap();
        panic!("{}: {error}\n{text}", robot.name())
    });
    (again.value, lost.into_iter().map(|d| d.message).collect())
}

/// Values of all degrees of freedom by link, in -1 to 1, and those of another robot with links of these names.
fn twins(a: &Robot, b: &Robot, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    let q: Vec<f64> = (0..a.n_dofs()).map(|_| random.unit()).collect();
    let mut of_b = b.initial_config().to_vec();
    for link in a.links() {
        let Some(dof) = link.dof() else { continue };
        let twin = b.link_id(link.name()).ok().and_then(|id| b.link(id).dof());
        if let Some(twin) = twin {
            of_b[twin.index()] = q[dof.index()];
        }
    }
    (q, of_b)
}

/// The degrees of freedom of `b` in the order of those of `a`, by the names of their links.
fn dofs(a: &Robot, b: &Robot) -> Vec<usize> {
    let links = a.links().iter().filter(|link| link.dof().is_some());
    let twin = |link: &Link| {
        let id = b.link_id(link.name()).unwrap();
        b.link(id).dof().unwrap().index()
    };
    links.map(twin).collect()
}

fn closeness(a: f64, b: f64) -> f64 {
    (a - b).abs() / a.abs().max(1.0)
}

/// Poses of all links of mass or shape, mass matrix and gravity forces.
#[track_caller]
fn assert_same_motion(a: &Robot, b: &Robot, name: &str) {
    let order = dofs(a, b);
    assert_eq!(a.n_dofs(), b.n_dofs(), "{name}");
    for seed in 0..3 {
        let (q, of_b) = twins(a, b, seed);
        let (mut at_a, mut at_b) = (State::new(a), State::new(b));
        at_a.set_config(a, &q).unwrap();
        at_b.set_config(b, &of_b).unwrap();
        for (i, link) in a.links().iter().enumerate() {
            let Ok(twin) = b.link_id(link.name()) else {
                continue;
            };
            let own = at_a.pose(a, LinkId::new(i));
            let theirs = at_b.pose(b, twin);
            let off = own.translation.vector - theirs.translation.vector;
            assert!(
                off.norm() < 1e-12 * (1.0 + own.translation.vector.norm()),
                "{name}: {} {off}",
                link.name()
            );
            let is_body = link.inertia().mass > 0.0 || !link.collision().is_empty();
            if is_body {
                let turned = own.rotation.matrix() - theirs.rotation.matrix();
                assert!(turned.amax() < 1e-12, "{name}: {}", link.name());
            }
        }
        let (own, theirs) = (mass_matrix(a, &at_a), mass_matrix(b, &at_b));
        let theirs = DMatrix::from_fn(order.len(), order.len(), |i, j| {
            theirs[(order[i], order[j])]
        });
        let scale = own.amax().max(1.0);
        assert!(
            (&own - &theirs).amax() < 1e-12 * scale,
            "{name}: {}",
            (&own - &theirs).amax()
        );
        let gravity = Vector::new(0.3, -1.0, -9.8);
        let (own, theirs) = (
            gravity_forces(a, &at_a, &gravity),
            gravity_forces(b, &at_b, &gravity),
        );
        let scale = own.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        for (k, x) in own.iter().enumerate() {
            assert!((x - theirs[order[k]]).abs() < 1e-12 * scale, "{name}: {k}");
        }
    }
}

/// Limits of position and force, and self-collision pairs of links of the same name.
#[track_caller]
fn assert_same_rules(a: &Robot, b: &Robot, lost: &[String], name: &str) {
    let is_lost = |what: &str| lost.iter().any(|lost| lost.contains(what));
    let has_limits = ![
        "limits of free",
        "limits on one side",
        "limits are widened",
        "limits of continuous",
        "a spin joint has no limits",
    ]
    .iter()
    .any(|what| is_lost(what));
    for link in a.links() {
        let Some(dof) = link.dof() else { continue };
        let twin = b.link(b.link_id(link.name()).unwrap()).dof().unwrap();
        let (own, theirs) = (a.limits()[dof.index()], b.limits()[twin.index()]);
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || closeness(a, b) < 1e-12;
        if has_limits {
            assert!(
                same(own.q_min, theirs.q_min),
                "{name}: {} {own:?} {theirs:?}",
                link.name()
            );
            assert!(
                same(own.q_max, theirs.q_max),
                "{name}: {} {own:?} {theirs:?}",
                link.name()
            );
        }
        let is_driven = !is_lost("without a driver")
            && a.joint_of(a.link_id(link.name()).unwrap())
                .is_some_and(|j| j.kind.dofs() == Some(1));
        if is_driven {
            assert!(
                same(own.tau_max, theirs.tau_max),
                "{name}: {} {own:?} {theirs:?}",
                link.name()
            );
        }
    }
    if !is_lost("self-collision rules") {
        let pairs = |robot: &Robot| -> Vec<(String, String)> {
            let shaped = |id: &LinkId| !robot.link(*id).collision().is_empty();
            let pairs = robot
                .self_collision_pairs()
                .filter(|(a, b)| shaped(a) && shaped(b));
            let name = |id: LinkId| robot.link(id).name().to_owned();
            let mut pairs: Vec<_> = pairs
                .map(|(a, b)| (name(a), name(b)))
                .map(|(a, b)| (a.clone().min(b.clone()), a.max(b)))
                .collect();
            pairs.sort();
            pairs
        };
        assert_eq!(pairs(a), pairs(b), "{name}");
    }
}

#[test]
fn robots_survive_in_every_format() {
    let mut copies = Vec::new();
    for path in robots() {
        let robot = Robot::load(&path).unwrap().value;
        for suffix in FORMATS {
            let (again, lost) = copied(&robot, suffix);
            let file = path.strip_prefix(data("")).unwrap().display();
            let name = format!("{file} as {suffix}");
            copies.push((name, robot.clone(), again, lost));
        }
    }
    let mut n = 0;
    for (name, robot, again, lost) in copies {
        let has_all = robot.links().iter().all(|link| {
            let twin = again.link_id(link.name()).ok();
            link.dof().is_none() || twin.is_some_and(|id| again.link(id).dof().is_some())
        });
        if has_all && robot.n_dofs() == again.n_dofs() {
            let robot = without_lost(&robot, &lost);
            // MuJoCo refuses some inertias
            if !lost
                .iter()
                .any(|lost| lost.contains("because MuJoCo refuses them: "))
            {
                assert_same_motion(&robot, &again, &name);
            }
            assert_same_rules(&robot, &again, &lost, &name);
            n += 1;
        } else {
            let words = [
                "welded",
                "virtual links",
                "renamed",
                "ball joint",
                "without a mass",
            ];
            let excuse = lost
                .iter()
                .any(|lost| words.iter().any(|word| lost.contains(word)));
            assert!(excuse, "{name}: {lost:#?}");
        }
    }
    assert!(n > 40, "{n} copies");
}

/// The robot without the armatures that were said to be lost.
fn without_lost(robot: &Robot, lost: &[String]) -> Robot {
    let is_said = |what: &str| lost.iter().any(|lost| lost.contains(what));
    let mut spec = RobotBuilder::from(robot);
    for (i, link) in spec.links.iter_mut().enumerate() {
        let joint = robot.joint_of(LinkId::new(i));
        let is_chain = joint.is_some_and(|joint| joint.kind.dofs() != Some(1));
        let is_lost = is_chain && is_said("armature of free and ball");
        if is_lost || is_said("armature of joints") || is_said("degrees of freedom is not kept") {
            link.armature = 0.0;
        }
    }
    if is_said("its rotor") || is_said("armature of joints and rotors") {
        for driver in spec.drivers.iter_mut().flatten() {
            driver.rotor = kinworld::robot::Rotor::default();
        }
    }
    spec.build().unwrap()
}

/// A robot whose axes have length 1, with one root, and without armatures unless they are kept.
fn tidy(robot: &Robot, has_armatures: bool) -> Robot {
    let mut spec = RobotBuilder::from(robot);
    for (i, link) in spec.links.iter_mut().enumerate() {
        link.motion = match link.motion {
            LinkMotion::Fixed => LinkMotion::Fixed,
            LinkMotion::Revolute(axis) => LinkMotion::Revolute(axis.normalize()),
            LinkMotion::Prismatic(axis) => LinkMotion::Prismatic(axis.normalize()),
        };
        if i > 0 && link.parent.is_none() {
            link.parent = Some(LinkId::new(0));
        }
        if !has_armatures {
            link.armature = 0.0;
        }
    }
    spec.build().unwrap()
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn any_robot_survives_in_every_format(robot in any_heavy_robot()) {
        for suffix in FORMATS {
            let robot = tidy(&robot, suffix == "mjcf");
            if robot.n_dofs() == 0 {
                continue;
            }
            let (again, lost) = copied(&robot, suffix);
            assert_same_motion(&robot, &again, suffix);
            assert_same_rules(&robot, &again, &lost, suffix);
        }
    }
}

#[test]
fn worlds_survive_in_every_format() {
    for file in [
        "worlds/cell.xml",
        "mjcf/scene.xml",
        "mjcf/arm.xml",
        "sdf/yard.sdf",
    ] {
        let world = WorldModel::load(data(file)).unwrap().value;
        for suffix in ["mjcf", "sdf"] {
            let path = folder().join("x").with_extension(suffix);
            let lost = world.save(&path).unwrap();
            let again = WorldModel::load(&path).unwrap().value;
            let name = format!("{file} as {suffix}");
            assert_eq!(again.n_robots(), world.n_robots(), "{name} {lost:#?}");
            assert_eq!(again.n_rigid_objects(), world.n_rigid_objects(), "{name}");
            assert_eq!(again.n_terrains(), world.n_terrains(), "{name}");
            for ((_, a), (_, b)) in world.rigid_objects().zip(again.rigid_objects()) {
                assert_eq!((&a.name, a.inertia), (&b.name, b.inertia), "{name}");
                let off = (a.pose.to_homogeneous() - b.pose.to_homogeneous()).amax();
                assert!(off < 1e-12, "{name}: {} {off}", a.name);
                assert_eq!(
                    a.contact.friction.to_bits(),
                    b.contact.friction.to_bits(),
                    "{name}"
                );
                assert_eq!(
                    a.geometry.is_some(),
                    b.geometry.is_some(),
                    "{name}: {}",
                    a.name
                );
            }
            for ((_, a), (_, b)) in world.terrains().zip(again.terrains()) {
                assert_eq!(a.name, b.name, "{name}");
                let bounds = |terrain: &kinworld::world::Terrain| {
                    // margins are lost
                    let shape = terrain.geometry.clone().unwrap().with_margin(0.0).unwrap();
                    let aabb = shape.aabb(&kinworld::Pose::identity()).unwrap();
                    (aabb.min, aabb.max)
                };
                let ((low, high), (other_low, other_high)) = (bounds(a), bounds(b));
                let off = (low - other_low).amax().max((high - other_high).amax());
                assert!(off < 1e-9, "{name}: {} {off}", a.name);
            }
            if suffix == "mjcf" {
                // robots stand as they stood
                for (a, b) in world.robots().zip(again.robots()) {
                    for link in a.links() {
                        let Ok(twin) = b.link(link.name()) else {
                            continue;
                        };
                        let off = link.pose().translation.vector - twin.pose().translation.vector;
                        assert!(off.norm() < 1e-12, "{name}: {}", link.name());
                    }
                }
            }
        }
    }
}

#[test]
fn a_robot_is_not_written_to_an_unknown_suffix() {
    let arm = Robot::load(data("robots/arm6.urdf")).unwrap().value;
    let error = refusal(arm.save(folder().join("arm.xml")));
    assert_eq!(error.diagnostic.message, "robots are not written as .xml");
    let help = error.diagnostic.help.unwrap();
    assert!(help.contains("ends with .mjcf"), "{help}");
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let hulls = "MuJoCo collides with the convex hulls of meshes: `shoulder`, `upper_arm`, `elbow` and 3 more";
    let limits = "limits of velocity, acceleration and power are not kept: `shoulder`, `upper_arm`, `elbow` and 3 more";
    let integral = "integral gains are not kept: `shoulder`, `upper_arm`, `elbow` and 3 more";
    let cases: [(&str, &str, &[&str]); 6] = [
        ("arm6.rob", "mjcf", &[integral, hulls, limits]),
        ("arm6.rob", "urdf", &[]),
        (
            "arm6.rob",
            "sdf",
            &[
                "the link `world` is added as the root where the file is read",
                integral,
                "limits of acceleration and power are not kept: `shoulder`, `upper_arm`, `elbow` and 3 more",
                "gains are not kept: `shoulder`, `upper_arm`, `elbow` and 3 more",
                "the self-collision rules are not kept",
            ],
        ),
        (
            "arm6.urdf",
            "mjcf",
            &[
                "the link `world` is not kept: it is the world itself",
                hulls,
                limits,
            ],
        ),
        ("arm6.urdf", "sdf", &[]),
        (
            "drone.urdf",
            "mjcf",
            &[
                "1 welded degrees of freedom are not kept: their links are fixed",
                "the virtual links of free and ball joints take the name of their body: `body`",
                "MuJoCo collides with the convex hulls of meshes: `body`, `rotor_back`, `rotor_front`",
                "limits of velocity, acceleration and power are not kept: `rotor_back`, `rotor_front`, `gimbal_yaw` and 2 more",
            ],
        ),
    ];
    for (file, suffix, expected) in cases {
        let robot = Robot::load(data("robots").join(file)).unwrap().value;
        let (_, lost) = copied(&robot, suffix);
        assert_eq!(lost, expected, "{file} as {suffix}");
    }
}

#[test]
fn what_no_format_of_worlds_keeps_is_said() {
    let mut world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let robot = world.robots().next().unwrap();
    let hand = robot.links().last().unwrap().entity();
    let object = world.rigid_objects().next().unwrap().0;
    let terrain = world.terrains().next().unwrap().0;
    world.attach(object, hand, &[]).unwrap();
    world.ignore_pair(hand, terrain).unwrap();
    for suffix in ["xml", "mjcf", "sdf"] {
        let lost = world
            .save(folder().join("lost").with_extension(suffix))
            .unwrap();
        let says = |what: &str| lost.iter().any(|d| d.message.starts_with(what));
        assert!(
            says("attachments to links are not kept: "),
            "{suffix}: {lost:?}"
        );
        let pair = "a pair that is never tested for collision is not kept";
        assert!(says(pair), "{suffix}: {lost:?}");
    }
}
