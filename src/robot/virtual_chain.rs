//! Virtual chains: floating, planar and spherical joints as chains of scalar links.
//!
//! | joint | degrees of freedom | pose of the last link |
//! |---|---|---|
//! | floating | x, y, z, rotations about z, y, x | `t = (x, y, z)`, `R = Rz · Ry · Rx` |
//! | floating planar | x, y, rotation about z | `t = (x, y, 0)`, `R = Rz` |
//! | ball and socket | rotations about z, y, x | `R = Rz · Ry · Rx` |
//!
//! The orientation is singular at rotations about y of ±90° (gimbal lock).

use super::check::is_finite;
use super::{Joint, JointKind, LinkId, LinkMotion, LinkSpec, Robot, RobotBuilder};
use crate::math::{Pose, Vector, so3};
use crate::{Error, Result};

impl RobotBuilder {
    /// Appends a chain of massless links and its joint, and returns the last link, which is the moving body.
    ///
    /// `placement` is the pose of the chain in `parent` at q = 0. The links are named `name_tx` and so on; the
    /// last one is named `name` and can be given mass and shapes.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where `kind` is not floating, floating planar or ball and socket.
    pub fn add_virtual_chain(
        &mut self,
        kind: JointKind,
        name: &str,
        parent: Option<LinkId>,
        placement: &Pose,
    ) -> Result<LinkId> {
        let Some(pattern) = pattern(kind) else {
            let problem = "only floating, floatingplanar and ballandsocket have virtual links";
            return Err(Error::invalid(format!("virtual base `{name}`"), problem));
        };
        if self.joints.is_none() {
            self.joints = Some(self.default_joints());
        }
        let mut last = parent;
        for (i, &(suffix, motion)) in pattern.iter().enumerate() {
            let is_last = i + 1 == pattern.len();
            let link_name = if is_last {
                name.to_owned()
            } else {
                format!("{name}_{suffix}")
            };
            let mut link = LinkSpec::new(link_name, last, motion);
            if i == 0 {
                link.placement = *placement;
            }
            last = Some(self.add_link(link));
        }
        let link = last.unwrap_or(LinkId::new(0));
        self.add_joint(kind, link, parent);
        Ok(link)
    }

    /// The same robot on a virtual base: a new link `base` becomes the parent of all roots.
    ///
    /// The virtual links come first, so that `q` begins with the degrees of freedom of the base.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where `kind` is not floating, floating planar or ball and socket, or where the robot is
    /// not valid.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::robot::{JointKind, LinkSpec, LinkMotion, RobotBuilder};
    /// use kinworld::Vector;
    ///
    /// let mut arm = RobotBuilder::new("arm");
    /// arm.add_link(LinkSpec::new("upper", None, LinkMotion::Revolute(Vector::y())));
    /// let rover = arm.with_base(JointKind::FloatingPlanar)?.build()?;
    /// assert_eq!(rover.n_dofs(), 3 + 1);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_base(&self, kind: JointKind) -> Result<Self> {
        let mut moving = Self::new(self.name.clone());
        moving.drivers = Some(Vec::new());
        let base = moving.add_virtual_chain(kind, "base", None, &Pose::identity())?;
        moving.mount(Some(base), self, &Pose::identity(), None)?;
        Ok(moving)
    }
}

impl Robot {
    /// Pose of a joint's link relative to the parent of its chain, at configuration `q`.
    ///
    /// For a floating base on the world: the pose of the body in the world.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where `q` does not fit the robot.
    pub fn joint_pose(&self, joint: &Joint, q: &[f64]) -> Result<Pose> {
        self.check_config_length(q)?;
        let chain = self.chain(joint);
        Ok(chain.fold(Pose::identity(), |pose, id| {
            let link = self.link(id);
            let value = link.dof.map_or(0.0, |dof| q[dof.index()]);
            pose * link.placement * link.motion.pose(value)
        }))
    }

    /// Writes the values into `q` that give a joint's link a pose relative to the parent of its chain.
    ///
    /// The rotation about y lies in [−π/2, π/2]. A planar joint uses x, y and the rotation about z of the pose,
    /// a ball and socket joint the rotation.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where `q` does not fit the robot, [`Error::Invalid`] where the chain is not that of
    /// the table of this module. `q` does not change then.
    pub fn set_joint_pose(&self, joint: &Joint, pose: &Pose, q: &mut [f64]) -> Result<()> {
        self.check_config_length(q)?;
        let refuse = |problem: &str| {
            let what = format!(
                "{} joint of link `{}`",
                joint.kind.name(),
                self.link(joint.link).name()
            );
            Err(Error::invalid(what, problem))
        };
        let Some(pattern) = pattern(joint.kind) else {
            return refuse("only floating, floatingplanar and ballandsocket joints have a pose");
        };
        if !self.has_standard_chain(joint, &pattern) {
            return refuse(
                "its links are not the standard chain (x, y, z, then rotations about z, y, x)",
            );
        }
        if !is_finite(pose) {
            return refuse("the pose has a number that is not finite");
        }
        let local = self.link(joint.links[0]).placement.inverse() * pose;
        let t = local.translation.vector;
        let [roll, pitch, yaw] = so3::to_rpy(&local.rotation);
        let values: &[f64] = match joint.kind {
            JointKind::Floating => &[t.x, t.y, t.z, yaw, pitch, roll],
            JointKind::FloatingPlanar => &[t.x, t.y, yaw],
            _ => &[yaw, pitch, roll],
        };
        for (id, value) in joint.links.iter().zip(values) {
            if let Some(dof) = self.link(*id).dof() {
                q[dof.index()] = *value;
            }
        }
        Ok(())
    }

    /// Returns whether a joint rotates its link by three angles about z, y, x with a common origin.
    pub(crate) fn is_spherical_chain(&self, joint: &Joint) -> bool {
        let is_free = matches!(joint.kind, JointKind::Floating | JointKind::BallAndSocket);
        is_free && self.is_virtual_chain(joint)
    }

    /// Returns whether a joint is a chain of virtual links, as [`RobotBuilder::add_virtual_chain`] makes it.
    pub(crate) fn is_virtual_chain(&self, joint: &Joint) -> bool {
        let is_next = |pair: &[LinkId]| self.link(pair[1]).parent == Some(pair[0]);
        joint.links.windows(2).all(is_next)
            && pattern(joint.kind).is_some_and(|chain| self.has_standard_chain(joint, &chain))
    }

    /// Returns whether a joint's links have the motions of a chain and a common origin.
    fn has_standard_chain(&self, joint: &Joint, chain: &[(&str, LinkMotion)]) -> bool {
        let is_standard = |(i, id): (usize, &LinkId)| {
            let link = self.link(*id);
            link.motion == chain[i].1 && (i == 0 || link.placement == Pose::identity())
        };
        joint.links.len() == chain.len() && joint.links.iter().enumerate().all(is_standard)
    }

    /// All links of a joint's chain, from base to tip, fixed ones included.
    fn chain(&self, joint: &Joint) -> impl Iterator<Item = LinkId> {
        let mut chain = vec![joint.link];
        chain.extend(
            self.ancestors(joint.link)
                .take_while(|&id| Some(id) != joint.base),
        );
        chain.into_iter().rev()
    }

    /// Refuses a configuration of the wrong length.
    pub(crate) fn check_config_length(&self, q: &[f64]) -> Result<()> {
        if q.len() == self.n_dofs() {
            return Ok(());
        }
        Err(Error::Length {
            what: "configuration",
            expected: self.n_dofs(),
            found: q.len(),
        })
    }
}

/// Suffixes and motions of a virtual chain, from base to tip.
fn pattern(kind: JointKind) -> Option<Vec<(&'static str, LinkMotion)>> {
    let (x, y, z) = (Vector::x(), Vector::y(), Vector::z());
    let translations = [
        ("tx", LinkMotion::Prismatic(x)),
        ("ty", LinkMotion::Prismatic(y)),
        ("tz", LinkMotion::Prismatic(z)),
    ];
    let rotations = [
        ("rz", LinkMotion::Revolute(z)),
        ("ry", LinkMotion::Revolute(y)),
        ("rx", LinkMotion::Revolute(x)),
    ];
    match kind {
        JointKind::Floating => Some([translations, rotations].concat()),
        JointKind::FloatingPlanar => Some(vec![translations[0], translations[1], rotations[0]]),
        JointKind::BallAndSocket => Some(rotations.to_vec()),
        _ => None,
    }
}
