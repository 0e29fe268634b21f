//! Rigid objects and terrains: against Klampt, and rule by rule.

use kinworld::io::FileKind;
use kinworld::world::{RigidObject, Terrain};
use kinworld::{EntityId, Loaded, WorldModel};

use super::scratch::{file, loader_of_data, refusal};
use crate::common::files::data;
use crate::common::numbers::assert_close;

fn object(rest: &str) -> (RigidObject, Vec<String>) {
    let mesh = data("meshes/cube.off");
    let text = format!("mesh \"{}\"\n{rest}", mesh.display());
    let Loaded {
        value, diagnostics, ..
    } = loader_of_data()
        .rigid_object(file("thing.obj", text))
        .unwrap();
    let said = diagnostics.iter().map(|d| d.message.clone());
    (value, said.collect())
}

#[test]
fn a_minimal_object_has_klampts_defaults() {
    let (object, said) = object("");
    assert_eq!(said, [""; 0]);
    assert_eq!(object.name, "thing");
    let inertia = object.inertia;
    let ours = [
        inertia.mass,
        inertia.moment[(0, 0)],
        inertia.moment[(0, 1)],
        inertia.com.x,
    ];
    assert_close("mass", &ours, &[1.0, 1.0, 0.0, 0.0], 0.0);
    let contact = object.contact;
    let ours = [
        contact.friction,
        contact.restitution,
        contact.stiffness,
        contact.damping,
    ];
    let infinite = f64::INFINITY;
    assert_close("contact", &ours, &[0.5, 0.5, infinite, infinite], 0.0);
}

#[test]
fn poses_velocities_and_scales_are_read_in_either_form() {
    let (a, _) = object(
        "T 0 -1 0  1 0 0  0 0 1  1 2 3\nvelocity 1 0 0\nangularVelocity 0 0 2\ngeomscale 1 2 3\ngeomtranslate 5 0 0\n",
    );
    let (b, _) =
        object("T 0 -1 0 9  1 0 0 9  0 0 1 9  0 0 0 1\nposition 1 2 3\nkStiffness infinity\n");
    assert_eq!(a.pose.to_homogeneous(), b.pose.to_homogeneous());
    assert_close("R", &[a.pose.rotation.matrix()[(1, 0)]], &[1.0], 0.0);
    assert_close("w", a.angular_velocity.as_slice(), &[0.0, 0.0, 2.0], 0.0);
    let box_of = |object: &RigidObject| {
        object
            .geometry
            .as_ref()
            .and_then(|shape| shape.aabb(&kinworld::Pose::identity()))
    };
    let (a, b) = (box_of(&a).expect("a cube"), box_of(&b).expect("a cube"));
    for (k, (scale, shift)) in [(1.0, 5.0), (2.0, 0.0), (3.0, 0.0)].into_iter().enumerate() {
        assert_close("box", &[a.min[k]], &[scale * b.min[k] + shift], 1e-12);
        assert_close("box", &[a.max[k]], &[scale * b.max[k] + shift], 1e-12);
    }
}

#[test]
fn keys_in_another_case_and_repeated_keys_get_warnings() {
    let (thing, said) =
        object("Mass 5\nkFriction 1\nkFriction 2\nT 1 0 0 0 1 0 0 0.0002 1 0 0 0\n");
    assert_close("mass", &[thing.inertia.mass], &[1.0], 0.0);
    assert_close("friction", &[thing.contact.friction], &[2.0], 0.0);
    let expected = [
        "`kFriction` is given at line 3 already; this one counts",
        "`Mass` is ignored: keys are case-sensitive",
        "the rotation of `T` is not orthonormal (off by 2.0e-4)",
    ];
    assert_eq!(said, expected);
    let (_, said) = object("autoMass\ninertia 1 1 1\n");
    assert_eq!(
        said,
        ["`inertia` is ignored, because `autoMass` computes it"]
    );
}

#[test]
fn the_two_kinds_of_obj_are_distinguished_by_their_first_known_word() {
    let wavefront = "# Blender\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (text, expected) in [
        (wavefront.to_owned(), FileKind::Geometry),
        (
            "# a box\n\n  MESH \"cube.off\"\n".to_owned(),
            FileKind::RigidObject,
        ),
        (
            "strange 1\nmass 5\nv 0 0 0\n".to_owned(),
            FileKind::RigidObject,
        ),
        (
            "\u{feff}mtllib a.mtl\nmass 5\n".to_owned(),
            FileKind::Geometry,
        ),
        // long comments, one of which ends such that a part of the file ends with `v`
        (
            "# scanned in the cellar\n".repeat(999) + wavefront,
            FileKind::Geometry,
        ),
        (
            "#".repeat(4094) + "\nvertical 1\nmass 5\n",
            FileKind::RigidObject,
        ),
    ] {
        assert_eq!(
            FileKind::of(file("x.obj", &text)).unwrap(),
            expected,
            "{text}"
        );
    }
    // a mesh is an object of 1 kg on its surface, or a terrain
    let path = file("triangle.obj", wavefront);
    let object = loader_of_data().rigid_object(&path).unwrap().value;
    assert_close(
        "com",
        object.inertia.com.coords.as_slice(),
        &[1.0 / 3.0, 1.0 / 3.0, 0.0],
        1e-12,
    );
    assert_close("restitution", &[object.contact.restitution], &[0.5], 0.0);
    assert_eq!(
        loader_of_data().terrain(&path).unwrap().value.friction,
        [0.5]
    );
}

#[test]
fn terrains_take_one_friction_or_one_per_triangle() {
    let mesh = data("meshes/floor.off");
    let load = |rest: &str| {
        let text = format!("mesh \"{}\"\n{rest}", mesh.display());
        loader_of_data().terrain(file("ground.env", text)).unwrap()
    };
    assert_eq!(load("").value.friction, [0.5]);
    assert_eq!(load("kFriction 0.25").value.friction, [0.25]);
    assert_eq!(load("kFriction 0.25 1").value.friction, [0.25, 1.0]);
    // as Klampt writes it
    assert_eq!(load("friction 0.75").value.friction, [0.75]);
    let odd = load("colour red\n");
    assert_eq!(
        odd.diagnostics[0].message,
        "`colour` is ignored: it is not a key of terrains"
    );
    assert_eq!(odd.value.name, "ground");
}

#[test]
fn elements_are_added_to_a_world_by_their_kind() {
    let mut world = WorldModel::new();
    for (path, kind) in [
        ("robots/arm6.rob", "robot"),
        ("objects/crate.obj", "rigid object"),
        ("terrains/floor.env", "terrain"),
        ("meshes/cube.off", "terrain"),
        ("robots/arm6.urdf", "robot"),
    ] {
        let id: EntityId = world.load_element(data(path)).unwrap().value;
        assert_eq!(id.kind(), kind, "{path}");
    }
    assert_eq!(world.robots().len(), 2);
    // a failure changes nothing
    refusal(world.load_element(data("malformed/terrain/friction_negative.env")));
    refusal(world.load_element(file(
        "scene.xml",
        "<?xml version=\"1.0\"?>\n<!-- w --><world></world>",
    )));
    assert_eq!(world.terrains().len(), 2);
}

#[test]
fn a_file_of_the_wrong_kind_is_refused_with_its_kind() {
    for (error, expected) in [
        (
            refusal(RigidObject::load(data("robots/arm6.rob"))),
            "is a robot, where a rigid object was expected",
        ),
        (
            refusal(Terrain::load(data("objects/crate.obj"))),
            "is a rigid object, where a terrain was expected",
        ),
        (
            refusal(kinworld::Robot::load(data("meshes/cube.off"))),
            "is a mesh, where a robot was expected",
        ),
        (
            refusal(kinworld::Geometry::load(data("objects/crate.obj"))),
            "is a rigid object, where a mesh was expected",
        ),
    ] {
        assert_eq!(error.diagnostic.message, expected);
    }
}
