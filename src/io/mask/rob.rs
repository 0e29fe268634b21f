//! A mask as lines of a `.rob`.

use std::fmt::Write;

use super::{class_of, origin};
use crate::io::text::fits_quotes;
use crate::planning::SelfCollisionMask;
use crate::robot::{LinkId, Robot};

/// The text of a `.rob` with these pairs switched off at its end.
pub(super) fn with_pairs(
    text: &str,
    robot: &Robot,
    mask: &SelfCollisionMask,
    pairs: &[(LinkId, LinkId)],
) -> String {
    let mut text = text.to_owned();
    if pairs.is_empty() {
        return text;
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // a comment ends a continued line
    let _ = writeln!(
        text,
        "\n# pairs of links that are not tested, {}",
        origin(mask)
    );
    for &pair in pairs {
        let (a, b) = (word(robot, pair.0), word(robot, pair.1));
        let class = class_of(mask, pair).name();
        let _ = writeln!(text, "noselfcollision {a} {b}   # {class}");
    }
    text
}

/// A link as a `.rob` names it: by its name, or by its index where the name is ambiguous.
fn word(robot: &Robot, id: LinkId) -> String {
    let name = robot.link(id).name();
    let is_first = robot.link_id(name).is_ok_and(|first| first == id);
    if !is_first || name.is_empty() || name.parse::<usize>().is_ok() || !fits_quotes(name) {
        return id.index().to_string();
    }
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:".contains(c);
    if name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    }
}
