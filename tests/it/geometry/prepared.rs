//! Prepared shapes are queried without building anything.

use kinworld::geometry::{Geometry, Mesh, query};
use kinworld::world::{PairFilter, RigidObject, WorldCollider, WorldModel};
use kinworld::{Point, Pose, Vector};

use crate::common::allocations::allocations;
use crate::common::random::Random;

/// A cloud of small triangles, with memory of its own each time.
fn blob(seed: u64, n: usize) -> Geometry {
    let mut random = Random::new(seed);
    let mut vertices = Vec::new();
    for _ in 0..n {
        let middle = Point::from(random.vector());
        vertices.extend([0; 3].map(|_| middle + random.vector() * 0.1));
    }
    let triangles = (0..u32::try_from(n).unwrap()).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    Mesh::new(vertices, triangles.collect()).unwrap().into()
}

fn ask(a: &Geometry, b: &Geometry, x: &Pose) -> (bool, query::Distance) {
    let here = Pose::identity();
    let hit = query::collides((a, &here), (b, x)).unwrap();
    (hit, query::distance((a, &here), (b, x)).unwrap())
}

#[test]
fn prepared_shapes_are_asked_without_building_anything() {
    let far = Pose::translation(3.5, 0.2, 0.1);
    // warms up the memory that traversals keep
    let (a, b) = (blob(1, 300), blob(2, 300));
    ask(&a.clone().with_solid(true), &b, &far);
    ask(&a, &b, &Pose::translation(0.3, 0.0, 0.0));
    for solid in [false, true] {
        let (a, b) = (blob(3, 300).with_solid(solid), blob(4, 300));
        let first = allocations(|| {
            ask(&a, &b, &far);
        });
        assert!(first > 0, "the first query builds trees");
        let (a, b) = (blob(3, 300).with_solid(solid), blob(4, 300));
        a.prepare();
        b.prepare();
        assert_eq!(allocations(|| a.prepare()), 0);
        let asked = allocations(|| {
            ask(&a, &b, &far);
        });
        assert_eq!(asked, 0, "solid: {solid}");
    }
}

#[test]
fn a_frozen_world_builds_nothing_later() {
    let world = |solid: bool| {
        let mut world = WorldModel::new();
        for (i, name) in ["a", "b", "c"].iter().enumerate() {
            let shape = blob(i as u64, 200).with_solid(solid && i == 1);
            world
                .add_rigid_object(RigidObject {
                    geometry: Some(shape),
                    pose: Pose::translation(2.3 * i as f64, 0.0, 0.0),
                    ..RigidObject::new(*name)
                })
                .unwrap();
        }
        world
    };
    for solid in [false, true] {
        let warm = world(solid);
        let shape = |world: &WorldModel, i: usize| {
            let object = world.rigid_objects().nth(i).unwrap().1;
            (object.geometry.clone().unwrap(), object.pose)
        };
        let ask_all = |world: &WorldModel| {
            for i in 0..3 {
                for j in 0..i {
                    let ((a, x), (b, y)) = (shape(world, i), shape(world, j));
                    query::distance((&a, &x), (&b, &y)).unwrap();
                }
            }
        };
        ask_all(&warm);
        let (prepared, frozen) = (world(solid), world(solid));
        prepared.prepare();
        WorldCollider::new(&frozen, &PairFilter::default()).unwrap();
        for world in [&prepared, &frozen] {
            assert_eq!(allocations(|| ask_all(world)), 0, "solid: {solid}");
        }
    }
}

#[test]
fn threads_that_prepare_and_ask_at_once_find_the_same() {
    let far = Pose::new(Vector::new(2.5, 0.3, -0.2), Vector::new(0.1, 0.2, 0.3));
    let expected = ask(&blob(5, 6000), &blob(6, 200), &far);
    let (a, b) = (blob(5, 6000), blob(6, 200));
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8)
            .map(|i| {
                let (a, b, far) = (a.clone(), b.clone(), &far);
                scope.spawn(move || {
                    if i % 2 == 0 {
                        a.prepare();
                    }
                    ask(&a, &b, far)
                })
            })
            .collect();
        for thread in asked {
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
}
