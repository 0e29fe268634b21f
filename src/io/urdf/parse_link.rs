//! Parser of XML into a [`Link`]: inertia and shapes.

use super::document::{Form, Inertial, Link, Moment, Shape};
use super::fields::Fields;
use super::parse::{extra, material, origin};
use crate::Diagnostic;
use crate::io::xml::Element;

pub(super) fn link(fields: &mut Fields<'_>, element: &Element) -> Result<Link, Diagnostic> {
    fields.subject = "link".to_owned();
    let name = fields.required(element, "name")?.value;
    fields.subject = format!("link `{name}`");
    let mut link = Link {
        name,
        position: element.position,
        inertial: None,
        collision: Vec::new(),
        visual: Vec::new(),
        extras: Vec::new(),
    };
    if let Some(child) = fields.child(element, "inertial") {
        link.inertial = Some(inertial(fields, child)?);
    }
    for child in &element.children {
        match child.name.as_str() {
            "inertial" => {}
            "collision" => link.collision.extend(shape(fields, child)?),
            "visual" => link.visual.extend(shape(fields, child)?),
            _ => link.extras.push(extra(fields, element, child)),
        }
    }
    Ok(link)
}

fn inertial(fields: &mut Fields<'_>, element: &Element) -> Result<Inertial, Diagnostic> {
    let mass = match fields.child(element, "mass") {
        Some(mass) => fields.number(mass, "value")?,
        None => None,
    };
    let moment = match fields.child(element, "inertia") {
        Some(child) => {
            fields.only(child, &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]);
            Some(Moment {
                xx: fields.number(child, "ixx")?,
                xy: fields.number(child, "ixy")?,
                xz: fields.number(child, "ixz")?,
                yy: fields.number(child, "iyy")?,
                yz: fields.number(child, "iyz")?,
                zz: fields.number(child, "izz")?,
            })
        }
        None => None,
    };
    Ok(Inertial {
        position: element.position,
        origin: origin(fields, element)?,
        mass,
        moment,
    })
}

/// A shape, unless there is none in its `<geometry>`: that is a warning.
fn shape(fields: &mut Fields<'_>, element: &Element) -> Result<Option<Shape>, Diagnostic> {
    let Some(geometry) = fields.child(element, "geometry") else {
        let problem = format!("<{}> without <geometry>; it is ignored", element.name);
        fields.warn(element.position, problem);
        return Ok(None);
    };
    let Some(form) = form(fields, geometry)? else {
        return Ok(None);
    };
    let material = match fields.child(element, "material") {
        Some(child) => Some(material(fields, child)?),
        None => None,
    };
    Ok(Some(Shape {
        name: fields.word(element, "name").map(|name| name.value),
        origin: origin(fields, element)?,
        form,
        material,
        position: element.position,
    }))
}

fn form(fields: &mut Fields<'_>, geometry: &Element) -> Result<Option<Form>, Diagnostic> {
    let forms = ["box", "sphere", "cylinder", "capsule", "mesh"];
    let mut known = geometry
        .children
        .iter()
        .filter(|child| forms.contains(&child.name.as_str()));
    let Some(element) = known.next() else {
        let problem = match geometry.children.first() {
            Some(child) => format!("unknown shape <{}>; it is ignored", child.name),
            None => "an empty <geometry>; it is ignored".to_owned(),
        };
        fields.warn(geometry.position, problem);
        return Ok(None);
    };
    if let Some(second) = known.next() {
        let problem = format!(
            "a second shape, <{}>, in one <geometry>; it is ignored, the first one counts",
            second.name
        );
        fields.warn(second.position, problem);
    }
    let form = match element.name.as_str() {
        "box" => {
            fields.only(element, &["size"]);
            let missing = || fields.error(element.position, "<box> needs the attribute `size`");
            let size = fields.numbers(element, "size")?.ok_or_else(missing)?;
            Form::Box { size }
        }
        "sphere" => {
            fields.only(element, &["radius"]);
            Form::Sphere {
                radius: fields.required_number(element, "radius")?,
            }
        }
        round @ ("cylinder" | "capsule") => {
            fields.only(element, &["radius", "length"]);
            let radius = fields.required_number(element, "radius")?;
            let length = fields.required_number(element, "length")?;
            match round {
                "cylinder" => Form::Cylinder { radius, length },
                _ => Form::Capsule { radius, length },
            }
        }
        _ => {
            fields.only(element, &["filename", "scale"]);
            Form::Mesh {
                filename: fields.required(element, "filename")?,
                scale: scale(fields, element)?,
            }
        }
    };
    Ok(Some(form))
}

/// Three numbers; a single one is used for all three.
fn scale(fields: &mut Fields<'_>, mesh: &Element) -> Result<Option<[f64; 3]>, Diagnostic> {
    let Some(attribute) = mesh.attribute("scale") else {
        return Ok(None);
    };
    if let [all] = fields.all_numbers(mesh, attribute)?[..] {
        let problem = "`scale` of <mesh> has one number where URDF wants three; used for all";
        fields.warn(attribute.position, problem);
        return Ok(Some([all; 3]));
    }
    fields.numbers(mesh, "scale")
}
