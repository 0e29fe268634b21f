//! Regressors: forces and energies as linear functions of the inertial parameters.
//!
//! Atkeson, An, Hollerbach (1986): estimation of inertial parameters of manipulator loads and links. The parameters are
//! those of [`Inertia::parameters`](crate::math::Inertia::parameters), in Pinocchio's order: mass, mass times centre of
//! mass, moment of inertia about the origin of the link (xx, xy, yy, xz, yz, zz), in link axes.

use nalgebra::{DMatrix, Matrix6xX, SMatrix};

use super::Loads;
use super::base_wrench::about_world;
use crate::Result;
use crate::kernel;
use crate::kinematics::{State, check};
use crate::math::{Pose, Vector, Wrench};
use crate::robot::{LinkId, Robot};

/// Inertial parameters `π` (10 · links) of all links, one after the other, see
/// [`Inertia::parameters`](crate::math::Inertia::parameters).
#[must_use]
pub fn inertial_parameters(robot: &Robot) -> Vec<f64> {
    let links = robot.links().iter();
    links.flat_map(|link| link.inertia().parameters()).collect()
}

/// Regressor `Y` (n × 10 · links) of the generalised forces: `M q̈ + C q̇ + G = Y π + armature · q̈`.
///
/// `π` are the [`inertial_parameters`] of the robot, or of any other with the same kinematics: `Y` depends on geometry,
/// state, `q̈` and gravity, and not on masses. Columns of links that are fixed to the world are zero.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length); [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite.
///
/// # Examples
///
/// ```
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector, dynamics};
///
/// // the unknown mass of a lift follows from the measured force
/// let mut lift = RobotBuilder::new("lift");
/// lift.add_link(LinkSpec::new("cabin", None, LinkMotion::Prismatic(Vector::z())));
/// let lift = lift.build()?;
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let y = dynamics::inertial_regressor(&lift, &State::new(&lift), &gravity, &[2.0])?;
/// let measured = 1800.0;
/// assert_eq!(measured / y[(0, 0)], 150.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "computeJointTorqueRegressor")]
pub fn inertial_regressor(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    ddq: &[f64],
) -> Result<DMatrix<f64>> {
    state.check_robot(robot)?;
    let mut out = DMatrix::zeros(robot.n_dofs(), 10 * robot.links().len());
    inertial_regressor_into(robot, state, gravity, ddq, &mut out)?;
    Ok(out)
}

/// [`inertial_regressor`] without allocation.
///
/// # Errors
///
/// As [`inertial_regressor`]; `out` is unchanged.
///
/// # Panics
///
/// If `out` is not n × 10 · links.
pub fn inertial_regressor_into(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    ddq: &[f64],
    out: &mut DMatrix<f64>,
) -> Result<()> {
    state.check_robot(robot)?;
    let shape = (robot.n_dofs(), 10 * robot.links().len());
    assert_eq!(out.shape(), shape, "a row per dof, ten columns per link");
    check_motion(robot, gravity, ddq)?;
    out.fill(0.0);
    for l in 0..robot.links().len() {
        let moving = Moving::of(robot, state, gravity, LinkId::new(l), ddq);
        let wrenches = moving.wrenches().map(|f| moving.in_world(&f));
        let origin = moving.pose.translation.vector;
        for i in robot.tree().chain(robot.attachment(LinkId::new(l)).body) {
            let [w, v] = kernel::column(robot.tree(), state.bodies(robot), i, origin.into());
            let (w, v) = (Vector::from(w), Vector::from(v));
            for (p, f) in wrenches.iter().enumerate() {
                out[(i, 10 * l + p)] = w.dot(&f.moment) + v.dot(&f.force);
            }
        }
    }
    Ok(())
}

/// Regressor (6 × 10 · links) of the [`base_wrench`](super::base_wrench): moment rows first, world axes, about the world's
/// origin.
///
/// Links that are fixed to the world are included.
///
/// # Errors
///
/// As [`inertial_regressor`].
pub fn base_wrench_regressor(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    ddq: &[f64],
) -> Result<Matrix6xX<f64>> {
    state.check_robot(robot)?;
    let mut out = Matrix6xX::zeros(10 * robot.links().len());
    base_wrench_regressor_into(robot, state, gravity, ddq, &mut out)?;
    Ok(out)
}

/// [`base_wrench_regressor`] without allocation.
///
/// # Errors
///
/// As [`base_wrench_regressor`]; `out` is unchanged.
///
/// # Panics
///
/// If `out` does not have ten columns per link.
pub fn base_wrench_regressor_into(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    ddq: &[f64],
    out: &mut Matrix6xX<f64>,
) -> Result<()> {
    state.check_robot(robot)?;
    assert_eq!(
        out.ncols(),
        10 * robot.links().len(),
        "ten columns per link"
    );
    check_motion(robot, gravity, ddq)?;
    for l in 0..robot.links().len() {
        let moving = Moving::of(robot, state, gravity, LinkId::new(l), ddq);
        for (p, f) in moving.wrenches().iter().enumerate() {
            let f = about_world(&moving.in_world(f), &moving.pose.translation.vector);
            out.set_column(10 * l + p, &f.into());
        }
    }
    Ok(())
}

/// Regressor (6 × 10) of the net wrench on one link, for its ten parameters: moment rows first, in link axes, about the
/// link's origin.
///
/// # Errors
///
/// As [`inertial_regressor`].
///
/// # Panics
///
/// If the link belongs to a larger robot.
#[doc(alias = "bodyRegressor")]
pub fn link_regressor(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    link: LinkId,
    ddq: &[f64],
) -> Result<SMatrix<f64, 6, 10>> {
    state.check_robot(robot)?;
    check_motion(robot, gravity, ddq)?;
    let wrenches = Moving::of(robot, state, gravity, link, ddq).wrenches();
    let columns = wrenches.map(nalgebra::Vector6::from);
    Ok(SMatrix::from_columns(&columns))
}

/// Regressor (10 · links) of the [`kinetic_energy`](super::kinetic_energy), without that of the
/// [armature](super#armature).
#[must_use]
pub fn kinetic_energy_regressor(robot: &Robot, state: &State) -> Vec<f64> {
    let rest = Vector::zeros();
    let energies = |l: usize| {
        let moving = Moving::of(robot, state, &rest, LinkId::new(l), &[]);
        let (w, v) = (moving.w, moving.v);
        let h = v.cross(&w);
        [
            0.5 * v.norm_squared(),
            h.x,
            h.y,
            h.z,
            0.5 * w.x * w.x,
            w.x * w.y,
            0.5 * w.y * w.y,
            w.x * w.z,
            w.y * w.z,
            0.5 * w.z * w.z,
        ]
    };
    (0..robot.links().len()).flat_map(energies).collect()
}

/// Regressor (10 · links) of the [`potential_energy`](super::potential_energy).
#[must_use]
pub fn potential_energy_regressor(robot: &Robot, state: &State, gravity: &Vector) -> Vec<f64> {
    let energies = |l: usize| {
        let x_wl = state.pose(robot, LinkId::new(l));
        let h = -x_wl.rotation.inverse_transform_vector(gravity);
        let mut row = [0.0; 10];
        row[..4].copy_from_slice(&[-gravity.dot(&x_wl.translation.vector), h.x, h.y, h.z]);
        row
    };
    (0..robot.links().len()).flat_map(energies).collect()
}

fn check_motion(robot: &Robot, gravity: &Vector, ddq: &[f64]) -> Result<()> {
    Loads::from(gravity).check(robot)?;
    check("acceleration", robot, ddq)
}

/// Motion of a link in its own axes, at its origin.
struct Moving {
    pose: Pose,
    w: Vector,
    v: Vector,
    dw: Vector,
    /// Linear acceleration less gravity.
    a: Vector,
}

impl Moving {
    /// Motion of a link; with an empty `ddq`, accelerations are not computed.
    fn of(robot: &Robot, state: &State, gravity: &Vector, link: LinkId, ddq: &[f64]) -> Self {
        let pose = state.pose(robot, link);
        let (tree, bodies, body) = (
            robot.tree(),
            state.bodies(robot),
            robot.attachment(link).body,
        );
        let (p, dq) = (pose.translation.vector.into(), state.velocity());
        let [w, v] = kernel::velocity(tree, bodies, body, p, dq).map(Vector::from);
        let [mut dw, mut a] = [Vector::zeros(); 2];
        if !ddq.is_empty() {
            let bias = kernel::bias(tree, bodies, body, p, dq).map(Vector::from);
            let added = kernel::velocity(tree, bodies, body, p, ddq).map(Vector::from);
            (dw, a) = (bias[0] + added[0], bias[1] + added[1]);
        }
        let [w, v, dw, a] =
            [w, v, dw, a - gravity].map(|x| pose.rotation.inverse_transform_vector(&x));
        Self { pose, w, v, dw, a }
    }

    /// Wrench per unit of each of the ten parameters, in link axes and about the link's origin.
    ///
    /// Newton and Euler about a point that is not the centre of mass: `f = m a + α × h + ω × (ω × h)` and
    /// `n = h × a + I α + ω × I ω`, with `h = m c`.
    fn wrenches(&self) -> [Wrench; 10] {
        let Self { w, dw, a, .. } = self;
        let mut out = [Wrench::default(); 10];
        out[0].force = *a;
        for k in 0..3 {
            let h = Vector::ith(k, 1.0);
            out[1 + k] = Wrench {
                moment: h.cross(a),
                force: dw.cross(&h) + w.cross(&w.cross(&h)),
            };
        }
        for (out, (i, j)) in out[4..].iter_mut().zip(PAIRS) {
            // I with a single entry, and its mirror image
            let times = |x: &Vector| {
                let mut y = Vector::zeros();
                y[i] = x[j];
                y[j] = x[i];
                y
            };
            out.moment = times(dw) + w.cross(&times(w));
        }
        out
    }

    fn in_world(&self, f: &Wrench) -> Wrench {
        Wrench {
            moment: self.pose.rotation * f.moment,
            force: self.pose.rotation * f.force,
        }
    }
}

/// Row and column of the six entries of a moment of inertia.
const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];
