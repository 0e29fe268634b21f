//! Articulated inertias in registers: see [`kernel::aba`](mod@crate::kernel::aba).

use super::matrix::{PackedPose, Symmetric};
use crate::kernel::aba;
use crate::kernel::tree::BodyInertia;
use crate::math::{Quad, Row};

/// Articulated-body inertia: the symmetric 6 × 6 matrix `[A B; Bᵀ C]` about the body's origin, angular first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Articulated<Q> {
    pub(super) a: Symmetric<Q>,
    /// The cyclic diagonals of `Bᵀ`: xx, yy, zz; yx, zy, xz; zx, xy, yz, rows first.
    pub(super) h: [Q; 3],
    pub(super) c: Symmetric<Q>,
    /// Mass times centre of the locked subtree.
    pub(super) first: Q,
    /// Lanes whose sum is the trace of its moment of inertia.
    pub(super) trace: Q,
}

/// The same in memory.
pub(super) type Stored = [Row; 9];

impl<Q: Quad> Articulated<Q> {
    /// A rigid body: `Bᵀ = −[m c]×`, `C = m 1`.
    #[inline(always)]
    pub(super) fn rigid(inertia: &BodyInertia, body: &PackedPose<Q>) -> Self {
        let c = body.rotate(&inertia.com);
        let first = Q::splat(inertia.mass) * c;
        let a = body.rotate_symmetric(&inertia.diagonals).moved(first, c);
        let (zero, m) = (Q::splat(0.0), inertia.mass);
        Self {
            a,
            h: [zero, zero - first.zxy(), first.yzx()],
            c: Symmetric {
                diagonal: Q::new([m, m, m, 0.0]),
                off: zero,
            },
            first,
            trace: a.diagonal,
        }
    }

    #[inline(always)]
    pub(super) fn load(stored: &Stored) -> Self {
        let [d, o, x, y, z, e, p, first, trace] = stored;
        Self {
            a: Symmetric {
                diagonal: d.load(),
                off: o.load(),
            },
            h: [x.load(), y.load(), z.load()],
            c: Symmetric {
                diagonal: e.load(),
                off: p.load(),
            },
            first: first.load(),
            trace: trace.load(),
        }
    }

    #[inline(always)]
    pub(super) fn store(&self, stored: &mut Stored) {
        let [d, o, x, y, z, e, p, first, trace] = stored;
        d.store(self.a.diagonal);
        o.store(self.a.off);
        x.store(self.h[0]);
        y.store(self.h[1]);
        z.store(self.h[2]);
        e.store(self.c.diagonal);
        p.store(self.c.off);
        first.store(self.first);
        trace.store(self.trace);
    }

    #[inline(always)]
    pub(super) fn add(&self, other: &Self) -> Self {
        let [x, y, z] = self.h;
        Self {
            a: self.a.add(&other.a),
            h: [x + other.h[0], y + other.h[1], z + other.h[2]],
            c: self.c.add(&other.c),
            first: self.first + other.first,
            trace: self.trace + other.trace,
        }
    }

    /// `I s` for a revolute joint at the origin: moment, force.
    #[inline(always)]
    pub(super) fn times_revolute(&self, s: Q) -> [Q; 2] {
        let [x, y, z] = self.h;
        let force = x * s + ((y * s).zxy() + (z * s).yzx());
        [self.a.mul(s), force]
    }

    /// `I s` for a prismatic joint: moment, force.
    #[inline(always)]
    pub(super) fn times_prismatic(&self, s: Q) -> [Q; 2] {
        let [x, y, z] = self.h;
        let moment = z.mul_add(s.zxy(), y.mul_add(s.yzx(), x * s));
        [moment, self.c.mul(s)]
    }

    /// `I − u uᵀ d⁻¹` for a `u` of moment `n` and force `f`.
    #[inline(always)]
    pub(super) fn without(&self, [n, f]: [Q; 2], d_inverse: Q) -> Self {
        let (dn, f_yzx, f_zxy) = (d_inverse * n, f.yzx(), f.zxy());
        let [x, y, z] = self.h;
        Self {
            a: self.a.without(n, d_inverse),
            h: [
                f.neg_mul_add(dn, x),
                f_yzx.neg_mul_add(dn, y),
                f_zxy.neg_mul_add(dn, z),
            ],
            c: self.c.without(f, d_inverse),
            ..*self
        }
    }

    /// The same about another point; `r` leads from that point to this one's, `mass` is that of the subtree.
    ///
    /// `B' = B + [r]× C` and `A' = A + [r]× Bᵀ − B' [r]×`.
    #[inline(always)]
    pub(super) fn shifted(&self, r: Q, mass: Q) -> Self {
        let (r_yzx, r_zxy) = (r.yzx(), r.zxy());
        let [x, y, z] = self.h;
        let (d, o) = (self.c.diagonal, self.c.off);

        // − C [r]×
        let moved = [
            r_yzx.mul_add(o.yzx(), r_zxy.neg_mul_add(o.zxy(), x)),
            r_yzx.mul_add(o, r_zxy.neg_mul_add(d.yzx(), y)),
            r_yzx.mul_add(d.zxy(), r_zxy.neg_mul_add(o, z)),
        ];
        let diagonal = r_yzx.mul_add(z + moved[2], self.a.diagonal);
        let diagonal = r_zxy.neg_mul_add(y + moved[1], diagonal);
        let off = r_zxy.mul_add(y.zxy(), self.a.off);
        let off = r.mul_add(moved[0].yzx() - x.zxy(), off);
        let off = r_yzx.neg_mul_add(moved[2].yzx(), off);

        // Σ m |x + r|² and Σ m (x + r); the trace is twice the former
        let mr = mass * r;
        let first = self.first + mr;
        let grown = first + self.first;
        Self {
            a: Symmetric { diagonal, off },
            h: moved,
            c: self.c,
            first,
            trace: (r + r).mul_add(grown, self.trace),
        }
    }

    /// Converts to the type of the readable kernel.
    #[inline(always)]
    pub(super) fn plain(&self) -> aba::Articulated<f64> {
        let symmetric = |s: &Symmetric<Q>| {
            let ([xx, yy, zz, _], [yz, zx, xy, _]) = (s.diagonal.values(), s.off.values());
            [xx, xy, yy, zx, yz, zz]
        };
        let [x, y, z] = self.h;
        let (x, y, z) = (x.values(), y.values(), z.values());
        aba::Articulated {
            a: symmetric(&self.a),
            b: [[x[0], y[0], z[0]], [z[1], x[1], y[1]], [y[2], z[2], x[2]]],
            c: symmetric(&self.c),
            first: [0.0; 3],
            trace: self.trace.sum(),
        }
    }
}
