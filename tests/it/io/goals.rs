//! Klampt's `.ikgoal` files.

use kinworld::io::{Loader, save_objectives};
use kinworld::kinematics::ik::{Anchor, Objective, PositionGoal, RotationGoal};
use kinworld::math::so3;
use kinworld::{LinkId, Point, Pose, Vector};

use super::scratch::file;

#[test]
fn what_klampt_writes_is_read() {
    let point = |x, y, z| Point::new(x, y, z);
    let cases = [
        // IKObjective.saveString of klampt 0.10.1
        (
            "6 -1\nF 0 0 0   1 2 3\nF 0.0689246 0.213226 0.288749\n",
            Objective::point(hand(), Point::origin(), point(1.0, 2.0, 3.0)).with_rotation(
                RotationGoal::Fixed(so3::from_rotation_vector(&Vector::new(
                    0.0689246, 0.213226, 0.288749,
                ))),
            ),
        ),
        (
            "6 -1\nL 0.1 0.2 0.3   1 2 3   0 0 1\nN\n",
            Objective::position(
                hand(),
                PositionGoal::Line {
                    p_link: point(0.1, 0.2, 0.3),
                    through: point(1.0, 2.0, 3.0),
                    direction: Vector::z(),
                },
            ),
        ),
        (
            "6 -1\nP 0.1 0.2 0.3   0 0 0.7   0 0 1\nN\n",
            Objective::position(
                hand(),
                PositionGoal::Plane {
                    p_link: point(0.1, 0.2, 0.3),
                    through: point(0.0, 0.0, 0.7),
                    normal: Vector::z(),
                },
            ),
        ),
        (
            "6 2\nN\nA 1 0 0   0 0 1\n",
            Objective::rotation(
                hand(),
                RotationGoal::Axis {
                    d_link: Vector::x(),
                    target: Vector::z(),
                },
            )
            .relative_to(Anchor::Link(LinkId::new(2))),
        ),
    ];
    let mut all = String::new();
    for (i, (text, goal)) in cases.iter().enumerate() {
        let path = file(&format!("{i}.ikgoal"), text);
        let loaded = Loader::new().objectives(&path).unwrap();
        assert_eq!(loaded.value, std::slice::from_ref(goal));
        all += text;

        // and what we write is the same again
        assert!(
            save_objectives(&path, std::slice::from_ref(goal))
                .unwrap()
                .is_empty()
        );
        let again = &Loader::new().objectives(&path).unwrap().value[0];
        assert_eq!(again.position, goal.position);
        if let (RotationGoal::Fixed(a), RotationGoal::Fixed(b)) = (again.rotation, goal.rotation) {
            assert!(so3::distance(&a, &b) < 1e-15);
        } else {
            assert_eq!(again, goal);
        }
    }
    let path = file("all.ikgoal", &all);
    assert_eq!(
        Loader::new().objectives(&path).unwrap().value.len(),
        cases.len()
    );
    let path = file("none.ikgoal", "");
    assert!(Loader::new().objectives(&path).unwrap().value.is_empty());
}

#[test]
fn things_become_places_in_the_world_and_losses_are_told() {
    let path = file("thing.ikgoal", "");
    let thing = Pose::translation(1.0, 0.0, 0.0) * Pose::rotation(Vector::z() * 0.5);
    let there = Point::new(0.1, 0.2, 0.3);
    let goal = Objective::point(hand(), Point::origin(), there)
        .relative_to(Anchor::Object(thing))
        .with_weights(2.0, 1.0);
    let lost = save_objectives(&path, &[goal]).unwrap();
    assert_eq!(lost.len(), 1);
    assert!(lost[0].message.contains("cannot hold weights"), "{lost:?}");
    let loaded = Loader::new().objectives(&path).unwrap().value;
    assert_eq!(
        loaded,
        [Objective::point(hand(), Point::origin(), thing * there)]
    );

    let before = std::fs::read(&path).unwrap();
    let points = vec![(Point::origin(), there), (there, Point::origin())];
    let error = save_objectives(&path, &[Objective::points(hand(), points)]).unwrap_err();
    assert!(error.to_string().contains("several points"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn what_is_no_goal_is_refused_with_its_place() {
    for (text, expected) in [
        (
            "hand -1 N N",
            ":1:1: error: `hand` is not the number of a link",
        ),
        ("6\n-2 N N", ":2:1: error: `-2` is not the number of a link"),
        (
            "6",
            ":1:1: error: the goal ends before the link that targets",
        ),
        ("6 -1 X N", ":1:6: error: `X` is not a position"),
        (
            "6 -1 F 0 0 0 1 2",
            ":1:16: error: the goal ends before three numbers",
        ),
        (
            "6 -1 F 0 0 zero 1 2 3 N",
            ":1:12: error: `zero` is not a finite number",
        ),
        ("6 -1 N\nQ", ":2:1: error: `Q` is not a rotation"),
        (
            "6 -1 N T 1 0 0 0 0 1",
            ":1:8: error: a rotation about two axes",
        ),
        (
            "6 -1 N A 0 0 0 0 0 1",
            ":1:14: error: a direction of length zero",
        ),
        ("6 -1 N N 7", ":1:10: error: the goal ends before"),
    ] {
        let path = file("bad.ikgoal", text);
        let error = Loader::new().objectives(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

fn hand() -> LinkId {
    LinkId::new(6)
}
