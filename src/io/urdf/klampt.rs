//! Additions of `<klampt>` to a finished robot: mounts, self-collision pairs, sensors and controllers.

use std::collections::HashMap;
use std::path::Path;

use super::document::{At, Attached, Mount, Pair};
use super::rules::Rules;
use crate::io::context::Context;
use crate::io::is_robot;
use crate::io::position::Position;
use crate::io::report::FileReport;
use crate::io::resolve::Referrer;
use crate::io::rows::pose_from_rows;
use crate::io::words::listed;
use crate::math::Pose;
use crate::robot::{Element, LinkId, RobotBuilder};
use crate::{Diagnostic, LoadError, MissingGeometry};

/// Adds everything in `<klampt>` that is about the robot.
pub(super) fn apply(
    rules: &Rules<'_>,
    file: &Path,
    context: &mut Context<'_>,
    robot: &mut RobotBuilder,
    report: FileReport<'_>,
) -> Result<(), LoadError> {
    let Some(klampt) = rules.klampt else {
        return Ok(());
    };
    let names = Names::of(robot);
    for link in &klampt.links {
        if !names.by_name.contains_key(&link.name.value) {
            let problem = format!("no link is named `{}`; <link> is ignored", link.name.value);
            report.warn(link.name.position, "klampt", problem);
        }
    }

    // pairs of links that exist already replace the default before anything is mounted, later ones are added
    let only = &klampt.self_collision;
    let (known, unknown): (Vec<_>, Vec<_>) = only.iter().partition(|at| names.pair(at).is_some());
    if !only.is_empty() {
        robot.self_collision.only = Some(names.pairs(&known, report)?);
    }
    let mut names = names;
    for mount in &klampt.mounts {
        apply_mount(mount, &names, rules, file, context, robot, report)?;
        // a shape adds no link
        if robot.links.len() > names.in_order.len() {
            names = Names::of(robot);
        }
    }
    let late = names.pairs(&unknown, report)?;
    if let Some(only) = &mut robot.self_collision.only {
        only.extend(late);
    }
    let except: Vec<_> = klampt.no_self_collision.iter().collect();
    let except = names.pairs(&except, report)?;
    robot.self_collision.except.extend(except);

    for (key, attached) in [
        ("sensors", &klampt.sensors),
        ("controller", &klampt.controller),
    ] {
        let value = match attached {
            None => continue,
            Some(Attached::Inline(xml)) => xml.clone(),
            Some(Attached::File(name)) => {
                match context.read_xml(referrer(rules, file), &name.value) {
                    Ok(text) => text,
                    Err(trouble) => {
                        let problem = format!("`{key}`: {}; kept as it is", trouble.message);
                        report.add(Diagnostic {
                            severity: crate::Severity::Warning,
                            help: trouble.help,
                            ..report.error(name.position, "klampt", problem)
                        });
                        name.value.clone()
                    }
                }
            }
        };
        robot.properties.insert(key.to_owned(), value);
    }
    Ok(())
}

fn referrer<'a>(rules: &'a Rules<'_>, file: &'a Path) -> Referrer<'a> {
    Referrer {
        file,
        package_root: rules.package_root.as_deref(),
    }
}

fn apply_mount(
    mount: &Mount,
    names: &Names,
    rules: &Rules<'_>,
    file: &Path,
    context: &mut Context<'_>,
    robot: &mut RobotBuilder,
    report: FileReport<'_>,
) -> Result<(), LoadError> {
    let error = |problem: &str| report.error(mount.position, "klampt mount", problem);
    let link = match &mount.link {
        None => None,
        Some(name) => {
            let unknown = || names.unknown(name, mount.position, "klampt mount", report);
            Some(names.find(name).ok_or_else(unknown)?)
        }
    };
    let transform = mount.transform.as_ref();
    let placement = transform.map_or_else(Pose::identity, pose_from_rows);
    let name = mount.file.value.as_str();
    if is_robot(name) {
        let other = context
            .mounted_robot(referrer(rules, file), name)
            .map_err(|error| placed(error, mount.file.position, report))?;
        let mounted = robot.mount(link, &other, &placement, mount.prefix.as_deref());
        mounted.map_err(|problem| error(&problem.to_string()))?;
        return Ok(());
    }
    let Some(link) = link else {
        return Err(error("a shape needs a `link` to be mounted on").into());
    };
    let geometry = context
        .geometry(referrer(rules, file), name)
        .map_err(|error| placed(error.into(), mount.file.position, report))?;
    let link = robot.links.get_mut(link.index());
    let link = link.expect("names are of links of the robot");
    if let Some(geometry) = geometry {
        let element = Element::placed(geometry, placement);
        // as in a .rob: the collision shape is the visual one, too
        link.visual.push(element.clone());
        link.collision.push(element);
    } else if !name.is_empty() {
        link.missing_geometry = Some(MissingGeometry::NotLoaded);
    }
    Ok(())
}

/// Keeps an error of another file unchanged, and moves one without a file to this position.
fn placed(mut error: LoadError, position: Position, report: FileReport<'_>) -> LoadError {
    if error.diagnostic.path.is_none() {
        let here = report.error(position, "klampt mount", &error.diagnostic.message);
        error.diagnostic = Box::new(Diagnostic {
            help: error.diagnostic.help.clone(),
            ..here
        });
    }
    error
}

/// The links of a robot by name and by index.
struct Names {
    in_order: Vec<String>,
    by_name: HashMap<String, LinkId>,
}

impl Names {
    fn of(robot: &RobotBuilder) -> Self {
        let in_order: Vec<_> = robot.links.iter().map(|link| link.name.clone()).collect();
        // the first link of a name counts
        let numbered = in_order.iter().enumerate().rev();
        let by_name = numbered.map(|(i, name)| (name.clone(), LinkId::new(i)));
        Self {
            by_name: by_name.collect(),
            in_order,
        }
    }

    fn find(&self, name: &str) -> Option<LinkId> {
        match name.parse::<usize>() {
            Ok(index) => (index < self.in_order.len()).then(|| LinkId::new(index)),
            Err(_) => self.by_name.get(name).copied(),
        }
    }

    fn pair(&self, at: &At<Pair>) -> Option<(LinkId, LinkId)> {
        let (a, b) = &at.value;
        Some((self.find(a)?, self.find(b)?))
    }

    /// The links of pairs; a link with itself is left out, as Klampt does.
    fn pairs(
        &self,
        named: &[&At<Pair>],
        report: FileReport<'_>,
    ) -> Result<Vec<(LinkId, LinkId)>, Diagnostic> {
        let mut pairs = Vec::with_capacity(named.len());
        for at in named {
            let Some((a, b)) = self.pair(at) else {
                let (a, b) = &at.value;
                let lost = if self.find(a).is_none() { a } else { b };
                return Err(self.unknown(lost, at.position, "klampt self-collision", report));
            };
            if a != b {
                pairs.push((a, b));
            }
        }
        Ok(pairs)
    }

    fn unknown(
        &self,
        name: &str,
        position: Position,
        subject: &str,
        report: FileReport<'_>,
    ) -> Diagnostic {
        let problem = match name.parse::<usize>() {
            Ok(index) => format!(
                "there is no link {index}; there are {} links",
                self.in_order.len()
            ),
            Err(_) => format!("no link is named `{name}`"),
        };
        let names: Vec<&str> = self.in_order.iter().map(String::as_str).collect();
        report
            .error(position, subject, problem)
            .help(format!("links are {}", listed(&names)))
    }
}
