//! Robots, objects, terrains and worlds that are saved, loaded and saved again: the same contents, and the same bytes.

use kinworld::io::{Loader, save_configurations};
use kinworld::robot::RobotBuilder;
use kinworld::world::{RigidObject, Terrain};
use kinworld::{Diagnostic, Robot, WorldModel};

use super::same::{assert_same_files, assert_same_object, assert_same_robot, assert_same_world};
use super::scratch::{file, folder, refusal};
use crate::common::files::{data, files_below};

#[test]
fn robots_survive_being_saved() {
    let mut n = 0;
    for path in files_below(&data("robots")) {
        let robot = Robot::load(&path).unwrap().value;
        let (lost, again) = robot_twice(&robot);
        let name = path.display();
        if path.extension().is_some_and(|suffix| suffix == "rob") {
            assert_eq!(lost, [], "{name}");
            assert_same_robot(&robot, &again, &name.to_string());
        }
        n += 1;
    }
    assert!(n > 9, "{n} robots");
}

#[test]
fn urdfs_survive_being_saved() {
    for path in files_below(&data("robots")) {
        let robot = Robot::load(&path).unwrap().value;
        let (lost, again) = saved_twice(&robot, "x.urdf");
        let name = path.display().to_string();
        if path.extension().is_some_and(|suffix| suffix == "urdf") {
            assert_eq!(lost, [], "{name}");
            assert_same_robot(&robot, &again, &name);
        }
    }
}

#[test]
fn losses_in_a_urdf_are_reported() {
    let robot = Robot::load(data("robots/quadruped.rob")).unwrap().value;
    let said = robot.save(folder().join("x.urdf")).unwrap();
    let said: Vec<String> = said.iter().map(|d| d.message.clone()).collect();
    let expected = [
        "the floating joint of link `trunk` is written as one joint per degree of freedom",
        "the initial configuration is not kept: it is zero",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_rob_keeps_its_degrees_of_freedom_as_urdf() {
    for name in [
        "arm6.rob",
        "gripper.rob",
        "mobile_arm.rob",
        "planar3R.rob",
        "quadruped.rob",
    ] {
        let robot = Robot::load(data("robots").join(name)).unwrap().value;
        let (_, again) = saved_twice(&robot, "x.urdf");
        assert_eq!(again.n_dofs(), robot.n_dofs(), "{name}");
        for link in robot.links() {
            let theirs = again.link(again.link_id(link.name()).unwrap());
            assert_eq!(
                theirs.inertia().mass.to_bits(),
                link.inertia().mass.to_bits(),
                "{name}: {}",
                link.name()
            );
            let off = (theirs.placement().inverse() * link.placement()).to_homogeneous();
            assert!(
                (off - nalgebra::Matrix4::identity()).amax() < 1e-12,
                "{name}: {}",
                link.name()
            );
        }
        let same_pairs = |a: &Robot, b: &Robot| {
            a.self_collision_pairs().all(|(i, j)| {
                let [i, j] = [i, j].map(|id| b.link_id(a.link(id).name()).unwrap());
                b.self_collision_enabled(i, j)
            })
        };
        assert!(
            same_pairs(&robot, &again) && same_pairs(&again, &robot),
            "{name}"
        );
    }
}

#[test]
fn losses_in_a_rob_are_reported() {
    let robot = Robot::load(data("robots/gripper.urdf")).unwrap().value;
    let said = robot.save(folder().join("x.rob")).unwrap();
    let said: Vec<String> = said.iter().map(|d| d.message.clone()).collect();
    let has = |part: &str| said.iter().any(|said| said.contains(part));
    assert!(
        has("have no degree of freedom; each gets one in a .rob, fixed at 0 by a weld"),
        "{said:#?}"
    );
}

#[test]
fn names_and_texts_of_any_characters_survive() {
    let mut spec = RobotBuilder::from(&Robot::load(data("robots/planar3R.rob")).unwrap().value);
    spec.name = "an \"arm\" # 1".to_owned();
    spec.links[1].name = "the second link".to_owned();
    let text = "<sensors>\n\t<a b=\"c \\ d\"/> # no comment\n</sensors>";
    spec.properties
        .insert("sensors".to_owned(), text.to_owned());
    spec.properties.insert("empty".to_owned(), String::new());
    let robot = spec.build().unwrap();
    let (lost, again) = robot_twice(&robot);
    assert_eq!(lost, []);
    assert_same_robot(&robot, &again, "texts");
}

#[test]
fn objects_and_terrains_survive_being_saved() {
    for path in files_below(&data("objects")) {
        let object = RigidObject::load(&path).unwrap().value;
        let (first, second) = (folder().join("x.obj"), folder().join("x.obj"));
        object.save(&first).unwrap();
        let again = RigidObject::load(&first).unwrap();
        assert_eq!(again.diagnostics, []);
        assert_same_object(&object, &again.value);
        again.value.save(&second).unwrap();
        assert_same_files(&first, &second);
    }
    for path in files_below(&data("terrains")) {
        let terrain = Terrain::load(&path).unwrap().value;
        let (first, second) = (folder().join("x.env"), folder().join("x.env"));
        terrain.save(&first).unwrap();
        let again = Terrain::load(&first).unwrap();
        assert_eq!(again.diagnostics, []);
        assert_eq!(again.value.geometry, terrain.geometry);
        assert_eq!(again.value.friction, terrain.friction);
        again.value.save(&second).unwrap();
        assert_same_files(&first, &second);
    }
}

#[test]
fn worlds_survive_being_saved() {
    for path in files_below(&data("worlds")) {
        if path.extension().is_some_and(|suffix| suffix == "xml") {
            let world = WorldModel::load(&path).unwrap().value;
            assert_eq!(world_twice(&world), [], "{}", path.display());
        }
    }
}

#[test]
fn a_world_keeps_unused_properties() {
    let text = "<world background=\"1 0 0\" x:y=\"&lt;&quot;\">\n  <robot name=\"a &amp; b\" file=\"r.rob\" config=\"1 0.1\">\n    \
                <sensors>\n  <s/>\n</sensors>\n    <display color=\"1 0 0\"/>\n  </robot>\n  \
                <terrain file=\"t.off\" margin=\"0.01\"><display color=\"0 1 0\"/></terrain>\n  \
                <simulation><globals maxContacts=\"5\"/></simulation>\n  <own>\n text &amp; <more/></own>\n</world>";
    let root = folder();
    std::fs::copy(data("meshes/cube.off"), root.join("t.off")).unwrap();
    std::fs::write(
        root.join("r.rob"),
        "links a\ntparent 1 0 0 0 1 0 0 0 1 0 0 0\n",
    )
    .unwrap();
    std::fs::write(root.join("w.xml"), text).unwrap();
    let world = WorldModel::load(root.join("w.xml")).unwrap().value;
    assert_eq!(world.properties()["xml.attribute.x:y"], "<\"");
    let children =
        "<simulation><globals maxContacts=\"5\"/></simulation>\n<own>\n text &amp; <more/></own>";
    assert_eq!(world.properties()["xml.children"], children);
    let robot = world.robot("a & b").unwrap();
    assert_eq!(
        robot.properties()["sensors"],
        "<sensors>\n  <s/>\n</sensors>"
    );
    assert_eq!(
        robot.properties()["xml.children"],
        "<display color=\"1 0 0\"/>"
    );
    assert_eq!(world_twice(&world), []);
}

#[test]
fn formats_convert_into_each_other() {
    let mut loader = Loader::new();
    let root = folder();
    let arm = data("robots/arm6.urdf");
    loader.convert(&arm, root.join("arm.rob")).unwrap();
    let (ours, theirs) = (Robot::load(root.join("arm.rob")), Robot::load(&arm));
    // the fixed root gets a degree of freedom before the others
    assert_eq!(
        &ours.unwrap().value.limits()[1..],
        theirs.unwrap().value.limits()
    );
    loader
        .convert(root.join("arm.rob"), root.join("arm.xml"))
        .unwrap();
    loader
        .convert(root.join("arm.xml"), root.join("back.rob"))
        .unwrap();
    loader
        .convert(root.join("arm.xml"), root.join("arm.ply"))
        .unwrap();
    loader
        .convert(data("meshes/cube.off"), root.join("cube.env"))
        .unwrap();
    assert_eq!(
        Terrain::load(root.join("cube.env")).unwrap().value.friction,
        [0.5]
    );

    let error = refusal(
        loader.convert(
            root.join("arm.rob"),
            root.join("../")
                .join(root.file_name().unwrap())
                .join("arm.rob"),
        ),
    );
    assert!(
        error
            .to_string()
            .ends_with("would be overwritten by what is made of it"),
        "{error}"
    );
    let error = refusal(loader.convert(data("objects/can.obj"), root.join("can.rob")));
    assert!(
        error
            .to_string()
            .ends_with("holds 0 robots, where one is to be written"),
        "{error}"
    );
    assert!(!root.join("can.rob").exists());
}

#[test]
fn configurations_survive_being_saved() {
    let all = [vec![0.1, -0.0, 1e-300], Vec::new(), vec![1.0 / 3.0]];
    let path = folder().join("x.configs");
    save_configurations(&path, &all).unwrap();
    let again = Loader::new().configurations(&path).unwrap().value;
    let bits = |all: &[Vec<f64>]| -> Vec<Vec<u64>> {
        all.iter()
            .map(|q| q.iter().map(|x| x.to_bits()).collect())
            .collect()
    };
    assert_eq!(bits(&again), bits(&all));
    let error = refusal(Loader::new().configurations(file("y.config", "2 0.5\n")));
    assert!(
        error
            .to_string()
            .ends_with("y.config:1:1: error: 2 values are announced, but only 1 follow"),
        "{error}"
    );
}

/// Saves a robot as `.rob`, loads and saves it again.
pub(crate) fn robot_twice(robot: &Robot) -> (Vec<Diagnostic>, Robot) {
    saved_twice(robot, "x.rob")
}

/// Saves, loads and saves a robot; returns the warnings of the first save, and the loaded robot.
pub(crate) fn saved_twice(robot: &Robot, name: &str) -> (Vec<Diagnostic>, Robot) {
    let (first, second) = (folder().join(name), folder().join(name));
    let lost = robot.save(&first).unwrap();
    let again = Robot::load(&first).unwrap().value;
    assert_eq!(again.save(&second).unwrap(), [], "{}", robot.name());
    assert_same_files(&first, &second);
    (lost, again)
}

/// Saves, loads and saves a world, which must not change; returns the warnings of the first save.
pub(crate) fn world_twice(world: &WorldModel) -> Vec<Diagnostic> {
    let (first, second) = (folder().join("x.xml"), folder().join("x.xml"));
    let lost = world.save(&first).unwrap();
    let again = WorldModel::load(&first).unwrap();
    if lost.is_empty() {
        assert_same_world(world, &again.value);
    }
    again.value.save(&second).unwrap();
    assert_same_files(&first, &second);
    lost
}
