//! Writer of groups, states and end effectors as an SRDF.

use std::fmt::Write as _;

use crate::io::text::{number, xml_attribute};
use crate::robot::{LinkId, RobotBuilder};

/// The groups, states and end effectors of a robot as an SRDF; `None` where it has none.
pub(in crate::io) fn groups_text(robot: &RobotBuilder) -> Option<String> {
    if robot.groups.is_empty() && robot.named_states.is_empty() && robot.end_effectors.is_empty() {
        return None;
    }
    let link_name = |id: LinkId| {
        let link = robot.links.get(id.index());
        xml_attribute(link.map_or("", |link| &link.name))
    };
    let joint_name = |id: LinkId| match robot.links.get(id.index()) {
        Some(link) if !link.joint.is_empty() => xml_attribute(&link.joint),
        _ => link_name(id),
    };
    let mut text = format!("<robot name={}>\n", xml_attribute(&robot.name));
    for group in &robot.groups {
        let _ = writeln!(text, "  <group name={}>", xml_attribute(&group.name));
        for &link in &group.links {
            let _ = writeln!(text, "    <link name={}/>", link_name(link));
        }
        text += "  </group>\n";
    }
    for state in &robot.named_states {
        let group = state.group.as_ref();
        let group = group.map_or_else(String::new, |g| format!(" group={}", xml_attribute(g)));
        let name = xml_attribute(&state.name);
        let _ = writeln!(text, "  <group_state name={name}{group}>");
        for &(link, value) in &state.values {
            let value = number(value);
            let _ = writeln!(
                text,
                "    <joint name={} value=\"{value}\"/>",
                joint_name(link)
            );
        }
        text += "  </group_state>\n";
    }
    for effector in &robot.end_effectors {
        let parent = effector.parent_group.as_ref();
        let parent = parent.map_or_else(String::new, |g| {
            format!(" parent_group={}", xml_attribute(g))
        });
        let _ = writeln!(
            text,
            "  <end_effector name={} group={} parent_link={}{parent}/>",
            xml_attribute(&effector.name),
            xml_attribute(&effector.group),
            link_name(effector.parent)
        );
    }
    text += "</robot>\n";
    Some(text)
}
