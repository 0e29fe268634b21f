//! Closed loops: assembly, redundant constraints, and conservation.

use std::f64::consts::PI;

use kinworld::math::Inertia;
use kinworld::robot::{JointKind, LinkMotion, LinkSpec};
use kinworld::sim::{
    Axes, Coupling, DistanceConstraint, Drive, Evaluation, GenericJoint, Integrator,
    IntegratorState, Marker, Mechanism, Method, MultibodySystem, Spring, Steps,
};
use kinworld::{LinkId, Point, Pose, RobotBuilder, Vector};
use nalgebra::Matrix3;

const ALPHA: Method = Method::GeneralizedAlpha { rho: 0.9 };

/// Thin rod along x from its origin, of 2 kg/m.
fn rod(length: f64) -> Inertia {
    let mass = 2.0 * length;
    let across = mass * length * length / 12.0;
    Inertia {
        mass,
        com: Point::new(0.5 * length, 0.0, 0.0),
        moment: Matrix3::from_diagonal(&Vector::new(1e-4, across, across)),
    }
}

/// Lengths of crank, coupler, rocker and frame.
const BARS: [f64; 4] = [0.3, 0.8, 0.6, 0.9];

/// Crank-rocker from the origin to (0.9, 0), roughly assembled, with pins that each lock the motions out of the plane.
fn four_bar() -> (MultibodySystem, [LinkId; 3]) {
    let mut system = MultibodySystem::new();
    let [crank, coupler, rocker, frame] = BARS;
    let at = |x: f64, y: f64, angle: f64| {
        Pose::translation(x, y, 0.0) * Pose::rotation(Vector::z() * angle)
    };
    let bars = [
        ("crank", crank, at(0.0, 0.0, 1.5)),
        ("coupler", coupler, at(0.02, 0.3, 0.4)),
        ("rocker", rocker, at(frame, 0.0, 1.8)),
    ]
    .map(|(name, length, pose)| system.add_body(name, &rod(length), &pose).unwrap());
    let pins = [
        ("a", Marker::GROUND, Marker::on(bars[0])),
        (
            "b",
            Marker::on(bars[0]).at(Point::new(crank, 0.0, 0.0)),
            Marker::on(bars[1]),
        ),
        (
            "c",
            Marker::on(bars[1]).at(Point::new(coupler, 0.0, 0.0)),
            Marker::on(bars[2]).at(Point::new(BARS[2], 0.0, 0.0)),
        ),
        (
            "d",
            Marker::GROUND.at(Point::new(frame, 0.0, 0.0)),
            Marker::on(bars[2]),
        ),
    ];
    for (name, a, b) in pins {
        let pin = GenericJoint::new(name, Axes::REVOLUTE, a, b);
        system.add_joint(pin).unwrap();
    }
    system.gravity = Vector::new(0.0, -9.81, 0.0);
    (system, bars)
}

/// Angle of a link about z.
fn angle(system: &MultibodySystem, state: &IntegratorState, link: LinkId) -> f64 {
    let r = system.pose(&state.y, link).unwrap().rotation;
    r[(1, 0)].atan2(r[(0, 0)])
}

/// Rocker angle for a crank angle, on the open branch.
fn rocker_of(crank: f64) -> f64 {
    let [a, b, c, d] = BARS;
    let (x, y) = (a * crank.cos() - d, a * crank.sin());
    let reach = x.hypot(y);
    y.atan2(x) - ((c * c + reach * reach - b * b) / (2.0 * c * reach)).acos()
}

#[test]
fn a_four_bar_assembles_reports_redundancies_and_satisfies_its_geometry() {
    let (mut system, [crank, coupler, rocker]) = four_bar();
    let mut state = system.initial_state(0.0).unwrap();

    // three motions out of the plane are locked by the other pins
    let twice = system.redundancies(&state).unwrap();
    let twice: Vec<_> = twice
        .iter()
        .map(|found| (found.constraint.as_str(), found.rows))
        .collect();
    assert_eq!(twice, [("joint `d`", 3)]);
    assert_eq!((system.n_bodies(), system.n_constraints()), (3, 20));
    for method in [ALPHA, Method::Trapezoidal, Method::Rk44] {
        let mut state = state.clone();
        let mut integrator = Integrator::new(method, Steps::Length(1e-3)).unwrap();
        for _ in 0..20 {
            let end = state.t + 0.1;
            integrator
                .run(&mut system, &mut state, end, &mut ())
                .unwrap();
            let off = system.residual(state.t, &state.y).unwrap();
            assert!(off.position <= 1e-10 && off.velocity <= 1e-10, "{off:?}");
            let expected = rocker_of(angle(&system, &state, crank));
            let found = angle(&system, &state, rocker);
            let off = (found - expected + PI).rem_euclid(2.0 * PI) - PI;
            assert!(off.abs() < 1e-9, "{found} {expected}");
        }
        assert!((angle(&system, &state, coupler)).abs() < 2.0);
    }

    // without friction the energy is constant
    let before = system.at(0.0, &state.y).unwrap().energy().total();
    let mut integrator = Integrator::new(Method::Dop853, Steps::Length(2e-3)).unwrap();
    integrator
        .run(&mut system, &mut state, 2.0, &mut ())
        .unwrap();
    let energy = system.at(2.0, &state.y).unwrap().energy();
    assert!(energy.kinetic > 0.1, "{energy:?}");
    assert!(
        (energy.total() - before).abs() < 1e-8,
        "{before} {energy:?}"
    );
}

#[test]
fn a_driven_loop_converges_with_order_two() {
    // the crank and the rocker's pin each have a drive with a spring and damper: one in the tree, one across the loop
    let (mut system, [crank, ..]) = four_bar();
    system.gravity = Vector::zeros();
    for (name, p, position) in [("a", 400.0, 2.5), ("d", 30.0, 1.0)] {
        let joint = system.joint_id(name).unwrap();
        system.drives.push(
            Drive::new(joint, 0)
                .with_p(p)
                .with_d(4.0)
                .with_position(position),
        );
    }
    let start = system.initial_state(0.0).unwrap();
    let mut ends = Vec::new();
    for (method, steps) in [(Method::Dop853, 2000), (ALPHA, 500), (ALPHA, 1000)] {
        let mut state = start.clone();
        system.assemble(&mut state).unwrap();
        let mut integrator = Integrator::new(method, Steps::Count(steps)).unwrap();
        integrator
            .run(&mut system, &mut state, 0.5, &mut ())
            .unwrap();
        ends.push(angle(&system, &state, crank));
    }
    let errors = [1, 2].map(|i| (ends[i] - ends[0]).abs());
    let order = (errors[0] / errors[1]).log2();
    assert!(
        (order - 2.0).abs() < 0.3 && errors[1] < 1e-4,
        "{order} {errors:?}"
    );
}

#[test]
fn a_distance_constraint_acts_as_a_massless_rod() {
    let ball = Inertia {
        mass: 1.5,
        com: Point::origin(),
        moment: Matrix3::from_diagonal_element(0.01),
    };
    let pose = Pose::translation(0.8, 0.0, -0.6);
    let mut by_rod = MultibodySystem::new();
    let body = by_rod.add_body("ball", &ball, &pose).unwrap();
    by_rod
        .add_distance(DistanceConstraint::new(
            "rod",
            Marker::GROUND,
            Marker::on(body),
            1.0,
        ))
        .unwrap();
    let mut by_spring = by_rod.clone();
    let mut by_joint = MultibodySystem::new();
    let other = by_joint
        .add_body(
            "ball",
            &Inertia {
                moment: Matrix3::zeros(),
                ..ball
            },
            &pose,
        )
        .unwrap();
    let pin = Marker::on(other).at(Point::new(-0.8, 0.0, 0.6));
    by_joint
        .add_joint(GenericJoint::new(
            "pin",
            Axes::UNIVERSAL,
            Marker::GROUND,
            pin,
        ))
        .unwrap();
    let velocity = kinworld::math::Motion {
        angular: Vector::zeros(),
        linear: Vector::new(0.0, 1.0, 0.0),
    };
    by_rod.set_velocity(body, &velocity).unwrap();
    let mut positions = Vec::new();
    for (system, link) in [(&mut by_rod, body), (&mut by_joint, other)] {
        system.gravity = Vector::new(0.0, 0.0, -9.81);
        let mut state = system.initial_state(0.0).unwrap();
        if positions.is_empty() {
            let v = system.velocity(&state.y, link).unwrap().linear;
            assert!((v - Vector::y()).norm() < 1e-12, "along the sphere already");
        } else {
            // the same motion, of a ball that rotates with the rod
            let omega = Vector::new(-0.8, 0.0, 0.6).cross(&Vector::y()) * -1.0;
            let motion = kinworld::math::Motion {
                angular: omega,
                linear: Vector::y(),
            };
            system.set_velocity(link, &motion).unwrap();
            state = system.initial_state(0.0).unwrap();
        }
        let mut integrator = Integrator::new(Method::Dop853, Steps::Count(500)).unwrap();
        integrator.run(system, &mut state, 1.0, &mut ()).unwrap();
        let off = system.residual(1.0, &state.y).unwrap();
        assert!(off.position < 1e-10, "{off:?}");
        positions.push(system.pose(&state.y, link).unwrap().translation.vector);
    }
    assert!((positions[0] - positions[1]).norm() < 1e-8, "{positions:?}");

    // a spring parallel to the rod has no force at this length, so that the end is the same
    by_spring.gravity = Vector::new(0.0, 0.0, -9.81);
    by_spring.springs.push(
        Spring::new(Marker::GROUND, Marker::on(body), 1.0)
            .with_stiffness(1e5)
            .with_damping(10.0),
    );
    by_spring.set_velocity(body, &velocity).unwrap();
    let mut state = by_spring.initial_state(0.0).unwrap();
    let mut integrator = Integrator::new(ALPHA, Steps::Count(2000)).unwrap();
    integrator
        .run(&mut by_spring, &mut state, 1.0, &mut ())
        .unwrap();
    let position = by_spring.pose(&state.y, body).unwrap().translation.vector;
    assert!(
        (position - positions[0]).norm() < 1e-4,
        "{position} {positions:?}"
    );
}

#[test]
fn a_weight_on_a_spring_oscillates_at_its_frequency() {
    let mut system = MultibodySystem::new();
    system.gravity = Vector::zeros();
    let weight = Inertia {
        mass: 2.0,
        com: Point::origin(),
        moment: Matrix3::from_diagonal_element(0.1),
    };
    let body = system
        .add_body("weight", &weight, &Pose::translation(0.0, 0.0, -1.0))
        .unwrap();
    let guide = GenericJoint::new("guide", Axes::PRISMATIC, Marker::GROUND, Marker::on(body));
    system.add_joint(guide).unwrap();
    let spring = Spring::new(Marker::GROUND, Marker::on(body), 0.9).with_stiffness(50.0);
    system.springs.push(spring);
    let start = system.initial_state(0.0).unwrap();

    // 5 rad/s about the rest position
    let expected = -0.9 - 0.1 * 5.0_f64.cos();
    for (method, tolerance) in [
        (ALPHA, 1e-5),
        (Method::Trapezoidal, 1e-5),
        (Method::Dop853, 1e-11),
    ] {
        let mut state = start.clone();
        system.assemble(&mut state).unwrap();
        let mut integrator = Integrator::new(method, Steps::Length(1e-3)).unwrap();
        integrator
            .run(&mut system, &mut state, 1.0, &mut ())
            .unwrap();
        let z = system.pose(&state.y, body).unwrap().translation.z;
        assert!(
            (z - expected).abs() < tolerance,
            "{method:?}: {z} {expected}"
        );
    }

    // ten thousand times as stiff and damped, it settles at rest: no step is too long for that
    system.springs[0].stiffness = 5e5;
    system.springs[0].damping = 5e4;
    let mut state = system.initial_state(0.0).unwrap();
    let method = Method::GeneralizedAlpha { rho: 0.2 };
    let mut integrator = Integrator::new(method, Steps::Length(0.01)).unwrap();
    integrator
        .run(&mut system, &mut state, 3.0, &mut ())
        .unwrap();
    let z = system.pose(&state.y, body).unwrap().translation.z;
    assert!((z + 0.9).abs() < 1e-6, "{z}");
}

#[test]
fn a_gear_couples_two_wheels() {
    let mut system = MultibodySystem::new();
    let mut joints = Vec::new();
    for (k, moment) in [0.2, 0.05].into_iter().enumerate() {
        let wheel = Inertia {
            mass: 1.0,
            com: Point::origin(),
            moment: Matrix3::from_diagonal_element(moment),
        };
        let pose = Pose::translation(k as f64, 0.0, 0.0);
        let wheel = system.add_body(format!("wheel{k}"), &wheel, &pose).unwrap();
        let axle = Marker::GROUND.with_pose(pose);
        let joint = GenericJoint::new(format!("axle{k}"), Axes::REVOLUTE, axle, Marker::on(wheel));
        joints.push(system.add_joint(joint).unwrap());
    }
    system
        .add_coupling(Coupling::new(
            "gear",
            vec![(joints[0], 0, 2.0), (joints[1], 0, 1.0)],
            0.0,
        ))
        .unwrap();
    system
        .drives
        .push(Drive::new(joints[0], 0).with_force(0.8).with_inertia(0.1));
    let start = system.initial_state(0.0).unwrap();

    // 0.2 + 0.1 + 2² · 0.05 kg m²
    let expected = 0.5 * 0.8 / 0.5 * 16.0;
    for (method, tolerance) in [
        (ALPHA, 1e-9),
        (Method::Trapezoidal, 1e-9),
        // Runge–Kutta steps in quaternions have an error that those on the group do not have
        (Method::Rk44, 2e-6),
    ] {
        let mut state = start.clone();
        system.assemble(&mut state).unwrap();
        let mut integrator = Integrator::new(method, Steps::Length(1e-2)).unwrap();
        integrator
            .run(&mut system, &mut state, 4.0, &mut ())
            .unwrap();
        let now = system.at(4.0, &state.y).unwrap();
        let q = now.positions();
        assert!((q[0] - expected).abs() < tolerance, "{method:?}: {q:?}");
        assert!(
            (q[1] + 2.0 * expected).abs() < tolerance,
            "{method:?}: {q:?}"
        );
    }
}

#[test]
fn a_closed_joint_of_a_robot_becomes_a_loop() {
    // the same linkage as a chain that a closed joint attaches to the ground
    let [crank, coupler, rocker, frame] = BARS;
    let (mut reference, _) = four_bar();
    let state = reference.initial_state(0.0).unwrap();
    let now = reference.at(0.0, &state.y).unwrap();
    let [a, b, c, _] = now.positions().try_into().unwrap();
    let mut robot = RobotBuilder::new("chain");
    let mut last = None;
    for (name, before, length) in [
        ("crank", 0.0, crank),
        ("coupler", crank, coupler),
        ("rocker", coupler, rocker),
    ] {
        let mut bar = LinkSpec::new(name, last, LinkMotion::Revolute(Vector::z()));
        bar.placement = Pose::translation(before, 0.0, 0.0);
        bar.inertia = rod(length);
        bar.inertia.com.x = 0.5 * length;
        last = Some(robot.add_link(bar));
        robot.add_joint(JointKind::Normal, last.unwrap(), None);
    }
    let mut end = LinkSpec::new("end", last, LinkMotion::Fixed);
    end.placement = Pose::translation(rocker, 0.0, 0.0);
    let end = robot.add_link(end);
    robot.add_joint(JointKind::Closed, end, None);

    // the chain returns along the rocker from its far end
    for (link, q) in robot.links.iter_mut().zip([a, b, c_to_chain(c)]) {
        link.initial = q;
    }
    let robot = robot.build().unwrap();
    let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
    system.gravity = Vector::new(0.0, -9.81, 0.0);
    let q = robot.initial_config().to_vec();
    let mut state = bodies
        .initial_state(&mut system, 0.0, &q, &[0.0; 3])
        .unwrap();
    let pinned = system.pose(&state.y, end).unwrap().translation.vector;
    assert!(
        (pinned - Vector::new(frame, 0.0, 0.0)).norm() < 1e-9,
        "{pinned}"
    );
    assert_eq!(
        system.redundancies(&state).unwrap()[0].constraint,
        "joint `end closed`"
    );
    let mut theirs = reference.initial_state(0.0).unwrap();
    for (system, state) in [(&mut system, &mut state), (&mut reference, &mut theirs)] {
        let mut integrator = Integrator::new(Method::Dop853, Steps::Count(400)).unwrap();
        integrator.run(system, state, 0.8, &mut ()).unwrap();
    }
    let crank = system.link_id("crank").unwrap();
    let ours = angle(&system, &state, crank);
    let theirs = angle(&reference, &theirs, reference.link_id("crank").unwrap());
    assert!((ours - theirs).abs() < 1e-8, "{ours} {theirs}");
}

/// Angle of the chain's joint for that of pin `c`: the chain's rocker has the opposite direction.
fn c_to_chain(c: f64) -> f64 {
    c + PI
}
