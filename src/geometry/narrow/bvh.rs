//! A binary tree of boxes over pieces.

use super::piece::Piece;
use crate::geometry::Aabb;
use crate::math::{Point, Vector};

/// A box around pieces, and either two children or the pieces themselves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) center: Point,
    pub(super) half: Vector,
    /// The first of two neighbouring children, or the first piece.
    first: u32,
    /// The number of pieces, 0 where there are children.
    count: u32,
}

impl Node {
    /// The indices of the children, `None` for a leaf.
    pub(super) fn children(&self) -> Option<[u32; 2]> {
        (self.count == 0).then_some([self.first, self.first + 1])
    }

    /// The indices of the pieces, empty where there are children.
    pub(super) fn pieces(&self) -> std::ops::Range<usize> {
        let first = if self.count == 0 {
            0
        } else {
            self.first as usize
        };
        first..first + self.count as usize
    }

    /// How large the box is, for choosing which of two to open.
    pub(super) fn size(&self) -> f64 {
        self.half.norm_squared()
    }

    fn around(boxes: &[(Aabb, Piece)], first: usize) -> Self {
        let all = boxes.iter().map(|(b, _)| *b).reduce(|a, b| a.union(&b));
        let all = all.expect("a node holds pieces");
        let center = all.center();
        Self {
            center,
            // both sides are measured, so that rounding of the centre loses nothing
            half: (all.max - center).sup(&(center - all.min)),
            first: index(first),
            count: index(boxes.len()),
        }
    }
}

/// The nodes, root first, and the pieces in the order in which the leaves name them.
///
/// No child has fewer than a quarter of its parent's pieces, which bounds the depth whatever the pieces are.
pub(super) fn build(pieces: Vec<Piece>) -> (Vec<Node>, Vec<Piece>) {
    const LEAF: usize = 2;
    let mut boxes: Vec<(Aabb, Piece)> = pieces.into_iter().map(|p| (p.aabb(), p)).collect();
    if boxes.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let mut nodes = vec![Node::around(&boxes, 0)];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let range = nodes[at].pieces();
        if range.len() <= LEAF {
            continue;
        }
        let first = range.start;
        let part = &mut boxes[range];
        let middle = cut(part);
        let (low, high) = part.split_at(middle);
        let children = [Node::around(low, first), Node::around(high, first + middle)];
        nodes[at].first = index(nodes.len());
        nodes[at].count = 0;
        open.extend([nodes.len(), nodes.len() + 1]);
        nodes.extend(children);
    }
    (nodes, boxes.into_iter().map(|(_, piece)| piece).collect())
}

/// Sorts boxes into two groups, none smaller than a quarter, and tells where the second starts.
///
/// Of some cuts across each side the one wins whose groups have the least surface, weighed by their numbers: the chance of
/// a box to be met grows with its surface (Wald 2007). Where no cut will do, the groups are halves.
fn cut(part: &mut [(Aabb, Piece)]) -> usize {
    let n = part.len();
    let centers = Aabb::around(part.iter().map(|(b, _)| b.center())).expect("a node holds pieces");
    let size = centers.max - centers.min;
    let mut best = None;
    let mut least = f64::INFINITY;
    for axis in (0..3).filter(|&axis| size[axis] > 0.0) {
        let mut bins: [Bin; BINS] = Default::default();
        for (bounds, _) in part.iter() {
            bins[bin(bounds, &centers, axis)].add(bounds, 1);
        }
        let mut upper = bins;
        for k in (0..BINS - 1).rev() {
            let next = upper[k + 1];
            upper[k].join(&next);
        }
        let mut lower = Bin::default();
        for k in 0..BINS - 1 {
            lower.join(&bins[k]);
            let cost = lower.cost() + upper[k + 1].cost();
            if cost < least && lower.count.min(n - lower.count) >= (n / 4).max(1) {
                (least, best) = (cost, Some((axis, k)));
            }
        }
    }
    let Some((axis, k)) = best else {
        let axis = size.imax();
        part.select_nth_unstable_by(n / 2, |(a, _), (b, _)| {
            a.center()[axis].total_cmp(&b.center()[axis])
        });
        return n / 2;
    };
    let mut middle = 0;
    for i in 0..n {
        if bin(&part[i].0, &centers, axis) <= k {
            part.swap(i, middle);
            middle += 1;
        }
    }
    middle
}

/// How many slices a side is cut into.
const BINS: usize = 16;

/// The boxes whose middles are in one slice.
#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    bounds: Option<Aabb>,
    count: usize,
}

impl Bin {
    fn add(&mut self, bounds: &Aabb, count: usize) {
        self.bounds = Some(self.bounds.map_or(*bounds, |b| b.union(bounds)));
        self.count += count;
    }

    fn join(&mut self, other: &Self) {
        if let Some(bounds) = &other.bounds {
            self.add(bounds, other.count);
        }
    }

    /// The work that it stands for.
    fn cost(&self) -> f64 {
        let d = self.bounds.map_or(Vector::zeros(), |b| b.max - b.min);
        (d.x * d.y + d.y * d.z + d.z * d.x) * self.count as f64
    }
}

/// The slice in which the middle of a box is.
fn bin(bounds: &Aabb, centers: &Aabb, axis: usize) -> usize {
    let (low, high) = (centers.min[axis], centers.max[axis]);
    let share = (bounds.center()[axis] - low) / (high - low);
    // the conversion saturates, whatever the share
    ((share * BINS as f64) as usize).min(BINS - 1)
}

fn index(i: usize) -> u32 {
    u32::try_from(i).expect("a body was checked to have fewer than 2^31 pieces")
}
