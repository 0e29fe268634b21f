//! The terms of [`generic`](super::generic) for one configuration, with eight bodies in the lanes.
//!
//! The terms of a body depend on no other body once its velocity and acceleration are known, so that they are computed
//! for eight bodies together. Only the sums along branches are scalar. Each stage is a function of its own, compiled once for
//! every set of instructions: inlined into all that need it they were a tenth of the code of the crate.

use super::branches::Branches;
use super::layout::{
    Composite, PackedInertia, PackedMotion, PackedProducts, lane_motion, read_drift, read_inertia,
    read_motion, read_wrench, wrench, write_drift, write_inertia, write_motion, write_products,
    write_wrench,
};
use super::terms::{
    Drift, FixedAxesCorrection, Motion, Products, motion_cross, net_wrench, s_ddot,
};
use crate::kernel::MassInverse;
use crate::kernel::forward::Frame;
use crate::kernel::pack::{Pack8, accumulate_to_parents, n_packs, pack_frames, propagate, read3};
use crate::kernel::spatial::{RigidInertia, Wrench};
use crate::kernel::tree::Tree;
use crate::math::linear::{constant3, cross, scale, scale_add, sub};
use crate::math::{Lanes, Level, outlined};

/// Scratch memory, most of it for each eight bodies.
#[derive(Debug, Clone)]
pub(crate) struct PackedDerivatives {
    // rows of rotation and origin
    frames: Vec<[Pack8; 12]>,
    pub(super) s: Vec<PackedMotion>,
    pub(super) s_dot: Vec<PackedMotion>,
    pub(super) s_ddot: Vec<PackedMotion>,
    velocities: Vec<PackedMotion>,
    accelerations: Vec<PackedMotion>,
    // each body alone
    inertias: Vec<PackedInertia>,
    momenta: Vec<PackedMotion>,
    // each body with its descendants
    composites: Vec<Composite>,
    pub(super) forces: Vec<PackedMotion>,
    pub(super) products: Vec<PackedProducts>,
    pub(super) branches: Branches,
    // of external wrenches on each body and its descendants
    pub(super) corrections: Vec<FixedAxesCorrection<f64>>,
    pub(super) mass_inverse: MassInverse,
    // a partial that nobody asked for (n × n)
    pub(super) unwanted: Vec<f64>,
    pub(super) ddq: Vec<f64>,
}

impl PackedDerivatives {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let n = tree.len();
        let m = n_packs(n);
        let six = vec![[Pack8::ZERO; 6]; m];
        Self {
            frames: vec![[Pack8::ZERO; 12]; m],
            s: six.clone(),
            s_dot: six.clone(),
            s_ddot: six.clone(),
            velocities: six.clone(),
            accelerations: six.clone(),
            inertias: vec![[Pack8::ZERO; 10]; m],
            momenta: six.clone(),
            composites: vec![[Pack8::ZERO; 22]; m],
            forces: six,
            products: vec![[Pack8::ZERO; 21]; m],
            branches: Branches::new(tree),
            corrections: vec![FixedAxesCorrection::zero(); n],
            mass_inverse: MassInverse::new(tree),
            unwanted: vec![0.0; n * n],
            ddq: vec![0.0; n],
        }
    }

    /// Effective inertia of each coordinate after forward dynamics: with all beyond it free, and locked.
    pub(crate) fn effective_inertias(
        &self,
        tree: &Tree,
    ) -> impl DoubleEndedIterator<Item = (f64, f64)> + ExactSizeIterator {
        self.mass_inverse.effective_inertias(tree)
    }

    /// Scratch memory for products with the inverse of the mass matrix.
    pub(crate) fn mass_inverse(&mut self) -> &mut MassInverse {
        &mut self.mass_inverse
    }

    /// Computes axes and inertias about the point `p_w`.
    pub(super) fn set_poses<const N: usize, L: Level>(
        &mut self,
        tree: &Tree,
        bodies: &[Frame<f64>],
        p_w: [f64; 3],
    ) {
        outlined::<L, _>(
            #[inline(always)]
            || self.set_poses_here::<N, L>(tree, bodies, p_w),
        );
    }

    #[inline(always)]
    fn set_poses_here<const N: usize, L: Level>(
        &mut self,
        tree: &Tree,
        bodies: &[Frame<f64>],
        p_w: [f64; 3],
    ) {
        let m = n_packs(tree.len());
        let (frames, constants) = (&mut self.frames[..m], &tree.constants()[..m]);
        let (s, inertias) = (&mut self.s[..m], &mut self.inertias[..m]);
        pack_frames(bodies, frames);
        let p_w: [Lanes<N, L>; 3] = constant3(&p_w);
        for m in 0..m {
            for part in 0..8 / N {
                let (frame, c) = (&frames[m], &constants[m].0);
                let (x, y, z) = (
                    read3(frame, 0, part),
                    read3(frame, 4, part),
                    read3(frame, 8, part),
                );
                let rotation = [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]];
                let origin = [
                    frame[3].read(part),
                    frame[7].read(part),
                    frame[11].read(part),
                ];
                let arm = sub(origin, p_w);

                // one of both lengths is zero
                let axis = [x[2], y[2], z[2]];
                let angular = scale(c[10].read(part), axis);
                let linear = scale_add(c[11].read(part), axis, cross(arm, angular));
                write_motion(&mut s[m], 0, part, [angular, linear]);
                let [a, b] = read_motion(c, 4, part);
                let moment = [a[0], a[1], a[2], b[0], b[1], b[2]];
                let (mass, com) = (c[0].read(part), read3(c, 1, part));
                let inertia = RigidInertia::at_pose(mass, com, &moment, &rotation, arm);
                write_inertia(&mut inertias[m], part, &inertia);
            }
        }
    }

    /// Computes velocities, and the terms that depend on them alone.
    pub(super) fn drift<const N: usize, L: Level>(&mut self, tree: &Tree, dq: &[f64]) {
        outlined::<L, _>(
            #[inline(always)]
            || self.drift_here::<N, L>(tree, dq),
        );
    }

    #[inline(always)]
    fn drift_here<const N: usize, L: Level>(&mut self, tree: &Tree, dq: &[f64]) {
        let m = n_packs(tree.len());
        let (s, s_dot) = (&self.s[..m], &mut self.s_dot[..m]);
        let velocities = &mut self.velocities[..m];
        let (inertias, momenta) = (&self.inertias[..m], &mut self.momenta[..m]);
        let composites = &mut self.composites[..m];
        propagate(tree, [0.0; 6], [(dq, s)], velocities);
        for m in 0..m {
            for part in 0..8 / N {
                let v: Motion<Lanes<N, L>> = read_motion(&velocities[m], 0, part);
                let s = read_motion(&s[m], 0, part);
                write_motion(&mut s_dot[m], 0, part, motion_cross(v, s));
                let own = read_inertia(&inertias[m], part);
                let drift = Drift::of_body(&own, v);
                write_wrench(&mut momenta[m], 0, part, drift.momentum);
                write_inertia(&mut composites[m], part, &own);
                write_drift(&mut composites[m], part, &drift);
            }
        }
        accumulate_to_parents(tree, composites);
    }

    /// Computes accelerations, and net wrenches without the external ones.
    pub(super) fn accelerate<const N: usize, L: Level>(
        &mut self,
        tree: &Tree,
        dq: &[f64],
        ddq: &[f64],
        gravity: [f64; 3],
    ) {
        outlined::<L, _>(
            #[inline(always)]
            || self.accelerate_here::<N, L>(tree, dq, ddq, gravity),
        );
    }

    #[inline(always)]
    fn accelerate_here<const N: usize, L: Level>(
        &mut self,
        tree: &Tree,
        dq: &[f64],
        ddq: &[f64],
        gravity: [f64; 3],
    ) {
        let m = n_packs(tree.len());
        let (s, s_dot) = (&self.s[..m], &self.s_dot[..m]);
        let velocities = &self.velocities[..m];
        let (inertias, momenta) = (&self.inertias[..m], &self.momenta[..m]);
        let (accelerations, forces) = (&mut self.accelerations[..m], &mut self.forces[..m]);
        let [x, y, z] = gravity;
        let up = [0.0, 0.0, 0.0, -x, -y, -z];
        propagate(tree, up, [(dq, s_dot), (ddq, s)], accelerations);
        for m in 0..m {
            for part in 0..8 / N {
                let v: Motion<Lanes<N, L>> = read_motion(&velocities[m], 0, part);
                let a = read_motion(&accelerations[m], 0, part);
                let own = read_inertia(&inertias[m], part);
                let momentum = read_wrench(&momenta[m], 0, part);
                write_wrench(&mut forces[m], 0, part, net_wrench(&own, &momentum, v, a));
            }
        }
    }

    /// Computes the wrenches that axes of ancestors are projected on.
    pub(super) fn multiply<const N: usize, L: Level>(&mut self, tree: &Tree) {
        outlined::<L, _>(
            #[inline(always)]
            || self.multiply_here::<N, L>(tree),
        );
    }

    #[inline(always)]
    fn multiply_here<const N: usize, L: Level>(&mut self, tree: &Tree) {
        let m = n_packs(tree.len());
        let (velocities, accelerations) = (&self.velocities[..m], &self.accelerations[..m]);
        let (s, s_dot, s_ddots) = (&self.s[..m], &self.s_dot[..m], &mut self.s_ddot[..m]);
        let (composites, forces) = (&self.composites[..m], &self.forces[..m]);
        let products = &mut self.products[..m];
        for m in 0..m {
            for part in 0..8 / N {
                let s: Motion<Lanes<N, L>> = read_motion(&s[m], 0, part);
                let s_dot = read_motion(&s_dot[m], 0, part);
                let v = read_motion(&velocities[m], 0, part);
                let a = read_motion(&accelerations[m], 0, part);
                let s_ddot = s_ddot(s, s_dot, v, a);
                write_motion(&mut s_ddots[m], 0, part, s_ddot);
                let inertia = read_inertia(&composites[m], part);
                let drift = read_drift(&composites[m], part);
                let force = read_wrench(&forces[m], 0, part);
                let row = Products::new(s, s_dot, s_ddot, &inertia, &drift, &force);
                write_products(&mut products[m], part, &row);
            }
        }
    }

    /// Wrench transmitted by the joint of coordinate `i`.
    #[inline(always)]
    pub(super) fn force(&self, i: usize) -> Wrench<f64> {
        wrench(lane_motion(&self.forces[i / 8], i % 8))
    }

    /// The axis of coordinate `i`.
    #[inline(always)]
    pub(super) fn axis(&self, i: usize) -> Motion<f64> {
        lane_motion(&self.s[i / 8], i % 8)
    }
}
