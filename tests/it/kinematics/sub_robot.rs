//! Views of chosen degrees of freedom.

use kinworld::kinematics::{State, SubRobot, jacobian};
use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{DofId, LinkId, Point, Pose, Robot, Vector};

use crate::common::errors::{is_invalid, is_length};
use crate::common::numbers::assert_close;

fn arm() -> Robot {
    let mut builder = RobotBuilder::new("arm");
    for (i, axis) in [Vector::y(), Vector::z(), Vector::x()]
        .into_iter()
        .enumerate()
    {
        let mut link = LinkSpec::new(
            format!("link{i}"),
            i.checked_sub(1).map(LinkId::new),
            LinkMotion::Revolute(axis),
        );
        link.placement = Pose::translation(0.3, 0.1, 0.2);
        builder.add_link(link);
    }
    builder.add_link(LinkSpec::new(
        "flange",
        Some(LinkId::new(2)),
        LinkMotion::Fixed,
    ));
    builder.build().unwrap()
}

#[test]
fn chosen_values_are_written_and_read_in_their_order() {
    let robot = arm();
    let view = SubRobot::new(&robot, &[DofId::new(2), DofId::new(0)]).unwrap();
    let mut full = [1.0, 2.0, 3.0];
    view.to_full(&[30.0, 10.0], &mut full).unwrap();
    assert_close("full", &full, &[10.0, 2.0, 30.0], 0.0);
    assert_eq!(view.from_full(&full).unwrap(), [30.0, 10.0]);
}

#[test]
fn its_jacobian_has_the_columns_of_the_whole_one() {
    let robot = arm();
    let mut state = State::new(&robot);
    state.set_config(&robot, &[0.3, -0.4, 0.5]).unwrap();
    let links = [2, 0, 3].map(LinkId::new);
    let view = SubRobot::of_links(&robot, &links).unwrap();
    let point = Point::new(0.1, 0.2, 0.3);
    let whole = jacobian(&robot, &state, LinkId::new(3), &point);
    assert_eq!(
        view.jacobian(&state, LinkId::new(3), &point),
        whole.select_columns(&[2, 0])
    );
}

#[test]
fn invalid_choices_and_values_are_refused_and_change_nothing() {
    let robot = arm();
    assert!(is_invalid(&SubRobot::new(&robot, &[DofId::new(3)])));
    assert!(is_invalid(&SubRobot::new(
        &robot,
        &[DofId::new(1), DofId::new(1)]
    )));
    assert!(is_invalid(&SubRobot::of_links(&robot, &[LinkId::new(4)])));
    let view = SubRobot::new(&robot, &[DofId::new(1)]).unwrap();
    let mut state = State::new(&robot);
    assert!(is_invalid(&view.set_config(&mut state, &[f64::NAN])));
    assert!(is_length(&view.set_config(&mut state, &[])));
    assert!(is_length(&view.to_full(&[1.0], &mut [0.0; 2])));
    assert_eq!(state.config(), [0.0; 3]);
}
