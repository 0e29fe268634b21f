//! Files in memory: the same results as from disk, and no access to the disk.

use std::path::Path;

use kinworld::io::{FileKind, LoadLimits, LoadOptions, Loader, Source};
use kinworld::world::RigidObject;
use kinworld::{Loaded, Result, Robot, WorldModel};

use super::scratch::{file, folder, refusal};
use crate::common::files::{data, files_below};

const LINK: &str = "TParent 1 0 0  0 1 0  0 0 1  0 0 0\n";
const TETRAHEDRON: &str =
    "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";

/// All files of a folder, under their names relative to it.
fn copy_of(folder: &Path) -> Source {
    Source::memory().with_files(files_below(folder).into_iter().map(|path| {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.strip_prefix(folder).unwrap().to_path_buf();
        (name, bytes)
    }))
}

/// Bodies of a world with their shapes, poses and configurations, and the diagnostics of the file; or the error.
fn summary(world: Result<Loaded<WorldModel>>) -> String {
    let Loaded {
        value, diagnostics, ..
    } = match world {
        Ok(loaded) => loaded,
        Err(error) => return error.to_string(),
    };
    let mut text = String::new();
    for diagnostic in diagnostics {
        text += &format!("{diagnostic} {:?}\n", diagnostic.help);
    }
    for entity in value.klampt_ids().iter() {
        let name = value.name(entity).unwrap();
        let placed = value.geometry(entity);
        let shape = placed.map(|placed| {
            let aabb = placed.geometry.aabb(&placed.pose);
            (placed.pose, aabb, placed.geometry.n_triangles())
        });
        text += &format!("{name}: {shape:?}\n");
    }
    for robot in value.robots() {
        text += &format!("{}: {:?}\n", robot.model().name(), robot.config());
    }
    text
}

#[test]
fn every_file_of_data_is_the_same_from_memory_as_from_disk() {
    let root = data("");
    let memory = copy_of(&root);
    let mut n = 0;
    for path in files_below(&root) {
        let name = path.strip_prefix(&root).unwrap();
        if name.starts_with("golden") {
            continue;
        }
        let from = |source: Source| Loader::new().with_source(source).world(name);
        let (on_disk, in_memory) = (from(Source::folder(&root)), from(memory.clone()));
        assert_eq!(summary(in_memory), summary(on_disk), "{}", name.display());
        n += 1;
    }
    assert!(n > 100, "{n} files");
}

#[test]
fn a_file_in_memory_hides_the_one_on_disk() {
    let disk = folder();
    std::fs::write(disk.join("a.rob"), format!("{LINK}geometry \"a.off\"\n")).unwrap();
    std::fs::write(
        disk.join("a.off"),
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    )
    .unwrap();
    let n_triangles = |source: Source| {
        let robot = Loader::new()
            .with_source(source)
            .robot("a.rob")
            .unwrap()
            .value;
        let id = robot.link_id("Link 0").or_else(|_| robot.link_id("link0"));
        let id = id.unwrap_or(kinworld::LinkId::new(0));
        robot.link(id).shape().map(|shape| shape.n_triangles())
    };
    let source = Source::folder(&disk);
    assert_eq!(n_triangles(source.clone()), Some(1));
    let source = source.with_file("./b/../a.off", TETRAHEDRON.as_bytes());
    assert_eq!(n_triangles(source), Some(4));
}

#[test]
fn a_source_in_memory_reads_nothing_from_disk() {
    let path = file("x.rob", LINK);
    let source = Source::memory().with_file("robots/arm.rob", LINK.as_bytes());
    let mut loader = Loader::new().with_source(source);
    let error = refusal(loader.robot(&path)).diagnostic;
    assert_eq!(error.message, "cannot be read: no such file");
    assert_eq!(error.help.as_deref(), Some("in memory are robots/arm.rob"));
    let error = refusal(loader.robot("robots")).diagnostic;
    assert_eq!(error.message, "is a folder, not a file");
    assert!(loader.robot("robots/../robots/./arm.rob").is_ok());
    assert_eq!(loader.kind("robots/arm.rob").unwrap(), FileKind::Robot);
}

#[test]
fn limits_hold_in_memory() {
    let limits = LoadLimits::default().with_file_size(40);
    let loader = Loader::with_options(LoadOptions::default().with_limits(limits));
    let source = Source::memory().with_file("x.off", TETRAHEDRON.as_bytes());
    let error = refusal(loader.with_source(source).geometry("x.off"));
    assert_eq!(
        error.diagnostic.message,
        "is larger than the limit of 40 bytes"
    );
}

#[test]
fn packages_are_found_in_memory() {
    let robot = |name: &str| {
        format!(
            "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"{name}\"/></geometry></collision></link></robot>"
        )
    };
    let source = Source::memory()
        .with_file(
            "ws/arm/urdf/arm.urdf",
            robot("package://hand/m.off").into_bytes(),
        )
        .with_file("ws/hand/m.off", TETRAHEDRON.as_bytes())
        .with_file(
            "ws/other/package.xml",
            b"<package><name>arm</name></package>",
        )
        .with_file(
            "ws/other/far/far.urdf",
            robot("package://arm/n.off").into_bytes(),
        )
        .with_file("ws/other/n.off", TETRAHEDRON.as_bytes())
        .with_file("ws/root.urdf", robot("top.off").into_bytes())
        .with_file("top.off", TETRAHEDRON.as_bytes());
    let mut loader = Loader::new().with_source(source);
    let shape = |robot: &Robot| {
        let link = robot.link(robot.link_id("a").unwrap());
        link.shape().map(|shape| shape.n_triangles())
    };
    for path in ["ws/arm/urdf/arm.urdf", "ws/other/far/far.urdf"] {
        let Loaded {
            value, diagnostics, ..
        } = loader.robot(path).unwrap();
        assert_eq!(shape(&value), Some(4), "{path}");
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }
    let Loaded {
        value, diagnostics, ..
    } = loader.robot("ws/root.urdf").unwrap();
    assert_eq!(shape(&value), Some(4));
    assert_eq!(
        diagnostics[0].message,
        "`top.off` is not beside the file that names it; found in the root of the source instead"
    );
}

#[test]
fn files_that_a_file_refers_to_come_from_memory() {
    let source = Source::memory()
        .with_file(
            "w/cell.xml",
            br#"<world><rigidObject name="c" file="objects/can.obj"/></world>"#,
        )
        .with_file("w/objects/can.obj", b"mesh \"can_mesh.obj\"\nmass 2\n")
        .with_file(
            "w/objects/can_mesh.obj",
            b"mtllib can.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        )
        .with_file("w/objects/can.mtl", b"newmtl red\nKd 1 0 0\n");
    let mut loader = Loader::new().with_source(source);
    let Loaded {
        value, diagnostics, ..
    } = loader.world("w/cell.xml").unwrap();
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let object: &RigidObject = value.rigid_objects().next().unwrap().1;
    assert!((object.inertia.mass - 2.0).abs() < 1e-12);
    assert_eq!(object.geometry.as_ref().unwrap().n_triangles(), 1);
}
