//! Keyframes as named configurations.

use super::Loaded;
use super::model::{JointType, Model};
use super::notes::Notes;
use super::robot::Assembly;
use crate::Diagnostic;
use crate::io::words::counted;
use crate::math::so3;
use crate::robot::NamedState;

/// Numbers of a joint in `qpos`.
fn width(kind: JointType) -> usize {
    match kind {
        JointType::Free => 7,
        JointType::Ball => 4,
        JointType::Slide | JointType::Hinge => 1,
    }
}

/// Adds the configurations of the main model's keyframes to a robot.
pub(super) fn apply(
    assembly: &mut Assembly,
    loaded: &Loaded,
    notes: &mut Notes<'_>,
) -> Result<(), Diagnostic> {
    let before = |model: &Model, root: usize| -> usize {
        let bodies = model.bodies.iter().take(root);
        let joints = bodies.flat_map(|body| &body.joints);
        joints.map(|joint| width(joint.kind)).sum()
    };
    let model = &loaded.model;
    let total = before(model, model.bodies.len());
    let start = before(model, assembly.bodies.first().copied().unwrap_or(0));
    let keys = loaded.references(|document| &document.keys);
    for (k, key) in keys.filter(|key| key.scope.document == 0).enumerate() {
        let name = key.name().unwrap_or_else(|| format!("key{k}"));
        let subject = format!("key `{name}`");
        let fields = super::fields::Fields::plain(key.node, &subject, key.document, notes);
        let Some(qpos) = fields.list("qpos")? else {
            continue;
        };
        if qpos.len() != total {
            let needed = counted(total, "number", "numbers");
            let problem = format!("`qpos` needs {needed}, got {}", qpos.len());
            return Err(fields.error_at("qpos", problem));
        }
        let mut rest = qpos.get(start..).unwrap_or_default();
        let mut values = Vec::new();
        for placed in &assembly.joints {
            let Some((own, behind)) = rest.split_at_checked(width(placed.joint.kind)) else {
                break;
            };
            rest = behind;
            let numbers = match (placed.joint.kind, own) {
                (JointType::Free, &[x, y, z, ref quaternion @ ..]) => {
                    [vec![x, y, z], angles(quaternion)].concat()
                }
                (JointType::Ball, quaternion) => angles(quaternion),
                _ => own.to_vec(),
            };
            values.extend(placed.links.iter().copied().zip(numbers));
        }
        assembly
            .robot
            .named_states
            .push(NamedState::new(name, None, values));
    }
    Ok(())
}

/// Rotations about z, y, x of a quaternion; of one of length 0 none, as in MuJoCo.
fn angles(quaternion: &[f64]) -> Vec<f64> {
    let quaternion = <[f64; 4]>::try_from(quaternion).unwrap_or_default();
    let rotation = so3::from_wxyz(quaternion).unwrap_or_default();
    let [roll, pitch, yaw] = so3::to_rpy(&rotation);
    vec![yaw, pitch, roll]
}
