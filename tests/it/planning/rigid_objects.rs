//! Spaces of rigid objects, against direct collision checks at their poses.

use kinworld::geometry::{Primitive, query};
use kinworld::planning::{Budget, CSpace, RigidObjectCSpace, RrtConnect, plan};
use kinworld::world::{PairFilter, RigidObject, RigidObjectId, Terrain, WorldCollider};
use kinworld::{Point, Pose, Vector, WorldModel};

use super::cell;
use crate::common::random::Random;

const BOUNDS: [[f64; 2]; 3] = [[-1.0, 2.0], [-1.5, 1.5], [-0.5, 1.5]];

/// The crate of [`cell`], and what stands around it.
fn crate_space() -> (WorldModel, RigidObjectId, RigidObjectCSpace) {
    let world = cell().world().clone();
    let id = world.rigid_object_id("crate").unwrap();
    let space = RigidObjectCSpace::new(&world, id, BOUNDS, &[]).unwrap();
    (world, id, space)
}

fn draw(space: &RigidObjectCSpace, random: &mut Random) -> Vec<f64> {
    let mut q = space.current();
    space.sample_into(&mut || 0.5 * random.unit() + 0.5, &mut q);
    q
}

#[test]
fn poses_are_free_where_the_object_touches_nothing() {
    let (world, id, space) = crate_space();
    let shape = world.rigid_object(id).unwrap().geometry.clone().unwrap();
    let mut random = Random::new(3);
    let mut tally = [0; 2];
    for _ in 0..1200 {
        let q = draw(&space, &mut random);
        let pose = space.pose(&q).unwrap();
        for (x, [low, high]) in q.iter().zip(BOUNDS) {
            assert!((low..=high).contains(x));
        }
        let others = world.klampt_ids();
        let others = others.iter().filter(|&other| other != id.into());
        let collides = others
            .filter_map(|other| world.geometry(other))
            .any(|other| {
                let at = (&other.geometry, &other.pose);
                query::collides((&shape, &pose), at).unwrap()
            });
        assert_eq!(space.is_free(&q).unwrap(), !collides, "{q:?}");
        tally[usize::from(collides)] += 1;

        // the pose comes back from its configuration
        let back = space.pose(&space.config(&pose).unwrap()).unwrap();
        assert!((back.to_homogeneous() - pose.to_homogeneous()).amax() < 1e-12);
    }
    assert!(tally.iter().all(|&count| count > 10), "{tally:?}");
    let pose = space.pose(&space.current()).unwrap();
    let there = world.rigid_object(id).unwrap().pose;
    assert!((pose.to_homogeneous() - there.to_homogeneous()).amax() < 1e-12);
}

#[test]
fn edges_rotate_about_one_axis_and_lengths_add_up() {
    let (_, _, space) = crate_space();
    let mut random = Random::new(9);
    for _ in 0..100 {
        let (a, b) = (draw(&space, &mut random), draw(&space, &mut random));
        let (x_wa, x_wb) = (space.pose(&a).unwrap(), space.pose(&b).unwrap());
        let offset = x_wb.translation.vector - x_wa.translation.vector;
        let rotation = x_wb.rotation * x_wa.rotation.inverse();
        let expected = (offset.norm_squared() + rotation.angle().powi(2)).sqrt();
        assert!(
            (space.distance(&a, &b) - expected).abs() < 1e-7,
            "{a:?} {b:?}"
        );
        let mut q = a.clone();
        for u in [0.25, 0.5, 0.8] {
            space.interpolate_into(&a, &b, u, &mut q);
            let pose = space.pose(&q).unwrap();
            let position = x_wa.translation.vector + u * offset;
            let rotation = rotation.powf(u) * x_wa.rotation;
            assert!((pose.translation.vector - position).amax() < 1e-9);
            assert!(
                (pose.rotation.matrix() - rotation.matrix()).amax() < 1e-6,
                "{a:?} {b:?} {u}"
            );
        }
    }
}

#[test]
fn a_plank_rotates_to_pass_a_slit() {
    // a wall at x = 0 with an upright slit, 0.36 m wide and 1.4 m high, and a plank that lies down
    let mut world = WorldModel::new();
    for (name, low, high) in [
        ("left", [-0.05, 0.18, -2.0], [0.05, 2.0, 2.0]),
        ("right", [-0.05, -2.0, -2.0], [0.05, -0.18, 2.0]),
        ("above", [-0.05, -0.18, 0.7], [0.05, 0.18, 2.0]),
        ("below", [-0.05, -0.18, -2.0], [0.05, 0.18, -0.7]),
    ] {
        let wall = Primitive::aabb(Point::from(low), Point::from(high)).unwrap();
        world
            .add_terrain(Terrain::new(name, Some(wall.into())))
            .unwrap();
    }
    let plank = Primitive::cuboid(Pose::identity(), Vector::new(0.1, 1.0, 0.1)).unwrap();
    let plank = RigidObject {
        geometry: Some(plank.into()),
        pose: Pose::translation(-0.6, 0.0, 0.0),
        ..RigidObject::new("plank")
    };
    let plank = world.add_rigid_object(plank).unwrap();
    let bounds = [[-1.0, 1.0], [-0.6, 0.6], [-0.6, 0.6]];
    let space = RigidObjectCSpace::new(&world, plank, bounds, &[]).unwrap();
    let (start, goal) = (
        space.current(),
        space.config(&Pose::translation(0.6, 0.0, 0.0)).unwrap(),
    );
    assert!(!space.is_edge_free(&start, &goal).unwrap());
    let found = RrtConnect::new(&Budget::default())
        .solve(&space, &start, &goal)
        .unwrap();
    let path = found.path.expect("it fits when it stands");

    // in the world itself, at finer steps: within 1/32 rad a tip moves 16 mm, so a plank that is 20 mm thinner is free
    let thin = Primitive::cuboid(Pose::identity(), Vector::new(0.06, 0.96, 0.06)).unwrap();
    world
        .rigid_object_mut(plank)
        .unwrap()
        .set_geometry(Some(thin.into()));
    let mut q = start.clone();
    for edge in path.windows(2) {
        for i in 0..=100 {
            space.interpolate_into(&edge[0], &edge[1], f64::from(i) / 100.0, &mut q);
            let pose = space.pose(&q).unwrap();
            world
                .rigid_object_mut(plank)
                .unwrap()
                .set_pose(&pose)
                .unwrap();
            let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
            assert_eq!(collider.first_collision(), None, "{q:?}");
        }
    }
    let found = plan(space.robot_space(), &start, &goal, &Budget::default()).unwrap();
    assert!(found.path.is_some());
}

#[test]
fn what_it_may_touch_is_left_out_and_the_rest_is_refused() {
    let (mut world, id, _) = crate_space();
    let table = world.entity("table").unwrap();
    let sunk = Pose::translation(0.7, 0.25, 0.2);
    let free = |world: &WorldModel, touch: &[_]| {
        let space = RigidObjectCSpace::new(world, id, BOUNDS, touch).unwrap();
        let q = space.config(&sunk).unwrap();
        space.is_free(&q).unwrap()
    };
    assert!(!free(&world, &[]) && free(&world, &[table]));

    let new = |world: &WorldModel, bounds| {
        RigidObjectCSpace::new(world, id, bounds, &[])
            .unwrap_err()
            .to_string()
    };
    let odd = [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
    assert!(new(&world, odd).contains("cannot stay between 1 and 0 m"));
    let far = [[0.0, f64::INFINITY], [0.0, 1.0], [0.0, 1.0]];
    assert!(new(&world, far).contains("cannot stay between 0 and inf m"));
    let arm = world
        .robots()
        .next()
        .unwrap()
        .link("flange")
        .unwrap()
        .entity();
    world.attach(id, arm, &[]).unwrap();
    assert!(new(&world, BOUNDS).contains("detach it"));
    world.detach(id).unwrap();
    world.rigid_object_mut(id).unwrap().set_geometry(None);
    assert!(new(&world, BOUNDS).contains("has no shape"));
}
