//! Facts about a loaded file: counts, limits, mass and size.

use kinworld::geometry::Aabb;
use kinworld::robot::Link;
use kinworld::world::RobotRef;
use kinworld::{Geometry, Point, Pose, WorldModel, kinematics};
use serde_json::{Map, Value, json};

use crate::args::Kind;
use crate::json::{number, numbers};

/// Facts by name, in the order in which they are printed.
pub(crate) type Facts = Map<String, Value>;

/// Facts about a mesh.
pub(crate) fn of_mesh(mesh: &Geometry) -> Facts {
    object(json!({
        "n_tris": mesh.n_triangles(),
        "aabb": corners(mesh.aabb_tight(&Pose::identity())),
        "area": number(area(mesh)),
    }))
}

/// The area of its surface, 0 where it has none.
fn area(shape: &Geometry) -> f64 {
    let of_triangle = |[a, b, c]: [Point; 3]| (b - a).cross(&(c - a)).norm() / 2.0;
    let surface = shape.to_mesh();
    surface.map_or(0.0, |mesh| mesh.triangle_vertices().map(of_triangle).sum())
}

/// Facts about a list of configurations.
pub(crate) fn of_configs(configs: &[Vec<f64>]) -> Facts {
    object(json!({ "n_configs": configs.len() }))
}

/// Facts about the only element of a world, or about the world.
pub(crate) fn of_world(world: &WorldModel, kind: Kind) -> Facts {
    let mut facts = match kind {
        Kind::Robot => world.robots().next().map_or(Facts::new(), robot),
        Kind::RigidObject => object(json!({ "total_mass": number(mass(world)) })),
        Kind::World => object(json!({
            "n_links": world.robots().map(|robot| robot.n_links()).sum::<usize>(),
            "n_joints": world.robots().map(|robot| robot.model().joints().len()).sum::<usize>(),
            "total_mass": number(mass(world)),
            "n_robots": world.n_robots(),
            "n_objects": world.n_rigid_objects(),
            "n_terrains": world.n_terrains(),
        })),
        Kind::Terrain | Kind::Configurations | Kind::Mesh => Facts::new(),
    };
    let ids = world.klampt_ids();
    let shapes = || ids.iter().filter_map(|entity| world.geometry(entity));
    let n_tris: usize = shapes().map(|shape| shape.geometry.n_triangles()).sum();
    let around = shapes().filter_map(|shape| shape.aabb_tight());
    facts.insert("n_tris".to_owned(), n_tris.into());
    facts.insert(
        "aabb".to_owned(),
        corners(around.reduce(|a, b| a.union(&b))),
    );
    facts
}

fn robot(robot: RobotRef<'_>) -> Facts {
    let parent = |link: &Link| link.parent().map_or(json!(-1), |p| json!(p.index()));
    let links = robot.model().links();
    let limits = robot.limits();
    object(json!({
        "n_links": links.len(),
        "n_joints": robot.model().joints().len(),
        "link_names": links.iter().map(Link::name).collect::<Vec<_>>(),
        "parents": links.iter().map(parent).collect::<Value>(),
        "qmin": limits.iter().map(|limits| number(limits.q_min)).collect::<Value>(),
        "qmax": limits.iter().map(|limits| number(limits.q_max)).collect::<Value>(),
        "total_mass": number(kinematics::total_mass(robot.model())),
    }))
}

/// The mass of all robots and objects, kg.
fn mass(world: &WorldModel) -> f64 {
    let robots = world
        .robots()
        .map(|robot| kinematics::total_mass(robot.model()));
    let objects = world.rigid_objects();
    let objects = objects.map(|(_, object)| object.inertia.mass);
    // from 0, since the sum of nothing is -0
    robots.chain(objects).fold(0.0, |sum, mass| sum + mass)
}

/// `[[min],[max]]`, null for nothing.
fn corners(aabb: Option<Aabb>) -> Value {
    aabb.map_or(Value::Null, |aabb| {
        json!([numbers(&aabb.min.coords), numbers(&aabb.max.coords)])
    })
}

fn object(value: Value) -> Facts {
    match value {
        Value::Object(facts) => facts,
        _ => Facts::new(),
    }
}
