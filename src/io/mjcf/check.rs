//! What MuJoCo's compiler refuses and nothing here depends on: names of elements that are left out, bodies without mass.

use std::collections::HashSet;

use super::Loaded;
use super::fit::principal;
use super::model::{Body, Model};
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

/// Refuses bodies that move without mass and moments of inertia, of their own or of one that is welded to them.
pub(super) fn masses(model: &Model, notes: &Notes<'_>) -> Result<(), Diagnostic> {
    /// The least mass and moments, SI (`mjMINVAL`).
    const LEAST: f64 = 1e-15;
    let is_heavy = |body: &Body| {
        let (_, moments) = principal(&body.inertia);
        body.inertia.mass >= LEAST && moments.iter().all(|moment| *moment >= LEAST)
    };
    let mut heavy: Vec<bool> = model.bodies.iter().map(is_heavy).collect();
    let mut light = None;
    // children come after their parents
    for (i, body) in model.bodies.iter().enumerate().skip(1).rev() {
        let of_this = heavy.get(i).copied().unwrap_or(false);
        if body.joints.is_empty() {
            if let Some(of_parent) = heavy.get_mut(body.parent) {
                *of_parent |= of_this;
            }
        } else if !of_this {
            light = Some(body);
        }
    }
    let Some(body) = light else {
        return Ok(());
    };
    let problem = "it moves, but has no mass or no moments of inertia";
    let error = notes.error(body.place, &body.subject(), problem);
    Err(error.help(
        "give it an <inertial>, a geom with mass, or <compiler boundmass=\"…\" boundinertia=\"…\">",
    ))
}
