//! Robots as models.

use std::collections::HashSet;

use super::Writer;
use super::layout::{Layout, Role};
use crate::io::save::{Drives, Tag};
use crate::io::text::{number, numbers};
use crate::math::{Inertia, Pose, Vector};
use crate::robot::{JointKind, LinkId, LinkMotion, LinkSpec, Robot, RobotBuilder, SelfCollision};

impl Writer<'_> {
    /// Writes a robot as a model.
    pub(super) fn robot(&mut self, robot: &Robot, spec: &RobotBuilder, name: &str) {
        let layout = Layout::new(robot, spec, &mut self.losses);
        let name = self.model_name(name);
        self.line(0, &Tag::new("model").word("name", &name).open());
        let is_scalar = |i: &usize| {
            let link = spec.links.get(*i);
            layout.role(*i) == Role::Link
                && !layout.welds.contains(i)
                && link.is_some_and(|link| !link.motion.is_fixed())
        };
        let scalars: HashSet<usize> = (0..spec.links.len()).filter(is_scalar).collect();
        let drives = Drives::new(robot, &scalars, &mut self.losses);
        if let Some(base) = &layout.base {
            self.link(
                &LinkSpec::new(base.clone(), None, LinkMotion::Fixed),
                base,
                None,
            );
            let tag = Tag::new("joint").word("name", &format!("{base}_joint"));
            self.line(1, &tag.word("type", "fixed").open());
            self.element(2, "parent", "world");
            self.element(2, "child", base);
            self.line(1, "</joint>\n");
        }
        for (i, link) in spec.links.iter().enumerate() {
            let own = layout.link(Some(LinkId::new(i))).to_owned();
            match layout.role(i) {
                Role::World | Role::Virtual => {}
                Role::Free => {
                    let chain = layout.free.iter().flatten();
                    let mut pose = Pose::identity();
                    for link in chain.filter_map(|i| spec.links.get(*i)) {
                        pose *= link.placement * link.motion.pose(link.initial);
                        self.warn_of_chain(link);
                    }
                    self.link(link, &own, Some((&pose, "__model__")));
                    let chain = layout.free.iter().flatten().enumerate().take(5);
                    let mut names = chain.map(|(k, i)| (k, spec.links.get(*i)));
                    if !names
                        .all(|(k, link)| link.is_some_and(|link| link.name == format!("base{k}")))
                    {
                        let what =
                            "the virtual links of a free model take the names `base0` to `base4`";
                        self.losses.add(what, &link.name);
                    }
                }
                Role::Frame => {
                    let parent = layout.link(link.parent).to_owned();
                    let tag = Tag::new("frame").word("name", &own);
                    self.line(1, &tag.word("attached_to", &parent).open());
                    self.pose(2, &link.placement, Some(&parent), &link.name);
                    self.line(1, "</frame>\n");
                }
                Role::Link => {
                    let joint = layout.joint(i).to_owned();
                    self.link(link, &own, Some((&Pose::identity(), &joint)));
                    self.joint(i, link, robot, &layout, &drives);
                }
                Role::Ball(first) => {
                    let joint = layout.joint(i).to_owned();
                    let pose = match layout.sockets.contains_key(&i) {
                        true => link.placement,
                        false => Pose::identity(),
                    };
                    self.link(link, &own, Some((&pose, &joint)));
                    self.ball(i, first, spec, &layout);
                }
            }
        }
        self.loops(spec, &layout);
        self.line(0, "</model>\n");
        self.warn_of_robot(robot, spec, &drives, &scalars);
    }

    fn ball(&mut self, i: usize, first: usize, spec: &RobotBuilder, layout: &Layout) {
        let (Some(link), Some(first)) = (spec.links.get(i), spec.links.get(first)) else {
            return;
        };
        let parent = layout.link(first.parent).to_owned();
        let tag = Tag::new("joint").word("name", layout.joint(i));
        self.line(1, &tag.word("type", "ball").open());
        self.pose(2, &first.placement, Some(&parent), &link.name);
        self.element(2, "parent", &parent);
        self.element(2, "child", layout.link(Some(LinkId::new(i))));
        self.line(1, "</joint>\n");
        let socket = layout.sockets.get(&i);
        if socket.is_none() {
            let what = "a ball joint gets a link of its own where the file is read";
            self.losses.add(what, &link.name);
        }
        let link = socket.and_then(|i| spec.links.get(*i)).unwrap_or(link);
        self.warn_of_chain(link);
        if link.initial != 0.0 {
            self.losses.add(
                "initial values of joints are not kept: they are zero",
                &link.name,
            );
        }
    }

    fn joint(
        &mut self,
        i: usize,
        link: &LinkSpec,
        robot: &Robot,
        layout: &Layout,
        drives: &Drives,
    ) {
        let kind = robot.joint_of(LinkId::new(i)).map(|joint| joint.kind);
        let is_weld = layout.welds.contains(&i);
        let is_endless = kind == Some(JointKind::Spin);
        let element = match link.motion {
            _ if is_weld => "fixed",
            LinkMotion::Fixed => "fixed",
            LinkMotion::Prismatic(_) => "prismatic",
            LinkMotion::Revolute(_) if is_endless => "continuous",
            LinkMotion::Revolute(_) => "revolute",
        };
        let parent = layout.link(link.parent).to_owned();
        let tag = Tag::new("joint").word("name", layout.joint(i));
        self.line(1, &tag.word("type", element).open());
        let pose = match is_weld {
            true => link.placement * link.motion.pose(link.initial),
            false => link.placement,
        };
        self.pose(2, &pose, Some(&parent), &link.name);
        self.element(2, "parent", &parent);
        self.element(2, "child", layout.link(Some(LinkId::new(i))));
        if let Some(axis) = link.motion.axis().filter(|_| !is_weld) {
            self.axis(i, &axis, element, link, layout, drives);
            let has_limits = link.limits.q_min.is_finite() || link.limits.q_max.is_finite();
            if element == "revolute" && !has_limits {
                self.losses.add(
                    "revolute joints without limits are read as continuous",
                    &link.name,
                );
            } else if element == "continuous" && has_limits {
                self.losses
                    .add("limits of continuous joints are not kept", &link.name);
            }
            if link.initial != 0.0 {
                self.losses.add(
                    "initial values of joints are not kept: they are zero",
                    &link.name,
                );
            }
        }
        self.line(1, "</joint>\n");
    }

    fn axis(
        &mut self,
        i: usize,
        axis: &Vector,
        element: &str,
        link: &LinkSpec,
        layout: &Layout,
        drives: &Drives,
    ) {
        let length = axis.norm();
        if (length - 1.0).abs() > 1e-9 {
            self.losses
                .add("lengths of axes are not kept: they are 1", &link.name);
        }
        let axis = match length > 0.0 {
            true => *axis,
            false => Vector::z(),
        };
        self.line(2, "<axis>\n");
        self.element(3, "xyz", &numbers(&axis));
        let limits = &link.limits;
        let mut all = Vec::new();
        if element != "continuous" {
            if limits.q_min > limits.q_max {
                let what = "limits whose lower end is above the upper are not kept: other programs refuse them";
                self.losses.add(what, &link.name);
            } else {
                all.extend([("lower", limits.q_min), ("upper", limits.q_max)]);
            }
        }
        all.extend([("effort", limits.tau_max), ("velocity", limits.v_max)]);
        all.retain(|(_, limit)| limit.is_finite());
        if !all.is_empty() {
            self.line(3, "<limit>\n");
            for (name, limit) in all {
                self.element(4, name, &number(limit));
            }
            self.line(3, "</limit>\n");
        }
        if (limits.v_min + limits.v_max).abs() > 0.0 {
            let what = "smallest velocities are not kept: they are minus the largest";
            self.losses.add(what, &link.name);
        }
        let [dry, viscous] = drives.friction(i);
        if dry != 0.0 || viscous != 0.0 || link.spring.is_some() {
            self.line(3, "<dynamics>\n");
            self.element(4, "damping", &number(viscous));
            self.element(4, "friction", &number(dry));
            if let Some(spring) = link.spring {
                self.element(4, "spring_reference", &number(spring.rest));
                self.element(4, "spring_stiffness", &number(spring.stiffness));
            }
            self.line(3, "</dynamics>\n");
        }
        for follower in drives
            .followers
            .iter()
            .filter(|follower| follower.link == i)
        {
            let master = layout.joint(follower.master).to_owned();
            self.line(3, &Tag::new("mimic").word("joint", &master).open());
            self.element(4, "multiplier", &number(follower.scale));
            self.element(4, "offset", &number(follower.offset));
            self.element(4, "reference", "0");
            self.line(3, "</mimic>\n");
        }
        self.line(2, "</axis>\n");
        if link.armature + drives.rotor(i) != 0.0 {
            self.losses
                .add("the armature of joints and rotors is not kept", &link.name);
        }
        if limits.a_max.is_finite() || limits.power_max.is_finite() {
            self.losses
                .add("limits of acceleration and power are not kept", &link.name);
        }
    }

    fn warn_of_chain(&mut self, link: &LinkSpec) {
        let limits = &link.limits;
        let has_limits = [limits.q_min, limits.q_max, limits.v_max, limits.a_max]
            .iter()
            .any(|limit| limit.is_finite());
        if has_limits {
            self.losses
                .add("limits of free and ball joints are not kept", &link.name);
        }
        if link.armature != 0.0 {
            self.losses
                .add("the armature of joints and rotors is not kept", &link.name);
        }
    }

    /// Reports what SDF cannot hold of a robot.
    fn warn_of_robot(
        &mut self,
        robot: &Robot,
        spec: &RobotBuilder,
        drives: &Drives,
        scalars: &HashSet<usize>,
    ) {
        for motor in &drives.motors {
            if motor.p != 0.0 || motor.d != 0.0 {
                self.losses.add("gains are not kept", &motor.name);
            }
        }
        let mut undriven: Vec<usize> = scalars.difference(&drives.driven).copied().collect();
        undriven.sort_unstable();
        for link in undriven.into_iter().filter_map(|i| spec.links.get(i)) {
            self.losses
                .add("joints without a driver get one each", &link.name);
        }
        if differs(robot, spec) {
            self.losses.say("the self-collision rules are not kept");
        }
        for group in &spec.groups {
            self.losses
                .add("groups are not kept: they belong into an SRDF", &group.name);
        }
        for state in &spec.named_states {
            self.losses.add(
                "named states are not kept: they belong into an SRDF",
                &state.name,
            );
        }
        for effector in &spec.end_effectors {
            self.losses.add(
                "end effectors are not kept: they belong into an SRDF",
                &effector.name,
            );
        }
        for sensor in &spec.sensors {
            self.losses.add("sensors are not kept", &sensor.name);
        }
        for key in robot.properties().keys() {
            self.losses.add("properties are not kept", key);
        }
        let is_massless = |link: &&LinkSpec| {
            link.inertia == Inertia::zero()
                && !(link.collision.is_empty() && link.visual.is_empty())
        };
        for link in spec.links.iter().filter(is_massless) {
            self.losses
                .add("links have no mass, which Gazebo refuses", &link.name);
        }
        if spec.links.len() == 1 {
            self.losses.add(
                "in a world a single link is read as a rigid object or terrain",
                robot.name(),
            );
        }
    }
}

/// Returns whether a robot has other self-collision pairs than those of the default rule.
fn differs(robot: &Robot, spec: &RobotBuilder) -> bool {
    let rule = &spec.self_collision;
    if rule.only.is_none() && rule.except.is_empty() {
        return false;
    }
    let plain = RobotBuilder {
        self_collision: SelfCollision::default(),
        ..spec.clone()
    };
    let Ok(plain) = plain.build() else {
        return true;
    };
    let is_shaped = |link: LinkId| !robot.link(link).collision().is_empty();
    let own = robot.self_collision_pairs();
    let own = own.filter(|(a, b)| is_shaped(*a) && is_shaped(*b));
    !own.eq(plain.self_collision_pairs())
}
