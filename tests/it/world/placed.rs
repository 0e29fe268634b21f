//! Worlds moved as a whole: every element moves by the same pose, and nothing changes between them.

use kinworld::math::so3;
use kinworld::world::{PairFilter, WorldCollider, WorldModel};
use kinworld::{Error, Pose, Vector};

use crate::common::files;

fn cell() -> WorldModel {
    let mut world = WorldModel::load(files::data("worlds/cell.xml"))
        .unwrap()
        .value;
    // a robot that is not at its start, an object that it carries, and one that moves
    let arm = world.robots().next().unwrap().id();
    let q = [0.3, 0.5, -1.0, 0.2, 0.6, -0.1];
    world.robot_mut(arm).unwrap().set_config(&q).unwrap();
    let objects: Vec<_> = world.rigid_objects().map(|(id, _)| id).collect();
    let last = world.robot(arm).unwrap().n_links() - 1;
    let link = world.robot(arm).unwrap().link(last).unwrap().entity();
    world.attach(objects[0], link, &[]).unwrap();
    let (spin, slide) = (Vector::new(0.0, 0.0, 1.0), Vector::new(1.0, 2.0, 3.0));
    let mut object = world.rigid_object_mut(objects[1]).unwrap();
    object.set_velocity(&spin, &slide).unwrap();
    world
}

fn pose() -> Pose {
    let rotation = so3::from_rpy([0.3, -0.8, 2.0]);
    Pose::from_parts(Vector::new(1.0, -2.0, 0.5).into(), rotation)
}

fn near(a: &Pose, b: &Pose) -> bool {
    let apart = a.translation.vector - b.translation.vector;
    apart.norm() < 1e-12 && (a.rotation.matrix() - b.rotation.matrix()).norm() < 1e-12
}

#[test]
fn poses_and_velocities_move_and_configurations_stay() {
    let (world, x) = (cell(), pose());
    let moved = world.placed(&x).unwrap();
    for (there, here) in moved.robots().zip(world.robots()) {
        assert_eq!(there.id(), here.id());
        assert_eq!(there.config(), here.config());
        for (there, here) in there.links().zip(here.links()) {
            assert!(near(&there.pose(), &(x * here.pose())), "{}", here.name());
        }
    }
    for ((_, there), (_, here)) in moved.rigid_objects().zip(world.rigid_objects()) {
        assert!(near(&there.pose, &(x * here.pose)), "{}", here.name);
        assert!((there.velocity - x.rotation * here.velocity).norm() < 1e-12);
        assert!((there.angular_velocity - x.rotation * here.angular_velocity).norm() < 1e-12);
    }
    assert_eq!(moved.attachments().count(), 1);
}

#[test]
fn distances_stay() {
    let world = cell();
    let moved = world.placed(&pose()).unwrap();
    let collider = |world| WorldCollider::new(world, &PairFilter::default()).unwrap();
    let (still, moved) = (collider(&world), collider(&moved));
    assert!(still.pairs().count() > 20);
    for (a, b) in still.pairs() {
        let [here, there] = [&still, &moved].map(|c| c.distance(a, b).unwrap().distance);
        assert!((here - there).abs() < 1e-9, "{a:?} {b:?}: {here} {there}");
    }
}

#[test]
fn a_pose_that_is_none_is_refused() {
    let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
    let refused = cell().placed(&nowhere);
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
}
