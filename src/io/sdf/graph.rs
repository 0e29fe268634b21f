//! The frames of a world: where links, joints and frames are, and which link each moves with.

use std::cell::RefCell;
use std::collections::HashMap;

use super::document::{Axis, Joint, Link, Located, Model, Name, Place};
use super::fields::Notes;
use super::placed::{Graph, PlacedFrame, PlacedJoint, PlacedLink, TopModel};
use crate::Diagnostic;
use crate::io::words::closest;
use crate::math::Pose;

impl Graph {
    /// The graph of a world.
    pub(super) fn new(world: &Model, notes: &Notes<'_>) -> Result<Self, Diagnostic> {
        let mut builder = Builder {
            notes,
            nodes: Vec::new(),
            index: HashMap::new(),
            scopes: Vec::new(),
            links: Vec::new(),
            joints: Vec::new(),
            frames: Vec::new(),
            poses: RefCell::default(),
            carriers: RefCell::default(),
            graph: Self {
                gravity: world.gravity,
                ..Self::default()
            },
        };
        builder.declare(world, None, None, None)?;
        builder.refer()?;
        builder.finish()
    }
}

/// A model's names: what may refer to what.
struct Scope {
    prefix: String,
    /// Node of the model; `None` for the world.
    model: Option<usize>,
}

/// A frame of any kind.
struct Node<'d> {
    place: Place,
    /// Pose in the frame that it is given in.
    pose: Pose,
    /// The frame that it is given in, `None` for the world.
    parent: Option<usize>,
    /// What it moves with.
    moves_with: MovesWith<'d>,
    /// Reference by name, with its scope, that replaces `parent`.
    relative_to: Option<(&'d Name, usize)>,
    placement_frame: Option<(&'d Name, usize)>,
}

#[derive(Clone, Copy)]
enum MovesWith<'d> {
    World,
    Link(usize),
    Node(usize),
    /// A frame by its name in a scope, which is also what its pose is given in by default.
    Named(&'d Name, usize),
    /// A model with no link.
    Nothing,
}

struct Builder<'a, 'r, 'd> {
    notes: &'a Notes<'r>,
    nodes: Vec<Node<'d>>,
    index: HashMap<String, usize>,
    scopes: Vec<Scope>,
    /// Link, its node, its scope and its top model.
    links: Vec<(&'d Link, usize, usize, usize)>,
    joints: Vec<(&'d Joint, usize, usize)>,
    frames: Vec<(String, usize)>,
    /// Poses in the world that are known.
    poses: RefCell<Vec<Option<Pose>>>,
    /// Links of nodes that are known.
    carriers: RefCell<Vec<Option<Option<usize>>>>,
    graph: Graph,
}

impl<'d> Builder<'_, '_, 'd> {
    /// Adds the nodes of a model and of those in it.
    fn declare(
        &mut self,
        model: &'d Model,
        outer: Option<usize>,
        top: Option<usize>,
        moved: Option<Place>,
    ) -> Result<(), Diagnostic> {
        let outer_prefix = outer.map_or_else(String::new, |outer| self.scope(outer).prefix.clone());
        let is_world = outer.is_none();
        let node = match is_world {
            true => None,
            false => Some(self.add(
                model.place,
                model.pose.as_ref(),
                outer.and_then(|outer| self.scope(outer).model),
            )),
        };
        if let (Some(node), Some(outer)) = (node, outer) {
            let pose = model
                .pose
                .as_ref()
                .and_then(|pose| pose.relative_to.as_ref());
            self.node_mut(node).relative_to = pose.map(|name| (name, outer));
            if !model.is_merged {
                self.name(
                    format!("{outer_prefix}{}", model.name),
                    node,
                    &model.subject(),
                )?;
            }
        }
        let prefix = match (is_world, model.is_merged) {
            (true, _) | (_, true) => outer_prefix,
            _ => format!("{outer_prefix}{}::", model.name),
        };
        self.scopes.push(Scope {
            prefix: prefix.clone(),
            model: node,
        });
        let scope = self.scopes.len() - 1;
        if let Some(node) = node {
            let placement = model.placement_frame.as_ref();
            self.node_mut(node).placement_frame = placement.map(|name| (name, scope));
        }
        let top = match (is_world, top) {
            (true, _) => None,
            (false, Some(top)) => {
                if model.is_static
                    && let Some(top) = self.graph.models.get_mut(top)
                {
                    top.is_static = true;
                }
                Some(top)
            }
            (false, None) => {
                self.graph.models.push(TopModel {
                    name: model.name.clone(),
                    place: model.place,
                    is_static: model.is_static,
                    extras: model.extras.clone(),
                });
                Some(self.graph.models.len() - 1)
            }
        };
        let first_link = self.links.len();
        for link in &model.links {
            let own = self.add(moved.unwrap_or(link.name.place), link.pose.as_ref(), node);
            self.node_mut(own).moves_with = MovesWith::Link(self.links.len());
            self.relative(own, link.pose.as_ref(), scope);
            self.name(
                format!("{prefix}{}", link.name.text),
                own,
                &format!("link `{}`", link.name.text),
            )?;
            self.links
                .push((link, own, scope, top.expect("links are in models")));
        }
        for frame in &model.frames {
            let own = self.add(moved.unwrap_or(frame.name.place), frame.pose.as_ref(), node);
            self.node_mut(own).moves_with = match (&frame.attached_to, node) {
                (Some(name), _) => MovesWith::Named(name, scope),
                (None, Some(node)) => MovesWith::Node(node),
                (None, None) => MovesWith::World,
            };
            if let Some(name) = &frame.attached_to {
                self.node_mut(own).relative_to = Some((name, scope));
            }
            self.relative(own, frame.pose.as_ref(), scope);
            let name = format!("{prefix}{}", frame.name.text);
            self.name(name.clone(), own, &format!("frame `{}`", frame.name.text))?;
            self.frames.push((name, own));
        }
        for joint in &model.joints {
            let own = self.add(moved.unwrap_or(joint.name.place), joint.pose.as_ref(), node);
            self.node_mut(own).moves_with = MovesWith::Named(&joint.child, scope);
            self.node_mut(own).relative_to = Some((&joint.child, scope));
            self.relative(own, joint.pose.as_ref(), scope);
            self.name(
                format!("{prefix}{}", joint.name.text),
                own,
                &format!("joint `{}`", joint.name.text),
            )?;
            self.joints.push((joint, own, scope));
        }
        for inner in &model.models {
            // positions are those of the outermost file of a model
            let other_file =
                (!is_world && inner.place.file != model.place.file).then_some(model.place);
            self.declare(inner, Some(scope), top, moved.or(other_file))?;
        }
        if let Some(node) = node {
            self.node_mut(node).moves_with =
                match (&model.canonical_link, self.links.len() > first_link) {
                    (Some(name), _) => MovesWith::Named(name, scope),
                    (None, true) => MovesWith::Link(first_link),
                    (None, false) => MovesWith::Nothing,
                };
        }
        Ok(())
    }

    fn add(&mut self, place: Place, pose: Option<&'d Located>, parent: Option<usize>) -> usize {
        self.nodes.push(Node {
            place,
            pose: own(pose),
            parent,
            moves_with: MovesWith::World,
            relative_to: None,
            placement_frame: None,
        });
        self.nodes.len() - 1
    }

    /// Notes a `relative_to`.
    fn relative(&mut self, node: usize, pose: Option<&'d Located>, scope: usize) {
        if let Some(name) = pose.and_then(|pose| pose.relative_to.as_ref()) {
            self.node_mut(node).relative_to = Some((name, scope));
        }
    }

    fn name(&mut self, name: String, node: usize, subject: &str) -> Result<(), Diagnostic> {
        let place = self.node(node).place;
        if let Some(earlier) = self.index.insert(name, node) {
            let line = self.node(earlier).place.position.line;
            let problem =
                format!("line {line} has a link, joint, frame or model of this name already");
            return Err(self.notes.error(place, subject, problem));
        }
        Ok(())
    }

    /// The node of a name in a scope, `None` for the world.
    fn find(&self, name: &Name, scope: usize) -> Result<Option<usize>, Diagnostic> {
        let Scope { prefix, model } = self.scope(scope);
        let full = format!("{prefix}{}", name.text);
        if let Some(node) = self.index.get(&full) {
            return Ok(Some(*node));
        }
        match name.text.as_str() {
            "world" => return Ok(None),
            "__model__" => return Ok(*model),
            _ => {}
        }
        let known: Vec<&str> = self
            .index
            .keys()
            .filter_map(|key| key.strip_prefix(prefix.as_str()))
            .collect();
        let problem = format!("no link, joint, frame or model is named `{}`", name.text);
        let error = self.notes.error(name.place, "frame", problem);
        Err(match closest(&name.text, known.iter().copied()) {
            Some(close) => error.help(format!("did you mean `{close}`?")),
            None => error,
        })
    }

    /// Replaces names by nodes.
    fn refer(&mut self) -> Result<(), Diagnostic> {
        for i in 0..self.nodes.len() {
            if let Some((name, scope)) = self.node(i).relative_to {
                let parent = self.find(name, scope)?;
                self.node_mut(i).parent = parent;
            }
            if let MovesWith::Named(name, scope) = self.node(i).moves_with {
                let with = self.find(name, scope)?;
                self.node_mut(i).moves_with = with.map_or(MovesWith::World, MovesWith::Node);
            }
        }
        // of inner models first: frames of outer ones may be in them
        for i in (0..self.nodes.len()).rev() {
            let Some((name, scope)) = self.node(i).placement_frame else {
                continue;
            };
            let frame = self.find(name, scope)?;
            let mut to_frame = Pose::identity();
            let mut at = frame;
            for _ in 0..self.nodes.len() {
                match at {
                    Some(node) if node != i => {
                        to_frame = self.node(node).pose * to_frame;
                        at = self.node(node).parent;
                    }
                    _ => break,
                }
            }
            if at != Some(i) {
                let problem = format!("the placement frame `{}` is not in this model", name.text);
                return Err(self.notes.error(name.place, "model", problem));
            }
            let node = self.node_mut(i);
            node.pose *= to_frame.inverse();
        }
        Ok(())
    }

    /// Pose of a node in the world.
    fn pose(&self, node: Option<usize>) -> Result<Pose, Diagnostic> {
        let mut poses = self.poses.borrow_mut();
        poses.resize(self.nodes.len(), None);
        // inwards to a frame that is known, then back
        let mut passed = Vec::new();
        let mut at = node;
        let mut pose = Pose::identity();
        while let Some(i) = at {
            if let Some(known) = poses.get(i).copied().flatten() {
                pose = known;
                break;
            }
            if passed.len() > self.nodes.len() {
                return Err(self.circle(node));
            }
            passed.push(i);
            at = self.node(i).parent;
        }
        for i in passed.into_iter().rev() {
            pose *= self.node(i).pose;
            if let Some(known) = poses.get_mut(i) {
                *known = Some(pose);
            }
        }
        Ok(pose)
    }

    /// The link that a node moves with, `None` for the world.
    fn link(&self, node: Option<usize>) -> Result<Option<usize>, Diagnostic> {
        let Some(mut at) = node else {
            return Ok(None);
        };
        let mut carriers = self.carriers.borrow_mut();
        carriers.resize(self.nodes.len(), None);
        let mut passed = Vec::new();
        let link = loop {
            if let Some(known) = carriers.get(at).copied().flatten() {
                break known;
            }
            if passed.len() > self.nodes.len() {
                return Err(self.circle(node));
            }
            passed.push(at);
            match self.node(at).moves_with {
                MovesWith::Link(link) => break Some(link),
                MovesWith::World => break None,
                MovesWith::Node(next) => at = next,
                MovesWith::Named(..) => unreachable!("names were replaced by nodes"),
                MovesWith::Nothing => {
                    let problem = "it has no link to move with";
                    return Err(self.notes.error(self.node(at).place, "model", problem));
                }
            }
        };
        for i in passed {
            if let Some(known) = carriers.get_mut(i) {
                *known = Some(link);
            }
        }
        Ok(link)
    }

    fn circle(&self, node: Option<usize>) -> Diagnostic {
        let place = node.map_or_else(Place::default, |node| self.node(node).place);
        self.notes.error(
            place,
            "frame",
            "its pose refers to itself, by way of other frames",
        )
    }

    fn finish(mut self) -> Result<Graph, Diagnostic> {
        let mut graph = std::mem::take(&mut self.graph);
        for &(link, node, scope, model) in &self.links {
            let pose = self.pose(Some(node))?;
            let place = |at: Option<&Located>| -> Result<Pose, Diagnostic> {
                let name = at.and_then(|at| at.relative_to.as_ref());
                match name {
                    None => Ok(own(at)),
                    Some(name) => {
                        let frame = self.pose(self.find(name, scope)?)?;
                        Ok(pose.inverse() * frame * own(at))
                    }
                }
            };
            let all = |shapes: &[super::document::Shape]| {
                let poses = shapes.iter().map(|shape| place(shape.pose.as_ref()));
                poses.collect::<Result<Vec<_>, _>>()
            };
            let (collision, visual) = (all(&link.collision)?, all(&link.visual)?);
            let mut link = link.clone();
            link.name.place = self.node(node).place;
            graph.links.push(PlacedLink {
                name: format!("{}{}", self.scope(scope).prefix, link.name.text),
                model,
                pose,
                collision,
                visual,
                link,
            });
        }
        for &(joint, node, scope) in &self.joints {
            let prefix = &self.scope(scope).prefix;
            let pose = self.pose(Some(node))?;
            let mut axes = Vec::new();
            for axis in &joint.axes {
                let frame = match &axis.expressed_in {
                    Some(name) => self.pose(self.find(name, scope)?)?,
                    None if axis.is_of_model => self.pose(self.scope(scope).model)?,
                    None => pose,
                };
                let xyz = pose.inverse_transform_vector(&(frame * axis.xyz));
                axes.push((xyz, axis.clone()));
            }
            let leader = |axis: &Axis| {
                axis.mimic
                    .as_ref()
                    .map(|mimic| format!("{prefix}{}", mimic.joint.text))
            };
            graph.joints.push(PlacedJoint {
                name: format!("{prefix}{}", joint.name.text),
                place: self.node(node).place,
                kind: joint.kind,
                parent: self.link(self.find(&joint.parent, scope)?)?,
                child: self.link(self.find(&joint.child, scope)?)?,
                pose,
                leaders: joint.axes.iter().map(leader).collect(),
                axes,
                pitch: joint.pitch,
            });
        }
        for (name, node) in &self.frames {
            graph.frames.push(PlacedFrame {
                name: name.clone(),
                link: self.link(Some(*node))?,
                pose: self.pose(Some(*node))?,
            });
        }
        Ok(graph)
    }

    fn node(&self, i: usize) -> &Node<'d> {
        self.nodes.get(i).expect("nodes are never removed")
    }

    fn node_mut(&mut self, i: usize) -> &mut Node<'d> {
        self.nodes.get_mut(i).expect("nodes are never removed")
    }

    fn scope(&self, i: usize) -> &Scope {
        self.scopes.get(i).expect("scopes are never removed")
    }
}

/// The pose of an element in the frame that it is given in.
fn own(at: Option<&Located>) -> Pose {
    at.map_or_else(Pose::identity, |at| {
        Pose::from_parts(at.translation.into(), at.rotation)
    })
}
