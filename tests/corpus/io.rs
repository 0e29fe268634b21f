//! Files of the corpus against other readers, against Klampt, and against themselves after being saved.

#[cfg(feature = "urdf-rs")]
#[expect(unused_imports, reason = "its tests run elsewhere")]
#[path = "../it/io/urdf/interop.rs"]
mod interop;
#[expect(unused_imports, reason = "its tests run elsewhere")]
#[path = "../it/io/meshes.rs"]
mod meshes;
#[path = "../it/io/same.rs"]
mod same;
#[expect(unused_imports, reason = "its tests run elsewhere")]
#[path = "../it/io/saving.rs"]
mod saving;
#[expect(dead_code, reason = "tests of formats use the rest")]
#[path = "../it/io/scratch.rs"]
mod scratch;

use kinworld::geometry::Mesh;
use kinworld::io::{FileKind, Loader};
use kinworld::{Loaded, Point, Robot, WorldModel};

use crate::common::files::files_below;
use crate::common::numbers::{assert_close, index, list, number, numbers, word};
use crate::folders::{corpus, refs};
use meshes::mesh;
use same::assert_same_robot;
use saving::{robot_twice, saved_twice, world_twice};
use scratch::refusal;

pub(crate) fn meshes_have_the_triangles_and_boxes_of_klampt() {
    let (root, refs) = (corpus(), refs("misc.json"));
    let mut compared = 0;
    for entry in list(&refs["meshes"]) {
        let path = root.join(word(&entry["file"]));
        let is_read = ["off", "stl", "STL"]
            .iter()
            .any(|s| path.extension().is_some_and(|e| e == *s));
        if !path.exists() || !is_read || entry["geom"].is_null() {
            continue;
        }
        let mesh = mesh(&path);
        // Klampt drops triangles without area
        let proper = mesh.triangles().len() - mesh.degenerate_triangles();
        let theirs = index(&entry["geom"]["numElements"]);
        let difference = proper.abs_diff(theirs);
        assert!(
            difference <= theirs / 100,
            "{}: {proper}, Klampt {theirs}",
            path.display()
        );
        let [min, max] = corners(&mesh);
        let bounds = list(&entry["geom"]["bb_world"]);
        let what = path.display();
        assert_close(
            format!("{what}: min"),
            min.coords.as_slice(),
            &numbers(&bounds[0]),
            1e-5,
        );
        assert_close(
            format!("{what}: max"),
            max.coords.as_slice(),
            &numbers(&bounds[1]),
            1e-5,
        );
        compared += 1;
    }
    assert!(compared >= 25, "only {compared}");
}

/// The smallest and largest coordinates of the corners of triangles with an area.
fn corners(mesh: &Mesh) -> [Point; 2] {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in mesh.triangle_vertices().flatten() {
        for k in 0..3 {
            min[k] = min[k].min(p[k]);
            max[k] = max[k].max(p[k]);
        }
    }
    [min.into(), max.into()]
}

pub(crate) fn stl_files_read_as_by_another_reader() {
    let paths = meshes::with_suffix(&corpus(), "stl");
    assert!(paths.len() > 30, "{} files", paths.len());
    meshes::compare_stl(&paths);
}

#[cfg(feature = "urdf-rs")]
pub(crate) fn both_readers_agree_on_every_urdf() {
    let compared = interop::compare(&corpus().join("robots"));
    assert!(compared >= 4, "{compared}");
}

pub(crate) fn every_robot_survives_being_saved() {
    let root = corpus();
    let mut n = 0;
    for path in files_below(&root.join("robots")) {
        let is_robot = path
            .extension()
            .is_some_and(|suffix| suffix == "rob" || suffix == "urdf");
        let Some(Ok(loaded)) = is_robot.then(|| Robot::load(&path)) else {
            continue;
        };
        saved_twice(&loaded.value, "x.urdf");
        let (lost, again) = robot_twice(&loaded.value);
        if path.extension().is_some_and(|suffix| suffix == "rob") {
            assert_eq!(lost, [], "{}", path.display());
            assert_same_robot(&loaded.value, &again, &path.display().to_string());
        }
        n += 1;
    }
    assert!(n >= 35, "{n} robots");
}

pub(crate) fn every_world_survives_being_saved() {
    let root = corpus();
    let mut n = 0;
    for path in files_below(&root) {
        let is_xml = path.extension().is_some_and(|suffix| suffix == "xml");
        let Some(Ok(loaded)) = is_xml.then(|| WorldModel::load(&path)) else {
            continue;
        };
        world_twice(&loaded.value);
        n += 1;
    }
    assert!(n >= 33, "{n} worlds");
}

pub(crate) fn rigid_objects_load_as_in_klampt() {
    let (root, refs) = (corpus(), refs("misc.json"));
    let mut compared = 0;
    let mut loader = Loader::new();
    for entry in list(&refs["objects"]) {
        let file = word(&entry["file"]);
        assert_eq!(
            FileKind::of(root.join(file)).unwrap(),
            FileKind::RigidObject
        );
        let loaded = loader.rigid_object(root.join(file));
        if entry["loaded"].as_bool() != Some(true) {
            // its point cloud is not in the corpus
            let error = refusal(loaded).to_string();
            assert!(
                error.contains("`genuine_joe_stir_sticks.pcd` cannot be found"),
                "{error}"
            );
            continue;
        }
        let Loaded {
            value: object,
            diagnostics,
            ..
        } = loaded.unwrap();
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(object.name, word(&entry["name"]));
        let x = object.pose;
        let rotation = x.rotation.matrix().as_slice();
        let pose = [rotation, x.translation.vector.as_slice()].concat();
        assert_close(format!("{file}: T"), &pose, &numbers(&entry["T"]), 1e-11);
        let inertia = object.inertia;
        assert_close(file, &[inertia.mass], &[number(&entry["mass"])], 1e-11);
        let com = numbers(&entry["com"]);
        assert_close(
            format!("{file}: com"),
            inertia.com.coords.as_slice(),
            &com,
            1e-6,
        );
        let theirs = numbers(&entry["inertia"]);
        let size = theirs.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let what = format!("{file}: inertia");
        assert_close(
            what,
            inertia.moment.transpose().as_slice(),
            &theirs,
            1e-6 * size,
        );
        let contact = object.contact;
        let ours = [
            contact.friction,
            contact.restitution,
            contact.stiffness,
            contact.damping,
        ];
        assert_close(
            format!("{file}: contact"),
            &ours,
            &numbers(&entry["contact"]),
            1e-11,
        );
        compared += 1;
    }
    assert!(compared >= 14);
}
