//! The `.rob` files of the corpus against what Klampt made of them.

use kinworld::robot::{Driver, DriverLimits, Limits, Motion};
use kinworld::{LinkId, Robot};
use serde_json::Value;

use crate::common::files::{corpus, refs, report};
use crate::common::numbers::{assert_close, index, list, number, numbers, word};

/// Klampt prints twelve digits.
const DIGITS: f64 = 1e-11;
/// Klampt's vertices are single precision; masses that come from them agree to this, relative.
const SINGLE: f64 = 1e-6;

#[test]
fn robots_load_as_in_klampt() {
    let (Some(root), Some(refs)) = (corpus(), refs("robots.json")) else {
        return;
    };
    let (mut compared, mut absent) = (0, Vec::new());
    for entry in list(&refs["robots"]) {
        let file = word(&entry["file"]);
        if !file.ends_with(".rob") {
            continue;
        }
        if !root.join(file).exists() {
            absent.push(file);
            continue;
        }
        let robot = Robot::load(root.join(file))
            .unwrap_or_else(|e| panic!("{e}"))
            .value;
        compare_links(entry, &robot);
        compare_coordinates(entry, &robot);
        compare_drivers(entry, &robot);
        compare_pairs(entry, &robot);
        compared += 1;
    }
    report(&format!(
        "corpus: {compared} .rob files as in Klampt, not there: {absent:?}"
    ));
    assert!(compared >= 16);
}

fn compare_links(entry: &Value, robot: &Robot) {
    let name = word(&entry["name"]);
    assert_eq!(robot.name(), name);
    assert_eq!(robot.links().len() + 1, index(&entry["numIDs"]), "{name}");
    // some entries leave them out
    let has_shapes = list(&entry["links"])
        .iter()
        .any(|link| link.get("geom").is_some());
    for (i, (link, theirs)) in robot.links().iter().zip(list(&entry["links"])).enumerate() {
        let what = format!("{name}: link {i}");
        assert_eq!(link.name(), word(&theirs["name"]), "{what}");
        let parent = link.parent().map_or(-1.0, |parent| parent.index() as f64);
        assert_close(&what, &[parent], &[number(&theirs["parent"])], 0.0);
        let is_prismatic = matches!(link.motion(), Motion::Prismatic(_));
        assert_eq!(Some(is_prismatic), theirs["prismatic"].as_bool(), "{what}");
        let axis = link.motion().axis().expect("every link of a .rob moves");
        assert_close(&what, axis.as_slice(), &numbers(&theirs["axis"]), DIGITS);
        let x = link.placement();
        let rotation = x.rotation.matrix().as_slice();
        let ours = [rotation, x.translation.vector.as_slice()].concat();
        assert_close(
            format!("{what}: T0"),
            &ours,
            &numbers(&theirs["T0"]),
            DIGITS,
        );
        let kind = robot
            .joint_of(LinkId::new(i))
            .map(|joint| joint.kind.name());
        assert_eq!(kind, Some(word(&theirs["jointType"])), "{what}");

        let inertia = link.inertia();
        assert_close(&what, &[inertia.mass], &[number(&theirs["mass"])], DIGITS);
        let com = numbers(&theirs["com"]);
        assert_close(
            format!("{what}: com"),
            inertia.com.coords.as_slice(),
            &com,
            SINGLE,
        );
        let theirs_moment = numbers(&theirs["inertia"]);
        let size = theirs_moment
            .iter()
            .fold(0.0_f64, |size, x| size.max(x.abs()));
        // rows as Klampt prints them
        let ours = inertia.moment.transpose();
        assert_close(
            format!("{what}: inertia"),
            ours.as_slice(),
            &theirs_moment,
            SINGLE * size,
        );
        if has_shapes {
            compare_shape(&what, link, theirs);
        }
    }
}

fn compare_shape(what: &str, link: &kinworld::robot::Link, theirs: &Value) {
    let shape = link.shape().filter(|shape| shape.n_triangles() > 0);
    let Some(geom) = theirs.get("geom").filter(|geom| !geom.is_null()) else {
        assert!(shape.is_none(), "{what} has a shape, Klampt has none");
        return;
    };
    let shape = shape.unwrap_or_else(|| panic!("{what} has no shape"));
    // Klampt drops triangles without area
    let (ours, theirs) = (shape.n_triangles(), index(&geom["numElements"]));
    assert!(
        ours >= theirs,
        "{what}: {ours} triangles, Klampt has {theirs}"
    );
    assert!(
        ours - theirs <= ours / 20,
        "{what}: {ours} triangles, Klampt has {theirs}"
    );
}

fn compare_coordinates(entry: &Value, robot: &Robot) {
    let name = word(&entry["name"]);
    let theirs = numbers(&entry["initial_config"]);
    assert_close(
        format!("{name}: q"),
        robot.initial_config(),
        &theirs,
        DIGITS,
    );
    let limit = |key: &str, ours: fn(&Limits) -> f64| {
        let ours: Vec<f64> = robot.limits().iter().map(ours).collect();
        let theirs = numbers(&entry["limits"][key]);
        assert_close(format!("{name}: {key}"), &ours, &theirs, DIGITS * 1e3);
    };
    limit("qmin", |limits| limits.q_min);
    limit("qmax", |limits| limits.q_max);
    limit("vmax", |limits| limits.v_max);
    limit("tmax", |limits| limits.tau_max);
    // Klampt guesses accelerations from torques and gets nonsense where the file gives none
    let text = std::fs::read_to_string(corpus().expect("just used").join(word(&entry["file"])));
    let is_given = text.is_ok_and(|text| text.to_lowercase().contains("\naccmax"));
    if is_given {
        limit("amax", |limits| limits.a_max);
    }
}

fn compare_drivers(entry: &Value, robot: &Robot) {
    let name = word(&entry["name"]);
    let theirs = list(&entry["drivers"]);
    assert_eq!(robot.drivers().len(), theirs.len(), "{name}: drivers");
    for (driver, theirs) in robot.drivers().iter().zip(theirs) {
        let what = format!("{name}: driver {}", driver.name);
        assert_eq!(driver.name, word(&theirs["name"]), "{what}");
        assert_eq!(driver.kind.name(), word(&theirs["type"]), "{what}");
        let links: Vec<usize> = list(&theirs["links"]).iter().map(index).collect();
        let ours: Vec<usize> = driven(driver);
        assert_eq!(ours, links, "{what}");
        let DriverLimits {
            position,
            velocity,
            torque,
            ..
        } = robot.driver_limits(driver);
        assert_close(&what, &position, &numbers(&theirs["q"]), 1e-9);
        assert_close(&what, &velocity, &numbers(&theirs["v"]), 1e-9);
        assert_close(&what, &torque, &numbers(&theirs["t"]), 1e-9);
    }
}

/// The driven links, and what a thruster pushes against, as Klampt lists them.
fn driven(driver: &Driver) -> Vec<usize> {
    use kinworld::robot::DriverKind::{Rotation, Translation};
    let base = match &driver.kind {
        Translation { base, .. } | Rotation { base, .. } => *base,
        _ => None,
    };
    let links = driver.kind.links().iter().copied().chain(base);
    links.map(LinkId::index).collect()
}

fn compare_pairs(entry: &Value, robot: &Robot) {
    let name = word(&entry["name"]);
    let mut theirs: Vec<(usize, usize)> = list(&entry["selfcollision_enabled"])
        .iter()
        .map(|pair| (index(&pair[0]), index(&pair[1])))
        .collect();
    theirs.sort_unstable();
    // a pair of a link without shape changes nothing
    let shaped = |i: usize| robot.link(LinkId::new(i)).shape().is_some();
    theirs.retain(|&(a, b)| shaped(a) && shaped(b));
    let ours: Vec<(usize, usize)> = robot
        .self_collision_pairs()
        .map(|(a, b)| (a.index(), b.index()))
        .collect();
    assert_eq!(ours, theirs, "{name}: self-collision pairs");
}
