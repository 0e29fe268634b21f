//! Every term of the equation of motion, in one call.

use nalgebra::{DMatrix, DVectorView, DVectorViewMut, Matrix3, Matrix3xX, Matrix6xX};

use super::inverse::coriolis_forces_into;
use super::mass_matrix::mass_matrix_into;
use super::{Loads, Workspace};
use crate::Result;
use crate::kernel;
use crate::kinematics::{self, State};
use crate::math::{Point, Vector, Wrench};
use crate::robot::Robot;

/// All terms of `M q̈ + C q̇ + G = τ` at a state, and the centroidal quantities of whole-body control.
///
/// Each field equals the result of the function of the same name, to rounding.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Terms {
    /// Mass matrix `M` (n × n), see [`mass_matrix`](super::mass_matrix).
    pub mass_matrix: DMatrix<f64>,
    /// Coriolis forces `C q̇` (n), see [`coriolis_forces`](super::coriolis_forces).
    pub coriolis_forces: Vec<f64>,
    /// Gravity forces `G = +∂U/∂q` (n), see [`gravity_forces`](super::gravity_forces).
    pub gravity_forces: Vec<f64>,
    /// Bias forces `C q̇ + G` (n).
    pub bias_forces: Vec<f64>,

    /// Joint axes as motions at unit rate, about the world's origin (6 × n): world axes, angular rows first.
    ///
    /// The columns of a link's ancestors and itself are the Jacobian of that link, about the world's origin.
    pub axes: Matrix6xX<f64>,

    /// Centre of mass in the world, m.
    pub com: Point,
    /// Velocity of the centre of mass in world axes, m/s.
    pub com_velocity: Vector,
    /// Jacobian of the centre of mass (3 × n) in world axes.
    pub com_jacobian: Matrix3xX<f64>,
    /// Centroidal momentum matrix `A` (6 × n), see [`centroidal_momentum_matrix`](super::centroidal_momentum_matrix).
    pub centroidal_momentum_matrix: Matrix6xX<f64>,
    /// Momentum `A q̇` about the centre of mass in world axes.
    pub centroidal_momentum: Wrench,
    /// Moment of inertia of the whole robot about its centre of mass in world axes, kg·m².
    pub total_inertia: Matrix3<f64>,

    /// Kinetic energy, J.
    pub kinetic_energy: f64,
    /// Potential energy, J, zero where the centre of mass is at the world's origin.
    pub potential_energy: f64,
}

impl Terms {
    /// Memory for the terms of a robot, all zero.
    #[must_use]
    pub fn new(robot: &Robot) -> Self {
        let n = robot.n_dofs();
        Self {
            mass_matrix: DMatrix::zeros(n, n),
            coriolis_forces: vec![0.0; n],
            gravity_forces: vec![0.0; n],
            bias_forces: vec![0.0; n],
            axes: Matrix6xX::zeros(n),
            com: Point::origin(),
            com_velocity: Vector::zeros(),
            com_jacobian: Matrix3xX::zeros(n),
            centroidal_momentum_matrix: Matrix6xX::zeros(n),
            centroidal_momentum: Wrench::default(),
            total_inertia: Matrix3::zeros(),
            kinetic_energy: 0.0,
            potential_energy: 0.0,
        }
    }
}

/// All terms of the equation of motion at once, cheaper than one by one.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) where gravity is not finite.
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector, dynamics};
///
/// let mut cabin = LinkSpec::new("cabin", None, LinkMotion::Prismatic(Vector::z()));
/// cabin.inertia = Inertia { mass: 500.0, ..Inertia::zero() };
/// let mut lift = RobotBuilder::new("lift");
/// lift.add_link(cabin);
/// let lift = lift.build()?;
/// let mut state = State::new(&lift);
/// state.set_config(&lift, &[3.0])?;
/// state.set_velocity(&lift, &[2.0])?;
///
/// let terms = dynamics::all_terms(&lift, &state, &Vector::new(0.0, 0.0, -10.0))?;
/// assert_eq!(terms.bias_forces, [5000.0]);
/// assert_eq!((terms.kinetic_energy, terms.potential_energy), (1000.0, 15000.0));
/// assert_eq!(terms.centroidal_momentum.force.z, 1000.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "computeAllTerms")]
pub fn all_terms(robot: &Robot, state: &State, gravity: &Vector) -> Result<Terms> {
    state.check_robot(robot)?;
    let mut out = Terms::new(robot);
    all_terms_into(robot, state, gravity, &mut Workspace::new(robot), &mut out)?;
    Ok(out)
}

/// [`all_terms`] without allocation.
///
/// # Errors
///
/// As [`all_terms`]; `out` is unchanged.
///
/// # Panics
///
/// If `out` was made for a robot of another size, or the workspace for a smaller one.
pub fn all_terms_into(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut Terms,
) -> Result<()> {
    state.check_robot(robot)?;
    Loads::from(gravity).check(robot)?;
    let (tree, bodies, n) = (robot.tree(), state.bodies(robot), robot.n_dofs());
    let dq = DVectorView::from_slice(state.velocity(), n);
    let mass = kinematics::total_mass(robot);

    mass_matrix_into(robot, state, ws, &mut out.mass_matrix);
    coriolis_forces_into(robot, state, ws, &mut out.coriolis_forces);

    out.com = kinematics::com(robot, state);
    kinematics::com_jacobian_into(robot, state, &mut out.com_jacobian);
    out.com_velocity = &out.com_jacobian * dq;
    out.total_inertia = kinematics::total_inertia(robot, state);
    let (columns, _) = out
        .centroidal_momentum_matrix
        .as_mut_slice()
        .as_chunks_mut();
    kernel::momentum_columns(tree, bodies, out.com.coords.into(), &mut ws.crba, columns);
    out.centroidal_momentum = Wrench::from(&out.centroidal_momentum_matrix * dq);
    let (columns, _) = out.axes.as_mut_slice().as_chunks_mut::<6>();
    for (i, out) in columns.iter_mut().enumerate() {
        let [w, v] = kernel::column(tree, bodies, i, [0.0; 3]);
        *out = [w[0], w[1], w[2], v[0], v[1], v[2]];
    }

    // U = −m g · c, so that G = −m (∂c/∂q)ᵀ g
    let weight = gravity * -mass;
    DVectorViewMut::from_slice(&mut out.gravity_forces, n).gemv_tr(
        1.0,
        &out.com_jacobian,
        &weight,
        0.0,
    );
    out.potential_energy = weight.dot(&out.com.coords);
    for i in 0..n {
        out.bias_forces[i] = out.coriolis_forces[i] + out.gravity_forces[i];
    }
    let twice = (0..n).map(|i| dq[i] * out.mass_matrix.column(i).dot(&dq));
    out.kinetic_energy = 0.5 * twice.sum::<f64>();
    Ok(())
}
