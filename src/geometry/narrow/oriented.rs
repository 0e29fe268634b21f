//! Oriented bounding boxes: around a patch of a surface they are much thinner than axis-aligned ones.

use nalgebra::{Matrix3, SymmetricEigen};

use super::piece::Piece;
use crate::math::{Point, Vector};

/// A box by its centre and three arms from there to the centres of its faces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Oriented {
    pub(super) center: [f32; 3],
    pub(super) arms: [[f32; 3]; 3],
    pub(super) slab: Slab,
}

/// Slab between the two closest parallel sides of a box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab {
    /// The unit normal.
    pub(super) normal: [f32; 3],
    /// Coordinates of the two planes along the normal.
    pub(super) low: f32,
    pub(super) high: f32,
}

/// Relative enlargement of the arms, more than their rounding.
const ROOM: f64 = 1e-6;

impl Oriented {
    /// Box around pieces along the principal axes of their vertices, relative to `origin`; `None` where a piece is not
    /// plain, or a result not finite.
    pub(super) fn around(pieces: &[Piece], origin: &Point) -> Option<Self> {
        let vertices = || pieces.iter().flat_map(|p| p.core.vertices().unwrap_or(&[]));
        if pieces.iter().any(|piece| piece.core.vertices().is_none()) {
            return None;
        }
        let n = vertices().count() as f64;
        let middle = vertices().map(|p| p - origin).sum::<Vector>() / n;
        let square = |p: &Point| {
            let d = p - origin - middle;
            d * d.transpose()
        };
        let spread = vertices().map(square).sum::<Matrix3<f64>>();
        // scaled, so that no size is too small for the eigenvalue iteration
        let scale = spread.amax();
        if !(scale > 0.0 && scale.is_finite()) {
            return None;
        }
        let axes = SymmetricEigen::try_new(spread / scale, f64::EPSILON, MAX_STEPS)?.eigenvectors;
        let inflation = pieces.iter().map(Piece::inflation).fold(0.0, f64::max);
        let mut center = middle;
        let mut arms = [[0.0; 3]; 3];
        let (mut thinnest, mut slab) = (f64::INFINITY, None);
        for (axis, arm) in axes.column_iter().zip(&mut arms) {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for p in vertices() {
                let along = axis.dot(&(p - origin - middle));
                (low, high) = (low.min(along), high.max(along));
            }
            center += axis * (0.5 * (low + high));
            let half = (0.5 * (high - low) + inflation) * (1.0 + ROOM);
            *arm = [0, 1, 2].map(|k| (axis[k] * half) as f32);
            if half < thinnest {
                thinnest = half;
                let at = axis.dot(&middle) + 0.5 * (low + high);
                slab = Some(Slab {
                    normal: [0, 1, 2].map(|k| axis[k] as f32),
                    low: (at - half) as f32,
                    high: (at + half) as f32,
                });
            }
        }
        let oriented = Self {
            center: [0, 1, 2].map(|k| center[k] as f32),
            arms,
            slab: slab?,
        };
        let numbers = oriented.center.iter().chain(oriented.arms.iter().flatten());
        numbers.copied().all(f32::is_finite).then_some(oriented)
    }

    /// A box along the axes.
    pub(super) fn along_axes(center: [f32; 3], half: [f32; 3]) -> Self {
        let mut arms = [[0.0; 3]; 3];
        for k in 0..3 {
            arms[k][k] = half[k];
        }
        let thin = if half[0] < half[1] { 0 } else { 1 };
        let thin = if half[thin] < half[2] { thin } else { 2 };
        let mut normal = [0.0; 3];
        normal[thin] = 1.0;
        let slab = Slab {
            normal,
            low: center[thin] - half[thin],
            high: center[thin] + half[thin],
        };
        Self { center, arms, slab }
    }

    /// All numbers, centre first.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> + '_ {
        self.center
            .iter()
            .chain(self.arms.iter().flatten())
            .copied()
    }
}

/// Three axes take a handful.
const MAX_STEPS: usize = 64;
