//! Views say what kinematics says.

use kinworld::kinematics;
use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::WorldModel;
use kinworld::{Error, LinkId, Point, Vector};

use super::{is_invalid, string_of_balls};

#[test]
fn every_view_speaks_of_the_current_state() {
    let mut world = WorldModel::new();
    let id = world.add_robot(string_of_balls("arm", 4));
    let mut arm = world.robot_mut(id).unwrap();
    arm.set_config(&[0.1, -0.2, 0.3, 0.4]).unwrap();
    arm.set_velocity(&[1.0, 2.0, -3.0, 4.0]).unwrap();
    assert_eq!(
        arm.link("ball3").unwrap().pose(),
        arm.view().link(3).unwrap().pose()
    );

    let arm = world.robot(id).unwrap();
    let (robot, state) = (arm.model(), arm.state());
    let (link, p, v) = (
        LinkId::new(2),
        Point::new(0.1, 0.2, 0.3),
        Vector::new(1.0, -2.0, 0.5),
    );
    let ddq = [0.5, 0.0, -1.0, 2.0];
    let tip = arm.link(link).unwrap();
    assert_eq!(tip.pose(), state.pose(robot, link));
    assert_eq!(tip.pose_in_parent(), state.pose_in_parent(robot, link));
    assert_eq!(
        tip.world_position(&p),
        kinematics::world_position(robot, state, link, &p)
    );
    assert_eq!(
        tip.local_position(&p),
        kinematics::local_position(robot, state, link, &p)
    );
    assert_eq!(
        tip.world_direction(&v),
        kinematics::world_direction(robot, state, link, &v)
    );
    assert_eq!(
        tip.local_direction(&v),
        kinematics::local_direction(robot, state, link, &v)
    );
    assert_eq!(
        tip.jacobian(&p),
        kinematics::jacobian(robot, state, link, &p)
    );
    assert_eq!(
        tip.position_jacobian(&p),
        kinematics::position_jacobian(robot, state, link, &p)
    );
    assert_eq!(
        tip.orientation_jacobian(),
        kinematics::orientation_jacobian(robot, state, link)
    );
    assert_eq!(
        tip.position_hessian(&p),
        kinematics::position_hessian(robot, state, link, &p)
    );
    assert_eq!(
        tip.velocity(),
        kinematics::point_velocity(robot, state, link, &Point::origin())
    );
    assert_eq!(
        tip.point_velocity(&p),
        kinematics::point_velocity(robot, state, link, &p)
    );
    assert_eq!(
        tip.angular_velocity(),
        kinematics::angular_velocity(robot, state, link)
    );
    assert_eq!(
        tip.point_acceleration(&p, &ddq).unwrap(),
        kinematics::point_acceleration(robot, state, link, &p, &ddq).unwrap()
    );
    assert_eq!(
        tip.angular_acceleration(&ddq).unwrap(),
        kinematics::angular_acceleration(robot, state, link, &ddq).unwrap()
    );
    let dofs = [robot.link(LinkId::new(1)).dof().unwrap()];
    assert_eq!(
        tip.jacobian_columns(&p, &dofs).column(0),
        tip.jacobian(&p).column(1)
    );

    assert_eq!(arm.com(), kinematics::com(robot, state));
    assert_eq!(arm.com_jacobian(), kinematics::com_jacobian(robot, state));
    assert_eq!(arm.com_velocity(), kinematics::com_velocity(robot, state));
    assert_eq!(arm.total_inertia(), kinematics::total_inertia(robot, state));
    let (a, b) = ([0.0; 4], [1.0; 4]);
    assert!((arm.distance(&a, &b).unwrap() - 2.0).abs() < 1e-15);
    assert_eq!(arm.interpolate(&a, &b, 0.25).unwrap(), [0.25; 4]);
    assert_eq!(arm.interpolate_deriv(&a, &b).unwrap(), b);
    assert_eq!(arm.sample(7, 1.0), kinematics::sample(robot, 7, 1.0));
    assert!(matches!(
        arm.distance(&a, &[1.0]),
        Err(Error::Length { .. })
    ));
}

#[test]
fn links_know_their_place() {
    let mut world = WorldModel::new();
    world.add_robot(string_of_balls("arm", 3));
    let arm = world.robot("arm").unwrap();
    let names: Vec<_> = arm.links().map(|link| link.name()).collect();
    assert_eq!(names, ["ball0", "ball1", "ball2"]);
    let tip = arm.link("ball2").unwrap();
    assert_eq!(tip.parent().unwrap().name(), "ball1");
    assert!(arm.link(0).unwrap().parent().is_none());
    assert_eq!(tip.robot().id(), arm.id());
    assert_eq!(tip.entity(), world.entity("arm[ball2]").unwrap());
    assert_eq!(tip.geometry(), world.geometry(tip.entity()));
    assert_eq!(world.pose(tip.entity()), Some(tip.pose()));
    assert!(world.pose(arm.id()).is_none());
    assert!(matches!(
        arm.link(LinkId::new(3)),
        Err(Error::NotFound { .. })
    ));
    assert!(matches!(arm.link(usize::MAX), Err(Error::NotFound { .. })));
}

#[test]
fn one_coordinate_or_driver_moves_everything_with_it() {
    let mut world = WorldModel::new();
    let id = world.add_robot(string_of_balls("arm", 3));
    let mut arm = world.robot_mut(id).unwrap();
    arm.set_dof_position("ball1", std::f64::consts::FRAC_PI_2)
        .unwrap();
    let tip = arm.link("ball2").unwrap().world_position(&Point::origin());
    assert!((tip - Point::new(1.0, 1.0, 0.0)).norm() < 1e-15);
    let turned = arm.view().dof_position(1).unwrap() - std::f64::consts::FRAC_PI_2;
    assert!(turned.abs() < 1e-15);

    arm.set_driver_values(&[0.0, std::f64::consts::PI, 0.0])
        .unwrap();
    arm.set_driver_velocities(&[1.0, 0.0, 0.0]).unwrap();
    let arm = arm.view();
    assert_eq!(arm.driver_values(), [0.0, std::f64::consts::PI, 0.0]);
    assert_eq!(arm.driver_velocities(), arm.velocity());
    // folded back, the tip is over the first ball, one metre before the second
    assert!(
        arm.link(2)
            .unwrap()
            .world_position(&Point::origin())
            .coords
            .norm()
            < 1e-15
    );
    assert!(arm.self_collides().unwrap());
    assert_eq!(
        arm.self_collisions().unwrap(),
        [(LinkId::new(0), LinkId::new(2))]
    );
}

#[test]
fn a_fixed_link_has_no_coordinate_to_ask_for() {
    let mut builder = RobotBuilder::new("post");
    builder.add_link(LinkSpec::new("foot", None, LinkMotion::Fixed));
    let mut world = WorldModel::new();
    let id = world.add_robot(builder.build().unwrap());
    assert!(is_invalid(
        world.robot(id).unwrap().dof_position("foot"),
        "no dof"
    ));
    assert!(is_invalid(
        world.robot_mut(id).unwrap().set_dof_position(0, 1.0),
        "no dof"
    ));
}
