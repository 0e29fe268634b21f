//! Where everything is and how it moves, at one instant.

use nalgebra::Matrix3;

use super::{FrameId, Site};
use crate::kinematics::{State, check};
use crate::math::{Point, Pose, Rotation, Vector};
use crate::robot::{LinkId, LinkMotion, Robot};
use crate::{Error, Result};

/// The frames of a robot at one instant of a motion, and others that move as they like.
#[derive(Debug, Clone)]
pub struct Frames<'a> {
    robot: &'a Robot,
    links: Vec<FrameMotion>,
    custom: Vec<FrameMotion>,
}

/// Where a frame is and how it moves, all in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrameMotion {
    /// From the frame to the world.
    pub pose: Pose,
    /// rad/s.
    pub angular_velocity: Vector,
    /// Of the origin, m/s.
    pub velocity: Vector,
    /// rad/s².
    pub angular_acceleration: Vector,
    /// Of the origin, m/s².
    pub acceleration: Vector,
}

/// Where a point is and how it moves, as an observer measures it: components in the observer's axes, and the rates of
/// those components.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Relative {
    /// From the observer, m.
    pub position: Vector,
    /// m/s.
    pub velocity: Vector,
    /// m/s².
    pub acceleration: Vector,
}

impl<'a> Frames<'a> {
    /// The frames of the links when the robot, where and as fast as `state` has it, accelerates with `ddq` (n).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or, for a number that is not finite, [`Error::Invalid`].
    ///
    /// # Panics
    ///
    /// If the state belongs to a robot of another size.
    pub fn new(robot: &'a Robot, state: &State, ddq: &[f64]) -> Result<Self> {
        check("acceleration", robot, ddq)?;
        let mut links: Vec<FrameMotion> = Vec::with_capacity(robot.links().len());
        for (i, link) in robot.links().iter().enumerate() {
            let pose = state.pose(robot, LinkId::new(i));

            // as a point of the parent moves, then what the joint adds
            let carried = link.parent().map_or(FrameMotion::at_rest(pose), |parent| {
                links[parent.index()].carrying(pose)
            });
            let rates = link.dof().map_or((0.0, 0.0), |dof| {
                (state.velocity()[dof.index()], ddq[dof.index()])
            });
            links.push(carried.driven(link.motion(), rates));
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

    /// Adds a frame that moves as it likes: a camera on a boom, a treadmill.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where something of it is not finite, or its pose does not hold a rotation.
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

    /// How a frame moves.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that is not there.
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
    /// [`Error::Invalid`] for a link or a frame that is not there.
    pub fn rotation(&self, to: FrameId, from: FrameId) -> Result<Rotation> {
        let (to, from) = (
            self.motion(to)?.pose.rotation,
            self.motion(from)?.pose.rotation,
        );
        Ok(to.transpose() * from)
    }

    /// Where a point is in the world, m.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that is not there.
    pub fn position(&self, point: &Site) -> Result<Point> {
        Ok(self.motion(point.frame)?.pose * point.position)
    }

    /// How a point moves, as an observer sees it.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that is not there.
    pub fn relative(&self, point: &Site, observer: &Site) -> Result<Relative> {
        let (point, observer) = (self.at(point)?, self.at(observer)?);
        let (w, dw) = (observer.angular_velocity, observer.angular_acceleration);
        let r = point.pose.translation.vector - observer.pose.translation.vector;
        let v = point.velocity - observer.velocity - w.cross(&r);
        let carried = observer.acceleration + dw.cross(&r) + w.cross(&w.cross(&r));
        let a = point.acceleration - carried - w.cross(&v) * 2.0;
        let axes = |v: Vector| observer.pose.inverse_transform_vector(&v);
        Ok(Relative {
            position: axes(r),
            velocity: axes(v),
            acceleration: axes(a),
        })
    }

    /// How the way from one point to another changes for whoever has the axes of a frame: [`relative`](Self::relative)
    /// to a point that may move in that frame.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that is not there.
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

    /// The angular velocity of one frame in another and its rate as seen there, rad/s and rad/s², in the axes of the
    /// latter.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that is not there.
    pub fn angular(&self, of: FrameId, seen_from: FrameId) -> Result<(Vector, Vector)> {
        let (of, seen_from) = (self.motion(of)?, self.motion(seen_from)?);
        let w = of.angular_velocity - seen_from.angular_velocity;
        let dw = of.angular_acceleration - seen_from.angular_acceleration;
        let axes = |v: Vector| seen_from.pose.inverse_transform_vector(&v);
        Ok((axes(w), axes(dw - seen_from.angular_velocity.cross(&w))))
    }

    /// The moment of inertia of a link about any point, in the axes of any frame, kg·m²: `R I_C Rᵀ + m (r·r 1 − r rᵀ)`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that is not there.
    pub fn inertia(&self, link: LinkId, about: &Site, axes: FrameId) -> Result<Matrix3<f64>> {
        let pose = self.motion(FrameId::Link(link))?.pose;
        let inertia = self.robot.link(link).inertia();
        let p_link = pose.inverse_transform_point(&self.position(about)?);
        let r = self.rotation(axes, FrameId::Link(link))?;
        Ok(r.matrix() * inertia.moment_about(&p_link) * r.matrix().transpose())
    }

    /// The motion of a frame that is fixed to another, its origin at a point.
    pub(super) fn at(&self, point: &Site) -> Result<FrameMotion> {
        let frame = self.motion(point.frame)?;
        let origin = frame.pose * point.position;
        Ok(frame.carrying(Pose::from_parts(origin.coords.into(), frame.pose.rotation)))
    }
}

impl FrameMotion {
    /// A frame that does not move.
    #[must_use]
    pub fn at_rest(pose: Pose) -> Self {
        let still = Vector::zeros();
        Self {
            pose,
            angular_velocity: still,
            velocity: still,
            angular_acceleration: still,
            acceleration: still,
        }
    }

    /// How what is fixed to this frame moves at another pose in the world.
    fn carrying(&self, pose: Pose) -> Self {
        let r = pose.translation.vector - self.pose.translation.vector;
        let (w, dw) = (self.angular_velocity, self.angular_acceleration);
        Self {
            pose,
            velocity: self.velocity + w.cross(&r),
            acceleration: self.acceleration + dw.cross(&r) + w.cross(&w.cross(&r)),
            ..*self
        }
    }

    /// With what a joint adds, whose coordinate has this rate and this acceleration.
    fn driven(mut self, joint: &LinkMotion, (rate, acceleration): (f64, f64)) -> Self {
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
