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
/// Largest number of a cell along an axis of the grid that the curve goes through.
const CELLS: f64 = 1023.0;

/// The ten bits of a number, two zeros before each.
#[inline]
fn interleaved(number: u32) -> u32 {
    let number = (number | number << 16) & 0x0300_00ff;
    let number = (number | number << 8) & 0x0300_f00f;
    let number = (number | number << 4) & 0x030c_30c3;
    (number | number << 2) & 0x0924_9249
}

/// Memory to sort boxes in.
#[derive(Debug, Clone, Default)]
pub(super) struct Sorting {
    boxes: Vec<(Aabb, u32)>,
    /// Place along the curve, and index in `boxes`.
    order: Vec<(u32, u32)>,
}

impl BoxTree {
    /// A tree of boxes, each with its number, which costs more to build than [`refill`](Self::refill) and less to search.
    pub(super) fn new(items: Vec<(Aabb, u32)>) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            items,
        };
        tree.split(0, tree.items.len(), true);
        tree
    }

    /// Replaces all boxes, in the order of their centres along a Z-curve.
    pub(super) fn refill(
        &mut self,
        items: impl Iterator<Item = (Aabb, u32)>,
        Sorting { boxes, order }: &mut Sorting,
    ) {
        self.clear();
        boxes.clear();
        boxes.extend(items);
        if let Some(centers) = Aabb::around(boxes.iter().map(|(bounds, _)| bounds.center())) {
            let scale =
                (centers.max - centers.min).map(|side| if side > 0.0 { CELLS / side } else { 0.0 });
            let place = |(bounds, _): &(Aabb, u32)| {
                let cell = (bounds.center() - centers.min).component_mul(&scale);
                interleaved(cell.x as u32)
                    | interleaved(cell.y as u32) << 1
                    | interleaved(cell.z as u32) << 2
            };
            order.clear();
            order.extend(boxes.iter().map(place).zip(0..));
            order.sort_unstable();
            self.items
                .extend(order.iter().map(|&(_, index)| boxes[index as usize]));
            self.split(0, self.items.len(), false);
        }
    }

    /// Removes all boxes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.items.clear();
    }

    /// Returns whether there are no boxes.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Builds the nodes over a range of items: halves as they are, or on request by the median along the longest side.
    fn split(&mut self, start: usize, end: usize, by_median: bool) {
        let items = &mut self.items[start..end];
        let Some((first, _)) = items.first() else {
            return;
        };
        let node = self.nodes.len();
        let content = Content::Items {
            start: start as u32,
            end: end as u32,
        };
        let bounds = *first;
        self.nodes.push(Node { bounds, content });
        if items.len() <= LEAF {
            let all = items
                .iter()
                .fold(bounds, |all, (other, _)| all.union(other));
            self.nodes[node].bounds = all;
            return;
        }
        let half = items.len() / 2;
        if by_median {
            let centers = Aabb::around(items.iter().map(|(b, _)| b.center()));
            let axis = centers.map_or(0, |c| (c.max - c.min).imax());
            items.select_nth_unstable_by(half, |(a, _), (b, _)| {
                a.center()[axis].total_cmp(&b.center()[axis])
            });
        }
        self.split(start, start + half, by_median);
        let second = self.nodes.len();
        self.split(start + half, end, by_median);
        self.nodes[node] = Node {
            bounds: self.nodes[node + 1]
                .bounds
                .union(&self.nodes[second].bounds),
            content: Content::Second(second as u32),
        };
    }

    /// Calls `found` with the numbers of every two boxes that overlap or touch.
    pub(super) fn overlapping_pairs(&self, mut found: impl FnMut(u32, u32)) {
        for (leaf, node) in self.nodes.iter().enumerate() {
            let Content::Items { start, end } = node.content else {
                continue;
            };
            let own = &self.items[start as usize..end as usize];
            for (i, (bounds, number)) in own.iter().enumerate() {
                for (other, other_number) in &own[i + 1..] {
                    if bounds.overlaps(other) {
                        found(*number, *other_number);
                    }
                }
            }
            self.visit_after(leaf as u32, |other| {
                for (bounds, number) in own.iter().filter(|(own, _)| own.overlaps(&other.bounds)) {
                    for (other, other_number) in self.items_of(other) {
                        if bounds.overlaps(other) {
                            found(*number, *other_number);
                        }
                    }
                }
            });
        }
    }

    /// Calls `leaf` with all leaves after one, whose boxes overlap its box.
    fn visit_after(&self, first: u32, mut leaf: impl FnMut(&Node)) {
        let query = &self.nodes[first as usize].bounds;
        // subtrees with the index of the node that follows them
        let mut stack = [(0_u32, 0_u32); DEPTH];
        stack[0] = (0, self.nodes.len() as u32);
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (index, after) = stack[height];
            let node = &self.nodes[index as usize];
            if after <= first + 1 || !node.bounds.overlaps(query) {
                continue;
            }
            match node.content {
                Content::Items { .. } => leaf(node),
                Content::Second(second) => {
                    stack[height] = (second, after);
                    stack[height + 1] = (index + 1, second);
                    height += 2;
                }
            }
        }
    }

    /// The boxes of a leaf.
    #[inline]
    fn items_of(&self, node: &Node) -> &[(Aabb, u32)] {
        match node.content {
            Content::Items { start, end } => &self.items[start as usize..end as usize],
            Content::Second(_) => &[],
        }
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
            let at = &self.nodes[node as usize];
            if !enters(&at.bounds) {
                continue;
            }
            match at.content {
                Content::Items { .. } => {
                    for (bounds, number) in self.items_of(at) {
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
