//! Parser of XML into a [`Document`].

use std::collections::BTreeMap;

use super::data;
use super::document::{At, Document, Fit, Geometry, Object, Physics, Robot, Terrain, Transform};
use super::{ATTRIBUTE, CHILDREN, SENSORS};
use crate::Diagnostic;
use crate::io::config;
use crate::io::fields::Fields;
use crate::io::options::LoadLimits;
use crate::io::report::FileReport;
use crate::io::words::closest;
use crate::io::xml::{self, Element};

/// Parses a world file.
pub(super) fn parse(
    text: &str,
    limits: &LoadLimits,
    report: FileReport<'_>,
) -> Result<Document, Diagnostic> {
    let mut root = xml::parse(text, report, limits)?;
    let mut fields = Fields::new(text, report);
    fields.subject = WORLD.to_owned();
    if root.name != "world" {
        let problem = format!(
            "a world starts with <world>, this file with <{}>",
            root.name
        );
        return Err(fields.error(root.position, problem));
    }
    let mut document = Document::default();
    attributes(&mut fields, &root, &["background"], &mut document.rest);
    keep_background(&root, &mut document.rest);
    // each element is freed once it is read: a world has many
    for child in std::mem::take(&mut root.children) {
        fields.subject = label(&child);
        match child.name.as_str() {
            "robot" => document.robots.push(robot(&mut fields, &child)?),
            "rigidObject" => document.objects.push(object(&mut fields, &child)?),
            "terrain" => document.terrains.push(terrain(&mut fields, &child)?),
            _ => keep(&mut fields, &child, &ELEMENTS, &mut document.rest),
        }
    }
    fields.warn_of_unused(WORLD);
    Ok(document)
}

/// Subject of warnings about the file.
const WORLD: &str = "world";
/// The elements of a world.
const ELEMENTS: [&str; 7] = [
    "robot",
    "rigidObject",
    "terrain",
    "display",
    "appearance",
    "simulation",
    "goal",
];
/// The attributes of a pose.
const TRANSFORM: [&str; 7] = [
    "translation",
    "position",
    "rotateRPY",
    "rotateMoment",
    "rotateX",
    "rotateY",
    "rotateZ",
];

/// `rigidObject `crate``, for messages.
fn label(element: &Element) -> String {
    match element.attribute("name") {
        Some(name) => format!("{} `{}`", element.name, name.value),
        None => element.name.clone(),
    }
}

/// The manual puts the colour of the background here, Klampt reads it from `<display>`: it is kept as data in both.
fn keep_background(root: &Element, rest: &mut BTreeMap<String, String>) {
    if let Some(attribute) = root.attribute("background") {
        rest.insert(format!("{ATTRIBUTE}background"), attribute.value.clone());
    }
}

fn robot(fields: &mut Fields<'_>, element: &Element) -> Result<Robot, Diagnostic> {
    let mut rest = BTreeMap::new();
    let known = ["file", "name", "config", "configfile"];
    attributes(
        fields,
        element,
        &[&known[..], &TRANSFORM].concat(),
        &mut rest,
    );
    let mut sensors_file = None;
    for child in &element.children {
        match child.name.as_str() {
            "sensors" if rest.contains_key(SENSORS) || sensors_file.is_some() => {
                fields.warn(
                    child.position,
                    "a second <sensors>; it is ignored, the first one counts",
                );
            }
            "sensors" if child.attribute("file").is_some() => {
                sensors_file = fields.word(child, "file");
            }
            "sensors" => {
                rest.insert(SENSORS.to_owned(), fields.verbatim(child));
            }
            _ => keep(
                fields,
                child,
                &["sensors", "display", "appearance"],
                &mut rest,
            ),
        }
    }
    Ok(Robot {
        name: name(fields, element),
        file: fields.required(element, "file")?,
        config: configuration(fields, element)?,
        config_file: fields.word(element, "configfile"),
        transform: transform(fields, element)?,
        sensors_file,
        rest,
    })
}

/// `config="N q1 … qN"`
fn configuration(
    fields: &Fields<'_>,
    element: &Element,
) -> Result<Option<At<Vec<f64>>>, Diagnostic> {
    let Some(attribute) = element.attribute("config") else {
        return Ok(None);
    };
    let refused = |(_, problem): (_, String)| {
        let problem = format!("`config`: {problem}");
        let error = fields.error(attribute.position, problem);
        error.help("write the number of values first, then the values: `config=\"2 0.5 1\"`")
    };
    let mut all = config::parse(&attribute.value).map_err(refused)?;
    match (all.pop(), all.is_empty()) {
        (Some(value), true) => Ok(Some(At {
            value,
            position: attribute.position,
        })),
        (found, _) => {
            let n = all.len() + usize::from(found.is_some());
            let problem = format!("`config` must hold one configuration, got {n}");
            let error = fields.error(attribute.position, problem);
            Err(error.help("the first number says how many follow"))
        }
    }
}

fn object(fields: &mut Fields<'_>, element: &Element) -> Result<Object, Diagnostic> {
    let mut rest = BTreeMap::new();
    attributes(
        fields,
        element,
        &[&["file", "name"][..], &TRANSFORM].concat(),
        &mut rest,
    );
    let shape = fields.child(element, "geometry");
    let weight = fields.child(element, "physics");
    let known = ["geometry", "physics", "display", "appearance"];
    for child in &element.children {
        if !matches!(child.name.as_str(), "geometry" | "physics") {
            keep(fields, child, &known, &mut rest);
        }
    }
    Ok(Object {
        name: name(fields, element),
        position: element.position,
        file: fields.word(element, "file"),
        transform: transform(fields, element)?,
        geometry: shape.map(|shape| geometry(fields, shape)).transpose()?,
        physics: weight.map(|weight| physics(fields, weight)).transpose()?,
        rest,
    })
}

fn geometry(fields: &mut Fields<'_>, element: &Element) -> Result<Geometry, Diagnostic> {
    let known = ["file", "mesh", "scale", "margin", "translate"];
    fields.only(element, &[&known[..], &TRANSFORM].concat());
    if let Some(attribute) = element.attribute("translate") {
        let problem =
            "`translate` of <geometry> is ignored, as Klampt does; `translation` shifts it";
        fields.warn(attribute.position, problem);
    }
    if let (Some(_), Some(attribute)) = (element.attribute("mesh"), element.attribute("file")) {
        let problem = "<geometry> has both `mesh` and `file`; `mesh` counts";
        fields.warn(attribute.position, problem);
    }
    let mesh = fields.word(element, "mesh");
    Ok(Geometry {
        mesh: mesh.or_else(|| fields.word(element, "file")),
        fit: fit(fields, element)?,
    })
}

fn fit(fields: &mut Fields<'_>, element: &Element) -> Result<Fit, Diagnostic> {
    let margin = fields.number(element, "margin")?;
    if let (Some(margin), Some(attribute)) = (margin, element.attribute("margin"))
        && margin < 0.0
    {
        let problem = format!("`margin` must be from 0 up, got {margin}");
        return Err(fields.error(attribute.position, problem));
    }
    Ok(Fit {
        position: element.position,
        scale: scale(fields, element)?,
        transform: transform(fields, element)?,
        margin,
    })
}

fn scale(fields: &Fields<'_>, element: &Element) -> Result<Option<[f64; 3]>, Diagnostic> {
    let Some(attribute) = element.attribute("scale") else {
        return Ok(None);
    };
    let scale = match fields.all_numbers(element, attribute)?[..] {
        [s] => [s; 3],
        [x, y, z] => [x, y, z],
        ref other => {
            let problem = format!("`scale` needs 1 or 3 numbers, got {}", other.len());
            return Err(fields.error(attribute.position, problem));
        }
    };
    if scale.contains(&0.0) {
        return Err(fields.error(attribute.position, "`scale` cannot be 0"));
    }
    Ok(Some(scale))
}

fn physics(fields: &mut Fields<'_>, element: &Element) -> Result<Physics, Diagnostic> {
    const KNOWN: [&str; 9] = [
        "mass",
        "com",
        "inertia",
        "automass",
        "automassSurfaceFraction",
        "kRestitution",
        "kFriction",
        "kStiffness",
        "kDamping",
    ];
    fields.only(element, &KNOWN);
    let not_negative = |name: &str| match (fields.bound(element, name)?, element.attribute(name)) {
        (Some(x), Some(attribute)) if x < 0.0 => {
            let problem = format!("`{name}` must be from 0 up, got {x}");
            Err(fields.error(attribute.position, problem))
        }
        (x, _) => Ok(x),
    };
    let mass = not_negative("mass")?;
    if mass.is_some_and(f64::is_infinite) {
        return Err(fields.error(element.position, "`mass` must be finite"));
    }
    Ok(Physics {
        position: element.position,
        mass,
        com: fields.numbers(element, "com")?,
        inertia: fields.numbers(element, "inertia")?,
        auto_mass: fields.boolean(element, "automass")?.unwrap_or(false),
        surface_fraction: fields.number(element, "automassSurfaceFraction")?,
        friction: not_negative("kFriction")?,
        restitution: not_negative("kRestitution")?,
        stiffness: not_negative("kStiffness")?,
        damping: not_negative("kDamping")?,
    })
}

fn terrain(fields: &mut Fields<'_>, element: &Element) -> Result<Terrain, Diagnostic> {
    let mut rest = BTreeMap::new();
    let known = ["file", "name", "scale", "margin", "kFriction"];
    attributes(
        fields,
        element,
        &[&known[..], &TRANSFORM].concat(),
        &mut rest,
    );
    for child in &element.children {
        keep(fields, child, &["display", "appearance"], &mut rest);
    }
    let friction = fields.number(element, "kFriction")?;
    if let (Some(friction), Some(attribute)) = (friction, element.attribute("kFriction"))
        && friction < 0.0
    {
        let problem = format!("`kFriction` must be from 0 up, got {friction}");
        return Err(fields.error(attribute.position, problem));
    }
    Ok(Terrain {
        name: name(fields, element),
        file: fields.required(element, "file")?,
        fit: fit(fields, element)?,
        friction,
        rest,
    })
}

/// The name as written, spaces included.
fn name(fields: &mut Fields<'_>, element: &Element) -> Option<String> {
    let attribute = element.attribute("name")?;
    if attribute.value.is_empty() {
        fields.warn(attribute.position, "its name is empty");
    }
    Some(attribute.value.clone())
}

fn transform(fields: &mut Fields<'_>, element: &Element) -> Result<Transform, Diagnostic> {
    let both = |a: &str, b: &str| Some((element.attribute(a)?, element.attribute(b)?));
    if let Some((_, unused)) = both("translation", "position") {
        let problem = "both `translation` and `position` are given; `translation` counts";
        fields.warn(unused.position, problem);
    }
    if let Some((unused, _)) = both("rotateRPY", "rotateMoment") {
        let problem = "both `rotateRPY` and `rotateMoment` are given; `rotateMoment` counts";
        fields.warn(unused.position, problem);
    }
    let translation = fields.numbers(element, "translation")?;
    let position = fields.numbers(element, "position")?;
    Ok(Transform {
        translation: translation.or(position),
        rpy: fields.numbers(element, "rotateRPY")?,
        moment: fields.numbers(element, "rotateMoment")?,
        about: [
            fields.number(element, "rotateX")?,
            fields.number(element, "rotateY")?,
            fields.number(element, "rotateZ")?,
        ],
    })
}

/// Keeps unknown attributes.
fn attributes(
    fields: &mut Fields<'_>,
    element: &Element,
    known: &[&str],
    rest: &mut BTreeMap<String, String>,
) {
    fields.only(element, known);
    for attribute in &element.attributes {
        if !known.contains(&attribute.name.as_str()) {
            let key = format!("{ATTRIBUTE}{}", attribute.name);
            rest.insert(key, attribute.value.clone());
        }
    }
}

/// Keeps an element of another program; warns where it resembles a known name.
fn keep(
    fields: &mut Fields<'_>,
    element: &Element,
    known: &[&str],
    rest: &mut BTreeMap<String, String>,
) {
    data::warn_of_unknown(fields, element);
    let name = element.name.as_str();
    if !known.contains(&name)
        && let Some(meant) = closest(name, known.iter().copied())
    {
        let problem = format!("<{name}> is kept as data only; did you mean <{meant}>?");
        fields.warn(element.position, problem);
    }
    let kept = rest.entry(CHILDREN.to_owned()).or_default();
    if !kept.is_empty() {
        kept.push('\n');
    }
    kept.push_str(&fields.verbatim(element));
}
