//! Every world that Klampt was asked about, and every other one of the corpus.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kinworld::world::{PairFilter, RobotRef, Workspace, WorldCollider};
use kinworld::{EntityId, Error, LoadError, Point, Vector, WorldModel};
use serde_json::Value;

use crate::common::files::files_below;
use crate::common::numbers::{assert_close, index, list, number, numbers, pose_rows, rows, word};
use crate::folders::{corpus, refs};
use crate::read::row_major;

/// Klampt's mesh vertices are single precision, and meshes here are metres in size.
const SINGLE: f64 = 1e-6;

pub(crate) fn worlds_hold_what_they_hold_in_klampt() {
    each_world(|world, theirs| {
        let file = word(&theirs["file"]);
        let ids = world.klampt_ids();
        assert_eq!(ids.len(), index(&theirs["numIDs"]), "{file}: numbers");
        for (number, name) in theirs["names_by_id"].as_object().expect("names by number") {
            let ours = ids.name(number.parse().expect("a number"));
            assert_eq!(ours.as_deref(), name.as_str(), "{file}: number {number}");
        }
        assert_eq!(world.n_terrains(), index(&theirs["numTerrains"]), "{file}");
        for ((_, ours), theirs) in world.rigid_objects().zip(list(&theirs["rigidObjects"])) {
            let what = format!("{file}: {}", ours.name);
            let pose = row_major(&numbers(&theirs["T"]));
            assert_close(&what, &pose_rows(&ours.pose), &pose, 1e-11);
            assert_close(
                &what,
                &[ours.inertia.mass],
                &numbers_of(&theirs["mass"]),
                1e-11,
            );
            let com = ours.inertia.com.coords;
            assert_close(&what, com.as_slice(), &numbers(&theirs["com"]), SINGLE);
            let moment = numbers(&theirs["inertia"]);
            let size = moment.iter().fold(1e-6_f64, |size, x| size.max(x.abs()));
            assert_close(&what, &rows(&ours.inertia.moment), &moment, SINGLE * size);
            let c = ours.contact;
            let contact = [c.friction, c.restitution, c.stiffness, c.damping];
            assert_close(&what, &contact, &numbers(&theirs["contact"]), 1e-11);
        }
        check_boxes(world, theirs);
        for (ours, theirs) in world.robots().zip(list(&theirs["robots"])) {
            let what = format!("{file}: {}", ours.name());
            assert_eq!(ours.n_links(), index(&theirs["numLinks"]), "{what}");
            assert_close(&what, ours.config(), &numbers(&theirs["config"]), 1e-11);
            let base = row_major(&numbers(&theirs["base_T0"]));
            let root = &ours.model().links()[0];
            assert_close(&what, &pose_rows(root.placement()), &base, 1e-11);
        }
    });
}

/// Terrains and objects are as large as in Klampt, and have as many triangles.
fn check_boxes(world: &WorldModel, theirs: &Value) {
    let terrains = world.terrains().map(|(id, _)| id.into());
    let objects = world.rigid_objects().map(|(id, _)| id.into());
    let entities: Vec<EntityId> = terrains.chain(objects).collect();
    let theirs = ["terrains", "rigidObjects"]
        .iter()
        .flat_map(|kind| list(&theirs[*kind]));
    for (entity, theirs) in entities.into_iter().zip(theirs) {
        let what = format!("box of {}", world.name(entity).expect("in the world"));
        let shape = world.geometry(entity).expect("a shape");
        // its spheres and boxes have no triangles here
        if theirs["geom"]["type"].as_str() == Some("TriangleMesh") {
            let bounds = shape.aabb_tight().expect("a shape with an extent");
            let corners = [bounds.min.coords, bounds.max.coords].map(|c| c.as_slice().to_vec());
            let wanted: Vec<f64> = list(&theirs["geom"]["bb_world"])
                .iter()
                .flat_map(numbers)
                .collect();
            assert_close(what, &corners.concat(), &wanted, 2e-6);
        }
    }
}

pub(crate) fn worlds_collide_where_they_do_in_klampt() {
    each_case(|world, collider, ws, case, what| {
        let ids = world.klampt_ids();
        let number = |entity| ids.number(entity).expect("in the world");
        let mut pairs = Vec::new();
        collider.colliding_pairs_with(ws, &mut pairs);
        let ours: BTreeSet<_> = pairs.iter().map(|&(a, b)| (number(a), number(b))).collect();
        let theirs = |key: &str| -> BTreeSet<_> {
            let pairs = list(&case[key]).iter();
            let pairs = pairs.map(|pair| (index(&pair[0]), index(&pair[1])));
            pairs.map(|(a, b)| (a.min(b), a.max(b))).collect()
        };
        let doubtful = theirs("ambiguous");
        let certain = |pairs: BTreeSet<_>| &pairs - &doubtful;
        assert_eq!(certain(ours), certain(theirs("collisions")), "{what}");
    });
}

pub(crate) fn distances_in_worlds_are_those_of_klampt() {
    let (mut asked, mut agreed) = (0, 0);
    each_case(|world, collider, ws, case, what| {
        let ids = world.klampt_ids();
        for theirs in list(&case["distances"]) {
            let [a, b] = [0, 1].map(|k| ids.entity(index(&theirs["ids"][k])).expect("a number"));
            let ours = collider.distance_with(a, b, ws).expect("two shapes");
            // Klampt tells how deep shapes are in each other as a negative distance
            let wanted = number(&theirs["d"]).max(0.0);
            assert_close(
                format!("{what}: {a} and {b}"),
                &[ours.distance],
                &[wanted],
                SINGLE,
            );
            let (Some(on_a), Some(on_b)) = (ours.on_a, ours.on_b) else {
                continue;
            };
            assert_close(
                format!("{what}: the nearest points of {a} and {b}"),
                &[(on_a - on_b).norm()],
                &[wanted],
                SINGLE,
            );
            asked += 1;
            let of_klampt = ["cp1", "cp2"].map(|key| Point::from_slice(&numbers(&theirs[key])));
            let same = (on_a - of_klampt[0]).norm() + (on_b - of_klampt[1]).norm() < 1e-5;
            agreed += usize::from(same);
        }
    });
    // between parallel faces and edges each of us picks another pair of points
    assert!(
        asked > 300 && 5 * agreed > 4 * asked,
        "{agreed} of {asked} are Klampt's"
    );
}

pub(crate) fn as_many_pairs_are_tested_as_in_klampt() {
    each_world(|world, theirs| {
        let collider = WorldCollider::new(world, &PairFilter::default()).expect("a finite world");
        // Klampt tests no root link against terrains
        let is_root = |entity| match entity {
            EntityId::Link(robot, link) => {
                let robot = world.robot(robot).expect("in the world");
                robot.model().link(link).parent().is_none()
            }
            _ => false,
        };
        let is_terrain = |entity| matches!(entity, EntityId::Terrain(_));
        let mounted = |&(a, b): &(EntityId, EntityId)| {
            is_root(a) && is_terrain(b) || is_root(b) && is_terrain(a)
        };
        let ours = collider.pairs().filter(|pair| !mounted(pair)).count();
        let wanted = index(&theirs["enabled_pair_count"]);
        assert_eq!(ours, wanted, "{}", theirs["file"]);
    });
}

pub(crate) fn rays_through_worlds_hit_what_they_hit_in_klampt() {
    let mut hits = 0;
    each_world(|world, theirs| {
        let ids = world.klampt_ids();
        let collider = WorldCollider::new(world, &PairFilter::default()).expect("a finite world");
        for ray in list(&theirs["rays"]) {
            let origin = Point::from_slice(&numbers(&ray["s"]));
            let direction = Vector::from_column_slice(&numbers(&ray["d"]));
            let what = format!("{}: ray from {origin}", theirs["file"]);
            let ours = collider.ray_cast(&origin, &direction).expect("a direction");
            let entity = ours.map(|ray| ids.number(ray.entity).expect("in the world"));
            let hit = &ray["hit"];
            let wanted = (!hit.is_null()).then(|| index(&hit["id"]));
            assert_eq!(entity, wanted, "{what}");
            if let Some(ours) = ours {
                // the direction is a unit vector to twelve digits
                assert_close(&what, &[ours.hit.distance], &[number(&hit["t"])], 2e-6);
                let point = numbers(&hit["pt"]);
                assert_close(&what, ours.hit.point.coords.as_slice(), &point, 2e-6);
                hits += 1;
            }
        }
    });
    assert!(hits > 50, "{hits} rays hit something");
}

/// What is wrong with worlds that do not load, and with robots in them.
const REFUSED: [(&str, &str, &str); 1] = [(
    "sphere_slope.xml",
    "robots/sphere.rob:19:16: error: a floating joint groups 6 links, but between the world and link 2 there are 3",
    "sphere_slope.xml:4:23",
)];

pub(crate) fn every_world_loads_or_says_why_not() {
    let root = corpus();
    let worlds = files_below(&root).into_iter().filter(|path| is_world(path));
    let (mut loaded, mut skipped) = (0, Vec::new());
    for path in worlds {
        let name = path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        let refused = REFUSED.iter().find(|(file, ..)| *file == name);
        match (WorldModel::load(&path), refused) {
            (Ok(_), None) => loaded += 1,
            (Err(Error::Load(error)), Some((_, message, place))) => {
                assert!(error.to_string().ends_with(message), "{error}");
                let help = error.diagnostic.help.expect("advice");
                assert!(help.contains(place), "{help}");
            }
            (Err(Error::Load(error)), None) if is_missing(&error) => skipped.push(name),
            (result, _) => panic!("{name}: {:?}", result.map(|_| "loaded")),
        }
    }
    let missing = skipped.len();
    assert!(loaded + missing >= 35, "the corpus has lost its worlds");
}

fn is_world(path: &Path) -> bool {
    let is_xml = path.extension().is_some_and(|suffix| suffix == "xml");
    is_xml && std::fs::read_to_string(path).is_ok_and(|text| text.contains("<world"))
}

/// Whether a file of the corpus is missing.
fn is_missing(error: &LoadError) -> bool {
    error.diagnostic.message.contains("cannot be found")
}

/// Calls `check` with every world of `worlds.json`, loaded.
fn each_world(mut check: impl FnMut(&WorldModel, &Value)) {
    let (root, refs) = (corpus(), refs("worlds.json"));
    let (mut checked, mut skipped) = (0, Vec::new());
    for theirs in list(&refs["worlds"]) {
        let file = word(&theirs["file"]);
        let path: PathBuf = root.join(file);
        match WorldModel::load(&path) {
            Ok(world) => {
                check(&world.value, theirs);
                checked += 1;
            }
            Err(Error::Load(error)) if !path.exists() || is_missing(&error) => skipped.push(file),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(checked >= 14, "{checked} worlds, skipped {skipped:?}");
}

/// Calls `check` with every world, frozen, its robots at each configuration that Klampt was asked about.
fn each_case(mut check: impl FnMut(&WorldModel, &WorldCollider, &mut Workspace, &Value, &str)) {
    each_world(|world, theirs| {
        let collider = WorldCollider::new(world, &PairFilter::default()).expect("a finite world");
        let mut ws = collider.workspace();
        for (k, case) in list(&theirs["cases"]).iter().enumerate() {
            let robots: Vec<_> = world
                .robots()
                .map(|robot: RobotRef<'_>| robot.id())
                .collect();
            for (robot, q) in robots.into_iter().zip(list(&case["configs"])) {
                ws.set_config(robot, &numbers(q)).expect("a configuration");
            }
            let what = format!("{} case {k}", word(&theirs["file"]));
            check(world, &collider, &mut ws, case, &what);
        }
    });
}

/// One number as a list.
fn numbers_of(value: &Value) -> [f64; 1] {
    [number(value)]
}
