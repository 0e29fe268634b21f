//! What of a constant pose needs no arithmetic.

/// Largest deviation of a direction from a coordinate axis that does not count, in double precision and in single. In single
/// precision numbers below 1 are rounded by up to 3e-8; right angles that files give with nine digits or more are within that.
pub(super) const TOLERANCES: [f64; 2] = [0.0, 1e-8];

/// The signed coordinate axis that a direction equals to the last bit, if any: most do, and need no arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignedAxis {
    X,
    Y,
    Z,
    MinusX,
    MinusY,
    MinusZ,
    None,
}

impl SignedAxis {
    pub(crate) fn of(direction: [f64; 3]) -> Self {
        Self::near(direction, 0.0)
    }

    /// The axis from which no coordinate of a direction deviates by more than `tolerance`.
    fn near([x, y, z]: [f64; 3], tolerance: f64) -> Self {
        let unit = |a: f64, b: f64, c: f64| {
            (b.abs() <= tolerance) & (c.abs() <= tolerance) & ((a.abs() - 1.0).abs() <= tolerance)
        };
        match (unit(x, y, z), unit(y, z, x), unit(z, x, y)) {
            (true, ..) => {
                if x > 0.0 {
                    Self::X
                } else {
                    Self::MinusX
                }
            }
            (_, true, _) => {
                if y > 0.0 {
                    Self::Y
                } else {
                    Self::MinusY
                }
            }
            (.., true) => {
                if z > 0.0 {
                    Self::Z
                } else {
                    Self::MinusZ
                }
            }
            _ => Self::None,
        }
    }
}

/// The coordinate axis that a point lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnAxis {
    Origin,
    X,
    Y,
    Z,
    None,
}

impl OnAxis {
    fn of([x, y, z]: [f64; 3]) -> Self {
        match (x != 0.0, y != 0.0, z != 0.0) {
            (false, false, false) => Self::Origin,
            (true, false, false) => Self::X,
            (false, true, false) => Self::Y,
            (false, false, true) => Self::Z,
            _ => Self::None,
        }
    }
}

/// What of a placement needs no arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SparsePlacement {
    /// Directions of its columns.
    pub(super) columns: [SignedAxis; 3],
    /// Where its origin is.
    pub(super) origin: OnAxis,
}

impl SparsePlacement {
    /// Of a placement given as rows of rotation and origin.
    pub(super) fn of([x, y, z]: &[[f64; 4]; 3], tolerance: f64) -> Self {
        let column = |k: usize| [x[k], y[k], z[k]];
        Self {
            columns: [0, 1, 2].map(|k| SignedAxis::near(column(k), tolerance)),
            origin: OnAxis::of(column(3)),
        }
    }
}
