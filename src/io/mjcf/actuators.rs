//! Actuators: what they act on, their gains and the force that they can exert.

use super::Loaded;
use super::document::Place;
use super::fields::Fields;
use super::notes::Notes;
use crate::Diagnostic;

/// What an actuator acts on, by the full name.
#[derive(Debug, Clone)]
pub(super) enum Transmission {
    Joint(String),
    Tendon(String),
}

/// An actuator.
#[derive(Debug, Clone)]
pub(super) struct Motor {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) on: Transmission,
    pub(super) gear: f64,
    /// Gains of its servo, before the gear.
    pub(super) kp: f64,
    pub(super) kv: f64,
    pub(super) damping: f64,
    pub(super) armature: f64,
    /// Largest force on the joint, infinite without a limit.
    pub(super) most: f64,
}

impl Motor {
    /// True if it acts on a joint of this name.
    pub(super) fn drives(&self, joint: &str) -> bool {
        !joint.is_empty() && matches!(&self.on, Transmission::Joint(name) if name == joint)
    }
}

/// The actuators of joints and tendons.
pub(super) fn motors(loaded: &Loaded, notes: &mut Notes<'_>) -> Result<Vec<Motor>, Diagnostic> {
    let mut motors = Vec::new();
    for actuator in loaded.references(|document| &document.actuators) {
        let (node, place) = (actuator.node, actuator.node.place);
        let joint = actuator
            .named("joint")
            .or_else(|| actuator.named("jointinparent"));
        let on = match (joint, actuator.named("tendon")) {
            (Some(joint), _) => Transmission::Joint(joint),
            (None, Some(tendon)) => Transmission::Tendon(tendon),
            (None, None) => {
                let what = "actuators of sites, bodies and cranks are left out";
                notes.leave_out(what, place);
                continue;
            }
        };
        let name = actuator.name().unwrap_or_default();
        let subject = match name.as_str() {
            "" => node.name.clone(),
            name => format!("{} `{name}`", node.name),
        };
        let kinds = [node.name.as_str(), "general"];
        let fields = actuator.fields(&subject, &kinds, notes)?;
        let autolimits = actuator.settings.autolimits;
        let gear = fields.overlay("gear", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?.0[0];
        let [gain, kp, kv] = gains(fields, node.name.as_str())?;
        let mut most = f64::INFINITY;
        if fields.is_limited("forcelimited", "forcerange", autolimits)? {
            most = most.min(largest(fields.overlay("forcerange", [0.0; 2])?.0));
        }
        // the force of a servo depends on the state as well
        if kp == 0.0 && kv == 0.0 && fields.is_limited("ctrllimited", "ctrlrange", autolimits)? {
            most = most.min(gain.abs() * largest(fields.overlay("ctrlrange", [0.0; 2])?.0));
        }
        motors.push(Motor {
            place,
            on,
            gear,
            kp,
            kv,
            damping: fields.overlay("damping", [0.0; 3])?.0[0].max(0.0),
            armature: fields.number("armature")?.unwrap_or(0.0).max(0.0),
            most: most * gear.abs(),
            name,
        });
    }
    Ok(motors)
}

fn largest([low, high]: [f64; 2]) -> f64 {
    low.abs().max(high.abs())
}

/// The gain of the control, and those of a servo of position and velocity.
fn gains(fields: Fields<'_, '_>, kind: &str) -> Result<[f64; 3], Diagnostic> {
    let number = |name: &str, default: f64| -> Result<f64, Diagnostic> {
        Ok(fields.number(name)?.unwrap_or(default))
    };
    Ok(match kind {
        "position" | "intvelocity" => {
            let kp = number("kp", 1.0)?;
            [kp, kp.max(0.0), number("kv", 0.0)?.max(0.0)]
        }
        "velocity" => {
            let kv = number("kv", 1.0)?;
            [kv, 0.0, kv.max(0.0)]
        }
        "general" => {
            let ([gain, ..], _) = fields.overlay("gainprm", [1.0; 10])?;
            let (bias, _) = fields.overlay("biasprm", [0.0; 10])?;
            let is_affine = fields.word("biastype") == Some("affine");
            let servo = |value: f64| if is_affine { (-value).max(0.0) } else { 0.0 };
            [gain, servo(bias[1]), servo(bias[2])]
        }
        // what a muscle, a cylinder or a motor of another kind can exert is not known here
        "motor" => [1.0, 0.0, 0.0],
        _ => [f64::INFINITY, 0.0, 0.0],
    })
}
