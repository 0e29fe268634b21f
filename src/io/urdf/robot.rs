//! Conversion of a [`Document`] to a [`RobotBuilder`]: links with their degrees of freedom, joints and drivers.

use std::collections::HashMap;
use std::path::Path;

use super::document::{Document, Joint, Kind};
use super::drivers::{Driven, drivers};
use super::inertia::{inertia, warn_of_massless};
use super::joint::{self, Coordinate, FREE};
use super::rules::{Root, Rules};
use super::shapes::{Shapes, warn_of_visual_only};
use super::tree::{Node, tree};
use crate::io::context::Context;
use crate::io::position::Position;
use crate::io::report::FileReport;
use crate::math::{Pose, so3};
use crate::robot::{JointKind, Limits, LinkId, LinkMotion, LinkSpec, RobotBuilder};
use crate::{Diagnostic, LoadError};

/// The robot of a document, with what it mounts.
pub(super) fn robot(
    document: &Document,
    file: &Path,
    context: &mut Context<'_>,
    report: FileReport<'_>,
) -> Result<RobotBuilder, LoadError> {
    let nodes = tree(document, report)?;
    let root = nodes.first().map_or("", |node| node.link.name.as_str());
    let rules = Rules::new(document, root, file, context);
    let mounts = rules.klampt.is_some_and(|klampt| !klampt.mounts.is_empty());
    if nodes.is_empty() && !mounts {
        return Err(report
            .error(document.position, "robot", "it has no <link>")
            .into());
    }
    let mut assembly = Assembly {
        robot: RobotBuilder::new(name(document, file, report)),
        rules: &rules,
        driven: Vec::new(),
        base: document.free_base.unwrap_or_else(Pose::identity),
    };
    // joints and drivers are explicit even where there are none
    assembly.robot.joints = Some(Vec::new());
    let ids = assembly.place_links(&nodes, report)?;
    let Assembly {
        mut robot, driven, ..
    } = assembly;
    robot.drivers = Some(drivers(&driven, &rules, report)?);

    if !rules.use_visual && !context.options().use_visual {
        warn_of_visual_only(document, report);
    }
    let mut shapes = Shapes::new(document, file, &rules, context);
    for (node, id) in nodes.iter().zip(&ids) {
        if let Some(id) = id {
            let link = robot.links.get_mut(id.index());
            let link = link.expect("the link of a node was added");
            shapes.give(link, node.link, report)?;
        } else if !node.link.is_bare() {
            let subject = format!("link `{}`", node.link.name);
            let problem = "it is the world itself; its mass and shapes are ignored";
            report.warn(node.link.position, &subject, problem);
        }
    }
    warn_of_massless(&robot, report, document.position);
    warn_of_links(&robot, &nodes, &ids, report);
    keep_the_rest(document, &mut robot);
    super::klampt::apply(&rules, file, context, &mut robot, report)?;
    Ok(robot)
}

/// The robot's name; that of the file where it has none.
fn name(document: &Document, file: &Path, report: FileReport<'_>) -> String {
    if let Some(name) = &document.name {
        return name.clone();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let problem = format!("<robot> has no name; it is named `{stem}` after the file");
    report.warn(document.position, "robot", problem);
    stem.into_owned()
}

/// The robot during assembly.
struct Assembly<'a, 'd> {
    robot: RobotBuilder,
    rules: &'a Rules<'d>,
    driven: Vec<Driven<'d>>,
    /// Pose of a root that nothing holds.
    base: Pose,
}

impl<'d> Assembly<'_, 'd> {
    /// Adds every link; returns the id of each node, `None` for one that is the world.
    fn place_links(
        &mut self,
        nodes: &[Node<'d>],
        report: FileReport<'_>,
    ) -> Result<Vec<Option<LinkId>>, Diagnostic> {
        let mut ids: Vec<Option<LinkId>> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let known = |parent: usize| ids.get(parent).expect("parents come before children");
            let parent = node.parent.and_then(|parent| *known(parent));
            let id = match node.joint {
                None => self.add_root(&node.link.name),
                Some(joint) => Some(self.add_child(joint, parent, report)?),
            };
            if let Some(id) = id {
                let link = self.robot.links.get_mut(id.index());
                let link = link.expect("the link was added above");
                link.joint = node.joint.map_or_else(String::new, |j| j.name.clone());
                link.inertia = inertia(node.link, self.rules, report)?;
            }
            ids.push(id);
        }
        Ok(ids)
    }

    fn add_root(&mut self, name: &str) -> Option<LinkId> {
        let weld = match self.rules.root {
            Root::World => return None,
            Root::Fixed => {
                return Some(self.robot.add_link(LinkSpec {
                    placement: self.base,
                    ..LinkSpec::new(name, None, LinkMotion::Fixed)
                }));
            }
            Root::Floating => false,
            Root::Frozen => true,
        };
        let names = (0..5).map(|i| format!("base{i}")).chain([name.to_owned()]);
        let chain: Vec<_> = names.zip(FREE).collect();
        // it has no driver
        let limits = Limits {
            tau_max: 0.0,
            ..Limits::UNLIMITED
        };
        let id = self.add_chain(chain, None, Pose::identity(), limits);
        let first = id.index() + 1 - FREE.len();
        let [roll, pitch, yaw] = so3::to_rpy(&self.base.rotation);
        let at = self.base.translation.vector;
        let initial = [at.x, at.y, at.z, yaw, pitch, roll];
        for (link, value) in self.robot.links.iter_mut().skip(first).zip(initial) {
            link.initial = value;
        }
        if weld {
            for i in first..=id.index() {
                let link = LinkId::new(i);
                self.robot.add_joint(JointKind::Weld, link, None);
            }
        } else {
            self.robot.add_joint(JointKind::Floating, id, None);
        }
        Some(id)
    }

    fn add_child(
        &mut self,
        joint: &'d Joint,
        parent: Option<LinkId>,
        report: FileReport<'_>,
    ) -> Result<LinkId, Diagnostic> {
        let placement = joint::pose(&joint.origin);
        let name = joint.child.value.as_str();
        if joint.mimic.is_some()
            && matches!(
                joint.kind,
                Kind::Fixed | Kind::Planar | Kind::Floating | Kind::Spherical
            )
        {
            let problem =
                "only a joint with one driven degree of freedom can <mimic>; it is ignored";
            report.warn(joint.position, &format!("joint `{}`", joint.name), problem);
        }
        let (kind, suffixes, motions): (_, &[&str], Vec<LinkMotion>) = match joint.kind {
            Kind::Planar => {
                let axis = joint::axis(joint, self.rules, report)?;
                let (x, y) = joint::plane(&axis);
                let motions = [x, y].map(LinkMotion::Prismatic).into_iter();
                let motions = motions.chain([LinkMotion::Revolute(axis)]).collect();
                (JointKind::FloatingPlanar, &["_tx", "_ty", ""], motions)
            }
            Kind::Spherical => {
                let rotations = FREE.get(3..).unwrap_or_default().to_vec();
                (JointKind::BallAndSocket, &["_rz", "_ry", ""], rotations)
            }
            Kind::Floating => {
                let suffixes = &["_tx", "_ty", "_tz", "_rz", "_ry", ""];
                (JointKind::Floating, suffixes, FREE.to_vec())
            }
            _ => return self.add_scalar(joint, parent, placement, report),
        };
        let names = suffixes.iter().map(|suffix| format!("{name}{suffix}"));
        let chain = names.zip(motions).collect();
        let id = self.add_chain(chain, parent, placement, joint::free_limits(joint));
        self.robot.add_joint(kind, id, parent);
        Ok(id)
    }

    /// Adds a link with at most one degree of freedom.
    fn add_scalar(
        &mut self,
        joint: &'d Joint,
        parent: Option<LinkId>,
        placement: Pose,
        report: FileReport<'_>,
    ) -> Result<LinkId, Diagnostic> {
        let Coordinate {
            motion,
            mut limits,
            kind,
        } = joint::coordinate(joint, self.rules, report)?;
        let tuning = self.rules.tuning.get(joint.child.value.as_str());
        if joint.kind != Kind::Fixed
            && let Some(a_max) = tuning.and_then(|tuning| tuning.acc_max)
        {
            limits.a_max = a_max;
        }
        let id = self.robot.add_link(LinkSpec {
            placement,
            limits,
            ..LinkSpec::new(&joint.child.value, parent, motion)
        });
        if let Some(kind) = kind {
            self.robot.add_joint(kind, id, parent);
        }
        if joint.kind != Kind::Fixed {
            self.driven.push(Driven { joint, link: id });
        }
        Ok(id)
    }

    /// Adds massless links one after the other; returns the last one.
    fn add_chain(
        &mut self,
        chain: Vec<(String, LinkMotion)>,
        mut parent: Option<LinkId>,
        mut placement: Pose,
        limits: Limits,
    ) -> LinkId {
        for (name, motion) in chain {
            parent = Some(self.robot.add_link(LinkSpec {
                placement: std::mem::replace(&mut placement, Pose::identity()),
                limits,
                ..LinkSpec::new(name, parent, motion)
            }));
        }
        parent.expect("a chain has links")
    }
}

/// Warns of doubtful links, each at its position.
fn warn_of_links(
    robot: &RobotBuilder,
    nodes: &[Node<'_>],
    ids: &[Option<LinkId>],
    report: FileReport<'_>,
) {
    let warnings = robot.check();
    if warnings.is_empty() {
        return;
    }
    let named = nodes.iter().zip(ids).filter(|(_, id)| id.is_some());
    let positions: HashMap<String, Position> = named
        .map(|(node, _)| (format!("link `{}`", node.link.name), node.link.position))
        .collect();
    for warning in warnings {
        let element = warning.element.as_deref().unwrap_or_default();
        let position = positions.get(element).copied();
        report.add(match position {
            Some(position) => report.at(position, warning),
            None => warning.in_file(report.path),
        });
    }
}

/// Keeps the elements of other programs as properties.
fn keep_the_rest(document: &Document, robot: &mut RobotBuilder) {
    let mut keep = |key: String, lines: &[String]| {
        if !lines.is_empty() {
            robot.properties.insert(key, lines.join("\n"));
        }
    };
    keep("urdf.extra".to_owned(), &document.extras);
    for link in &document.links {
        keep(format!("urdf.link_extra.{}", link.name), &link.extras);
    }
    for joint in &document.joints {
        let child = &joint.child.value;
        keep(format!("urdf.joint_extra.{child}"), &joint.extras);
    }
}
