//! Margins of the pairs of a scene.

use std::collections::{BTreeMap, HashMap};

use super::PairFilter;
use super::filter::names;
use crate::world::EntityId;

/// Margins of pairs of parts, in addition to the margins of their shapes.
#[derive(Debug, Default)]
pub(super) struct Margins {
    /// Margins of each part; empty where the filter has none.
    parts: Vec<PartMargins>,
    /// Margins by the kinds of two parts, smaller first; 0 for others.
    pairs: HashMap<(u32, u32), f64>,
}

/// Margins of one part.
#[derive(Debug)]
struct PartMargins {
    /// Margin to all other parts, m.
    to_all: f64,
    /// Margin to all but the links of its robot, m.
    of_robot: f64,
    robot: Option<EntityId>,
    /// Kind of the part: parts of one kind are named by the same pairs; 0 for one that no pair names.
    kind: u32,
}

impl Margins {
    pub(super) fn new(filter: &PairFilter, parts: impl Iterator<Item = EntityId>) -> Self {
        if !filter.has_margins() {
            return Self::default();
        }
        let mut by_name: BTreeMap<EntityId, Vec<u32>> = BTreeMap::new();
        for &(a, b, _) in filter.margins() {
            by_name.entry(a).or_default();
            by_name.entry(b).or_default();
        }
        // links of a robot share a kind unless they are named themselves
        let mut kinds: BTreeMap<Vec<EntityId>, u32> = BTreeMap::new();
        let parts = parts.map(|entity| {
            let robot = entity.robot().map(EntityId::Robot);
            let named = names(entity).filter(|name| by_name.contains_key(name));
            let named: Vec<EntityId> = named.collect();
            let next = kinds.len() as u32 + 1;
            let kind = match &named[..] {
                [] => 0,
                _ => *kinds.entry(named).or_insert(next),
            };
            PartMargins {
                to_all: filter.margin_of(entity),
                of_robot: robot.map_or(0.0, |robot| filter.margin_of(robot)),
                robot,
                kind,
            }
        });
        let parts = parts.collect();
        for (named, kind) in &kinds {
            for name in named {
                by_name.entry(*name).or_default().push(*kind);
            }
        }
        let mut pairs = HashMap::new();
        for (a, b, metres) in filter.margins() {
            for &i in &by_name[a] {
                for &j in &by_name[b] {
                    let largest = pairs.entry((i.min(j), i.max(j))).or_insert(0.0);
                    *largest = metres.max(*largest);
                }
            }
        }
        Self { parts, pairs }
    }

    /// Margin of a pair of parts, m.
    #[inline]
    pub(super) fn of(&self, (a, b): (usize, usize)) -> f64 {
        if self.parts.is_empty() {
            return 0.0;
        }
        self.between(&self.parts[a], &self.parts[b])
    }

    fn between(&self, a: &PartMargins, b: &PartMargins) -> f64 {
        let mut margin = a.to_all.max(b.to_all);
        if a.robot != b.robot {
            margin = margin.max(a.of_robot).max(b.of_robot);
        }
        if a.kind > 0 && b.kind > 0 {
            let kinds = (a.kind.min(b.kind), a.kind.max(b.kind));
            margin = margin.max(self.pairs.get(&kinds).copied().unwrap_or(0.0));
        }
        margin
    }
}
