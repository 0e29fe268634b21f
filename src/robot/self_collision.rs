//! Pairs of links that are checked for self-collision.

use std::collections::BTreeSet;

use super::{LinkId, LinkSpec, RobotBuilder, SelfCollision};
use crate::{Error, Result};

/// The enabled pairs as a rule, because a robot of 10,000 links has 50 million pairs.
#[derive(Debug, Clone)]
pub(super) struct SelfCollisionPairs {
    /// Links with collision geometry, sorted.
    shaped: Vec<LinkId>,
    /// Links that have or should have collision geometry, sorted.
    bodied: Vec<LinkId>,
    /// Exactly these, smaller id first; `None` for the default.
    only: Option<BTreeSet<(LinkId, LinkId)>>,
    /// Not these, smaller id first.
    except: BTreeSet<(LinkId, LinkId)>,
    /// Per link: the parent, and the movable link that carries it (`None`: the world).
    parents: Vec<Option<LinkId>>,
    carriers: Vec<Option<LinkId>>,
}

impl SelfCollisionPairs {
    /// Checks the pairs of a builder; its links need not be sorted.
    pub(super) fn new(builder: &RobotBuilder) -> Result<Self> {
        let links = &builder.links;
        let sorted = |&(a, b): &(LinkId, LinkId)| {
            if a.index().max(b.index()) >= links.len() {
                let what = format!("self-collision pair ({}, {})", a.index(), b.index());
                return Err(Error::invalid(
                    what,
                    format!("there are only {} links", links.len()),
                ));
            }
            if a == b {
                let what = format!("self-collision pair of {}", builder.label(a));
                return Err(Error::invalid(what, "it names the same link twice"));
            }
            Ok((a.min(b), a.max(b)))
        };
        let all =
            |pairs: &[(LinkId, LinkId)]| pairs.iter().map(sorted).collect::<Result<BTreeSet<_>>>();
        let links_that = |has: &dyn Fn(&LinkSpec) -> bool| {
            let ids = (0..links.len()).filter(|&i| has(&links[i]));
            ids.map(LinkId::new).collect()
        };
        Ok(Self {
            shaped: links_that(&|link| !link.collision.is_empty()),
            bodied: links_that(&|link| !link.collision.is_empty() || link.lack().is_some()),
            only: builder
                .self_collision
                .only
                .as_deref()
                .map(all)
                .transpose()?,
            except: all(&builder.self_collision.except)?,
            parents: links.iter().map(|link| link.parent).collect(),
            carriers: carriers(links),
        })
    }

    /// Returns whether a pair is enabled.
    pub(super) fn contains(&self, a: LinkId, b: LinkId) -> bool {
        let is_shaped = |link| self.shaped.binary_search(&link).is_ok();
        self.wants(a, b) && (self.only.is_some() || (is_shaped(a) && is_shaped(b)))
    }

    /// Returns whether a pair is enabled if both links have a shape.
    pub(super) fn wants(&self, a: LinkId, b: LinkId) -> bool {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || self.except.contains(&(a, b)) {
            return false;
        }
        match &self.only {
            Some(only) => only.contains(&(a, b)),
            None => {
                let are_adjacent =
                    self.parents[b.index()] == Some(a) || self.parents[a.index()] == Some(b);
                let are_rigid = self.carriers[a.index()] == self.carriers[b.index()];
                !are_adjacent && !are_rigid
            }
        }
    }

    /// Every enabled pair, smaller id first, sorted.
    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = (LinkId, LinkId)> + '_> {
        if let Some(only) = &self.only {
            return Box::new(
                only.iter()
                    .copied()
                    .filter(|pair| !self.except.contains(pair)),
            );
        }
        let later = move |i: usize| {
            self.shaped[i + 1..]
                .iter()
                .map(move |&b| (self.shaped[i], b))
        };
        Box::new(
            (0..self.shaped.len())
                .flat_map(later)
                .filter(|&(a, b)| self.contains(a, b)),
        )
    }

    /// Every pair that is enabled if both links have the shapes that they should have, smaller id first, sorted.
    pub(super) fn wanted(&self) -> Box<dyn Iterator<Item = (LinkId, LinkId)> + '_> {
        if self.only.is_some() {
            return self.iter();
        }
        let later = move |i: usize| {
            let others = self.bodied[i + 1..].iter();
            others.map(move |&b| (self.bodied[i], b))
        };
        let pairs = (0..self.bodied.len()).flat_map(later);
        Box::new(pairs.filter(|&(a, b)| self.wants(a, b)))
    }

    /// Returns whether the pairs are listed one by one.
    pub(super) fn has_list(&self) -> bool {
        self.only.is_some() || !self.except.is_empty()
    }

    /// The links that have or should have collision geometry, sorted.
    pub(super) fn bodied(&self) -> &[LinkId] {
        &self.bodied
    }

    /// The rule in the form of a builder.
    pub(super) fn to_spec(&self) -> SelfCollision {
        SelfCollision {
            only: self
                .only
                .as_ref()
                .map(|only| only.iter().copied().collect()),
            except: self.except.iter().copied().collect(),
        }
    }
}

/// The movable link that carries each link: itself or its nearest movable ancestor.
fn carriers(links: &[LinkSpec]) -> Vec<Option<LinkId>> {
    let mut carriers = vec![None; links.len()];
    let mut is_known = vec![false; links.len()];
    let mut walked = Vec::new();
    for start in 0..links.len() {
        // up to a movable link or one that is known; a cycle of parents ends there too
        let mut next = Some(LinkId::new(start));
        let mut carrier = None;
        while let Some(id) = next.filter(|id| id.index() < links.len()) {
            let (i, link) = (id.index(), &links[id.index()]);
            if is_known[i] {
                carrier = carriers[i];
                break;
            }
            is_known[i] = true;
            walked.push(i);
            if !link.motion.is_fixed() {
                carrier = Some(id);
                break;
            }
            next = link.parent;
        }
        for i in walked.drain(..) {
            carriers[i] = carrier;
        }
    }
    carriers
}
