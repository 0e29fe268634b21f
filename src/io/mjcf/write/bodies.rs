//! Robots as trees of bodies.

use std::collections::{BTreeMap, HashMap};

use super::inertial::is_heavy;
use super::layout::{Layout, Part, PartKind};
use super::pairs::Pairs;
use super::sensors::Ends;
use super::{Writer, bounded};
use crate::io::save::{Drives, Tag, indent};
use crate::robot::{JointKind, LinkId, LinkSpec, Robot, RobotBuilder};

/// Least range of a joint whose limits are equal, rad or m.
const LEAST_RANGE: f64 = 1e-9;

impl Writer<'_> {
    /// Writes a robot; its names begin with `prefix`.
    pub(super) fn robot(&mut self, robot: &Robot, spec: &RobotBuilder, prefix: &str) {
        let layout = Layout::new(robot, spec, &mut self.losses);
        let pairs = Pairs::new(robot, &layout);
        let named = pairs.named();
        let drives = self.drives(robot, spec, &layout);
        let names = self.body_names(spec, &layout, prefix);
        let joints = self.joint_names(spec, &layout, prefix);
        let heavy = heavy(spec, &layout);
        if layout.is_wrapped {
            let name = self
                .names
                .bodies
                .unique(&format!("{prefix}{}", robot.name()), "robot");
            self.bodies += &format!("    {}", Tag::new("body").word("name", &name).open());
        }
        let mut geoms: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let mut open: Vec<usize> = Vec::new();
        let mut ends = Ends::new(spec);
        for (k, body) in layout.bodies.iter().enumerate() {
            while open.len() > body.depth - usize::from(layout.is_wrapped) {
                self.close(&mut open);
            }
            let Some(link) = spec.links.get(body.link) else {
                continue;
            };
            let name = names.get(k).map_or("", String::as_str);
            let margin = indent(body.depth + 2);
            let tag = Tag::new("body").word("name", name);
            let tag = self.posed(tag, &body.pose, &link.name);
            self.bodies += &format!("{margin}{}", tag.open());
            open.push(body.depth);
            let inner = indent(body.depth + 3);
            let needs_mass = !body.parts.is_empty() && heavy.get(k) == Some(&false);
            if let Some(inertial) = self.inertial(&link.inertia, needs_mass, &link.name) {
                self.bodies += &format!("{inner}{inertial}");
            }
            for part in &body.parts {
                self.joint(part, robot, spec, &drives, &joints, inner);
            }
            let own = self.shapes(link, named.contains(&k), inner);
            geoms.insert(k, own);
            self.sites((body, name), spec, prefix, inner, &mut ends);
        }
        while !open.is_empty() {
            self.close(&mut open);
        }
        if layout.is_wrapped {
            self.bodies += "    </body>\n";
        }
        self.pairs(&pairs, &names, &geoms);
        self.couplings(&drives, spec, &joints);
        self.loops(spec, &layout, &names);
        self.sensors(spec, prefix, &ends);
        self.keys(spec, &layout);
        self.warn_of_robot(robot, spec, &layout);
    }

    fn close(&mut self, open: &mut Vec<usize>) {
        let depth = open.pop().unwrap_or(0);
        self.bodies += &format!("{}</body>\n", indent(depth + 2));
    }

    /// The names of the bodies.
    fn body_names(&mut self, spec: &RobotBuilder, layout: &Layout, prefix: &str) -> Vec<String> {
        let mut names = Vec::with_capacity(layout.bodies.len());
        for body in &layout.bodies {
            let link = spec.links.get(body.link);
            let wish = link.map_or("", |link| link.name.as_str());
            let name = self.names.bodies.unique(&format!("{prefix}{wish}"), "link");
            if name != wish {
                self.losses.add(
                    "links are renamed: names of bodies are unique, and `world` is taken",
                    wish,
                );
            }
            names.push(name);
        }
        names
    }

    /// The names of the joints, by the link that they move.
    fn joint_names(
        &mut self,
        spec: &RobotBuilder,
        layout: &Layout,
        prefix: &str,
    ) -> HashMap<usize, String> {
        let mut names = HashMap::new();
        for body in &layout.bodies {
            for part in &body.parts {
                let Some(link) = spec.links.get(part.link()) else {
                    continue;
                };
                let is_body = part.link() == body.link;
                if !is_body {
                    // a reader names the link after the joint
                    if !link.joint.is_empty() && link.joint != link.name {
                        self.losses
                            .add("joints of massless links take their names", &link.joint);
                    }
                }
                if link.joint.is_empty() && matches!(part.kind, PartKind::Free | PartKind::Ball) {
                    self.warn_of_chain(part, spec, &link.name);
                    continue;
                }
                let wish = match is_body && !link.joint.is_empty() {
                    true => &link.joint,
                    false => &link.name,
                };
                let wish = format!("{prefix}{wish}");
                let name = self.names.joints.unique(&wish, "joint");
                if name != wish {
                    self.losses
                        .add("joints of the same name are numbered", &wish);
                }
                self.warn_of_chain(part, spec, &link.name);
                names.insert(part.link(), name);
            }
        }
        names
    }

    /// Reports links between those of a joint that a reader names otherwise.
    fn warn_of_chain(&mut self, part: &Part, spec: &RobotBuilder, name: &str) {
        let suffixes: &[&str] = match part.kind {
            PartKind::Free => &["_tx", "_ty", "_tz", "_rz", "_ry"],
            PartKind::Ball => &["_rz", "_ry"],
            _ => return,
        };
        for &i in &part.links {
            let Some(link) = spec.links.get(i) else {
                continue;
            };
            let limits = &link.limits;
            if limits.q_min.is_finite() || limits.q_max.is_finite() {
                self.losses
                    .add("limits of free and ball joints are not kept", &link.name);
            }
            let is_kept = part.kind == PartKind::Ball && i == part.link();
            if link.armature != 0.0 && !is_kept {
                self.losses.add(
                    "the armature of free and ball joints is not kept",
                    &link.name,
                );
            }
            if part.kind == PartKind::Ball && link.initial != 0.0 {
                let what = "initial values of ball joints are not kept: they are zero";
                self.losses.add(what, &link.name);
            }
        }
        let is_named = part.links.iter().zip(suffixes).all(|(link, suffix)| {
            let link = spec.links.get(*link);
            link.is_some_and(|link| link.name.strip_prefix(name) == Some(*suffix))
        });
        if !is_named {
            let what = "the virtual links of free and ball joints take the name of their body";
            self.losses.add(what, name);
        }
    }

    fn joint(
        &mut self,
        part: &Part,
        robot: &Robot,
        spec: &RobotBuilder,
        drives: &Drives,
        names: &HashMap<usize, String>,
        margin: &str,
    ) {
        let Some(link) = spec.links.get(part.link()) else {
            return;
        };
        let name = names.get(&part.link()).map(String::as_str);
        let tag = match part.kind {
            PartKind::Free => Tag::new("freejoint").maybe("name", name),
            PartKind::Ball => Tag::new("joint")
                .maybe("name", name)
                .word("type", "ball")
                .nonzero("armature", link.armature),
            PartKind::Slide => Tag::new("joint").maybe("name", name).word("type", "slide"),
            PartKind::Hinge => Tag::new("joint").maybe("name", name),
        };
        let mut tag = tag;
        if part.kind != PartKind::Free && part.anchor.iter().any(|x| *x != 0.0) {
            tag = tag.numbers("pos", &part.anchor);
        }
        if matches!(part.kind, PartKind::Hinge | PartKind::Slide) {
            tag = self.scalar(tag, part, link, robot, drives);
        }
        self.bodies += &format!("{margin}{}", tag.closed());
    }

    /// Adds what a joint of one degree of freedom has.
    fn scalar(
        &mut self,
        tag: Tag,
        part: &Part,
        link: &LinkSpec,
        robot: &Robot,
        drives: &Drives,
    ) -> Tag {
        let index = part.link();
        let length = part.axis.norm();
        if (length - 1.0).abs() > 1e-9 {
            self.losses
                .add("lengths of axes are not kept: they are 1", &link.name);
        }
        let axis = match length > 0.0 {
            true => part.axis,
            false => crate::math::Vector::z(),
        };
        let mut tag = tag.numbers("axis", &axis).nonzero("ref", link.initial);
        let limits = &link.limits;
        let (low, high) = (limits.q_min, limits.q_max);
        if low > high {
            let what =
                "limits whose lower end is above the upper are not kept: MuJoCo refuses them";
            self.losses.add(what, &link.name);
        }
        let has_range = low <= high && (low.is_finite() || high.is_finite());
        if has_range {
            let wider = if low < high { 0.0 } else { LEAST_RANGE };
            if low >= high {
                let what = format!(
                    "equal limits are widened by {LEAST_RANGE:e}, because MuJoCo refuses them"
                );
                self.losses.add(what, &link.name);
            }
            if !low.is_finite() || !high.is_finite() {
                self.losses
                    .add("limits on one side get 1e10 on the other", &link.name);
            }
            let range = format!("{} {}", bounded(low - wider), bounded(high + wider));
            tag = tag.word("range", &range);
        }
        let kind = robot.joint_of(LinkId::new(index)).map(|joint| joint.kind);
        let is_read_as_spin = part.kind == PartKind::Hinge && !has_range;
        if kind == Some(JointKind::Normal) && is_read_as_spin {
            self.losses
                .add("hinges without limits are read as continuous", &link.name);
        } else if kind == Some(JointKind::Spin) && has_range {
            self.losses.add(
                "continuous joints with limits are read as revolute",
                &link.name,
            );
        }
        if limits.tau_max.is_finite() && limits.tau_max > 0.0 && !drives.has_motor(index) {
            let most = bounded(limits.tau_max);
            tag = tag.word("actuatorfrcrange", &format!("-{most} {most}"));
        }
        let [dry, viscous] = drives.friction(index);
        tag = tag
            .nonzero("armature", link.armature + drives.rotor(index))
            .nonzero("damping", viscous)
            .nonzero("frictionloss", dry);
        if let Some(spring) = link.spring {
            tag = tag
                .nonzero("stiffness", spring.stiffness)
                .nonzero("springref", spring.rest);
        }
        tag
    }

    /// Reports what MJCF cannot hold of a robot.
    fn warn_of_robot(&mut self, robot: &Robot, spec: &RobotBuilder, layout: &Layout) {
        for link in spec.links.iter().filter(|link| !link.motion.is_fixed()) {
            let limits = &link.limits;
            let has_other = [limits.v_min, limits.v_max, limits.a_max, limits.power_max];
            if has_other.iter().any(|limit| limit.is_finite()) {
                let what = "limits of velocity, acceleration and power are not kept";
                self.losses.add(what, &link.name);
            }
        }
        let named = spec.links.iter().filter(|link| !link.joint.is_empty());
        for link in named.filter(|link| link.motion.is_fixed()) {
            self.losses
                .add("names of fixed joints are not kept", &link.joint);
        }
        for effector in &spec.end_effectors {
            self.losses.add(
                "end effectors are not kept: they belong into an SRDF",
                &effector.name,
            );
        }
        for key in robot.properties().keys() {
            self.losses.add("properties are not kept", key);
        }
        match layout.bodies.as_slice() {
            [only] if only.parts.iter().any(|part| part.kind == PartKind::Free) => {
                self.losses.add(
                    "in a world a free body without others is read as a rigid object",
                    robot.name(),
                );
            }
            bodies if bodies.iter().all(|body| body.parts.is_empty()) => {
                self.losses
                    .add("a robot without joints is read as terrain", robot.name());
            }
            _ => {}
        }
    }
}

/// True for each body that has mass, by itself or by a fixed one in it, as MuJoCo wants of what moves.
fn heavy(spec: &RobotBuilder, layout: &Layout) -> Vec<bool> {
    let mut heavy: Vec<bool> = layout
        .bodies
        .iter()
        .map(|body| {
            let link = spec.links.get(body.link);
            link.is_some_and(|link| is_heavy(&link.inertia))
        })
        .collect();
    for (k, body) in layout.bodies.iter().enumerate().rev() {
        if body.parts.is_empty()
            && heavy.get(k) == Some(&true)
            && let Some(parent) = body.parent.and_then(|parent| heavy.get_mut(parent))
        {
            *parent = true;
        }
    }
    heavy
}
