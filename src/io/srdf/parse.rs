//! Parser of XML into an [`Srdf`].

use super::{EndEffector, GroupState, LinkPair, Srdf, SrdfGroup, VirtualJoint};
use crate::Diagnostic;
use crate::io::fields::Fields;
use crate::io::options::LoadLimits;
use crate::io::report::FileReport;
use crate::io::xml::{self, Element};

/// Elements that other programs read.
const OTHERS: [&str; 6] = [
    "gripper",
    "joint_property",
    "link_sphere_approximation",
    "rotor_params",
    "specificities",
    "version",
];

/// Parses a text into an SRDF.
pub(super) fn parse(
    text: &str,
    limits: &LoadLimits,
    report: FileReport<'_>,
) -> Result<Srdf, Diagnostic> {
    let root = xml::parse(text, report, limits)?;
    let mut fields = Fields::new(text, report);
    fields.subject = "srdf".to_owned();
    if root.name != "robot" {
        let problem = format!(
            "an SRDF starts with <robot>, this file with <{}>",
            root.name
        );
        return Err(fields.error(root.position, problem));
    }
    let mut srdf = Srdf {
        name: fields
            .word(&root, "name")
            .map_or_else(String::new, |name| name.value),
        ..Srdf::default()
    };
    for child in &root.children {
        match child.name.as_str() {
            "group" => srdf.groups.push(group(&mut fields, child)?),
            "group_state" => srdf.states.push(state(&mut fields, child)?),
            "end_effector" => srdf.end_effectors.push(end_effector(&mut fields, child)?),
            "passive_joint" => srdf.passive_joints.push(text_of(&fields, child, "name")?),
            "virtual_joint" => srdf.virtual_joints.push(virtual_joint(&mut fields, child)?),
            "disable_collisions" => srdf.disabled.push(pair(&mut fields, child)?),
            "enable_collisions" => srdf.enabled.push(pair(&mut fields, child)?),
            "disable_default_collisions" => {
                fields.only(child, &["link"]);
                srdf.disabled_links.push(text_of(&fields, child, "link")?);
            }
            name => {
                if !OTHERS.contains(&name) && !name.contains(':') {
                    fields.unused(
                        format!("element <{name}> of <robot> is not known"),
                        child.position,
                    );
                }
                srdf.extras.push(fields.verbatim(child));
            }
        }
    }
    fields.warn_of_unused("srdf");
    Ok(srdf)
}

fn text_of(fields: &Fields<'_>, element: &Element, name: &str) -> Result<String, Diagnostic> {
    Ok(fields.required(element, name)?.value)
}

fn pair(fields: &mut Fields<'_>, element: &Element) -> Result<LinkPair, Diagnostic> {
    fields.only(element, &["link1", "link2", "reason"]);
    Ok(LinkPair {
        links: [
            text_of(fields, element, "link1")?,
            text_of(fields, element, "link2")?,
        ],
        reason: fields.word(element, "reason").map(|reason| reason.value),
        position: element.position,
    })
}

fn group(fields: &mut Fields<'_>, element: &Element) -> Result<SrdfGroup, Diagnostic> {
    fields.only(element, &["name"]);
    let mut group = SrdfGroup {
        name: text_of(fields, element, "name")?,
        position: element.position,
        ..SrdfGroup::default()
    };
    for child in &element.children {
        match child.name.as_str() {
            "link" => group.links.push(text_of(fields, child, "name")?),
            "joint" => group.joints.push(text_of(fields, child, "name")?),
            "group" => group.groups.push(text_of(fields, child, "name")?),
            "chain" => group.chains.push([
                text_of(fields, child, "base_link")?,
                text_of(fields, child, "tip_link")?,
            ]),
            other => {
                let what = format!("element <{other}> of <group> is not known");
                fields.unused(what, child.position);
            }
        }
    }
    Ok(group)
}

fn state(fields: &mut Fields<'_>, element: &Element) -> Result<GroupState, Diagnostic> {
    fields.only(element, &["name", "group"]);
    let mut state = GroupState {
        name: text_of(fields, element, "name")?,
        group: fields.word(element, "group").map(|group| group.value),
        position: element.position,
        joints: Vec::new(),
    };
    for child in &element.children {
        if child.name != "joint" {
            let what = format!("element <{}> of <group_state> is not known", child.name);
            fields.unused(what, child.position);
            continue;
        }
        let joint = text_of(fields, child, "name")?;
        let Some(value) = child.attribute("value") else {
            fields.warn(child.position, "a <joint> without `value`; it is ignored");
            continue;
        };
        let values = fields.all_numbers(child, value)?;
        state.joints.push((joint, values));
    }
    Ok(state)
}

fn end_effector(fields: &mut Fields<'_>, element: &Element) -> Result<EndEffector, Diagnostic> {
    fields.only(element, &["name", "group", "parent_link", "parent_group"]);
    Ok(EndEffector {
        name: text_of(fields, element, "name")?,
        group: text_of(fields, element, "group")?,
        parent_link: text_of(fields, element, "parent_link")?,
        parent_group: fields
            .word(element, "parent_group")
            .map(|group| group.value),
    })
}

fn virtual_joint(fields: &mut Fields<'_>, element: &Element) -> Result<VirtualJoint, Diagnostic> {
    fields.only(element, &["name", "type", "parent_frame", "child_link"]);
    Ok(VirtualJoint {
        name: text_of(fields, element, "name")?,
        kind: text_of(fields, element, "type")?,
        parent_frame: text_of(fields, element, "parent_frame")?,
        child_link: text_of(fields, element, "child_link")?,
    })
}
