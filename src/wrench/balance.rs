//! What acts on a link, as an observer explains it.

use super::{AppliedWrench, FrameId, Frames, Site};
use crate::math::{Point, Vector, Wrench};
use crate::robot::LinkId;
use crate::{Error, Result};

/// Everything that acts on one link: nine wrenches about its origin, in the axes of the observer.
///
/// The first is the sum of all others. [`Display`](std::fmt::Display) makes a table of them, and [`table`](super::table())
/// one with names.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Balance {
    /// The link.
    pub link: LinkId,
    /// Who looks.
    pub observer: Site,
    /// What changes the momentum of the link, as the observer sees it.
    pub dynamic: AppliedWrench,
    /// What the parent does through the joint; all observers agree on it.
    pub joint: AppliedWrench,
    /// The weight.
    pub gravity: AppliedWrench,
    /// What the children do through their joints.
    pub tip: AppliedWrench,
    /// What was said to push besides.
    pub external: AppliedWrench,
    /// Because the observer's origin accelerates.
    pub dalembert: AppliedWrench,
    /// Because the observer turns faster and faster.
    pub euler: AppliedWrench,
    /// Because the observer turns.
    pub centrifugal: AppliedWrench,
    /// Because the link moves while the observer turns.
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

/// What acts on a link, with everything that hangs on it. `gravity` is in world axes, m/s².
///
/// `external` are wrenches on links, given at any point and in any axes: a ground reaction, a load, friction.
///
/// # Errors
///
/// [`Error::Invalid`] for a link or a frame that is not there, or a number that is not finite.
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

/// What acts on each link, in the order of the links: joint wrenches go from the leaves to the base.
///
/// The component along a joint's axis is what [`inverse_dynamics`](crate::dynamics::inverse_dynamics) asks of its
/// motor, for axes of length 1 and without [armature](crate::dynamics#armature).
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
    let nothing = |link: usize| AppliedWrench::zero(at(link), observer.frame);
    let (mut given, mut tips): (Vec<_>, Vec<_>) =
        (0..n).map(|link| (nothing(link), nothing(link))).unzip();
    for (link, wrench) in external {
        frames.motion(FrameId::Link(*link))?;
        let wrench = wrench.translated(&Site::link(*link), frames)?;
        let wrench = wrench.expressed(observer.frame, frames)?;
        let sum = &mut given[link.index()];
        *sum = sum.sum(&wrench)?;
    }

    let mut balances = Vec::with_capacity(n);
    for link in (0..n).rev() {
        let seen = Seen::new(frames, LinkId::new(link), observer, gravity)?;
        let balance = seen.balance(tips[link], given[link])?;
        if let Some(parent) = frames.robot().links()[link].parent() {
            // what the parent does to the link, the link does to the parent
            let reaction = (-balance.joint).translated(&Site::link(parent), frames)?;
            let tip = &mut tips[parent.index()];
            *tip = tip.sum(&reaction)?;
        }
        balances.push(balance);
    }
    balances.reverse();
    Ok(balances)
}

/// What an observer knows of one link without its neighbours.
struct Seen {
    link: LinkId,
    observer: Site,
    /// From the origin of the link to its centre of mass, in the observer's axes.
    lever: Vector,
    /// Forces at the centre of mass.
    dynamic: Vector,
    gravity: Vector,
    dalembert: Vector,
    euler: Vector,
    centrifugal: Vector,
    coriolis: Vector,
    /// What changes the spin, about the centre of mass.
    spin: Vector,
}

impl Seen {
    fn new(frames: &Frames<'_>, link: LinkId, observer: &Site, gravity: &Vector) -> Result<Self> {
        let inertia = frames.robot().link(link).inertia();
        let (mass, com) = (inertia.mass, Site::on_link(link, inertia.com));
        let (body, eye) = (frames.motion(FrameId::Link(link))?, frames.at(observer)?);
        let axes = |v: &Vector| eye.pose.inverse_transform_vector(v);
        let (w_o, dw_o) = (axes(&eye.angular_velocity), axes(&eye.angular_acceleration));
        let (w, dw) = (
            axes(&body.angular_velocity),
            axes(&body.angular_acceleration),
        );
        let seen = frames.relative(&com, observer)?;
        let i_c = frames.inertia(link, &com, observer.frame)?;
        let arm = body.pose.rotation * (inertia.com - Point::origin());
        Ok(Self {
            link,
            observer: *observer,
            lever: axes(&arm),
            dynamic: seen.acceleration * mass,
            gravity: axes(gravity) * mass,
            dalembert: axes(&eye.acceleration) * -mass,
            euler: dw_o.cross(&seen.position) * -mass,
            centrifugal: w_o.cross(&w_o.cross(&seen.position)) * -mass,
            coriolis: w_o.cross(&seen.velocity) * (-2.0 * mass),
            spin: i_c * dw + w.cross(&(i_c * w)),
        })
    }

    /// The equation, solved for what the joint does.
    fn balance(&self, tip: AppliedWrench, external: AppliedWrench) -> Result<Balance> {
        let (point, frame) = (Site::link(self.link), self.observer.frame);
        let at_com = |force: Vector, moment: Vector| {
            let wrench = Wrench::new(moment + self.lever.cross(&force), force);
            AppliedWrench::new(wrench, point, frame)
        };
        let plain = |force: Vector| at_com(force, Vector::zeros());
        let mut balance = Balance {
            link: self.link,
            observer: self.observer,
            dynamic: at_com(self.dynamic, self.spin),
            joint: AppliedWrench::zero(point, frame),
            gravity: plain(self.gravity),
            tip,
            external,
            dalembert: plain(self.dalembert),
            euler: plain(self.euler),
            centrifugal: plain(self.centrifugal),
            coriolis: plain(self.coriolis),
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
