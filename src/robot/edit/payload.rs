//! Payloads.

use crate::math::Inertia;
use crate::robot::{LinkId, Robot, RobotBuilder};
use crate::{Error, Result};

impl RobotBuilder {
    /// Adds `payload`, given in the frame of a link, to the inertia of that link.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the link does not exist; nothing changes then.
    pub fn add_payload(&mut self, link: LinkId, payload: &Inertia) -> Result<()> {
        let n = self.links.len();
        let Some(spec) = self.links.get_mut(link.index()) else {
            let problem = format!("there is no link {}; there are {n}", link.index());
            return Err(Error::invalid("payload", problem));
        };
        spec.inertia = spec.inertia.merged(payload);
        Ok(())
    }
}

impl Robot {
    /// The same robot with a payload, given in the frame of `link`.
    ///
    /// Ids and degrees of freedom stay the same, so that states of this robot are valid for the result. Shapes
    /// are shared; add a collision shape for the payload by [`RobotBuilder::mount`]. The robot is compiled
    /// again: call this when an object is grasped, not at every step.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the link does not exist or the payload has numbers that are not finite or a
    /// negative mass.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::math::Inertia;
    /// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
    /// use kinworld::{Point, State, Vector, dynamics};
    ///
    /// let mut builder = RobotBuilder::new("arm");
    /// let arm = builder.add_link(LinkSpec::new("arm", None, LinkMotion::Revolute(-Vector::y())));
    /// let robot = builder.build()?;
    /// let state = State::new(&robot);
    ///
    /// // a bucket of 3 kg at the end of a massless arm of 2 m
    /// let bucket = Inertia { mass: 3.0, com: Point::new(2.0, 0.0, 0.0), ..Inertia::zero() };
    /// let loaded = robot.with_payload(arm, &bucket)?;
    /// let tau = dynamics::gravity_forces(&loaded, &state, &Vector::new(0.0, 0.0, -10.0));
    /// assert_eq!(tau, [60.0]);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_payload(&self, link: LinkId, payload: &Inertia) -> Result<Self> {
        let mut builder = RobotBuilder::from(self);
        if !payload.mass.is_finite() || payload.mass < 0.0 {
            let problem = format!(
                "its mass is {}, it must be finite and not negative",
                payload.mass
            );
            return Err(Error::invalid("payload", problem));
        }
        builder.add_payload(link, payload)?;
        let mut loaded = builder.build()?;
        loaded.identity = self.identity.clone();
        Ok(loaded)
    }
}
