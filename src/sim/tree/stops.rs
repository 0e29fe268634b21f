//! Compliant stops at the position limits of joints.

use crate::kinematics::{State, check, check_length};
use crate::robot::Robot;
use crate::{Result, dynamics};

/// Compliant joint stops: a spring and a damper behind each position limit.
///
/// Where a position exceeds its range by the depth `e`, at the velocity `ė` outwards, the stop pushes back with
///
/// ```text
///     stiffness · e + damping · ė · e / (e + 0.001)
/// ```
///
/// or not at all where that is negative: it does not pull. The damping grows with the depth, over a thousandth of a
/// radian or metre, so that the force is continuous, as adaptive step control needs it. The stiffness stores energy,
/// which is part of the [potential energy](crate::sim::Energy::potential).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct JointStops {
    /// Stiffness, N·m/rad or N/m (n).
    pub stiffness: Vec<f64>,
    /// Damping, N·m·s/rad or N·s/m (n).
    pub damping: Vec<f64>,
    /// Positions between which no stop acts, rad or m, each `[min, max]` (n).
    pub range: Vec<[f64; 2]>,
}

impl JointStops {
    /// Stops of this stiffness, N·m/rad or N/m, and damping, N·m·s/rad or N·s/m, at the position limits of a robot.
    #[must_use]
    pub fn new(robot: &Robot, stiffness: f64, damping: f64) -> Self {
        let limits = robot.limits().iter();
        Self {
            stiffness: vec![stiffness; robot.n_dofs()],
            damping: vec![damping; robot.n_dofs()],
            range: limits.map(|limits| [limits.q_min, limits.q_max]).collect(),
        }
    }

    /// Stops as stiff as the joints are heavy, at the position limits of a robot; `q` (n) is the configuration at the
    /// start.
    ///
    /// On its stop a joint oscillates at [`FREQUENCY`](Self::FREQUENCY), with all other joints locked, and at most five
    /// times as fast with the others free; the damping is critical for the latter. Its static error under the weight of
    /// an arm of length `l` is about `g / (l · 10⁴)` rad: 2 mrad for half a metre. A motor that drives a joint into its
    /// stop compresses it further, by its torque over the stiffness.
    ///
    /// A joint that starts beyond a limit has its stop where it starts.
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length), or [`Error::Invalid`](crate::Error::Invalid) for a number that is not
    /// finite.
    pub fn of_robot(robot: &Robot, q: &[f64]) -> Result<Self> {
        check("configuration", robot, q)?;
        let mut state = State::new(robot);
        state.set_config(robot, q)?;
        let mass = dynamics::mass_matrix(robot, &state);

        // a robot without an inverse may still move where drivers couple its joints
        let inverse = dynamics::mass_matrix_inverse(robot, &state).ok();
        let mut stops = Self::new(robot, 0.0, 0.0);
        for (i, range) in stops.range.iter_mut().enumerate() {
            let locked = mass[(i, i)];
            let free = inverse
                .as_ref()
                .map_or(locked, |inverse| 1.0 / inverse[(i, i)]);
            let square = Self::FREQUENCY * Self::FREQUENCY;
            stops.stiffness[i] = square * locked.min(25.0 * free);
            stops.damping[i] = 2.0 * (stops.stiffness[i] * free).sqrt();
            *range = [range[0].min(q[i]), range[1].max(q[i])];
        }
        Ok(stops)
    }

    /// Frequency of a joint on its stop, rad/s; see [`of_robot`](Self::of_robot).
    pub const FREQUENCY: f64 = 100.0;

    /// Refuses lists of other lengths than `n`.
    pub(super) fn check(&self, n: usize) -> Result<()> {
        check_length("stiffness of the stops", n, &self.stiffness)?;
        check_length("damping of the stops", n, &self.damping)?;
        check_length("range of the stops", n, &self.range)
    }

    /// Adds the generalized forces.
    pub(super) fn add_forces(&self, [q, dq]: [&[f64]; 2], tau: &mut [f64]) {
        for (i, range) in self.range.iter().enumerate() {
            let beyond = beyond(q[i], range);
            if beyond != 0.0 {
                let (depth, rate) = (beyond.abs(), dq[i] * beyond.signum());
                let damping = self.damping[i] * depth / (depth + RAMP);
                let force = self.stiffness[i] * depth + damping * rate;

                // a stop pushes back; it does not pull
                tau[i] -= force.max(0.0) * beyond.signum();
            }
        }
    }

    /// Energy of the springs, J.
    pub(super) fn energy(&self, q: &[f64]) -> f64 {
        let springs = self.stiffness.iter().zip(&self.range).zip(q);
        springs
            .map(|((stiffness, range), q)| 0.5 * stiffness * beyond(*q, range).powi(2))
            .sum()
    }
}

/// Signed distance to a range, 0 within.
fn beyond(q: f64, [min, max]: &[f64; 2]) -> f64 {
    (q - max).max(0.0) + (q - min).min(0.0)
}

/// Depth at which half of the damping acts, rad or m.
const RAMP: f64 = 1e-3;
