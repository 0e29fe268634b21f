//! Joints with their defaults.

use super::document::{Document, Node};
use super::fields::Fields;
use super::frame::EPS;
use super::model::{Joint, JointType};
use super::notes::Notes;
use super::settings::Settings;
use crate::Diagnostic;
use crate::math::Vector;

/// The joint of a `<joint>` or `<freejoint>`.
pub(super) fn joint(
    node: &Node,
    name: String,
    childclass: Option<usize>,
    document: &Document,
    settings: &Settings,
    notes: &mut Notes<'_>,
) -> Result<Joint, Diagnostic> {
    let subject = match name.as_str() {
        "" => "joint".to_owned(),
        name => format!("joint `{name}`"),
    };
    if node.name == "freejoint" {
        let fields = Fields::plain(node, &subject, document, notes);
        let align = fields.choice("align", &["false", "true", "auto"])?;
        return Ok(Joint {
            align: align.filter(|i| *i < 2).map(|i| i == 1),
            ..free(node, name)
        });
    }
    let fields = Fields::with_classes(node, &subject, &["joint"], childclass, document, notes)?;
    let kind = match fields.choice("type", &["free", "ball", "slide", "hinge"])? {
        Some(0) => JointType::Free,
        Some(1) => JointType::Ball,
        Some(2) => JointType::Slide,
        _ => JointType::Hinge,
    };
    let axis = Vector::from(fields.numbers::<3>("axis")?.unwrap_or([0.0, 0.0, 1.0]));
    let length = axis.norm();
    let is_scalar = matches!(kind, JointType::Slide | JointType::Hinge);
    if is_scalar && !(length > EPS && length.is_finite()) {
        let problem = format!("its axis has no direction (its length is {length})");
        return Err(fields.error_at("axis", problem));
    }
    let angle = match kind {
        JointType::Slide | JointType::Free => 1.0,
        JointType::Ball | JointType::Hinge => settings.angle,
    };
    let is_limited = fields.is_limited("limited", "range", settings.autolimits)?;
    let (range, _) = fields.overlay("range", [0.0; 2])?;
    if is_limited && kind != JointType::Free {
        if kind == JointType::Ball && range[0] != 0.0 {
            return Err(fields.error_at("range", "the first number of a ball joint's `range` is 0"));
        }
        if range[0] >= range[1] {
            let problem = format!("`range` must grow, got {} {}", range[0], range[1]);
            return Err(fields.error_at("range", problem));
        }
    }
    let is_force_limited = fields.is_limited(
        "actuatorfrclimited",
        "actuatorfrcrange",
        settings.autolimits,
    )?;
    let (force, _) = fields.overlay("actuatorfrcrange", [0.0; 2])?;
    let positive = |name: &str| -> Result<f64, Diagnostic> {
        let ([value, second, third], _) = fields.overlay(name, [0.0; 3])?;
        if value < 0.0 {
            return Err(fields.error_at(name, format!("`{name}` cannot be negative")));
        }
        if second != 0.0 || third != 0.0 {
            let problem = format!("`{name}` is a polynomial; its linear part is used");
            fields.warn(problem);
        }
        Ok(value)
    };
    let joint = Joint {
        place: node.place,
        kind,
        position: fields.numbers::<3>("pos")?.unwrap_or_default().into(),
        axis: if is_scalar {
            axis / length
        } else {
            Vector::z()
        },
        reference: match is_scalar {
            true => angle * fields.number("ref")?.unwrap_or(0.0),
            false => 0.0,
        },
        range: (is_limited && kind != JointType::Free).then(|| range.map(|x| x * angle)),
        armature: positive("armature")?,
        damping: positive("damping")?,
        frictionloss: positive("frictionloss")?,
        stiffness: positive("stiffness")?,
        springref: angle * fields.number("springref")?.unwrap_or(0.0),
        force_range: (is_force_limited && is_scalar).then_some(force),
        align: None,
        name,
    };
    let springdamper = fields.overlay("springdamper", [0.0; 2])?.0;
    if springdamper.iter().all(|x| *x > 0.0) {
        let what = "`springdamper` of <joint> is left out";
        notes.leave_out(what, node.place);
    }
    Ok(joint)
}

/// A free joint without friction.
fn free(node: &Node, name: String) -> Joint {
    Joint {
        name,
        place: node.place,
        kind: JointType::Free,
        position: Vector::zeros(),
        axis: Vector::z(),
        reference: 0.0,
        range: None,
        armature: 0.0,
        damping: 0.0,
        frictionloss: 0.0,
        stiffness: 0.0,
        springref: 0.0,
        force_range: None,
        align: None,
    }
}
