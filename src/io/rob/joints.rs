//! The joints of a `.rob`.

use std::collections::HashMap;

use super::build::Build;
use super::document::JointLine;
use crate::Diagnostic;
use crate::io::position::Position;
use crate::io::words::closest;
use crate::robot::{JointKind, JointSpec, LinkId, LinkSpec};

impl Build<'_, '_> {
    /// Adds the joints of the file, else one per link.
    pub(super) fn add_joints(&mut self) -> Result<(), Diagnostic> {
        if self.doc.joints.is_empty() {
            let links = self.robot.links.iter().enumerate();
            let joints = links.map(|(i, link)| default_joint(i, link));
            self.robot.joints = Some(joints.collect());
            return Ok(());
        }
        let mut owners: HashMap<usize, Position> = HashMap::new();
        let mut joints = Vec::with_capacity(self.doc.joints.len());
        for line in &self.doc.joints {
            let joint = self.joint(line)?;
            for i in self.chain(line, &joint)? {
                if let Some(first) = owners.insert(i, line.kind.position) {
                    let message = format!("link {i} has a joint already, at line {}", first.line);
                    return Err(self.error(line.link.position, message));
                }
            }
            joints.push(joint);
        }
        let free: Vec<String> = (0..self.n)
            .filter(|i| !owners.contains_key(i))
            .map(|i| i.to_string())
            .collect();
        if let (Some(first), Some(line)) = (free.first(), self.doc.joints.first()) {
            let message = match free.len() {
                1 => format!("link {first} belongs to no joint"),
                n => format!("{n} links belong to no joint, the first is {first}"),
            };
            self.warn(
                line.kind.position,
                message,
                "give each link a `joint` line, or none at all",
            );
        }
        self.robot.joints = Some(joints);
        Ok(())
    }

    fn joint(&self, line: &JointLine<'_>) -> Result<JointSpec, Diagnostic> {
        let link = self.link(&line.link)?;
        let kind = match line.kind.text.to_ascii_lowercase().as_str() {
            "weld" => JointKind::Weld,
            "normal" => JointKind::Normal,
            "spin" => JointKind::Spin,
            "floating" => JointKind::Floating,
            // Klampt writes the second spelling
            "floatingplanar" | "floating2d" => JointKind::FloatingPlanar,
            "ballandsocket" => JointKind::BallAndSocket,
            "closed" => JointKind::Closed,
            other => {
                const KNOWN: [&str; 6] = [
                    "weld",
                    "normal",
                    "spin",
                    "floating",
                    "floatingplanar",
                    "ballandsocket",
                ];
                let message = format!("`{}` is not a type of joint", line.kind.text);
                let error = self.error(line.kind.position, message);
                return Err(match closest(other, KNOWN) {
                    Some(known) => error.help(format!("did you mean `{known}`?")),
                    None => error.help(format!("known are {}", KNOWN.join(", "))),
                });
            }
        };
        let base = match &line.base {
            Some(word) if kind.dofs() != Some(1) => self.link_or_world(word)?,
            _ => None,
        };
        Ok(JointSpec { kind, link, base })
    }

    /// The links whose degrees of freedom a joint owns, from the base on.
    fn chain(&mut self, line: &JointLine<'_>, joint: &JointSpec) -> Result<Vec<usize>, Diagnostic> {
        let Some(wanted) = joint.kind.dofs() else {
            return Ok(Vec::new());
        };
        if wanted == 1 {
            if let Some(base) = &line.base {
                let message = format!("a {} joint has no base; it is ignored", joint.kind.name());
                self.warn(base.position, message, "remove it");
            }
            return Ok(vec![joint.link.index()]);
        }

        // from the link towards the root; parents form no cycle here
        let mut chain = Vec::new();
        let mut next = Some(joint.link);
        while next != joint.base {
            let Some(link) = next else {
                let message = format!(
                    "the base of the joint, link {}, is not an ancestor of link {}",
                    joint.base.map_or(0, LinkId::index),
                    joint.link.index()
                );
                let position = line.base.map_or(line.link.position, |base| base.position);
                return Err(self.error(position, message));
            };
            chain.push(link.index());
            let spec = self.robot.links.get(link.index());
            next = spec.and_then(|spec| spec.parent);
        }
        chain.reverse();
        if chain.len() != wanted {
            let base = match joint.base {
                Some(base) => format!("link {}", base.index()),
                None => "the world".to_owned(),
            };
            let message = format!(
                "a {} joint groups {wanted} links, but between {base} and link {} there are {}",
                joint.kind.name(),
                joint.link.index(),
                chain.len()
            );
            let help = match (joint.kind, chain.len()) {
                (JointKind::Floating, 3) => {
                    "three links are a `ballandsocket` or a `floatingplanar` joint, or three `normal` ones"
                }
                _ => {
                    "give the link at the end of the chain, and as base the link that the chain is attached to"
                }
            };
            return Err(self.error(line.link.position, message).help(help));
        }
        let motions = match joint.kind {
            JointKind::Floating => "XYZzyx",
            JointKind::FloatingPlanar => "XYz",
            _ => "zyx",
        };
        self.warn_of_chain(line.kind.position, joint.kind.name(), &chain, motions);
        Ok(chain)
    }
}

/// The joint of a link in a file without `joint` lines: normal, but a root that cannot move is welded.
fn default_joint(i: usize, link: &LinkSpec) -> JointSpec {
    let is_still = link.limits.v_min == 0.0 && link.limits.v_max == 0.0;
    let kind = if link.parent.is_none() && is_still {
        JointKind::Weld
    } else {
        JointKind::Normal
    };
    JointSpec {
        kind,
        link: LinkId::new(i),
        base: None,
    }
}
