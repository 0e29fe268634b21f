//! Grids of elevations as closed solids.

use crate::geometry::Mesh;
use crate::math::Point;

/// Elevations, row by row from -y, each from -x.
#[derive(Debug)]
pub(super) struct Heights {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) heights: Vec<f64>,
}

impl Heights {
    /// The brightness, from 0 to 1, of the pixels of an image: columns, rows, and pixels row by row from the top, which is at +y.
    pub(super) fn of_image((columns, rows, pixels): (usize, usize, Vec<f64>)) -> Self {
        let heights = pixels.chunks(columns.max(1)).rev().flatten();
        Self {
            rows,
            columns,
            heights: heights.copied().collect(),
        }
    }

    /// The solid between the elevations and a height below them, on a rectangle about the origin with these halves of its sides; at
    /// least two rows and columns.
    pub(super) fn solid(&self, [x, y]: [f64; 2], bottom: f64) -> crate::Result<Mesh> {
        let Self { rows, columns, .. } = *self;
        let along = |i: usize, n: usize, half: f64| half * (2.0 * i as f64 / (n - 1) as f64 - 1.0);
        let plane = |z: &dyn Fn(usize) -> f64| -> Vec<Point> {
            (0..rows * columns)
                .map(|k| {
                    let (row, column) = (k / columns, k % columns);
                    Point::new(along(column, columns, x), along(row, rows, y), z(k))
                })
                .collect()
        };
        let mut vertices = plane(&|k| self.heights.get(k).copied().unwrap_or(0.0));
        vertices.extend(plane(&|_| bottom));
        let below = rows * columns;
        let mut triangles = Vec::with_capacity(4 * below);
        let mut quad = |a: usize, b: usize, c: usize, d: usize| {
            let [a, b, c, d] = [a, b, c, d].map(|i| i as u32);
            triangles.extend([[a, b, c], [a, c, d]]);
        };
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let a = row * columns + column;
                quad(a, a + 1, a + 1 + columns, a + columns);
                let b = below + a;
                quad(b, b + columns, b + 1 + columns, b + 1);
            }
        }
        for column in 0..columns - 1 {
            let (a, b) = (column, (rows - 1) * columns + column);
            quad(below + a, below + a + 1, a + 1, a);
            quad(below + b + 1, below + b, b, b + 1);
        }
        for row in 0..rows - 1 {
            let (a, b) = (row * columns, row * columns + columns - 1);
            quad(below + a + columns, below + a, a, a + columns);
            quad(below + b, below + b + columns, b + columns, b);
        }
        Mesh::new(vertices, triangles)
    }
}
