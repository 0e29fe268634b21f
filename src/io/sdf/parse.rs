//! Parser of elements into models, links and frames.

use super::axis;
use super::document::{Frame, Link, Model, Weight};
use super::fields::Fields;
use super::include::Reader;
use super::shapes;
use crate::Diagnostic;
use crate::io::xml::Element;
use crate::math::{Inertia, Point, Pose};

/// Elements that other programs understand: physics engines, viewers, sensors.
const OTHERS: [&str; 47] = [
    "actor",
    "allow_auto_disable",
    "atmosphere",
    "audio",
    "audio_sink",
    "audio_source",
    "battery",
    "enable_orientation",
    "enable_wind",
    "gravity",
    "gripper",
    "gui",
    "kinematic",
    "light",
    "magnetic_field",
    "material",
    "must_be_base_link",
    "parent_model_frame",
    "particle_emitter",
    "physics",
    "plugin",
    "population",
    "projector",
    "road",
    "scene",
    "self_collide",
    "sensor",
    "spherical_coordinates",
    "state",
    "surface",
    "velocity_decay",
    "wind",
    "laser_retro",
    "max_contacts",
    "cast_shadows",
    "transparency",
    "visibility_flags",
    "meta",
    "physics_model",
    "lidar",
    "enable_gravity",
    "urdf",
    "model_state",
    "collision_bitmask",
    "contact",
    "rope",
    "description",
];

/// Notes an element that is not read.
pub(super) fn other(fields: Fields<'_, '_>, child: &Element, name: &str, parent: &str) {
    let what = match OTHERS.contains(&name) || name.contains(':') {
        true => format!("<{name}> of <{parent}> is for a simulator and left out"),
        false => format!("<{name}> of <{parent}> is not known and left out"),
    };
    fields.notes.leave_out(what, fields.place(child));
}

/// A `<model>` or a `<world>`.
pub(super) fn scope(
    reader: &mut Reader<'_, '_, '_>,
    fields: Fields<'_, '_>,
    element: &Element,
    text: &str,
) -> Result<Model, Diagnostic> {
    let kind = element.name.as_str();
    let is_world = kind == "world";
    let name = match is_world {
        true => String::new(),
        false => fields.name(element)?.text,
    };
    let subject = match is_world {
        true => "world".to_owned(),
        false => format!("model `{name}`"),
    };
    let mut model = Model {
        name,
        place: fields.place(element),
        ..Model::default()
    };
    if !is_world {
        model.is_static = fields
            .boolean(element, "static", &subject)?
            .unwrap_or(false);
        model.pose = fields.pose(element, &subject)?;
        model.placement_frame = fields.attribute(element, "placement_frame");
        model.canonical_link = fields.attribute(element, "canonical_link");
    }
    for child in &element.children {
        match child.name.as_str() {
            "link" if !is_world => {
                let link = link(reader, fields, child)?;
                model.links.push(link);
            }
            "joint" => model.joints.push(axis::joint(fields, child)?),
            "frame" => model.frames.push(frame(fields, child)?),
            "model" => model.models.push(scope(reader, fields, child, text)?),
            "include" => model.models.extend(reader.include(fields, child)?),
            "static" | "pose" if !is_world => {}
            "gravity" if is_world => {
                let gravity = fields.numbers::<3>(element, "gravity", &subject)?;
                model.gravity = gravity.map(|gravity| (gravity, fields.place(child)));
            }
            name => {
                let verbatim = text.get(child.span.clone()).unwrap_or_default();
                model.extras.push(verbatim.to_owned());
                other(fields, child, name, kind);
            }
        }
    }
    Ok(model)
}

fn frame(fields: Fields<'_, '_>, element: &Element) -> Result<Frame, Diagnostic> {
    let name = fields.name(element)?;
    let subject = format!("frame `{}`", name.text);
    Ok(Frame {
        attached_to: fields.attribute(element, "attached_to"),
        pose: fields.pose(element, &subject)?,
        name,
    })
}

fn link(
    reader: &mut Reader<'_, '_, '_>,
    fields: Fields<'_, '_>,
    element: &Element,
) -> Result<Link, Diagnostic> {
    let name = fields.name(element)?;
    let subject = format!("link `{}`", name.text);
    let mut link = Link {
        pose: fields.pose(element, &subject)?,
        inertia: Weight::Given(default_inertia()),
        collision: Vec::new(),
        visual: Vec::new(),
        name,
    };
    for child in &element.children {
        match child.name.as_str() {
            "pose" => {}
            "inertial" => link.inertia = inertial(fields, child, &subject)?,
            "collision" => link
                .collision
                .push(shapes::shape(reader, fields, child, &subject)?),
            "visual" => link
                .visual
                .push(shapes::shape(reader, fields, child, &subject)?),
            name => other(fields, child, name, "link"),
        }
    }
    Ok(link)
}

/// What a link without `<inertial>` has: 1 kg, and moments of 1 kg·m².
fn default_inertia() -> Inertia {
    Inertia {
        mass: 1.0,
        com: Point::origin(),
        moment: nalgebra::Matrix3::identity(),
    }
}

fn inertial(
    fields: Fields<'_, '_>,
    element: &Element,
    subject: &str,
) -> Result<Weight, Diagnostic> {
    let auto = element.attribute("auto").map(|auto| auto.value.trim());
    if matches!(auto, Some("true" | "1")) {
        let density = fields.number(element, "density", subject)?;
        return Ok(Weight::Auto(density.unwrap_or(WATER)));
    }
    let mass = fields.number(element, "mass", subject)?.unwrap_or(1.0);
    if mass < 0.0 {
        return Err(fields.error(element, subject, format!("its mass is negative ({mass})")));
    }
    let mut moment = nalgebra::Matrix3::identity();
    if let Some(inertia) = fields.child(element, "inertia") {
        let entry = |name: &str| fields.number(inertia, name, subject);
        let diagonal = [entry("ixx")?, entry("iyy")?, entry("izz")?].map(|x| x.unwrap_or(1.0));
        let [xy, xz, yz] = [entry("ixy")?, entry("ixz")?, entry("iyz")?].map(|x| x.unwrap_or(0.0));
        let [xx, yy, zz] = diagonal;
        moment = nalgebra::Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    }
    let at = fields.pose(element, subject)?;
    let pose = at.map_or_else(Pose::identity, |at| {
        Pose::from_parts(at.translation.into(), at.rotation)
    });
    for child in &element.children {
        if !["mass", "inertia", "pose", "density"].contains(&child.name.as_str()) {
            other(fields, child, &child.name, "inertial");
        }
    }
    let own = Inertia {
        mass,
        com: Point::origin(),
        moment,
    };
    let mut inertia = own.transformed(&pose);
    // a rotation makes the matrix asymmetric in the last bits
    inertia.moment = (inertia.moment + inertia.moment.transpose()) / 2.0;
    Ok(Weight::Given(inertia))
}

/// Default density, kg/m³.
pub(super) const WATER: f64 = 1000.0;

impl Model {
    /// Subject of messages.
    pub(super) fn subject(&self) -> String {
        match self.name.as_str() {
            "" => "world".to_owned(),
            name => format!("model `{name}`"),
        }
    }
}
