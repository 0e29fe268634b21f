//! Conversion of a tree of bodies to a [`RobotBuilder`]: a link for each body, and one for each further degree of freedom.

use std::collections::{HashMap, HashSet};

use nalgebra::{Matrix3, Translation3};

use super::document::Place;
use super::model::{Body, Joint, JointType, Model};
use super::notes::Notes;
use super::shapes;
use crate::Diagnostic;
use crate::io::context::Context;
use crate::math::{Pose, Rotation, Vector, so3};
use crate::robot::{JointKind, JointSpring, Limits, LinkId, LinkMotion, LinkSpec, RobotBuilder};

/// Translations along x, y, z, then rotations about z, y, x.
const FREE: [(&str, LinkMotion); 6] = [
    ("_tx", LinkMotion::Prismatic(Vector::new(1.0, 0.0, 0.0))),
    ("_ty", LinkMotion::Prismatic(Vector::new(0.0, 1.0, 0.0))),
    ("_tz", LinkMotion::Prismatic(Vector::new(0.0, 0.0, 1.0))),
    ("_rz", LinkMotion::Revolute(Vector::new(0.0, 0.0, 1.0))),
    ("_ry", LinkMotion::Revolute(Vector::new(0.0, 1.0, 0.0))),
    ("_rx", LinkMotion::Revolute(Vector::new(1.0, 0.0, 0.0))),
];

/// A robot with the links of its bodies and joints.
#[derive(Debug)]
pub(super) struct Assembly {
    pub(super) robot: RobotBuilder,
    /// Indices of its bodies in the model.
    pub(super) bodies: Vec<usize>,
    /// The link of each of these bodies.
    pub(super) links: Vec<LinkId>,
    /// Its joints in MuJoCo's order.
    pub(super) joints: Vec<Placed>,
    link_of_body: HashMap<usize, LinkId>,
    /// The links of its sites and cameras, by body and index there.
    pub(super) frames: HashMap<(usize, usize), LinkId>,
}

/// A joint of a model and the links that it moves, from base to tip.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) joint: Joint,
    pub(super) links: Vec<LinkId>,
}

impl Assembly {
    /// The link of a body of the model.
    pub(super) fn link_of(&self, body: usize) -> Option<LinkId> {
        self.link_of_body.get(&body).copied()
    }

    fn link_mut(&mut self, id: LinkId) -> &mut LinkSpec {
        self.robot
            .links
            .get_mut(id.index())
            .expect("the link was added")
    }
}

/// The robot of the bodies below and including `root`.
pub(super) fn assemble(
    model: &Model,
    root: usize,
    name: String,
    context: &Context<'_>,
    notes: &mut Notes<'_>,
) -> Result<Assembly, Diagnostic> {
    let mut assembly = Assembly {
        robot: RobotBuilder::new(name),
        bodies: Vec::new(),
        links: Vec::new(),
        joints: Vec::new(),
        link_of_body: HashMap::new(),
        frames: HashMap::new(),
    };
    // joints and drivers are explicit even where there are none
    assembly.robot.joints = Some(Vec::new());
    assembly.robot.drivers = Some(Vec::new());
    let named = model.bodies.iter().map(|body| body.name.as_str());
    let names: HashSet<&str> = named.collect();
    for (index, body) in model.bodies.iter().enumerate().skip(root) {
        let is_inside = index == root || assembly.link_of_body.contains_key(&body.parent);
        if !is_inside {
            break;
        }
        let link = add_body(&mut assembly, index, body, &names);
        assembly.bodies.push(index);
        assembly.link_of_body.insert(index, link);
        assembly.links.push(link);
        let spec = assembly.link_mut(link);
        shapes::give(spec, body, context, notes)?;
    }
    add_frames(&mut assembly, model);
    let limit = context.options().limits.links;
    if assembly.robot.links.len() > limit {
        let place = model.bodies.get(root).map(|body| body.place);
        let problem = format!("the robot has more than {limit} links");
        let place = place.expect("the root is a body");
        let error = notes.error(place, &format!("body `{}`", assembly.robot.name), problem);
        return Err(error.help("raise `limits.links` of the load options"));
    }
    Ok(assembly)
}

/// Adds the links of a body; returns the one that is the body.
fn add_body(assembly: &mut Assembly, index: usize, body: &Body, names: &HashSet<&str>) -> LinkId {
    let name = body.label(index);
    let parent = match body.parent {
        0 => None,
        parent => assembly.link_of(parent),
    };
    let mut last = parent;
    let mut placement = body.pose;
    let mut inertia = body.inertia;
    let count = body.joints.len();
    for (k, joint) in body.joints.iter().enumerate() {
        let is_last = k + 1 == count;
        let anchor = match joint.kind {
            JointType::Hinge | JointType::Ball => joint.position,
            JointType::Free | JointType::Slide => Vector::zeros(),
        };
        let is_body = is_last && anchor == Vector::zeros();
        let own = match () {
            () if is_body => name.clone(),
            // a body keeps its name to itself
            () if !joint.name.is_empty() && !names.contains(joint.name.as_str()) => {
                joint.name.clone()
            }
            () => format!("{name}_joint{k}"),
        };
        let before = Placement {
            parent: last,
            pose: placement * Translation3::from(anchor),
        };
        let links = match joint.kind {
            JointType::Hinge | JointType::Slide => vec![add_scalar(assembly, joint, own, before)],
            JointType::Ball => add_chain(assembly, joint, &own, before, JointKind::BallAndSocket),
            JointType::Free => {
                let links = add_chain(assembly, joint, &own, before, JointKind::Floating);
                start_at(assembly, &links, &body.pose);
                links
            }
        };
        match (joint.kind, links.last()) {
            // that of all three angles: see `LinkSpec::armature`
            (JointType::Ball, Some(last)) => assembly.link_mut(*last).armature = joint.armature,
            (JointType::Free, _) => {
                for id in links.iter().take(3) {
                    assembly.link_mut(*id).armature = joint.armature;
                }
                // what rotates relative to the world is as if it had more inertia
                inertia.moment += Matrix3::from_diagonal_element(joint.armature);
            }
            _ => {}
        }
        last = links.last().copied();
        placement = Pose::from_parts((-anchor).into(), Rotation::identity());
        assembly.joints.push(Placed {
            joint: joint.clone(),
            links,
        });
        if is_body && let Some(id) = last {
            assembly.link_mut(id).inertia = inertia;
            return id;
        }
    }
    assembly.robot.add_link(LinkSpec {
        placement,
        inertia,
        ..LinkSpec::new(name, last, LinkMotion::Fixed)
    })
}

/// Where the first link of a joint is attached.
#[derive(Clone, Copy)]
struct Placement {
    parent: Option<LinkId>,
    pose: Pose,
}

/// Adds the link of a hinge or slide: its value is MuJoCo's `qpos`.
fn add_scalar(assembly: &mut Assembly, joint: &Joint, name: String, at: Placement) -> LinkId {
    let axis = joint.axis;
    let (motion, kind) = match joint.kind {
        JointType::Slide => (LinkMotion::Prismatic(axis), JointKind::Normal),
        _ if joint.range.is_none() => (LinkMotion::Revolute(axis), JointKind::Spin),
        _ => (LinkMotion::Revolute(axis), JointKind::Normal),
    };
    let mut limits = Limits::UNLIMITED;
    if let Some([low, high]) = joint.range {
        (limits.q_min, limits.q_max) = (low, high);
    }
    if let Some([low, high]) = joint.force_range {
        limits.tau_max = low.abs().max(high.abs());
    }
    let id = assembly.robot.add_link(LinkSpec {
        joint: joint.name.clone(),
        // the pose of the file is that of the reference value
        placement: match joint.reference {
            0.0 => at.pose,
            reference => at.pose * motion.pose(-reference),
        },
        limits,
        initial: joint.reference,
        armature: joint.armature,
        spring: (joint.stiffness > 0.0).then(|| JointSpring::new(joint.stiffness, joint.springref)),
        ..LinkSpec::new(name, at.parent, motion)
    });
    assembly.robot.add_joint(kind, id, at.parent);
    id
}

/// Adds the massless links of a ball or free joint.
fn add_chain(
    assembly: &mut Assembly,
    joint: &Joint,
    name: &str,
    at: Placement,
    kind: JointKind,
) -> Vec<LinkId> {
    let (pattern, first) = match kind {
        // the pose of a free joint is that in the world
        JointKind::Floating => (FREE.as_slice(), Pose::identity()),
        _ => (FREE.get(3..).unwrap_or_default(), at.pose),
    };
    let mut links = Vec::with_capacity(pattern.len());
    let mut parent = at.parent;
    for (k, (suffix, motion)) in pattern.iter().enumerate() {
        let is_last = k + 1 == pattern.len();
        let id = assembly.robot.add_link(LinkSpec {
            joint: if is_last {
                joint.name.clone()
            } else {
                String::new()
            },
            placement: if k == 0 { first } else { Pose::identity() },
            // nothing drives it
            limits: Limits {
                tau_max: 0.0,
                ..Limits::UNLIMITED
            },
            ..LinkSpec::new(
                if is_last {
                    name.to_owned()
                } else {
                    format!("{name}{suffix}")
                },
                parent,
                *motion,
            )
        });
        parent = Some(id);
        links.push(id);
    }
    if let Some(last) = parent {
        assembly.robot.add_joint(kind, last, at.parent);
    }
    links
}

/// Sets the initial values of a floating chain.
fn start_at(assembly: &mut Assembly, links: &[LinkId], pose: &Pose) {
    let [roll, pitch, yaw] = so3::to_rpy(&pose.rotation);
    let position = pose.translation.vector;
    let values = [position.x, position.y, position.z, yaw, pitch, roll];
    for (id, value) in links.iter().zip(values) {
        assembly.link_mut(*id).initial = value;
    }
}

/// Adds sites and cameras as fixed links, after all bodies.
fn add_frames(assembly: &mut Assembly, model: &Model) {
    let mut names: HashSet<String> = assembly
        .robot
        .links
        .iter()
        .map(|link| link.name.clone())
        .collect();
    for (body, link) in assembly
        .bodies
        .clone()
        .into_iter()
        .zip(assembly.links.clone())
    {
        let frames = model.bodies.get(body).map(|body| body.frames.as_slice());
        for (k, frame) in frames.unwrap_or_default().iter().enumerate() {
            // bodies, sites and cameras may share a name
            let name = match names.contains(&frame.name) {
                true => format!("{}_{}", frame.name, frame.kind),
                false => frame.name.clone(),
            };
            names.insert(name.clone());
            let id = assembly.robot.add_link(LinkSpec {
                placement: frame.pose,
                ..LinkSpec::new(name, Some(link), LinkMotion::Fixed)
            });
            assembly.frames.insert((body, k), id);
        }
    }
}

impl Body {
    /// Its name, or one by its number.
    pub(super) fn label(&self, index: usize) -> String {
        match self.name.as_str() {
            "" => format!("body{index}"),
            name => name.to_owned(),
        }
    }

    /// Subject of messages.
    pub(super) fn subject(&self) -> String {
        match self.name.as_str() {
            "" => "body".to_owned(),
            name => format!("body `{name}`"),
        }
    }
}

/// A place for messages about a whole model.
pub(super) fn place(model: &Model) -> Place {
    let world = model.bodies.first().expect("the world is a body");
    world.place
}
