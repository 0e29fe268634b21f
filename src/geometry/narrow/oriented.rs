//! Boxes that lie as their pieces do: across a patch of a surface they are much thinner than boxes along the axes.

use nalgebra::{Matrix3, SymmetricEigen};

use super::piece::Piece;
use crate::math::{Point, Vector};

/// A box by its centre and three arms from there to the middles of its sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Oriented {
    pub(super) center: [f32; 3],
    pub(super) arms: [[f32; 3]; 3],
    pub(super) slab: Slab,
}

/// What lies between two planes, the sides of a box that are closest together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab {
    /// The unit vector across.
    pub(super) normal: [f32; 3],
    /// How far along it the planes are.
    pub(super) low: f32,
    pub(super) high: f32,
}

/// Arms are longer by this, more than their rounding takes away.
const ROOM: f64 = 1e-6;

impl Oriented {
    /// The box around pieces along the main axes of their vertices, seen from `origin`; `None` where that is not known of a
    /// piece, or not in numbers.
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
        // scaled, so that no size is too small for the search
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

/// Vec3 axes take a handful.
const MAX_STEPS: usize = 64;
