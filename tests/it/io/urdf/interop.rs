//! The crate `urdf-rs`: both readers agree on every file that both accept, and robots convert both ways.

use std::path::{Path, PathBuf};

use kinworld::io::{Base, FixedJoints, LoadOptions, Loader};
use kinworld::{Diagnostic, LinkId, Robot, State};

use crate::common::files;

/// A loader without the rules of `<klampt>`, which `urdf-rs` does not have.
fn loader() -> Loader {
    Loader::with_options(
        LoadOptions::default()
            .with_base(Base::Fixed)
            .with_fixed_joints(FixedJoints::Merge),
    )
}

fn urdfs(folder: &Path) -> Vec<PathBuf> {
    let mut found = files::files_below(folder);
    found.retain(|path| path.extension().is_some_and(|suffix| suffix == "urdf"));
    found
}

/// Asserts that robots have the same links at the same poses, with the same motions.
#[track_caller]
fn assert_same(ours: &Robot, theirs: &Robot, name: &str) {
    let names = |robot: &Robot| {
        robot
            .links()
            .iter()
            .map(|l| l.name().to_owned())
            .collect::<Vec<_>>()
    };
    // a joint between the world and the robot adds a link `world`
    let extra = theirs.links().len() - ours.links().len();
    let world = if extra == 1 { "world" } else { "" };
    let expected = [&[world.to_owned()][..extra], &names(ours)].concat();
    assert_eq!(names(theirs), expected, "{name}");
    assert_eq!(ours.n_dofs(), theirs.n_dofs(), "{name}");
    let q: Vec<f64> = (0..ours.n_dofs()).map(|i| 0.3 + 0.1 * i as f64).collect();
    let states = [ours, theirs].map(|robot| {
        let mut state = State::new(robot);
        state.set_config(robot, &q).unwrap();
        state
    });
    for (i, link) in ours.links().iter().enumerate() {
        let pose =
            |robot: &Robot, state: &State, i| state.pose(robot, LinkId::new(i)).to_homogeneous();
        let (a, b) = (
            pose(ours, &states[0], i),
            pose(theirs, &states[1], i + extra),
        );
        assert!((a - b).amax() < 1e-9, "{name}: {}", link.name());
    }
}

#[test]
fn both_readers_agree_on_every_file_that_both_accept() {
    let compared = compare(&files::data("robots"));
    assert!(compared >= 4, "{compared}");
}

/// Compares the robots in a folder as read by both readers, and returns their number.
pub(crate) fn compare(folder: &Path) -> usize {
    let mut compared = 0;
    for path in urdfs(folder) {
        let name = path.display().to_string();
        let Ok(read) = urdf_rs::read_file(&path) else {
            continue;
        };
        let is_klampt = std::fs::read_to_string(&path).unwrap().contains("<klampt");
        let ours = loader().robot(&path).unwrap().value;
        let folder = path.parent().unwrap_or(Path::new("."));
        let theirs = loader().urdf_rs(&read, folder).unwrap().value;
        // the length of an axis counts under the rules of Klampt, and `world` is no link there
        if is_klampt && ours.links().len() > theirs.links().len() {
            continue;
        }
        assert_same(&ours, &theirs, &name);
        if !is_klampt {
            let masses = |robot: &Robot| {
                robot
                    .links()
                    .iter()
                    .map(|l| l.inertia().mass)
                    .collect::<Vec<_>>()
            };
            assert_eq!(masses(&ours), masses(&theirs), "{name}");
            for (a, b) in ours.limits().iter().zip(theirs.limits()) {
                assert_eq!((a.q_min, a.q_max), (b.q_min, b.q_max), "{name}");
            }
        }
        compared += 1;
    }
    compared
}

#[test]
fn a_robot_survives_the_conversion_to_urdf_rs_and_back() {
    for name in ["arm6.urdf", "scara.urdf", "gripper.urdf", "snake30.urdf"] {
        let before = loader()
            .robot(files::data("robots").join(name))
            .unwrap()
            .value;
        let out = before.to_urdf_rs();
        let after = loader().urdf_rs(&out.value, ".").unwrap().value;
        assert_same(&before, &after, name);
        assert_eq!(before.limits(), after.limits(), "{name}");
        assert_eq!(before.drivers().len(), after.drivers().len(), "{name}");
        let shapes = |robot: &Robot| -> usize {
            let links = robot.links().iter();
            links.map(|l| l.collision().len() + l.visual().len()).sum()
        };
        let is_left_out = |d: &&Diagnostic| d.message.ends_with("is left out");
        let left_out = out.diagnostics.iter().filter(is_left_out).count();
        assert_eq!(shapes(&before), shapes(&after) + left_out, "{name}");
    }
}

#[test]
fn a_robot_with_a_floating_base_is_attached_to_the_world() {
    let planar = Robot::load(files::data("robots/planar3R.rob"))
        .unwrap()
        .value;
    let out = planar.to_urdf_rs().value;
    assert_eq!(out.links[0].name, "world");
    assert_eq!(out.joints.len(), 3);
    assert_eq!(out.joints[0].parent.link, "world");
}
