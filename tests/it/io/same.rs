//! Comparison of two models in all their contents, and of the bytes of two saves.

use std::path::{Path, PathBuf};

use kinworld::robot::{Element, RobotBuilder};
use kinworld::world::RigidObject;
use kinworld::{EntityId, Robot, WorldModel};

use crate::common::files::files_below;

#[track_caller]
pub(super) fn assert_same_robot(a: &Robot, b: &Robot, what: &str) {
    assert_eq!(a.name(), b.name(), "{what}");
    let (a, b) = (RobotBuilder::from(a), RobotBuilder::from(b));
    assert_eq!(a.links.len(), b.links.len(), "{what}");
    for (a, b) in a.links.iter().zip(&b.links) {
        let what = format!("{what}: {}", a.name);
        assert_eq!(a.name, b.name);
        assert_eq!(a.parent, b.parent, "{what}");
        assert_eq!(a.placement, b.placement, "{what}");
        assert_eq!(a.motion, b.motion, "{what}");
        assert_eq!(a.inertia, b.inertia, "{what}");
        assert_eq!(a.limits, b.limits, "{what}");
        assert_eq!(a.initial.to_bits(), b.initial.to_bits(), "{what}");
        assert_same_shapes(&a.collision, &b.collision, &what);
        assert_same_shapes(&a.visual, &b.visual, &what);
    }
    assert_eq!(a.joints, b.joints, "{what}");
    assert_eq!(a.drivers, b.drivers, "{what}");
    assert_eq!(a.self_collision, b.self_collision, "{what}");
    assert_eq!(a.properties, b.properties, "{what}");
}

#[track_caller]
pub(super) fn assert_same_shapes(a: &[Element], b: &[Element], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a.placement, b.placement, "{what}");
        // `assert_eq` would print every vertex
        assert!(a.geometry == b.geometry, "{what}: another shape");
    }
}

#[track_caller]
pub(super) fn assert_same_object(a: &RigidObject, b: &RigidObject) {
    let what = &a.name;
    assert!(a.geometry == b.geometry, "{what}: another shape");
    assert_eq!(a.pose, b.pose, "{what}");
    assert_eq!(
        (a.velocity, a.angular_velocity),
        (b.velocity, b.angular_velocity),
        "{what}"
    );
    assert_eq!(a.inertia, b.inertia, "{what}");
    assert_eq!(a.contact, b.contact, "{what}");
    assert_eq!(a.properties, b.properties, "{what}");
}

#[track_caller]
pub(super) fn assert_same_world(a: &WorldModel, b: &WorldModel) {
    assert_eq!(a.poses(), b.poses());
    assert_eq!(a.properties(), b.properties());
    let (ours, theirs) = (a.klampt_ids(), b.klampt_ids());
    let names = |ids: &kinworld::world::KlamptIds<'_>| {
        (0..ids.len()).map(|k| ids.name(k)).collect::<Vec<_>>()
    };
    assert_eq!(names(&ours), names(&theirs));
    for (a, b) in a.robots().zip(b.robots()) {
        assert_same_robot(a.model(), b.model(), a.name());
        assert_eq!(a.properties(), b.properties());
    }
    for ((_, a), (_, b)) in a.rigid_objects().zip(b.rigid_objects()) {
        assert_eq!(a.name, b.name);
        assert_same_object(a, b);
    }
    for ((id, a), (_, b)) in a.terrains().zip(b.terrains()) {
        assert!(
            a.geometry == b.geometry,
            "{}: another shape",
            EntityId::from(id)
        );
        assert_eq!(
            (&a.name, &a.friction, &a.properties),
            (&b.name, &b.friction, &b.properties)
        );
    }
}

/// Asserts that two files, and the folders beside them, hold the same bytes.
#[track_caller]
pub(super) fn assert_same_files(a: &Path, b: &Path) {
    let all = |path: &Path| -> Vec<(PathBuf, Vec<u8>)> {
        let root = path.parent().unwrap();
        let files = files_below(root).into_iter();
        let read = |path: PathBuf| {
            (
                path.strip_prefix(root).unwrap().to_owned(),
                std::fs::read(&path).unwrap(),
            )
        };
        files.map(read).collect()
    };
    let (a, b) = (all(a), all(b));
    let names = |files: &[(PathBuf, Vec<u8>)]| {
        files
            .iter()
            .map(|(path, _)| path.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&a), names(&b));
    for ((path, a), (_, b)) in a.iter().zip(&b) {
        assert!(a == b, "{} differs", path.display());
    }
}
