//! The objects of `data/objects`, the scenes of `data/scenes` and the worlds of `data/worlds` against Klampt.

use std::collections::BTreeSet;
use std::path::Path;

use kinworld::world::{PairFilter, RigidObject, Terrain, Workspace, WorldCollider};
use kinworld::{Geometry, Point, Robot, Vector, WorldModel};
use serde_json::Value;

use crate::common::files::{data, files_below, json};
use crate::common::numbers::{assert_close, index, list, number, numbers, pose_rows, rows, word};

/// Klampt's mesh vertices are single precision.
const SINGLE: f64 = 1e-7;
/// Klampt's numbers about them.
const GOLDEN: [&str; 2] = [
    "golden/klampt/arm6_cell.txt.json",
    "golden/klampt/cell.xml.json",
];

#[test]
fn rigid_objects_weigh_and_lie_as_in_klampt() {
    let golden = json(&data("golden/klampt/objects.json"));
    for theirs in list(&golden["objects"]) {
        let file = word(&theirs["file"]);
        check_object(file, &load(RigidObject::load(data(file))), theirs);
    }
}

#[test]
fn what_a_world_places_and_weighs_is_as_in_klampt() {
    let golden = json(&data("golden/klampt/cell.xml.json"));
    let world = scene(&data(word(&golden["file"])));
    for ((_, ours), theirs) in world.rigid_objects().zip(list(&golden["objects"])) {
        check_object("cell.xml", ours, theirs);
    }
    for ((id, _), theirs) in world.terrains().zip(list(&golden["terrains"])) {
        let shape = world.geometry(id).expect("terrains have shapes");
        let bounds = shape.aabb_tight().expect("a shape with an extent");
        let bounds = bounds.inflated(shape.geometry.margin());
        let corners = [bounds.min.coords, bounds.max.coords].map(|c| c.as_slice().to_vec());
        let expected: Vec<f64> = list(theirs).iter().flat_map(numbers).collect();
        assert_close(id, &corners.concat(), &expected, 2.0 * SINGLE);
    }
    let theirs = list(&golden["configs"]).iter().zip(list(&golden["roots"]));
    for (ours, (q, root)) in world.robots().zip(theirs) {
        let placement = ours.model().links()[0].placement();
        assert_close(ours.name(), ours.config(), &numbers(q), 0.0);
        assert_close(ours.name(), &pose_rows(placement), &numbers(root), 1e-12);
    }
}

fn check_object(file: &str, ours: &RigidObject, theirs: &Value) {
    assert_eq!(ours.name, word(&theirs["name"]));
    let close = |what: &str, ours: &[f64], tolerance| {
        assert_close(
            format!("{file}: {what}"),
            ours,
            &numbers(&theirs[what]),
            tolerance,
        );
    };
    let one = |what: &str, ours: f64| {
        assert_close(
            format!("{file}: {what}"),
            &[ours],
            &[number(&theirs[what])],
            0.0,
        );
    };
    close("pose", &pose_rows(&ours.pose), 1e-12);
    close("velocity", ours.velocity.as_slice(), 0.0);
    close("angular_velocity", ours.angular_velocity.as_slice(), 0.0);
    one("mass", ours.inertia.mass);
    close("com", ours.inertia.com.coords.as_slice(), SINGLE);
    close("inertia", &rows(&ours.inertia.moment), SINGLE);
    one("friction", ours.contact.friction);
    one("restitution", ours.contact.restitution);
    one("stiffness", ours.contact.stiffness);
    one("damping", ours.contact.damping);
    check_shape(file, ours, theirs);
}

fn check_shape(file: &str, ours: &RigidObject, theirs: &Value) {
    let shape = ours.geometry.as_ref().expect("objects have shapes");
    let bounds = shape
        .aabb_tight(&kinworld::Pose::identity())
        .expect("a shape with an extent")
        .inflated(shape.margin());
    let corners = [bounds.min.coords, bounds.max.coords].map(|c| c.as_slice().to_vec());
    let expected: Vec<f64> = list(&theirs["box"]).iter().flat_map(numbers).collect();
    assert_close(format!("{file}: box"), &corners.concat(), &expected, SINGLE);
}

#[test]
fn every_terrain_and_every_mesh_loads_without_a_warning() {
    let terrains = files_below(&data("terrains"));
    assert!(
        terrains
            .iter()
            .all(|path| load(Terrain::load(path)).geometry.is_some())
    );
    let meshes = files_below(&data("meshes"));
    assert!(meshes.len() > 25, "{} meshes", meshes.len());
    for path in meshes {
        load(Geometry::load(path));
    }
}

#[test]
fn everything_in_a_scene_has_klampts_number() {
    for file in GOLDEN {
        check_numbers(&json(&data(file)));
    }
}

fn check_numbers(golden: &Value) {
    let world = scene(&data(word(&golden["file"])));
    let ids = world.klampt_ids();
    let names = golden["ids"].as_object().expect("names by number");
    assert_eq!(ids.len(), names.len());
    for (number, name) in names {
        let number: usize = number.parse().expect("a number");
        assert_eq!(ids.name(number).as_deref(), name.as_str());
        let entity = ids.entity(number).expect("a number below the count");
        assert_eq!(ids.number(entity), Some(number));
    }
    let robot = index(&golden["robot"]["id"]);
    assert_eq!(ids.name(robot).as_deref(), golden["robot"]["name"].as_str());
}

#[test]
fn a_scene_collides_where_it_does_in_klampt() {
    each_case(|world, collider, ws, case| {
        let ids = world.klampt_ids();
        let number = |entity| ids.number(entity).expect("in the world");
        let mut pairs = Vec::new();
        collider.colliding_pairs_with(ws, &mut pairs);
        let ours: BTreeSet<_> = pairs.iter().map(|&(a, b)| (number(a), number(b))).collect();
        let theirs = |key: &str| -> BTreeSet<_> {
            let pairs = list(&case[key]).iter();
            pairs
                .map(|pair| (index(&pair[0]), index(&pair[1])))
                .collect()
        };
        let doubtful = theirs("doubtful");
        let certain = |pairs: BTreeSet<_>| &pairs - &doubtful;
        assert_eq!(
            certain(ours),
            certain(theirs("colliding")),
            "at {}",
            case["q"]
        );
    });
}

#[test]
fn gaps_in_a_scene_are_as_wide_as_in_klampt() {
    each_case(|world, collider, ws, case| {
        for theirs in list(&case["distances"]) {
            let [a, b] = [0, 1].map(|k| world.entity(word(&theirs["between"][k])).expect("a name"));
            let ours = collider.distance_with(a, b, ws).expect("two shapes");
            let what = format!("distance of {}", theirs["between"]);
            assert_close(
                &what,
                &[ours.distance],
                &[number(&theirs["distance"])],
                1e-6,
            );
            // the nearest points need not be the same two, but they are as far apart
            let (on_a, on_b) = (ours.on_a.expect("apart"), ours.on_b.expect("apart"));
            let margin = |entity| {
                world
                    .geometry(entity)
                    .map_or(0.0, |shape| shape.geometry.margin())
            };
            let gap = ours.distance + margin(ours.a) + margin(ours.b);
            assert_close(&what, &[(on_a - on_b).norm()], &[gap], 1e-9);
        }
    });
}

#[test]
fn rays_through_a_scene_hit_what_they_hit_in_klampt() {
    let mut hits = 0;
    each_case(|world, collider, ws, case| {
        for theirs in list(&case["rays"]) {
            let origin = Point::from_slice(&numbers(&theirs["origin"]));
            // a direction of any length is the same ray
            let direction = 3.0 * Vector::from_column_slice(&numbers(&theirs["direction"]));
            let ours = collider
                .ray_cast_with(&origin, &direction, ws)
                .expect("a direction");
            let name = ours.map(|ray| world.name(ray.entity).expect("in the world"));
            assert_eq!(name.as_deref(), theirs["hit"].as_str(), "ray from {origin}");
            // rays meet the shapes themselves here, and their margins in Klampt
            let is_wide = |entity| {
                world
                    .geometry(entity)
                    .is_some_and(|s| s.geometry.margin() > 0.0)
            };
            if let Some(ray) = ours.filter(|ray| !is_wide(ray.entity)) {
                let what = format!("ray from {origin}");
                let point = numbers(&theirs["point"]);
                assert_close(
                    &what,
                    &[ray.hit.distance],
                    &[number(&theirs["distance"])],
                    1e-6,
                );
                assert_close(&what, ray.hit.point.coords.as_slice(), &point, 1e-6);
                hits += 1;
            }
        }
    });
    assert!(hits > 100, "{hits} rays hit something");
}

/// Calls `check` with each scene, frozen, its first robot at each configuration that Klampt was asked about.
fn each_case(mut check: impl FnMut(&WorldModel, &WorldCollider, &mut Workspace, &Value)) {
    for file in GOLDEN {
        let golden = json(&data(file));
        let world = scene(&data(word(&golden["file"])));
        let robot = world.robot(word(&golden["robot"]["name"]));
        let robot = robot.expect("the arm").id();
        let collider = WorldCollider::new(&world, &PairFilter::default()).expect("a finite world");
        let mut ws = collider.workspace();
        for case in list(&golden["cases"]) {
            ws.set_config(robot, &numbers(&case["q"]))
                .expect("a configuration");
            check(&world, &collider, &mut ws, case);
        }
    }
}

/// The world in a file, or the one that a list of files makes.
fn scene(list: &Path) -> WorldModel {
    if list.extension().is_some_and(|suffix| suffix == "xml") {
        return load(WorldModel::load(list));
    }
    let text = std::fs::read_to_string(list).expect("a scene");
    let mut world = WorldModel::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let path = list.with_file_name(line);
        let suffix = path.extension().and_then(|suffix| suffix.to_str());
        match suffix {
            Some("rob") => {
                world.add_robot(load(Robot::load(&path)));
            }
            Some("obj") => {
                let object = load(RigidObject::load(&path));
                world.add_rigid_object(object).expect("a valid object");
            }
            _ => {
                let terrain = load(Terrain::load(&path));
                world.add_terrain(terrain).expect("a valid terrain");
            }
        }
    }
    world
}

/// What was loaded, without a warning.
fn load<T>(loaded: kinworld::Result<kinworld::Loaded<T>>) -> T {
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.diagnostics, [], "warnings");
    loaded.value
}
