//! Joints and their axes.

use super::document::{Axis, Joint, Kind, Mimic, Version};
use super::fields::Fields;
use super::parse::other;
use crate::Diagnostic;
use crate::io::xml::Element;
use crate::math::Vector;

/// A `<joint>`.
pub(super) fn joint(fields: Fields<'_, '_>, element: &Element) -> Result<Joint, Diagnostic> {
    let name = fields.name(element)?;
    let subject = format!("joint `{}`", name.text);
    let Some(kind) = fields.attribute(element, "type") else {
        return Err(fields.error(element, &subject, "<joint> needs the attribute `type`"));
    };
    let kind = match kind.text.as_str() {
        "revolute" => Kind::Revolute,
        "continuous" => Kind::Continuous,
        "prismatic" => Kind::Prismatic,
        "fixed" => Kind::Fixed,
        "ball" => Kind::Ball,
        "universal" | "revolute2" => Kind::Universal,
        "screw" => Kind::Screw,
        "gearbox" => Kind::Other,
        unknown => {
            let problem = format!("its type `{unknown}` is not known");
            let error = fields.notes.error(kind.place, &subject, problem);
            let help = "there are revolute, continuous, prismatic, fixed, ball, universal, revolute2, screw and gearbox";
            return Err(error.help(help));
        }
    };
    let end = |which: &str| {
        fields
            .text(element, which)
            .ok_or_else(|| fields.error(element, &subject, format!("<joint> needs a <{which}>")))
    };
    let (parent, child) = (end("parent")?, end("child")?);
    let n_axes = match kind {
        Kind::Fixed | Kind::Ball | Kind::Other => 0,
        Kind::Universal => 2,
        _ => 1,
    };
    let mut axes = Vec::new();
    for which in ["axis", "axis2"].into_iter().take(n_axes) {
        let given = fields.child(element, which);
        axes.push(axis(
            fields,
            given.unwrap_or(element),
            given.is_some(),
            &subject,
        )?);
    }
    for child in &element.children {
        let known = [
            "parent",
            "child",
            "pose",
            "axis",
            "axis2",
            "thread_pitch",
            "screw_thread_pitch",
        ];
        let name = child.name.as_str();
        if !known.contains(&name) {
            other(fields, child, name, "joint");
        }
    }
    let turn = std::f64::consts::TAU;
    // the older number is the angle per travel, with the other sign
    let pitch = match fields.number(element, "screw_thread_pitch", &subject)? {
        Some(pitch) => pitch,
        None => fields
            .number(element, "thread_pitch", &subject)?
            .map_or(1.0, |angle| -turn / angle),
    };
    if kind == Kind::Screw && !pitch.is_finite() {
        return Err(fields.error(element, &subject, "<thread_pitch> must not be 0"));
    }
    Ok(Joint {
        kind,
        parent,
        child,
        pose: fields.pose(element, &subject)?,
        axes,
        pitch,
        name,
    })
}

/// An axis; that of a joint that has none is z without limits.
fn axis(
    fields: Fields<'_, '_>,
    element: &Element,
    is_given: bool,
    subject: &str,
) -> Result<Axis, Diagnostic> {
    let mut axis = Axis {
        place: fields.place(element),
        xyz: Vector::z(),
        expressed_in: None,
        is_of_model: false,
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        velocity: f64::INFINITY,
        effort: f64::INFINITY,
        damping: 0.0,
        friction: 0.0,
        spring: None,
        mimic: None,
    };
    if !is_given {
        return Ok(axis);
    }
    if let Some(xyz) = fields.numbers::<3>(element, "xyz", subject)? {
        axis.xyz = xyz.into();
    }
    let length = axis.xyz.norm();
    if length <= 1e-9 {
        return Err(fields.error(element, subject, "its axis has no direction"));
    }
    axis.xyz /= length;
    if let Some(xyz) = fields.child(element, "xyz") {
        axis.expressed_in = fields.attribute(xyz, "expressed_in");
    }
    axis.is_of_model = match fields.version {
        Version(1, 0..=4) => true,
        Version(1, 5 | 6) => fields
            .boolean(element, "use_parent_model_frame", subject)?
            .unwrap_or(false),
        _ => false,
    };
    if let Some(limit) = fields.child(element, "limit") {
        axis.lower = fields.bound(limit, "lower", subject)?.unwrap_or(axis.lower);
        axis.upper = fields.bound(limit, "upper", subject)?.unwrap_or(axis.upper);
        // a negative one means that there is none
        let largest = |name: &str| -> Result<f64, Diagnostic> {
            let given = fields.bound(limit, name, subject)?;
            Ok(given.filter(|value| *value >= 0.0).unwrap_or(f64::INFINITY))
        };
        axis.velocity = largest("velocity")?;
        axis.effort = largest("effort")?;
    }
    if let Some(dynamics) = fields.child(element, "dynamics") {
        axis.damping = fields.number(dynamics, "damping", subject)?.unwrap_or(0.0);
        axis.friction = fields.number(dynamics, "friction", subject)?.unwrap_or(0.0);
        let rest = fields.number(dynamics, "spring_reference", subject)?;
        let stiffness = fields.number(dynamics, "spring_stiffness", subject)?;
        let stiffness = stiffness.filter(|stiffness| *stiffness != 0.0);
        axis.spring = stiffness.map(|stiffness| [stiffness, rest.unwrap_or(0.0)]);
    }
    if let Some(mimic) = fields.child(element, "mimic") {
        let Some(joint) = fields.attribute(mimic, "joint") else {
            return Err(fields.error(mimic, subject, "<mimic> needs the attribute `joint`"));
        };
        let read = |name: &str| fields.number(mimic, name, subject);
        let multiplier = read("multiplier")?.unwrap_or(1.0);
        let (offset, reference) = (
            read("offset")?.unwrap_or(0.0),
            read("reference")?.unwrap_or(0.0),
        );
        axis.mimic = Some(Mimic {
            joint,
            multiplier,
            offset: offset - multiplier * reference,
        });
    }
    Ok(axis)
}
