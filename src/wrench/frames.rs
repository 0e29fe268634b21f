//! Motions of frames and points at one instant.

use nalgebra::Matrix3;

use super::{FrameId, Site};
use crate::kinematics::{State, check};
use crate::math::{Point, Pose, Rotation, Vector};
use crate::robot::{LinkId, LinkMotion, Robot};
use crate::{Error, Result};

/// Frames of a robot at one instant of a motion, and custom ones that move independently.
#[derive(Debug, Clone)]
pub struct Frames<'a> {
    robot: &'a Robot,
    links: Vec<FrameMotion>,
    custom: Vec<FrameMotion>,
}

/// Pose, velocity and acceleration of a frame, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrameMotion {
    /// Pose of the frame in the world.
    pub pose: Pose,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vector,
    /// Velocity of the origin, m/s.
    pub velocity: Vector,
    /// Angular acceleration, rad/s².
    pub angular_acceleration: Vector,
    /// Acceleration of the origin, m/s².
    pub acceleration: Vector,
}

/// Motion of a point relative to an observer: components in the observer's axes, and their rates.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Relative {
    /// Position relative to the observer, m.
    pub position: Vector,
    /// Velocity, m/s.
    pub velocity: Vector,
    /// Acceleration, m/s².
    pub acceleration: Vector,
}

impl<'a> Frames<'a> {
    /// Frames of the links at a state, for the accelerations `ddq` (n).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or, for a number that is not finite, [`Error::Invalid`].
    ///
    /// # Panics
    ///
    /// If the state belongs to a robot of another size.
    pub fn new(robot: &'a Robot, state: &State, ddq: &[f64]) -> Result<Self> {
        state.check_robot(robot)?;
        check("acceleration", robot, ddq)?;
        let mut links: Vec<FrameMotion> = Vec::with_capacity(robot.links().len());
        for (i, link) in robot.links().iter().enumerate() {
            let pose = state.pose(robot, LinkId::new(i));

            // as fixed to the parent, then the motion of the joint
            let fixed = link.parent().map_or(FrameMotion::at_rest(pose), |parent| {
                links[parent.index()].fixed_at(pose)
            });
            let rates = link.dof().map_or((0.0, 0.0), |dof| {
                (state.velocity()[dof.index()], ddq[dof.index()])
            });
            links.push(fixed.with_joint_motion(link.motion(), rates));
        }
        Ok(Self {
            robot,
            links,
            custom: Vec::new(),
        })
    }

    /// The robot that the links belong to.
    #[must_use]
    pub fn robot(&self) -> &'a Robot {
        self.robot
    }

    /// Adds a frame with a motion of its own, such as a camera on a boom or a treadmill.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a value is not finite, or the pose has no valid rotation.
    pub fn add(&mut self, frame: FrameMotion) -> Result<FrameId> {
        crate::geometry::check_pose("a frame", &frame.pose)?;
        let motions = [
            frame.angular_velocity,
            frame.velocity,
            frame.angular_acceleration,
            frame.acceleration,
        ];
        if motions.iter().flatten().any(|x| !x.is_finite()) {
            return Err(Error::invalid("motion of a frame", "must be finite"));
        }
        let id = u32::try_from(self.custom.len()).expect("fewer than 2^32 frames");
        self.custom.push(frame);
        Ok(FrameId::Custom(id))
    }

    /// Motion of a frame in the world.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that does not exist.
    pub fn motion(&self, frame: FrameId) -> Result<FrameMotion> {
        let (found, what, index, n) = match frame {
            FrameId::World => return Ok(FrameMotion::at_rest(Pose::identity())),
            FrameId::Link(link) => {
                let i = link.index();
                (self.links.get(i), "link", i, self.links.len())
            }
            FrameId::Custom(i) => {
                let i = i as usize;
                (self.custom.get(i), "custom frame", i, self.custom.len())
            }
        };
        found.copied().ok_or_else(|| {
            let problem = format!("there is no {what} {index}; there are {n}");
            Error::invalid("frame", problem)
        })
    }

    /// The rotation from the axes of one frame to those of another.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that does not exist.
    pub fn rotation(&self, to: FrameId, from: FrameId) -> Result<Rotation> {
        let (to, from) = (
            self.motion(to)?.pose.rotation,
            self.motion(from)?.pose.rotation,
        );
        Ok(to.transpose() * from)
    }

    /// Position of a point in the world, m.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that does not exist.
    pub fn position(&self, point: &Site) -> Result<Point> {
        Ok(self.motion(point.frame)?.pose * point.position)
    }

    /// Motion of a point relative to an observer.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that does not exist.
    pub fn relative(&self, point: &Site, observer: &Site) -> Result<Relative> {
        let (point, observer) = (self.at(point)?, self.at(observer)?);
        let (w, dw) = (observer.angular_velocity, observer.angular_acceleration);
        let r = point.pose.translation.vector - observer.pose.translation.vector;
        let v = point.velocity - observer.velocity - w.cross(&r);
        let frame_acceleration = observer.acceleration + dw.cross(&r) + w.cross(&w.cross(&r));
        let a = point.acceleration - frame_acceleration - w.cross(&v) * 2.0;
        let axes = |v: Vector| observer.pose.inverse_transform_vector(&v);
        Ok(Relative {
            position: axes(r),
            velocity: axes(v),
            acceleration: axes(a),
        })
    }

    /// Motion of one point relative to another, as an observer with the axes of a frame measures it: as
    /// [`relative`](Self::relative), but from a point that may move in that frame.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that does not exist.
    pub fn between(&self, from: &Site, to: &Site, axes: FrameId) -> Result<Relative> {
        let observer = Site::origin(axes);
        let (from, to) = (
            self.relative(from, &observer)?,
            self.relative(to, &observer)?,
        );
        Ok(Relative {
            position: to.position - from.position,
            velocity: to.velocity - from.velocity,
            acceleration: to.acceleration - from.acceleration,
        })
    }

    /// Angular velocity of one frame relative to another, and its rate there, rad/s and rad/s², in the axes of the latter.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that does not exist.
    pub fn angular(&self, of: FrameId, seen_from: FrameId) -> Result<(Vector, Vector)> {
        let (of, seen_from) = (self.motion(of)?, self.motion(seen_from)?);
        let w = of.angular_velocity - seen_from.angular_velocity;
        let dw = of.angular_acceleration - seen_from.angular_acceleration;
        let axes = |v: Vector| seen_from.pose.inverse_transform_vector(&v);
        Ok((axes(w), axes(dw - seen_from.angular_velocity.cross(&w))))
    }

    /// Moment of inertia of a link about any point, in the axes of any frame, kg·m²: `R I_C Rᵀ + m (r·r 1 − r rᵀ)`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that does not exist.
    pub fn inertia(&self, link: LinkId, about: &Site, axes: FrameId) -> Result<Matrix3<f64>> {
        let pose = self.motion(FrameId::Link(link))?.pose;
        let inertia = self.robot.link(link).inertia();
        let p_link = pose.inverse_transform_point(&self.position(about)?);
        let r = self.rotation(axes, FrameId::Link(link))?;
        Ok(r.matrix() * inertia.moment_about(&p_link) * r.matrix().transpose())
    }

    /// Motion of a frame that is fixed to another, with its origin at a point.
    pub(super) fn at(&self, point: &Site) -> Result<FrameMotion> {
        let frame = self.motion(point.frame)?;
        let origin = frame.pose * point.position;
        Ok(frame.fixed_at(Pose::from_parts(origin.coords.into(), frame.pose.rotation)))
    }
}

impl FrameMotion {
    /// A frame that does not move.
    #[must_use]
    pub fn at_rest(pose: Pose) -> Self {
        let zero = Vector::zeros();
        Self {
            pose,
            angular_velocity: zero,
            velocity: zero,
            angular_acceleration: zero,
            acceleration: zero,
        }
    }

    /// Motion of a frame that is fixed to this one, at another pose in the world.
    fn fixed_at(&self, pose: Pose) -> Self {
        let r = pose.translation.vector - self.pose.translation.vector;
        let (w, dw) = (self.angular_velocity, self.angular_acceleration);
        Self {
            pose,
            velocity: self.velocity + w.cross(&r),
            acceleration: self.acceleration + dw.cross(&r) + w.cross(&w.cross(&r)),
            ..*self
        }
    }

    /// Adds the motion of a joint with this rate and this acceleration.
    fn with_joint_motion(mut self, joint: &LinkMotion, (rate, acceleration): (f64, f64)) -> Self {
        let w = self.angular_velocity;
        match joint {
            LinkMotion::Fixed => {}
            LinkMotion::Revolute(axis) => {
                let axis = self.pose.rotation * axis;
                self.angular_velocity += axis * rate;
                self.angular_acceleration += axis * acceleration + w.cross(&axis) * rate;
            }
            LinkMotion::Prismatic(axis) => {
                let axis = self.pose.rotation * axis;
                self.velocity += axis * rate;
                self.acceleration += axis * acceleration + w.cross(&axis) * (2.0 * rate);
            }
        }
        self
    }
}
