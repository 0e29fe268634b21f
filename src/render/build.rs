//! A tree of boxes from the boxes of triangles: cuts with the least expected work (Wald 2007, *On fast construction of SAH-based
//! bounding volume hierarchies*).

use super::bvh::{DEEPEST, Node};
use crate::threads;

/// Triangles of a leaf, at most.
const LEAF: usize = 4;
/// Most intervals in which a cut is sought.
const BINS: usize = 12;
/// From so many triangles on both children are built at the same time.
const LARGE: usize = 4096;

/// A box; the fourth numbers are 0, for four are compared at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) min: [f32; 4],
    pub(super) max: [f32; 4],
}

/// What is sorted into a tree, and how.
pub(super) struct Build<'a> {
    boxes: &'a [Bounds],
}

/// A cut across an axis: triangles whose centre is in an interval below `first` come before it.
#[derive(Debug, Clone, Copy)]
struct Cut {
    work: f32,
    axis: usize,
    first: usize,
}

/// Intervals of the centres of triangles, along each axis.
#[derive(Debug, Clone, Copy)]
struct Intervals {
    n: usize,
    low: [f32; 4],
    scale: [f32; 4],
}

impl<'a> Build<'a> {
    /// For triangles in these boxes.
    pub(super) fn new(boxes: &'a [Bounds]) -> Self {
        Self { boxes }
    }

    /// Adds the tree of the triangles of `order`, the first of which is number `first` of all.
    pub(super) fn add(&self, order: &mut [u32], first: usize, depth: usize, nodes: &mut Vec<Node>) {
        let boxes = order.iter().map(|&i| &self.boxes[i as usize]);
        let around = boxes.fold(EMPTY, |all, other| all.union(other));
        let at = nodes.len();
        let vector = |[x, y, z, _]: [f32; 4]| [x, y, z];
        nodes.push(Node {
            min: vector(around.min),
            next: first as u32,
            max: vector(around.max),
            count: order.len() as u32,
        });
        if order.len() <= LEAF || depth >= DEEPEST {
            return;
        }
        let cut = self.cut(order).unwrap_or(order.len() / 2);
        let is_large = order.len() > LARGE;
        let (left, right) = order.split_at_mut(cut);
        let mut behind = Vec::new();
        if is_large {
            threads::both(
                || self.add(left, first, depth + 1, nodes),
                || self.add(right, first + cut, depth + 1, &mut behind),
            );
        } else {
            self.add(left, first, depth + 1, nodes);
        }
        let second = nodes.len();
        if is_large {
            for node in &mut behind {
                if node.count == 0 {
                    node.next += second as u32;
                }
            }
            nodes.append(&mut behind);
        } else {
            self.add(right, first + cut, depth + 1, nodes);
        }
        nodes[at].next = second as u32;
        nodes[at].count = 0;
    }

    /// Sorts triangles to both sides of the cut with the least expected work, and returns how many come first; `None` if all
    /// have their centre at one place.
    fn cut(&self, order: &mut [u32]) -> Option<usize> {
        let center = |i: u32| self.boxes[i as usize].center();
        let (mut low, mut high) = (EMPTY.min, EMPTY.max);
        for &i in order.iter() {
            let center = center(i);
            (low, high) = (less(low, center), greater(high, center));
        }
        let n = BINS.min(order.len());
        let mut scale = [0.0; 4];
        for (k, scale) in scale.iter_mut().enumerate() {
            *scale = n as f32 / (high[k] - low[k]);
        }
        let intervals = Intervals { n, low, scale };
        let mut bins = [[(EMPTY, 0_u32); BINS]; 3];
        for &i in order.iter() {
            let bounds = &self.boxes[i as usize];
            let at = intervals.of(bounds.center());
            for (bins, at) in bins.iter_mut().zip(at) {
                let (around, count) = &mut bins[at as usize];
                (*around, *count) = (around.union(bounds), *count + 1);
            }
        }
        let axes = (0..3).filter(|&axis| scale[axis].is_finite());
        let cuts = axes.filter_map(|axis| least(&bins[axis][..n], axis));
        let cut = cuts.reduce(|best, cut| if cut.work < best.work { cut } else { best })?;
        let mut before = 0;
        for j in 0..order.len() {
            if (intervals.of(center(order[j]))[cut.axis] as usize) < cut.first {
                order.swap(j, before);
                before += 1;
            }
        }
        Some(before)
    }
}

/// The cut between intervals of an axis with the least expected work.
fn least(bins: &[(Bounds, u32)], axis: usize) -> Option<Cut> {
    // what lies behind each cut
    let mut behind = [(EMPTY, 0); BINS + 1];
    for k in (0..bins.len()).rev() {
        behind[k] = (
            behind[k + 1].0.union(&bins[k].0),
            behind[k + 1].1 + bins[k].1,
        );
    }
    let mut best: Option<Cut> = None;
    let mut before = (EMPTY, 0);
    for first in 1..bins.len() {
        let last = &bins[first - 1];
        before = (before.0.union(&last.0), before.1 + last.1);
        if before.1 == 0 || behind[first].1 == 0 {
            continue;
        }
        let work = |(around, count): (Bounds, u32)| around.area() * count as f32;
        let work = work(before) + work(behind[first]);
        if best.is_none_or(|best| work < best.work) {
            best = Some(Cut { work, axis, first });
        }
    }
    best
}

impl Intervals {
    /// The interval of a centre along each axis.
    fn of(&self, center: [f32; 4]) -> [u32; 3] {
        // no number counts as 0
        let at = |k: usize| ((center[k] - self.low[k]) * self.scale[k]) as u32;
        let last = self.n as u32 - 1;
        [at(0).min(last), at(1).min(last), at(2).min(last)]
    }
}

const EMPTY: Bounds = Bounds {
    min: [f32::INFINITY; 4],
    max: [f32::NEG_INFINITY; 4],
};

impl Bounds {
    fn union(&self, other: &Self) -> Self {
        Self {
            min: less(self.min, other.min),
            max: greater(self.max, other.max),
        }
    }

    fn center(&self) -> [f32; 4] {
        let mut center = self.min;
        for (low, high) in center.iter_mut().zip(self.max) {
            *low = 0.5 * (*low + high);
        }
        center
    }

    fn area(&self) -> f32 {
        let size = |k: usize| self.max[k] - self.min[k];
        let (x, y, z) = (size(0), size(1), size(2));
        x * y + y * z + z * x
    }
}

/// The smaller ones of pairs of numbers, as one instruction.
pub(super) fn less(mut a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = if b < *a { b } else { *a };
    }
    a
}

/// The larger ones of pairs of numbers.
pub(super) fn greater(mut a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = if b > *a { b } else { *a };
    }
    a
}
