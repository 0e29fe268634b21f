//! Mutable views of several robots at once.

use kinworld::geometry::Primitive;
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::world::RigidObject;
use kinworld::{Point, Pose, Robot, RobotBuilder, Vector, WorldModel};

use crate::common::errors::is_invalid;

fn lift() -> Robot {
    let mut builder = RobotBuilder::new("lift");
    builder.add_link(LinkSpec::new(
        "fork",
        None,
        LinkMotion::Prismatic(Vector::z()),
    ));
    builder.build().expect("a robot")
}

fn ball(name: &str) -> RigidObject {
    let sphere = Primitive::sphere(Point::origin(), 0.1).expect("a sphere");
    let mut ball = RigidObject::new(name);
    ball.geometry = Some(sphere.into());
    ball
}

#[test]
fn two_robots_move_at_once_with_what_they_hold() {
    let mut world = WorldModel::new();
    let ids = ["left", "middle", "right"].map(|name| {
        let id = world.add_robot(lift());
        world.rename(id, name).unwrap();
        id
    });
    let balls = ids.map(|id| {
        let ball = world.add_rigid_object(ball("ball")).unwrap();
        let fork = world.robot(id).unwrap().link("fork").unwrap().id();
        world.attach(ball, (id, fork), &[]).unwrap();
        ball
    });
    let mut twin = world.clone();

    let [mut right, mut left] = world.robots_mut_many(["right", "left"]).unwrap();
    assert_eq!((right.view().id(), left.view().id()), (ids[2], ids[0]));
    left.set_config(&[0.25]).unwrap();
    let q = left.view().state().config()[0];
    right.set_config(&[2.0 * q]).unwrap();
    right.set_velocity(&[3.0]).unwrap();

    // one after the other
    twin.robot_mut("left").unwrap().set_config(&[0.25]).unwrap();
    twin.robot_mut("right").unwrap().set_config(&[0.5]).unwrap();
    twin.robot_mut("right")
        .unwrap()
        .set_velocity(&[3.0])
        .unwrap();
    for (ball, height) in balls.into_iter().zip([0.25, 0.0, 0.5]) {
        let (a, b) = (
            world.rigid_object(ball).unwrap(),
            twin.rigid_object(ball).unwrap(),
        );
        assert_eq!(a.pose, Pose::translation(0.0, 0.0, height));
        assert_eq!((a.pose, a.velocity), (b.pose, b.velocity));
    }
    let none: [kinworld::world::RobotMut<'_>; 0] = world.robots_mut_many([0_usize; 0]).unwrap();
    assert!(none.is_empty());
}

#[test]
fn the_same_robot_twice_and_unknown_robots_are_refused() {
    let mut world = WorldModel::new();
    let id = world.add_robot(lift());
    let twice = world.robots_mut_many([id, id]);
    assert!(is_invalid(&twice));
    assert_eq!(
        twice.unwrap_err().to_string(),
        "robot `lift`: is named twice for one call"
    );
    let unknown = world.robots_mut_many(["lift", "drift"]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no robot named `drift`; there are: lift"
    );
}
