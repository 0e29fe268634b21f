//! Every robot of `data/robots` against the program that its golden file names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kinworld::Robot;

use super::checks::{Known, Tolerance, check_case, check_description, check_step};
use super::collisions::check_collisions;
use super::expected::Expected;
use super::read::read;
use crate::common::files::{data, json};
use crate::common::numbers::word;

/// The programs agree to rounding: masses are given, or come from vertices that single precision holds exactly.
const TOLERANCE: Tolerance = Tolerance {
    kinematics: 1e-12,
    mass: 1e-12,
};

#[test]
fn every_robot_has_golden_numbers() {
    let robots = names(&data("robots"));
    let golden: BTreeSet<String> = golden_files()
        .iter()
        .filter_map(|path| path.file_stem())
        .map(|stem| stem.to_string_lossy().into_owned())
        .collect();
    assert_eq!(robots, golden);
}

#[test]
fn links_limits_drivers_and_pairs_are_those_of_other_programs() {
    each(|known, expected| check_description(known, expected, TOLERANCE));
}

#[test]
fn poses_jacobians_velocities_and_centres_of_mass_agree_with_other_programs() {
    each(|known, expected| {
        for case in &expected.cases {
            check_case(known, case, TOLERANCE);
        }
    });
}

#[test]
fn the_same_links_collide_as_in_other_programs() {
    let mut colliding = 0;
    each(|known, expected| {
        for case in &expected.cases {
            check_collisions(known, case);
            colliding += case.colliding.len();
        }
    });
    assert!(colliding > 20, "the golden files hold collisions");
}

#[test]
fn ways_between_configurations_agree_with_other_programs() {
    each(|known, expected| {
        for step in &expected.steps {
            check_step(known, step, TOLERANCE);
        }
    });
}

/// Calls `check` with every robot that has a golden file.
fn each(mut check: impl FnMut(&Known<'_>, &Expected)) {
    for path in golden_files() {
        let golden = json(&path);
        let file = word(&golden["file"]);
        let robot = Robot::load(data(file)).unwrap_or_else(|error| panic!("{error}"));
        let warnings = robot.diagnostics.iter().map(|warning| &*warning.message);
        let warnings: Vec<&str> = warnings.collect();
        assert_eq!(warnings, warned_about(file), "warnings about {file}");
        let expected = read(&golden);
        check(&Known::new(file, &robot.value, &expected), &expected);
    }
}

/// What a robot is warned about: some published inertias are those of no body.
fn warned_about(file: &str) -> Vec<String> {
    let links: &[&str] = match file {
        "robots/ur5.urdf" => &["link2"],
        "robots/puma560.urdf" => &["link1", "link3"],
        _ => &[],
    };
    let warning = |link: &&str| {
        format!("link `{link}`: its principal moments of inertia violate the triangle inequality")
    };
    links.iter().map(warning).collect()
}

/// The golden files about robots: those named after one.
fn golden_files() -> Vec<PathBuf> {
    let about_a_robot = |name: &str| name.ends_with(".rob.json") || name.ends_with(".urdf.json");
    ["klampt", "pinocchio"]
        .map(|tool| data("golden").join(tool))
        .into_iter()
        .flat_map(|folder| {
            let files = names(&folder).into_iter();
            files
                .filter(|name| about_a_robot(name))
                .map(move |name| folder.join(name))
        })
        .collect()
}

/// The names of the files in a folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries
        .map(|entry| entry.expect("a readable folder").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}
