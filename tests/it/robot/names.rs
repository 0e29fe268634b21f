//! Joints and degrees of freedom by name, groups and named states through edits.

#![expect(clippy::float_cmp, reason = "the numbers are equal to the last bit")]

use kinworld::io::{LoadOptions, Loader};
use kinworld::robot::{JointKind, LinkImage, LinkMotion, LinkSpec};
use kinworld::{DofId, Pose, Robot, RobotBuilder, Vector, kinematics};

use crate::common::files::data;

fn arm() -> Robot {
    let options = LoadOptions::default().with_srdf(data("srdf/arm6.srdf"));
    let loaded = Loader::with_options(options).robot(data("robots/arm6.urdf"));
    let loaded = loaded.unwrap();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    loaded.value
}

#[test]
fn joints_are_found_by_the_names_of_the_file() {
    let arm = arm();
    let names: Vec<&str> = arm.joints().iter().map(|joint| joint.name()).collect();
    assert_eq!(
        names,
        ["axis1", "axis2", "axis3", "axis4", "axis5", "axis6"]
    );
    let elbow = arm.joint_id("axis3").unwrap();
    assert_eq!(arm.link(arm.joint(elbow).link).name(), "elbow");
    assert_eq!(arm.link_of_joint("axis3").unwrap(), arm.joint(elbow).link);
    for i in 0..6 {
        let dof = DofId::new(i);
        assert_eq!(arm.dof_id(arm.joint_name(dof)).unwrap(), dof);
        assert_eq!(arm.dof_name(dof), names[i]);
    }
    // the link's name does as well
    assert_eq!(arm.dof_id("elbow").unwrap(), DofId::new(2));
    let q = arm.config_from([("axis5", 0.5), ("elbow", -1.0)]).unwrap();
    assert_eq!(q, [0.0, 0.0, -1.0, 0.0, 0.5, 0.0]);
    let mut q = vec![0.1; 6];
    assert!(
        arm.set_values([("axis1", 1.0), ("axis7", 1.0)], &mut q)
            .is_err()
    );
    assert_eq!(q, [0.1; 6]);
    arm.set_values([("axis1", 1.0)], &mut q).unwrap();
    assert_eq!(q, [1.0, 0.1, 0.1, 0.1, 0.1, 0.1]);
}

#[test]
fn unknown_names_say_what_may_be_meant() {
    let arm = arm();
    for (error, said) in [
        (
            arm.dof_id("axis_3").unwrap_err(),
            "no joint named `axis_3`; did you mean `axis3`? there are: axis1",
        ),
        (
            arm.joint_id("hip").unwrap_err(),
            "no joint named `hip`; there are: axis1",
        ),
        (
            arm.link_id("axis3").unwrap_err(),
            "no link named `axis3`: it is a joint, of link `elbow`",
        ),
        (
            arm.link_id("flang").unwrap_err(),
            "no link named `flang`; did you mean `flange`?",
        ),
        (arm.link_id("arm").unwrap_err(), "no link named `arm`; "),
    ] {
        assert!(error.to_string().starts_with(said), "{error}");
    }
}

#[test]
fn a_joint_of_several_degrees_of_freedom_names_them_by_its_links() {
    let mut builder = RobotBuilder::new("rover");
    let base =
        builder.add_virtual_chain(JointKind::FloatingPlanar, "base", None, &Pose::identity());
    let base = base.unwrap();
    builder.links[base.index()].joint = "wheels".to_owned();
    let mut mast = LinkSpec::new("mast", Some(base), LinkMotion::Fixed);
    mast.joint = "bolt".to_owned();
    builder.add_link(mast);
    let rover = builder.build().unwrap();
    assert_eq!(rover.joint_name(DofId::new(0)), "wheels");
    assert_eq!(rover.dof_name(DofId::new(0)), "base_tx");
    assert_eq!(rover.dof_id("base_ty").unwrap(), DofId::new(1));
    let said = |name: &str| rover.dof_id(name).unwrap_err().to_string();
    assert_eq!(
        said("wheels"),
        "joint `wheels`: it has 3 degrees of freedom: name one, base_tx, base_ty, base"
    );
    assert_eq!(
        said("bolt"),
        "joint `bolt`: it is fixed and has no degree of freedom"
    );
    assert_eq!(
        rover.link(rover.link_of_joint("bolt").unwrap()).name(),
        "mast"
    );
}

#[test]
fn names_and_groups_survive_edits() {
    let arm = arm();
    let plain = RobotBuilder::from(&arm);
    let again = plain.clone().build().unwrap();
    assert_eq!(again.groups(), arm.groups());
    assert_eq!(again.named_states(), arm.named_states());
    assert_eq!(again.end_effectors(), arm.end_effectors());

    // two of them on a cart, each with its prefix
    let mut cart = RobotBuilder::new("cart");
    let top = cart.add_link(LinkSpec::new(
        "cart",
        None,
        LinkMotion::Prismatic(Vector::x()),
    ));
    cart.mount(Some(top), &plain, &Pose::identity(), Some("left"))
        .unwrap();
    cart.mount(Some(top), &plain, &Pose::identity(), Some("right"))
        .unwrap();
    let cart = cart.build().unwrap();
    let wrist = cart.group("right:wrist").unwrap();
    let dofs = [10, 11, 12].map(DofId::new);
    assert_eq!(cart.dofs_of(wrist), dofs);
    assert_eq!(cart.dof_id("right:axis4").unwrap(), dofs[0]);
    let q = cart.named_config("left:up", None).unwrap();
    assert_eq!(q.iter().filter(|q| **q != 0.0).count(), 1);
    assert_eq!(q[cart.dof_id("left:axis5").unwrap().index()], -0.7);

    // only the last three links, with what lies between
    let keep: Vec<_> = ["forearm", "wrist", "flange"]
        .map(|name| arm.link_id(name).unwrap())
        .to_vec();
    let (hand, map) = plain.subset(&keep).unwrap();
    let hand = hand.build().unwrap();
    assert!(matches!(map.image(keep[2]), LinkImage::Link(_)));
    let names: Vec<&str> = hand
        .groups()
        .iter()
        .map(|group| group.name.as_str())
        .collect();
    assert_eq!(names, ["arm", "wrist"]);
    assert_eq!(hand.dofs_of(hand.group("arm").unwrap()).len(), 3);
    assert_eq!(hand.named_config("up", None).unwrap(), [0.0, -0.7, 0.0]);
    assert_eq!(hand.dof_name(DofId::new(1)), "axis5");

    let (reduced, _) = plain.reduce().unwrap();
    let reduced = reduced.build().unwrap();
    assert_eq!(
        reduced.named_config("ready", None).unwrap(),
        arm.named_config("ready", None).unwrap()
    );
}

#[cfg(feature = "serde")]
#[test]
fn names_and_groups_survive_serialisation() {
    let arm = arm();
    let text = serde_json::to_string(&arm).unwrap();
    let read: Robot = serde_json::from_str(&text).unwrap();
    assert_eq!(read.groups(), arm.groups());
    assert_eq!(read.named_states(), arm.named_states());
    assert_eq!(read.end_effectors(), arm.end_effectors());
    assert_eq!(read.joint_id("axis4"), arm.joint_id("axis4"));
}

#[test]
fn groups_of_links_that_are_not_there_are_refused() {
    let mut builder = RobotBuilder::from(&arm());
    builder.groups[0].links.push(kinworld::LinkId::new(99));
    let error = builder.build().unwrap_err().to_string();
    assert_eq!(error, "group `arm`: there is no link 99; there are 7");

    let mut builder = RobotBuilder::from(&arm());
    builder.named_states[0].values[0].1 = f64::NAN;
    let error = builder.build().unwrap_err().to_string();
    assert_eq!(
        error,
        "state `home`: the value of link `shoulder` is not finite"
    );
}

#[test]
fn all_that_is_beyond_limits_is_listed() {
    let arm = arm();
    let q = [3.0, 0.0, 0.0, 0.0, -2.1, 0.0];
    let beyond = kinematics::beyond_limits(&arm, &q, 0.0).unwrap();
    assert_eq!(beyond, [0, 4].map(DofId::new));
    assert_eq!(
        kinematics::beyond_limits(&arm, &q, 0.02).unwrap(),
        [DofId::new(0)]
    );
    let first = kinematics::first_beyond_limits(&arm, &q, 0.0).unwrap();
    assert_eq!(first, beyond.first().copied());
}
