//! Asserts that a robot of ours answers as another program [`Expected`].

use std::collections::BTreeSet;
use std::fmt::Display;

use kinworld::robot::{Driver, DriverKind, Joint, JointKind, Link};
use kinworld::{Geometry, LinkId, Point, Robot, State, WorldModel, kinematics};

use super::expected::{Case, Expected, ExpectedBody, ExpectedDriver, Step};
use crate::common::numbers::{assert_close, pose_rows, rows};

/// How far the numbers may be apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tolerance {
    /// Of poses, Jacobians and what follows from them: m, rad, and their rates.
    pub(crate) kinematics: f64,
    /// Of what a mesh's mass properties enter, whose vertices are single precision elsewhere.
    pub(crate) mass: f64,
}

/// The links of ours that the other program's are, by their position there.
pub(crate) struct Known<'a> {
    /// The file, for messages.
    pub(super) file: &'a str,
    pub(crate) robot: &'a Robot,
    links: Vec<LinkId>,
}

impl<'a> Known<'a> {
    /// Finds the links. Programs that give every link a coordinate must have them in our order.
    pub(crate) fn new(file: &'a str, robot: &'a Robot, expected: &Expected) -> Self {
        let in_our_order = expected.links.iter().all(|link| link.body.is_some());
        let links = if in_our_order {
            let ours: Vec<&str> = robot.links().iter().map(Link::name).collect();
            let theirs: Vec<&str> = expected.links.iter().map(|l| l.name.as_str()).collect();
            assert_eq!(ours, theirs, "{file}: names of the links");
            (0..ours.len()).map(LinkId::new).collect()
        } else {
            let find = |name: &str| {
                robot
                    .link_id(name)
                    .unwrap_or_else(|e| panic!("{file}: {e}"))
            };
            expected.links.iter().map(|l| find(&l.name)).collect()
        };
        Self { file, robot, links }
    }

    #[track_caller]
    pub(crate) fn close(&self, what: impl Display, ours: &[f64], theirs: &[f64], tolerance: f64) {
        assert_close(format!("{}: {what}", self.file), ours, theirs, tolerance);
    }

    pub(super) fn pairs(&self, theirs: &BTreeSet<(usize, usize)>) -> BTreeSet<(LinkId, LinkId)> {
        let ordered = |a: LinkId, b: LinkId| (a.min(b), a.max(b));
        theirs
            .iter()
            .map(|&(a, b)| ordered(self.links[a], self.links[b]))
            .collect()
    }
}

/// What does not depend on the configuration: links, limits, drivers, pairs.
pub(crate) fn check_description(known: &Known<'_>, expected: &Expected, tolerance: Tolerance) {
    let robot = known.robot;
    for (&id, link) in known.links.iter().zip(&expected.links) {
        if let Some(body) = &link.body {
            check_body(known, id, body, tolerance);
        }
    }
    if let Some(ids) = expected.ids {
        let mut world = WorldModel::new();
        world.add_robot(robot.clone());
        assert_eq!(world.klampt_ids().len(), ids, "{}: ids", known.file);
    }
    if let Some(initial) = &expected.initial {
        known.close(
            "initial configuration",
            robot.initial_config(),
            initial,
            1e-9,
        );
    }
    let limits = &expected.limits;
    for (what, theirs, ours) in [
        (
            "q_min",
            &limits.q_min,
            robot.limits().iter().map(|l| l.q_min).collect::<Vec<_>>(),
        ),
        (
            "q_max",
            &limits.q_max,
            robot.limits().iter().map(|l| l.q_max).collect(),
        ),
        (
            "v_max",
            &limits.v_max,
            robot.limits().iter().map(|l| l.v_max).collect(),
        ),
        (
            "a_max",
            &limits.a_max,
            robot.limits().iter().map(|l| l.a_max).collect(),
        ),
        (
            "tau_max",
            &limits.tau_max,
            robot.limits().iter().map(|l| l.tau_max).collect(),
        ),
    ] {
        if !theirs.is_empty() {
            known.close(what, &ours, theirs, 1e-9);
        }
    }
    if let Some(drivers) = &expected.drivers {
        assert_eq!(
            robot.drivers().len(),
            drivers.len(),
            "{}: number of drivers",
            known.file
        );
        for (ours, theirs) in robot.drivers().iter().zip(drivers) {
            check_driver(known, ours, theirs);
        }
    }
    if let Some(pairs) = &expected.self_collision {
        let ours: BTreeSet<_> = robot.self_collision_pairs().collect();
        assert_eq!(
            ours,
            known.pairs(pairs),
            "{}: enabled self-collision pairs",
            known.file
        );
    }
    if let Some(mass) = expected.mass {
        known.close(
            "mass",
            &[kinematics::total_mass(robot)],
            &[mass],
            tolerance.kinematics,
        );
    }
}

fn check_body(known: &Known<'_>, id: LinkId, theirs: &ExpectedBody, tolerance: Tolerance) {
    let (file, robot) = (known.file, known.robot);
    let link = robot.link(id);
    let name = link.name();
    let parent = link.parent().map(LinkId::index);
    assert_eq!(parent, theirs.parent, "{file}: parent of {name}");
    let joint = robot.joint_of(id).map(|joint: &Joint| joint.kind.name());
    assert_eq!(
        joint,
        Some(theirs.joint.as_str()),
        "{file}: joint of {name}"
    );
    let motion = if theirs.prismatic {
        "prismatic"
    } else {
        "revolute"
    };
    assert_eq!(link.motion().name(), motion, "{file}: motion of {name}");
    let axis = link.motion().axis().expect("every link has a coordinate");
    let placement = pose_rows(link.placement());
    let exact = tolerance.kinematics;
    known.close(
        format!("axis of {name}"),
        axis.as_slice(),
        &theirs.axis,
        exact,
    );
    known.close(
        format!("placement of {name}"),
        &placement,
        &theirs.placement,
        exact,
    );

    let inertia = link.inertia();
    let relative = tolerance.mass;
    known.close(
        format!("mass of {name}"),
        &[inertia.mass],
        &[theirs.mass],
        exact,
    );
    known.close(
        format!("com of {name}"),
        inertia.com.coords.as_slice(),
        &theirs.com,
        relative,
    );
    let size = theirs.inertia.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let moment = rows(&inertia.moment);
    known.close(
        format!("inertia of {name}"),
        &moment,
        &theirs.inertia,
        relative * size,
    );
    if let Some(theirs) = theirs.triangles {
        let ours = link.shape().map_or(0, Geometry::n_triangles);
        let is_near = theirs <= ours && ours - theirs <= ours / 20;
        // Klampt drops triangles without area
        assert!(is_near, "{file}: {name} has {ours} triangles, not {theirs}");
    }
}

fn check_driver(known: &Known<'_>, ours: &Driver, theirs: &ExpectedDriver) {
    let (file, robot, name) = (known.file, known.robot, &theirs.name);
    assert_eq!(&ours.name, name, "{file}: name of the driver");
    assert_eq!(
        ours.kind.name(),
        theirs.kind,
        "{file}: kind of driver {name}"
    );
    let links: Vec<usize> = ours.kind.links().iter().map(|link| link.index()).collect();
    // a driver that pushes against a base is listed with it elsewhere
    let driven = match ours.kind {
        DriverKind::Translation { .. } | DriverKind::Rotation { .. } => &theirs.links[..1],
        _ => &theirs.links[..],
    };
    assert_eq!(links, driven, "{file}: links of driver {name}");
    if let DriverKind::Affine { scale, offset, .. } = &ours.kind {
        let (s, o) = (theirs.scale.as_ref(), theirs.offset.as_ref());
        known.close(format!("scale of {name}"), scale, s.expect("affine"), 1e-12);
        known.close(
            format!("offset of {name}"),
            offset,
            o.expect("affine"),
            1e-12,
        );
    }
    let limits = robot.driver_limits(ours);
    for (what, ours, theirs) in [
        ("position", limits.position, &theirs.position),
        ("velocity", limits.velocity, &theirs.velocity),
        ("torque", limits.torque, &theirs.torque),
    ] {
        if let Some(theirs) = theirs {
            known.close(
                format!("{what} limits of driver {name}"),
                &ours,
                theirs,
                1e-9,
            );
        }
    }
}

/// Everything at one configuration except collisions.
pub(crate) fn check_case(known: &Known<'_>, case: &Case, tolerance: Tolerance) {
    let robot = known.robot;
    let near = tolerance.kinematics;
    let mut state = State::new(robot);
    state.set_config(robot, &case.q).expect("a configuration");
    state.set_velocity(robot, &case.dq).expect("a velocity");

    for (&id, pose) in known.links.iter().zip(&case.poses) {
        let what = format!("pose of {}", robot.link(id).name());
        known.close(what, &pose_rows(&state.pose(robot, id)), pose, near);
    }
    let point = Point::from_slice(&case.point);
    for (link, jacobian) in &case.jacobians {
        let id = known.links[*link];
        let ours = rows(&kinematics::jacobian(robot, &state, id, &point));
        known.close(
            format!("Jacobian of {}", robot.link(id).name()),
            &ours,
            jacobian,
            near,
        );
    }
    let probe = known.links[case.probe];
    let velocity = kinematics::point_velocity(robot, &state, probe, &point);
    let angular = kinematics::angular_velocity(robot, &state, probe);
    known.close(
        "velocity of a point",
        velocity.as_slice(),
        &case.point_velocity,
        near,
    );
    known.close(
        "angular velocity",
        angular.as_slice(),
        &case.angular_velocity,
        near,
    );
    if let (Some(ddq), Some(theirs)) = (&case.ddq, &case.point_acceleration) {
        let ours = kinematics::point_acceleration(robot, &state, probe, &point, ddq).expect("ddq");
        known.close("acceleration of a point", ours.as_slice(), theirs, near);
    }
    let com = kinematics::com(robot, &state);
    known.close("com", com.coords.as_slice(), &case.com, tolerance.mass);
    if let Some(theirs) = &case.com_jacobian {
        let ours = rows(&kinematics::com_jacobian(robot, &state));
        known.close("com Jacobian", &ours, theirs, tolerance.mass);
    }
    if let Some(drivers) = &case.drivers {
        let ours = kinematics::config_to_drivers(robot, &case.q).expect("a configuration");
        known.close("driver values", &ours, drivers, near);
    }
}

/// Interpolation, its derivative at the start, and distance.
pub(crate) fn check_step(known: &Known<'_>, step: &Step, tolerance: Tolerance) {
    let (robot, near) = (known.robot, tolerance.kinematics);
    for (u, q) in &step.on_the_way {
        let ours = kinematics::interpolate(robot, &step.a, &step.b, *u).expect("configurations");
        known.close(format!("interpolation at {u}"), &ours, q, near);
    }
    let ours = kinematics::interpolate_deriv(robot, &step.a, &step.b).expect("configurations");
    for (i, (ours, theirs)) in ours.iter().zip(&step.derivative).enumerate() {
        if !turns_freely(robot, i) {
            let what = format!("derivative of the interpolation, coordinate {i}");
            known.close(what, &[*ours], &[*theirs], near);
        }
    }
    if let Some(distance) = step.distance {
        let ours = kinematics::distance(robot, &step.a, &step.b).expect("configurations");
        known.close("distance", &[ours], &[distance], near);
    }
}

/// Whether a coordinate is one of the three angles of a floating joint.
///
/// Klampt's derivative of them is not that of its own interpolation, which ours is.
fn turns_freely(robot: &Robot, coordinate: usize) -> bool {
    let link = robot.dofs()[coordinate];
    robot
        .joint_of(link)
        .is_some_and(|joint| joint.kind == JointKind::Floating && joint.links[3..].contains(&link))
}
