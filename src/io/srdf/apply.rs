//! Effect of an SRDF on a robot: pairs that are not tested, groups, states and end effectors. Unknown names are reported.

use std::collections::{HashMap, HashSet};

use super::{LinkPair, Srdf, groups, parse};
use crate::io::context::Context;
use crate::io::position::Position;
use crate::io::report::{FileReport, Report};
use crate::io::source::FilePath;
use crate::robot::{LinkId, RobotBuilder};
use crate::{Diagnostic, LoadError};

/// Applies the SRDF in a file to a robot; returns whether it is for this one.
///
/// Among several robots, only the one of the SRDF's name changes; a single robot changes whatever its name.
pub(in crate::io) fn apply(
    context: &mut Context<'_>,
    file: &FilePath,
    robot: &mut RobotBuilder,
    is_among_others: bool,
) -> Result<bool, LoadError> {
    let text = context.read_text(file)?;
    let limits = context.options().limits;
    let report = Report::default();
    let of_file = report.of_file(file);
    let srdf = parse::parse(&text, &limits, of_file);
    let is_for_another = |srdf: &Srdf| is_among_others && srdf.name != robot.name;
    if srdf.as_ref().is_ok_and(is_for_another) {
        return Ok(false);
    }
    let applied = srdf.and_then(|srdf| {
        disable(&srdf, robot, limits.pairs, of_file)?;
        check(&srdf, robot, of_file);
        groups::add(&srdf, robot, of_file);
        robot.properties.insert("srdf".to_owned(), text);
        Ok(true)
    });
    context.report().append(report.into_warnings().sorted());
    Ok(applied?)
}

const START: Position = Position { line: 1, column: 1 };

fn disable(
    srdf: &Srdf,
    robot: &mut RobotBuilder,
    most: usize,
    report: FileReport<'_>,
) -> Result<(), Diagnostic> {
    let ids: HashMap<&str, LinkId> = robot
        .links
        .iter()
        .enumerate()
        .rev()
        .map(|(i, link)| (link.name.as_str(), LinkId::new(i)))
        .collect();
    let mut find = |pair: &LinkPair| {
        let [a, b] = &pair.links;
        if let Some(lost) = [a, b]
            .into_iter()
            .find(|name| !ids.contains_key(name.as_str()))
        {
            let problem = format!("no link is named `{lost}`; the pair is ignored");
            report.warn(pair.position, "srdf", problem);
            return None;
        }
        if a == b {
            let problem = format!("a pair names `{a}` twice; it is ignored");
            report.warn(pair.position, "srdf", problem);
            return None;
        }
        let (a, b) = (*ids.get(a.as_str())?, *ids.get(b.as_str())?);
        Some((a.min(b), a.max(b)))
    };
    let mut except: Vec<_> = srdf.disabled.iter().filter_map(&mut find).collect();
    let enabled: HashSet<_> = srdf.enabled.iter().filter_map(&mut find).collect();
    for name in &srdf.disabled_links {
        let Some(&a) = ids.get(name.as_str()) else {
            let problem =
                format!("no link is named `{name}`; <disable_default_collisions> of it is ignored");
            report.warn(START, "srdf", problem);
            continue;
        };
        let others = (0..robot.links.len()).map(LinkId::new).filter(|&b| b != a);
        let pairs = others.map(|b| (a.min(b), a.max(b)));
        except.extend(pairs.filter(|pair| !enabled.contains(pair)));
        if except.len() > most {
            let problem = format!("it disables more than {most} pairs");
            let error = report.error(START, "srdf", problem);
            return Err(error.help("raise `limits.pairs` of the load options"));
        }
    }
    robot.self_collision.except.extend(except);
    Ok(())
}

/// Warns of the SRDF of another robot.
fn check(srdf: &Srdf, robot: &RobotBuilder, report: FileReport<'_>) {
    if srdf.name != robot.name {
        let problem = format!(
            "it is for robot `{}`, and used for `{}`",
            srdf.name, robot.name
        );
        report.warn(START, "srdf", problem);
    }
}
