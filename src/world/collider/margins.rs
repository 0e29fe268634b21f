//! How near the pairs of a scene may come.

use std::collections::{BTreeMap, HashMap};

use super::PairFilter;
use super::filter::names;
use crate::world::EntityId;

/// What pairs of parts keep between them, on top of the margins of their shapes.
#[derive(Debug, Default)]
pub(super) struct Margins {
    /// Of each part; empty where the filter names no margin.
    parts: Vec<Own>,
    /// By the kinds of two parts, smaller first; 0 for others.
    pairs: HashMap<(u32, u32), f64>,
}

/// What the filter says about a part.
#[derive(Debug)]
struct Own {
    /// To all else, m.
    to_all: f64,
    /// To all but the links of its robot, m.
    of_robot: f64,
    robot: Option<EntityId>,
    /// Parts of one kind are named by the same pairs; 0 for one that no pair names.
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
        // a link is of one kind with others of its robot unless it is named itself
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
            Own {
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

    /// What two parts keep between them, m.
    #[inline]
    pub(super) fn of(&self, (a, b): (usize, usize)) -> f64 {
        if self.parts.is_empty() {
            return 0.0;
        }
        self.look_up(&self.parts[a], &self.parts[b])
    }

    fn look_up(&self, a: &Own, b: &Own) -> f64 {
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
