//! The bodies of a page: their order, and their shapes as data.

use std::collections::HashMap;

use nalgebra::SymmetricEigen;
use serde_json::{Value, json};

use crate::math::{Inertia, Pose, Rotation};
use crate::scene::{Body, Drawn};
use crate::world::{EntityId, WorldModel};

/// Position of each element among the bodies of a page: links in order, then rigid objects, then terrains.
pub(super) fn order(world: &WorldModel) -> HashMap<EntityId, usize> {
    let links = world
        .robots()
        .flat_map(|robot| robot.links().map(|link| link.entity()));
    let objects = world.rigid_objects().map(|(id, _)| id.into());
    let terrains = world.terrains().map(|(id, _)| id.into());
    let all = links.chain(objects).chain(terrains);
    all.enumerate().map(|(i, entity)| (entity, i)).collect()
}

/// The shapes of a body.
pub(super) fn shapes(body: &Body) -> Value {
    let list = |drawn: &[Drawn]| -> Value { drawn.iter().map(shape).collect() };
    json!({ "visual": list(&body.visual), "collision": list(&body.collision) })
}

fn shape(drawn: &Drawn) -> Value {
    let mut shape = json!({ "mesh": drawn.mesh, "material": drawn.material });
    if drawn.covers {
        shape["covers"] = json!(true);
    }
    if drawn.placement != Pose::identity() {
        shape["placement"] = pose(&drawn.placement);
    }
    shape
}

/// The first three rows of the matrix of a pose.
pub(super) fn pose(pose: &Pose) -> Value {
    let r = pose.rotation.matrix();
    let t = &pose.translation.vector;
    let row = |i: usize| [r[(i, 0)], r[(i, 1)], r[(i, 2)], t[i]];
    json!([row(0), row(1), row(2)].concat())
}

/// Mass, centre of mass, and the box of the same mass and moment of inertia; nothing for a body without mass.
pub(super) fn inertia(inertia: &Inertia) -> Value {
    if inertia.mass <= 0.0 {
        return Value::Null;
    }
    let com = inertia.com;
    let mut value = json!({ "mass": inertia.mass, "com": [com.x, com.y, com.z] });
    if !inertia.moment.iter().all(|x| x.is_finite()) {
        return value;
    }
    let axes = SymmetricEigen::new(inertia.moment);
    let sum = axes.eigenvalues.sum() / 2.0;
    let size = axes
        .eigenvalues
        .map(|moment| (12.0 * (sum - moment).max(0.0) / inertia.mass).sqrt());
    let mut turn = axes.eigenvectors;
    if turn.determinant() < 0.0 {
        turn.column_mut(2).neg_mut();
    }
    let placement = Pose::from_parts(com.coords.into(), Rotation::from_matrix_unchecked(turn));
    value["box"] = json!({ "size": [size.x, size.y, size.z], "placement": pose(&placement) });
    value
}
