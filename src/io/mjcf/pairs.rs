//! Pairs of links that may collide, by MuJoCo's rules: masks, bodies that are welded together, parents, exceptions, lists.

use std::collections::{BTreeSet, HashSet};

use super::Loaded;
use super::model::{Body, Model};
use super::notes::Notes;
use super::references::Names;
use super::robot::Assembly;
use crate::Diagnostic;
use crate::robot::LinkId;

/// Most bodies of a robot whose masks are compared with one another.
const MOST_BODIES: usize = 5000;

/// Limits the pairs of a robot that are checked to those that MuJoCo checks.
pub(super) fn apply(
    assembly: &mut Assembly,
    loaded: &Loaded,
    most: usize,
    notes: &mut Notes<'_>,
) -> Result<(), Diagnostic> {
    let model = &loaded.model;
    let names = Names::of(model);
    let welds = welds(model);
    let filters_parents = filters_parents(loaded);
    let mut excluded = HashSet::new();
    let mut listed = HashSet::new();
    for reference in loaded.references(|document| &document.contacts) {
        let place = reference.node.place;
        match reference.node.name.as_str() {
            "exclude" => {
                let body = |attribute: &str| names.body(&reference.named(attribute)?);
                match (body("body1"), body("body2")) {
                    (Some(a), Some(b)) => excluded.insert((a.min(b), a.max(b))),
                    (None, _) => {
                        reference.unknown("body1", "body", notes)?;
                        continue;
                    }
                    _ => {
                        reference.unknown("body2", "body", notes)?;
                        continue;
                    }
                };
            }
            "pair" => {
                let geom = |attribute: &str| names.geom(&reference.named(attribute)?);
                match (geom("geom1"), geom("geom2")) {
                    (Some((a, _)), Some((b, _))) => listed.insert((a.min(b), a.max(b))),
                    (None, _) => {
                        reference.unknown("geom1", "geom", notes)?;
                        continue;
                    }
                    _ => {
                        reference.unknown("geom2", "geom", notes)?;
                        continue;
                    }
                };
            }
            other => notes.leave_out(format!("<{other}> in <contact> is left out"), place),
        }
    }
    let own: Vec<(usize, LinkId)> = assembly
        .bodies
        .iter()
        .copied()
        .zip(assembly.links.iter().copied())
        .filter(|(b, _)| {
            model
                .bodies
                .get(*b)
                .is_some_and(|body| !body.geoms.is_empty())
        })
        .collect();
    if own.len() > MOST_BODIES {
        let what = "`contype` and `conaffinity` are left out: the robot has too many bodies";
        notes.leave_out(what, super::robot::place(model));
        return Ok(());
    }
    let masks: Vec<HashSet<(u32, u32)>> = model.bodies.iter().map(masks).collect();
    let mut only: BTreeSet<(LinkId, LinkId)> = BTreeSet::new();
    for (i, &(a, link_a)) in own.iter().enumerate() {
        for &(b, link_b) in own.iter().skip(i + 1) {
            let is_listed = listed.contains(&(a.min(b), a.max(b)));
            let may = || {
                !excluded.contains(&(a.min(b), a.max(b)))
                    && may_touch(model, &welds, a, b, filters_parents)
                    && masks_meet(masks.get(a), masks.get(b))
            };
            if !is_listed && !may() {
                continue;
            }
            only.insert((link_a.min(link_b), link_a.max(link_b)));
            if only.len() > most {
                let place = super::robot::place(model);
                let problem = format!("more than {most} pairs of bodies may collide");
                let error = notes.error(place, "model", problem);
                return Err(error.help("raise `limits.pairs` of the load options"));
            }
        }
    }
    assembly.robot.self_collision.only = Some(only.into_iter().collect());
    Ok(())
}

/// Marks the geoms that a `<pair>` names.
pub(super) fn mark(loaded: &mut Loaded) {
    let names = Names::of(&loaded.model);
    let pairs = loaded.references(|document| &document.contacts);
    let pairs = pairs.filter(|reference| reference.node.name == "pair");
    let named = pairs.flat_map(|pair| [pair.named("geom1"), pair.named("geom2")]);
    let marked: Vec<_> = named
        .flatten()
        .filter_map(|name| names.geom(&name))
        .collect();
    for (body, geom) in marked {
        let body = loaded.model.bodies.get_mut(body);
        if let Some(geom) = body.and_then(|body| body.geoms.get_mut(geom)) {
            geom.is_paired = true;
        }
    }
}

/// The body that each one is welded to: itself, if it has joints; 0 for what cannot move.
fn welds(model: &Model) -> Vec<usize> {
    let mut welds: Vec<usize> = Vec::with_capacity(model.bodies.len());
    for (index, body) in model.bodies.iter().enumerate() {
        let weld = match body.joints.is_empty() {
            true => welds.get(body.parent).copied().unwrap_or(0),
            false => index,
        };
        welds.push(weld);
    }
    welds
}

/// False where `<option><flag filterparent="disable"/>` lets bodies collide with their parents.
fn filters_parents(loaded: &Loaded) -> bool {
    let main = loaded.documents.first();
    let flags = main.into_iter().flat_map(|document| &document.options);
    let mut flags = flags.flat_map(|option| option.all("flag"));
    !flags.any(|flag| flag.word("filterparent") == Some("disable"))
}

/// True unless two bodies are welded together, or one is the parent of the other.
fn may_touch(model: &Model, welds: &[usize], a: usize, b: usize, filters_parents: bool) -> bool {
    let weld = |body: usize| welds.get(body).copied().unwrap_or(0);
    let (wa, wb) = (weld(a), weld(b));
    if wa == wb {
        return false;
    }
    let body = |index: usize| model.bodies.get(index);
    let above = |index: usize| body(index).map_or(0, |body| weld(body.parent));
    // what is welded to the world collides with its children
    if filters_parents && wa != 0 && wb != 0 && (above(wa) == wb || above(wb) == wa) {
        return false;
    }
    true
}

/// The different masks of the geoms of a body.
fn masks(body: &Body) -> HashSet<(u32, u32)> {
    let geoms = body.geoms.iter().filter(|geom| !geom.is_visual());
    geoms.map(|geom| (geom.contype, geom.conaffinity)).collect()
}

/// True if a geom of one body may collide with one of the other.
fn masks_meet(a: Option<&HashSet<(u32, u32)>>, b: Option<&HashSet<(u32, u32)>>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    a.iter().any(|(type_a, affinity_a)| {
        b.iter()
            .any(|(type_b, affinity_b)| type_a & affinity_b != 0 || type_b & affinity_a != 0)
    })
}
