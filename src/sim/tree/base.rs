//! Base of a tree, and its motion.

use std::fmt;
use std::sync::Arc;

use crate::kinematics::{self, State};
use crate::math::{Motion, Point, Pose, Vector, Wrench};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// Pose and motion of a robot's base in the world, at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BaseMotion {
    /// Pose of the base (the robot's world frame) in the world.
    pub pose: Pose,
    /// Angular velocity, and velocity of the origin, in world axes.
    pub velocity: Motion,
    /// Angular acceleration, and acceleration of the origin, in world axes.
    pub acceleration: Motion,
}

impl BaseMotion {
    /// Base at rest.
    #[must_use]
    pub fn at(pose: Pose) -> Self {
        Self {
            pose,
            velocity: Motion::default(),
            acceleration: Motion::default(),
        }
    }

    fn check(&self) -> Result<()> {
        let of_motion = |m: &Motion| m.angular.iter().chain(&m.linear).all(|x| x.is_finite());
        let of_pose = |x: &Pose| {
            let rotation = x.rotation.matrix().iter();
            rotation
                .chain(x.translation.vector.iter())
                .all(|x| x.is_finite())
        };
        if of_pose(&self.pose) && of_motion(&self.velocity) && of_motion(&self.acceleration) {
            return Ok(());
        }
        Err(Error::invalid("base", "its pose and motion must be finite"))
    }
}

/// Base that is fixed, or moved by a function of time.
#[derive(Clone)]
pub(in crate::sim) enum Base {
    Fixed(BaseMotion),
    Moving(Arc<dyn Fn(f64) -> BaseMotion + Send + Sync>),
}

impl Base {
    pub(in crate::sim) fn at(&self, t: f64) -> Result<BaseMotion> {
        let motion = match self {
            Self::Fixed(motion) => *motion,
            Self::Moving(motion_at) => motion_at(t),
        };
        motion.check()?;
        Ok(motion)
    }
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(motion) => motion.fmt(f),
            Self::Moving(_) => f.write_str("Moving"),
        }
    }
}

/// Appends the fictitious wrench on every link of a robot on a rotating base: in the axes of the base, the moment about
/// the origin of the link.
///
/// With the relative velocity `v` of the centre of mass at `c`, the relative angular velocity `w` and the base's `ω`, `α`:
///
/// ```text
/// f = −m (α × c + ω × (ω × c) + 2 ω × v)
/// n = −(I (α + ω × w) + (ω + w) × I (ω + w) − w × I w)
/// ```
///
/// The acceleration of the base's origin is not included: it is part of gravity.
pub(super) fn append_fictitious(
    robot: &Robot,
    state: &State,
    base: &BaseMotion,
    out: &mut Vec<(LinkId, Wrench)>,
) {
    let omega = base
        .pose
        .rotation
        .inverse_transform_vector(&base.velocity.angular);
    let alpha = base
        .pose
        .rotation
        .inverse_transform_vector(&base.acceleration.angular);
    if omega == Vector::zeros() && alpha == Vector::zeros() {
        return;
    }
    for (i, link) in robot.links().iter().enumerate() {
        let (id, inertia) = (LinkId::new(i), link.inertia());
        let x = state.pose(robot, id);
        let c = x * inertia.com;
        let v = kinematics::point_velocity(robot, state, id, &inertia.com);
        let w = kinematics::angular_velocity(robot, state, id);
        let angular_momentum = |w: &Vector| {
            let local = x.rotation.inverse_transform_vector(w);
            x.rotation * (inertia.moment * local)
        };
        let absolute = omega + w;
        let c = c.coords;
        let force = (alpha.cross(&c) + omega.cross(&omega.cross(&c)) + 2.0 * omega.cross(&v))
            * -inertia.mass;
        let moment = w.cross(&angular_momentum(&w))
            - angular_momentum(&(alpha + omega.cross(&w)))
            - absolute.cross(&angular_momentum(&absolute));
        let arm = c - x.translation.vector;
        out.push((
            id,
            Wrench {
                moment: moment + arm.cross(&force),
                force,
            },
        ));
    }
}

/// Velocity and acceleration in the world of a motion relative to the base, at the point `p_b` of the base.
pub(in crate::sim) fn in_world(
    base: &BaseMotion,
    p_b: &Point,
    velocity: &Motion,
    acceleration: &Motion,
) -> [Motion; 2] {
    let r = &base.pose.rotation;
    let (omega, alpha) = (base.velocity.angular, base.acceleration.angular);
    let (arm, v, w) = (r * p_b.coords, r * velocity.linear, r * velocity.angular);
    let transported = omega.cross(&arm);
    [
        Motion {
            angular: omega + w,
            linear: base.velocity.linear + transported + v,
        },
        Motion {
            angular: alpha + omega.cross(&w) + r * acceleration.angular,
            linear: base.acceleration.linear
                + alpha.cross(&arm)
                + omega.cross(&transported)
                + 2.0 * omega.cross(&v)
                + r * acceleration.linear,
        },
    ]
}
