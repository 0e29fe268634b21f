//! Initial state, updates and serialisation.

use kinworld::kinematics::Snapshot;
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{LinkId, Robot, RobotBuilder, State, Vector, kinematics};

use crate::common::errors::is_length;
use crate::common::numbers::{assert_close, rows};

/// A prismatic link that starts at 0.25, with a tool fixed to it; and a fixed post.
fn robot() -> Robot {
    let mut robot = RobotBuilder::new("slide");
    let mut slide = LinkSpec::new("slide", None, LinkMotion::Prismatic(Vector::x() * 2.0));
    slide.initial = 0.25;
    let slide = robot.add_link(slide);
    let mut tool = LinkSpec::new("tool", Some(slide), LinkMotion::Fixed);
    tool.placement.translation.z = 0.1;
    robot.add_link(tool);
    let mut post = LinkSpec::new("post", None, LinkMotion::Fixed);
    post.placement.translation.y = 3.0;
    robot.add_link(post);
    robot.build().unwrap()
}

fn place(robot: &Robot, state: &State, name: &str) -> Vec<f64> {
    let link = robot.link_id(name).unwrap();
    state
        .pose(robot, link)
        .translation
        .vector
        .iter()
        .copied()
        .collect()
}

#[test]
fn a_state_starts_at_rest_in_the_initial_configuration() {
    let robot = robot();
    let state = State::new(&robot);
    assert_eq!(
        (state.config(), state.velocity()),
        (&[0.25][..], &[0.0][..])
    );

    // the length of the axis scales q
    assert_close(
        "slide",
        &place(&robot, &state, "slide"),
        &[0.5, 0.0, 0.0],
        0.0,
    );
}

#[test]
fn fixed_links_move_with_their_carriers() {
    let robot = robot();
    let mut state = State::new(&robot);
    state.set_config(&robot, &[-1.0]).unwrap();
    assert_close(
        "tool",
        &place(&robot, &state, "tool"),
        &[-2.0, 0.0, 0.1],
        0.0,
    );
    assert_close(
        "post",
        &place(&robot, &state, "post"),
        &[0.0, 3.0, 0.0],
        0.0,
    );
    let jacobian = |link| {
        kinematics::jacobian(
            &robot,
            &state,
            LinkId::new(link),
            &kinworld::Point::origin(),
        )
    };
    assert_close(
        "tool",
        &rows(&jacobian(1)),
        &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0],
        0.0,
    );
    assert_close("post", &rows(&jacobian(2)), &[0.0; 6], 0.0);
}

#[test]
fn a_clone_moves_alone() {
    let robot = robot();
    let state = State::new(&robot);
    let mut other = state.clone();
    other.set_config(&robot, &[1.0]).unwrap();
    assert_close(
        "first",
        &place(&robot, &state, "slide"),
        &[0.5, 0.0, 0.0],
        0.0,
    );
}

#[test]
fn a_state_is_restored_from_its_snapshot() {
    let robot = robot();
    let mut state = State::new(&robot);
    state.set_config(&robot, &[0.75]).unwrap();
    state.set_velocity(&robot, &[-0.5]).unwrap();
    let again = State::restore(&robot, &state.snapshot()).unwrap();
    assert_eq!(again.snapshot(), state.snapshot());
    assert_eq!(place(&robot, &again, "tool"), place(&robot, &state, "tool"));
    assert!(is_length(&State::restore(&robot, &Snapshot::default())));
}

#[cfg(feature = "serde")]
#[test]
fn a_state_is_written_as_its_snapshot() {
    let robot = robot();
    let state = State::new(&robot);
    let json = serde_json::to_string(&state).unwrap();
    assert_eq!(json, r#"{"config":[0.25],"velocity":[0.0]}"#);
    let snapshot: Snapshot = serde_json::from_str(&json).unwrap();
    assert_eq!(snapshot, state.snapshot());
}

#[test]
fn a_robot_that_cannot_move_has_a_state_too() {
    let mut robot = RobotBuilder::new("stone");
    robot.add_link(LinkSpec::new("stone", None, LinkMotion::Fixed));
    let robot = robot.build().unwrap();
    let mut state = State::new(&robot);
    state.set_config(&robot, &[]).unwrap();
    let stone = LinkId::new(0);
    assert_eq!(
        kinematics::jacobian(&robot, &state, stone, &kinworld::Point::origin()).ncols(),
        0
    );
    assert_eq!(kinematics::com(&robot, &state), kinworld::Point::origin());
    assert_close(
        "distance",
        &[kinematics::distance(&robot, &[], &[]).unwrap()],
        &[0.0],
        0.0,
    );
}

#[test]
fn a_state_of_another_robot_is_refused_with_both_names() {
    let robot = |name: &str, n: usize| {
        let mut builder = RobotBuilder::new(name);
        for i in 0..n {
            let parent = i.checked_sub(1).map(LinkId::new);
            let motion = LinkMotion::Revolute(Vector::z());
            builder.add_link(LinkSpec::new("link", parent, motion));
        }
        builder.build().unwrap()
    };
    let (small, large) = (robot("small", 2), robot("large", 3));
    let mut state = State::new(&small);
    let problem =
        "state of robot `small`: cannot be used with robot `large`: make one by `State::new`";
    assert_eq!(
        state.set_config(&large, &[0.0; 3]).unwrap_err().to_string(),
        problem
    );
    assert_eq!(
        state
            .set_velocity(&large, &[0.0; 3])
            .unwrap_err()
            .to_string(),
        problem
    );
    let tau = kinworld::dynamics::inverse_dynamics(&large, &state, &kinworld::GRAVITY, &[0.0; 3]);
    assert_eq!(tau.unwrap_err().to_string(), problem);
    for link in [0, 2] {
        let link = LinkId::new(link);
        let panicked = std::panic::catch_unwind(|| state.pose(&large, link)).unwrap_err();
        assert_eq!(
            panicked.downcast_ref::<String>().map(String::as_str),
            Some(problem)
        );
    }

    // of the same size and name it would be wrong in silence
    let twin = robot("small", 2);
    let problem = state.set_config(&twin, &[0.0; 2]).unwrap_err().to_string();
    assert!(problem.contains("another robot of that name"), "{problem}");

    // a clone is the same robot, and so is one that holds something
    assert!(state.set_config(&small.clone(), &[0.1, 0.2]).is_ok());
    let payload = kinworld::math::Inertia::sphere(1.0, 0.1).unwrap();
    let loaded = small.with_payload(LinkId::new(1), &payload).unwrap();
    assert!(state.set_config(&loaded, &[0.1, 0.2]).is_ok());
}
