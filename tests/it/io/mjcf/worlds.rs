//! Robots, objects and terrains of a model, and the files that it names.

use kinworld::io::{FileKind, Loader, Source};
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{EntityId, Robot, WorldModel};

use super::{refusal, world};
use crate::common::files;

#[test]
fn children_of_the_world_become_robots_objects_and_terrains() {
    let scene = WorldModel::load(files::data("mjcf/scene.xml"))
        .unwrap()
        .value;
    let robots: Vec<&str> = scene.robots().map(|robot| robot.name()).collect();
    assert_eq!(robots, ["scene"]);
    let objects: Vec<&str> = scene
        .rigid_objects()
        .map(|(_, o)| o.name.as_str())
        .collect();
    assert_eq!(objects, ["crate"]);
    let terrains: Vec<(&str, f64)> = scene
        .terrains()
        .map(|(_, terrain)| (terrain.name.as_str(), terrain.friction[0]))
        .collect();
    let expected = [("floor", 1.0), ("hills", 1.0), ("table", 1.0), ("rim", 0.3)];
    assert_eq!(terrains, expected);

    // the rim stands on the table: 1, 0, 0.4 and 0, 0.4, 0.05
    let rim = scene.terrain("rim").unwrap();
    let aabb = rim
        .geometry
        .as_ref()
        .unwrap()
        .aabb(&kinworld::Pose::identity())
        .unwrap();
    assert!((aabb.max - kinworld::Point::new(1.4, 0.41, 0.48)).norm() < 1e-12);
    // and the hills reach from their base to 0.3, the first row of the text at +y
    let hills = scene
        .terrain("hills")
        .unwrap()
        .geometry
        .as_ref()
        .unwrap()
        .clone();
    let aabb = hills.aabb(&kinworld::Pose::identity()).unwrap();
    assert!((aabb.min.z + 0.1).abs() + (aabb.max.z - 0.3).abs() < 1e-12);
}

#[test]
fn a_robot_is_loaded_where_there_is_one() {
    let arm = Robot::load(files::data("mjcf/arm.xml")).unwrap().value;
    assert_eq!(arm.name(), "arm");
    assert_eq!(
        Loader::new().kind(files::data("mjcf/arm.xml")).unwrap(),
        FileKind::Mjcf
    );
    let mut cell = WorldModel::new();
    let id = cell
        .load_element(files::data("mjcf/arm.xml"))
        .unwrap()
        .value;
    assert!(matches!(id, EntityId::Robot(_)));

    let two = "<mujoco><worldbody><body><joint/><geom size='1'/></body><body><joint/><geom size='1'/></body></worldbody></mujoco>";
    let source = Source::memory().with_file("two.xml", two.as_bytes().to_vec());
    let error = Loader::new()
        .with_source(source)
        .robot("two.xml")
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("it has 2 robots, where one was expected"),
        "{error}"
    );
    assert_eq!(world(two).unwrap().value.n_robots(), 2);
}

#[test]
fn a_body_with_a_free_joint_alone_is_an_object_and_may_be_a_robot() {
    let text = "<mujoco model='m'><worldbody><body name='ball' pos='0 0 1'><freejoint/><geom size='0.1' mass='3'/></body></worldbody></mujoco>";
    let model = world(text).unwrap().value;
    assert_eq!((model.n_robots(), model.n_rigid_objects()), (0, 1));
    let (_, ball) = model.rigid_objects().next().unwrap();
    assert_eq!(ball.inertia.mass.to_bits(), 3.0_f64.to_bits());
    assert!((ball.inertia.moment.m11 - 0.4 * 3.0 * 0.01).abs() < 1e-15);
    assert_eq!(super::robot(text).n_dofs(), 6);
}

#[test]
fn files_are_named_by_their_folder_settings() {
    let mesh =
        b"OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n".to_vec();
    let model = |compiler: &str, file: &str| {
        format!(
            "<mujoco><compiler {compiler}/><asset><mesh file='{file}'/></asset>
             <worldbody><geom type='mesh' mesh='rock'/></worldbody></mujoco>"
        )
    };
    let cases = [
        ("", "shapes/rock.off"),
        ("meshdir='shapes'", "rock.off"),
        ("assetdir='elsewhere' meshdir='shapes/'", "rock.off"),
        ("strippath='true' assetdir='shapes'", "C:\\cad\\rock.off"),
    ];
    for (compiler, file) in cases {
        let source = Source::memory()
            .with_file("a/shapes/rock.off", mesh.clone())
            .with_file("a/m.xml", model(compiler, file).into_bytes());
        let world = Loader::new().with_source(source).world("a/m.xml");
        let world = world
            .unwrap_or_else(|error| panic!("{compiler}: {error}"))
            .value;
        let (_, terrain) = world.terrains().next().unwrap();
        assert_eq!(terrain.geometry.as_ref().unwrap().n_triangles(), 4);
    }
}

#[test]
fn a_urdf_in_an_xml_file_is_still_one() {
    let text = "<robot name='r'><link name='a'/></robot>";
    let source = Source::memory().with_file("r.xml", text.as_bytes().to_vec());
    let mut loader = Loader::new().with_source(source);
    assert_eq!(loader.kind("r.xml").unwrap(), FileKind::Robot);
    assert_eq!(loader.robot("r.xml").unwrap().value.name(), "r");
    assert!(refusal("<mujocoinclude/>").contains("is a part of a model of MuJoCo"));
}

#[test]
fn masks_hold_between_robots_objects_and_terrains() {
    let text = "<mujoco><worldbody>
<geom name='floor' type='box' size='9 9 1' contype='1' conaffinity='0'/>
<geom name='wall' type='box' size='1 9 9' contype='2' conaffinity='0'/>
<body name='arm' pos='0 0 5'><joint/><geom size='1' contype='0' conaffinity='1'/><body name='hand'><joint/><geom size='1' contype='0' conaffinity='2'/></body></body>
<body name='cart'><joint/><geom name='c' size='1' contype='4' conaffinity='4'/></body>
<body name='ball'><freejoint/><geom name='b' size='1' contype='8' conaffinity='2'/></body></worldbody>
<contact><pair geom1='c' geom2='b'/><exclude body1='hand' body2='world'/></contact></mujoco>";
    let mut world = world(text).unwrap().value;
    let enabled = |world: &WorldModel| {
        let collider = WorldCollider::new(world, &PairFilter::default()).unwrap();
        let names = |(a, b)| [world.name(a).unwrap(), world.name(b).unwrap()];
        let mut pairs: Vec<[String; 2]> = collider.pairs().map(names).collect();
        pairs.iter_mut().for_each(|pair| pair.sort());
        pairs.sort();
        pairs
    };
    // bodies of the world are parents without a filter; the exception says so for the hand
    let expected = [
        ["arm[arm]", "floor"],
        ["ball", "cart[cart]"],
        ["ball", "wall"],
    ];
    assert_eq!(enabled(&world), expected);

    // another world takes them along, and what is new is tested
    let mut other = WorldModel::new();
    other.append(world.clone());
    assert_eq!(enabled(&other), expected);
    world.remove(world.entity("wall").unwrap()).unwrap();
    assert_eq!(enabled(&world), expected[..2]);
    let unknown = world.ignore_pair(other.entity("wall").unwrap(), other.entity("ball").unwrap());
    assert!(unknown.is_err());
}
