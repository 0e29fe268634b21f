//! Mount, merge, subset and reduce, compared with robots built directly.

use kinworld::robot::{DriverKind, JointKind, LinkImage, LinkMotion, RobotBuilder};
use kinworld::{LinkId, Pose, Vector};

use super::{chain, cube, is_invalid, link, pose_error, poses};

/// a – b(weld) – c, with a camera fixed to c, all with shapes.
fn welded() -> RobotBuilder {
    let mut builder = chain(&["a", "b", "c"]);
    builder.add_link(link("camera", Some(2), LinkMotion::Fixed));
    builder.links[1].initial = 0.7;
    builder
        .links
        .iter_mut()
        .for_each(|link| link.collision.push(cube()));
    builder.add_joint(JointKind::Normal, LinkId::new(0), None);
    builder.add_joint(JointKind::Weld, LinkId::new(1), None);
    builder.add_joint(JointKind::Spin, LinkId::new(2), None);
    builder
}

#[test]
fn the_description_of_a_robot_builds_the_same_robot() {
    let robot = welded().build().unwrap();
    let again = RobotBuilder::from(&robot).build().unwrap();
    let q = [0.1, 0.2, 0.3];
    assert_eq!(poses(&robot, &q), poses(&again, &q));
    assert_eq!(robot.joints(), again.joints());
    assert_eq!(robot.drivers(), again.drivers());
    let pairs = |robot: &kinworld::Robot| robot.self_collision_pairs().collect::<Vec<_>>();
    assert_eq!(pairs(&robot), pairs(&again));
}

#[test]
fn a_mounted_robot_moves_with_its_link() {
    let mut arm = chain(&["a", "b"]);
    let hand = chain(&["palm", "finger"]);
    let place = Pose::translation(0.1, 0.2, 0.3) * Pose::rotation(Vector::new(0.3, 0.2, 0.1));
    let map = arm
        .mount(Some(LinkId::new(1)), &hand, &place, Some("hand"))
        .unwrap();
    assert_eq!(map.link(LinkId::new(1)), Some(LinkId::new(3)));
    let both = arm.build().unwrap();
    assert_eq!(both.links()[3].name(), "hand:finger");
    assert_eq!(both.drivers()[3].name, "hand:finger");

    let (q_arm, q_hand) = ([0.4, -0.3], [1.0, 0.5]);
    let tip = poses(&chain(&["a", "b"]).build().unwrap(), &q_arm)[1] * place;
    let finger = tip * poses(&hand.build().unwrap(), &q_hand)[1];
    let mounted = poses(&both, &[q_arm, q_hand].concat())[3];
    assert!(pose_error(&mounted, &finger) < 1e-14);
}

#[test]
fn mounting_checks_all_pairs_between_the_two_but_the_joint_itself() {
    let shaped = |names: &[&str]| {
        let mut robot = chain(names);
        robot
            .links
            .iter_mut()
            .for_each(|link| link.collision.push(cube()));
        robot
    };
    // by the default rule, and by a list on one side: the same pairs
    let mut by_rule = shaped(&["a", "b"]);
    let mut by_list = by_rule.clone();
    by_list.self_collision.only = Some(Vec::new());
    for robot in [&mut by_rule, &mut by_list] {
        robot
            .mount(
                Some(LinkId::new(1)),
                &shaped(&["palm", "finger"]),
                &Pose::identity(),
                None,
            )
            .unwrap();
    }
    for robot in [by_rule, by_list] {
        let pairs: Vec<_> = robot
            .build()
            .unwrap()
            .self_collision_pairs()
            .map(|(a, b)| (a.index(), b.index()))
            .collect();
        assert_eq!(pairs, [(0, 2), (0, 3), (1, 3)]);
    }
}

#[test]
fn a_failed_mount_changes_nothing() {
    let mut arm = chain(&["a"]);
    assert!(is_invalid(&arm.mount(
        Some(LinkId::new(5)),
        &chain(&["b"]),
        &Pose::identity(),
        None
    )));
    assert_eq!((arm.links.len(), arm.joints), (1, None));
}

#[test]
fn merged_robots_are_side_by_side() {
    let (left, right) = (chain(&["a"]), chain(&["a", "b"]));
    let (both, maps) =
        RobotBuilder::merge("pair", &[(Some("left"), &left), (Some("right"), &right)]).unwrap();
    assert_eq!(maps[1].link(LinkId::new(1)), Some(LinkId::new(2)));
    let robot = both.build().unwrap();
    assert_eq!(robot.link_id("right:b").unwrap(), LinkId::new(2));
    assert_eq!(robot.links()[1].parent(), None);
}

#[test]
fn reducing_keeps_poses_mass_and_shapes() {
    let full = welded();
    let (reduced, map) = full.reduce().unwrap();
    let (full, reduced) = (full.build().unwrap(), reduced.build().unwrap());
    assert_eq!((reduced.links().len(), reduced.n_dofs()), (2, 2));

    let (q_full, q_reduced) = ([0.3, 0.7, -0.4], [0.3, -0.4]);
    let (x_full, x_reduced) = (poses(&full, &q_full), poses(&reduced, &q_reduced));
    for (old, x_old) in x_full.iter().enumerate() {
        let x_new = match *map.image(LinkId::new(old)) {
            LinkImage::Link(id) => x_reduced[id.index()],
            LinkImage::Part(id, pose) => x_reduced[id.index()] * pose,
            ref place => panic!("link {old} is {place:?}"),
        };
        assert!(pose_error(x_old, &x_new) < 1e-14);
    }

    // mass, centre of mass and moment about a fixed point of the whole robot in the world
    let total = |robot: &kinworld::Robot, x: &[Pose]| {
        let bodies = robot
            .links()
            .iter()
            .zip(x)
            .map(|(link, x)| link.inertia().transformed(x));
        bodies.reduce(|a, b| a.merged(&b)).unwrap()
    };
    let (a, b) = (total(&full, &x_full), total(&reduced, &x_reduced));
    assert!((a.mass - b.mass).abs() < 1e-15);
    assert!((a.com - b.com).norm() < 1e-14 && (a.moment - b.moment).norm() < 1e-13);
    assert_eq!(reduced.links()[0].collision().len(), 2);
    assert_eq!(reduced.drivers().len(), 2);

    // (a, c) was checked but (b, c) was not: merged they are adjacent
    assert_eq!(reduced.self_collision_pairs().count(), 0);
}

#[test]
fn a_fixed_root_keeps_its_mass_when_reducing() {
    let mut builder = RobotBuilder::new("post");
    builder.add_link(link("post", None, LinkMotion::Fixed));
    builder.add_link(link("plate", Some(0), LinkMotion::Fixed));
    builder.add_link(link("arm", Some(1), LinkMotion::Revolute(Vector::y())));
    let (reduced, map) = builder.reduce().unwrap();
    assert_eq!(
        reduced
            .links
            .iter()
            .map(|link| link.inertia.mass)
            .collect::<Vec<_>>(),
        [2.0, 1.0]
    );
    assert!(matches!(map.image(LinkId::new(1)), LinkImage::Part(id, _) if id.index() == 0));
}

#[test]
fn a_subset_freezes_links_in_between() {
    let mut full = chain(&["a", "b", "c"]);
    full.links[1].initial = 0.7;
    let links = (0..3).map(LinkId::new).collect();
    full.add_driver(
        "all",
        DriverKind::Affine {
            links,
            scale: vec![1.0, 2.0, 3.0],
            offset: vec![0.0, 0.1, 0.2],
        },
        None,
    );
    let (part, map) = full.subset(&[LinkId::new(0), LinkId::new(2)]).unwrap();
    assert_eq!(*map.image(LinkId::new(1)), LinkImage::Removed);
    let (full, part) = (full.build().unwrap(), part.build().unwrap());
    let error = pose_error(
        &poses(&full, &[0.2, 0.7, 0.5])[2],
        &poses(&part, &[0.2, 0.5])[1],
    );
    assert!(error < 1e-14);
    let DriverKind::Affine { scale, offset, .. } = &part.drivers()[0].kind else {
        panic!("the driver changed its kind")
    };
    assert_eq!(
        (scale.as_slice(), offset.as_slice()),
        ([1.0, 3.0].as_slice(), [0.0, 0.2].as_slice())
    );
}

#[test]
fn a_joint_that_loses_a_dof_is_split() {
    let floating = chain(&["a"]).with_base(JointKind::FloatingPlanar).unwrap();
    let (part, _) = floating.subset(&[LinkId::new(0), LinkId::new(2)]).unwrap();
    let kinds: Vec<_> = part
        .build()
        .unwrap()
        .joints()
        .iter()
        .map(|joint| joint.kind)
        .collect();
    assert_eq!(kinds, [JointKind::Normal; 2]);
    let (whole, _) = floating
        .subset(&[LinkId::new(0), LinkId::new(1), LinkId::new(2)])
        .unwrap();
    assert_eq!(
        whole.build().unwrap().joints()[0].kind,
        JointKind::FloatingPlanar
    );
    assert!(is_invalid(&floating.subset(&[LinkId::new(9)])));
}
