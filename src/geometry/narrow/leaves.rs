//! The pieces of two leaves against each other: one row after the other, against all lanes at once.

use super::body::Body;
use super::gjk::Support;
use super::relative::Way;
use super::three::{Three, along, cross, edges, splat, three};
use super::wide::{Range, Wide};
use super::wide_search::Opposite;
use crate::math::{Lanes, Level, Vector};

/// The pieces of a leaf whose pieces are asked for one by one, and of one whose pieces go together.
pub(super) struct Leaves<'a, const N: usize, L: Level> {
    rows: Side<'a>,
    lanes: Side<'a>,
    /// The rows' corners in the frame of the lanes, corner by corner.
    corners: [Three<N, L>; 3],
    /// Whether all pieces of both have corners.
    is_plain: bool,
    /// How far along the direction each row reaches.
    top: Lanes<N, L, f32>,
    /// Where along the direction each lane begins.
    low: Lanes<N, L, f32>,
}

/// One of two bodies, and a leaf of it.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) body: &'a Body,
    pub(super) wide: &'a Wide,
    pub(super) leaf: usize,
}

impl<'a> Side<'a> {
    #[inline(always)]
    pub(super) fn new(body: &'a Body, wide: &'a Wide, leaf: usize) -> Self {
        Self { body, wide, leaf }
    }

    pub(super) fn range(&self) -> Range {
        self.wide.ranges[self.leaf]
    }

    /// The index of the piece in a lane.
    #[inline(always)]
    pub(super) fn piece(&self, lane: usize) -> usize {
        self.range().first as usize + lane
    }

    /// The place of a lane among those of all leaves.
    #[inline(always)]
    pub(super) fn place(&self, lane: usize) -> u32 {
        (self.leaf * self.wide.width() + lane) as u32
    }

    pub(super) fn mask(&self) -> u32 {
        (1 << self.range().count) - 1
    }

    #[inline(always)]
    fn data<const N: usize, L: Level>(&self) -> &'a [Lanes<N, L, f32>] {
        self.wide.leaf::<N, L>(self.leaf)
    }

    /// How far the pieces reach in a direction, seen from the middle of the body.
    #[inline(always)]
    pub(super) fn top<const N: usize, L: Level>(&self, direction: &[f32; 3]) -> Lanes<N, L, f32> {
        if !self.range().is_plain {
            return self.top_of_supports(direction);
        }
        let data = self.data::<N, L>();
        let n = splat(direction);
        let [a, b, c] = [
            along(&n, &data[0..3]),
            along(&n, &data[3..6]),
            along(&n, &data[6..9]),
        ];
        a.max(b).max(c) + data[9]
    }

    /// The same where some pieces have no corners.
    #[inline(never)]
    fn top_of_supports<const N: usize, L: Level>(&self, direction: &[f32; 3]) -> Lanes<N, L, f32> {
        let direction = Vector::from(direction.map(f64::from));
        let range = self.range();
        let mut top = [0.0; N];
        for lane in 0..range.count as usize {
            let piece = &self.body.pieces[self.piece(lane)];
            let farthest = piece.core.support(&direction) - self.wide.origin;
            top[lane] = (direction.dot(&farthest) + piece.reach()) as f32;
        }
        Lanes::new(top)
    }
}

impl<'a, const N: usize, L: Level> Leaves<'a, N, L> {
    /// Along a direction from a to b.
    #[inline(always)]
    pub(super) fn new(opposite: &Opposite<'a>, way: &Way) -> Self {
        let (rows, lanes, view) = (opposite.rows, opposite.lanes, opposite.view);
        let data = rows.data::<N, L>();
        let mut leaves = Self {
            rows,
            lanes,
            corners: [
                view.points(&data[0..3]),
                view.points(&data[3..6]),
                view.points(&data[6..9]),
            ],
            is_plain: rows.range().is_plain && lanes.range().is_plain,
            top: Lanes::splat(0.0),
            low: Lanes::splat(0.0),
        };
        leaves.look(&opposite.way(way));
        leaves
    }

    /// Takes another direction, from the rows to the lanes, to tell apart what is apart.
    #[inline(always)]
    pub(super) fn look(&mut self, way: &Way) {
        self.top = self.rows.top(&way.in_a);
        self.low =
            Lanes::splat(way.offset) - self.lanes.top(&[-way.in_b[0], -way.in_b[1], -way.in_b[2]]);
    }

    /// How many rows there are.
    #[inline(always)]
    pub(super) fn n_rows(&self) -> usize {
        self.rows.range().count as usize
    }

    /// The lanes that may be within the limit of a row, by the direction alone.
    #[inline(always)]
    pub(super) fn ahead(&self, row: usize, limit: f32) -> u32 {
        let beyond = Lanes::splat(limit + self.top.values()[row]);
        self.lanes.mask() & !self.low.above(beyond)
    }

    /// The lanes of `mask` that may be within the limit of a row, by the planes of both faces and the directions across
    /// their edges.
    #[inline(always)]
    pub(super) fn near(&self, row: usize, mask: u32, limit: f32) -> u32 {
        if mask == 0 || !self.is_plain {
            return mask;
        }
        let axes = self.axes(row, limit);
        let edges_b = edges(&axes.b);
        let mut open = mask & !axes.apart(&cross(&edges_b[0], &edges_b[1]));
        if open == 0 {
            return 0;
        }
        let edges_a = edges(&axes.a);
        open &= !axes.apart(&cross(&edges_a[0], &edges_a[1]));
        for edge_a in &edges_a {
            if open == 0 {
                return 0;
            }
            for edge_b in &edges_b {
                open &= !axes.apart(&cross(edge_a, edge_b));
            }
        }
        open
    }

    /// A row and all lanes, ready to be projected.
    #[inline(always)]
    pub(super) fn axes(&self, row: usize, limit: f32) -> Axes<N, L> {
        let data = self.lanes.data::<N, L>();
        let reach = self.rows.data::<N, L>()[9].values()[row];
        let limit = Lanes::splat(limit + reach) + data[9];
        Axes {
            a: [
                self.corner(row, 0),
                self.corner(row, 1),
                self.corner(row, 2),
            ],
            b: [three(&data[0..3]), three(&data[3..6]), three(&data[6..9])],
            square: limit * limit,
            is_plain: self.is_plain,
        }
    }

    /// A corner of a row, in all lanes.
    #[inline(always)]
    fn corner(&self, row: usize, k: usize) -> Three<N, L> {
        let [x, y, z] = &self.corners[k];
        splat(&[x.values()[row], y.values()[row], z.values()[row]])
    }

    /// The places of the pieces.
    #[inline(always)]
    pub(super) fn places(&self, row: usize, lane: usize) -> (u32, u32) {
        (self.rows.place(row), self.lanes.place(lane))
    }

    /// The indices of the pieces.
    pub(super) fn pieces(&self, row: usize, lane: usize) -> (u32, u32) {
        (self.rows.piece(row) as u32, self.lanes.piece(lane) as u32)
    }
}

/// A triangle and several others, to be projected.
pub(super) struct Axes<const N: usize, L: Level> {
    a: [Three<N, L>; 3],
    b: [Three<N, L>; 3],
    /// The square of the limit.
    square: Lanes<N, L, f32>,
    /// Whether they are what their corners say.
    is_plain: bool,
}

impl<const N: usize, L: Level> Axes<N, L> {
    /// The lanes of `mask` that may be within the limit, by the lines between the middles and the planes of both faces:
    /// which is most of what can be known of triangles that do not meet.
    #[inline(always)]
    pub(super) fn roughly_near(&self, mask: u32) -> u32 {
        if mask == 0 || !self.is_plain {
            return mask;
        }
        let mut line = self.b[0];
        for k in 0..3 {
            let of_b = self.b[0][k] + self.b[1][k] + self.b[2][k];
            line[k] = of_b - (self.a[0][k] + self.a[1][k] + self.a[2][k]);
        }
        let mut open = mask & !self.apart(&line);
        if open != 0 {
            let edges_b = edges(&self.b);
            open &= !self.apart(&cross(&edges_b[0], &edges_b[1]));
        }
        if open != 0 {
            let edges_a = edges(&self.a);
            open &= !self.apart(&cross(&edges_a[0], &edges_a[1]));
        }
        open
    }

    /// In which lanes the projections on an axis of any length are farther apart than the limit.
    #[inline(always)]
    fn apart(&self, axis: &Three<N, L>) -> u32 {
        let (low_a, high_a) = interval(axis, &self.a);
        let (low_b, high_b) = interval(axis, &self.b);
        let gap = (low_b - high_a).max(low_a - high_b).max(Lanes::splat(0.0));
        // an axis that is lost in underflow proves nothing
        let length = along(axis, axis).max(Lanes::splat(1e-30));
        (gap * gap).above(self.square * length)
    }
}

/// Where a triangle begins and ends along an axis.
#[inline(always)]
fn interval<const N: usize, L: Level>(
    axis: &Three<N, L>,
    corners: &[Three<N, L>; 3],
) -> (Lanes<N, L, f32>, Lanes<N, L, f32>) {
    let (a, b) = (along(axis, &corners[0]), along(axis, &corners[1]));
    let c = along(axis, &corners[2]);
    (a.min(b).min(c), a.max(b).max(c))
}
