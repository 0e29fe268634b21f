//! Parser of XML into a [`Document`]: `<robot>`, `<joint>` and their fields.

use super::document::{At, Document, Dynamics, Joint, Kind, Limit, Material, Mimic, Origin};
use super::fields::Fields;
use super::{parse_klampt, parse_link};
use crate::Diagnostic;
use crate::io::foreign::Foreign;
use crate::io::options::LoadLimits;
use crate::io::report::FileReport;
use crate::io::xml::{self, Element};

/// Parses a URDF file.
pub(super) fn parse(
    text: &str,
    limits: &LoadLimits,
    report: FileReport<'_>,
) -> Result<Document, Diagnostic> {
    let root = xml::parse(text, report, limits)?;
    let mut fields = Fields::new(text, report);
    fields.subject = "robot".to_owned();
    if root.name != "robot" {
        let problem = format!("a URDF starts with <robot>, this file with <{}>", root.name);
        let error = fields.error(root.position, problem);
        return Err(match Foreign::of_root(&root.name) {
            None if root.name == "mujoco" => {
                error.help("it is a model of MuJoCo (MJCF): give it the suffix .xml")
            }
            Some(foreign) => error.help(foreign.explanation()),
            None => error,
        });
    }
    let name = fields.word(&root, "name").map(|name| name.value);
    let mut document = Document {
        name: name.filter(|name| !name.is_empty()),
        position: root.position,
        links: Vec::new(),
        joints: Vec::new(),
        materials: Vec::new(),
        klampt: None,
        extras: Vec::new(),
        free_base: None,
    };
    for child in &root.children {
        fields.subject = "robot".to_owned();
        match child.name.as_str() {
            "link" => document.links.push(parse_link::link(&mut fields, child)?),
            "joint" => document.joints.push(joint(&mut fields, child)?),
            "material" => document.materials.push(material(&mut fields, child)?),
            "klampt" if document.klampt.is_none() => {
                fields.subject = "klampt".to_owned();
                document.klampt = Some(parse_klampt::klampt(&mut fields, child, limits.pairs)?);
            }
            "klampt" => fields.warn(child.position, "a second <klampt>; the first one counts"),
            _ => document.extras.push(extra(&mut fields, &root, child)),
        }
    }
    fields.warn_of_unused("robot");
    Ok(document)
}

/// Keeps an element verbatim.
pub(super) fn extra(fields: &mut Fields<'_>, parent: &Element, child: &Element) -> String {
    // elements of other programs
    const KNOWN: [&str; 7] = [
        "calibration",
        "gazebo",
        "ros2_control",
        "safety_controller",
        "sensor",
        "transmission",
        "version",
    ];
    let name = child.name.as_str();
    if !KNOWN.contains(&name) && !name.contains(':') {
        let what = format!("element <{name}> of <{}> is not known", parent.name);
        fields.unused(what, child.position);
    }
    fields.verbatim(child)
}

fn joint(fields: &mut Fields<'_>, element: &Element) -> Result<Joint, Diagnostic> {
    fields.subject = "joint".to_owned();
    let name = fields.required(element, "name")?.value;
    fields.subject = format!("joint `{name}`");
    let kind = kind(fields, element)?;
    let origin = origin(fields, element)?;
    let parent = link_name(fields, element, "parent")?;
    let child = link_name(fields, element, "child")?;
    let axis = match fields.child(element, "axis") {
        Some(axis) => fields.numbers(axis, "xyz")?.map(|value| At {
            value,
            position: axis.position,
        }),
        None => None,
    };
    let mut joint = Joint {
        name,
        position: element.position,
        kind,
        origin,
        parent,
        child,
        axis,
        limit: None,
        dynamics: None,
        mimic: None,
        extras: Vec::new(),
    };
    if let Some(child) = fields.child(element, "limit") {
        joint.limit = Some(limit(fields, child)?);
    }
    if let Some(child) = fields.child(element, "dynamics") {
        fields.only(child, &["damping", "friction"]);
        joint.dynamics = Some(Dynamics {
            position: child.position,
            damping: fields.number(child, "damping")?,
            friction: fields.number(child, "friction")?,
        });
    }
    if let Some(child) = fields.child(element, "mimic") {
        fields.only(child, &["joint", "multiplier", "offset"]);
        joint.mimic = Some(Mimic {
            joint: fields.required(child, "joint")?,
            multiplier: fields.number(child, "multiplier")?,
            offset: fields.number(child, "offset")?,
        });
    }
    const READ: [&str; 7] = [
        "axis", "child", "dynamics", "limit", "mimic", "origin", "parent",
    ];
    for child in &element.children {
        if !READ.contains(&child.name.as_str()) {
            joint.extras.push(extra(fields, element, child));
        }
    }
    Ok(joint)
}

fn kind(fields: &mut Fields<'_>, element: &Element) -> Result<Kind, Diagnostic> {
    let kind = fields.required(element, "type")?;
    Ok(match kind.value.as_str() {
        "revolute" => Kind::Revolute,
        "continuous" => Kind::Continuous,
        "prismatic" => Kind::Prismatic,
        "fixed" => Kind::Fixed,
        "planar" => Kind::Planar,
        "floating" => Kind::Floating,
        "spherical" => {
            let problem = "type `spherical` is not of ROS; three angles about z, y and x";
            fields.warn(kind.position, problem);
            Kind::Spherical
        }
        other => {
            let problem = format!("unknown type `{other}`");
            return Err(fields
                .error(kind.position, problem)
                .help("types are revolute, continuous, prismatic, fixed, planar and floating"));
        }
    })
}

fn link_name(
    fields: &mut Fields<'_>,
    joint: &Element,
    end: &str,
) -> Result<At<String>, Diagnostic> {
    let Some(element) = fields.child(joint, end) else {
        return Err(fields.error(joint.position, format!("it needs a <{end} link=\"…\"/>")));
    };
    fields.required(element, "link")
}

fn limit(fields: &mut Fields<'_>, element: &Element) -> Result<Limit, Diagnostic> {
    fields.only(
        element,
        &[
            "lower",
            "upper",
            "velocity",
            "effort",
            "acceleration",
            "deceleration",
            "jerk",
        ],
    );
    Ok(Limit {
        position: element.position,
        lower: fields.bound(element, "lower")?,
        upper: fields.bound(element, "upper")?,
        velocity: fields.bound(element, "velocity")?,
        effort: fields.bound(element, "effort")?,
        acceleration: fields.bound(element, "acceleration")?,
    })
}

/// The `<origin>` of an element; `None` if it has none.
pub(super) fn origin(fields: &mut Fields<'_>, parent: &Element) -> Result<Origin, Diagnostic> {
    let Some(element) = fields.child(parent, "origin") else {
        return Ok(Origin::default());
    };
    fields.only(element, &["xyz", "rpy", "quat_xyzw"]);
    let origin = Origin {
        xyz: fields.numbers(element, "xyz")?,
        rpy: fields.numbers(element, "rpy")?,
        quat_xyzw: fields.numbers(element, "quat_xyzw")?,
    };
    if origin.rpy.is_some() && origin.quat_xyzw.is_some() {
        return Err(fields.error(element.position, "<origin> has both `rpy` and `quat_xyzw`"));
    }
    if origin
        .quat_xyzw
        .is_some_and(|q| q.iter().all(|&x| x == 0.0))
    {
        return Err(fields.error(element.position, "`quat_xyzw` of <origin> is zero"));
    }
    Ok(origin)
}

/// A `<material>`, of the robot or of a shape.
pub(super) fn material(fields: &mut Fields<'_>, element: &Element) -> Result<Material, Diagnostic> {
    let color = match fields.child(element, "color") {
        Some(color) => fields.numbers(color, "rgba")?,
        None => None,
    };
    let mut texture = None;
    if let Some(element) = fields.child(element, "texture") {
        texture = fields.word(element, "filename").map(|file| file.value);
        if texture.as_deref().is_none_or(str::is_empty) {
            texture = None;
            fields.warn(
                element.position,
                "a <texture> without a file name; it is ignored",
            );
        }
    }
    Ok(Material {
        name: fields.word(element, "name").map(|name| name.value),
        color,
        texture,
    })
}
