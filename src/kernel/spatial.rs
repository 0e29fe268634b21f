//! Wrenches and inertias in world axes, about a point that the caller chooses.

use super::forward::Frame;
use super::tree::BodyInertia;
use crate::math::Scalar;
use crate::math::linear::{
    add, constant3, cross, cross_add, dot, dot_add, rotate, rotate_symmetric, scale, sub,
    symmetric_mul_add,
};

/// A moment and a force, or two halves of a momentum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wrench<T> {
    /// About the point.
    pub(crate) moment: [T; 3],
    pub(crate) force: [T; 3],
}

impl<T: Scalar> Wrench<T> {
    pub(crate) fn zero() -> Self {
        let zero = [T::constant(0.0); 3];
        Self {
            moment: zero,
            force: zero,
        }
    }

    #[inline(always)]
    pub(super) fn add(&self, other: &Self) -> Self {
        Self {
            moment: add(self.moment, other.moment),
            force: add(self.force, other.force),
        }
    }

    /// The same wrench about another point; `r` leads from that point to this one's.
    #[inline(always)]
    pub(super) fn shifted(&self, r: [T; 3]) -> Self {
        Self {
            moment: cross_add(r, self.force, self.moment),
            force: self.force,
        }
    }

    /// Power on a body with angular velocity `w` whose point moves with `v`.
    #[inline(always)]
    pub(super) fn power(&self, [w, v]: [[T; 3]; 2]) -> T {
        dot_add(w, self.moment, dot(v, self.force))
    }
}

impl<T> From<Wrench<T>> for [T; 6] {
    #[inline(always)]
    fn from(Wrench { moment, force }: Wrench<T>) -> Self {
        let ([a, b, c], [d, e, f]) = (moment, force);
        [a, b, c, d, e, f]
    }
}

/// The moment of inertia of a body about its centre of mass, in its frame: xx, xy, yy, xz, yz, zz.
#[inline(always)]
pub(super) fn moment_of<T: Scalar>(body: &BodyInertia) -> [T; 6] {
    // one by one: `map` is a call where the compiler does not inline it
    let i = &body.moment;
    [
        T::constant(i[0]),
        T::constant(i[3]),
        T::constant(i[4]),
        T::constant(i[6]),
        T::constant(i[7]),
        T::constant(i[8]),
    ]
}

/// Inertia of a rigid body, or of several that move as one: ten numbers, which add.
#[derive(Debug, Clone, Copy)]
pub(super) struct RigidInertia<T> {
    pub(super) mass: T,
    /// Mass times the position of its centre from the point.
    pub(super) first: [T; 3],
    /// The moment of inertia about the point: xx, xy, yy, xz, yz, zz.
    pub(super) second: [T; 6],
}

impl<T: Scalar> RigidInertia<T> {
    pub(super) fn zero() -> Self {
        let zero = T::constant(0.0);
        Self {
            mass: zero,
            first: [zero; 3],
            second: [zero; 6],
        }
    }

    /// The inertia of a body in its frame, about the world point `p_w`.
    #[inline(always)]
    pub(super) fn of_body(body: &BodyInertia, frame: &Frame<T>, p_w: [T; 3]) -> Self {
        Self::at_pose(
            T::constant(body.mass),
            constant3(&body.com),
            &moment_of(body),
            &frame.rotation(),
            sub(frame.origin(), p_w),
        )
    }

    /// The inertia of a body whose frame has this rotation to the world, and its origin this far from the point: its
    /// mass, its centre, and the moment of inertia about that (xx, xy, yy, xz, yz, zz), both in its frame.
    #[inline(always)]
    pub(super) fn at_pose(
        mass: T,
        com: [T; 3],
        moment: &[T; 6],
        rotation: &[T; 9],
        arm: [T; 3],
    ) -> Self {
        let c = add(rotate(rotation, com), arm);
        let first = scale(mass, c);

        // rotated to world axes, then shifted by the parallel axis theorem: + m (c·c 1 − c cᵀ)
        let i = rotate_symmetric(rotation, moment);
        let [x, y, z] = [c[0] * first[0], c[1] * first[1], c[2] * first[2]];
        let second = [
            i[0] + (y + z),
            (-c[0]).mul_add(first[1], i[1]),
            i[2] + (x + z),
            (-c[0]).mul_add(first[2], i[3]),
            (-c[1]).mul_add(first[2], i[4]),
            i[5] + (x + y),
        ];
        Self {
            mass,
            first,
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
            mass: self.mass + other.mass,
            first: add(self.first, other.first),
            second,
        }
    }

    /// Momentum at angular velocity `w`, where the point moves with `v`.
    #[inline(always)]
    pub(super) fn momentum(&self, [w, v]: [[T; 3]; 2]) -> Wrench<T> {
        Wrench {
            moment: symmetric_mul_add(&self.second, w, cross(self.first, v)),
            force: cross_add(w, self.first, scale(self.mass, v)),
        }
    }
}
