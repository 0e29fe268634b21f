//! Precomputed support points of a body: accurate enough to find the direction to another body.

use super::body::Body;
use super::extremes;
use super::gjk::Support;
use super::wide::Wide;
use crate::math::{Level, Point, Vector, Work};

/// Support points for directions through the nodes of a grid on each face of a cube.
#[derive(Debug)]
pub(super) struct SupportTable {
    points: Vec<Point>,
}

/// Cells along an edge of the cube: neighbouring directions are less than 30° apart.
const CELLS: usize = 4;
/// Directions of one face.
const SIDE: usize = (CELLS + 1) * (CELLS + 1);

impl SupportTable {
    /// Fills the table for a body whose pieces are all in its wide tree.
    pub(super) fn new(body: &Body, wide: &Wide) -> Self {
        let mut points = Vec::with_capacity(6 * SIDE);
        wide.simd.run(Fill {
            body,
            wide,
            points: &mut points,
        });
        Self { points }
    }

    /// A point that is nearly the farthest in a direction.
    #[inline]
    pub(super) fn support(&self, direction: &Vector) -> Point {
        let axis = direction.iamax();
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let along = direction[axis];
        let cell = |k: usize| {
            let index = (direction[k] / along.abs() + 1.0) * (0.5 * CELLS as f64);
            // the conversion saturates, whatever the number
            (index as usize).min(CELLS - 1)
        };
        let side = 2 * axis + usize::from(along < 0.0);
        let first = side * SIDE + cell(u) * (CELLS + 1) + cell(v);
        let around = [first, first + 1, first + CELLS + 1, first + CELLS + 2];
        let [mut best, rest @ ..] = around.map(|i| self.points[i]);
        let mut most = direction.dot(&best.coords);
        for point in rest {
            let along = direction.dot(&point.coords);
            if along > most {
                (best, most) = (point, along);
            }
        }
        best
    }
}

struct Fill<'a> {
    body: &'a Body,
    wide: &'a Wide,
    points: &'a mut Vec<Point>,
}

impl Work for Fill<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let mut open = Vec::new();
        for index in 0..6 * SIDE {
            let direction = direction(index).normalize();
            let single = [0, 1, 2].map(|k| direction[k] as f32);
            let found = extremes::farthest::<N, L>(self.body, self.wide, &single, &mut open);
            let piece = &self.body.pieces[found.piece as usize];
            self.points.push(piece.core.support(&direction));
        }
    }
}

/// The direction of an index in the table, of any length.
fn direction(index: usize) -> Vector {
    let (side, index) = (index / SIDE, index % SIDE);
    let (axis, sign) = (side / 2, if side.is_multiple_of(2) { 1.0 } else { -1.0 });
    let across = |i: usize| 2.0 * i as f64 / CELLS as f64 - 1.0;
    let mut direction = Vector::zeros();
    direction[axis] = sign;
    direction[(axis + 1) % 3] = across(index / (CELLS + 1));
    direction[(axis + 2) % 3] = across(index % (CELLS + 1));
    direction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::narrow::bvh::Threads;
    use crate::geometry::{Geometry, Mesh};
    use crate::math::SplitMix;

    #[test]
    fn a_far_point_is_one_of_the_body_and_nearly_the_farthest() {
        let mut random = SplitMix::new(3);
        let mut vector = || Vector::from([0, 1, 2].map(|_| random.uniform() - 0.5));
        let around: Vec<Point> = (0..300)
            .map(|_| {
                Point::from(
                    vector()
                        .normalize()
                        .component_mul(&Vector::new(1.0, 2.0, 0.5)),
                )
            })
            .collect();
        let triangles = (0..100).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = Geometry::from(Mesh::new(around.clone(), triangles).expect("a mesh"));
        let body = Body::new(&mesh, Threads::One);
        let table = body.support_table.as_ref().expect("of so many triangles");
        let mut directions: Vec<Vector> = (0..2000).map(|_| vector().normalize()).collect();
        directions.extend((0..6 * SIDE).map(|index| direction(index).normalize()));
        for (i, direction) in directions.iter().enumerate() {
            let found = table.support(direction);
            assert!(around.contains(&found));
            let most = around
                .iter()
                .map(|p| direction.dot(&p.coords))
                .fold(0.0, f64::max);
            let short = most - direction.dot(&found.coords);
            // exact at the table's own directions
            let slack = if i < 2000 { 0.15 } else { 1e-6 };
            assert!((0.0..=slack).contains(&short), "{i} {direction:?} {short}");
        }
    }
}
