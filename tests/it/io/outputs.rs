//! Files that are saved: each whole or not at all, and no other is replaced.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kinworld::geometry::{Appearance, MaterialRange, Mesh, MeshMaterials, Primitive};
use kinworld::io::{Loader, SaveOptions, save_configurations, write_file};
use kinworld::world::RigidObject;
use kinworld::{Geometry, Point, Robot, WorldModel};

use super::scratch::{folder, refusal};
use crate::common::files::{data, files_below};

fn contents(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = files_below(root).into_iter();
    files
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect()
}

fn names(root: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn can() -> RigidObject {
    RigidObject::load(data("objects/can.obj")).unwrap().value
}

/// The can with another shape.
fn ball() -> RigidObject {
    let mut ball = can();
    let sphere = Primitive::sphere(Point::origin(), 0.1).unwrap();
    ball.geometry = Some(Geometry::from(sphere));
    ball
}

#[test]
fn equal_shapes_stay_where_they_are() {
    let root = folder();
    let path = root.join("can.obj");
    can().save(&path).unwrap();
    let before = contents(&root);
    let mut heavier = can();
    heavier.inertia.mass = 7.0;
    heavier.save(&path).unwrap();
    let after = contents(&root);
    for (path, bytes) in before {
        assert_eq!(after[&path] == bytes, !path.ends_with("can.obj"));
    }
}

#[test]
fn other_shapes_get_a_folder_of_their_own_and_the_old_one_goes() {
    let root = folder();
    let path = root.join("can.obj");
    can().save(&path).unwrap();
    assert_eq!(names(&root), ["can.obj", "can_files"]);
    assert_eq!(ball().save(&path).unwrap(), []);
    assert_eq!(names(&root), ["can.obj", "can_obj_files"]);
    assert_eq!(
        RigidObject::load(&path).unwrap().value.geometry,
        ball().geometry
    );
    can().save(&path).unwrap();
    assert_eq!(names(&root), ["can.obj", "can_files"]);
}

#[test]
fn files_in_the_folder_that_were_not_written_there_are_kept() {
    let root = folder();
    let path = root.join("can.obj");
    can().save(&path).unwrap();
    std::fs::write(root.join("can_files/notes.txt"), "mine").unwrap();
    let shape = files_below(&root.join("can_files"))
        .into_iter()
        .find(|path| path.extension().is_some_and(|suffix| suffix == "off"))
        .unwrap();
    std::fs::write(&shape, "edited by hand").unwrap();
    ball().save(&path).unwrap();
    assert_eq!(
        std::fs::read(root.join("can_files/notes.txt")).unwrap(),
        b"mine"
    );
    assert_eq!(std::fs::read(shape).unwrap(), b"edited by hand");
}

#[test]
fn a_folder_that_another_document_names_is_kept() {
    let root = folder();
    let path = root.join("can.obj");
    can().save(&path).unwrap();
    let text = std::fs::read(&path).unwrap();
    std::fs::write(root.join("copy.obj"), text).unwrap();
    ball().save(&path).unwrap();
    assert_eq!(
        names(&root),
        ["can.obj", "can_files", "can_obj_files", "copy.obj"]
    );
    let copy = RigidObject::load(root.join("copy.obj")).unwrap().value;
    assert_eq!(copy.geometry, can().geometry);
}

#[test]
fn a_list_that_names_files_outside_is_no_list() {
    let root = folder();
    std::fs::write(root.join("precious"), "x").unwrap();
    std::fs::create_dir(root.join("can_files")).unwrap();
    // the mark of a file that holds one `x`
    let list = r#"{"document": "can.obj", "files": {"../precious": "1-af63f54c86021707"}}"#;
    std::fs::write(root.join("can_files/.kinworld.json"), list).unwrap();
    let said = ball().save(root.join("can.obj")).unwrap();
    assert!(
        said.iter()
            .any(|d| d.message.contains("did not write `can_files`"))
    );
    assert_eq!(std::fs::read(root.join("precious")).unwrap(), b"x");
}

#[test]
fn inputs_are_safe_from_a_save() {
    let root = folder();
    let arm = root.join("arm.rob");
    std::fs::write(&arm, "links a\ntparent 1 0 0 0 1 0 0 0 1 0 0 0\n").unwrap();
    let mut loader = Loader::new();
    let robot = loader.robot(&arm).unwrap().value;
    assert_eq!(loader.files_read(), [arm.canonicalize().unwrap()]);
    let before = std::fs::read(&arm).unwrap();
    let options = SaveOptions::default().with_inputs(loader.files_read());
    let error = refusal(robot.save_with(&arm, &options));
    assert!(
        error
            .to_string()
            .ends_with("would be overwritten by what is made of it")
    );
    assert_eq!(std::fs::read(&arm).unwrap(), before);
    robot.save_with(&arm, &options.with_force(true)).unwrap();
    assert_ne!(std::fs::read(&arm).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn inputs_are_known_by_their_links() {
    let root = folder();
    let [arm, link, hard] = ["arm.rob", "link.rob", "hard.rob"].map(|name| root.join(name));
    std::fs::write(&arm, "links a\ntparent 1 0 0 0 1 0 0 0 1 0 0 0\n").unwrap();
    std::os::unix::fs::symlink("arm.rob", &link).unwrap();
    std::fs::hard_link(&arm, &hard).unwrap();
    for to in [
        link,
        hard,
        root.join("../")
            .join(root.file_name().unwrap())
            .join("arm.rob"),
    ] {
        let error = refusal(Loader::new().convert(&arm, &to));
        assert!(
            error.to_string().contains("would be overwritten"),
            "{error}"
        );
    }
}

#[test]
fn materials_of_another_mesh_are_kept() {
    let root = folder();
    let mesh = |red: f64| {
        let materials = MeshMaterials {
            materials: vec![Appearance {
                name: "paint".to_owned(),
                color: Some([red, 0.0, 0.0, 1.0]),
                texture: None,
            }],
            ranges: vec![MaterialRange {
                triangles: 0..1,
                material: 0,
            }],
            vertex_colors: Vec::new(),
        };
        let [a, b, c] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
        let mesh = Mesh::new(vec![a, b, c], vec![[0, 1, 2]]).unwrap();
        Geometry::from(mesh.with_materials(materials).unwrap())
    };
    std::fs::write(root.join("tile.mtl"), "newmtl theirs\n").unwrap();
    let path = root.join("tile.obj");
    for (red, expected) in [
        (1.0, "tile_2.mtl"),
        (1.0, "tile_2.mtl"),
        (0.5, "tile_3.mtl"),
        (1.0, "tile_2.mtl"),
    ] {
        mesh(red).save(&path).unwrap();
        assert_eq!(names(&root), ["tile.mtl", "tile.obj", expected]);
        let back = Geometry::load(&path).unwrap();
        assert_eq!(back.diagnostics, []);
        assert!(back.value == mesh(red));
    }
    assert_eq!(
        std::fs::read(root.join("tile.mtl")).unwrap(),
        b"newmtl theirs\n"
    );
}

#[test]
fn a_save_that_fails_leaves_nothing_behind() {
    let root = folder();
    // a folder has the name of the document
    std::fs::create_dir(root.join("arm.xml")).unwrap();
    let world = WorldModel::load(data("robots/arm6.urdf")).unwrap().value;
    let error = refusal(world.save(root.join("arm.xml")));
    assert!(
        error
            .to_string()
            .ends_with("arm.xml: error: is a folder, not a file")
    );
    assert_eq!(names(&root), ["arm.xml"]);

    let error = refusal(world.save(root.join("nowhere/arm.xml")));
    assert!(
        error.to_string().contains("cannot be written: no folder `"),
        "{error}"
    );
    assert_eq!(
        error.diagnostic.help.as_deref(),
        Some("make the folder first")
    );
    let robot = Robot::load(data("robots/planar3R.rob")).unwrap().value;
    refusal(robot.save(root.join("nowhere/arm.rob")));
    refusal(save_configurations(root.join("nowhere/q.config"), &[]));
    assert_eq!(names(&root), ["arm.xml"]);
}

#[cfg(unix)]
#[test]
fn mode_and_links_survive() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = folder();
    let (file, link) = (root.join("q.config"), root.join("link.config"));
    std::fs::write(&file, "1 0\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("q.config", &link).unwrap();
    save_configurations(&link, &[vec![1.5]]).unwrap();
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(std::fs::read(&file).unwrap(), b"1 1.5\n");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);

    // a link to nowhere makes its target; one to itself is refused
    std::os::unix::fs::symlink("new.config", root.join("ahead.config")).unwrap();
    save_configurations(root.join("ahead.config"), &[vec![2.5]]).unwrap();
    assert_eq!(std::fs::read(root.join("new.config")).unwrap(), b"1 2.5\n");
    std::os::unix::fs::symlink("loop.config", root.join("loop.config")).unwrap();
    refusal(save_configurations(root.join("loop.config"), &[]));
    write_file("/dev/null", b"gone", &SaveOptions::default()).unwrap();
    assert!(
        Path::new("/dev/null")
            .symlink_metadata()
            .is_ok_and(|file| !file.is_file())
    );
}
