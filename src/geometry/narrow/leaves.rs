//! The pieces of two leaves against each other: one row after the other, against all lanes at once.

use super::apart::{Axes, Faces};
use super::body::Body;
use super::gjk::Support;
use super::relative::Way;
use super::three::{Three, along, cross, edges, splat, three};
use super::wide::{Bounds, Range, Wide};
use super::wide_search::Opposite;
use crate::math::{Lanes, Level, Vector};

/// The pieces of a leaf whose pieces are asked for one by one, and of one whose pieces go together.
pub(super) struct Leaves<'a, const N: usize, L: Level> {
    rows: Side<'a>,
    lanes: Side<'a>,
    /// The rows' corners in the frame of the lanes, corner by corner.
    corners: [Three<N, L>; 3],
    /// The lanes' corners.
    others: [Three<N, L>; 3],
    /// Whether all pieces of both have corners.
    is_plain: bool,
    /// The lanes that are asked for.
    mask: u32,
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

    fn bounds(&self) -> &'a Bounds {
        &self.wide.leaf_boxes[self.leaf]
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
    /// Those that may be within a limit by the boxes around both, and a bit for each row of these; `None` where there are
    /// none. The direction from a to b is for what comes next.
    #[inline(always)]
    pub(super) fn within(opposite: &Opposite<'a>, limit: f32, way: &Way) -> Option<(Self, u32)> {
        let (rows, lanes, view) = (opposite.rows, opposite.lanes, opposite.view);
        let data = lanes.data::<N, L>();
        let others = [three(&data[0..3]), three(&data[3..6]), three(&data[6..9])];
        let is_plain = rows.range().is_plain && lanes.range().is_plain;
        let mut mask = lanes.mask();
        if is_plain {
            let slab = rows.bounds().oriented.slab.seen(view);
            mask &= !slab.apart(&others).gt(Lanes::splat(limit) + data[9]);
            if mask == 0 {
                return None;
            }
        }
        let data = rows.data::<N, L>();
        let corners = [
            view.points(&data[0..3]),
            view.points(&data[3..6]),
            view.points(&data[6..9]),
        ];
        let mut near = rows.mask();
        if is_plain {
            let bounds = lanes.bounds();
            let limit = Lanes::splat(limit) + data[9];
            near &= !bounds.oriented.slab.apart(&corners).gt(limit);
            near &= !bounds.square(&corners).gt(limit * limit);
            if near == 0 {
                return None;
            }
        }
        let (top, low) = tops::<N, L>(&rows, &lanes, &opposite.way(way));
        let leaves = Self {
            rows,
            lanes,
            corners,
            others,
            is_plain,
            mask,
            top,
            low,
        };
        Some((leaves, near))
    }

    /// Takes another direction, from the rows to the lanes, to tell apart what is apart.
    #[inline(always)]
    pub(super) fn look(&mut self, way: &Way) {
        (self.top, self.low) = tops(&self.rows, &self.lanes, way);
    }

    /// The lanes that may be within the limit of a row, by the direction alone.
    #[inline(always)]
    pub(super) fn ahead(&self, row: usize, limit: f32) -> u32 {
        let beyond = Lanes::splat(limit + self.top.values()[row]);
        self.mask & !self.low.gt(beyond)
    }

    /// The lanes of `mask` that may be within the limit of a row, by the planes of both faces and the directions across
    /// their edges.
    #[inline(always)]
    pub(super) fn near(&self, row: usize, mask: u32, limit: f32, faces: &[Faces<N, L>; 2]) -> u32 {
        if mask == 0 || !self.is_plain {
            return mask;
        }
        let axes = self.axes(row, limit);
        let mut open = mask & !axes.apart_by_faces(faces, row);
        if open == 0 {
            return 0;
        }
        let (edges_a, edges_b) = (edges(&axes.a), edges(&axes.b));
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

    /// The faces of the rows and of the lanes.
    #[inline(always)]
    pub(super) fn faces(&self) -> [Faces<N, L>; 2] {
        [Faces::new(&self.corners), Faces::new(&self.others)]
    }

    /// The lanes of `mask` that may be within the limit of a row, by the lines between the middles and the planes of both
    /// faces: which is most of what can be known of triangles that do not meet.
    #[inline(always)]
    pub(super) fn roughly_near(&self, row: usize, mask: u32, limit: f32) -> u32 {
        if mask == 0 || !self.is_plain {
            return mask;
        }
        let axes = self.axes(row, limit);
        let mut line = axes.b[0];
        for k in 0..3 {
            let of_b = axes.b[0][k] + axes.b[1][k] + axes.b[2][k];
            line[k] = of_b - (axes.a[0][k] + axes.a[1][k] + axes.a[2][k]);
        }
        let mut open = mask & !axes.apart(&line);
        if open != 0 {
            let edges_b = edges(&axes.b);
            open &= !axes.apart(&cross(&edges_b[0], &edges_b[1]));
        }
        if open != 0 {
            let edges_a = edges(&axes.a);
            open &= !axes.apart(&cross(&edges_a[0], &edges_a[1]));
        }
        open
    }

    /// A row and all lanes, ready to be projected.
    #[inline(always)]
    fn axes(&self, row: usize, limit: f32) -> Axes<N, L> {
        let reach = self.rows.data::<N, L>()[9].values()[row];
        Axes {
            a: [
                self.corner(row, 0),
                self.corner(row, 1),
                self.corner(row, 2),
            ],
            b: self.others,
            limit: Lanes::splat(limit + reach) + self.lanes.data::<N, L>()[9],
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

/// How far rows reach along a direction, and where lanes begin.
#[inline(always)]
fn tops<const N: usize, L: Level>(
    rows: &Side<'_>,
    lanes: &Side<'_>,
    way: &Way,
) -> (Lanes<N, L, f32>, Lanes<N, L, f32>) {
    let back = [-way.in_b[0], -way.in_b[1], -way.in_b[2]];
    (
        rows.top(&way.in_a),
        Lanes::splat(way.offset) - lanes.top(&back),
    )
}
