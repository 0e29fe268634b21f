//! Newton's and Lagrange's equations, by finite differences along a motion.

use kinworld::dynamics::{self, Loads};
use kinworld::kinematics;
use kinworld::math::Wrench;
use kinworld::robot::LinkMotion;
use kinworld::{Point, State, Vector};
use nalgebra::DVector;
use proptest::prelude::*;

use super::{GRAVITY, armature, close, external_wrenches, later, six, size, state, vector};
use random_robots::{Moving, any_moving_robot, cases};

/// Step of the central differences, whose error is then about 1e-10 times the third derivatives.
const STEP: f64 = 1e-5;

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn joint_power_is_the_rate_of_energy(m in any_moving_robot()) {
        let now = later(&m, 0.0);
        let tau = dynamics::inverse_dynamics(&m.robot, &now, &GRAVITY, &m.ddq).unwrap();
        let power = vector(&tau).dot(&vector(&m.dq));
        let energy = |state: &State| {
            let potential = dynamics::potential_energy(&m.robot, state, &GRAVITY);
            dynamics::kinetic_energy(&m.robot, state) + potential
        };
        let [before, after] = [-STEP, STEP].map(|t| energy(&later(&m, t)));
        let rate = (after - before) / (2.0 * STEP);
        let terms = tau.iter().zip(&m.dq).map(|(tau, dq)| (tau * dq).abs()).sum::<f64>();
        prop_assert!((power - rate).abs() <= 1e-5 * terms.max(energy(&now).abs()).max(1.0), "{power} {rate}");
    }

    #[test]
    fn gravity_forces_are_the_gradient_of_potential_energy(m in any_moving_robot()) {
        let ours = dynamics::gravity_forces(&m.robot, &later(&m, 0.0), &GRAVITY);
        let potential = |i: usize, h: f64| {
            let mut q = m.q.clone();
            q[i] += h;
            dynamics::potential_energy(&m.robot, &state(&m.robot, &q, &m.dq), &GRAVITY)
        };
        let gradient = |i| (potential(i, STEP) - potential(i, -STEP)) / (2.0 * STEP);
        let expected = DVector::from_fn(m.q.len(), |i, _| gradient(i));
        close(&vector(&ours), &expected, 1e-6, size(&expected))?;
    }

    #[test]
    fn transmitted_wrenches_balance_the_rate_of_momentum(m in any_moving_robot()) {
        let now = later(&m, 0.0);
        let wrenches = external_wrenches(&m).map(|(_, wrench)| (m.link, wrench));
        let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
        let transmitted = dynamics::joint_wrenches(&m.robot, &now, loads, &m.ddq).unwrap();
        let tau = dynamics::inverse_dynamics(&m.robot, &now, loads, &m.ddq).unwrap();
        let about_world = |f: &Wrench, p: &Vector| Wrench { moment: f.moment + p.cross(&f.force), force: f.force };

        let rotors = armature(&m.robot);

        // sum over the base joints, the external wrenches and the weight of moving links
        let mut total = Wrench::default();
        let mut largest = 1.0_f64;
        for (i, f) in transmitted.iter().enumerate() {
            let id = m.robot.dofs()[i];
            let x_wl = now.pose(&m.robot, id);
            largest = largest.max(f.force.norm()).max(f.moment.norm());
            let along = match *m.robot.link(id).motion() {
                LinkMotion::Fixed => 0.0,
                LinkMotion::Revolute(axis) => (x_wl * axis).dot(&f.moment),
                LinkMotion::Prismatic(axis) => (x_wl * axis).dot(&f.force),
            };
            let motor = tau[i] - rotors[i] * m.ddq[i];
            prop_assert!((along - motor).abs() <= 1e-11 * largest);
            if !moves(&m, m.robot.link(id).parent()) {
                total += about_world(f, &x_wl.translation.vector);
            }
        }
        if moves(&m, Some(m.link)) {
            let p = now.pose(&m.robot, m.link).translation.vector;
            for (_, wrench) in &wrenches {
                total += about_world(wrench, &p);
            }
        }
        for (i, link) in m.robot.links().iter().enumerate() {
            let id = kinworld::LinkId::new(i);
            if moves(&m, Some(id)) {
                let weight = Wrench { moment: Vector::zeros(), force: GRAVITY * link.inertia().mass };
                total += about_world(&weight, &(now.pose(&m.robot, id) * link.inertia().com).coords);
            }
        }
        let [before, after] = [-STEP, STEP].map(|t| {
            six(dynamics::momentum(&m.robot, &later(&m, t), &Point::origin()))
        });
        let radius = bounding_radius(&m, &now);
        close(&six(total), &((after - before) / (2.0 * STEP)), 1e-5, largest * radius)?;
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn coriolis_forces_are_those_of_lagrange(m in any_moving_robot()) {
        let n = m.q.len();
        let dq = vector(&m.dq);
        let mass = |step: &dyn Fn(usize) -> f64| {
            let q: Vec<f64> = m.q.iter().enumerate().map(|(i, q)| q + step(i)).collect();
            dynamics::mass_matrix(&m.robot, &state(&m.robot, &q, &m.dq))
        };

        // Ṁ q̇ − ½ ∂(q̇ᵀ M q̇)/∂q
        let rate = (mass(&|i| STEP * m.dq[i]) - mass(&|i| -STEP * m.dq[i])) / (2.0 * STEP);
        let mut expected = rate * &dq;
        for j in 0..n {
            let at = |h: f64| mass(&move |i| if i == j { h } else { 0.0 });
            let partial = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            expected[j] -= 0.5 * dq.dot(&(partial * &dq));
        }
        let ours = vector(&dynamics::coriolis_forces(&m.robot, &later(&m, 0.0)));
        let largest = size(&mass(&|_| 0.0)) * dq.norm_squared().max(1.0);
        close(&ours, &expected, 1e-6, largest)?;
    }
}

/// Returns whether the link has a moving ancestor or is one.
fn moves(m: &Moving, link: Option<kinworld::LinkId>) -> bool {
    let mut next = link;
    while let Some(id) = next {
        if m.robot.link(id).dof().is_some() {
            return true;
        }
        next = m.robot.link(id).parent();
    }
    false
}

/// Largest distance of link origins and centre of mass from the world's origin, at least 1.
fn bounding_radius(m: &Moving, now: &State) -> f64 {
    let com = kinematics::com(&m.robot, now).coords.norm();
    let links = (0..m.robot.links().len()).map(kinworld::LinkId::new);
    links
        .map(|id| now.pose(&m.robot, id).translation.vector.norm())
        .fold(com.max(1.0), f64::max)
}
