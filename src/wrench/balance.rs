//! Wrench balances of links.

use super::{AppliedWrench, FrameId, Frames, Site};
use crate::math::{Point, Vector, Wrench};
use crate::robot::LinkId;
use crate::{Error, Result};

/// Wrench balance of a link: nine wrenches about its origin, in the axes of the observer.
///
/// The first is the sum of the others. [`Display`](std::fmt::Display) makes a table of them, and [`table`](super::table())
/// one with the names of link and observer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Balance {
    /// Link of the balance.
    pub link: LinkId,
    /// Observer.
    pub observer: Site,
    /// Rate of the momentum of the link, as the observer measures it.
    pub dynamic: AppliedWrench,
    /// Wrench of the parent through the joint, the same for all observers.
    pub joint: AppliedWrench,
    /// Weight.
    pub gravity: AppliedWrench,
    /// Wrenches of the children through their joints.
    pub tip: AppliedWrench,
    /// External wrenches.
    pub external: AppliedWrench,
    /// Fictitious wrench of the acceleration of the observer's origin.
    pub dalembert: AppliedWrench,
    /// Fictitious wrench of the angular acceleration of the observer.
    pub euler: AppliedWrench,
    /// Fictitious wrench of the angular velocity of the observer.
    pub centrifugal: AppliedWrench,
    /// Fictitious wrench of the velocity of the link relative to a rotating observer.
    pub coriolis: AppliedWrench,
}

impl Balance {
    /// The nine wrenches and their names, the sum first.
    #[must_use]
    pub fn rows(&self) -> [(&'static str, &AppliedWrench); 9] {
        [
            ("dynamic", &self.dynamic),
            ("joint", &self.joint),
            ("gravity", &self.gravity),
            ("tip", &self.tip),
            ("external", &self.external),
            ("d'Alembert", &self.dalembert),
            ("Euler", &self.euler),
            ("centrifugal", &self.centrifugal),
            ("Coriolis", &self.coriolis),
        ]
    }
}

/// Wrench balance of one link. `gravity` is in world axes, m/s².
///
/// `external` are wrenches on links, given at any point and in any axes, such as ground reactions, loads or friction.
///
/// # Errors
///
/// [`Error::Invalid`] for a link or a frame that does not exist, or a number that is not finite.
pub fn balance(
    frames: &Frames<'_>,
    link: LinkId,
    observer: &Site,
    gravity: &Vector,
    external: &[(LinkId, AppliedWrench)],
) -> Result<Balance> {
    frames.motion(FrameId::Link(link))?;
    let all = chain(frames, observer, gravity, external)?;
    Ok(all[link.index()])
}

/// Wrench balances of all links, in the order of the links.
///
/// The component of a joint wrench along its axis is the force of [`inverse_dynamics`](crate::dynamics::inverse_dynamics),
/// for axes of length 1 and without [armature](crate::dynamics#armature).
///
/// # Errors
///
/// As [`balance`].
pub fn chain(
    frames: &Frames<'_>,
    observer: &Site,
    gravity: &Vector,
    external: &[(LinkId, AppliedWrench)],
) -> Result<Vec<Balance>> {
    check(gravity, external)?;
    let n = frames.robot().links().len();
    let at = |link: usize| Site::link(LinkId::new(link));
    let zero = |link: usize| AppliedWrench::zero(at(link), observer.frame);
    let (mut applied, mut tips): (Vec<_>, Vec<_>) =
        (0..n).map(|link| (zero(link), zero(link))).unzip();
    for (link, wrench) in external {
        frames.motion(FrameId::Link(*link))?;
        let wrench = wrench.translated(&Site::link(*link), frames)?;
        let wrench = wrench.expressed(observer.frame, frames)?;
        let sum = &mut applied[link.index()];
        *sum = sum.sum(&wrench)?;
    }

    let mut balances = Vec::with_capacity(n);
    for link in (0..n).rev() {
        let observed = Observed::new(frames, LinkId::new(link), observer, gravity)?;
        let balance = observed.balance(tips[link], applied[link])?;
        if let Some(parent) = frames.robot().links()[link].parent() {
            // the reaction of the link on its parent
            let reaction = (-balance.joint).translated(&Site::link(parent), frames)?;
            let tip = &mut tips[parent.index()];
            *tip = tip.sum(&reaction)?;
        }
        balances.push(balance);
    }
    balances.reverse();
    Ok(balances)
}

/// Terms of the balance of one link that do not depend on its neighbours.
struct Observed {
    link: LinkId,
    observer: Site,
    /// Vector from the origin of the link to its centre of mass, in the observer's axes.
    lever: Vector,
    // forces at the centre of mass
    dynamic: Vector,
    gravity: Vector,
    dalembert: Vector,
    euler: Vector,
    centrifugal: Vector,
    coriolis: Vector,
    /// Rate of the angular momentum about the centre of mass.
    angular: Vector,
}

impl Observed {
    fn new(frames: &Frames<'_>, link: LinkId, observer: &Site, gravity: &Vector) -> Result<Self> {
        let inertia = frames.robot().link(link).inertia();
        let (mass, com) = (inertia.mass, Site::on_link(link, inertia.com));
        let (body, frame) = (frames.motion(FrameId::Link(link))?, frames.at(observer)?);
        let axes = |v: &Vector| frame.pose.inverse_transform_vector(v);
        let (w_o, dw_o) = (
            axes(&frame.angular_velocity),
            axes(&frame.angular_acceleration),
        );
        let (w, dw) = (
            axes(&body.angular_velocity),
            axes(&body.angular_acceleration),
        );
        let relative = frames.relative(&com, observer)?;
        let i_c = frames.inertia(link, &com, observer.frame)?;
        let arm = body.pose.rotation * (inertia.com - Point::origin());
        Ok(Self {
            link,
            observer: *observer,
            lever: axes(&arm),
            dynamic: relative.acceleration * mass,
            gravity: axes(gravity) * mass,
            dalembert: axes(&frame.acceleration) * -mass,
            euler: dw_o.cross(&relative.position) * -mass,
            centrifugal: w_o.cross(&w_o.cross(&relative.position)) * -mass,
            coriolis: w_o.cross(&relative.velocity) * (-2.0 * mass),
            angular: i_c * dw + w.cross(&(i_c * w)),
        })
    }

    /// The balance, solved for the joint wrench.
    fn balance(&self, tip: AppliedWrench, external: AppliedWrench) -> Result<Balance> {
        let (point, frame) = (Site::link(self.link), self.observer.frame);
        let at_com = |force: Vector, moment: Vector| {
            let wrench = Wrench {
                moment: moment + self.lever.cross(&force),
                force,
            };
            AppliedWrench::new(wrench, point, frame)
        };
        let force_at_com = |force: Vector| at_com(force, Vector::zeros());
        let mut balance = Balance {
            link: self.link,
            observer: self.observer,
            dynamic: at_com(self.dynamic, self.angular),
            joint: AppliedWrench::zero(point, frame),
            gravity: force_at_com(self.gravity),
            tip,
            external,
            dalembert: force_at_com(self.dalembert),
            euler: force_at_com(self.euler),
            centrifugal: force_at_com(self.centrifugal),
            coriolis: force_at_com(self.coriolis),
        };
        let known = balance.rows().map(|(_, wrench)| *wrench);
        balance.joint = balance.dynamic.equate(&known[1..])?;
        Ok(balance)
    }
}

fn check(gravity: &Vector, external: &[(LinkId, AppliedWrench)]) -> Result<()> {
    let is_finite = |v: &Vector| v.iter().all(|x| x.is_finite());
    if !is_finite(gravity) {
        let problem = format!("{:?} must be finite", gravity.as_slice());
        return Err(Error::invalid("gravity", problem));
    }
    for (link, AppliedWrench { wrench, point, .. }) in external {
        let numbers = [wrench.moment, wrench.force, point.position.coords];
        if !numbers.iter().all(is_finite) {
            let what = format!("external wrench on link {}", link.index());
            return Err(Error::invalid(what, "must be finite"));
        }
    }
    Ok(())
}
