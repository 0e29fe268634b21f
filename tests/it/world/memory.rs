//! A workspace that has seen much answers as one that has seen nothing.

use kinworld::Point;
use kinworld::geometry::{Geometry, Primitive};
use kinworld::robot::{LinkMotion, RobotBuilder};
use kinworld::world::{PairFilter, RigidObjectId, RobotId, WorldCollider, WorldModel};

use super::brute_force::Random;
use super::{shaped_link, terrain};

/// Random worlds on meshes and on hulls, of which some pairs keep apart.
fn colliders(seed: u64) -> [(WorldModel, WorldCollider); 2] {
    let meshes = Random::new(seed).world(14);
    let hulls = meshes.with_hulls().unwrap();
    [meshes, hulls].map(|world| {
        let robots: Vec<RobotId> = world.robots().map(|robot| robot.id()).collect();
        let filter = PairFilter::default()
            .with_margin(robots[0], robots[2], 0.1)
            .with_margin_of(robots[1], 0.02);
        let collider = WorldCollider::new(&world, &filter).unwrap();
        (world, collider)
    })
}

#[test]
fn what_came_before_changes_no_answer() {
    let (mut free, mut not) = (0, 0);
    for seed in 500..508 {
        for (world, collider) in colliders(seed) {
            let mut random = Random::new(seed);
            let robots: Vec<RobotId> = world.robots().map(|robot| robot.id()).collect();
            let objects: Vec<RigidObjectId> = world.rigid_objects().map(|(id, _)| id).collect();
            let mut old = collider.workspace();
            let mut configs: Vec<Vec<f64>> = robots
                .iter()
                .map(|&id| random.config(world.robot(id).unwrap().model()))
                .collect();
            for step in 0..60 {
                // a little most of the time, and far now and then
                let far = if step % 10 == 0 { 2.0 } else { 0.02 };
                for (&id, q) in robots.iter().zip(&mut configs) {
                    q.iter_mut().for_each(|x| *x += random.between(-far..far));
                    old.set_config(id, q).unwrap();
                }
                let object = objects[random.below(objects.len())];
                let pose = old.pose(object).unwrap() * random.pose(0.02);
                old.set_pose(object, &pose).unwrap();

                let mut new = collider.workspace();
                for (&id, q) in robots.iter().zip(&configs) {
                    new.set_config(id, q).unwrap();
                }
                for &object in &objects {
                    new.set_pose(object, &old.pose(object).unwrap()).unwrap();
                }
                for &id in &robots {
                    let collides = collider.robot_collides_with(id, &mut old).unwrap();
                    let expected = collider.robot_collision_with(id, &mut new).unwrap();
                    assert_eq!(collides, expected.is_some());
                    // which pair is named does not depend on what came before, either
                    let named = collider.robot_collision_with(id, &mut old).unwrap();
                    assert_eq!(named, expected);
                    (free, not) = (free + usize::from(!collides), not + usize::from(collides));
                }
                let (mut pairs, mut expected) = (Vec::new(), Vec::new());
                collider.colliding_pairs_with(&mut old, &mut pairs);
                collider.colliding_pairs_with(&mut new, &mut expected);
                assert_eq!(pairs, expected);
            }
        }
    }
    assert!(free > 300 && not > 300, "{free} free, {not} not");
}

#[test]
fn a_hair_from_touching_nothing_is_left_out() {
    // a box that slides along x to a wall at 2 m, with and without a margin
    let cube = |center: f64| -> Geometry {
        let (min, max) = (
            Point::new(center - 0.5, -0.5, -0.5),
            Point::new(center + 0.5, 0.5, 0.5),
        );
        Primitive::aabb(min, max).unwrap().into()
    };
    for margin in [0.0, 0.25] {
        let mut builder = RobotBuilder::new("slider");
        let axis = LinkMotion::Prismatic(kinworld::Vector::x());
        builder.add_link(shaped_link("box", None, axis, cube(0.0)));
        let mut world = WorldModel::new();
        let slider = world.add_robot(builder.build().unwrap());
        let wall = world.add_terrain(terrain("wall", cube(2.5))).unwrap();
        let filter = PairFilter::default().with_margin(slider, wall, margin);
        let collider = WorldCollider::new(&world, &filter).unwrap();
        let mut ws = collider.workspace();
        let touching = 1.5 - margin;
        for x in [
            0.9,
            touching - 1e-12,
            touching,
            touching - 1e-12,
            touching + 1e-12,
            0.9,
            touching,
        ] {
            ws.set_config(slider, &[x]).unwrap();
            let collides = collider.robot_collides_with(slider, &mut ws).unwrap();
            assert_eq!(collides, x >= touching, "{x} with a margin of {margin}");
        }
    }
}
