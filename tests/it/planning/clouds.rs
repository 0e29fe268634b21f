//! Clouds of points as obstacles: the sphere pre-filter never decides otherwise than the shapes.

use kinworld::geometry::{Geometry, PointCloud, Primitive};
use kinworld::planning::{CSpace, EdgeQuery, RobotCSpace};
use kinworld::world::{RigidObject, Terrain};
use kinworld::{Point, Pose, Vector, WorldModel};

use super::{cell, random};
use crate::common::random::Random;

/// What a camera at `eye` sees of a table with a wall behind and some boxes: pixels of a depth image with noise.
fn image(eye: [f64; 3], pixels: usize, random: &mut Random) -> PointCloud {
    let mut points = Vec::new();
    for i in 0..pixels * pixels {
        let [u, v] = [i % pixels, i / pixels].map(|x| x as f64 / pixels as f64 - 0.5);
        let ray = Vector::new(1.0, 1.6 * u, 1.2 * v - 0.4);
        let wall = (1.1 - eye[0]) / ray.x;
        let table = -(eye[2] + 0.25) / ray.z.min(-1e-3);
        let post = if (u + 0.1).abs() < 0.04 {
            0.9 * wall
        } else {
            wall
        };
        let depth = table.min(post) + 0.002 * random.unit();
        points.push(Point::from(eye) + ray * depth);
    }
    PointCloud::new(points).unwrap()
}

/// An arm among clouds: one as it is, one that is inflated and tilted, several in a group with a box, and one that can move.
fn world(pixels: usize) -> WorldModel {
    let mut random = Random::new(25);
    let mut world = WorldModel::new();
    world.add_robot(
        cell()
            .world()
            .robots()
            .next()
            .unwrap()
            .model()
            .as_ref()
            .clone(),
    );
    let plain = image([-0.6, 0.1, 0.7], pixels, &mut random);
    let mut add = |name: &str, shape: Geometry| {
        world.add_terrain(Terrain::new(name, Some(shape))).unwrap();
    };
    add("image", plain.clone().into());
    let tilted = Pose::new(Vector::new(0.3, -1.1, -0.2), Vector::new(0.4, -0.2, 1.1));
    let small = image([-0.5, 0.0, 0.4], 20, &mut random);
    let inflated = Geometry::from(small.clone()).with_margin(0.03).unwrap();
    let crate_ = Primitive::aabb(Point::origin(), Point::new(0.1, 0.2, 0.1)).unwrap();
    let one = PointCloud::new(vec![Point::new(0.0, 0.1, 0.05)]).unwrap();
    let members = vec![
        (tilted, inflated),
        (Pose::translation(-0.4, 0.5, 0.3), crate_.into()),
        (Pose::translation(-0.3, 0.5, 0.6), one.into()),
        (
            Pose::identity(),
            PointCloud::new(Vec::new()).unwrap().into(),
        ),
    ];
    add(
        "group",
        Geometry::group(members).with_margin(0.005).unwrap(),
    );
    let mut object = RigidObject::new("moving".to_owned());
    object.geometry = Some(Geometry::from(small).with_margin(0.01).unwrap());
    world.add_rigid_object(object).unwrap();
    world
}

/// Random configurations by what the pre-filter says of them: some that are not free, and some that are.
fn drawn(space: &RobotCSpace, count: usize) -> [Vec<Vec<f64>>; 2] {
    let n = space.n_dofs();
    let rows: Vec<f64> = (0..2000).flat_map(|seed| random(space, seed)).collect();
    let mut free = vec![false; 2000];
    space.are_free(&rows, &mut free).unwrap();
    let of = |wanted: bool| {
        let rows = rows.chunks_exact(n).zip(&free);
        let rows = rows.filter(|(_, free)| **free == wanted);
        rows.map(|(q, _)| q.to_vec()).take(count).collect()
    };
    let drawn: [Vec<Vec<f64>>; 2] = [of(false), of(true)];
    assert!(drawn.iter().all(|rows| rows.len() == count));
    drawn
}

/// Compares the pre-filter with the shapes on configurations and edges; returns its counts for all of them.
fn compare(name: &str, space: &RobotCSpace, count: usize) -> [u64; 3] {
    let [blocked, free] = drawn(space, count);
    for (rows, is_free) in [(&blocked, false), (&free, true)] {
        for q in rows {
            assert_eq!(
                space.obstacle(q).unwrap().is_none(),
                is_free,
                "{name}: {q:?}"
            );
        }
    }
    let mut found = [0, 0];
    for (k, (a, far)) in free.iter().zip(&blocked).enumerate() {
        let mut b = far.clone();
        space.interpolate_into(a, far, [0.01, 0.05, 0.2][k % 3], &mut b);
        let expected = space
            .edge_collision(a, &b, EdgeQuery::Any)
            .unwrap()
            .is_none();
        assert_eq!(
            space.is_edge_free(a, &b).unwrap(),
            expected,
            "{name}: edge {k}"
        );
        found[usize::from(expected)] += 1;
    }
    assert!(found[0] > 1 && found[1] > 1, "{name}: {found:?}");
    let mut ws = space.workspace();
    let rows = [blocked.concat(), free.concat()].concat();
    let mut out = vec![false; 2 * count];
    space.are_free_with(&rows, &mut out, &mut ws).unwrap();
    let counts = ws.prefilter_counts();
    [counts.outer, counts.inner, counts.exact]
}

#[test]
fn spheres_among_clouds_decide_as_the_shapes_and_about_nearly_all() {
    let world = world(110);
    let robot = world.robots().next().unwrap().id();
    let spheres = RobotCSpace::new(&world.with_spheres(4).unwrap(), &[robot]).unwrap();
    let [outer, inner, exact] = compare("spheres", &spheres, 20);
    assert!(
        outer > 15 && inner > 15 && exact < 3,
        "{outer} {inner} {exact}"
    );

    let hulls = RobotCSpace::new(&world.with_hulls().unwrap(), &[robot]).unwrap();
    let hulls = hulls.with_sphere_prefilter(6).unwrap();
    let [_, inner, exact] = compare("hulls", &hulls, 16);
    assert!(inner > 1 && exact > 1, "{inner} {exact}");
}

#[test]
fn a_cloud_that_moves_is_where_it_is() {
    let mut world = world(30);
    let robot = world.robots().next().unwrap().id();
    let cloud = world.rigid_objects().next().unwrap().0;
    let of =
        |world: &WorldModel| RobotCSpace::new(&world.with_spheres(4).unwrap(), &[robot]).unwrap();
    let mut space = of(&world);
    let [_, rows] = drawn(&space, 20);
    let mut numbers = Random::new(8);
    let mut counts = [0, 0];
    for round in 0..5 {
        let pose = Pose::new(numbers.vector() * 0.4, numbers.vector() * 2.0);
        space.set_pose(cloud, &pose).unwrap();
        let mut object = world.rigid_object_mut(cloud).unwrap();
        object.set_pose(&pose).unwrap();
        let anew = of(&world);
        for q in &rows {
            let free = space.is_free(q).unwrap();
            assert_eq!(free, anew.is_free(q).unwrap(), "round {round}: {q:?}");
            let obstacle = space.obstacle(q).unwrap();
            assert_eq!(free, obstacle.is_none(), "round {round}: {q:?}");
            counts[usize::from(free)] += 1;
        }
    }
    assert!(counts[0] > 3 && counts[1] > 3, "{counts:?}");
}
