//! Robots of a page: links with their joints, degrees of freedom, couplings and named states.

use serde_json::{Value, json};

use super::bodies;
use crate::math::Pose;
use crate::robot::{DofId, DriverKind, JointKind, LinkMotion, Robot};
use crate::world::RobotRef;

/// A robot as data; its shapes are with the bodies, of which its first link is number `first`.
pub(super) fn robot(robot: RobotRef<'_>, first: usize) -> Value {
    let model = robot.model();
    json!({
        "name": robot.name(),
        "first": first,
        "q": robot.config(),
        "links": model.links().iter().map(|link| {
            let mut value = json!({
                "name": link.name(),
                "parent": link.parent().map(|parent| parent.index()),
                "inertia": bodies::inertia(link.inertia()),
            });
            if *link.placement() != Pose::identity() {
                value["placement"] = bodies::pose(link.placement());
            }
            if let Some(name) = link.joint_name() {
                value["joint"] = json!(name);
            }
            if let (Some(dof), Some(axis)) = (link.dof(), link.motion().axis()) {
                value["dof"] = json!(dof.index());
                value["axis"] = json!([axis.x, axis.y, axis.z]);
                value["slides"] = json!(matches!(link.motion(), LinkMotion::Prismatic(_)));
            }
            value
        }).collect::<Value>(),
        "dofs": (0..model.n_dofs()).map(|i| dof(model, i)).collect::<Value>(),
        "couplings": couplings(model),
        "states": model.named_states().iter().map(|state| {
            let group = state.group.as_deref();
            let values = state.values.iter();
            let values = values.filter_map(|(link, q)| Some(json!([model.link(*link).dof()?.index(), q])));
            json!({ "name": state.name, "group": group, "values": values.collect::<Value>() })
        }).collect::<Value>(),
    })
}

fn dof(model: &Robot, i: usize) -> Value {
    let link = model.dofs()[i];
    let limits = &model.limits()[i];
    let finite = |x: f64| x.is_finite().then_some(x);
    let kind = model.joint_of(link).map(|joint| joint.kind);
    json!({
        "name": model.dof_name(DofId::new(i)),
        "slides": matches!(model.link(link).motion(), LinkMotion::Prismatic(_)),
        "min": finite(limits.q_min),
        "max": finite(limits.q_max),
        "spins": matches!(kind, Some(JointKind::Spin)),
        "weld": matches!(kind, Some(JointKind::Weld)),
    })
}

/// Degrees of freedom that move together: `q = scale · u + offset` for each.
fn couplings(model: &Robot) -> Value {
    let coupled = model.drivers().iter().filter_map(|driver| {
        let DriverKind::Affine {
            links,
            scale,
            offset,
        } = &driver.kind
        else {
            return None;
        };
        let dofs = links.iter().map(|link| model.link(*link).dof());
        let dofs: Vec<usize> = dofs
            .map(|dof| dof.map(DofId::index))
            .collect::<Option<_>>()?;
        Some(json!({ "dofs": dofs, "scale": scale, "offset": offset }))
    });
    coupled.collect()
}
