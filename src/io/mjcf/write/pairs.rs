//! Self-collision pairs as exceptions from MuJoCo's rules, and as listed pairs.

use std::collections::{BTreeMap, BTreeSet};

use super::Writer;
use super::layout::Layout;
use crate::io::save::Tag;
use crate::robot::{LinkId, Robot};

/// Pairs of bodies on which the robot and MuJoCo differ.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Bodies that MuJoCo would let collide.
    excluded: Vec<(usize, usize)>,
    /// Bodies that it would not.
    listed: Vec<(usize, usize)>,
}

impl Pairs {
    pub(super) fn new(robot: &Robot, layout: &Layout) -> Self {
        let welds = layout.welds();
        let weld = |body: usize| welds.get(body).copied().flatten();
        // the movable body above each movable one
        let above = |weld: usize| {
            let body = layout.bodies.get(weld)?;
            body.parent
                .and_then(|parent| welds.get(parent).copied().flatten())
        };
        let collides = |a: usize, b: usize| match (weld(a), weld(b)) {
            (a, b) if a == b => false,
            (Some(a), Some(b)) => above(a) != Some(b) && above(b) != Some(a),
            // what stands collides with what it carries
            _ => true,
        };
        let links = robot.links();
        let shaped: Vec<usize> = (0..layout.bodies.len())
            .filter(|&k| {
                let link = layout.bodies.get(k).and_then(|body| links.get(body.link));
                link.is_some_and(|link| !link.collision().is_empty())
            })
            .collect();
        let link = |k: usize| layout.bodies.get(k).map(|body| LinkId::new(body.link));
        let mut pairs = Self::default();
        for (i, &a) in shaped.iter().enumerate() {
            for &b in shaped.iter().skip(i + 1) {
                let (Some(x), Some(y)) = (link(a), link(b)) else {
                    continue;
                };
                match (robot.self_collision_enabled(x, y), collides(a, b)) {
                    (false, true) => pairs.excluded.push((a, b)),
                    (true, false) => pairs.listed.push((a, b)),
                    _ => {}
                }
            }
        }
        pairs
    }

    /// The bodies whose geoms need names.
    pub(super) fn named(&self) -> BTreeSet<usize> {
        self.listed.iter().flat_map(|(a, b)| [*a, *b]).collect()
    }
}

impl Writer<'_> {
    /// Writes pairs; `names` are those of the bodies, `geoms` those of the shapes of some.
    pub(super) fn pairs(
        &mut self,
        pairs: &Pairs,
        names: &[String],
        geoms: &BTreeMap<usize, Vec<String>>,
    ) {
        for (a, b) in &pairs.excluded {
            if let (Some(a), Some(b)) = (names.get(*a), names.get(*b)) {
                let tag = Tag::new("exclude").word("body1", a).word("body2", b);
                self.contacts += &format!("    {}", tag.closed());
            }
        }
        for (a, b) in &pairs.listed {
            for a in geoms.get(a).into_iter().flatten() {
                for b in geoms.get(b).into_iter().flatten() {
                    let tag = Tag::new("pair").word("geom1", a).word("geom2", b);
                    self.contacts += &format!("    {}", tag.closed());
                }
            }
        }
    }
}
