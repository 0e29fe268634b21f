//! Bounding-box tree of static parts.

use crate::geometry::Aabb;
use crate::math::{Point, Vector};

/// Balanced binary tree of boxes; a few boxes are one leaf, which is scanned.
#[derive(Debug, Clone, Default)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    /// Boxes and their numbers, leaf after leaf.
    items: Vec<(Aabb, u32)>,
}

#[derive(Debug, Clone)]
struct Node {
    bounds: Aabb,
    /// Items of a leaf, or second child of an inner node; the first child is the next node.
    content: Content,
}

#[derive(Debug, Clone, Copy)]
enum Content {
    Items { start: u32, end: u32 },
    Second(u32),
}

/// Largest number of boxes in a leaf.
pub(super) const LEAF: usize = 8;
/// A balanced tree of 2³² boxes is not deeper.
const DEPTH: usize = 34;

impl BoxTree {
    /// A tree of boxes, each with its number.
    pub(super) fn new(items: Vec<(Aabb, u32)>) -> Self {
        let mut tree = Self::default();
        tree.refill(items.into_iter());
        tree
    }

    /// Replaces all boxes.
    pub(super) fn refill(&mut self, items: impl Iterator<Item = (Aabb, u32)>) {
        self.nodes.clear();
        self.items.clear();
        self.items.extend(items);
        if !self.items.is_empty() {
            self.split(0, self.items.len());
        }
    }

    /// Number of boxes.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Builds the nodes over a range of items, by median splits along the longest side.
    fn split(&mut self, start: usize, end: usize) {
        let items = &mut self.items[start..end];
        let mut bounds = items[0].0;
        for (other, _) in items.iter() {
            bounds = bounds.union(other);
        }
        let node = self.nodes.len();
        let content = Content::Items {
            start: start as u32,
            end: end as u32,
        };
        self.nodes.push(Node { bounds, content });
        if items.len() <= LEAF {
            return;
        }
        let centers = Aabb::around(items.iter().map(|(b, _)| b.center()));
        let axis = centers.map_or(0, |c| (c.max - c.min).imax());
        let half = items.len() / 2;
        items.select_nth_unstable_by(half, |(a, _), (b, _)| {
            a.center()[axis].total_cmp(&b.center()[axis])
        });
        self.split(start, start + half);
        self.nodes[node].content = Content::Second(self.nodes.len() as u32);
        self.split(start + half, end);
    }

    /// Calls `found` with the number of every box that overlaps or touches `query`.
    pub(super) fn overlapping(&self, query: &Aabb, mut found: impl FnMut(u32)) {
        self.visit(
            |bounds| bounds.overlaps(query),
            |bounds, number| {
                if bounds.overlaps(query) {
                    found(number);
                }
            },
        );
    }

    /// Calls `found` with the number of every box that a ray hits within `max` metres; `found` returns the new limit.
    pub(super) fn along_ray(&self, ray: &Ray, max: f64, mut found: impl FnMut(u32, f64) -> f64) {
        let max = std::cell::Cell::new(max);
        self.visit(
            |bounds| ray.meets(bounds, max.get()),
            |bounds, number| {
                if ray.meets(bounds, max.get()) {
                    max.set(found(number, max.get()));
                }
            },
        );
    }

    /// Traverses the nodes for which `enters` is true, and calls `item` for all items of their leaves.
    fn visit(&self, enters: impl Fn(&Aabb) -> bool, mut item: impl FnMut(&Aabb, u32)) {
        let mut stack = [0_u32; DEPTH];
        let mut height = usize::from(!self.nodes.is_empty());
        while height > 0 {
            height -= 1;
            let node = stack[height];
            let Node { bounds, content } = &self.nodes[node as usize];
            if !enters(bounds) {
                continue;
            }
            match *content {
                Content::Items { start, end } => {
                    for (bounds, number) in &self.items[start as usize..end as usize] {
                        item(bounds, *number);
                    }
                }
                Content::Second(second) => {
                    stack[height] = second;
                    stack[height + 1] = node + 1;
                    height += 2;
                }
            }
        }
    }
}

/// A ray for tests against boxes.
#[derive(Debug, Clone)]
pub(super) struct Ray {
    origin: Point,
    direction: Vector,
}

impl Ray {
    /// A ray along a unit vector.
    #[inline]
    pub(super) fn new(origin: &Point, direction: &Vector) -> Self {
        Self {
            origin: *origin,
            direction: *direction,
        }
    }

    /// Returns whether it hits a box, inflated by a tolerance, within `max` metres.
    #[inline]
    pub(super) fn meets(&self, bounds: &Aabb, max: f64) -> bool {
        // inflated, so that flat boxes are not missed by rounding
        let magnitude = bounds.min.coords.amax().max(bounds.max.coords.amax());
        let tolerance = 1e-12 * (magnitude + self.origin.coords.amax());
        let (mut enter, mut leave) = (-tolerance, max + tolerance);
        for k in 0..3 {
            let (low, high) = (
                bounds.min[k] - tolerance - self.origin[k],
                bounds.max[k] + tolerance - self.origin[k],
            );
            if self.direction[k] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
                continue;
            }
            let (a, b) = (low / self.direction[k], high / self.direction[k]);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        enter <= leave
    }
}
