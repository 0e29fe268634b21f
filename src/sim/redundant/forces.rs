//! What drives, pulls and pushes bodies.

use super::System;
use super::constraints::{JointId, Marker};
use super::joint::{JointKin, spatial};
use super::plan::Room;
use crate::math::{Point, Vector};
use crate::robot::LinkId;
use crate::{Error, Result};

/// A force and a moment on a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// The link.
    pub link: LinkId,
    /// Where the force acts, in the link, m.
    pub point: Point,
    /// N, in world axes.
    pub force: Vector,
    /// N·m, in world axes, beside the moment of the force.
    pub moment: Vector,
}

/// What drives a coordinate of a joint: `force + p (position − q) + d (velocity − q̇) − inertia · q̈`.
///
/// Of an angle q is counted on when it goes round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// The joint.
    pub joint: JointId,
    /// Which of its coordinates.
    pub coordinate: usize,
    /// The stiffness, N/m or N·m/rad.
    pub p: f64,
    /// The damping, N·s/m or N·m·s/rad.
    pub d: f64,
    /// Where to go, m or rad.
    pub position: f64,
    /// How fast to be, m/s or rad/s.
    pub velocity: f64,
    /// A force beside, N or N·m.
    pub force: f64,
    /// What turns or slides with the coordinate alone, as a rotor does: kg or kg·m².
    pub inertia: f64,
}

impl Drive {
    /// A drive that does nothing.
    #[must_use]
    pub fn new(joint: JointId, coordinate: usize) -> Self {
        Self {
            joint,
            coordinate,
            p: 0.0,
            d: 0.0,
            position: 0.0,
            velocity: 0.0,
            force: 0.0,
            inertia: 0.0,
        }
    }

    /// Whether it follows velocities or accelerations.
    pub(super) fn is_moving(&self) -> bool {
        self.d != 0.0 || self.inertia != 0.0
    }

    fn is_finite(&self) -> bool {
        let gains = [self.p, self.d, self.force, self.inertia];
        let targets = [self.position, self.velocity];
        gains.iter().chain(&targets).all(|x| x.is_finite())
    }
}

/// A spring and a damper between the origins of two frames, without mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// One end.
    pub a: Marker,
    /// The other.
    pub b: Marker,
    /// N/m.
    pub stiffness: f64,
    /// N·s/m.
    pub damping: f64,
    /// Where it does not pull, m.
    pub length: f64,
}

/// How places and velocities move with the unknown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gains {
    pub(super) q: f64,
    pub(super) v: f64,
}

impl System {
    /// Writes what drives act on coordinates, and what resists these there: in a step their stiffness alone, what follows
    /// velocities and accelerations is [bent](Self::write_bends).
    pub(super) fn drive(&mut self, gains: Gains, has_x: bool) -> Result<()> {
        let room = &mut self.room;
        for joint in 0..self.joints.len() {
            room.push[joint] = [0.0; 6];
            room.resistance[joint] = [0.0; 6];
        }
        for drive in &self.drives {
            let (joint, i) = (drive.joint.index(), drive.coordinate);
            if !drive.is_finite() {
                let what = format!("drive of joint `{}`", self.joints[joint].name);
                return Err(Error::invalid(what, "its numbers must be finite"));
            }
            let [q, dq, ddq] = room.coordinates[joint];
            room.push[joint][i] += drive.force
                + drive.p * (drive.position - q[i])
                + drive.d * (drive.velocity - dq[i])
                - drive.inertia * ddq[i];
            room.resistance[joint][i] += match has_x {
                true => gains.q * drive.p,
                false => drive.inertia,
            };
        }
        Ok(())
    }

    /// Adds loads and springs to the forces on bodies; springs tell how they pull to their rows as well.
    pub(super) fn load(&mut self, gains: Gains) -> Result<()> {
        let zero = Vector::zeros();
        for (k, load) in self.loads.iter().enumerate() {
            let numbers = load.point.coords.iter().chain(&load.force);
            if !numbers.chain(&load.moment).all(|x| x.is_finite()) {
                let what = format!("load {k} on link `{}`", self.link(load.link)?.name);
                return Err(Error::invalid(what, "its numbers must be finite"));
            }
            let marker = Marker::on(load.link).at(load.point);
            let (body, p) = self.room.place_of(&self.bodies, &self.seat(&marker)?);
            self.room.act(body, &p, &load.force, &load.moment);
            self.room.turn_force(body, &p, &load.force, &zero, gains);
        }
        for k in 0..self.springs.len() {
            let spring = self.springs[k];
            let ends = [self.seat(&spring.a)?, self.seat(&spring.b)?];
            let [(a, p_a), (b, p_b)] = ends.map(|end| self.room.place_of(&self.bodies, &end));
            let (d, kin) = (p_b - p_a, &self.room.kin);
            let length = d.norm();
            let along = if length > 0.0 { d / length } else { d };
            let rate = along.dot(&(kin[b].velocity_at(&p_b) - kin[a].velocity_at(&p_a)));
            let pull = spring.stiffness * (length - spring.length) + spring.damping * rate;
            if !pull.is_finite() {
                let problem = format!("it pulls with {pull} N, its numbers must be finite");
                return Err(Error::invalid(format!("spring {k}"), problem));
            }
            self.room.act(b, &p_b, &(along * -pull), &zero);
            self.room.act(a, &p_a, &(along * pull), &zero);
            self.room
                .turn_force(b, &p_b, &(along * -pull), &zero, gains);
            self.room.turn_force(a, &p_a, &(along * pull), &zero, gains);
            self.room
                .soften_spring(&spring, [a, b], [&p_a, &p_b], pull, gains);
        }
        Ok(())
    }
}

impl Room {
    /// Adds a force at a point, and a moment, to a body; the ground bears everything.
    pub(super) fn act(&mut self, body: usize, p: &Vector, force: &Vector, moment: &Vector) {
        if let Some(f) = self.solver.force.get_mut(body) {
            let arm = p - self.origin[body];
            *f += spatial(&(moment + arm.cross(force)), force);
        }
    }

    /// The same on both sides of a joint.
    pub(super) fn act_across(
        &mut self,
        [a, b]: [usize; 2],
        at: &JointKin,
        [force, moment]: [Vector; 2],
    ) {
        self.act(b, &at.p, &force, &moment);
        self.act(a, &at.p, &-force, &-moment);
    }
}
