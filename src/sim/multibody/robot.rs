//! Conversion of robots to multibody systems.

use super::constraints::{Coupling, GenericJoint, JointId, Marker};
use super::forces::Drive;
use super::joint::Axes;
use super::parts::{Attachment, Body, Link};
use super::{MultibodySystem, Plan};
use crate::kinematics::{self, DriverSpace, State, check};
use crate::math::{Inertia, Motion, Point, Pose, Rotation, Vector, so3};
use crate::robot::{JointKind, LinkId, LinkMotion, LoopFrame, LoopKind, Robot};
use crate::sim::integrator::IntegratorState;
use crate::sim::tree::{Pd, in_world};
use crate::{Error, Result};

/// Mapping of a robot's degrees of freedom to the [`MultibodySystem`] that was made of it.
#[derive(Debug, Clone)]
pub struct RobotBodies {
    robot: Robot,
    // the independent value that each degree of freedom follows; those that follow none stay at their offset
    pub(super) space: DriverSpace,
    pub(super) dofs: Vec<Option<JointDof>>,
    drives: Vec<Option<usize>>,
}

/// Degree of freedom of a joint: `scale · q` of the robot's.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointDof {
    pub(super) joint: JointId,
    pub(super) index: usize,
    pub(super) scale: f64,
}

impl MultibodySystem {
    /// System of a robot, and the mapping of its degrees of freedom.
    ///
    /// | of the robot | becomes |
    /// |---|---|
    /// | a link with a degree of freedom | a body, with a joint named as [its degree of freedom](Robot::dof_name) and one free motion |
    /// | a floating or planar base, a ball and socket | one body, with a joint of its name and 6 or 3 free motions, without singular orientations |
    /// | a fixed link, a weld | a part of the body, or of the ground, that it is attached to |
    /// | a driver that moves several links | [couplings](Coupling) named after it |
    /// | armature and rotors, but for the armature of ball joints | the inertia of [drives](Drive) |
    /// | a [loop closure](Robot::loop_closures) | a joint of its kind and name |
    /// | a closed loop of a `.rob` | a spherical joint `… closed` at the origin of its link in the initial configuration |
    ///
    /// Links keep their ids and names, so that sensors are the same as those of the [tree](crate::sim::KinematicTree).
    /// Every degree of freedom has a drive, except the angles of floating bases and ball joints, which get one when
    /// [`set_pd`](RobotBodies::set_pd) needs it. Friction, springs and position limits are left out.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a degree of freedom with an axis of zero length, for a closed loop to a link without a body,
    /// and for a ball joint with an [armature](crate::dynamics#armature).
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::sim::{Integrator, Method, MultibodySystem, Steps};
    /// use kinworld::Robot;
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/robots/arm6.urdf");
    /// let robot = Robot::load(path)?.value;
    /// let (mut system, arm) = MultibodySystem::from_robot(&robot)?;
    /// assert_eq!((system.n_bodies(), system.n_constraints()), (6, 30));
    ///
    /// let mut state = arm.initial_state(&mut system, 0.0, &[0.1; 6], &[0.0; 6])?;
    /// let method = Method::GeneralizedAlpha { rho: 0.8 };
    /// Integrator::new(method, Steps::Length(1e-3))?.run(&mut system, &mut state, 0.1, &mut ())?;
    /// let [q, _dq] = arm.motion(&mut system, &state)?;
    /// assert!(q.iter().any(|q| (q - 0.1).abs() > 0.01));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn from_robot(robot: &Robot) -> Result<(Self, RobotBodies)> {
        if let Some(joint) = robot.tree().ball_joints().first() {
            let problem = "a multibody system has no armature of ball joints: set it to 0, or integrate the robot as a tree";
            let link = robot.link(robot.dofs()[joint.bodies[2]]);
            let what = format!("ball joint of link `{}`", link.name());
            return Err(Error::invalid(what, problem));
        }
        let space = DriverSpace::new(robot);
        let mut system = Self::new();
        let mut dofs = vec![None; robot.n_dofs()];
        let is_free = |id: LinkId| {
            let dof = robot.link(id).dof();
            dof.is_some_and(|dof| space.entries().any(|(i, _, _)| i == dof.index()))
        };
        let initial = {
            let mut state = State::new(robot);
            state.set_config(robot, &pinned_config(robot, &space, robot.initial_config()))?;
            state
        };
        let groups = groups(robot, is_free);
        let mut inertias: Vec<Inertia> = Vec::new();
        for (i, link) in robot.links().iter().enumerate() {
            let id = LinkId::new(i);
            let on_parent = |system: &Self, pose: &Pose| match link.parent() {
                None => Attachment::Ground(*pose),
                Some(parent) => match system.links[parent.index()].attachment {
                    Attachment::Body { body, pose: at } => Attachment::Body {
                        body,
                        pose: at * pose,
                    },
                    Attachment::Ground(at) => Attachment::Ground(at * pose),
                    Attachment::Virtual => Attachment::Virtual,
                },
            };
            let name = link.name().to_owned();
            let group = groups.iter().find(|group| group.links.contains(&id));
            let attachment = if !is_free(id) {
                let q = link.dof().map_or(0.0, |dof| space.offset()[dof.index()]);
                on_parent(&system, &(link.placement() * link.motion().pose(q)))
            } else if group.is_some_and(|group| group.link != id) {
                Attachment::Virtual
            } else {
                inertias.push(Inertia::zero());
                Attachment::Body {
                    body: inertias.len() - 1,
                    pose: Pose::identity(),
                }
            };
            let is_new = is_free(id) && !matches!(attachment, Attachment::Virtual);
            if let Attachment::Body { body, pose } = &attachment {
                inertias[*body] = inertias[*body].merged(&link.inertia().transformed(pose));
            }
            if is_new {
                if link.motion().axis().is_some_and(|axis| axis.norm() == 0.0) {
                    let problem = "its axis has zero length, so that it has no joint";
                    return Err(Error::invalid(format!("link `{name}`"), problem));
                }
                let pose = initial.pose(robot, id);
                system.bodies.push(Body {
                    name: name.clone(),
                    mass: 0.0,
                    com: Vector::zeros(),
                    moment: nalgebra::Matrix3::zeros(),
                    pose: Pose::from_parts(pose.translation, so3::orthonormalized(&pose.rotation)),
                    velocity: Motion::default(),
                });
                let first = group.map_or(id, |group| group.links[0]);
                let parent = Marker {
                    link: robot.link(first).parent(),
                    pose: *robot.link(first).placement(),
                };
                let turn = match group {
                    None => rotation_from_z(link.motion()),
                    Some(_) => Rotation::identity(),
                };
                let turn = Pose::from_parts(Vector::zeros().into(), turn);
                let axes = match (group, link.motion()) {
                    (Some(group), _) => group.axes,
                    (None, LinkMotion::Prismatic(_)) => Axes::PRISMATIC,
                    (None, _) => Axes::REVOLUTE,
                };
                system.links.push(Link { name, attachment });
                let a = parent.with_pose(parent.pose * turn);
                let b = Marker::on(id).with_pose(turn);
                let name = match (group, link.dof()) {
                    (None, Some(dof)) => robot.dof_name(dof),
                    _ => link.name(),
                };
                let joint = GenericJoint::new(name, axes, a, b);
                let joint = system.add_joint(joint)?;
                let alone = [id];
                let moved = group.map_or(&alone[..], |group| &group.links[..]);
                for (index, link) in moved.iter().enumerate() {
                    let link = robot.link(*link);
                    let scale = link.motion().axis().map_or(1.0, |axis| axis.norm());
                    if let Some(dof) = link.dof() {
                        dofs[dof.index()] = Some(JointDof {
                            joint,
                            index,
                            scale,
                        });
                    }
                }
            } else {
                system.links.push(Link { name, attachment });
            }
        }
        for (body, inertia) in system.bodies.iter_mut().zip(&inertias) {
            (body.mass, body.com) = (inertia.mass, inertia.com.coords);
            body.moment = inertia.moment;
        }
        let mut bodies = RobotBodies {
            robot: robot.clone(),
            space,
            drives: vec![None; dofs.len()],
            dofs,
        };
        bodies.add_couplings(&mut system)?;
        bodies.add_drives(&mut system);
        add_loop_joints(robot, &initial, &mut system)?;
        add_loop_closures(robot, &mut system)?;
        Ok((system, bodies))
    }
}

impl RobotBodies {
    /// Joint, and index of its degree of freedom, of a robot's degree of freedom; `None` for one that is constant.
    ///
    /// # Panics
    ///
    /// If the robot has no such degree of freedom.
    #[must_use]
    pub fn joint_dof(&self, dof: usize) -> Option<(JointId, usize)> {
        self.dofs[dof].map(|at| (at.joint, at.index))
    }

    /// Index in [`MultibodySystem::drives`] of the drive of a link's degree of freedom.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an unknown link, [`Error::Invalid`] for one without a drive.
    pub fn drive(&self, link: &str) -> Result<usize> {
        let id = self.robot.link_id(link)?;
        let dof = self.robot.link(id).dof();
        dof.and_then(|dof| self.drives[dof.index()]).ok_or_else(|| {
            let problem =
                "it has no drive: it does not move, or is an angle of a floating base or ball joint";
            Error::invalid(format!("link `{link}`"), problem)
        })
    }

    /// Sets the controller and the joint forces, as those of a tree: lists of n values or empty.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a list of another length. Nothing is changed then.
    pub fn set_pd(&mut self, system: &mut MultibodySystem, pd: &Pd, force: &[f64]) -> Result<()> {
        let n = self.dofs.len();
        let lists = [&pd.p[..], &pd.d, &pd.position, &pd.velocity, force];
        for list in lists.iter().filter(|list| !list.is_empty()) {
            kinematics::check_length("list of the controller", n, list)?;
        }
        let has = |gain: &[f64], target: &[f64]| !gain.is_empty() && !target.is_empty();
        let (has_p, has_d) = (has(&pd.p, &pd.position), has(&pd.d, &pd.velocity));
        let number = |list: &[f64], i: usize, is_used: bool| {
            if is_used && !list.is_empty() {
                list[i]
            } else {
                0.0
            }
        };
        for i in 0..n {
            let Some(at) = self.dofs[i] else {
                continue;
            };
            let (p, d) = (number(&pd.p, i, has_p), number(&pd.d, i, has_d));
            let force = number(force, i, true);
            if self.drives[i].is_none() {
                if p == 0.0 && d == 0.0 && force == 0.0 {
                    continue;
                }
                self.drives[i] = Some(system.drives.len());
                system.drives.push(Drive::new(at.joint, at.index));
            }
            let Some(drive) = self.drives[i].and_then(|drive| system.drives.get_mut(drive)) else {
                continue;
            };
            let s = at.scale;
            (drive.p, drive.d, drive.force) = (p / (s * s), d / (s * s), force / s);
            drive.position = s * number(&pd.position, i, has_p);
            drive.velocity = s * number(&pd.velocity, i, has_d);
        }
        Ok(())
    }

    /// Integrator state of a configuration and a velocity of the robot (n each), on the ground as it is at time `t`;
    /// corrected where drivers or loops couple links.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or [`Error::Invalid`] for invalid values, and as [`MultibodySystem::assemble`].
    pub fn initial_state(
        &self,
        system: &mut MultibodySystem,
        t: f64,
        q: &[f64],
        dq: &[f64],
    ) -> Result<IntegratorState> {
        check("configuration", &self.robot, q)?;
        check("velocity", &self.robot, dq)?;
        let q = pinned_config(&self.robot, &self.space, q);
        let mut dq = dq.to_vec();
        for (dq, at) in dq.iter_mut().zip(&self.dofs) {
            if at.is_none() {
                *dq = 0.0;
            }
        }
        let mut state = State::new(&self.robot);
        state.set_config(&self.robot, &q)?;
        state.set_velocity(&self.robot, &dq)?;
        let (n, base) = (system.bodies.len(), system.base.at(t)?);
        let mut y = vec![0.0; 13 * n];
        for (i, link) in system
            .links
            .iter()
            .take(self.robot.links().len())
            .enumerate()
        {
            let Attachment::Body { body, pose } = link.attachment else {
                continue;
            };
            if pose != Pose::identity() {
                continue;
            }
            let (robot, id) = (&self.robot, LinkId::new(i));
            let com = Point::from(system.bodies[body].com);
            let rotation = so3::orthonormalized(&state.pose(robot, id).rotation);
            let p_b = kinematics::world_position(robot, &state, id, &com);
            let relative = Motion {
                angular: kinematics::angular_velocity(robot, &state, id),
                linear: kinematics::point_velocity(robot, &state, id, &com),
            };
            let [v, _] = in_world(&base, &p_b, &relative, &Motion::default());
            let rotation = base.pose.rotation * rotation;
            let position = base.pose * p_b;
            y[7 * body..][..3].copy_from_slice(position.coords.as_slice());
            y[7 * body + 3..][..4].copy_from_slice(&so3::to_wxyz(&rotation));
            let local = rotation.inverse_transform_vector(&v.angular);
            y[7 * n + 6 * body..][..3].copy_from_slice(v.linear.as_slice());
            y[7 * n + 6 * body + 3..][..3].copy_from_slice(local.as_slice());
        }
        system.scratch.reset_angles();
        let mut near = vec![[f64::NAN; 6]; system.joints.len()];
        for (q, at) in q.iter().zip(&self.dofs) {
            if let Some(at) = at {
                near[at.joint.index()][at.index] = at.scale * q;
            }
        }
        for (joint, near) in near.into_iter().enumerate() {
            system.scratch.set_angles(joint, near);
        }
        let mut start = IntegratorState::new(t, y);
        system.assemble_near(&mut start)?;
        Ok(start)
    }

    /// Couples the degrees of freedom of each driver to its first.
    fn add_couplings(&self, system: &mut MultibodySystem) -> Result<()> {
        let offset = self.space.offset();
        let mut first: Vec<Option<(usize, f64)>> = vec![None; self.space.len()];
        for (i, y, scale) in self.space.entries() {
            let Some((first_dof, by)) = first[y] else {
                first[y] = Some((i, scale));
                continue;
            };
            let (Some(a), Some(b)) = (self.dofs[first_dof], self.dofs[i]) else {
                continue;
            };
            let ratio = scale / by;
            let link = |dof: usize| self.robot.link(self.robot.dofs()[dof]).name();
            system.add_coupling(Coupling {
                name: format!("{} follows {}", link(i), link(first_dof)),
                terms: vec![
                    (b.joint, b.index, 1.0 / b.scale),
                    (a.joint, a.index, -ratio / a.scale),
                ],
                value: offset[i] - ratio * offset[first_dof],
            })?;
        }
        Ok(())
    }

    fn add_drives(&mut self, system: &mut MultibodySystem) {
        let armature: Vec<f64> = self.robot.armature().collect();
        for (i, at) in self.dofs.iter().enumerate() {
            let Some(at) = at else {
                continue;
            };
            let axes = system.joints[at.joint.index()].axes;
            let n_translations = axes.translation.iter().filter(|is_free| **is_free).count();
            let is_angle = at.index >= n_translations && axes.rotation == [true; 3];
            if is_angle && armature[i] == 0.0 {
                continue;
            }
            let mut drive = Drive::new(at.joint, at.index);
            drive.inertia = armature[i] / (at.scale * at.scale);
            self.drives[i] = Some(system.drives.len());
            system.drives.push(drive);
        }
    }
}

/// Joint with several degrees of freedom and one body.
struct Group {
    link: LinkId,
    links: Vec<LinkId>,
    axes: Axes,
}

/// Joints of several degrees of freedom whose links before the last have no inertia.
fn groups(robot: &Robot, is_free: impl Fn(LinkId) -> bool) -> Vec<Group> {
    let is_bare = |id: &LinkId| {
        let inertia = robot.link(*id).inertia();
        let children = robot.links().iter().filter(|l| l.parent() == Some(*id));
        inertia.mass == 0.0 && inertia.moment.amax() == 0.0 && children.count() == 1
    };
    let group = |joint: &crate::robot::Joint| {
        let axes = match joint.kind {
            JointKind::Floating => Axes::FREE,
            JointKind::FloatingPlanar => Axes::PLANAR,
            JointKind::BallAndSocket => Axes::SPHERICAL,
            _ => return None,
        };
        let (last, before) = joint.links.split_last()?;
        let is_one = robot.is_virtual_chain(joint)
            && joint.links.iter().all(|id| is_free(*id))
            && before.iter().all(is_bare)
            && *last == joint.link;
        is_one.then(|| Group {
            link: *last,
            links: joint.links.clone(),
            axes,
        })
    };
    robot.joints().iter().filter_map(group).collect()
}

/// Adds a spherical joint for each closed loop of a robot.
fn add_loop_joints(robot: &Robot, initial: &State, system: &mut MultibodySystem) -> Result<()> {
    let closed = robot.joints().iter();
    for joint in closed.filter(|joint| joint.kind == JointKind::Closed) {
        let x = initial.pose(robot, joint.link);
        let in_base = match joint.base {
            None => x,
            Some(base) => initial.pose(robot, base).inverse() * x,
        };
        let name = format!("{} closed", robot.link(joint.link).name());
        let a = Marker {
            link: joint.base,
            pose: in_base,
        };
        let b = Marker::on(joint.link);
        system.add_joint(GenericJoint::new(name, Axes::SPHERICAL, a, b))?;
    }
    Ok(())
}

/// Adds the joints that close loops.
fn add_loop_closures(robot: &Robot, system: &mut MultibodySystem) -> Result<()> {
    for (k, closure) in robot.loop_closures().iter().enumerate() {
        let axes = match closure.kind {
            LoopKind::Spherical => Axes::SPHERICAL,
            LoopKind::Revolute => Axes::REVOLUTE,
            LoopKind::Fixed => Axes::FIXED,
        };
        let name = match closure.name.as_str() {
            "" => format!("loop {k}"),
            name => name.to_owned(),
        };
        let body = |frame: &LoopFrame| match system.links[frame.link?.index()].attachment {
            Attachment::Body { body, .. } => Some(body),
            Attachment::Ground(_) | Attachment::Virtual => None,
        };
        if body(&closure.a) == body(&closure.b) {
            // it holds what is fixed already
            continue;
        }
        let [a, b] = [closure.a, closure.b].map(|frame| Marker {
            link: frame.link,
            pose: frame.pose,
        });
        system.add_joint(GenericJoint::new(name, axes, a, b))?;
    }
    Ok(())
}

/// Rotation that takes z to the axis of a motion.
fn rotation_from_z(motion: &LinkMotion) -> Rotation {
    motion
        .axis()
        .map_or_else(Rotation::identity, |axis| so3::align(&Vector::z(), &axis))
}

/// Configuration with the dependent constant degrees of freedom at their offsets.
fn pinned_config(robot: &Robot, space: &DriverSpace, q: &[f64]) -> Vec<f64> {
    let mut out = q.to_vec();
    for i in 0..robot.n_dofs() {
        if !space.entries().any(|(j, _, _)| j == i) {
            out[i] = space.offset()[i];
        }
    }
    out
}

impl super::Scratch {
    /// Positions, velocities and accelerations of a joint; NaN for rates at singular orientations.
    pub(super) fn dof_motion(&self, plan: &Plan, j: usize) -> [[f64; 6]; 3] {
        let mut model = plan.joints[j].clone();
        model.has_angles = true;
        let ends = [&self.kin[model.a.body], &self.kin[model.b.body]];
        let q = self.unwrapped_dofs(j, &model);
        match model.at(ends) {
            Some(at) => [q, model.rates(&at, ends), model.accelerations(&at, ends)],
            None => [q, [f64::NAN; 6], [f64::NAN; 6]],
        }
    }
}
