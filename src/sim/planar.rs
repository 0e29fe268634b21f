//! Rigid body in the plane z = 0.

use nalgebra::{Matrix3, Matrix3xX};

use super::integrator::{IntegratorState, Ode};
use super::sensor::{Energy, Evaluation, Mechanism, PointMotion};
use crate::kinematics::check_length;
use crate::math::{Motion, Point, Rotation, Vector};
use crate::robot::LinkId;
use crate::{Error, Result};

/// Rigid body that translates in a plane and rotates about z; its centre of mass may be anywhere in it.
///
/// Its degrees of freedom are the position of its reference point and its angle, `q = (x, y, θ)`, reference values
/// included. With `b = Rot(θ) com`,
///
/// ```text
///     ⎡  m      0    −m b_y ⎤        ⎡ m θ̇² b_x ⎤
///     ⎢  0      m     m b_x ⎥ q̈  =  ⎢ m θ̇² b_y ⎥ + forces
///     ⎣ −m b_y  m b_x    J  ⎦        ⎣    0     ⎦
/// ```
///
/// since the centre of mass accelerates with `a + θ̈ k × b − θ̇² b`. (Exudyn's documentation has the opposite signs of
/// `m b`; its program has these.)
///
/// # Examples
///
/// Exudyn's example: from (1.5, 1) at 0.5 m/s and angle π/4, rotating at 3π/4 rad/s, without forces:
///
/// ```
/// use std::f64::consts::PI;
///
/// use kinworld::sim::{Integrator, Method, PlanarBody, Steps};
///
/// let mut body = PlanarBody::new(1.0, 2.0, [0.0, 0.0])?;
/// let mut state = body.initial_state(0.0, [1.5, 1.0, 0.25 * PI], [0.5, 0.0, 0.75 * PI]);
/// Integrator::new(Method::Rk44, Steps::Count(100))?.run(&mut body, &mut state, 1.0, &mut ())?;
/// assert!((state.y[0] - 2.0).abs() < 1e-12 && (state.y[2] - PI).abs() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlanarBody {
    /// Acceleration of gravity, m/s², in the plane: zero by default, as in a horizontal one.
    pub gravity: [f64; 2],
    /// External forces.
    pub forces: Vec<PlanarForce>,
    /// External torque about z, N·m.
    pub torque: f64,
    /// Reference values of q, from which displacements are measured.
    pub reference: [f64; 3],
    mass: f64,
    inertia: f64,
    com: [f64; 2],

    // depends on time and values
    q: [f64; 3],
    dq: [f64; 3],
    ddq: [f64; 3],
    residual: [f64; 3],
}

/// Force at a point of a planar body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlanarForce {
    /// Point of application, in the body, m.
    pub point: [f64; 2],
    /// Force in world axes, N.
    pub force: [f64; 2],
}

impl PlanarBody {
    /// Body of this mass, kg, moment of inertia about the reference point, kg·m², and centre of mass, m.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a mass that is not positive, a number that is not finite, or a moment of inertia that
    /// does not exceed `m |com|²`, the part due to the offset of the mass.
    pub fn new(mass: f64, inertia: f64, com: [f64; 2]) -> Result<Self> {
        let refuse = |problem: String| Err(Error::invalid("planar body", problem));
        if !(mass > 0.0
            && mass.is_finite()
            && inertia.is_finite()
            && com.iter().all(|x| x.is_finite()))
        {
            return refuse(format!(
                "a mass of {mass} kg, moment of {inertia} kg m² and centre at {com:?}: all must be finite, and the mass positive"
            ));
        }
        let least = mass * (com[0] * com[0] + com[1] * com[1]);
        if inertia <= least {
            return refuse(format!(
                "its moment about the reference point is {inertia} kg m², it must exceed {least}, the part due to the offset of its mass"
            ));
        }
        Ok(Self {
            gravity: [0.0; 2],
            forces: Vec::new(),
            torque: 0.0,
            reference: [0.0; 3],
            mass,
            inertia,
            com,
            q: [0.0; 3],
            dq: [0.0; 3],
            ddq: [0.0; 3],
            residual: [0.0; 3],
        })
    }

    /// Body of this mass, kg, moment of inertia about the centre of mass, kg·m², and centre of mass, m.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), for a moment that is not positive.
    pub fn from_com_inertia(mass: f64, inertia: f64, com: [f64; 2]) -> Result<Self> {
        Self::new(
            mass,
            inertia + mass * (com[0] * com[0] + com[1] * com[1]),
            com,
        )
    }

    /// Integrator state at time `t` with positions (x, y, θ) and velocities.
    #[must_use]
    pub fn initial_state(&self, t: f64, q: [f64; 3], dq: [f64; 3]) -> IntegratorState {
        IntegratorState::new(t, [q, dq].concat())
    }

    /// Mass matrix at angle `theta`, 3 × 3.
    #[must_use]
    pub fn mass_matrix(&self, theta: f64) -> Matrix3<f64> {
        let [x, y] = rotated(theta, self.com).map(|b| self.mass * b);
        #[rustfmt::skip]
        let m = Matrix3::new(
            self.mass, 0.0, -y,
            0.0, self.mass, x,
            -y, x, self.inertia,
        );
        m
    }

    /// Coriolis and centrifugal forces `C q̇`, on the left-hand side.
    #[must_use]
    pub fn coriolis_forces(&self, theta: f64, omega: f64) -> [f64; 3] {
        let [x, y] = rotated(theta, self.com);
        let scale = -self.mass * omega * omega;
        [scale * x, scale * y, 0.0]
    }

    /// Generalized gravity force, on the right-hand side: `m (g_x, g_y, b_x g_y − b_y g_x)`.
    #[must_use]
    pub fn gravity_force(&self, theta: f64) -> [f64; 3] {
        let ([x, y], [gx, gy]) = (rotated(theta, self.com), self.gravity);
        [gx, gy, x * gy - y * gx].map(|f| self.mass * f)
    }

    /// Position Jacobian (3 × 3) of a point of the body: its velocity per rate of x, y and θ.
    #[must_use]
    pub fn position_jacobian(&self, theta: f64, point: [f64; 2]) -> Matrix3xX<f64> {
        let [x, y] = rotated(theta, point);
        #[rustfmt::skip]
        let columns = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, -y, x, 0.0];
        Matrix3xX::from_column_slice(&columns)
    }

    /// Rotation Jacobian (3 × 3): angular velocity per rate of x, y and θ.
    #[must_use]
    pub fn rotation_jacobian(&self) -> Matrix3xX<f64> {
        let mut out = Matrix3xX::zeros(3);
        out[(2, 2)] = 1.0;
        out
    }

    /// Right-hand side: all forces, minus the Coriolis forces.
    fn right_hand_side(&self, theta: f64, omega: f64) -> [f64; 3] {
        let (coriolis, mut out) = (
            self.coriolis_forces(theta, omega),
            self.gravity_force(theta),
        );
        for (out, coriolis) in out.iter_mut().zip(coriolis) {
            *out -= coriolis;
        }
        for PlanarForce { point, force } in &self.forces {
            let [x, y] = rotated(theta, *point);
            out[0] += force[0];
            out[1] += force[1];
            out[2] += x * force[1] - y * force[0];
        }
        out[2] += self.torque;
        out
    }

    fn accelerations_at(&self, theta: f64, omega: f64) -> [f64; 3] {
        // about the centre of mass, which the forces alone accelerate
        let ([x, y], f) = (rotated(theta, self.com), self.right_hand_side(theta, omega));
        let about_com = self.inertia - self.mass * (x * x + y * y);
        let alpha = (f[2] - x * f[1] + y * f[0]) / about_com;
        [
            f[0] / self.mass + alpha * y,
            f[1] / self.mass - alpha * x,
            alpha,
        ]
    }

    /// Position, velocity and acceleration (x and y) of a point of the body.
    fn motion(&self, point: [f64; 2]) -> [[f64; 2]; 3] {
        let ([x, y], w, dw) = (rotated(self.q[2], point), self.dq[2], self.ddq[2]);
        [
            [self.q[0] + x, self.q[1] + y],
            [self.dq[0] - w * y, self.dq[1] + w * x],
            [
                self.ddq[0] - dw * y - w * w * x,
                self.ddq[1] + dw * x - w * w * y,
            ],
        ]
    }
}

impl Ode for PlanarBody {
    fn size(&self) -> usize {
        6
    }

    fn rates(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        dy[..3].copy_from_slice(&y[3..]);
        dy[3..].copy_from_slice(&self.accelerations_at(y[2], y[5]));
        Ok(())
    }

    fn is_second_order(&self) -> bool {
        true
    }

    fn label(&self, i: usize) -> String {
        [
            "x",
            "y",
            "the angle",
            "the velocity along x",
            "the velocity along y",
            "the angular velocity",
        ][i % 6]
            .to_owned()
    }
}

/// Motion of a [`PlanarBody`] at one time.
#[derive(Debug, Clone, Copy)]
pub struct PlanarEvaluation<'a>(&'a PlanarBody);

impl Mechanism for PlanarBody {
    type Evaluation<'a> = PlanarEvaluation<'a>;

    fn at(&mut self, _: f64, y: &[f64]) -> Result<PlanarEvaluation<'_>> {
        check_length("values", 6, y)?;
        self.q.copy_from_slice(&y[..3]);
        self.dq.copy_from_slice(&y[3..]);
        self.ddq = self.accelerations_at(y[2], y[5]);
        self.residual = self.right_hand_side(y[2], y[5]).map(|f| -f);
        Ok(PlanarEvaluation(self))
    }

    fn dof_names(&self) -> Vec<String> {
        ["x", "y", "theta"].map(str::to_owned).to_vec()
    }
}

impl Evaluation for PlanarEvaluation<'_> {
    fn point_motion(&self, link: LinkId, p: &Point) -> Result<PointMotion> {
        if link.index() > 0 {
            let problem = format!("there is no link {}; a planar body is link 0", link.index());
            return Err(Error::invalid("sensor", problem));
        }
        let [position, velocity, acceleration] = self
            .0
            .motion([p.x, p.y])
            .map(|[x, y]| Vector::new(x, y, 0.0));
        let up = Vector::new(0.0, 0.0, p.z);
        let [x, y] = rotated(self.0.reference[2], [p.x, p.y]);
        Ok(PointMotion {
            rotation: Rotation::from_axis_angle(&Vector::z_axis(), self.0.q[2]),
            position: Point::from(position + up),
            reference: Point::new(self.0.reference[0] + x, self.0.reference[1] + y, p.z),
            velocity: Motion {
                angular: Vector::z() * self.0.dq[2],
                linear: velocity,
            },
            acceleration: Motion {
                angular: Vector::z() * self.0.ddq[2],
                linear: acceleration,
            },
        })
    }

    fn positions(&self) -> &[f64] {
        &self.0.q
    }

    fn velocities(&self) -> &[f64] {
        &self.0.dq
    }

    fn accelerations(&self) -> &[f64] {
        &self.0.ddq
    }

    fn residual_forces(&self) -> &[f64] {
        &self.0.residual
    }

    fn energy(&self) -> Energy {
        let [position, velocity, _] = self.0.motion(self.0.com);
        let about_com =
            self.0.inertia - self.0.mass * (self.0.com[0].powi(2) + self.0.com[1].powi(2));
        let of_mass = self.0.mass * (velocity[0].powi(2) + velocity[1].powi(2));
        Energy {
            kinetic: 0.5 * (of_mass + about_com * self.0.dq[2].powi(2)),
            potential: -self.0.mass
                * (self.0.gravity[0] * position[0] + self.0.gravity[1] * position[1]),
        }
    }
}

/// Rotates a vector of the body into world axes.
fn rotated(theta: f64, [x, y]: [f64; 2]) -> [f64; 2] {
    let (s, c) = theta.sin_cos();
    [c * x - s * y, s * x + c * y]
}
