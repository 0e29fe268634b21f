//! Tests between the pieces of two leaves: one row after the other, against all lanes at once.
//!
//! Long tests are functions of their own, compiled once for every set of instructions and not for each search.

use super::body::Body;
use super::gjk::Support;
use super::relative::Direction;
use super::sat::{Axes, Faces, Vec3, edges};
use super::wide::{Bounds, Range, Wide};
use super::wide_search::Opposite;
use crate::math::linear::{array3, cross_unfused, dot_rows, first_three, splat3};
use crate::math::{Lanes, Level, Vector, outlined};

/// Two leaves: the pieces of one are taken one by one (rows), those of the other together (lanes).
pub(super) struct Leaves<'a, const N: usize, L: Level> {
    rows: Side<'a>,
    lanes: Side<'a>,
    /// The rows' vertices in the frame of the lanes, vertex by vertex.
    vertices: [Vec3<N, L>; 3],
    /// The lanes' vertices.
    lane_vertices: [Vec3<N, L>; 3],
    /// True if all pieces of both are points, segments or triangles.
    is_plain: bool,
    /// The lanes in use.
    mask: u32,
    /// Support value of each row along the direction.
    support: Lanes<N, L, f32>,
    /// Lower end of each lane along the direction.
    low: Lanes<N, L, f32>,
}

/// A leaf of one of the two bodies.
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

    #[inline]
    fn bounds(&self) -> &'a Bounds {
        &self.wide.leaf_boxes[self.leaf]
    }

    #[inline]
    pub(super) fn range(&self) -> Range {
        self.wide.ranges[self.leaf]
    }

    /// The index of the piece in a lane.
    #[inline(always)]
    pub(super) fn piece(&self, lane: usize) -> usize {
        self.range().first as usize + lane
    }

    /// The slot of a lane among those of all leaves.
    #[inline(always)]
    pub(super) fn slot(&self, lane: usize) -> u32 {
        (self.leaf * self.wide.width() + lane) as u32
    }

    #[inline]
    pub(super) fn mask(&self) -> u32 {
        (1 << self.range().count) - 1
    }

    #[inline(always)]
    fn data<const N: usize, L: Level>(&self) -> &'a [Lanes<N, L, f32>] {
        self.wide.leaf::<N, L>(self.leaf)
    }

    /// Support values of the pieces in a direction, relative to the centre of the body.
    #[inline(always)]
    pub(super) fn support_values<const N: usize, L: Level>(
        &self,
        direction: &[f32; 3],
    ) -> Lanes<N, L, f32> {
        if !self.range().is_plain {
            return self.support_values_by_piece(direction);
        }
        let data = self.data::<N, L>();
        let n = splat3(direction);
        let [a, b, c] = [
            dot_rows(&n, &data[0..3]),
            dot_rows(&n, &data[3..6]),
            dot_rows(&n, &data[6..9]),
        ];
        a.max(b).max(c) + data[9]
    }

    /// The same where some pieces are not plain.
    #[inline(never)]
    fn support_values_by_piece<const N: usize, L: Level>(
        &self,
        direction: &[f32; 3],
    ) -> Lanes<N, L, f32> {
        let direction = Vector::from(array3(|k| f64::from(direction[k])));
        let range = self.range();
        let mut support = [0.0; N];
        for lane in 0..range.count as usize {
            let piece = &self.body.pieces[self.piece(lane)];
            let farthest = piece.core.support(&direction) - self.wide.origin;
            support[lane] = (direction.dot(&farthest) + piece.inflation()) as f32;
        }
        Lanes::new(support)
    }
}

impl<'a, const N: usize, L: Level> Leaves<'a, N, L> {
    /// Prepares two leaves that may be within a limit by the boxes around both, with a mask of the candidate rows;
    /// `None` where there are none. `direction`, from a to b, is for later tests.
    pub(super) fn within(
        opposite: &Opposite<'a>,
        limit: f32,
        direction: &Direction,
    ) -> Option<(Self, u32)> {
        outlined::<L, _>(
            #[inline(always)]
            || Self::within_here(opposite, limit, direction),
        )
    }

    #[inline(always)]
    fn within_here(
        opposite: &Opposite<'a>,
        limit: f32,
        direction: &Direction,
    ) -> Option<(Self, u32)> {
        let (rows, lanes, view) = (opposite.rows, opposite.lanes, opposite.view);
        let data = lanes.data::<N, L>();
        let lane_vertices = [
            first_three(&data[0..3]),
            first_three(&data[3..6]),
            first_three(&data[6..9]),
        ];
        let is_plain = rows.range().is_plain && lanes.range().is_plain;
        let mut mask = lanes.mask();
        if is_plain {
            let slab = rows.bounds().oriented.slab.seen_from(view);
            mask &= !slab
                .separation(&lane_vertices)
                .gt(Lanes::splat(limit) + data[9]);
            if mask == 0 {
                return None;
            }
        }
        let data = rows.data::<N, L>();
        let vertices = [
            view.points(&data[0..3]),
            view.points(&data[3..6]),
            view.points(&data[6..9]),
        ];
        let mut near = rows.mask();
        if is_plain {
            let bounds = lanes.bounds();
            let limit = Lanes::splat(limit) + data[9];
            near &= !bounds.oriented.slab.separation(&vertices).gt(limit);
            near &= !bounds.square_distance(&vertices).gt(limit * limit);
            if near == 0 {
                return None;
            }
        }
        let (support, low) = support_values::<N, L>(&rows, &lanes, &opposite.direction(direction));
        let leaves = Self {
            rows,
            lanes,
            vertices,
            lane_vertices,
            is_plain,
            mask,
            support,
            low,
        };
        Some((leaves, near))
    }

    /// Takes another direction, from the rows to the lanes, for later tests.
    #[inline(always)]
    pub(super) fn set_direction(&mut self, direction: &Direction) {
        (self.support, self.low) = support_values(&self.rows, &self.lanes, direction);
    }

    /// The lanes that may be within the limit of a row, by the direction alone.
    #[inline(always)]
    pub(super) fn ahead(&self, row: usize, limit: f32) -> u32 {
        let beyond = Lanes::splat(limit + self.support.values()[row]);
        self.mask & !self.low.gt(beyond)
    }

    /// The lanes of `mask` that may be within the limit of a row, by the planes of both faces and the cross products of
    /// their edges.
    #[inline(always)]
    pub(super) fn near(&self, row: usize, mask: u32, limit: f32, faces: &[Faces<N, L>; 2]) -> u32 {
        if mask == 0 || !self.is_plain {
            return mask;
        }
        outlined::<L, _>(
            #[inline(always)]
            || self.plain_near(row, mask, limit, faces),
        )
    }

    #[inline(always)]
    fn plain_near(&self, row: usize, mask: u32, limit: f32, faces: &[Faces<N, L>; 2]) -> u32 {
        let axes = self.axes(row, limit);
        let mut open = mask & !axes.separated_by_faces(faces, row);
        if open == 0 {
            return 0;
        }
        let (edges_a, edges_b) = (edges(&axes.a), edges(&axes.b));
        for edge_a in &edges_a {
            if open == 0 {
                return 0;
            }
            for edge_b in &edges_b {
                open &= !axes.separated(&cross_unfused(edge_a, edge_b));
            }
        }
        open
    }

    /// The faces of the rows and of the lanes.
    #[inline(always)]
    pub(super) fn faces(&self) -> [Faces<N, L>; 2] {
        [Faces::new(&self.vertices), Faces::new(&self.lane_vertices)]
    }

    /// The lanes of `mask` that may be within the limit of a row, by the lines between the centroids and the planes of
    /// both faces, which separate most triangles that do not meet.
    #[inline(always)]
    pub(super) fn roughly_near(&self, row: usize, mask: u32, limit: f32) -> u32 {
        if mask == 0 || !self.is_plain {
            return mask;
        }
        outlined::<L, _>(
            #[inline(always)]
            || self.plain_roughly_near(row, mask, limit),
        )
    }

    #[inline(always)]
    fn plain_roughly_near(&self, row: usize, mask: u32, limit: f32) -> u32 {
        let axes = self.axes(row, limit);
        let mut line = axes.b[0];
        for k in 0..3 {
            let of_b = axes.b[0][k] + axes.b[1][k] + axes.b[2][k];
            line[k] = of_b - (axes.a[0][k] + axes.a[1][k] + axes.a[2][k]);
        }
        let mut open = mask & !axes.separated(&line);
        if open != 0 {
            let edges_b = edges(&axes.b);
            open &= !axes.separated(&cross_unfused(&edges_b[0], &edges_b[1]));
        }
        if open != 0 {
            let edges_a = edges(&axes.a);
            open &= !axes.separated(&cross_unfused(&edges_a[0], &edges_a[1]));
        }
        open
    }

    /// A row and all lanes, ready for projection.
    #[inline(always)]
    fn axes(&self, row: usize, limit: f32) -> Axes<N, L> {
        let inflation = self.rows.data::<N, L>()[9].values()[row];
        Axes {
            a: [
                self.vertex(row, 0),
                self.vertex(row, 1),
                self.vertex(row, 2),
            ],
            b: self.lane_vertices,
            limit: Lanes::splat(limit + inflation) + self.lanes.data::<N, L>()[9],
        }
    }

    /// A vertex of a row, in all lanes.
    #[inline(always)]
    fn vertex(&self, row: usize, k: usize) -> Vec3<N, L> {
        let [x, y, z] = &self.vertices[k];
        splat3(&[x.values()[row], y.values()[row], z.values()[row]])
    }

    /// The slots of the pieces.
    #[inline(always)]
    pub(super) fn slots(&self, row: usize, lane: usize) -> (u32, u32) {
        (self.rows.slot(row), self.lanes.slot(lane))
    }

    /// The indices of the pieces.
    #[inline]
    pub(super) fn pieces(&self, row: usize, lane: usize) -> (u32, u32) {
        (self.rows.piece(row) as u32, self.lanes.piece(lane) as u32)
    }
}

/// Support values of the rows along a direction, and the lower ends of the lanes.
#[inline(always)]
fn support_values<const N: usize, L: Level>(
    rows: &Side<'_>,
    lanes: &Side<'_>,
    direction: &Direction,
) -> (Lanes<N, L, f32>, Lanes<N, L, f32>) {
    let back = [-direction.in_b[0], -direction.in_b[1], -direction.in_b[2]];
    (
        rows.support_values(&direction.in_a),
        Lanes::splat(direction.offset) - lanes.support_values(&back),
    )
}
