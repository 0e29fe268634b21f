//! Writer of robots as `.rob` text: every number with all its digits, no value left to a default.

mod joints;
mod pairs;
mod shapes;

use super::JOINT_NAME;
use crate::Diagnostic;
use crate::io::save::Output;
use crate::io::srdf::groups_text;
use crate::io::text::{fits_quotes, number, numbers, pose};
use crate::math::Vector;
use crate::robot::{Limits, LinkMotion, LinkSpec, Robot, RobotBuilder};

/// The text of a robot for a file called `stem`; `prefix` precedes the names of files in the folder of `output`.
pub(crate) fn write(
    robot: &Robot,
    stem: &str,
    prefix: &str,
    output: &mut Output,
) -> Result<String, Diagnostic> {
    if robot.links().is_empty() {
        let error = Diagnostic::error("a .rob needs at least one link");
        return Err(error.help("add a link, or save another robot"));
    }
    let spec = RobotBuilder::from(robot);
    let mut writer = Writer {
        robot,
        spec: &spec,
        prefix,
        output,
        text: String::new(),
    };
    writer.tree();
    writer.limits();
    writer.masses();
    writer.shapes();
    writer.joints();
    writer.drivers();
    writer.pairs();
    writer.properties(stem);
    Ok(writer.text)
}

/// A file that is being written.
struct Writer<'a> {
    robot: &'a Robot,
    spec: &'a RobotBuilder,
    prefix: &'a str,
    output: &'a mut Output,
    text: String,
}

impl Writer<'_> {
    /// A statement of one line.
    fn line(&mut self, keyword: &str, words: &str) {
        self.text += &format!("{keyword} {words}\n");
    }

    /// A statement with a line for each link.
    fn lines(&mut self, keyword: &str, word: impl Fn(&LinkSpec) -> String) {
        let words: Vec<String> = self.spec.links.iter().map(word).collect();
        self.line(keyword, &words.join(" \\\n  "));
    }

    /// A statement with a number for each link.
    fn list(&mut self, keyword: &str, value: impl Fn(&LinkSpec) -> f64) {
        let values: Vec<f64> = self.spec.links.iter().map(value).collect();
        self.line(keyword, &numbers(&values));
    }

    fn tree(&mut self) {
        let links = &self.spec.links;
        let names: Vec<String> = links.iter().map(|link| self.quoted(&link.name)).collect();
        let changed = links.iter().filter(|link| !fits_quotes(&link.name)).count();
        if changed > 0 {
            let lost = "some characters in names are written as `_`: a .rob cannot hold quotes, `#` and backslashes";
            self.output.warn(lost);
        }
        self.line("links", &names.join(" "));
        let parent = |link: &LinkSpec| match link.parent {
            Some(parent) => parent.index().to_string(),
            None => "-1".to_owned(),
        };
        let parents: Vec<String> = links.iter().map(parent).collect();
        self.line("parents", &parents.join(" "));
        let letter = |link: &LinkSpec| match link.motion {
            LinkMotion::Prismatic(_) => "p",
            LinkMotion::Revolute(_) | LinkMotion::Fixed => "r",
        };
        let letters: Vec<&str> = links.iter().map(letter).collect();
        self.line("jointtype", &letters.join(" "));
        self.lines("tparent", |link| pose(&link.placement));
        let axis = |link: &LinkSpec| link.motion.axis().unwrap_or_else(Vector::z);
        self.lines("axis", |link| numbers(&axis(link)));

        let fixed = links.iter().filter(|link| link.motion.is_fixed()).count();
        if fixed > 0 {
            self.output.warn(format!(
                "{fixed} of {} links have no degree of freedom; each gets one in a .rob, fixed at 0 by a weld",
                links.len()
            ));
        }
        if self.spec.links.iter().any(|link| link.spring.is_some()) {
            self.output.warn("springs of joints are not kept");
        }
        if !self.spec.loop_closures.is_empty() {
            self.output.warn("loop closures are not kept");
        }
        if !self.spec.sensors.is_empty() {
            self.output.warn("sensors are not kept");
        }
        if robot_has_rotors(self.spec) {
            self.output
                .warn("inertias of rotors and gears are not kept");
        }
    }

    fn limits(&mut self) {
        self.list("qmin", |link| limits(link).q_min);
        self.list("qmax", |link| limits(link).q_max);
        self.list("velmin", |link| limits(link).v_min);
        self.list("velmax", |link| limits(link).v_max);
        self.list("accmax", |link| limits(link).a_max);
        self.list("torquemax", |link| limits(link).tau_max);
        let has_power = |link: &LinkSpec| limits(link).power_max.is_finite();
        if self.spec.links.iter().any(has_power) {
            self.list("powermax", |link| limits(link).power_max);
        }
        self.list("q", |link| {
            if link.motion.is_fixed() {
                0.0
            } else {
                link.initial
            }
        });
    }

    fn masses(&mut self) {
        self.list("mass", |link| link.inertia.mass);
        self.lines("com", |link| numbers(&link.inertia.com.coords));
        self.lines("inertia", |link| numbers(&link.inertia.moment.transpose()));
    }

    fn properties(&mut self, stem: &str) {
        // the default name of a robot is that of its file
        if self.spec.name != stem {
            let name = escaped(&self.spec.name);
            self.line("property name", &format!("\"{name}\""));
        }
        let named = self.spec.links.iter().filter(|link| !link.joint.is_empty());
        let names = named.map(|link| (format!("{JOINT_NAME}{}", link.name), link.joint.clone()));
        let names: Vec<(String, String)> = names.collect();
        let names = names.iter().map(|(key, name)| (key, name));
        // the text of an SRDF that was read holds the groups
        let srdf = groups_text(self.spec).filter(|_| !self.spec.properties.contains_key("srdf"));
        let srdf = srdf.map(|text| ("srdf".to_owned(), text));
        let names = names.chain(srdf.iter().map(|(key, text)| (key, text)));
        for (key, value) in names.chain(&self.spec.properties) {
            if key.is_empty() || key == "name" || !fits_quotes(key) {
                let lost = format!("the property `{key}` is not kept: a .rob cannot hold its name");
                self.output.warn(lost);
                continue;
            }
            let line = format!("\"{}\"", escaped(value));
            self.line(&format!("property \"{key}\""), &line);
        }
    }

    /// A name in quotes.
    fn quoted(&self, name: &str) -> String {
        if fits_quotes(name) {
            return format!("\"{name}\"");
        }
        let fits = |c: char| {
            if fits_quotes(c.encode_utf8(&mut [0; 4])) {
                c
            } else {
                '_'
            }
        };
        format!("\"{}\"", name.chars().map(fits).collect::<String>())
    }
}

/// Limits of a link; those of a weld if it has no degree of freedom.
fn limits(link: &LinkSpec) -> Limits {
    if !link.motion.is_fixed() {
        return link.limits;
    }
    Limits {
        q_min: 0.0,
        q_max: 0.0,
        v_min: 0.0,
        v_max: 0.0,
        a_max: 0.0,
        ..Limits::UNLIMITED
    }
}

fn robot_has_rotors(spec: &RobotBuilder) -> bool {
    let drivers = spec.drivers.iter().flatten();
    drivers.into_iter().any(|driver| driver.rotor.inertia > 0.0)
        || spec.links.iter().any(|link| link.armature > 0.0)
}

/// Text from which `unescaped` restores the value; a `#` would begin a comment even in quotes.
fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '\\' => text.push_str("\\\\"),
            '"' => text.push_str("\\\""),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '#' => text.push_str("\\x23"),
            c => text.push(c),
        }
    }
    text
}

/// A number for a statement.
fn word(x: f64) -> String {
    number(x)
}
