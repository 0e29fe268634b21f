//! Degrees of freedom of a URDF, and their order.

use kinworld::io::{Base, FixedJoints, LoadOptions};
use kinworld::robot::{JointKind, Limits, LinkMotion};
use kinworld::{LinkId, Pose, Robot, Rotation, State, Vector};
use nalgebra::Unit;

use super::{joint, load_with, named_joint, names, robot, with_links};

/// The link of each degree of freedom.
fn moving(robot: &Robot) -> Vec<&str> {
    let name = |link: &LinkId| robot.link(*link).name();
    robot.dofs().iter().map(name).collect()
}

fn kinds(robot: &Robot) -> Vec<(JointKind, &str)> {
    let kind = |joint: &kinworld::robot::Joint| (joint.kind, robot.link(joint.link).name());
    robot.joints().iter().map(kind).collect()
}

/// A root with a fixed and a revolute child.
fn three(root: &str, klampt: &str) -> String {
    let joints = joint("fixed", root, "plate", "") + &joint("revolute", "plate", "arm", "");
    with_links(&format!("{root} plate arm"), &(joints + klampt))
}

#[test]
fn plain_files_give_no_degree_of_freedom_to_fixed_joints_and_the_root() {
    for root in ["world", "base"] {
        let robot = robot(&three(root, ""));
        assert_eq!(names(&robot), [root, "plate", "arm"]);
        assert_eq!(moving(&robot), ["arm"]);
        assert_eq!(kinds(&robot), [(JointKind::Normal, "arm")]);
        assert_eq!(robot.links()[0].parent(), None);
    }
}

#[test]
fn under_klampt_a_root_called_world_is_the_world() {
    let by_default = robot(&three("world", "<klampt/>"));
    let by_name = robot(&three("ground", r#"<klampt world_frame="ground"/>"#));
    for robot in [by_default, by_name] {
        assert_eq!(names(&robot), ["plate", "arm"]);
        assert_eq!(moving(&robot), ["plate", "arm"]);
        let expected = [(JointKind::Weld, "plate"), (JointKind::Normal, "arm")];
        assert_eq!(kinds(&robot), expected);
        let limits = robot.limits()[0];
        assert_eq!((limits.q_min, limits.q_max), (0.0, 0.0));
        assert_eq!((limits.v_min, limits.v_max, limits.a_max), (0.0, 0.0, 0.0));
        assert_eq!(limits.tau_max, f64::INFINITY);
    }
}

#[test]
fn under_klampt_another_root_floats_on_five_virtual_links() {
    let robot = robot(&three("body", "<klampt/>"));
    let expected = [
        "base0", "base1", "base2", "base3", "base4", "body", "plate", "arm",
    ];
    assert_eq!(names(&robot), expected);
    assert_eq!(moving(&robot), expected);
    assert_eq!(kinds(&robot)[0], (JointKind::Floating, "body"));
    assert_eq!(robot.drivers().len(), 1);
    for (i, limits) in robot.limits()[..6].iter().enumerate() {
        assert_eq!(
            (limits.q_min, limits.v_min),
            (f64::NEG_INFINITY, f64::NEG_INFINITY)
        );
        assert_eq!((limits.q_max, limits.a_max), (f64::INFINITY, f64::INFINITY));
        assert_eq!(limits.tau_max, 0.0);
        assert_eq!(
            robot.links()[i].inertia().mass,
            if i < 5 { 0.0 } else { 1.0 }
        );
    }

    // t = (x, y, z), R = Rz · Ry · Rx
    let mut state = State::new(&robot);
    state
        .set_config(&robot, &[1.0, 2.0, 3.0, 0.4, 0.5, 0.6, 0.0, 0.0])
        .unwrap();
    let expected = Pose::from_parts(
        nalgebra::Translation3::new(1.0, 2.0, 3.0),
        Rotation::from_euler_angles(0.6, 0.5, 0.4),
    );
    let body = state.pose(&robot, LinkId::new(5));
    assert!((body.to_homogeneous() - expected.to_homogeneous()).amax() < 1e-15);
}

#[test]
fn a_frozen_root_link_is_attached_by_six_welds() {
    let robot = robot(&three("body", r#"<klampt freeze_root_link="true"/>"#));
    assert_eq!(robot.n_dofs(), 8);
    assert!(
        kinds(&robot)[..6]
            .iter()
            .all(|(kind, _)| *kind == JointKind::Weld)
    );
}

#[test]
fn options_overrule_the_file() {
    let load = |base, fixed_joints, text: &str| {
        let options = LoadOptions::default()
            .with_base(base)
            .with_fixed_joints(fixed_joints);
        load_with(options, text).unwrap().value
    };
    let plain = three("world", "");
    let klampt = three("world", "<klampt/>");
    let floating = three("body", "<klampt freeze_root_link=\"1\"/>");
    let cases = [
        // file, base, fixed joints, links, degrees of freedom
        (&plain, Base::Auto, FixedJoints::Auto, 3, 1),
        (&plain, Base::Fixed, FixedJoints::Merge, 3, 1),
        (&plain, Base::Auto, FixedJoints::Keep, 3, 2),
        (&plain, Base::Floating, FixedJoints::Auto, 8, 7),
        (&plain, Base::Floating, FixedJoints::Keep, 8, 8),
        (&klampt, Base::Auto, FixedJoints::Auto, 2, 2),
        (&klampt, Base::Auto, FixedJoints::Merge, 2, 1),
        (&klampt, Base::Fixed, FixedJoints::Auto, 2, 2),
        (&klampt, Base::Floating, FixedJoints::Auto, 8, 8),
        (&floating, Base::Auto, FixedJoints::Auto, 8, 8),
        (&floating, Base::Fixed, FixedJoints::Auto, 3, 2),
        (&floating, Base::Fixed, FixedJoints::Merge, 3, 1),
    ];
    for (text, base, fixed_joints, links, dofs) in cases {
        let robot = load(base, fixed_joints, text);
        let counted = (robot.links().len(), robot.n_dofs());
        assert_eq!(counted, (links, dofs), "{base:?} {fixed_joints:?} {text}");
        let floats = robot.joints().iter().any(|j| j.kind == JointKind::Floating);
        assert_eq!(floats, base == Base::Floating);
    }
}

#[test]
fn links_come_depth_first_and_children_by_the_name_of_their_joint() {
    // in the file: leaves first, joints in arbitrary order
    let text = with_links(
        "tip left right stem",
        &(named_joint("z", "fixed", "left", "tip", "")
            + &named_joint("b", "fixed", "stem", "left", "")
            + &named_joint("a", "fixed", "stem", "right", "")),
    );
    assert_eq!(names(&robot(&text)), ["stem", "right", "left", "tip"]);
}

#[test]
fn axes_are_unit_vectors_but_keep_their_length_under_klampt() {
    let joints = joint("revolute", "a", "b", r#"<axis xyz="0 0.6 0.8"/>"#)
        + &joint("prismatic", "b", "c", r#"<axis xyz="0 0 -2"/>"#)
        + &joint("revolute", "c", "d", "");
    let axes = |robot: &Robot| -> Vec<Vector> {
        let axes = robot.links().iter().filter_map(|link| link.motion().axis());
        axes.collect()
    };
    let klampt = robot(&with_links(
        "world b c d",
        &(joints.replace("\"a\"", "\"world\"") + "<klampt/>"),
    ));
    assert_eq!(axes(&klampt)[1], Vector::new(0.0, 0.0, -2.0));
    let (plain, warnings) = super::with_warnings(&with_links("a b c d", &joints));
    assert_eq!(axes(&plain)[1], Vector::new(0.0, 0.0, -1.0));
    assert_eq!(axes(&plain)[2], Vector::x());
    assert!((axes(&plain)[0] - Vector::new(0.0, 0.6, 0.8)).amax() < 1e-15);
    assert_eq!(
        warnings,
        ["7:122: joint `c`: its axis has length 2; made a unit vector, as ROS does"]
    );
}

#[test]
fn planar_and_floating_joints_become_chains_that_end_in_the_child() {
    let origin = r#"<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>"#;
    let text = with_links(
        "base cart drone",
        &(joint(
            "planar",
            "base",
            "cart",
            &format!(r#"{origin}<axis xyz="0 0 1"/>"#),
        ) + &joint("floating", "cart", "drone", origin)),
    );
    let robot = robot(&text);
    let expected = [
        "base", "cart_tx", "cart_ty", "cart", "drone_tx", "drone_ty", "drone_tz", "drone_rz",
        "drone_ry", "drone",
    ];
    assert_eq!(names(&robot), expected);
    let expected = [
        (JointKind::FloatingPlanar, "cart"),
        (JointKind::Floating, "drone"),
    ];
    assert_eq!(kinds(&robot), expected);
    assert_eq!(robot.joints()[1].base, Some(robot.link_id("cart").unwrap()));
    assert!(robot.drivers().is_empty());
    assert!(
        robot
            .limits()
            .iter()
            .all(|limits| *limits == Limits::UNLIMITED)
    );
    let masses: f64 = robot.links().iter().map(|link| link.inertia().mass).sum();
    assert_eq!(masses, 3.0);

    let mut state = State::new(&robot);
    state
        .set_config(&robot, &[0.4, 0.5, 0.6, 1.0, 2.0, 3.0, 0.7, 0.8, 0.9])
        .unwrap();
    let at = |x, y, z, r| Pose::from_parts(nalgebra::Translation3::new(x, y, z), r);
    let x_origin = at(1.0, 2.0, 3.0, Rotation::from_euler_angles(0.1, 0.2, 0.3));
    let x_cart = x_origin * at(0.4, 0.5, 0.0, Rotation::from_euler_angles(0.0, 0.0, 0.6));
    let moved = at(1.0, 2.0, 3.0, Rotation::from_euler_angles(0.9, 0.8, 0.7));
    let x_drone = x_cart * x_origin * moved;
    for (name, expected) in [("cart", x_cart), ("drone", x_drone)] {
        let ours = state.pose(&robot, robot.link_id(name).unwrap());
        assert!(
            (ours.to_homogeneous() - expected.to_homogeneous()).amax() < 1e-14,
            "{name}"
        );
    }
}

#[test]
fn a_planar_joint_translates_in_the_plane_normal_to_its_axis() {
    for axis in ["0 0 1", "0 1 0", "1 0 0", "0 0 -1", "1 2 -3", "-2 1 0.5"] {
        let joint = joint(
            "planar",
            "base",
            "cart",
            &format!(r#"<axis xyz="{axis}"/>"#),
        );
        let text = with_links("base cart", &joint);
        let (robot, _) = super::with_warnings(&text);
        let motions: Vec<LinkMotion> = robot.links()[1..]
            .iter()
            .map(|link| *link.motion())
            .collect();
        let [
            LinkMotion::Prismatic(x),
            LinkMotion::Prismatic(y),
            LinkMotion::Revolute(z),
        ] = motions[..]
        else {
            panic!("two prismatic and a revolute link, not {motions:?}");
        };
        let given: Vec<f64> = axis.split(' ').map(|word| word.parse().unwrap()).collect();
        let given = Unit::new_normalize(Vector::from_column_slice(&given));
        assert!((z - *given).amax() < 1e-15);
        assert!(
            (x.cross(&y) - z).amax() < 1e-15,
            "right-handed around {axis}"
        );
    }
    let on_the_ground = joint("planar", "base", "cart", r#"<axis xyz="0 0 1"/>"#);
    let robot = robot(&with_links("base cart", &on_the_ground));
    assert_eq!(robot.links()[1].motion().axis(), Some(Vector::x()));
    assert_eq!(robot.links()[2].motion().axis(), Some(Vector::y()));
}
