//! One arm in two formats: `arm6.rob` and `arm6.urdf`.

use std::collections::BTreeSet;

use kinworld::robot::Limits;
use kinworld::{LinkId, Robot, State, kinematics};

use crate::common::files::data;
use crate::common::numbers::{assert_close, pose_rows, rows};

/// Angles are degrees in one file and radians in the other.
const ROUNDING: f64 = 1e-12;

#[test]
fn an_arm_is_the_same_in_both_formats() {
    let (rob, urdf) = (load("arm6.rob"), load("arm6.urdf"));
    let limits = |robot: &Robot| {
        let one = |l: &Limits| [l.q_min, l.q_max, l.v_max, l.tau_max];
        robot.limits().iter().flat_map(one).collect::<Vec<_>>()
    };
    assert_close("limits", &limits(&rob), &limits(&urdf), ROUNDING);

    let (mut of_rob, mut of_urdf) = (State::new(&rob), State::new(&urdf));
    for seed in 0..16 {
        let q = kinematics::sample(&rob, seed, 1.0);
        of_rob.set_config(&rob, &q).expect("six angles");
        of_urdf.set_config(&urdf, &q).expect("six angles");
        for (id, name) in names(&rob) {
            let twin = urdf.link_id(name).expect("the same names");
            let (ours, theirs) = (of_rob.pose(&rob, id), of_urdf.pose(&urdf, twin));
            assert_close(name, &pose_rows(&ours), &pose_rows(&theirs), ROUNDING);
        }
    }
    for (id, name) in names(&rob) {
        let twin = urdf.link_id(name).expect("the same names");
        let (ours, theirs) = (rob.link(id).inertia(), urdf.link(twin).inertia());
        assert_close(name, &[ours.mass], &[theirs.mass], 0.0);
        assert_close(
            name,
            ours.com.coords.as_slice(),
            theirs.com.coords.as_slice(),
            0.0,
        );
        assert_close(name, &rows(&ours.moment), &rows(&theirs.moment), ROUNDING);
    }
}

#[test]
fn a_plain_urdf_tests_every_pair_that_a_rob_does_not_take_out() {
    let pairs = |robot: &Robot| -> BTreeSet<[String; 2]> {
        let name = |id| robot.link(id).name().to_owned();
        robot
            .self_collision_pairs()
            .map(|(a, b)| [name(a), name(b)])
            .collect()
    };
    let (rob, urdf) = (pairs(&load("arm6.rob")), pairs(&load("arm6.urdf")));
    let taken_out = ["shoulder", "elbow"].map(str::to_owned);
    assert_eq!(&urdf - &rob, BTreeSet::from([taken_out]));
    assert_eq!(&rob - &urdf, BTreeSet::new());
}

fn load(file: &str) -> Robot {
    let path = data("robots").join(file);
    Robot::load(path)
        .unwrap_or_else(|error| panic!("{error}"))
        .value
}

fn names(robot: &Robot) -> impl Iterator<Item = (LinkId, &str)> {
    let links = robot.links().iter().enumerate();
    links.map(|(i, link)| (LinkId::new(i), link.name()))
}
