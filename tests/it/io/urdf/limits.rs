//! Limits of joints, and inertias of links.

use kinworld::{Point, Robot};
use nalgebra::Matrix3;

use super::{joint, named_joint, robot, with_links, with_warnings};

const INF: f64 = f64::INFINITY;

/// `[q_min, q_max, v_min, v_max, a_max, tau_max]` of the only degree of freedom.
fn limits(robot: &Robot) -> [f64; 6] {
    let l = robot.limits()[0];
    [l.q_min, l.q_max, l.v_min, l.v_max, l.a_max, l.tau_max]
}

#[test]
fn limits_are_those_of_the_joint() {
    let full = r#"<limit lower="-1" upper="2" velocity="3" effort="4"/>"#;
    let endless = r#"<limit velocity="3" effort="4"/>"#;
    let zero = r#"<limit lower="0" upper="0" velocity="0" effort="0"/>"#;
    let half = r#"<limit upper="2" velocity="3" effort="inf"/>"#;
    let quick = r#"<limit lower="-1" upper="2" velocity="3" effort="4" acceleration="5"/>"#;
    let cases = [
        ("revolute", full, [-1.0, 2.0, -3.0, 3.0, INF, 4.0]),
        ("prismatic", full, [-1.0, 2.0, -3.0, 3.0, INF, 4.0]),
        ("continuous", full, [-INF, INF, -3.0, 3.0, INF, 4.0]),
        ("continuous", endless, [-INF, INF, -3.0, 3.0, INF, 4.0]),
        ("continuous", "", [-INF, INF, -INF, INF, INF, INF]),
        ("revolute", zero, [0.0, 0.0, -0.0, 0.0, INF, 0.0]),
        ("revolute", half, [0.0, 2.0, -3.0, 3.0, INF, INF]),
        ("revolute", quick, [-1.0, 2.0, -3.0, 3.0, 5.0, 4.0]),
    ];
    for (kind, limit, expected) in cases {
        let text = with_links("a b", &named_joint("j", kind, "a", "b", limit));
        assert_eq!(limits(&robot(&text)), expected, "{kind} {limit}");
    }
}

#[test]
fn a_fixed_joint_keeps_its_effort_where_klampt_reads_the_file() {
    let limit = r#"<limit lower="-1" upper="2" velocity="3" effort="4"/>"#;
    for (limit, tau_max) in [(limit, 4.0), ("", INF)] {
        let joint = named_joint("j", "fixed", "world", "a", limit);
        let text = with_links("world a", &(joint + "<klampt/>"));
        let expected = [0.0, 0.0, 0.0, 0.0, 0.0, tau_max];
        assert_eq!(limits(&robot(&text)), expected, "{limit}");
    }
}

#[test]
fn missing_parts_of_a_limit_are_reported() {
    let nothing = with_links("a b", &named_joint("j", "revolute", "a", "b", ""));
    let (arm, warnings) = with_warnings(&nothing);
    assert_eq!(limits(&arm), [-INF, INF, -INF, INF, INF, INF]);
    assert_eq!(
        warnings,
        ["4:1: joint `j`: it has no <limit>; it gets no limits"]
    );

    let bare = with_links(
        "a b",
        &named_joint("j", "prismatic", "a", "b", "\n<limit/>"),
    );
    let (arm, warnings) = with_warnings(&bare);
    assert_eq!(limits(&arm), [0.0, 0.0, -INF, INF, INF, INF]);
    let expected = [
        "5:1: joint `j`: <limit> has neither `lower` nor `upper`; both are 0, so it cannot move",
        "5:1: joint `j`: <limit> has no `velocity`; it gets none",
        "5:1: joint `j`: <limit> has no `effort`; it gets none",
    ];
    assert_eq!(warnings, expected);
}

#[test]
fn accelerations_are_klampts_under_klampt() {
    let load = |klampt: &str| {
        let joints = joint("revolute", "world", "a", "") + klampt;
        robot(&with_links("world a", &joints)).limits()[0].a_max
    };
    assert_eq!(load(""), INF);
    assert_eq!(load("<klampt/>"), 10.0);
    assert_eq!(load(r#"<klampt default_acc_max="7"/>"#), 7.0);
    assert_eq!(load(r#"<klampt><link name="a" accMax="3"/></klampt>"#), 3.0);
}

#[test]
fn an_inertia_is_rotated_from_its_own_frame_into_that_of_the_link() {
    let text = r#"<robot name="r"><link name="a"><inertial>
        <origin xyz="1 2 3" rpy="0 0 0.5235987755982988"/><mass value="2"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial></link></robot>"#;
    let robot = robot(text);
    let inertia = robot.links()[0].inertia();
    assert_eq!(inertia.mass, 2.0);
    assert_eq!(inertia.com, Point::new(1.0, 2.0, 3.0));

    // R · I · Rᵀ about z by 30°: c² = 3/4, s² = 1/4, c·s = √3/4; Klampt's Rᵀ · I · R has the other sign
    let cs = 3.0_f64.sqrt() / 4.0;
    let expected = Matrix3::new(
        0.75 + 0.5,
        -cs,
        0.0, //
        -cs,
        0.25 + 1.5,
        0.0, //
        0.0,
        0.0,
        2.5,
    );
    assert!((inertia.moment - expected).amax() < 1e-15);
}

#[test]
fn links_without_inertial_have_no_mass_or_klampts_default() {
    let load = |klampt: &str| {
        let text = format!(
            r#"<robot name="r"><link name="world"/><link name="a"/>
            {}{klampt}</robot>"#,
            joint("fixed", "world", "a", "")
        );
        let (robot, _) = with_warnings(&text);
        let inertia = *robot.links().last().unwrap().inertia();
        (inertia.mass, inertia.moment)
    };
    assert_eq!(load(""), (0.0, Matrix3::zeros()));
    assert_eq!(load("<klampt/>"), (1e-4, Matrix3::identity() * 1e-8));
    let diagonal = Matrix3::from_diagonal(&[1.0, 2.0, 3.0].into());
    let given = load(r#"<klampt default_mass="5" default_inertia="1 2 3"/>"#);
    assert_eq!(given, (5.0, diagonal));
    let given = load(r#"<klampt default_inertia="2"/>"#);
    assert_eq!(given, (1e-4, Matrix3::identity() * 2.0));
    let given = load(r#"<klampt default_inertia="3 1 0 1 3 0 0 0 4"/>"#);
    let full = Matrix3::new(3.0, 1.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 4.0);
    assert_eq!(given, (1e-4, full));
    let virtual_link = r#"<klampt><link name="a" physical="0"/></klampt>"#;
    assert_eq!(load(virtual_link), (0.0, Matrix3::zeros()));
}
