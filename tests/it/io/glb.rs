//! Worlds as binary glTF: the same triangles at the same poses, in the same colours.

use std::collections::BTreeSet;
use std::path::Path;

use kinworld::geometry::{Appearance, MaterialRange, Mesh, MeshMaterials, Primitive};
use kinworld::robot::{Element, LinkMotion, LinkSpec};
use kinworld::world::{RigidObject, Terrain};
use kinworld::{Geometry, LinkId, Point, Pose, Robot, RobotBuilder, Vector, WorldModel};
use serde_json::Value;

use super::scratch::folder;
use crate::common::files::{data, files_below};

#[test]
fn every_world_reads_back_with_its_triangles_where_they_were() {
    let mut files = files_below(&data("worlds"));
    files.extend(files_below(&data("robots")));
    let out = folder().join("world.glb");
    let (mut n_files, mut n_triangles) = (0, 0);
    for file in files {
        let Ok(loaded) = WorldModel::load(&file) else {
            continue;
        };
        let mut world = loaded.value;
        let ids: Vec<_> = world.robots().map(|robot| robot.id()).collect();
        for id in ids {
            let mut robot = world.robot_mut(id).unwrap();
            let q: Vec<f64> = (0..robot.view().config().len())
                .map(|i| 0.3 - 0.1 * (i % 7) as f64)
                .collect();
            robot.set_config(&q).unwrap();
        }
        let expected = triangles(&world);
        let lost = world.save(&out).unwrap();
        assert!(lost.iter().all(|lost| lost.message.starts_with("not kept")));
        if expected.is_empty() {
            continue;
        }
        let read = Geometry::load(&out).unwrap().value.to_mesh().unwrap();
        let read: Vec<[Point; 3]> = read.triangle_vertices().collect();
        assert_eq!(read.len(), expected.len(), "{}", file.display());
        for (a, b) in read.iter().zip(&expected) {
            for (a, b) in a.iter().zip(b) {
                let allowed = 2e-6 * (1.0 + b.coords.norm());
                assert!((a - b).norm() < allowed, "{}: {a} {b}", file.display());
            }
        }
        n_files += 1;
        n_triangles += read.len();
    }
    assert!(n_files > 10, "{n_files}");
    assert!(n_triangles > 1000, "{n_triangles}");
}

#[test]
fn a_mesh_is_written_once_and_links_keep_their_names_and_joints() {
    let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.1).unwrap());
    let mut builder = RobotBuilder::new("two <arms>");
    let mut parent = None;
    for name in ["base", "upper", "lower"] {
        let mut link = LinkSpec::new(name, parent, LinkMotion::Revolute(Vector::y()));
        link.placement = Pose::translation(0.0, 0.0, 0.5);
        link.collision.push(Element::new(ball.clone()));
        parent = Some(builder.add_link(link));
    }
    let mut world = WorldModel::new();
    world.add_robot(builder.build().unwrap());
    let mut object = RigidObject::new("ball");
    object.geometry = Some(ball);
    world.add_rigid_object(object).unwrap();

    let out = folder().join("world.glb");
    assert_eq!(world.save(&out).unwrap(), []);
    let document = document(&out);
    let count = |key: &str| document[key].as_array().unwrap().len();
    // positions and indices, whoever carries them; a mesh for each colour
    assert_eq!(
        (count("accessors"), count("meshes"), count("materials")),
        (2, 2, 2)
    );
    let nodes = document["nodes"].as_array().unwrap();
    let named = |name: &str| nodes.iter().find(|node| node["name"] == name).unwrap();
    let below = |node: &Value| -> BTreeSet<String> {
        let children = node["children"].as_array().unwrap().iter();
        let names = children.filter_map(|i| nodes[i.as_u64().unwrap() as usize]["name"].as_str());
        names.map(str::to_owned).collect()
    };
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(below(named("world")), set(&["two <arms>", "ball"]));
    assert_eq!(below(named("two <arms>")), set(&["base"]));
    assert_eq!(below(named("base")), set(&["upper"]));
    let joint = &named("upper")["extras"]["joint"];
    assert_eq!(
        (&joint["name"], &joint["motion"]),
        (&"upper".into(), &"revolute".into())
    );
}

#[test]
fn colours_of_materials_and_vertices_survive() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let points: Vec<Point> = corners.into_iter().map(Point::from).collect();
    let triangles = vec![[0, 1, 2], [0, 1, 3], [1, 2, 3]];
    let mut materials = MeshMaterials::default();
    for (name, color) in [
        ("rust", [0.7, 0.3, 0.1, 1.0]),
        ("glass", [0.1, 0.9, 0.5, 0.25]),
    ] {
        let mut own = Appearance::default();
        (own.name, own.color) = (name.to_owned(), Some(color));
        materials.materials.push(own);
    }
    for (triangles, material) in [(0..1, 0), (1..2, 1)] {
        materials.ranges.push(MaterialRange {
            triangles,
            material,
        });
    }
    materials.vertex_colors = vec![[0.2, 0.4, 0.6, 1.0]; 4];
    let mesh = Mesh::new(points, triangles).unwrap();
    let mesh = mesh.with_materials(materials).unwrap();
    let mut world = WorldModel::new();
    let terrain = Terrain::new("roof", Some(mesh.into()));
    world.add_terrain(terrain).unwrap();

    let out = folder().join("world.glb");
    assert_eq!(world.save(&out).unwrap(), []);
    let read = Geometry::load(&out).unwrap().value.to_mesh().unwrap();
    let materials = read.materials().unwrap();
    let near = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    for (i, name, color) in [
        (0, "rust", [0.7, 0.3, 0.1, 1.0]),
        (1, "glass", [0.1, 0.9, 0.5, 0.25]),
    ] {
        let own = materials.material_of(i).unwrap();
        assert_eq!(own.name, name);
        assert!(near(own.color.unwrap(), color), "{own:?}");
    }
    let [r, g, b, a] = materials.vertex_colors[0].map(f64::from);
    assert!(near([r, g, b, a], [0.2, 0.4, 0.6, 1.0]), "{r} {g} {b} {a}");
}

#[test]
fn a_mesh_becomes_a_scene_and_an_empty_world_is_one_too() {
    let out = folder().join("wedge.glb");
    let mut loader = kinworld::io::Loader::new();
    loader.convert(data("formats/wedge.obj"), &out).unwrap();
    let (a, b) = (
        Geometry::load(&out).unwrap().value,
        Geometry::load(data("formats/wedge.obj")).unwrap().value,
    );
    assert_eq!(a.n_triangles(), b.n_triangles());
    assert_eq!(WorldModel::new().save(&out).unwrap(), []);
    let refused = Geometry::load(&out).unwrap_err().to_string();
    assert!(
        refused.ends_with("error: the mesh has no triangle"),
        "{refused}"
    );
}

/// All triangles of a world in the order of its elements.
fn triangles(world: &WorldModel) -> Vec<[Point; 3]> {
    let mut all = Vec::new();
    let mut add = |pose: Pose, shape: &Geometry| {
        // clouds and points have no surface
        for (pose, shape) in members(pose, shape) {
            if let Ok(mesh) = shape.to_mesh() {
                let placed = mesh.triangle_vertices().map(|t| t.map(|p| pose * p));
                all.extend(placed);
            }
        }
    };
    for robot in world.robots() {
        let links: Vec<_> = robot.links().collect();
        for i in depth_first(robot.model(), None) {
            let link = &links[i];
            let elements = match link.model().visual() {
                [] => link.model().collision(),
                visual => visual,
            };
            for element in elements {
                add(link.pose() * element.placement, &element.geometry);
            }
        }
    }
    for (_, object) in world.rigid_objects() {
        if let Some(shape) = &object.geometry {
            add(object.pose, shape);
        }
    }
    for (_, terrain) in world.terrains() {
        if let Some(shape) = &terrain.geometry {
            add(Pose::identity(), shape);
        }
    }
    all
}

/// Links of a robot, each with all that it carries before the next.
fn depth_first(robot: &Robot, parent: Option<LinkId>) -> Vec<usize> {
    let mut order = Vec::new();
    for (i, link) in robot.links().iter().enumerate() {
        if link.parent() == parent {
            order.push(i);
            order.extend(depth_first(robot, Some(LinkId::new(i))));
        }
    }
    order
}

fn members(pose: Pose, shape: &Geometry) -> Vec<(Pose, Geometry)> {
    match shape.shape() {
        kinworld::geometry::Shape::Group(list) => {
            let inner = list
                .iter()
                .flat_map(|(x, member)| members(pose * x, member));
            inner.collect()
        }
        _ => vec![(pose, shape.clone())],
    }
}

/// The JSON of a `.glb`.
fn document(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    assert_eq!(bytes.len() % 4, 0);
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

#[test]
fn textures_are_named_in_one_warning() {
    let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.1).unwrap());
    let warnings = |n: usize| -> Vec<String> {
        let mut builder = RobotBuilder::new("robot");
        let mut link = LinkSpec::new("base", None, LinkMotion::Fixed);
        for texture in (0..n).chain(0..n) {
            let mut element = Element::new(sphere.clone());
            let own = element.appearance.insert(Appearance::default());
            own.texture = Some(format!("{texture}.png"));
            link.visual.push(element);
        }
        builder.add_link(link);
        let mut world = WorldModel::new();
        world.add_robot(builder.build().unwrap());
        let lost = world.save(folder().join("textured.glb")).unwrap();
        lost.into_iter().map(|lost| lost.message).collect()
    };
    assert_eq!(
        warnings(1),
        ["not kept: the texture `0.png`: plain colours are in its place"]
    );
    assert_eq!(
        warnings(3),
        ["not kept: 3 textures (`0.png`, `1.png`, `2.png`): plain colours are in their place"]
    );
    assert_eq!(
        warnings(5),
        [
            "not kept: 5 textures (`0.png`, `1.png`, `2.png` and 2 more): plain colours are in their place"
        ]
    );
}
