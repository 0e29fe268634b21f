//! Wide bounding volume hierarchy, with as many children as a register has lanes, in single precision.
//!
//! It proves only separations. Whatever it cannot prove is left to the pieces themselves, in double precision, so that
//! rounding here costs time and never changes a result: see [`Relative`](super::relative::Relative) for the bound on
//! the rounding.

use super::bvh::Node;
use super::oriented::Oriented;
use super::piece::Piece;
use crate::math::{Block, Lanes, Level, Point, Simd, Vector};

/// Boxes and pieces of a body, relative to the centre of its box.
#[derive(Debug)]
pub(super) struct Wide {
    /// The instruction set that the lanes are laid out for.
    pub(super) simd: Simd,
    pub(super) origin: Point,
    /// Largest distance of any point from the origin.
    pub(super) bounding_radius: f64,
    /// The whole tree.
    pub(super) root: Child,
    /// The boxes of the children: [`NODE`] lanes each.
    nodes: Vec<Block>,
    /// As many as lanes for each node.
    children: Vec<Child>,
    /// Masks of the lanes of each node that hold a child.
    masks: Vec<u32>,
    node_boxes: Vec<Bounds>,
    /// Vertices, coordinates of the first vertex first, and inflations of the pieces: [`LEAF`] lanes each.
    leaves: Vec<Block>,
    pub(super) leaf_boxes: Vec<Bounds>,
    pub(super) ranges: Vec<Range>,
    width: usize,
}

/// A node or a leaf, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Child(u32);

/// A box by its centre and half edges.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) center: [f32; 3],
    pub(super) half: [f32; 3],
    /// An oriented box around the same content.
    pub(super) oriented: Oriented,
}

/// The pieces of a leaf.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub(super) first: u32,
    pub(super) count: u32,
    /// True if all of them are points, segments or triangles, whose vertices the leaf holds.
    pub(super) is_plain: bool,
}

/// Lanes of a node: three of centres, three of half edges; of oriented boxes three of centres, nine of arms.
const NODE: usize = 18;
/// Lanes of a leaf: nine of vertices, one of inflations.
const LEAF: usize = 10;
const IS_LEAF: u32 = 1 << 31;
const NOTHING: Child = Child(u32::MAX);

impl Child {
    /// The index of a leaf, or of a node.
    #[inline(always)]
    pub(super) fn leaf_or_node(self) -> Result<usize, usize> {
        if self.0 & IS_LEAF != 0 {
            Ok((self.0 & !IS_LEAF) as usize)
        } else {
            Err(self.0 as usize)
        }
    }
}

impl Wide {
    /// Collapses a binary tree, `None` where it is empty.
    pub(super) fn new(nodes: &[Node], pieces: &[Piece], simd: Simd) -> Option<Self> {
        let root = nodes.first()?;
        let mut wide = Self {
            simd,
            origin: root.center,
            bounding_radius: root.half.norm(),
            root: NOTHING,
            nodes: Vec::new(),
            children: Vec::new(),
            masks: Vec::new(),
            node_boxes: Vec::new(),
            leaves: Vec::new(),
            leaf_boxes: Vec::new(),
            ranges: Vec::new(),
            width: 2 * simd.lanes(),
        };
        // a leaf is at most one register of pieces, or one convex solid
        let counts = counts(nodes, pieces);
        wide.root = wide.child(nodes, &counts, 0, pieces);
        let mut open = vec![(wide.root, 0)];
        while let Some((child, binary)) = open.pop() {
            let Err(node) = child.leaf_or_node() else {
                continue;
            };
            let group = gather(nodes, &counts, binary, wide.width);
            for (lane, &member) in group.iter().enumerate() {
                let child = wide.child(nodes, &counts, member, pieces);
                wide.children[node * wide.width + lane] = child;
                open.push((child, member));
            }
            wide.masks[node] = (1 << group.len()) - 1;
            wide.write_node(node, &group);
        }
        Some(wide)
    }

    /// Number of lanes of a node or a leaf.
    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The piece in a slot of the leaves.
    #[inline(always)]
    pub(super) fn piece_at(&self, slot: u32) -> u32 {
        let slot = slot as usize;
        self.ranges[slot / self.width].first + (slot % self.width) as u32
    }

    /// Returns whether the piece in a slot has its vertices in the leaf.
    #[inline(always)]
    pub(super) fn is_plain_at(&self, slot: u32) -> bool {
        self.ranges[slot as usize / self.width].is_plain
    }

    /// In lanes, the centres and half edges of the children, then the centres and arms of their oriented boxes.
    #[inline(always)]
    pub(super) fn node<const N: usize, L: Level>(&self, node: usize) -> &[Lanes<N, L, f32>] {
        &Block::as_lanes::<N, L, f32>(&self.nodes)[node * NODE..][..NODE]
    }

    /// The children, and a mask of the lanes that hold one.
    #[inline(always)]
    pub(super) fn children<const N: usize>(&self, node: usize) -> (&[Child], u32) {
        (&self.children[node * N..][..N], self.masks[node])
    }

    /// In lanes, the nine coordinates of the vertices and the inflations.
    #[inline(always)]
    pub(super) fn leaf<const N: usize, L: Level>(&self, leaf: usize) -> &[Lanes<N, L, f32>] {
        &Block::as_lanes::<N, L, f32>(&self.leaves)[leaf * LEAF..][..LEAF]
    }

    #[inline(always)]
    pub(super) fn bounds(&self, child: Child) -> &Bounds {
        match child.leaf_or_node() {
            Ok(leaf) => &self.leaf_boxes[leaf],
            Err(node) => &self.node_boxes[node],
        }
    }

    /// Creates a leaf for a part of the binary tree that fits into one, and otherwise a node without children yet.
    fn child(
        &mut self,
        nodes: &[Node],
        counts: &[Count],
        binary: usize,
        pieces: &[Piece],
    ) -> Child {
        let Count {
            first,
            count,
            is_plain,
        } = counts[binary];
        let bounds = self.bounds_of(&nodes[binary], &pieces[first..first + count]);
        if !counts[binary].is_leaf(self.width) {
            let node = self.node_boxes.len();
            self.node_boxes.push(bounds);
            let end = self.children.len() + self.width;
            self.children.resize(end, NOTHING);
            self.masks.push(0);
            let blocks = self.blocks(NODE);
            self.nodes.resize(self.nodes.len() + blocks, Block::ZERO);
            return Child(index(node));
        }
        let leaf = self.leaf_boxes.len();
        self.leaf_boxes.push(bounds);
        let mine = &pieces[first..first + count];
        self.ranges.push(Range {
            first: index(first),
            count: index(count),
            is_plain,
        });
        self.write_leaf(mine);
        Child(index(leaf) | IS_LEAF)
    }

    /// Number of blocks for a number of lanes.
    fn blocks(&self, lanes: usize) -> usize {
        lanes * self.width / PER_BLOCK
    }

    /// Writes the boxes of the children, which exist already.
    fn write_node(&mut self, node: usize, group: &[usize]) {
        let first = node * self.blocks(NODE);
        for lane in 0..self.width {
            // lanes without a child repeat the first
            let member = if lane < group.len() { lane } else { 0 };
            let bounds = *self.bounds(self.children[node * self.width + member]);
            let numbers = bounds.center.iter().chain(&bounds.half).copied();
            for (row, x) in numbers.chain(bounds.oriented.numbers()).enumerate() {
                self.put(first, Part::Node, row, lane, x);
            }
        }
    }

    fn write_leaf(&mut self, pieces: &[Piece]) {
        let first = self.leaves.len();
        let blocks = self.blocks(LEAF);
        self.leaves.resize(first + blocks, Block::ZERO);
        for lane in 0..self.width {
            let piece = pieces.get(lane).unwrap_or(&pieces[0]);
            let Some(vertices) = piece.core.vertices() else {
                continue;
            };
            for k in 0..3 {
                // a segment is a triangle with two coincident vertices
                let p = vertices[k.min(vertices.len() - 1)] - self.origin;
                for axis in 0..3 {
                    self.put(first, Part::Leaf, 3 * k + axis, lane, p[axis] as f32);
                }
            }
            self.put(first, Part::Leaf, 9, lane, up(piece.inflation()));
        }
    }

    /// Writes a number into row `row` of the lanes that begin with block `first`.
    fn put(&mut self, first: usize, part: Part, row: usize, lane: usize, x: f32) {
        let at = row * self.width + lane;
        let blocks = match part {
            Part::Node => &mut self.nodes,
            Part::Leaf => &mut self.leaves,
        };
        blocks[first + at / PER_BLOCK].set_single(at % PER_BLOCK, x);
    }

    /// Boxes that contain that of a node, whatever the rounding, and its pieces.
    fn bounds_of(&self, node: &Node, pieces: &[Piece]) -> Bounds {
        let d: Vector = node.center - self.origin;
        let center = [0, 1, 2].map(|k| d[k] as f32);
        let half = [0, 1, 2].map(|k| up(node.half[k] + (f64::from(center[k]) - d[k]).abs()));
        let oriented = Oriented::around(pieces, &self.origin);
        Bounds {
            center,
            half,
            oriented: oriented.unwrap_or_else(|| Oriented::along_axes(center, half)),
        }
    }
}

#[derive(Clone, Copy)]
enum Part {
    Node,
    Leaf,
}

/// Numbers of four bytes in a block.
const PER_BLOCK: usize = 16;

/// Rounds up to single precision, to within the rounding of numbers eight times as large.
#[inline]
pub(super) fn up(x: f64) -> f32 {
    let rounded = x as f32;
    if f64::from(rounded) < x {
        rounded.next_up()
    } else {
        rounded
    }
}

/// Range of the pieces below a node of the binary tree.
#[derive(Clone, Copy)]
struct Count {
    first: usize,
    count: usize,
    /// False if a convex solid is among them.
    is_plain: bool,
}

impl Count {
    /// Returns whether a leaf may hold all of them.
    fn is_leaf(&self, width: usize) -> bool {
        self.count == 1 || self.is_plain && self.count <= width
    }
}

/// The pieces below each node: consecutive, since children come after their parents.
fn counts(nodes: &[Node], pieces: &[Piece]) -> Vec<Count> {
    let none = Count {
        first: 0,
        count: 0,
        is_plain: true,
    };
    let mut counts = vec![none; nodes.len()];
    for i in (0..nodes.len()).rev() {
        counts[i] = match nodes[i].children() {
            Some(children) => {
                let [low, high] = children.map(|child| counts[child as usize]);
                Count {
                    first: low.first,
                    count: low.count + high.count,
                    is_plain: low.is_plain && high.is_plain,
                }
            }
            None => {
                let range = nodes[i].pieces();
                Count {
                    first: range.start,
                    count: range.len(),
                    is_plain: pieces[range].iter().all(Piece::is_plain),
                }
            }
        };
    }
    counts
}

/// Up to `width` nodes that are collapsed into one: the largest is opened as long as there is room.
fn gather(nodes: &[Node], counts: &[Count], root: usize, width: usize) -> Vec<usize> {
    let mut group = vec![root];
    while group.len() < width {
        let can_open = |&&i: &&usize| !counts[i].is_leaf(width) || group.len() == 1;
        let area = |i: usize| {
            let h = nodes[i].half;
            h.x * h.y + h.y * h.z + h.z * h.x
        };
        let largest = group
            .iter()
            .enumerate()
            .filter(|(_, i)| can_open(i))
            .max_by(|(_, i), (_, j)| area(**i).total_cmp(&area(**j)));
        let Some((at, _)) = largest else {
            break;
        };
        let Some([low, high]) = nodes[group[at]].children() else {
            break;
        };
        group[at] = low as usize;
        group.push(high as usize);
    }
    group
}

fn index(i: usize) -> u32 {
    u32::try_from(i).expect("a body was checked to have fewer than 2^31 pieces")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::narrow::{Body, bvh, piece::Core};
    use crate::geometry::{Aabb, Geometry, Primitive};
    use crate::math::{Pose, SplitMix};

    #[test]
    fn every_piece_is_in_one_leaf_and_every_box_holds_what_is_below() {
        let mut random = SplitMix::new(1);
        for (n, size) in [(1, 1e3), (9, 1.0), (500, 1e-3), (3000, 7.0)] {
            let mut point = || Point::from([0, 1, 2].map(|_| size * random.uniform()));
            let pieces: Vec<Piece> = (0..n)
                .map(|element| {
                    let p = point();
                    Piece {
                        core: Core::Triangle([p, p + (point() - p) * 0.1, p + (point() - p) * 0.1]),
                        radius: 0.0,
                        margin: 0.01 * size,
                        part: 0,
                        element,
                    }
                })
                .collect();
            let (nodes, pieces) = bvh::build(pieces, bvh::Threads::One);
            for simd in Simd::available() {
                let wide = Wide::new(&nodes, &pieces, simd).unwrap();
                let mut seen = vec![0; n as usize];
                let mut open = vec![(wide.root, Vec::new())];
                while let Some((child, mut above)) = open.pop() {
                    above.push(*wide.bounds(child));
                    match child.leaf_or_node() {
                        Err(node) => {
                            let children = &wide.children[node * wide.width..][..wide.width];
                            let real = children.iter().filter(|&&c| c != NOTHING);
                            open.extend(real.map(|&c| (c, above.clone())));
                        }
                        Ok(leaf) => {
                            let range = wide.ranges[leaf];
                            for i in range.first..range.first + range.count {
                                seen[i as usize] += 1;
                                let aabb: Aabb = pieces[i as usize].aabb();
                                assert!(above.iter().all(|b| holds(b, &wide.origin, &aabb)));
                                let piece = &pieces[i as usize];
                                assert!(above.iter().all(|b| bounds_support(
                                    b,
                                    &wide.origin,
                                    piece
                                )));
                                assert!(above.iter().all(|b| is_between(b, &wide.origin, piece)));
                            }
                        }
                    }
                }
                assert!(seen.iter().all(|&times| times == 1));
            }
        }
    }

    #[test]
    fn a_convex_solid_has_a_leaf_of_its_own() {
        let mut random = SplitMix::new(2);
        let mut solid = |i: usize| {
            let center = Point::from([0, 1, 2].map(|_| random.uniform()));
            let solid = match i % 3 {
                0 => Primitive::cylinder(center, Vector::x(), 0.1, 0.3),
                1 => Primitive::cylinder(center, Vector::y(), 0.2, 0.1),
                _ => Primitive::sphere(center, 0.1),
            };
            (Pose::identity(), Geometry::from(solid.unwrap()))
        };
        for n in [2, 5, 40] {
            let members: Vec<_> = (0..n).map(&mut solid).collect();
            let body = Body::new(&Geometry::group(members), bvh::Threads::One);
            let is_alone =
                |pieces: &[Piece]| pieces.len() == 1 || pieces.iter().all(Piece::is_plain);
            let leaves = body.nodes.iter().map(|node| &body.pieces[node.pieces()]);
            assert!(leaves.into_iter().all(is_alone));
            let wide = body.wide.as_ref().unwrap();
            let mut seen = 0;
            for range in &wide.ranges {
                let first = range.first as usize;
                let pieces = &body.pieces[first..first + range.count as usize];
                assert!(is_alone(pieces));
                assert_eq!(range.is_plain, pieces.iter().all(Piece::is_plain));
                seen += pieces.len();
            }
            assert_eq!(seen, n);
        }
    }

    /// Returns whether a piece's support values are within those of its box.
    fn bounds_support(bounds: &Bounds, origin: &Point, piece: &Piece) -> bool {
        (0..20).all(|i| {
            let (s, c) = (f64::from(i) * 0.7).sin_cos();
            let direction = Vector::new(s, c, f64::from(i % 5) - 2.0).normalize();
            let support = piece.core.support_value(&direction) + piece.inflation()
                - direction.dot(&origin.coords);
            let single = [0, 1, 2].map(|k| direction[k] as f32);
            f64::from(bounds.support_value(&single)) >= support - 1e-5 * (1.0 + piece.inflation())
        })
    }

    /// Returns whether a piece is within the slab.
    fn is_between(bounds: &Bounds, origin: &Point, piece: &Piece) -> bool {
        let slab = &bounds.oriented.slab;
        let normal = Vector::from(slab.normal.map(f64::from));
        let from = normal.dot(&origin.coords);
        let high = piece.core.support_value(&normal) + piece.inflation() - from;
        let low = -piece.core.support_value(&-normal) - piece.inflation() - from;
        let slack = 1e-6 * (1.0 + piece.inflation() + high.abs() + low.abs());
        f64::from(slab.low) <= low + slack && high - slack <= f64::from(slab.high)
    }

    fn holds(bounds: &Bounds, origin: &Point, aabb: &Aabb) -> bool {
        (0..3).all(|k| {
            let (c, h) = (f64::from(bounds.center[k]), f64::from(bounds.half[k]));
            let slack = 1e-15 * (1.0 + aabb.min[k].abs());
            origin[k] + c - h <= aabb.min[k] + slack && aabb.max[k] - slack <= origin[k] + c + h
        })
    }
}
