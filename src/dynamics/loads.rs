//! Gravity and external wrenches.

use crate::kernel::single::Rnea;
use crate::kernel::{self, ExternalWrench};
use crate::kinematics::State;
use crate::math::{Vector, Wrench};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// Gravity and external wrenches on links; functions that take loads also take a gravity vector alone.
///
/// # Examples
///
/// ```
/// use kinworld::dynamics::{self, Loads};
/// use kinworld::math::Wrench;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector};
///
/// let mut lift = RobotBuilder::new("lift");
/// let cabin = lift.add_link(LinkSpec::new("cabin", None, LinkMotion::Prismatic(Vector::z())));
/// let lift = lift.build()?;
///
/// // a person of 80 kg steps in
/// let weight = Wrench { moment: Vector::zeros(), force: Vector::new(0.0, 0.0, -784.8) };
/// let wrenches = [(cabin, weight)];
/// let loads = Loads::new(Vector::new(0.0, 0.0, -9.81)).with_wrenches(&wrenches);
/// let tau = dynamics::inverse_dynamics(&lift, &State::new(&lift), loads, &[0.0])?;
/// assert_eq!(tau, [784.8]);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
#[doc(alias = "fext")]
#[doc(alias = "xfrc_applied")]
pub struct Loads<'a> {
    /// Gravitational acceleration in world axes, m/s².
    pub gravity: Vector,
    /// External wrenches on links, N·m and N in world axes, about the origin of the link. Those on one link add up.
    pub wrenches: &'a [(LinkId, Wrench)],
}

impl<'a> Loads<'a> {
    /// Gravity alone, m/s² in world axes.
    #[must_use]
    pub fn new(gravity: Vector) -> Self {
        Self {
            gravity,
            wrenches: &[],
        }
    }

    /// Sets the [external wrenches](Self::wrenches).
    #[must_use]
    pub fn with_wrenches(self, wrenches: &'a [(LinkId, Wrench)]) -> Self {
        Self { wrenches, ..self }
    }
}

impl From<&Vector> for Loads<'_> {
    fn from(gravity: &Vector) -> Self {
        Self::new(*gravity)
    }
}

impl Loads<'_> {
    /// Rejects numbers that are not finite, and links that do not exist.
    pub(super) fn check(&self, robot: &Robot) -> Result<()> {
        let is_finite = |v: &Vector| v.iter().all(|x| x.is_finite());
        if !is_finite(&self.gravity) {
            let problem = format!("{:?} must be finite", self.gravity.as_slice());
            return Err(Error::invalid("gravity", problem));
        }
        let n = robot.links().len();
        if let Some((link, _)) = self.wrenches.iter().find(|(link, _)| link.index() >= n) {
            let problem = format!("there is no link {}; there are {n}", link.index());
            return Err(Error::invalid("wrench", problem));
        }
        let broken = |(_, f): &&(LinkId, Wrench)| !is_finite(&f.moment) || !is_finite(&f.force);
        match self.wrenches.iter().find(broken) {
            Some((link, _)) => {
                let what = format!("wrench on link `{}`", robot.link(*link).name());
                Err(Error::invalid(what, "must be finite"))
            }
            None => Ok(()),
        }
    }

    /// Subtracts the external wrenches from the net force of each body.
    pub(super) fn subtract(&self, robot: &Robot, state: &State, net: &mut Rnea) {
        for (link, external) in self.wrenches {
            let Some(body) = robot.attachment(*link).body else {
                continue;
            };
            let origin = Vector::from(state.bodies(robot)[body].origin());
            let arm = state.pose(robot, *link).translation.vector - origin;
            let moment = external.moment + arm.cross(&external.force);
            net.subtract_external(body, moment.into(), external.force.into());
        }
    }

    /// The external wrenches with their points of application; wrenches on links that cannot move are left out.
    pub(super) fn applied(&self, robot: &Robot, state: &State, out: &mut Vec<ExternalWrench>) {
        out.clear();
        for (link, external) in self.wrenches {
            let Some(body) = robot.attachment(*link).body else {
                continue;
            };
            out.push(ExternalWrench {
                body,
                at: state.pose(robot, *link).translation.vector.into(),
                wrench: kernel::Wrench {
                    moment: external.moment.into(),
                    force: external.force.into(),
                },
            });
        }
    }
}
