//! 3 × 3 matrices in registers.

use crate::kernel::forward::Frame;
use crate::math::Quad;

/// A pose, by rows and by columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedPose<Q> {
    /// Rows of rotation and origin.
    pub(super) rows: [Q; 3],
    /// Columns of the rotation; the last lane is 0.
    pub(super) columns: [Q; 3],
    /// The origin; the last lane is 0.
    pub(super) origin: Q,
}

impl<Q: Quad> PackedPose<Q> {
    #[inline(always)]
    pub(super) fn new(frame: &Frame<f64>) -> Self {
        let [x, y, z] = frame.0;
        let rows = [Q::new(x), Q::new(y), Q::new(z)];
        let [a, b, c, origin] = Q::transposed([rows[0], rows[1], rows[2], Q::splat(0.0)]);
        Self {
            rows,
            columns: [a, b, c],
            origin,
        }
    }

    /// The axis of the joint.
    #[inline(always)]
    pub(super) fn axis(&self) -> Q {
        self.columns[2]
    }

    /// A constant vector of the body, in world axes.
    #[inline(always)]
    pub(super) fn rotate(&self, [x, y, z]: &[f64; 3]) -> Q {
        let [a, b, c] = self.columns;
        let sum = a * Q::splat(*x);
        Q::splat(*z).mul_add(c, Q::splat(*y).mul_add(b, sum))
    }

    /// A world vector in the axes of the body; the last lane is unspecified.
    #[inline(always)]
    pub(super) fn rotate_inverse(&self, v: Q) -> Q {
        let [x, y, z] = self.rows;
        let sum = v.splat_lane::<0>() * x;
        v.splat_lane::<2>()
            .mul_add(z, v.splat_lane::<1>().mul_add(y, sum))
    }

    /// A constant symmetric matrix of the body, given by cyclic diagonals, in world axes.
    #[inline(always)]
    pub(super) fn rotate_symmetric(&self, [d, e, _]: &[[f64; 4]; 3]) -> Symmetric<Q> {
        let [a, b, c] = self.columns;
        let ([xx, yy, zz, _], [xy, yz, zx, _]) = (d, e);
        let x = self.rotate(&[*xx, *xy, *zx]);
        let y = self.rotate(&[*xy, *yy, *yz]);
        let z = self.rotate(&[*zx, *yz, *zz]);
        Symmetric {
            diagonal: z.mul_add(c, y.mul_add(b, x * a)),
            off: z
                .yzx()
                .mul_add(c.zxy(), y.yzx().mul_add(b.zxy(), x.yzx() * a.zxy())),
        }
    }
}

/// A symmetric matrix: xx, yy, zz and yz, zx, xy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Symmetric<Q> {
    pub(super) diagonal: Q,
    pub(super) off: Q,
}

impl<Q: Quad> Symmetric<Q> {
    #[inline(always)]
    pub(super) fn mul(&self, v: Q) -> Q {
        let sum = self.diagonal * v;
        let sum = self.off.zxy().mul_add(v.yzx(), sum);
        self.off.yzx().mul_add(v.zxy(), sum)
    }

    #[inline(always)]
    pub(super) fn add(&self, other: &Self) -> Self {
        Self {
            diagonal: self.diagonal + other.diagonal,
            off: self.off + other.off,
        }
    }

    /// `self − s v vᵀ`.
    #[inline(always)]
    pub(super) fn without(&self, v: Q, s: Q) -> Self {
        let sv = s * v;
        Self {
            diagonal: v.neg_mul_add(sv, self.diagonal),
            off: v.zxy().neg_mul_add(sv.yzx(), self.off),
        }
    }

    /// Parallel axis theorem for the first moment `first = m c`, shifted by `c`: `+ m (c·c 1 − c cᵀ)`.
    #[inline(always)]
    pub(super) fn moved(&self, first: Q, c: Q) -> Self {
        let squares = first * c;
        Self {
            diagonal: self.diagonal + (squares.yzx() + squares.zxy()),
            off: first.yzx().neg_mul_add(c.zxy(), self.off),
        }
    }
}

/// Acceleration field of a rotating body, `[dw]× + [w]×²`.
#[derive(Debug, Clone, Copy)]
pub(super) struct AngularMotion<Q> {
    w: Q,
    dw: Q,
    w_yzx: Q,
    dw_yzx: Q,
}

impl<Q: Quad> AngularMotion<Q> {
    #[inline(always)]
    pub(super) fn new(w: Q, dw: Q) -> Self {
        Self {
            w,
            dw,
            w_yzx: w.yzx(),
            dw_yzx: dw.yzx(),
        }
    }

    /// The acceleration at `r`.
    #[inline(always)]
    pub(super) fn acceleration_at(&self, r: Q) -> Q {
        let r_yzx = r.yzx();

        // w × r, as z, x, y
        let v = self.w_yzx.neg_mul_add(r, self.w * r_yzx);
        let a = self.dw_yzx.neg_mul_add(r, self.dw * r_yzx);
        let a = self.w.mul_add(v.zxy(), a);
        self.w_yzx.neg_mul_add(v.yzx(), a).yzx()
    }
}
