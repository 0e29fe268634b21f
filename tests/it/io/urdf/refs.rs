//! Klampt's numbers for the URDFs among its example robots.

use kinworld::{Diagnostic, LinkId, Robot, State, kinematics};
use serde_json::Value;

use crate::common::files;
use crate::common::numbers::{assert_close, index, list, number, numbers, word};

/// The numbers were printed with twelve digits.
const TOLERANCE: f64 = 1e-9;

#[test]
fn klampts_urdfs_are_what_klampt_makes_of_them() {
    let (Some(corpus), Some(refs)) = (files::corpus(), files::refs("robots.json")) else {
        return;
    };
    let mut cases = 0;
    for entry in list(&refs["robots"]) {
        let file = word(&entry["file"]);
        if !file.ends_with(".urdf") {
            continue;
        }
        let loaded = Robot::load(corpus.join(file)).unwrap();
        compare(entry, &loaded.value);
        for case in list(&entry["cases"]) {
            compare_poses(entry, case, &loaded.value);
            cases += 1;
        }
    }
    assert!(cases > 0);
    files::report(&format!("urdf: {cases} configurations of Klampt's URDFs"));
}

fn compare(entry: &Value, robot: &Robot) {
    let name = word(&entry["name"]);
    assert_eq!(robot.links().len(), index(&entry["numLinks"]), "{name}");
    assert_eq!(robot.n_dofs(), robot.links().len(), "{name}");
    for (i, (link, theirs)) in robot.links().iter().zip(list(&entry["links"])).enumerate() {
        let what = format!("{name}, link {i}");
        let id = LinkId::new(i);
        assert_eq!(link.name(), word(&theirs["name"]), "{what}");
        let parent = link.parent().map_or(-1, |parent| parent.index() as i64);
        assert_eq!(Some(parent), theirs["parent"].as_i64(), "{what}");
        let joint = robot.joint_of(id).expect("every link has a joint");
        assert_eq!(joint.kind.name(), word(&theirs["jointType"]), "{what}");
        let is_prismatic = link.motion().name() == "prismatic";
        assert_eq!(Some(is_prismatic), theirs["prismatic"].as_bool(), "{what}");
        let axis = link.motion().axis().expect("every link has an axis");
        assert_close(&what, axis.as_slice(), &numbers(&theirs["axis"]), TOLERANCE);
        let placement = link.placement();
        let mut ours = placement.rotation.matrix().as_slice().to_vec();
        ours.extend_from_slice(placement.translation.vector.as_slice());
        assert_close(&what, &ours, &numbers(&theirs["T0"]), TOLERANCE);
        let inertia = link.inertia();
        assert_close(
            &what,
            &[inertia.mass],
            &[number(&theirs["mass"])],
            TOLERANCE,
        );
        assert_close(
            &what,
            inertia.com.coords.as_slice(),
            &numbers(&theirs["com"]),
            TOLERANCE,
        );
        let moment = inertia.moment.as_slice();
        assert_close(&what, moment, &numbers(&theirs["inertia"]), TOLERANCE);
    }
    compare_limits(entry, robot);

    let drivers = list(&entry["drivers"]);
    assert_eq!(robot.drivers().len(), drivers.len(), "{name}");
    for (driver, theirs) in robot.drivers().iter().zip(drivers) {
        let what = format!("{name}, driver {}", driver.name);
        assert_eq!(driver.name, word(&theirs["name"]), "{what}");
        assert_eq!(driver.kind.name(), word(&theirs["type"]), "{what}");
        let links: Vec<usize> = driver
            .kind
            .links()
            .iter()
            .map(|link| link.index())
            .collect();
        let expected: Vec<usize> = list(&theirs["links"]).iter().map(index).collect();
        assert_eq!(links, expected, "{what}");
        let limits = robot.driver_limits(driver);
        assert_close(&what, &limits.position, &numbers(&theirs["q"]), TOLERANCE);
        assert_close(
            &what,
            &limits.acceleration,
            &numbers(&theirs["a"]),
            TOLERANCE,
        );
        assert_close(&what, &limits.torque, &numbers(&theirs["t"]), TOLERANCE);
    }

    let ours: Vec<[usize; 2]> = robot
        .self_collision_pairs()
        .map(|(a, b)| [a.index(), b.index()])
        .collect();
    let theirs: Vec<[usize; 2]> = list(&entry["selfcollision_enabled"])
        .iter()
        .map(|pair| [index(&pair[0]), index(&pair[1])])
        .collect();
    assert_eq!(ours, theirs, "{name}: pairs");
}

fn compare_limits(entry: &Value, robot: &Robot) {
    let name = word(&entry["name"]);
    let limits = robot.limits();
    let theirs = &entry["limits"];
    let close = |what: &str, ours: Vec<f64>| {
        let label = format!("{name}: {what}");
        assert_close(label, &ours, &numbers(&theirs[what]), TOLERANCE);
    };
    close("qmin", limits.iter().map(|l| l.q_min).collect());
    close("qmax", limits.iter().map(|l| l.q_max).collect());
    close("vmax", limits.iter().map(|l| l.v_max).collect());
    close("amax", limits.iter().map(|l| l.a_max).collect());
    close("tmax", limits.iter().map(|l| l.tau_max).collect());
}

fn compare_poses(entry: &Value, case: &Value, robot: &Robot) {
    let name = word(&entry["name"]);
    let mut state = State::new(robot);
    state.set_config(robot, &numbers(&case["q"])).unwrap();
    for (i, theirs) in list(&case["T"]).iter().enumerate() {
        let pose = state.pose(robot, LinkId::new(i));
        let mut ours = pose.rotation.matrix().as_slice().to_vec();
        ours.extend_from_slice(pose.translation.vector.as_slice());
        assert_close(
            format!("{name}: pose {i}"),
            &ours,
            &numbers(theirs),
            TOLERANCE,
        );
    }
    let com = kinematics::com(robot, &state);
    assert_close(
        name,
        com.coords.as_slice(),
        &numbers(&case["com"]),
        TOLERANCE,
    );
}

#[test]
fn every_urdf_of_the_corpus_loads_with_the_warnings_listed() {
    let Some(corpus) = files::corpus() else {
        return;
    };
    let cases: [(&str, &[&str]); 6] = [
        (
            "human_hand.urdf",
            &["346:3: `<klampt>` is never closed; `<klampt/>` is taken as `</klampt>`"],
        ),
        ("kinova_gen3_7dof.urdf", &[MISSPELT]),
        ("kinova_with_robotiq_85.urdf", &[MISSPELT]),
        ("mirobot.urdf", &[MISSPELT]),
        ("mirobot_vacuum.urdf", &[MISSPELT]),
        ("robotiq_140.urdf", &[]),
    ];
    for (file, expected) in cases {
        let path = corpus.join("robots").join(file);
        let loaded = Robot::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let of_this_file = |d: &&Diagnostic| d.path.as_deref() == Some(path.as_path());
        let said: Vec<_> = loaded
            .diagnostics
            .iter()
            .filter(of_this_file)
            .cloned()
            .collect();
        let said = super::messages(&said);
        assert_eq!(said.len(), expected.len(), "{file}: {said:?}");
        for (said, expected) in said.iter().zip(expected) {
            assert!(said.ends_with(expected), "{file}: {said}");
        }
    }
    files::report(&format!("urdf: {} files of the corpus", cases.len()));
}

const MISSPELT: &str =
    "klampt: `defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`";
