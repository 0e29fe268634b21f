//! Something to carry.

use crate::math::Inertia;
use crate::robot::{LinkId, Robot, RobotBuilder};
use crate::{Error, Result};

impl RobotBuilder {
    /// Makes `payload`, given in the frame of a link, a part of that link's mass.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the link does not exist; nothing has changed then.
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
    /// The same robot with something in its hand: `payload` in the frame of `link`.
    ///
    /// Ids and degrees of freedom stay what they are, so that states of this robot are states of that one.
    /// Shapes are shared; give the payload one by [`RobotBuilder::mount`] where it can collide. The robot is
    /// compiled again: do this when something is grasped, not at every step.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the link does not exist or the payload is no body: numbers that are not finite, or a
    /// mass below 0.
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
        builder.build()
    }
}
