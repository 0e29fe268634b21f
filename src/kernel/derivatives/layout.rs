//! Memory layout of the terms of eight bodies: number by number, each of eight bodies.

use super::terms::{Drift, Motion, Products};
use crate::kernel::pack::{Pack8, lane3, read3, splat3, write3};
use crate::kernel::spatial::{RigidInertia, Wrench};
use crate::math::{Lanes, Level};

/// A motion or a wrench: angular half, linear half.
pub(super) type PackedMotion = [Pack8; 6];
/// An inertia: mass, first and second moments.
pub(super) type PackedInertia = [Pack8; 10];
/// An inertia (10), then a drift: momentum (6), second (6).
pub(super) type Composite = [Pack8; 22];
/// By configuration (6), by velocity (6), inertial (6), drift (3).
pub(super) type PackedProducts = [Pack8; 21];

#[inline(always)]
pub(super) fn read_motion<const N: usize, L: Level, const K: usize>(
    from: &[Pack8; K],
    at: usize,
    part: usize,
) -> Motion<Lanes<N, L>> {
    [read3(from, at, part), read3(from, at + 3, part)]
}

#[inline(always)]
pub(super) fn write_motion<const N: usize, L: Level, const K: usize>(
    to: &mut [Pack8; K],
    at: usize,
    part: usize,
    [angular, linear]: Motion<Lanes<N, L>>,
) {
    write3(to, at, part, angular);
    write3(to, at + 3, part, linear);
}

/// Of one body, in every lane.
#[inline(always)]
pub(super) fn splat_motion<const N: usize, L: Level, const K: usize>(
    from: &[Pack8; K],
    at: usize,
    lane: usize,
) -> Motion<Lanes<N, L>> {
    [splat3(from, at, lane), splat3(from, at + 3, lane)]
}

/// Of one body.
#[inline(always)]
pub(super) fn lane_motion(from: &PackedMotion, lane: usize) -> Motion<f64> {
    [lane3(from, 0, lane), lane3(from, 3, lane)]
}

#[inline(always)]
pub(super) fn wrench<T>([moment, force]: Motion<T>) -> Wrench<T> {
    Wrench { moment, force }
}

#[inline(always)]
pub(super) fn read_wrench<const N: usize, L: Level, const K: usize>(
    from: &[Pack8; K],
    at: usize,
    part: usize,
) -> Wrench<Lanes<N, L>> {
    wrench(read_motion(from, at, part))
}

/// Of one body, in every lane.
#[inline(always)]
pub(super) fn splat_wrench<const N: usize, L: Level, const K: usize>(
    from: &[Pack8; K],
    at: usize,
    lane: usize,
) -> Wrench<Lanes<N, L>> {
    wrench(splat_motion(from, at, lane))
}

#[inline(always)]
pub(super) fn write_wrench<const N: usize, L: Level, const K: usize>(
    to: &mut [Pack8; K],
    at: usize,
    part: usize,
    f: Wrench<Lanes<N, L>>,
) {
    write_motion(to, at, part, [f.moment, f.force]);
}

#[inline(always)]
pub(super) fn read_inertia<const N: usize, L: Level, const K: usize>(
    from: &[Pack8; K],
    part: usize,
) -> RigidInertia<Lanes<N, L>> {
    RigidInertia {
        mass: from[0].read(part),
        first: read3(from, 1, part),
        second: read_symmetric(from, 4, part),
    }
}

#[inline(always)]
pub(super) fn write_inertia<const N: usize, L: Level, const K: usize>(
    to: &mut [Pack8; K],
    part: usize,
    i: &RigidInertia<Lanes<N, L>>,
) {
    to[0].write(part, i.mass);
    write3(to, 1, part, i.first);
    write_symmetric(to, 4, part, i.second);
}

#[inline(always)]
pub(super) fn read_drift<const N: usize, L: Level>(
    from: &Composite,
    part: usize,
) -> Drift<Lanes<N, L>> {
    Drift {
        momentum: read_wrench(from, 10, part),
        second: read_symmetric(from, 16, part),
    }
}

#[inline(always)]
pub(super) fn write_drift<const N: usize, L: Level>(
    to: &mut Composite,
    part: usize,
    drift: &Drift<Lanes<N, L>>,
) {
    write_wrench(to, 10, part, drift.momentum);
    write_symmetric(to, 16, part, drift.second);
}

#[inline(always)]
pub(super) fn splat_products<const N: usize, L: Level>(
    from: &PackedProducts,
    lane: usize,
) -> Products<Lanes<N, L>> {
    Products {
        wrt_q: splat_wrench(from, 0, lane),
        wrt_v: splat_wrench(from, 6, lane),
        inertial: splat_wrench(from, INERTIAL, lane),
        drift: splat3(from, 18, lane),
    }
}

#[inline(always)]
pub(super) fn write_products<const N: usize, L: Level>(
    to: &mut PackedProducts,
    part: usize,
    p: &Products<Lanes<N, L>>,
) {
    write_wrench(to, 0, part, p.wrt_q);
    write_wrench(to, 6, part, p.wrt_v);
    write_wrench(to, INERTIAL, part, p.inertial);
    write3(to, 18, part, p.drift);
}

/// Index of the inertial product in a [`PackedProducts`].
pub(super) const INERTIAL: usize = 12;

#[inline(always)]
fn read_symmetric<const N: usize, L: Level, const K: usize>(
    from: &[Pack8; K],
    at: usize,
    part: usize,
) -> [Lanes<N, L>; 6] {
    let [a, b] = read_motion(from, at, part);
    [a[0], a[1], a[2], b[0], b[1], b[2]]
}

#[inline(always)]
fn write_symmetric<const N: usize, L: Level, const K: usize>(
    to: &mut [Pack8; K],
    at: usize,
    part: usize,
    s: [Lanes<N, L>; 6],
) {
    write_motion(to, at, part, [[s[0], s[1], s[2]], [s[3], s[4], s[5]]]);
}
