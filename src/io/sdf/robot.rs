//! Robots: the links and joints of a component as a description of the kind that URDF has.

use std::collections::HashSet;

use super::document::{Axis, Kind};
use super::fields::Notes;
use super::link;
use super::placed::{Graph, PlacedJoint, PlacedLink};
use super::tree::{Component, Edge};
use crate::Diagnostic;
use crate::io::urdf::document::{At, Document, Dynamics, Joint, Kind as Type, Limit, Mimic};
use crate::math::{Pose, Vector};

/// The description of a component, with names without the prefix of its model.
pub(super) fn document(
    graph: &Graph,
    component: &Component,
    name: String,
    notes: &Notes<'_>,
) -> Result<Document, Diagnostic> {
    let links = component
        .steps
        .iter()
        .map(|step| graph.links.get(step.link).expect("a link"));
    let links: Vec<&PlacedLink> = links.collect();
    let first = links.first().expect("a component has a link");
    let model = graph.models.get(first.model).expect("a model");
    let mut assembly = Assembly {
        graph,
        prefix: prefix(graph, component),
        names: HashSet::new(),
        document: Document {
            name: Some(name),
            position: model.place.position,
            links: Vec::new(),
            joints: Vec::new(),
            materials: Vec::new(),
            klampt: None,
            extras: model.extras.clone(),
            free_base: (!component.is_held).then_some(first.pose),
        },
    };
    let names: Vec<String> = links
        .iter()
        .map(|link| assembly.short(&link.name))
        .collect();
    assembly.names.extend(names);
    let world = match component.is_held {
        true => Some(assembly.bare("world", model.place.position)),
        false => None,
    };
    for step in &component.steps {
        let placed = graph.links.get(step.link).expect("a link");
        let link = link::of(placed, assembly.short(&placed.name), notes)?;
        assembly.document.links.push(link);
        if let Some(edge) = step.joint {
            assembly.joint(placed, edge, world.as_deref(), notes)?;
        }
    }
    let own: HashSet<usize> = component.steps.iter().map(|step| step.link).collect();
    for frame in &graph.frames {
        if let Some(link) = frame.link.filter(|link| own.contains(link)) {
            assembly.frame(&frame.name, link, &frame.pose);
        }
    }
    Ok(assembly.document)
}

/// What the names of a component lose: that of its model, if it is of one.
pub(super) fn prefix(graph: &Graph, component: &Component) -> String {
    let links = component.steps.iter();
    let mut models = links.filter_map(|step| Some(graph.links.get(step.link)?.model));
    let first = models.next().expect("a component has a link");
    let model = graph.models.get(first).expect("a model");
    match models.all(|model| model == first) {
        true => format!("{}::", model.name),
        false => String::new(),
    }
}

struct Assembly<'a> {
    graph: &'a Graph,
    prefix: String,
    names: HashSet<String>,
    document: Document,
}

impl Assembly<'_> {
    fn short(&self, name: &str) -> String {
        name.strip_prefix(&self.prefix).unwrap_or(name).to_owned()
    }

    /// Adds a link without mass or shape; returns its name.
    fn bare(&mut self, wanted: &str, position: crate::io::position::Position) -> String {
        let mut name = wanted.to_owned();
        while !self.names.insert(name.clone()) {
            name.push('_');
        }
        self.document.links.push(link::bare(name.clone(), position));
        name
    }

    /// Adds a joint that holds `child`, with links between where it needs them.
    fn joint(
        &mut self,
        child: &PlacedLink,
        edge: Edge,
        world: Option<&str>,
        notes: &Notes<'_>,
    ) -> Result<(), Diagnostic> {
        let graph = self.graph;
        let joint = graph.joints.get(edge.joint).expect("a joint");
        let (parent, at_parent) = match edge.from.and_then(|from| graph.links.get(from)) {
            Some(link) => (self.short(&link.name), link.pose),
            None => (
                world.expect("a held component has the world").to_owned(),
                Pose::identity(),
            ),
        };
        let name = self.short(&joint.name);
        let end = self.short(&child.name);
        let to_joint = at_parent.inverse() * joint.pose;
        let from_joint = joint.pose.inverse() * child.pose;
        let sign = if edge.is_reversed { -1.0 } else { 1.0 };
        let mut axes: Vec<(Vector, &Axis)> = joint
            .axes
            .iter()
            .map(|(xyz, axis)| (xyz * sign, axis))
            .collect();
        if edge.is_reversed {
            axes.reverse();
        }
        let spec =
            |name: &str, kind, pose: &Pose, ends: [&str; 2]| plain(joint, name, kind, pose, ends);
        match (joint.kind, axes.as_slice()) {
            (Kind::Fixed, _) => {
                let fixed = spec(
                    &name,
                    Type::Fixed,
                    &(to_joint * from_joint),
                    [&parent, &end],
                );
                self.document.joints.push(fixed);
            }
            (Kind::Other, _) => {
                let subject = format!("joint `{name}`");
                notes.warn(
                    joint.place,
                    &subject,
                    "a gearbox is not read; its links are fixed to each other",
                );
                let fixed = spec(
                    &name,
                    Type::Fixed,
                    &(to_joint * from_joint),
                    [&parent, &end],
                );
                self.document.joints.push(fixed);
            }
            (Kind::Ball, _) => {
                let ball = self.bare(&format!("{name}_ball"), joint.place.position);
                self.document.joints.push(spec(
                    &name,
                    Type::Spherical,
                    &to_joint,
                    [&parent, &ball],
                ));
                let rest = spec(
                    &format!("{name}_fixed"),
                    Type::Fixed,
                    &from_joint,
                    [&ball, &end],
                );
                self.document.joints.push(rest);
            }
            (Kind::Screw, &[(xyz, axis)]) => {
                let nut = self.bare(&format!("{name}_nut"), joint.place.position);
                let turn = self.scalar(
                    joint,
                    &name,
                    (xyz, axis),
                    Type::Revolute,
                    [&parent, &nut],
                    &to_joint,
                );
                self.document.joints.push(turn);
                let mut travel = spec(
                    &format!("{name}_travel"),
                    Type::Prismatic,
                    &from_joint,
                    [&nut, &end],
                );
                travel.axis = Some(At {
                    value: (from_joint.rotation.inverse() * xyz).into(),
                    position: joint.place.position,
                });
                travel.limit = Some(unlimited(joint));
                travel.mimic = Some(Mimic {
                    joint: At {
                        value: name.clone(),
                        position: joint.place.position,
                    },
                    multiplier: Some(joint.pitch / std::f64::consts::TAU),
                    offset: None,
                });
                self.document.joints.push(travel);
            }
            (Kind::Universal, &[first, second]) => {
                let cross = self.bare(&format!("{name}_cross"), joint.place.position);
                let one = self.scalar(
                    joint,
                    &name,
                    first,
                    Type::Revolute,
                    [&parent, &cross],
                    &to_joint,
                );
                self.document.joints.push(one);
                self.placed(
                    joint,
                    &format!("{name}_2"),
                    second,
                    Type::Revolute,
                    [&cross, &end],
                    [&Pose::identity(), &from_joint],
                );
            }
            (kind, &[axis]) => {
                let kind = match kind {
                    Kind::Prismatic => Type::Prismatic,
                    _ => Type::Revolute,
                };
                self.placed(
                    joint,
                    &name,
                    axis,
                    kind,
                    [&parent, &end],
                    [&to_joint, &from_joint],
                );
            }
            _ => unreachable!("the parser gives each kind its axes"),
        }
        Ok(())
    }

    /// Adds a joint of one axis, with a link at the joint where the axis does not meet the origin of the child.
    fn placed(
        &mut self,
        joint: &PlacedJoint,
        name: &str,
        (xyz, axis): (Vector, &Axis),
        kind: Type,
        [parent, end]: [&str; 2],
        [to_joint, from_joint]: [&Pose; 2],
    ) {
        let offset = from_joint.translation.vector;
        let is_direct = kind == Type::Prismatic || xyz.cross(&offset).norm() <= 1e-12;
        if is_direct {
            let turned = from_joint.rotation.inverse() * xyz;
            let pose = to_joint * from_joint;
            let direct = self.scalar(joint, name, (turned, axis), kind, [parent, end], &pose);
            self.document.joints.push(direct);
            return;
        }
        let at = self.bare(&format!("{name}_frame"), joint.place.position);
        let moving = self.scalar(joint, name, (xyz, axis), kind, [parent, &at], to_joint);
        self.document.joints.push(moving);
        let rest = plain(
            joint,
            &format!("{name}_fixed"),
            Type::Fixed,
            from_joint,
            [&at, end],
        );
        self.document.joints.push(rest);
    }

    /// A joint of one axis.
    fn scalar(
        &self,
        joint: &PlacedJoint,
        name: &str,
        (xyz, axis): (Vector, &Axis),
        kind: Type,
        ends: [&str; 2],
        pose: &Pose,
    ) -> Joint {
        let is_endless = axis.lower == f64::NEG_INFINITY && axis.upper == f64::INFINITY;
        let is_endless = is_endless || joint.kind == Kind::Continuous;
        let kind = match kind {
            Type::Revolute if is_endless => Type::Continuous,
            kind => kind,
        };
        let position = axis.place.position;
        let index = joint
            .axes
            .iter()
            .position(|(_, own)| std::ptr::eq(own, axis));
        let leader = index.and_then(|index| joint.leaders.get(index)?.as_deref());
        let mut made = plain(joint, name, kind, pose, ends);
        made.axis = Some(At {
            value: xyz.into(),
            position,
        });
        made.limit = Some(Limit {
            position,
            lower: Some(axis.lower),
            upper: Some(axis.upper),
            velocity: Some(axis.velocity),
            effort: Some(axis.effort),
            acceleration: None,
        });
        made.dynamics = (axis.damping != 0.0 || axis.friction != 0.0).then_some(Dynamics {
            position,
            damping: Some(axis.damping),
            friction: Some(axis.friction),
        });
        made.mimic = leader
            .zip(axis.mimic.as_ref())
            .map(|(leader, mimic)| Mimic {
                joint: At {
                    value: self.short(leader),
                    position: mimic.joint.place.position,
                },
                multiplier: Some(mimic.multiplier),
                offset: Some(mimic.offset),
            });
        made
    }

    /// Adds a frame as a link without a degree of freedom.
    fn frame(&mut self, name: &str, link: usize, pose: &Pose) {
        let placed = self.graph.links.get(link).expect("a link");
        let position = placed.link.name.place.position;
        let own = self.bare(&self.short(name), position);
        self.document.joints.push(Joint {
            name: format!("{own}_fixed"),
            position,
            kind: Type::Fixed,
            origin: link::origin(&(placed.pose.inverse() * pose)),
            parent: At {
                value: self.short(&placed.name),
                position,
            },
            child: At {
                value: own,
                position,
            },
            axis: None,
            limit: None,
            dynamics: None,
            mimic: None,
            extras: Vec::new(),
        });
    }
}

/// A joint without an axis.
fn plain(
    joint: &PlacedJoint,
    name: &str,
    kind: Type,
    pose: &Pose,
    [parent, child]: [&str; 2],
) -> Joint {
    let position = joint.place.position;
    let at = |name: &str| At {
        value: name.to_owned(),
        position,
    };
    Joint {
        name: name.to_owned(),
        position,
        kind,
        origin: link::origin(pose),
        parent: at(parent),
        child: at(child),
        axis: None,
        limit: None,
        dynamics: None,
        mimic: None,
        extras: Vec::new(),
    }
}

fn unlimited(joint: &PlacedJoint) -> Limit {
    Limit {
        position: joint.place.position,
        lower: Some(f64::NEG_INFINITY),
        upper: Some(f64::INFINITY),
        velocity: Some(f64::INFINITY),
        effort: Some(f64::INFINITY),
        acceleration: None,
    }
}
