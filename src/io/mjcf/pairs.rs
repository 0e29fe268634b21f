//! Pairs of links that may collide, by MuJoCo's rules: masks, bodies that are welded together, parents, exceptions, lists.

use std::collections::{BTreeSet, HashSet};

use super::Loaded;
use super::model::{Body, Model};
use super::notes::Notes;
use super::references::Names;
use super::robot::Assembly;
use crate::Diagnostic;
use crate::robot::LinkId;
use crate::world::EntityId;

/// Most bodies of a robot whose masks are compared with one another.
const MOST_BODIES: usize = 5000;

/// What decides which bodies may collide.
#[derive(Debug)]
pub(super) struct Rule<'m> {
    model: &'m Model,
    /// The body that each one is welded to.
    welds: Vec<usize>,
    filters_parents: bool,
    /// Pairs of bodies, smaller index first.
    excluded: HashSet<(usize, usize)>,
    /// Pairs of geoms: body and index there, smaller first.
    listed: HashSet<(GeomIndex, GeomIndex)>,
    masks: Vec<Vec<(u32, u32)>>,
}

/// Index of a body, and of a geom in it.
type GeomIndex = (usize, usize);

/// An element of the world: a body, and those of its geoms that it has.
#[derive(Debug)]
pub(super) struct Solid {
    pub(super) entity: EntityId,
    pub(super) body: usize,
    /// `None` for all of them.
    pub(super) geom: Option<usize>,
}

impl<'m> Rule<'m> {
    /// The rule of a model.
    pub(super) fn of(loaded: &'m Loaded, notes: &mut Notes<'_>) -> Result<Self, Diagnostic> {
        let model = &loaded.model;
        let mut rule = Self {
            model,
            welds: welds(model),
            filters_parents: filters_parents(loaded),
            excluded: HashSet::new(),
            listed: HashSet::new(),
            masks: model.bodies.iter().map(masks).collect(),
        };
        let names = Names::of(model);
        for reference in loaded.references(|document| &document.contacts) {
            let place = reference.node.place;
            match reference.node.name.as_str() {
                "exclude" => {
                    let body = |attribute: &str| names.body(&reference.named(attribute)?);
                    match (body("body1"), body("body2")) {
                        (Some(a), Some(b)) => rule.excluded.insert((a.min(b), a.max(b))),
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
                        (Some(a), Some(b)) => rule.listed.insert((a.min(b), a.max(b))),
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
        Ok(rule)
    }

    /// Limits the pairs of a robot that are checked to those that MuJoCo checks.
    pub(super) fn apply(
        &self,
        assembly: &mut Assembly,
        most: usize,
        notes: &mut Notes<'_>,
    ) -> Result<(), Diagnostic> {
        let bodies = assembly.bodies.iter().copied();
        let own: Vec<(usize, LinkId)> = bodies
            .zip(assembly.links.iter().copied())
            .filter(|(body, _)| self.has_geoms(*body))
            .collect();
        if own.len() > MOST_BODIES {
            let what = "`contype` and `conaffinity` are left out: the robot has too many bodies";
            notes.leave_out(what, super::robot::place(self.model));
            return Ok(());
        }
        let listed: HashSet<(usize, usize)> = self
            .listed
            .iter()
            .map(|((a, _), (b, _))| (*a, *b))
            .collect();
        let mut only: BTreeSet<(LinkId, LinkId)> = BTreeSet::new();
        for (i, &(a, link_a)) in own.iter().enumerate() {
            for &(b, link_b) in own.iter().skip(i + 1) {
                let may = || self.may_touch(a, b) && meet(self.masks_of(a), self.masks_of(b));
                if !listed.contains(&(a.min(b), a.max(b))) && !may() {
                    continue;
                }
                only.insert((link_a.min(link_b), link_a.max(link_b)));
                if only.len() > most {
                    let place = super::robot::place(self.model);
                    let problem = format!("more than {most} pairs of bodies may collide");
                    let error = notes.error(place, "model", problem);
                    return Err(error.help("raise `limits.pairs` of the load options"));
                }
            }
        }
        assembly.robot.self_collision.only = Some(only.into_iter().collect());
        Ok(())
    }

    /// The pairs of elements of which MuJoCo tests no geoms, those of one robot and of two terrains left out.
    pub(super) fn ignored(
        &self,
        solids: &[Solid],
        most: usize,
        notes: &mut Notes<'_>,
    ) -> Vec<(EntityId, EntityId)> {
        let mut ignored = Vec::new();
        let solids: Vec<&Solid> = solids
            .iter()
            .filter(|solid| self.has_geoms(solid.body))
            .collect();
        if solids.len() > MOST_BODIES {
            let what = "`contype` and `conaffinity` of different robots, objects and terrains are left out: there are too many";
            notes.leave_out(what, super::robot::place(self.model));
            return ignored;
        }
        for (i, a) in solids.iter().enumerate() {
            for b in solids.iter().skip(i + 1) {
                let is_other = match (a.entity, b.entity) {
                    (EntityId::Link(r, _), EntityId::Link(s, _)) => r != s,
                    (EntityId::Terrain(_), EntityId::Terrain(_)) => false,
                    _ => true,
                };
                if !is_other || self.solids_meet(a, b) {
                    continue;
                }
                if ignored.len() == most {
                    let what = format!(
                        "more than {most} pairs of robots, objects and terrains never collide; these are tested all the same"
                    );
                    notes.leave_out(what, super::robot::place(self.model));
                    return Vec::new();
                }
                ignored.push((a.entity, b.entity));
            }
        }
        ignored
    }

    /// True if MuJoCo tests a geom of one element against one of the other.
    fn solids_meet(&self, a: &Solid, b: &Solid) -> bool {
        let is_listed = |(x, y): &(GeomIndex, GeomIndex)| {
            let is = |solid: &Solid, (body, geom): GeomIndex| {
                solid.body == body && solid.geom.is_none_or(|own| own == geom)
            };
            (is(a, *x) && is(b, *y)) || (is(a, *y) && is(b, *x))
        };
        let of = |solid: &Solid| match solid.geom {
            None => self.masks_of(solid.body).to_vec(),
            Some(geom) => {
                let body = self.model.bodies.get(solid.body);
                let geom = body.and_then(|body| body.geoms.get(geom));
                geom.map(|geom| (geom.contype, geom.conaffinity))
                    .into_iter()
                    .collect()
            }
        };
        (self.may_touch(a.body, b.body) && meet(&of(a), &of(b)))
            || self.listed.iter().any(is_listed)
    }

    fn has_geoms(&self, body: usize) -> bool {
        let body = self.model.bodies.get(body);
        body.is_some_and(|body| !body.geoms.is_empty())
    }

    fn masks_of(&self, body: usize) -> &[(u32, u32)] {
        self.masks.get(body).map_or(&[], Vec::as_slice)
    }

    /// True unless two bodies are welded together, one is the parent of the other, or they are excluded.
    fn may_touch(&self, a: usize, b: usize) -> bool {
        let weld = |body: usize| self.welds.get(body).copied().unwrap_or(0);
        let (wa, wb) = (weld(a), weld(b));
        if wa == wb || self.excluded.contains(&(a.min(b), a.max(b))) {
            return false;
        }
        let body = |index: usize| self.model.bodies.get(index);
        let above = |index: usize| body(index).map_or(0, |body| weld(body.parent));
        // what is welded to the world collides with its children
        !(self.filters_parents && wa != 0 && wb != 0 && (above(wa) == wb || above(wb) == wa))
    }
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

/// The different masks of the geoms of a body.
fn masks(body: &Body) -> Vec<(u32, u32)> {
    let geoms = body.geoms.iter().filter(|geom| !geom.is_visual());
    let mut masks: Vec<_> = geoms.map(|geom| (geom.contype, geom.conaffinity)).collect();
    masks.sort_unstable();
    masks.dedup();
    masks
}

/// True if a geom with one of the first masks may collide with one of the others.
fn meet(a: &[(u32, u32)], b: &[(u32, u32)]) -> bool {
    a.iter().any(|(type_a, affinity_a)| {
        b.iter()
            .any(|(type_b, affinity_b)| type_a & affinity_b != 0 || type_b & affinity_a != 0)
    })
}
