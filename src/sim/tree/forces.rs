//! What drives, holds and pushes a tree.

use crate::kinematics::{State, check_length};
use crate::math::{Vector, Wrench};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result, dynamics};

/// What acts on a [`KinematicTree`](super::KinematicTree), as plain data: a hook may change it between steps.
///
/// Lists have one number per coordinate (n) or none at all.
///
/// | field | generalised force on the right-hand side |
/// |---|---|
/// | `joint` | itself: on the link, and the opposite on its parent |
/// | `pd` | `p (position − q) + d (velocity − q̇)` |
/// | `stops` | `−stiffness · e − damping · q̇` where a coordinate is `e` beyond a limit; never inwards to outwards |
/// | `friction` | [`dynamics::friction_forces`](crate::dynamics::friction_forces) |
/// | `wrenches` | `Jᵀ f` |
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forces {
    /// How everything falls, m/s² in world axes.
    pub gravity: Vector,
    /// Of motors, N·m or N (n, or none).
    pub joint: Vec<f64>,
    /// A controller of each coordinate.
    pub pd: Pd,
    /// Forces on links, N and N·m in world axes, the moment about the origin of the link. Those on one link add up.
    pub wrenches: Vec<(LinkId, Wrench)>,
    /// Friction of the drivers, with this slip in rad/s or m/s; `None` for none.
    pub friction: Option<f64>,
    /// What happens at the limits of coordinates; `None` for nothing.
    pub stops: Option<Stops>,
}

/// A controller of each coordinate: `p (position − q) + d (velocity − q̇)` of total coordinates.
///
/// Where a list is empty its term is left out: of `p` or `position` the first, of `d` or `velocity` the second.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pd {
    /// Gains of positions, N·m/rad or N/m (n, or none).
    pub p: Vec<f64>,
    /// Gains of velocities, N·m·s/rad or N·s/m (n, or none).
    pub d: Vec<f64>,
    /// Where to go, rad or m (n, or none).
    pub position: Vec<f64>,
    /// How fast to be, rad/s or m/s (n, or none).
    pub velocity: Vec<f64>,
}

/// A spring and a damper behind each limit of position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stops {
    /// N·m/rad or N/m.
    pub stiffness: f64,
    /// N·m·s/rad or N·s/m.
    pub damping: f64,
}

/// A force that the user computes: time, total coordinates, velocities, and the forces (n) to add to.
pub(super) type UserForce = dyn Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync;

impl Forces {
    /// Adds what depends on coordinates alone to `tau` (n).
    pub(super) fn add(
        &self,
        robot: &Robot,
        state: &State,
        [q, dq]: [&[f64]; 2],
        friction: &mut [f64],
        tau: &mut [f64],
    ) -> Result<()> {
        let n = tau.len();
        if let Some(joint) = list("joint force", n, &self.joint)? {
            for (tau, joint) in tau.iter_mut().zip(joint) {
                *tau += joint;
            }
        }
        let Pd {
            p,
            d,
            position,
            velocity,
        } = &self.pd;
        pull(
            list("gain p", n, p)?,
            list("target position", n, position)?,
            q,
            tau,
        );
        pull(
            list("gain d", n, d)?,
            list("target velocity", n, velocity)?,
            dq,
            tau,
        );
        if let Some(stops) = &self.stops {
            for (i, limits) in robot.limits().iter().enumerate() {
                let beyond = (q[i] - limits.q_max).max(0.0) + (q[i] - limits.q_min).min(0.0);
                if beyond != 0.0 {
                    let push = -stops.stiffness * beyond - stops.damping * dq[i];

                    // a stop pushes back; it does not hold on to what leaves it
                    tau[i] += if push * beyond < 0.0 { push } else { 0.0 };
                }
            }
        }
        if let Some(slip) = self.friction {
            dynamics::friction_forces_into(robot, state, slip, friction)?;
            for (tau, friction) in tau.iter_mut().zip(friction) {
                *tau += *friction;
            }
        }
        Ok(())
    }
}

/// `gain (target − x)`, where there are both.
fn pull(gains: Option<&[f64]>, targets: Option<&[f64]>, x: &[f64], tau: &mut [f64]) {
    let (Some(gains), Some(targets)) = (gains, targets) else {
        return;
    };
    for i in 0..tau.len() {
        tau[i] += gains[i] * (targets[i] - x[i]);
    }
}

/// A list of n numbers, `None` for an empty one.
fn list<'a>(what: &'static str, n: usize, values: &'a [f64]) -> Result<Option<&'a [f64]>> {
    if values.is_empty() {
        return Ok(None);
    }
    check_length(what, n, values)?;
    Ok(Some(values))
}

/// Refuses generalised forces that are no numbers.
pub(super) fn check_finite(robot: &Robot, tau: &[f64]) -> Result<()> {
    match tau.iter().position(|x| !x.is_finite()) {
        Some(i) => {
            let what = format!("force on link `{}`", robot.link(robot.dofs()[i]).name());
            Err(Error::invalid(
                what,
                format!("is {}, it must be finite", tau[i]),
            ))
        }
        None => Ok(()),
    }
}
