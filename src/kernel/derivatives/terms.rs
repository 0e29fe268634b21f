//! Terms of each body, written once for one body of many configurations and for many bodies of one.

use crate::kernel::spatial::{RigidInertia, Wrench};
use crate::math::Scalar;
use crate::math::linear::{
    add, cross, cross_add, dot, dot_add, scale, scale_add, sub, symmetric_mul_add,
};

/// The angular and the linear half of a velocity, an acceleration or an axis, about the common point.
pub(super) type Motion<T> = [[T; 3]; 2];

/// Rate of the inertia of one or several bodies in motion: twice `B` of the papers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drift<T> {
    /// About the common point.
    pub(super) momentum: Wrench<T>,
    /// The rate of the moment of inertia about the common point: xx, xy, yy, xz, yz, zz.
    pub(super) second: [T; 6],
}

impl<T: Scalar> Drift<T> {
    /// Of a body that moves with `v`.
    #[inline(always)]
    pub(super) fn of_body(inertia: &RigidInertia<T>, v: Motion<T>) -> Self {
        let [w, l] = v;
        let (i, h) = (&inertia.second, inertia.first);

        // [w]× I − I [w]×, and the change due to translation away from the point
        let x = cross(w, [i[0], i[1], i[3]]);
        let y = cross(w, [i[1], i[2], i[4]]);
        let z = cross(w, [i[3], i[4], i[5]]);
        let two = T::constant(2.0);
        let grown = two * dot(h, l);
        let second = [
            two.mul_add(x[0], (-two * h[0]).mul_add(l[0], grown)),
            (-h[0]).mul_add(l[1], (-h[1]).mul_add(l[0], x[1] + y[0])),
            two.mul_add(y[1], (-two * h[1]).mul_add(l[1], grown)),
            (-h[0]).mul_add(l[2], (-h[2]).mul_add(l[0], x[2] + z[0])),
            (-h[1]).mul_add(l[2], (-h[2]).mul_add(l[1], y[2] + z[1])),
            two.mul_add(z[2], (-two * h[2]).mul_add(l[2], grown)),
        ];
        Self {
            momentum: inertia.momentum(v),
            second,
        }
    }

    #[inline(always)]
    pub(super) fn add(&self, other: &Self) -> Self {
        let mut second = self.second;
        for k in 0..6 {
            second[k] = second[k] + other.second[k];
        }
        Self {
            momentum: self.momentum.add(&other.momentum),
            second,
        }
    }

    /// `2 B x` for an `x` with angular half `w`; its linear half does not enter.
    #[inline(always)]
    fn times(&self, w: [T; 3]) -> Wrench<T> {
        let Wrench { moment, force } = self.momentum;
        Wrench {
            moment: symmetric_mul_add(&self.second, w, cross(w, moment)),
            force: scale(T::constant(2.0), cross(w, force)),
        }
    }

    /// The angular half of `2 Bᵀ x`; the linear one is zero.
    #[inline(always)]
    fn transposed_times(&self, [w, l]: Motion<T>) -> [T; 3] {
        let Wrench { moment, force } = self.momentum;
        let rotated = symmetric_mul_add(&self.second, w, cross(moment, w));
        scale_add(T::constant(2.0), cross(force, l), rotated)
    }
}

/// Motion cross product `v × x`.
#[inline(always)]
pub(super) fn motion_cross<T: Scalar>([w, l]: Motion<T>, [a, b]: Motion<T>) -> Motion<T> {
    [cross(w, a), cross_add(w, b, cross(l, a))]
}

/// `v × x + y`.
#[inline(always)]
pub(super) fn motion_cross_add<T: Scalar>(
    [w, l]: Motion<T>,
    [a, b]: Motion<T>,
    [c, d]: Motion<T>,
) -> Motion<T> {
    [cross_add(w, a, c), cross_add(w, b, cross_add(l, a, d))]
}

/// Force cross product `v ×* f + g`.
#[inline(always)]
pub(super) fn force_cross_add<T: Scalar>(
    [w, l]: Motion<T>,
    f: &Wrench<T>,
    g: &Wrench<T>,
) -> Wrench<T> {
    Wrench {
        moment: cross_add(w, f.moment, cross_add(l, f.force, g.moment)),
        force: cross_add(w, f.force, g.force),
    }
}

/// `Ψ̈` from `Ψ̇`.
#[inline(always)]
pub(super) fn s_ddot<T: Scalar>(
    s: Motion<T>,
    s_dot: Motion<T>,
    v: Motion<T>,
    a: Motion<T>,
) -> Motion<T> {
    motion_cross_add(a, s, motion_cross(v, s_dot))
}

/// Net wrench of a body at velocity `v` and acceleration `a`: `I a + v ×* I v`.
#[inline(always)]
pub(super) fn net_wrench<T: Scalar>(
    inertia: &RigidInertia<T>,
    momentum: &Wrench<T>,
    v: Motion<T>,
    a: Motion<T>,
) -> Wrench<T> {
    force_cross_add(v, momentum, &inertia.momentum(a))
}

/// Wrenches of a coordinate that the axes of its ancestors are projected on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Products<T> {
    /// `2 B Ψ̇ + I Ψ̈ + S ×* f`.
    pub(super) wrt_q: Wrench<T>,
    /// `2 B S + 2 I Ψ̇`.
    pub(super) wrt_v: Wrench<T>,
    /// `I S`.
    pub(super) inertial: Wrench<T>,
    /// The angular half of `2 Bᵀ S`.
    pub(super) drift: [T; 3],
}

impl<T: Scalar> Products<T> {
    #[inline(always)]
    pub(super) fn new(
        s: Motion<T>,
        s_dot: Motion<T>,
        s_ddot: Motion<T>,
        inertia: &RigidInertia<T>,
        drift: &Drift<T>,
        force: &Wrench<T>,
    ) -> Self {
        let accelerated = inertia.momentum(s_ddot).add(&drift.times(s_dot[0]));
        let rate = inertia.momentum(s_dot);
        let rotated = drift.times(s[0]);
        let two = T::constant(2.0);
        Self {
            wrt_q: force_cross_add(s, force, &accelerated),
            wrt_v: Wrench {
                moment: scale_add(two, rate.moment, rotated.moment),
                force: scale_add(two, rate.force, rotated.force),
            },
            inertial: inertia.momentum(s),
            drift: drift.transposed_times(s),
        }
    }

    /// In the column of the coordinate, the row of an ancestor or of itself.
    #[inline(always)]
    pub(super) fn column(&self, s: Motion<T>) -> [T; 2] {
        [self.wrt_q.power(s), self.wrt_v.power(s)]
    }

    /// In the row of a coordinate with these products, the column of an ancestor.
    #[inline(always)]
    pub(super) fn row(
        inertial: &Wrench<T>,
        drift: [T; 3],
        s: Motion<T>,
        s_dot: Motion<T>,
        s_ddot: Motion<T>,
    ) -> [T; 2] {
        let Wrench { moment, force } = *inertial;
        let rotated = dot_add(force, s_ddot[1], dot(drift, s_dot[0]));
        let wrt_q = dot_add(moment, s_ddot[0], rotated);
        let twice = inertial.power(s_dot);
        let wrt_v = T::constant(2.0).mul_add(twice, dot(drift, s[0]));
        [wrt_q, wrt_v]
    }
}

/// Correction for a wrench that is constant in world axes, on a point at `r` from the common point, against one that
/// rotates with the body: `E(w) = w ×* f − ∂f`, nine numbers of `f rᵀ`, the moment about the point and the force.
#[derive(Debug, Clone, Copy)]
pub(super) struct FixedAxesCorrection<T> {
    pub(super) moment: [T; 3],
    pub(super) force: [T; 3],
    /// Columns of `f rᵀ`.
    pub(super) outer: [[T; 3]; 3],
}

impl<T: Scalar> FixedAxesCorrection<T> {
    #[inline(always)]
    pub(super) fn zero() -> Self {
        let zero = [T::constant(0.0); 3];
        Self {
            moment: zero,
            force: zero,
            outer: [zero; 3],
        }
    }

    #[inline(always)]
    pub(super) fn new(moment: [T; 3], force: [T; 3], r: [T; 3]) -> Self {
        Self {
            moment,
            force,
            outer: [scale(r[0], force), scale(r[1], force), scale(r[2], force)],
        }
    }

    #[inline(always)]
    pub(super) fn add(&self, other: &Self) -> Self {
        let (a, b) = (&self.outer, &other.outer);
        Self {
            moment: add(self.moment, other.moment),
            force: add(self.force, other.force),
            outer: [add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])],
        }
    }

    /// `E(w)`: `w × m + r × (w × f)` about the common point, and `w × f`.
    #[inline(always)]
    pub(super) fn times(&self, w: [T; 3]) -> Wrench<T> {
        let [x, y, z] = self.outer;

        // r × (w × f) = w (r · f) − f (r · w)
        let along = x[0] + y[1] + z[2];
        let across = scale_add(w[0], x, scale_add(w[1], y, scale(w[2], z)));
        Wrench {
            moment: cross_add(w, self.moment, sub(scale(along, w), across)),
            force: cross(w, self.force),
        }
    }

    /// `x · E(w) = w · Eᵀ(x)`.
    #[inline(always)]
    pub(super) fn transposed_times(&self, [a, b]: Motion<T>) -> [T; 3] {
        let [x, y, z] = self.outer;
        let along = x[0] + y[1] + z[2];
        let across = [dot(x, a), dot(y, a), dot(z, a)];
        let rotated = cross_add(self.moment, a, cross(self.force, b));
        add(rotated, sub(scale(along, a), across))
    }
}
