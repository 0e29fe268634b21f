//! Binary bounding volume hierarchy over pieces.

use super::piece::Piece;
use crate::geometry::Aabb;
use crate::math::{Point, Vector};
use crate::threads;

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
    #[inline]
    pub(super) fn children(&self) -> Option<[u32; 2]> {
        (self.count == 0).then_some([self.first, self.first + 1])
    }

    /// The indices of the pieces, empty where there are children.
    #[inline]
    pub(super) fn pieces(&self) -> std::ops::Range<usize> {
        let first = if self.count == 0 {
            0
        } else {
            self.first as usize
        };
        first..first + self.count as usize
    }

    /// The same node with its children's indices increased by `by`.
    fn moved(mut self, by: usize) -> Self {
        if self.count == 0 {
            self.first += index(by);
        }
        self
    }

    /// Squared half diagonal, for choosing which of two nodes to open.
    #[inline]
    pub(super) fn size(&self) -> f64 {
        self.half.norm_squared()
    }

    fn around(items: &[Item], first: usize) -> Self {
        let mut all = Aabb::NOTHING;
        for Item { bounds, .. } in items {
            all.extend(&bounds.min, &bounds.max);
        }
        let center = all.center();
        Self {
            center,
            // both sides are measured, so that rounding of the centre loses nothing
            half: (all.max - center).sup(&(center - all.min)),
            first: index(first),
            count: index(items.len()),
        }
    }
}

/// Threads that build a tree; it is the same tree, to the last bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::geometry) enum Threads {
    /// Those of [`threads`].
    All,
    /// The calling thread.
    One,
}

/// A piece to be sorted, without what is large.
#[derive(Debug, Clone, Copy)]
struct Item {
    bounds: Aabb,
    /// The index of the piece before it is sorted.
    piece: u32,
    is_plain: bool,
}

/// Builds the nodes, root first, and sorts the pieces by leaf.
///
/// No child has fewer than a quarter of its parent's pieces, which bounds the depth for any input.
pub(super) fn build(pieces: Vec<Piece>, threads: Threads) -> (Vec<Node>, Vec<Piece>) {
    let items = (0..).zip(&pieces).map(|(i, piece)| Item {
        bounds: piece.aabb(),
        piece: i,
        is_plain: piece.is_plain(),
    });
    let mut items: Vec<Item> = items.collect();
    if items.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let nodes = subtree(&mut items, 0, threads);
    let mut pieces: Vec<Option<Piece>> = pieces.into_iter().map(Some).collect();
    let sorted = items.iter().map(|item| {
        let piece = pieces[item.piece as usize].take();
        piece.expect("each piece has one item")
    });
    (nodes, sorted.collect())
}

/// From this number of pieces on the two halves are built separately, with or without a second thread, so that the
/// order of the nodes is the same.
const SHARED: usize = 4096;

/// The nodes over pieces that start at index `first`: each parent before its children, which are counted from the first
/// node here.
fn subtree(part: &mut [Item], first: usize, threads: Threads) -> Vec<Node> {
    if part.len() < SHARED {
        return small_subtree(part, first);
    }
    let mut root = Node::around(part, first);
    root.first = 1;
    root.count = 0;
    let middle = cut(part, &mut Bins::new());
    let (low, high) = part.split_at_mut(middle);
    let (low, high) = both(
        threads,
        || subtree(low, first, threads),
        || subtree(high, first + middle, threads),
    );
    // the children side by side, then the nodes below the first and those below the second
    let mut nodes = Vec::with_capacity(1 + low.len() + high.len());
    nodes.extend([root, low[0].moved(2), high[0].moved(1 + low.len())]);
    nodes.extend(low[1..].iter().map(|node| node.moved(2)));
    nodes.extend(high[1..].iter().map(|node| node.moved(1 + low.len())));
    nodes
}

fn small_subtree(items: &mut [Item], before: usize) -> Vec<Node> {
    /// Most pieces of a leaf; a convex solid has one of its own, since a test of it takes as long as many tests of boxes.
    const LEAF: usize = 2;
    let mut bins = Bins::new();
    let mut nodes = vec![Node::around(items, before)];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let range = nodes[at].pieces();
        let first = range.start;
        let part = &mut items[first - before..range.end - before];
        let is_leaf = match part.len() {
            0 | 1 => true,
            n => n <= LEAF && part.iter().all(|item| item.is_plain),
        };
        if is_leaf {
            continue;
        }
        let middle = cut(part, &mut bins);
        let (low, high) = part.split_at(middle);
        let children = [Node::around(low, first), Node::around(high, first + middle)];
        nodes[at].first = index(nodes.len());
        nodes[at].count = 0;
        open.extend([nodes.len(), nodes.len() + 1]);
        nodes.extend(children);
    }
    nodes
}

/// Runs two closures, in parallel where there are threads for both.
fn both<T: Send>(
    threads: Threads,
    a: impl FnOnce() -> T + Send,
    b: impl FnOnce() -> T + Send,
) -> (T, T) {
    match threads {
        Threads::All => threads::both(a, b),
        Threads::One => (a(), b()),
    }
}

/// Partitions boxes into two groups, none smaller than a quarter, and returns where the second starts.
///
/// Surface area heuristic over binned cuts along each axis: the chance that a box is hit grows with its surface (Wald
/// 2007). Where no cut is admissible, the groups are halves.
fn cut(part: &mut [Item], bins: &mut Bins) -> usize {
    let n = part.len();
    let centers = part.iter().map(|item| item.bounds.center());
    let centers = Aabb::around(centers).expect("a node holds pieces");
    let size = centers.max - centers.min;
    bins.fill(part, &centers);
    let mut best = None;
    let mut least = f64::INFINITY;
    for axis in (0..3).filter(|&axis| size[axis] > 0.0) {
        let (bins, upper, used) = (&bins.bins[axis], &mut bins.upper, bins.used[axis]);
        let mut above = Bin::EMPTY;
        for k in (0..BINS).rev().filter(|k| used >> k & 1 == 1) {
            upper[k] = above;
            above.add(&bins[k].bounds, bins[k].count);
        }
        let mut lower = Bin::EMPTY;
        // an empty bin costs what the one before it does
        for k in (0..BINS - 1).filter(|k| used >> k & 1 == 1) {
            lower.add(&bins[k].bounds, bins[k].count);
            if lower.count == n {
                break;
            }
            let cost = lower.cost() + upper[k].cost();
            if cost < least && lower.count.min(n - lower.count) >= (n / 4).max(1) {
                (least, best) = (cost, Some((axis, k)));
            }
        }
    }
    let Some((axis, k)) = best else {
        let axis = size.imax();
        part.select_nth_unstable_by(n / 2, |a, b| {
            a.bounds.center()[axis].total_cmp(&b.bounds.center()[axis])
        });
        return n / 2;
    };
    let mut middle = 0;
    for i in 0..n {
        if bin(&part[i].bounds, &centers, axis) <= k {
            part.swap(i, middle);
            middle += 1;
        }
    }
    middle
}

/// Number of bins along an axis.
const BINS: usize = 16;

/// The bins of a cut, kept from one to the next.
struct Bins {
    bins: [[Bin; BINS]; 3],
    /// Of each axis, a bit for each bin that is not empty; the others hold anything.
    used: [u32; 3],
    /// What is above each bin along one axis.
    upper: [Bin; BINS],
}

impl Bins {
    fn new() -> Self {
        Self {
            bins: [[Bin::EMPTY; BINS]; 3],
            used: [0; 3],
            upper: [Bin::EMPTY; BINS],
        }
    }

    fn fill(&mut self, part: &[Item], centers: &Aabb) {
        self.used = [0; 3];
        for Item { bounds, .. } in part {
            for axis in 0..3 {
                let k = bin(bounds, centers, axis);
                let place = &mut self.bins[axis][k];
                if self.used[axis] >> k & 1 == 0 {
                    self.used[axis] |= 1 << k;
                    *place = Bin::EMPTY;
                }
                place.add(bounds, 1);
            }
        }
    }
}

/// The boxes whose centres are in one bin.
#[derive(Debug, Clone, Copy)]
struct Bin {
    bounds: Aabb,
    count: usize,
}

impl Bin {
    const EMPTY: Self = Self {
        bounds: Aabb::NOTHING,
        count: 0,
    };

    #[inline]
    fn add(&mut self, bounds: &Aabb, count: usize) {
        self.bounds.extend(&bounds.min, &bounds.max);
        self.count += count;
    }

    /// Cost of the surface area heuristic.
    fn cost(&self) -> f64 {
        let d = self.bounds.max - self.bounds.min;
        (d.x * d.y + d.y * d.z + d.z * d.x) * self.count as f64
    }
}

/// The bin of a box's centre.
fn bin(bounds: &Aabb, centers: &Aabb, axis: usize) -> usize {
    let (low, high) = (centers.min[axis], centers.max[axis]);
    let share = (bounds.center()[axis] - low) / (high - low);
    // the conversion saturates, whatever the share
    ((share * BINS as f64) as usize).min(BINS - 1)
}

fn index(i: usize) -> u32 {
    u32::try_from(i).expect("a body was checked to have fewer than 2^31 pieces")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::narrow::piece::Core;
    use crate::math::SplitMix;

    fn cloud(n: u32) -> Vec<Piece> {
        let mut random = SplitMix::new(5);
        let mut point = || Point::from([0, 1, 2].map(|_| random.uniform()));
        let piece = |element| Piece {
            core: Core::Point([point()]),
            radius: 0.0,
            margin: 0.0,
            part: 0,
            element,
        };
        (0..n).map(piece).collect()
    }

    #[test]
    fn every_piece_is_below_its_ancestors_and_parents_come_first() {
        for n in [1, 2, 3, 4095, 4096, crate::draws(9_000, 20_000) as u32] {
            let (nodes, pieces) = build(cloud(n), Threads::One);
            let mut seen = vec![0; n as usize];
            let mut open = vec![(0, Vec::new())];
            while let Some((at, mut above)) = open.pop() {
                let node = nodes[at];
                above.push(node);
                for child in node.children().into_iter().flatten() {
                    assert!(child as usize > at, "{n}");
                    open.push((child as usize, above.clone()));
                }
                for i in node.pieces() {
                    seen[i] += 1;
                    let p = pieces[i].middle();
                    let holds =
                        |b: &Node| (0..3).all(|k| (p[k] - b.center[k]).abs() <= b.half[k] + 1e-15);
                    assert!(above.iter().all(holds), "{n}");
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{n}");
        }
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn any_number_of_threads_builds_the_same_tree() {
        let summary = |(nodes, pieces): (Vec<Node>, Vec<Piece>)| {
            let elements: Vec<u32> = pieces.iter().map(|piece| piece.element).collect();
            (format!("{nodes:?}"), elements)
        };
        let n_pieces = crate::draws(12_000, 30_000) as u32;
        let one = summary(build(cloud(n_pieces), Threads::One));
        for n in [1, 3, 8] {
            let tree = || summary(build(cloud(n_pieces), Threads::All));
            assert_eq!(threads::on(n, tree), one);
        }
    }
}
