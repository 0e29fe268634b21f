//! Joints and degrees of freedom by name.

use super::{DofId, Joint, JointId, Link, LinkId, Robot};
use crate::{Error, Result};

impl Robot {
    /// A joint by id.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    #[inline]
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// The first joint of this name.
    ///
    /// Joints without a degree of freedom are not among [`joints`](Self::joints); see [`link_of_joint`](Self::link_of_joint).
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn joint_id(&self, name: &str) -> Result<JointId> {
        match self.joints.iter().position(|joint| joint.name == name) {
            Some(index) => Ok(JointId::new(index)),
            None => Err(Error::not_found(
                "joint",
                name,
                self.joints.iter().map(Joint::name),
            )),
        }
    }

    /// The link that a joint attaches to its parent: the child of the first joint of this name, fixed or not.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn link_of_joint(&self, name: &str) -> Result<LinkId> {
        let named = |link: &Link| link.joint_name() == Some(name);
        if let Some(index) = self.links.iter().position(named) {
            return Ok(LinkId::new(index));
        }
        match self.joint_id(name) {
            Ok(joint) => Ok(self.joint(joint).link),
            Err(_) => Err(Error::not_found("joint", name, self.joint_names())),
        }
    }

    /// The name of the joint that owns a degree of freedom; of its link where none does.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    pub fn joint_name(&self, dof: DofId) -> &str {
        let link = self.dofs[dof.index()];
        let joint = self.joint_of(link);
        joint.map_or_else(|| self.link(link).name(), Joint::name)
    }

    /// The name of a degree of freedom: of its joint, or of its link where the joint has several.
    ///
    /// The links of a floating base are named `base_tx` and so on.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    pub fn dof_name(&self, dof: DofId) -> &str {
        let link = self.dofs[dof.index()];
        match self.joint_of(link) {
            Some(joint) if joint.links.len() == 1 => joint.name(),
            _ => self.link(link).name(),
        }
    }

    /// The degree of freedom of a joint, by the name of the joint; by that of its link where the joint has several or the
    /// file names none.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist; [`Error::Invalid`] for a joint of none or several.
    pub fn dof_id(&self, name: &str) -> Result<DofId> {
        let dofs = || (0..self.n_dofs()).map(DofId::new);
        if let Some(dof) = dofs().find(|&dof| self.dof_name(dof) == name) {
            return Ok(dof);
        }
        let joint = self.joints.iter().find(|joint| joint.name == name);
        if let Some(joint) = joint.filter(|joint| !joint.links.is_empty()) {
            let links = joint.links.iter().map(|&link| self.link(link).name());
            let links: Vec<&str> = links.collect();
            let problem = format!(
                "it has {} degrees of freedom: name one, {}",
                links.len(),
                links.join(", ")
            );
            return Err(Error::invalid(format!("joint `{name}`"), problem));
        }
        let of_link = self.links.iter().find(|link| link.name == name);
        if let Some(dof) = of_link.and_then(Link::dof) {
            return Ok(dof);
        }
        if self.link_of_joint(name).is_ok() {
            let problem = "it is fixed and has no degree of freedom";
            return Err(Error::invalid(format!("joint `{name}`"), problem));
        }
        Err(Error::not_found(
            "joint",
            name,
            dofs().map(|dof| self.dof_name(dof)),
        ))
    }

    /// The [initial configuration](Self::initial_config) with other values of some joints, rad or m.
    ///
    /// # Errors
    ///
    /// As [`dof_id`](Self::dof_id).
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Robot;
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    /// let arm = Robot::load(format!("{data}/robots/arm6.urdf"))?.value;
    /// let q = arm.config_from([("axis3", 0.5), ("axis1", -1.0)])?;
    /// assert_eq!(q, [-1.0, 0.0, 0.5, 0.0, 0.0, 0.0]);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn config_from<S: AsRef<str>>(
        &self,
        values: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<Vec<f64>> {
        let mut q = self.initial.clone();
        self.set_values(values, &mut q)?;
        Ok(q)
    }

    /// Writes the values of some joints, rad or m, into a configuration.
    ///
    /// # Errors
    ///
    /// As [`dof_id`](Self::dof_id), and [`Error::Length`] for a `q` that does not fit the robot; it does not change then.
    pub fn set_values<S: AsRef<str>>(
        &self,
        values: impl IntoIterator<Item = (S, f64)>,
        q: &mut [f64],
    ) -> Result<()> {
        self.check_config_length(q)?;
        let found = values
            .into_iter()
            .map(|(name, value)| Ok((self.dof_id(name.as_ref())?, value)));
        for (dof, value) in found.collect::<Result<Vec<_>>>()? {
            q[dof.index()] = value;
        }
        Ok(())
    }

    /// All names of joints: those of the file, and those of joints that it does not name.
    fn joint_names(&self) -> impl Iterator<Item = &str> {
        let of_links = self.links.iter().filter_map(Link::joint_name);
        let is_unnamed = |joint: &&Joint| self.link(joint.link).joint_name().is_none();
        let others = self.joints.iter().filter(is_unnamed).map(Joint::name);
        of_links.chain(others)
    }

    /// The error for an unknown name of a link; that of a joint is recognised.
    pub(super) fn no_link(&self, name: &str) -> Error {
        match self.link_of_joint(name) {
            Ok(link) => Error::invalid(
                format!("no link named `{name}`"),
                format!("it is a joint, of link `{}`", self.link(link).name()),
            ),
            Err(_) => Error::not_found("link", name, self.links.iter().map(Link::name)),
        }
    }
}
