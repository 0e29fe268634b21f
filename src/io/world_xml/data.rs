//! Warnings about elements that are kept as data: misspelt attributes there have no effect in any program.

use crate::io::fields::Fields;
use crate::io::words::closest;
use crate::io::xml::Element;

/// Collects the attributes of a kept element, and of everything in it, that Klampt does not know either.
pub(super) fn warn_of_unknown(fields: &mut Fields<'_>, element: &Element) {
    let is_simulation = element.name == "simulation";
    let mut waiting = vec![element];
    while let Some(element) = waiting.pop() {
        waiting.extend(element.children.iter().rev());
        let Some(known) = known(&element.name, is_simulation) else {
            continue;
        };
        for attribute in &element.attributes {
            let name = attribute.name.as_str();
            if known.contains(&name) || name.contains(':') {
                continue;
            }
            let meant = match closest(name, known.iter().copied()) {
                Some(meant) => format!(" (did you mean `{meant}`?)"),
                None => String::new(),
            };
            let element = &element.name;
            let what = format!("attribute `{name}` of <{element}>{meant} is not known");
            fields.unused(what, attribute.position);
        }
    }
}

/// The attributes of an element, `None` where any is allowed.
fn known(element: &str, is_in_simulation: bool) -> Option<&'static [&'static str]> {
    Some(match (element, is_in_simulation) {
        ("display" | "appearance", _) => &[
            "link",
            "background",
            "color",
            "faceColor",
            "vertexColor",
            "edgeColor",
            "emissiveColor",
            "specularColor",
            "shininess",
            "vertexSize",
            "pointSize",
            "edgeSize",
            "silhouette",
            "texture",
            "texture_projection",
        ],
        ("globals", true) => &[
            "gravity",
            "ERP",
            "CFM",
            "maxContacts",
            "boundaryLayer",
            "adaptiveTimeStepping",
            "rigidObjectCollisions",
            "robotSelfCollisions",
            "robotRobotCollisions",
        ],
        ("geometry", true) => &[
            "padding",
            "preshrink",
            "kFriction",
            "kRestitution",
            "kStiffness",
            "kDamping",
        ],
        ("velocity", true) => &["linear", "angular"],
        ("joint", true) => &["type", "axis", "point", "min", "max", "friction"],
        _ => return None,
    })
}
