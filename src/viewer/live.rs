//! The library in a page, and the world that it is about.

use std::sync::Arc;

use super::pack::{base64, deflated};
use crate::robot::RobotBuilder;
use crate::world::{RobotId, WorldModel};
use crate::{Error, Result};

/// `kinworld query` as a WebAssembly module, deflated: made of `viewer/wasm` by `npm run module` in `viewer`.
const MODULE: &[u8] = include_bytes!("../../viewer/dist/module.wasm.z");

/// The module as a page unpacks it.
pub(super) fn module() -> String {
    base64(MODULE)
}

/// A world as the module reads it: without what is only seen.
pub(super) fn world(world: &WorldModel, allow_missing_geometry: bool) -> Result<String> {
    let data = (allow_missing_geometry, plain(world)?);
    let bytes = rmp_serde::to_vec_named(&data)
        .map_err(|problem| Error::invalid("world for a page", problem.to_string()))?;
    Ok(base64(&deflated(&bytes)))
}

/// The world without visual shapes.
fn plain(world: &WorldModel) -> Result<WorldModel> {
    let mut plain = world.clone();
    let ids: Vec<RobotId> = world.robots().map(|robot| robot.id()).collect();
    for id in ids {
        let model = Arc::clone(world.robot(id)?.model());
        if model.links().iter().all(|link| link.visual().is_empty()) {
            continue;
        }
        let mut builder = RobotBuilder::from(&*model);
        for (spec, link) in builder.links.iter_mut().zip(model.links()) {
            spec.missing_geometry = link.missing_geometry();
            spec.visual.clear();
        }
        plain.replace_robot(id, builder.build()?)?;
    }
    Ok(plain)
}
