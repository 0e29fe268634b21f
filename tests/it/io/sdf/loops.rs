//! Loop closures of SDF, and of robots that are written to it.

use kinworld::math::Pose;
use kinworld::robot::{LoopClosure, LoopFrame, LoopKind, RobotBuilder};
use kinworld::{DofId, Robot, State, kinematics};

use super::world;
use crate::io::scratch::folder;

/// A chain of four links, and one more joint, which closes a loop.
fn chain(held: &str, more: &str) -> String {
    let links: String = ["a", "b", "c", "d"]
        .iter()
        .enumerate()
        .map(|(i, name)| {
            format!("<link name='{name}'><pose>{i} 0.1 0 0.1 0.2 {i}</pose><inertial><mass>1</mass></inertial></link>")
        })
        .collect();
    let joints: String = ["ab", "bc", "cd"]
        .iter()
        .map(|name| {
            let (parent, child) = name.split_at(1);
            format!(
                "<joint name='{name}' type='revolute'><parent>{parent}</parent><child>{child}</child><axis><xyz>0 0.6 0.8</xyz></axis></joint>"
            )
        })
        .collect();
    format!(
        "<sdf version='1.9'><model name='m'>{held}{links}{joints}{more}<frame name='f' attached_to='d'><pose>0 0 0.1 0 0 0</pose></frame></model></sdf>"
    )
}

fn robot(text: &str) -> Robot {
    let world = world(text).unwrap().value;
    Robot::clone(world.robot(0).unwrap().model())
}

/// Errors of the loops at a configuration.
fn errors(robot: &Robot, q: &[f64]) -> Vec<f64> {
    let mut state = State::new(robot);
    state.set_config(robot, q).unwrap();
    kinematics::loop_errors(robot, &state)
}

const HELD: &str = "<joint name='foot' type='fixed'><parent>world</parent><child>a</child></joint>";

#[test]
fn loops_are_written_and_read_again() {
    let path = folder().join("loops.sdf");
    let pose = "<pose>0.1 0.2 0.3 0.4 0.5 0.6</pose>";
    let axis = "<axis><xyz>0.6 0 0.8</xyz></axis>";
    for (held, kind, parent, expected) in [
        (HELD, "fixed", "a", LoopKind::Fixed),
        (HELD, "ball", "a", LoopKind::Spherical),
        (HELD, "revolute", "a", LoopKind::Revolute),
        (HELD, "revolute", "world", LoopKind::Revolute),
        ("", "ball", "b", LoopKind::Spherical),
        ("", "fixed", "a", LoopKind::Fixed),
    ] {
        let axis = if kind == "revolute" { axis } else { "" };
        let more = format!(
            "<joint name='close' type='{kind}'>{pose}<parent>{parent}</parent><child>d</child>{axis}</joint>"
        );
        let first = robot(&chain(held, &more));
        let lost = first.save(&path).unwrap();
        assert!(
            !lost.iter().any(|d| d.message.contains("loop")),
            "{kind}: {lost:?}"
        );
        let again = Robot::load(&path).unwrap().value;
        for robot in [&first, &again] {
            let [closure] = robot.loop_closures() else {
                panic!("one loop of {kind} with {parent}");
            };
            assert_eq!((closure.name.as_str(), closure.kind), ("close", expected));
        }
        let names = |robot: &Robot| -> Vec<String> {
            let dofs = (0..robot.n_dofs()).map(|k| robot.dof_name(DofId::new(k)).to_owned());
            dofs.collect()
        };
        assert_eq!(names(&first), names(&again), "{kind} with {parent}");

        let mut q = first.initial_config().to_vec();
        let at_rest = errors(&first, &q);
        assert!(at_rest.iter().all(|e| e.abs() < 1e-12), "{at_rest:?}");
        let n = q.len();
        for (k, q) in q[n - 3..].iter_mut().enumerate() {
            *q += 0.3 - 0.25 * k as f64;
        }
        let (before, after) = (errors(&first, &q), errors(&again, &q));
        assert!(before.iter().any(|e| e.abs() > 0.05), "{before:?}");
        assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            assert!((before - after).abs() < 1e-12, "{kind} with {parent}");
        }
    }
}

#[test]
fn loops_that_sdf_does_not_have_are_listed() {
    let path = folder().join("loops.sdf");
    let (held, free) = (robot(&chain(HELD, "")), robot(&chain("", "")));
    let end = |robot: &Robot, name: &str| {
        LoopFrame::new(Some(robot.link_id(name).unwrap()), Pose::identity())
    };
    let closed = |robot: &Robot, a: &str, b: Option<&str>| {
        let b = b.map_or(LoopFrame::new(None, Pose::identity()), |b| end(robot, b));
        LoopClosure::new("", LoopKind::Fixed, end(robot, a), b)
    };
    for (robot, closure, expected) in [
        (
            &held,
            closed(&held, "b", Some("d")),
            "loop closures that are open where all coordinates are 0 are not kept: `b and d`",
        ),
        // a frame and the link that it is attached to
        (
            &held,
            closed(&held, "d", Some("f")),
            "loop closures within one link are not kept: `d and f`",
        ),
        (
            &free,
            closed(&free, "d", None),
            "loop closures of a free model with the world are not kept: `d and world`",
        ),
    ] {
        let mut builder = RobotBuilder::from(robot);
        builder.loop_closures = vec![closure];
        let lost = builder.build().unwrap().save(&path).unwrap();
        let said: Vec<&str> = lost.iter().map(|d| d.message.as_str()).collect();
        assert!(said.contains(&expected), "{said:?}");
        let again = Robot::load(&path).unwrap().value;
        assert!(again.loop_closures().is_empty());
    }
}
