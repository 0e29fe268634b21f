//! World files, rule by rule: poses, sharing and refusals.

use kinworld::io::{LoadLimits, LoadOptions, Loader};
use kinworld::math::so3;
use kinworld::{Geometry, Point, Pose, Vector, WorldModel};

use super::scratch::{folder, refusal};
use crate::common::files::data;

/// A world of this text, in a folder with a cube of edge 1 around the origin, an arm of two links along x and a
/// block at a pose of its own.
fn world(text: &str) -> std::path::PathBuf {
    let root = folder();
    std::fs::copy(data("meshes/cube.off"), root.join("cube.off")).unwrap();
    let arm = "links a b\ntparent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 1 0 0\n";
    std::fs::write(root.join("arm.rob"), arm).unwrap();
    let block = "mesh cube.off\nmass 2\nT 0 -1 0 1 0 0 0 0 1 7 8 9\n";
    std::fs::write(root.join("block.obj"), block).unwrap();
    std::fs::write(
        root.join("world.xml"),
        format!("<world>\n{text}\n</world>\n"),
    )
    .unwrap();
    root.join("world.xml")
}

#[track_caller]
fn loaded(text: &str) -> (WorldModel, Vec<String>) {
    let loaded = WorldModel::load(world(text)).unwrap_or_else(|error| panic!("{error}"));
    let said = loaded.diagnostics.iter().map(|d| {
        let (line, column) = (d.line.unwrap_or(0), d.column.unwrap_or(0));
        format!("{line}:{column}: {}", d.message)
    });
    (loaded.value, said.collect())
}

#[test]
fn attributes_of_a_transform_apply_in_a_fixed_order() {
    let about = so3::from_axis_angle;
    let (x, y, z) = (Vector::x(), Vector::y(), Vector::z());
    let cases = [
        ("position=\"1 2 3\"", so3::from_rpy([0.0; 3])),
        ("rotateRPY=\"0.1 0.2 0.3\"", so3::from_rpy([0.1, 0.2, 0.3])),
        (
            "rotateMoment=\"0.1 0.2 0.3\" rotateRPY=\"1 1 1\"",
            so3::from_rotation_vector(&Vector::new(0.1, 0.2, 0.3)),
        ),
        (
            "rotateZ=\"0.3\" rotateX=\"0.1\" rotateY=\"0.2\"",
            about(&z, 0.3) * about(&y, 0.2) * about(&x, 0.1),
        ),
        (
            "rotateX=\"0.5\" rotateRPY=\"0 0 0.4\"",
            about(&x, 0.5) * about(&z, 0.4),
        ),
    ];
    for (attributes, rotation) in cases {
        let (world, _) = loaded(&format!(
            "<rigidObject name=\"o\" file=\"block.obj\" {attributes}/>"
        ));
        let pose = world.rigid_object("o").unwrap().pose;
        assert!(
            (pose.rotation.matrix() - rotation.matrix()).amax() < 1e-15,
            "{attributes}"
        );
        // any of them replaces the whole pose of the file
        let shift = if attributes.contains("position") {
            Vector::new(1.0, 2.0, 3.0)
        } else {
            Vector::zeros()
        };
        assert_eq!(pose.translation.vector, shift, "{attributes}");
    }
    let (world, _) = loaded("<rigidObject name=\"o\" file=\"block.obj\"/>");
    let pose = world.rigid_object("o").unwrap().pose;
    assert_eq!(pose.translation.vector, Vector::new(7.0, 8.0, 9.0));
}

#[test]
fn a_scale_acts_before_a_rotation_and_a_rotation_before_a_translation() {
    let (world, said) = loaded(
        "<terrain file=\"cube.off\" scale=\"2 4 6\" rotateZ=\"1.5707963267948966\" translation=\"1 0 0\" margin=\"0.5\"/>",
    );
    assert!(said.is_empty(), "{said:?}");
    let shape = world.geometry(world.entity("Terrain0").unwrap()).unwrap();
    let bounds = shape.aabb_tight().unwrap();
    // 2 along y and 4 along x now
    assert!(
        (bounds.min - Point::new(-1.0, -1.0, -3.0)).norm() < 1e-12,
        "{bounds:?}"
    );
    assert!(
        (bounds.max - Point::new(3.0, 1.0, 3.0)).norm() < 1e-12,
        "{bounds:?}"
    );
    assert!((shape.geometry.margin() - 0.5).abs() < f64::EPSILON);
}

#[test]
fn a_robot_is_moved_by_its_roots_and_configured() {
    let (world, _) = loaded(
        "<robot name=\"r\" file=\"arm.rob\" position=\"0 0 5\" rotateY=\"0.5\" config=\"2 0.25 -1\"/>",
    );
    let robot = world.robot("r").unwrap();
    assert_eq!(robot.config(), [0.25, -1.0]);
    let moved = Pose::from_parts(
        Vector::new(0.0, 0.0, 5.0).into(),
        so3::from_axis_angle(&Vector::y(), 0.5),
    );
    let root = robot.model().links()[0].placement();
    assert!((root.to_homogeneous() - moved.to_homogeneous()).amax() < 1e-15);
    assert_eq!(
        robot.model().links()[1].placement().translation.vector,
        Vector::x()
    );
}

#[test]
fn names_and_defaults_are_those_of_klampt() {
    let (world, _) = loaded(
        "<terrain file=\"cube.off\"/><terrain file=\"cube.off\"/><rigidObject><geometry mesh=\"cube.off\"/></rigidObject>\
         <robot file=\"arm.rob\"/>",
    );
    let ids = world.klampt_ids();
    let names: Vec<_> = ids.iter().filter_map(|id| world.name(id).ok()).collect();
    assert_eq!(
        names,
        [
            "Terrain0", "Terrain1", "Object", "Robot", "Robot[a]", "Robot[b]"
        ]
    );
    let object = world.rigid_object(0).unwrap();
    assert_eq!(
        (object.inertia.mass, object.inertia.moment.amax()),
        (1.0, 0.0)
    );
    assert_eq!(
        (object.contact.friction, object.contact.restitution),
        (0.5, 0.5)
    );
    let (world, _) = loaded("<rigidObject file=\"cube.off\"/>");
    // the surface of a cube of edge 1 and mass 1: 5/18 about each axis
    let moment = world.rigid_object(0).unwrap().inertia.moment;
    assert!((moment[(0, 0)] - 5.0 / 18.0).abs() < 1e-12, "{moment}");
}

#[test]
fn automass_is_applied_last_and_distinguishes_shells_from_solids() {
    let text = |fraction: &str| {
        format!(
            "<rigidObject><geometry mesh=\"cube.off\" translation=\"1 0 0\"/>\
             <physics mass=\"6\" automass=\"1\"{fraction}/></rigidObject>"
        )
    };
    for (fraction, moment) in [
        ("", 6.0 * 5.0 / 18.0),
        (" automassSurfaceFraction=\"0\"", 1.0),
    ] {
        let (world, _) = loaded(&text(fraction));
        let inertia = world.rigid_object(0).unwrap().inertia;
        assert!((inertia.com - Point::new(1.0, 0.0, 0.0)).norm() < 1e-12);
        assert!(
            (inertia.moment[(0, 0)] - moment).abs() < 1e-12,
            "{fraction}: {}",
            inertia.moment
        );
    }
}

#[test]
fn files_that_many_elements_name_are_shared() {
    let path =
        world(&"<terrain file=\"cube.off\" scale=\"2\"/><robot file=\"arm.rob\"/>".repeat(3));
    let world = WorldModel::load(path).unwrap().value;
    let robots: Vec<_> = world
        .robots()
        .map(|robot| std::sync::Arc::as_ptr(robot.model()))
        .collect();
    assert_eq!(robots, [robots[0]; 3]);
    let shapes: Vec<Geometry> = world
        .terrains()
        .filter_map(|(_, t)| t.geometry.clone())
        .collect();
    let start = |shape: &Geometry| std::ptr::from_ref(shape.shape());
    assert!(shapes.iter().all(|shape| start(shape) == start(&shapes[0])));
}

#[test]
fn suspicious_elements_get_a_warning_and_are_kept_as_data() {
    let (world, said) = loaded(
        "<terrain file=\"cube.off\" kFrition=\"1\"/>\n<rigidobject file=\"block.obj\"/>\n\
         <rigidObject file=\"block.obj\"><geometry translate=\"0 0 1\"/></rigidObject>\n\
         <simulation><object index=\"0\"><geometry preshink=\"1\"/></object></simulation>",
    );
    let expected = [
        "2:26: world: attribute `kFrition` of <terrain> is not known and ignored",
        "3:1: rigidobject: <rigidobject> is kept as data only; did you mean <rigidObject>?",
        "4:41: rigidObject: `translate` of <geometry> is ignored, as Klampt does; `translation` shifts it",
        "5:41: world: attribute `preshink` of <geometry> (did you mean `preshrink`?) is not known and ignored",
    ];
    assert_eq!(said, expected);
    assert_eq!(
        world.terrain(0usize).unwrap().properties["xml.attribute.kFrition"],
        "1"
    );
    assert_eq!(world.n_rigid_objects(), 1);
}

#[test]
fn errors_are_refused_with_their_position() {
    let cases = [
        (
            "<robot name=\"r\"/>",
            "2:1: error: robot `r`: <robot> needs the attribute `file`",
        ),
        (
            "<robot file=\"arm.rob\" config=\"3 1 2 3\"/>",
            "2:23: error: robot `Robot`: its configuration needs 2 values, got 3",
        ),
        (
            "<robot file=\"arm.rob\" config=\"2 1 x\"/>",
            "2:23: error: robot: `config`: `x` is not a finite number",
        ),
        (
            "<robot file=\"arm.rob\" config=\"1 1 1 2\"/>",
            "2:23: error: robot: `config` must hold one configuration, got 2",
        ),
        (
            "<rigidObject name=\"o\"/>",
            "2:1: error: rigidObject `o`: it has neither `file` nor <geometry>",
        ),
        (
            "<rigidObject><geometry/></rigidObject>",
            "2:14: error: rigidObject `Object`: <geometry> needs `mesh` or `file` here, since the object has none",
        ),
        (
            "<rigidObject><geometry mesh=\"none.off\"/></rigidObject>",
            "2:24: error: `none.off` cannot be found",
        ),
        (
            "<terrain file=\"cube.off\" scale=\"1 2\"/>",
            "2:26: error: terrain: `scale` needs 1 or 3 numbers, got 2",
        ),
        (
            "<terrain file=\"cube.off\" scale=\"0\"/>",
            "2:26: error: terrain: `scale` cannot be 0",
        ),
        (
            "<terrain file=\"cube.off\" rotateX=\"nan\"/>",
            "2:26: error: terrain: `rotateX` of <terrain>: `nan` is not a finite number",
        ),
        (
            "<terrain file=\"cube.off\" kFriction=\"-1\"/>",
            "2:26: error: terrain: `kFriction` must be from 0 up, got -1",
        ),
        (
            "<terrain file=\"arm.rob\"/>",
            "arm.rob: error: is a robot, where a terrain was expected",
        ),
        (
            "<rigidObject file=\"block.obj\"><physics mass=\"-1\"/></rigidObject>",
            "2:40: error: rigidObject: `mass` must be from 0 up, got -1",
        ),
        (
            "<robot file=\"cube.off\"/>",
            "cube.off: error: is a mesh, where a robot was expected",
        ),
    ];
    for (text, expected) in cases {
        let error = refusal(WorldModel::load(world(text))).to_string();
        let is_said = error.contains(expected);
        assert!(is_said, "{text}\n  said: {error}\n  not: {expected}");
    }
    let mut little = Loader::with_options(
        LoadOptions::default().with_limits(LoadLimits::default().with_world_links(3)),
    );
    let error = refusal(little.world(world(&"<robot file=\"arm.rob\"/>".repeat(2)))).to_string();
    assert!(
        error.ends_with("with this one the world has more than 3 links"),
        "{error}"
    );
}

#[test]
fn another_root_is_refused_by_its_name() {
    let root = folder();
    std::fs::write(root.join("path.xml"), "<multipath/>").unwrap();
    let error = refusal(WorldModel::load(root.join("path.xml"))).to_string();
    assert!(
        error.ends_with(
            "path.xml: error: its root element is <multipath>, not <robot>, <world>, <mujoco> or <sdf>"
        ),
        "{error}"
    );
}

#[test]
fn a_file_that_fails_leaves_the_world_unchanged() {
    let mut model = WorldModel::new();
    let _ = model.add_file(data("objects/can.obj")).unwrap();
    refusal(model.add_file(world(
        "<terrain file=\"cube.off\"/>\n<terrain file=\"none.off\"/>",
    )));
    assert_eq!((model.n_rigid_objects(), model.n_terrains()), (1, 0));
    let added = model.add_file(data("worlds/cell.xml")).unwrap().value;
    assert_eq!(added.len(), 4 + 5 + 2);
    assert_eq!(model.n_rigid_objects(), 6);
}
