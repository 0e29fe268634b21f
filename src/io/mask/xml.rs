//! A mask as elements of a URDF or an SRDF.

use std::fmt::Write;
use std::path::Path;

use super::{class_of, origin, refusal};
use crate::io::options::LoadLimits;
use crate::io::report::Report;
use crate::io::text::xml_attribute;
use crate::io::xml::{self, Element};
use crate::planning::SelfCollisionMask;
use crate::robot::{LinkId, Robot};
use crate::{LoadError, Result};

/// The text of a URDF with these pairs disabled in its `<klampt>`.
pub(super) fn with_pairs(
    text: &str,
    file: &Path,
    robot: &Robot,
    mask: &SelfCollisionMask,
    pairs: &[(LinkId, LinkId)],
    limits: &LoadLimits,
) -> Result<String> {
    let report = Report::default();
    let root = xml::parse(text, report.of_file(file), limits).map_err(LoadError::from)?;
    let Some(klampt) = root.children.iter().find(|child| child.name == "klampt") else {
        let problem = "has no <klampt> to hold a mask, and a new one would change how the robot is attached to the world";
        return Err(refusal(file, problem, "write an .srdf instead"));
    };
    if pairs.is_empty() {
        return Ok(text.to_owned());
    }
    let mut lines = format!(
        "    <!-- pairs of links that are not tested, {} -->\n",
        origin(mask)
    );
    for &pair in pairs {
        let both = xml_attribute(&format!("{} {}", word(robot, pair.0), word(robot, pair.1)));
        let class = class_of(mask, pair).name();
        let _ = writeln!(
            lines,
            "    <noselfcollision pairs={both}/> <!-- {class} -->"
        );
    }
    Ok(inside(text, klampt, &lines, "  "))
}

/// The text of an SRDF, or a new one, with these pairs switched off.
pub(super) fn srdf(
    text: Option<&str>,
    file: &Path,
    robot: &Robot,
    mask: &SelfCollisionMask,
    pairs: &[(LinkId, LinkId)],
    limits: &LoadLimits,
) -> Result<String> {
    let mut lines = String::new();
    if !pairs.is_empty() {
        let _ = writeln!(
            lines,
            "  <!-- pairs of links that are not tested, {} -->",
            origin(mask)
        );
    }
    for &pair in pairs {
        let name = |id: LinkId| xml_attribute(robot.link(id).name());
        let _ = writeln!(
            lines,
            "  <disable_collisions link1={} link2={} reason=\"{}\"/>",
            name(pair.0),
            name(pair.1),
            class_of(mask, pair).name()
        );
    }
    let Some(text) = text else {
        let name = xml_attribute(robot.name());
        return Ok(format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot name={name}>\n{lines}</robot>\n"
        ));
    };
    let report = Report::default();
    let root = xml::parse(text, report.of_file(file), limits).map_err(LoadError::from)?;
    Ok(inside(text, &root, &lines, ""))
}

/// Inserts lines at the end of an element, whose closing tag has the indentation `indent`.
fn inside(text: &str, element: &Element, lines: &str, indent: &str) -> String {
    let (before, rest) = text
        .split_at_checked(element.span.end)
        .unwrap_or((text, ""));
    let name = &element.name;
    if let Some(open) = before.strip_suffix("/>") {
        return format!("{}>\n{lines}{indent}</{name}>{rest}", open.trim_end());
    }
    let (before, closing) = match before.rfind("</") {
        Some(at) => before.split_at_checked(at).unwrap_or((before, "")),
        None => (before, ""),
    };
    // the closing tag keeps the spaces before it
    let inner = before.trim_end_matches([' ', '\t']);
    let blanks = before.strip_prefix(inner).unwrap_or_default();
    let line_break = if inner.ends_with('\n') { "" } else { "\n" };
    format!("{inner}{line_break}{lines}{blanks}{closing}{rest}")
}

/// A link as `<klampt>` names it: by its name, or by its index where the name is ambiguous.
fn word(robot: &Robot, id: LinkId) -> String {
    let name = robot.link(id).name();
    let is_first = robot.link_id(name).is_ok_and(|first| first == id);
    let is_word = !name.is_empty() && !name.contains(char::is_whitespace);
    if is_first && is_word && name.parse::<usize>().is_err() {
        name.to_owned()
    } else {
        id.index().to_string()
    }
}
