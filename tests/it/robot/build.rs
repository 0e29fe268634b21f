//! Validation and order of links in `build`.

use kinworld::robot::{
    DriverKind, DriverLimits, JointKind, Limits, LinkMotion, LinkSpec, RobotBuilder,
};
use kinworld::{LinkId, Vector};

use super::{chain, cube, link};

#[test]
fn a_link_gets_a_dof_unless_it_is_fixed() {
    let mut builder = chain(&["a"]);
    builder.add_link(link("flange", Some(0), LinkMotion::Fixed));
    builder.add_link(link("tool", Some(1), LinkMotion::Prismatic(Vector::z())));
    let robot = builder.build().unwrap();
    let dofs: Vec<_> = robot
        .links()
        .iter()
        .map(|link| link.dof().map(|dof| dof.index()))
        .collect();
    assert_eq!(dofs, [Some(0), None, Some(1)]);
    assert_eq!(robot.n_dofs(), 2);
    assert_eq!(robot.joints().len(), 2);
    assert_eq!(robot.drivers().len(), 2);
}

#[test]
fn children_before_parents_are_sorted_and_ids_are_renumbered() {
    let mut builder = RobotBuilder::new("unsorted");
    builder.add_link(link("tip", Some(1), LinkMotion::Revolute(Vector::y())));
    builder.add_link(link("root", None, LinkMotion::Revolute(Vector::z())));
    builder.add_joint(JointKind::Spin, LinkId::new(0), None);
    builder.add_driver(
        "motor",
        DriverKind::Normal {
            link: LinkId::new(0),
        },
        None,
    );
    let early = builder.clone().build().unwrap_err().to_string();
    assert!(early.starts_with("link `tip`: comes before its parent `root`: `build_sorted`"));
    let (robot, new_ids) = builder.build_sorted().unwrap();
    assert_eq!(new_ids, [LinkId::new(1), LinkId::new(0)]);
    let names: Vec<_> = robot
        .links()
        .iter()
        .map(kinworld::robot::Link::name)
        .collect();
    assert_eq!(names, ["root", "tip"]);
    assert_eq!(robot.links()[1].parent(), Some(LinkId::new(0)));
    assert_eq!(
        robot.joint_of(LinkId::new(1)).map(|joint| joint.kind),
        Some(JointKind::Spin)
    );
    assert_eq!(robot.drivers()[0].kind.links(), [LinkId::new(1)]);
}

#[test]
fn invalid_robots_are_refused_by_name() {
    type Spoil = fn(&mut RobotBuilder);
    let cases: &[(&str, Spoil)] = &[
        (
            "link `b`: its parent has index 7, but there are 3 links",
            |r| r.links[1].parent = Some(LinkId::new(7)),
        ),
        ("it is its own ancestor", |r| {
            r.links[0].parent = Some(LinkId::new(2))
        }),
        ("it is its own ancestor", |r| {
            r.links[1].parent = Some(LinkId::new(1))
        }),
        (
            "link `c`: its placement has a number that is not finite",
            |r| {
                r.links[2].placement.translation.vector.x = f64::NAN;
            },
        ),
        ("link `c`: its axis has a number that is not finite", |r| {
            r.links[2].motion = LinkMotion::Revolute(Vector::new(0.0, f64::INFINITY, 0.0));
        }),
        (
            "link `a`: its mass, centre of mass or inertia is not finite",
            |r| r.links[0].inertia.mass = f64::NAN,
        ),
        ("link `a`: its mass is negative", |r| {
            r.links[0].inertia.mass = -1.0
        }),
        ("link `a`: one of its limits is not a number", |r| {
            r.links[0].limits.q_max = f64::NAN
        }),
        ("link `a`: its initial value is not finite", |r| {
            r.links[0].initial = f64::INFINITY
        }),
        ("weld joint of link `b`: the link is fixed", |r| {
            r.links[1].motion = LinkMotion::Fixed;
            r.add_joint(JointKind::Weld, LinkId::new(1), None);
        }),
        ("link `b`: two joints own its degree of freedom", |r| {
            r.add_joint(JointKind::Normal, LinkId::new(1), None);
            r.add_joint(JointKind::Spin, LinkId::new(1), None);
        }),
        (
            "floating joint of link `c`: it groups 6 degrees of freedom, but 3 lie",
            |r| {
                r.add_joint(JointKind::Floating, LinkId::new(2), None);
            },
        ),
        ("its base, link `c`, is not an ancestor", |r| {
            r.add_joint(
                JointKind::BallAndSocket,
                LinkId::new(1),
                Some(LinkId::new(2)),
            );
        }),
        ("joint of link 9: there are only 3 links", |r| {
            r.add_joint(JointKind::Normal, LinkId::new(9), None)
        }),
        ("driver `m`: link `b` is driven twice", |r| {
            let kind = DriverKind::Affine {
                links: vec![LinkId::new(1); 2],
                scale: vec![1.0; 2],
                offset: vec![0.0; 2],
            };
            r.add_driver("m", kind, None);
        }),
        (
            "driver `m`: 1 links need as many scales and offsets, got 2 and 0",
            |r| {
                let kind = DriverKind::Affine {
                    links: vec![LinkId::new(1)],
                    scale: vec![1.0; 2],
                    offset: vec![],
                };
                r.add_driver("m", kind, None);
            },
        ),
        ("driver `m`: there is no link 3; there are 3", |r| {
            r.add_driver(
                "m",
                DriverKind::Normal {
                    link: LinkId::new(3),
                },
                None,
            );
        }),
        ("self-collision pair (0, 5): there are only 3 links", |r| {
            r.self_collision
                .except
                .push((LinkId::new(0), LinkId::new(5)));
        }),
        (
            "self-collision pair of link `a`: it names the same link twice",
            |r| {
                r.self_collision.only = Some(vec![(LinkId::new(0), LinkId::new(0))]);
            },
        ),
    ];
    for (expected, spoil) in cases {
        let mut builder = chain(&["a", "b", "c"]);
        spoil(&mut builder);
        let message = builder.build().expect_err(expected).to_string();
        assert!(
            message.contains(expected),
            "wanted `{expected}`, got `{message}`"
        );
    }
}

#[test]
fn unknown_names_list_the_known_ones() {
    let robot = chain(&["shoulder", "elbow"]).build().unwrap();
    let message = robot.link_id("wrist").unwrap_err().to_string();
    assert_eq!(message, "no link named `wrist`; there are: shoulder, elbow");
}

#[test]
fn suspicious_robots_get_warnings() {
    let mut builder = chain(&["a"]);
    builder.links[0].motion = LinkMotion::Revolute(Vector::zeros());
    builder.links[0].limits = Limits::position(1.0, -1.0);
    builder.links[0].inertia.moment[(0, 0)] = 9.0;
    builder.links[0].placement.rotation =
        kinworld::Rotation::from_matrix_unchecked(nalgebra::Matrix3::identity() * 1.01);
    let messages: Vec<String> = builder.check().iter().map(|d| d.message.clone()).collect();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(builder.build().is_ok());
    assert!(chain(&["a", "b"]).check().is_empty());
}

#[test]
fn links_are_checked_against_all_but_adjacent_and_rigidly_connected_ones() {
    let mut builder = chain(&["a", "b", "c"]);
    builder.add_link(link("camera", Some(2), LinkMotion::Fixed));
    builder.add_link(link("bare", Some(0), LinkMotion::Fixed));
    builder.links[..4]
        .iter_mut()
        .for_each(|link| link.collision.push(cube()));
    builder.links[4].visual.push(cube());
    let robot = builder.build().unwrap();
    let pairs: Vec<_> = robot
        .self_collision_pairs()
        .map(|(a, b)| (a.index(), b.index()))
        .collect();
    assert_eq!(pairs, [(0, 2), (0, 3), (1, 3)]);
    assert!(robot.self_collision_enabled(LinkId::new(3), LinkId::new(0)));
    assert!(!robot.self_collision_enabled(LinkId::new(2), LinkId::new(3)));
}

#[test]
fn driver_limits_follow_from_the_links_unless_given() {
    let mut builder = chain(&["a", "b"]);
    builder.links[0].limits = Limits::position(-1.0, 1.0)
        .with_velocity(2.0)
        .with_acceleration(3.0)
        .with_torque(4.0);
    builder.links[1].limits = Limits::position(-3.0, 1.0)
        .with_velocity(2.0)
        .with_acceleration(8.0)
        .with_torque(1.0);
    let links = vec![LinkId::new(0), LinkId::new(1)];
    let kind = DriverKind::Affine {
        links,
        scale: vec![1.0, -2.0],
        offset: vec![0.0, 0.5],
    };
    builder.add_driver("both", kind, None);
    let robot = builder.clone().build().unwrap();
    let limits = robot.driver_limits(&robot.drivers()[0]);

    // q_b = 0.5 - 2u in [-3, 1] means u in [-0.25, 1.75]
    assert_eq!(limits.position.as_slice(), [-0.25, 1.0].as_slice());
    assert_eq!(limits.velocity.as_slice(), [-1.0, 1.0].as_slice());
    assert_eq!(limits.acceleration.as_slice(), [-3.0, 3.0].as_slice());
    assert_eq!(limits.torque.as_slice(), [-1.0, 1.0].as_slice());

    let own = DriverLimits::default().with_position([-9.0, 9.0]);
    builder.drivers.as_mut().unwrap()[0].limits = Some(own);
    let robot = builder.build().unwrap();
    let limits = robot.driver_limits(&robot.drivers()[0]);
    assert_eq!(
        (limits.position, limits.acceleration),
        ([-9.0, 9.0], [-3.0, 3.0])
    );
}

#[test]
fn ancestors_children_and_subtrees_are_found() {
    let mut builder = chain(&["trunk", "left", "left_hand"]);
    builder.add_link(link("right", Some(0), LinkMotion::Revolute(Vector::y())));
    builder.add_link(LinkSpec::new("other", None, LinkMotion::Fixed));
    let robot = builder.build().unwrap();
    let [trunk, left, left_hand, right, other] = std::array::from_fn(LinkId::new);
    assert_eq!(
        robot.ancestors(left_hand).collect::<Vec<_>>(),
        [left, trunk]
    );
    assert_eq!(robot.children(trunk).collect::<Vec<_>>(), [left, right]);
    assert_eq!(robot.subtree(left), [left, left_hand]);
    assert_eq!(robot.lowest_common_ancestor(left_hand, right), Some(trunk));
    assert_eq!(robot.lowest_common_ancestor(left_hand, other), None);
    assert!(
        robot.is_ancestor_or_self(trunk, left_hand) && !robot.is_ancestor_or_self(right, left_hand)
    );
}

#[test]
fn ten_thousand_children_build_without_listing_pairs() {
    let mut builder = chain(&["hub"]);
    for _ in 0..10_000 {
        builder.add_link(link("spoke", Some(0), LinkMotion::Revolute(Vector::x())));
    }
    builder
        .links
        .iter_mut()
        .for_each(|link| link.collision.push(cube()));
    let robot = builder.build().unwrap();
    assert!(robot.self_collision_enabled(LinkId::new(1), LinkId::new(10_000)));
}
