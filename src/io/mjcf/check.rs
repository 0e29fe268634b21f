//! Names that MuJoCo's compiler refuses, of elements that nothing here depends on.

use std::collections::HashSet;

use super::Loaded;
use super::notes::Notes;
use crate::Diagnostic;

/// Refuses assets of the same name, and joints and sites that fixed tendons and sensors name and that are not there.
pub(super) fn names(loaded: &Loaded, notes: &mut Notes<'_>) -> Result<(), Diagnostic> {
    let bodies = &loaded.model.bodies;
    let joints = bodies.iter().flat_map(|body| &body.joints);
    let joints: HashSet<&str> = joints.map(|joint| joint.name.as_str()).collect();
    let frames = bodies.iter().flat_map(|body| &body.frames);
    let sites = frames.filter(|frame| frame.kind == "site");
    let sites: HashSet<&str> = sites.map(|site| site.name.as_str()).collect();

    let mut assets = HashSet::new();
    for asset in loaded.references(|document| &document.assets) {
        let kind = asset.node.name.as_str();
        let Some(name) = asset.name() else { continue };
        if ["texture", "material", "mesh", "hfield"].contains(&kind)
            && !assets.insert((kind, name.clone()))
        {
            let problem = format!("there is a {kind} `{name}` already");
            return Err(notes.error(asset.node.place, kind, problem));
        }
    }
    for tendon in loaded.references(|document| &document.tendons) {
        for part in tendon.node.all("joint") {
            let Some(joint) = part.word("joint") else {
                continue;
            };
            if tendon.is_plain && !joints.contains(joint) {
                let problem = format!("there is no joint `{joint}`");
                return Err(notes.error(part.place, "tendon", problem));
            }
        }
    }
    for sensor in loaded.references(|document| &document.sensors) {
        for (kind, known) in [("joint", &joints), ("site", &sites)] {
            let named = sensor.node.word(kind);
            if sensor.is_plain && named.is_some_and(|name| !known.contains(name)) {
                return sensor.unknown(kind, kind, notes);
            }
        }
    }
    Ok(())
}
