//! Forces, masses and momenta of a robot against those of another program.

use kinworld::dynamics::{self, Loads};
use kinworld::{State, Vector};
use nalgebra::{DMatrix, DVector};

use crate::common::numbers::rows;
use crate::golden::checks::Known;
use crate::golden::expected::Case;

/// Forces, masses, momenta; matrices row after row. Inverse and forward dynamics are without gravity.
#[derive(Debug)]
pub(crate) struct ExpectedDynamics {
    pub(crate) mass_matrix: Option<Vec<f64>>,
    pub(crate) coriolis: Vec<f64>,
    /// Under gravity along −z, this strong.
    pub(crate) gravity: f64,
    pub(crate) gravity_forces: Vec<f64>,
    /// What the acceleration of the case takes.
    pub(crate) torques: Vec<f64>,
    /// Forces to accelerate under.
    pub(crate) tau: Option<Vec<f64>>,
    pub(crate) kinetic_energy: f64,
    pub(crate) linear_momentum: Vec<f64>,
    /// About the centre of mass.
    pub(crate) angular_momentum: Vec<f64>,
}

/// Compares the numbers at one configuration, to a tolerance relative to the largest number of each.
pub(crate) fn check_dynamics(
    known: &Known<'_>,
    case: &Case,
    theirs: &ExpectedDynamics,
    tolerance: f64,
) {
    let robot = known.robot;
    let mut state = State::new(robot);
    state.set_config(robot, &case.q).expect("a configuration");
    state.set_velocity(robot, &case.dq).expect("a velocity");

    let gravity = Vector::new(0.0, 0.0, -theirs.gravity);
    let mass = dynamics::mass_matrix(robot, &state);
    let ddq = case.ddq.as_ref().expect("an acceleration");
    let torques = dynamics::inverse_dynamics(robot, &state, Loads::default(), ddq);
    let forces = dynamics::gravity_forces(robot, &state, &gravity);
    let coriolis = dynamics::coriolis_forces(robot, &state);
    let energy = dynamics::kinetic_energy(robot, &state);
    let linear = dynamics::linear_momentum(robot, &state);
    let angular = dynamics::angular_momentum(robot, &state);
    let lists = [
        ("Coriolis forces", &coriolis[..], &theirs.coriolis[..]),
        ("gravity forces", &forces, &theirs.gravity_forces),
        (
            "torques",
            &torques.expect("an acceleration"),
            &theirs.torques,
        ),
        ("kinetic energy", &[energy], &[theirs.kinetic_energy]),
        (
            "linear momentum",
            linear.as_slice(),
            &theirs.linear_momentum,
        ),
        (
            "angular momentum",
            angular.as_slice(),
            &theirs.angular_momentum,
        ),
    ];
    for (what, ours, theirs) in lists {
        known.close(what, ours, theirs, tolerance * largest(theirs));
    }
    let Some(matrix) = &theirs.mass_matrix else {
        return;
    };
    known.close(
        "mass matrix",
        &rows(&mass),
        matrix,
        tolerance * largest(matrix),
    );

    // how well our acceleration solves their equation: their mass matrix may be near singular
    if let Some(tau) = &theirs.tau
        && let Ok(ddq) = dynamics::forward_dynamics(robot, &state, Loads::default(), tau)
    {
        let (n, ddq) = (tau.len(), DVector::from_vec(ddq));
        let taken = DMatrix::from_row_slice(n, n, matrix) * &ddq;
        let sum = &taken + DVector::from_column_slice(&theirs.coriolis);
        let size = largest(matrix) * largest(ddq.as_slice());
        known.close(
            "forces of our acceleration",
            sum.as_slice(),
            tau,
            tolerance * size,
        );
    }
}

/// The largest number, at least 1e-3: sums of numbers that cancel have no digits below.
fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(1e-3, |m, x| m.max(x.abs()))
}
