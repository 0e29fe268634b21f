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
/// Nodes are halved at the median along their longest side, which bounds the depth by log₂ n whatever the pieces are.
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
        let (first, middle) = (range.start, range.len() / 2);
        let part = &mut boxes[range];
        let centers =
            Aabb::around(part.iter().map(|(b, _)| b.center())).expect("a node holds pieces");
        let axis = centers.half_size().imax();
        part.select_nth_unstable_by(middle, |(a, _), (b, _)| {
            a.center()[axis].total_cmp(&b.center()[axis])
        });
        let (low, high) = part.split_at(middle);
        let children = [Node::around(low, first), Node::around(high, first + middle)];
        nodes[at].first = index(nodes.len());
        nodes[at].count = 0;
        open.extend([nodes.len(), nodes.len() + 1]);
        nodes.extend(children);
    }
    (nodes, boxes.into_iter().map(|(_, piece)| piece).collect())
}

fn index(i: usize) -> u32 {
    u32::try_from(i).expect("a body was checked to have fewer than 2^31 pieces")
}
