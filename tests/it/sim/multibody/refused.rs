//! Invalid systems and failed runs: errors name the part, the cause and the time.

use crate::common::errors::assert_refused;
use kinworld::math::Inertia;
use kinworld::sim::{
    Action, Axes, Coupling, DistanceConstraint, Drive, GenericJoint, Integrator, IntegratorState,
    JointId, Load, Marker, Method, MultibodySystem, Observer, Steps,
};
use kinworld::{Error, LinkId, Point, Pose, Vector};
use nalgebra::Matrix3;

fn ball() -> Inertia {
    Inertia {
        mass: 1.0,
        com: Point::origin(),
        moment: Matrix3::from_diagonal_element(0.1),
    }
}

fn pin(name: &str, body: LinkId, x: f64, axes: Axes) -> GenericJoint {
    let p = Point::new(x, 0.0, 0.0);
    GenericJoint::new(name, axes, Marker::GROUND.at(p), Marker::on(body).at(p))
}

#[test]
fn constraints_that_contradict_each_other_name_the_joint_and_the_time() {
    let mut system = MultibodySystem::new();
    let body = system.add_body("beam", &ball(), &Pose::identity()).unwrap();
    system
        .add_joint(pin("left", body, 0.0, Axes::REVOLUTE))
        .unwrap();
    let far = GenericJoint::new(
        "right",
        Axes::SPHERICAL,
        Marker::GROUND.at(Point::new(1.2, 0.0, 0.0)),
        Marker::on(body).at(Point::new(1.0, 0.0, 0.0)),
    );
    system.add_joint(far).unwrap();
    let error = system.initial_state(0.5).unwrap_err();
    assert!(matches!(error, Error::Stopped { time: 0.5, .. }), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("joint `right`") && text.contains("2.000e-1 m or rad are left"),
        "{text}"
    );

    // no velocity of the beam satisfies them
    let mut system = MultibodySystem::new();
    let body = system.add_body("beam", &ball(), &Pose::identity()).unwrap();
    system
        .add_joint(pin("weld", body, 0.0, Axes::FIXED))
        .unwrap();
    let joint = system
        .add_joint(pin("slide", body, 0.0, Axes::PRISMATIC))
        .unwrap();
    system
        .add_coupling(Coupling::new("out", vec![(joint, 0, 1.0)], 0.1))
        .unwrap();
    let error = system.initial_state(0.0).unwrap_err().to_string();
    assert!(
        error.starts_with("stopped at t = 0 s: coupling `out`: it cannot be satisfied"),
        "{error}"
    );
}

#[test]
fn bodies_without_mass_are_named() {
    let mut system = MultibodySystem::new();
    let ghost = Inertia {
        mass: 0.0,
        moment: Matrix3::zeros(),
        ..ball()
    };
    let body = system.add_body("ghost", &ghost, &Pose::identity()).unwrap();
    system
        .add_joint(pin("pin", body, 0.0, Axes::REVOLUTE))
        .unwrap();
    let error = system.initial_state(0.0).unwrap_err().to_string();
    assert!(
        error.contains("body `ghost`")
            && error.contains("joint `pin`")
            && error.contains("t = 0 s"),
        "{error}"
    );

    // with a universal joint it may work; a point mass alone has no inertia about its centre
    let mut system = MultibodySystem::new();
    let point = Inertia {
        moment: Matrix3::zeros(),
        ..ball()
    };
    let body = system.add_body("point", &point, &Pose::identity()).unwrap();
    let error = system.initial_state(0.0).unwrap_err().to_string();
    assert!(
        error.contains("body `point`") && error.contains("no joint"),
        "{error}"
    );
    let tip = pin("tip", body, 1.0, Axes::UNIVERSAL);
    system.add_joint(tip).unwrap();
    let error = system.initial_state(0.0);
    assert!(error.is_ok() || error.unwrap_err().to_string().contains("point"));
}

/// Sets a load to NaN at some time.
struct NanLoad;

impl Observer<MultibodySystem> for NanLoad {
    fn before_step(
        &mut self,
        system: &mut MultibodySystem,
        t: f64,
        _: &mut [f64],
    ) -> kinworld::Result<Action> {
        if t < 0.5 - 1e-9 {
            return Ok(Action::Continue);
        }
        system.loads[0].force.y = f64::NAN;
        Ok(Action::Modified)
    }
}

#[test]
fn non_finite_forces_name_the_link_and_the_time() {
    for method in [
        Method::GeneralizedAlpha { rho: 0.8 },
        Method::Trapezoidal,
        Method::Rk44,
    ] {
        let mut system = MultibodySystem::new();
        let body = system.add_body("ball", &ball(), &Pose::identity()).unwrap();
        system
            .add_joint(pin("pin", body, 0.4, Axes::SPHERICAL))
            .unwrap();
        system.loads.push(Load::new(body).with_force(Vector::z()));
        let mut state = system.initial_state(0.0).unwrap();
        let mut integrator = Integrator::new(method, Steps::Length(0.05)).unwrap();
        let error = integrator
            .run(&mut system, &mut state, 1.0, &mut NanLoad)
            .unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("stopped at t = 0.5") && text.contains("load 0 on link `ball`"),
            "{method:?}: {text}"
        );
        assert!((state.t - 0.5).abs() < 1e-9 && state.y.iter().all(|x| x.is_finite()));
        let off = system.residual(state.t, &state.y).unwrap();
        assert!(
            off.position < 1e-10,
            "the state before the failed step is kept: {off:?}"
        );
    }
}

#[test]
fn steps_too_long_for_a_linkage_leave_the_state_unchanged() {
    let mut system = MultibodySystem::new();
    let body = system
        .add_body("wheel", &ball(), &Pose::identity())
        .unwrap();
    let joint = system
        .add_joint(pin("axle", body, 0.5, Axes::REVOLUTE))
        .unwrap();

    // a second wheel across the first: alone, each would just spin up
    let rotation = Pose::rotation(Vector::new(1.2, 0.0, 0.3));
    let across = system.add_body("across", &ball(), &rotation).unwrap();
    let arm = GenericJoint::new(
        "arm",
        Axes::REVOLUTE,
        Marker::on(body).with_pose(Pose::translation(0.2, 0.1, 0.0) * rotation),
        Marker::on(across),
    );
    let arm = system.add_joint(arm).unwrap();
    for joint in [joint, arm] {
        system.drives.push(Drive::new(joint, 0).with_force(1e9));
    }
    let start = system.initial_state(0.0).unwrap();
    let mut state = start.clone();
    let mut integrator =
        Integrator::new(Method::GeneralizedAlpha { rho: 0.8 }, Steps::Length(0.5)).unwrap();
    let error = integrator
        .run(&mut system, &mut state, 1.0, &mut ())
        .unwrap_err();
    assert!(matches!(error, Error::Stopped { .. }), "{error}");
    assert_eq!(state, start);
    assert_refused(
        Integrator::new(Method::Trapezoidal, Steps::Length(0.0)),
        "a length of 0 s",
    );
}

#[test]
fn invalid_parts_are_refused_and_change_nothing() {
    let mut system = MultibodySystem::new();
    let body = system.add_body("ball", &ball(), &Pose::identity()).unwrap();
    let nobody = LinkId::new(7);
    let refused = |found: Result<(), Error>, part: &str| {
        let text = found.unwrap_err().to_string();
        assert!(text.contains(part), "{text}");
    };
    let heavy = Inertia {
        mass: f64::NAN,
        ..ball()
    };
    refused(
        system.add_body("x", &heavy, &Pose::identity()).map(drop),
        "body `x`: its inertia",
    );
    let far = Pose::translation(f64::INFINITY, 0.0, 0.0);
    refused(
        system.add_body("x", &ball(), &far).map(drop),
        "its pose must be finite",
    );
    refused(
        system
            .add_joint(pin("j", nobody, 0.0, Axes::FIXED))
            .map(drop),
        "no link 7; there are 1",
    );
    refused(
        system
            .add_joint(pin("j", body, f64::NAN, Axes::FIXED))
            .map(drop),
        "joint `j`: its frames must be finite",
    );
    let rod = |length| DistanceConstraint::new("rod", Marker::GROUND, Marker::on(body), length);
    refused(
        system.add_distance(rod(0.0)),
        "distance `rod`: is 0 m, it must be positive",
    );
    let joint = system
        .add_joint(pin("j", body, 0.0, Axes::REVOLUTE))
        .unwrap();
    let gear = |terms| Coupling::new("gear", terms, 0.0);
    refused(
        system.add_coupling(gear(vec![])),
        "coupling `gear`: needs at least one term",
    );
    refused(
        system.add_coupling(gear(vec![(joint, 1, 1.0)])),
        "joint `j` has no degree of freedom 1; it has 1",
    );
    refused(
        system.add_coupling(gear(vec![(JointId::new(3), 0, 1.0)])),
        "no joint 3; there are 1",
    );
    refused(system.set_base(&far), "base: its pose");
    refused(
        system.set_velocity(nobody, &kinworld::math::Motion::default()),
        "no link 7",
    );
    assert_eq!((system.n_bodies(), system.n_constraints()), (1, 5));
    let mut state = system.initial_state(0.0).unwrap();
    system.drives.push(Drive::new(joint, 4));
    let mut integrator = Integrator::new(Method::Rk44, Steps::Count(2)).unwrap();
    let error = integrator
        .run(&mut system, &mut state, 1.0, &mut ())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("drive: joint `j` has no degree of freedom 4"),
        "{error}"
    );
    let short = IntegratorState::new(0.0, vec![0.0; 5]);
    assert_refused(
        system.residual(0.0, &short.y),
        "values needs 13 values, got 5",
    );
}
