//! Moving bases: floating bodies are unaffected, and sensors measure in the world.

use kinworld::math::Motion;
use kinworld::robot::JointKind;
use kinworld::sim::{
    BaseMotion, Evaluation, Integrator, IntegratorState, KinematicTree, Mechanism, Method,
    PointMotion, Steps,
};
use kinworld::{LinkId, Point, Pose, Rotation, Vector};
use nalgebra::Translation3;

use super::robots::chain_on;

/// Base that translates and rotates in every direction, with the derivatives of its motion.
fn shaken(t: f64) -> BaseMotion {
    let (s, c) = t.sin_cos();
    let w = Vector::new(0.3, -0.8, 0.5);
    // rotation about a fixed axis by an angle of sin t
    BaseMotion {
        pose: Pose::from_parts(
            Translation3::new(0.4 * s, 0.2 * c, -0.3 * s),
            Rotation::new(w * s),
        ),
        velocity: Motion {
            angular: w * c,
            linear: Vector::new(0.4 * c, -0.2 * s, -0.3 * c),
        },
        acceleration: Motion {
            angular: w * -s,
            linear: Vector::new(-0.4 * s, -0.2 * c, 0.3 * s),
        },
    }
}

#[test]
fn floating_bodies_are_unaffected_by_a_moving_base() {
    let robot = chain_on(JointKind::Floating);
    let mut tree = KinematicTree::new(robot.clone()).with_moving_base(shaken);
    tree.forces.gravity = Vector::zeros();
    let q = [0.1, 0.2, 0.3, 0.2, -0.3, 0.4, 0.5, -0.6];
    let v = [0.3, -0.2, 0.1, 1.0, -2.0, 0.5, 2.0, -1.0];
    let mut state = tree.initial_state(0.0, &q, &v).unwrap();
    let momentum = |tree: &mut KinematicTree, state: &IntegratorState| {
        let robot = tree.robot().clone();
        let now = tree.at(state.t, &state.y).unwrap();
        let mut sum = [Vector::zeros(); 2];
        for (i, link) in robot.links().iter().enumerate() {
            let motion = now
                .point_motion(LinkId::new(i), &link.inertia().com)
                .unwrap();
            let p = motion.velocity.linear * link.inertia().mass;
            let w = motion
                .rotation
                .inverse_transform_vector(&motion.velocity.angular);
            sum[0] += p;
            sum[1] +=
                motion.position.coords.cross(&p) + motion.rotation * (link.inertia().moment * w);
        }
        (sum, now.energy())
    };
    let (before, energy) = momentum(&mut tree, &state);
    assert!(before[0].norm() > 1.0 && before[1].norm() > 1.0);
    let mut integrator = Integrator::new(Method::Dop853, Steps::Length(1e-3)).unwrap();
    integrator.run(&mut tree, &mut state, 2.0, &mut ()).unwrap();
    let (after, later) = momentum(&mut tree, &state);
    for k in 0..2 {
        assert!((before[k] - after[k]).norm() < 1e-9, "{before:?} {after:?}");
    }
    assert!((energy.kinetic - later.kinetic).abs() < 1e-9);
}

#[test]
fn measured_accelerations_are_the_derivatives_of_measured_velocities() {
    let mut tree = KinematicTree::new(chain_on(JointKind::Floating)).with_moving_base(shaken);
    tree.forces.gravity = Vector::new(0.0, 0.0, -9.81);
    let link = LinkId::new(tree.robot().links().len() - 1);
    let point = Point::new(0.3, -0.2, 0.1);
    let q = [0.1, 0.2, 0.3, 0.2, 1.5, 0.4, 0.5, -0.6];
    let mut state = tree
        .initial_state(0.0, &q, &[0.3, -0.2, 0.1, 1.0, 2.0, 0.5, 2.0, -1.0])
        .unwrap();
    let mut integrator = Integrator::new(Method::Rk44, Steps::Count(1)).unwrap();
    let h = 1e-3;
    let mut samples = Vec::new();
    for k in 0..400 {
        let t = f64::from(k) * h;
        integrator.run(&mut tree, &mut state, t, &mut ()).unwrap();
        let now = tree.at(t, &state.y).unwrap();
        samples.push(now.point_motion(link, &point).unwrap());
    }
    for w in samples.windows(3) {
        let by = |f: fn(&PointMotion) -> Vector| (f(&w[2]) - f(&w[0])) / (2.0 * h);
        let close =
            |a: Vector, b: Vector| assert!((a - b).norm() < 1e-4 * (1.0 + b.norm()), "{a} {b}");
        close(by(|m| m.position.coords), w[1].velocity.linear);
        close(by(|m| m.velocity.linear), w[1].acceleration.linear);
        close(by(|m| m.velocity.angular), w[1].acceleration.angular);
    }
}
