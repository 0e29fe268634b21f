//! Forces in multibody systems: loads, drives, springs.

use super::MultibodySystem;
use super::constraints::{JointId, Marker};
use super::joint::{JointKin, spatial};
use super::plan::Scratch;
use crate::math::{Point, Vector};
use crate::robot::LinkId;
use crate::{Error, Result};

/// External force and moment on a link.
#[doc(alias = "apply_force")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Load {
    /// Link.
    pub link: LinkId,
    /// Point of application of the force, in the link, m.
    pub point: Point,
    /// Force, N, in world axes.
    pub force: Vector,
    /// Moment, N·m, in world axes, in addition to that of the force.
    pub moment: Vector,
}

impl Load {
    /// Zero load at the origin of a link.
    #[must_use]
    pub fn new(link: LinkId) -> Self {
        Self {
            link,
            point: Point::origin(),
            force: Vector::zeros(),
            moment: Vector::zeros(),
        }
    }

    /// Sets the point of application of the force, in the link, m.
    #[must_use]
    pub fn with_point(mut self, point: Point) -> Self {
        self.point = point;
        self
    }

    /// Sets the force, N, in world axes.
    #[must_use]
    pub fn with_force(mut self, force: Vector) -> Self {
        self.force = force;
        self
    }

    /// Sets the moment, N·m, in world axes, in addition to that of the force.
    #[must_use]
    pub fn with_moment(mut self, moment: Vector) -> Self {
        self.moment = moment;
        self
    }
}

/// Actuator of a joint's degree of freedom: `force + p (position − q) + d (velocity − q̇) − inertia · q̈`.
///
/// An angle `q` is unwrapped: it continues beyond ±π.
#[doc(alias = "actuator")]
#[doc(alias = "motor")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Drive {
    /// Joint.
    pub joint: JointId,
    /// Index of the joint's degree of freedom.
    pub dof: usize,
    /// Stiffness, N/m or N·m/rad.
    pub p: f64,
    /// Damping, N·s/m or N·m·s/rad.
    pub d: f64,
    /// Target position, m or rad.
    pub position: f64,
    /// Target velocity, m/s or rad/s.
    pub velocity: f64,
    /// Additional force, N or N·m.
    pub force: f64,
    /// Inertia that moves with this degree of freedom alone, as that of a rotor: kg or kg·m².
    #[doc(alias = "armature")]
    pub inertia: f64,
}

impl Drive {
    /// Drive without force, gains or inertia.
    #[must_use]
    pub fn new(joint: JointId, dof: usize) -> Self {
        Self {
            joint,
            dof,
            p: 0.0,
            d: 0.0,
            position: 0.0,
            velocity: 0.0,
            force: 0.0,
            inertia: 0.0,
        }
    }

    /// Sets the stiffness, N/m or N·m/rad.
    #[must_use]
    pub fn with_p(mut self, p: f64) -> Self {
        self.p = p;
        self
    }

    /// Sets the damping, N·s/m or N·m·s/rad.
    #[must_use]
    pub fn with_d(mut self, d: f64) -> Self {
        self.d = d;
        self
    }

    /// Sets the target position, m or rad.
    #[must_use]
    pub fn with_position(mut self, position: f64) -> Self {
        self.position = position;
        self
    }

    /// Sets the target velocity, m/s or rad/s.
    #[must_use]
    pub fn with_velocity(mut self, velocity: f64) -> Self {
        self.velocity = velocity;
        self
    }

    /// Sets the additional force, N or N·m.
    #[must_use]
    pub fn with_force(mut self, force: f64) -> Self {
        self.force = force;
        self
    }

    /// Sets the inertia that moves with this degree of freedom alone, kg or kg·m².
    #[must_use]
    pub fn with_inertia(mut self, inertia: f64) -> Self {
        self.inertia = inertia;
        self
    }

    /// Returns whether its force depends on velocities or accelerations.
    pub(super) fn is_moving(&self) -> bool {
        self.d != 0.0 || self.inertia != 0.0
    }

    fn is_finite(&self) -> bool {
        let gains = [self.p, self.d, self.force, self.inertia];
        let targets = [self.position, self.velocity];
        gains.iter().chain(&targets).all(|x| x.is_finite())
    }
}

/// Massless spring-damper between the origins of two frames.
#[doc(alias = "spring_damper")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Spring {
    /// First frame.
    pub a: Marker,
    /// Second frame.
    pub b: Marker,
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping, N·s/m.
    pub damping: f64,
    /// Rest length, m.
    pub length: f64,
}

impl Spring {
    /// Spring of this rest length, m, without stiffness or damping.
    #[must_use]
    pub fn new(a: Marker, b: Marker, length: f64) -> Self {
        Self {
            a,
            b,
            stiffness: 0.0,
            damping: 0.0,
            length,
        }
    }

    /// Sets the stiffness, N/m.
    #[must_use]
    pub fn with_stiffness(mut self, stiffness: f64) -> Self {
        self.stiffness = stiffness;
        self
    }

    /// Sets the damping, N·s/m.
    #[must_use]
    pub fn with_damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }
}

/// Derivatives of positions (`q`) and velocities (`v`) with respect to the unknown of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gains {
    pub(super) q: f64,
    pub(super) v: f64,
}

impl MultibodySystem {
    /// Writes the generalized forces of drives, and their diagonal terms: in a step their stiffness only; damping and
    /// inertia follow in [`write_stiffness`](Self::write_stiffness).
    pub(super) fn write_drives(&mut self, gains: Gains, has_x: bool) -> Result<()> {
        let scratch = &mut self.scratch;
        for joint in 0..self.joints.len() {
            scratch.drive_force[joint] = [0.0; 6];
            scratch.resistance[joint] = [0.0; 6];
        }
        for drive in &self.drives {
            let (joint, i) = (drive.joint.index(), drive.dof);
            if !drive.is_finite() {
                let what = format!("drive of joint `{}`", self.joints[joint].name);
                return Err(Error::invalid(what, "its numbers must be finite"));
            }
            let [q, dq, ddq] = scratch.dofs[joint];
            scratch.drive_force[joint][i] += drive.force
                + drive.p * (drive.position - q[i])
                + drive.d * (drive.velocity - dq[i])
                - drive.inertia * ddq[i];
            scratch.resistance[joint][i] += match has_x {
                true => gains.q * drive.p,
                false => drive.inertia,
            };
        }
        Ok(())
    }

    /// Adds loads and springs to the forces on bodies, and the stiffness terms of springs.
    pub(super) fn write_loads(&mut self, gains: Gains) -> Result<()> {
        let zero = Vector::zeros();
        for (k, load) in self.loads.iter().enumerate() {
            let numbers = load.point.coords.iter().chain(&load.force);
            if !numbers.chain(&load.moment).all(|x| x.is_finite()) {
                let what = format!("load {k} on link `{}`", self.link(load.link)?.name);
                return Err(Error::invalid(what, "its numbers must be finite"));
            }
            let marker = Marker::on(load.link).at(load.point);
            let (body, p) = self
                .scratch
                .position_of(&self.bodies, &self.attachment(&marker)?);
            self.scratch.apply(body, &p, &load.force, &load.moment);
            self.scratch
                .add_force_rotation(body, &p, &load.force, &zero, gains);
        }
        for k in 0..self.springs.len() {
            let spring = self.springs[k];
            let ends = [self.attachment(&spring.a)?, self.attachment(&spring.b)?];
            let [(a, p_a), (b, p_b)] = ends.map(|end| self.scratch.position_of(&self.bodies, &end));
            let (d, kin) = (p_b - p_a, &self.scratch.kin);
            let length = d.norm();
            let along = if length > 0.0 { d / length } else { d };
            let rate = along.dot(&(kin[b].velocity_at(&p_b) - kin[a].velocity_at(&p_a)));
            let tension = spring.stiffness * (length - spring.length) + spring.damping * rate;
            if !tension.is_finite() {
                let problem = format!("its tension is {tension} N, its numbers must be finite");
                return Err(Error::invalid(format!("spring {k}"), problem));
            }
            self.scratch.apply(b, &p_b, &(along * -tension), &zero);
            self.scratch.apply(a, &p_a, &(along * tension), &zero);
            self.scratch
                .add_force_rotation(b, &p_b, &(along * -tension), &zero, gains);
            self.scratch
                .add_force_rotation(a, &p_a, &(along * tension), &zero, gains);
            self.scratch
                .add_spring_stiffness(&spring, [a, b], [&p_a, &p_b], tension, gains);
        }
        Ok(())
    }
}

impl Scratch {
    /// Adds a force at a point, and a moment, to a body; those on the ground are ignored.
    pub(super) fn apply(&mut self, body: usize, p: &Vector, force: &Vector, moment: &Vector) {
        if let Some(f) = self.solver.force.get_mut(body) {
            let arm = p - self.origin[body];
            *f += spatial(&(moment + arm.cross(force)), force);
        }
    }

    /// Adds a force and moment to the second body of a joint, and the opposite ones to the first.
    pub(super) fn apply_pair(
        &mut self,
        [a, b]: [usize; 2],
        at: &JointKin,
        [force, moment]: [Vector; 2],
    ) {
        self.apply(b, &at.p, &force, &moment);
        self.apply(a, &at.p, &-force, &-moment);
    }
}
