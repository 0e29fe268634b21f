//! Writer of robots as URDF.
//!
//! A robot without fixed links is written with a `<klampt>` element, under whose rules welds keep their degrees of freedom,
//! self-collision pairs and gains are kept, and a root link `world` is no link. Any other robot is written plainly.

mod drivers;
mod joints;
mod plan;
mod shapes;

use std::fmt::Write as _;

use crate::Diagnostic;
use crate::io::save::Output;
use crate::io::text::{is_xml, number, xml_attribute};
use crate::robot::{LinkId, Robot, RobotBuilder};
use plan::{Plan, Root};

/// The text of a robot; `output` takes its shapes, and reports what URDF cannot hold.
pub(crate) fn write(robot: &Robot, output: &mut Output) -> Result<String, Diagnostic> {
    if robot.links().is_empty() {
        let error = Diagnostic::error("a URDF needs at least one link");
        return Err(error.help("add a link, or save another robot"));
    }
    let spec = RobotBuilder::from(robot);
    let plan = Plan::new(robot, output);
    let mut writer = Writer {
        robot,
        spec: &spec,
        plan: &plan,
        output,
        text: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"),
    };
    writer.all();
    Ok(writer.text)
}

/// A file that is being written.
struct Writer<'a> {
    robot: &'a Robot,
    spec: &'a RobotBuilder,
    plan: &'a Plan,
    output: &'a mut Output,
    text: String,
}

impl Writer<'_> {
    fn all(&mut self) {
        let plan = self.plan;
        let _ = writeln!(
            self.text,
            "<robot name={}>",
            xml_attribute(self.robot.name())
        );
        if let Root::Extra(name) = &plan.root {
            let _ = writeln!(self.text, "  <link name={}/>", xml_attribute(name));
        }
        let spec = self.spec;
        let numbered = plan.order.iter().map(|&i| (i, spec.links.get(i)));
        let written = numbered.filter_map(|(i, link)| Some((i, link?)));
        for (i, link) in written.clone() {
            self.link(i, link);
        }
        let drives = self.drives();
        for (i, link) in written {
            self.joint(i, link, &drives);
        }
        if plan.has_klampt {
            self.klampt(&drives);
        }
        self.verbatim("urdf.extra", "  ");
        self.text += "</robot>\n";
        self.warn();
    }

    /// Writes elements of other programs verbatim.
    fn verbatim(&mut self, key: &str, indent: &str) {
        let Some(text) = self.spec.properties.get(key) else {
            return;
        };
        if is_xml(text) {
            let _ = writeln!(self.text, "{indent}{text}");
        } else {
            self.output
                .warn(format!("the property `{key}` is not kept: it is not XML"));
        }
    }

    /// The name of a link in the file.
    fn name(&self, i: usize) -> String {
        xml_attribute(self.plan.name(i))
    }

    fn klampt(&mut self, drives: &drivers::Drives) {
        let frame = self.plan.world_frame();
        let _ = writeln!(
            self.text,
            "  <klampt default_mass=\"0\" default_inertia=\"0\" default_acc_max=\"{}\" world_frame={}>",
            number(f64::MAX),
            xml_attribute(&frame)
        );
        for &i in &self.plan.order {
            if let Some([p, i_gain, d]) = drives.gains(i) {
                let _ = writeln!(
                    self.text,
                    "    <link name={} servoP=\"{}\" servoI=\"{}\" servoD=\"{}\"/>",
                    self.name(i),
                    number(p),
                    number(i_gain),
                    number(d)
                );
            }
        }
        let rule = &self.spec.self_collision;
        if rule.only.as_ref().is_some_and(Vec::is_empty) {
            self.output
                .warn("the absence of self-collision tests is not kept");
        }
        self.pairs("selfcollision", rule.only.as_deref().unwrap_or_default());
        self.pairs("noselfcollision", &rule.except);
        for key in ["sensors", "controller"] {
            match self.spec.properties.get(key) {
                Some(text) if text.trim_start().starts_with(&format!("<{key}")) && is_xml(text) => {
                    let _ = writeln!(self.text, "    {text}");
                }
                Some(_) => self.output.warn(format!(
                    "the property `{key}` is not kept: it is not a <{key}>"
                )),
                None => {}
            }
        }
        self.text += "  </klampt>\n";
    }

    fn pairs(&mut self, element: &str, pairs: &[(LinkId, LinkId)]) {
        // in the order in which a reader numbers the links
        let rank = |link: LinkId| (self.plan.rank(link), link);
        let sorted = |&(a, b): &(LinkId, LinkId)| (rank(a).min(rank(b)), rank(a).max(rank(b)));
        let mut pairs: Vec<_> = pairs.iter().map(sorted).collect();
        pairs.sort_unstable();
        let is_separator = |c: char| c == '"' || c.is_whitespace();
        for ((_, a), (_, b)) in pairs {
            let [a, b] = [a, b].map(|link| self.plan.name(link.index()));
            // a name that reads as a number would be an index
            let is_lost = |name: &str| name.contains(is_separator) || name.parse::<usize>().is_ok();
            if is_lost(a) || is_lost(b) {
                let lost = format!("the {element} of `{a}` and `{b}` is not kept");
                self.output.warn(lost);
                continue;
            }
            let pair = xml_attribute(&format!("{a} {b}"));
            let _ = writeln!(self.text, "    <{element} pairs={pair}/>");
        }
    }

    /// Reports what URDF cannot hold.
    fn warn(&mut self) {
        let spec = self.spec;
        let has_rule = spec.self_collision.only.is_some() || !spec.self_collision.except.is_empty();
        if has_rule && !self.plan.has_klampt {
            self.output.warn("the self-collision rules are not kept");
        }
        if spec.links.iter().any(|link| link.initial != 0.0) {
            self.output
                .warn("the initial configuration is not kept: it is zero");
        }
        if !spec.groups.is_empty() || !spec.named_states.is_empty() {
            self.output
                .warn("groups and named states are not kept: they belong into an SRDF");
        }
        if spec
            .links
            .iter()
            .any(|link| link.limits.power_max.is_finite())
        {
            self.output.warn("limits of power are not kept");
        }
        let springs = spec.links.iter().filter(|link| link.spring.is_some());
        let springs = springs.count();
        if springs > 0 {
            self.output.warn(format!(
                "the springs of {springs} degrees of freedom are not kept"
            ));
        }
        if !spec.loop_closures.is_empty() {
            self.output.warn("loop closures are not kept");
        }
        if !spec.sensors.is_empty() {
            self.output.warn("sensors are not kept");
        }
        let heavy = spec
            .links
            .iter()
            .filter(|link| link.armature != 0.0)
            .count();
        if heavy > 0 {
            self.output.warn(format!(
                "the armature of {heavy} degrees of freedom is not kept"
            ));
        }
        let is_kept = |key: &str| {
            let known = ["urdf.extra", "urdf.link_extra.", "urdf.joint_extra."];
            known.iter().any(|known| key.starts_with(known))
                || (self.plan.has_klampt && matches!(key, "sensors" | "controller"))
        };
        let lost: Vec<&str> = spec
            .properties
            .keys()
            .map(String::as_str)
            .filter(|key| !is_kept(key))
            .collect();
        if !lost.is_empty() {
            self.output
                .warn(format!("properties are not kept: {}", lost.join(", ")));
        }
    }
}
