//! Derivative of the mass matrix, and rate of the momentum matrix, from composite bodies.
//!
//! For `M_ij = S_iᵀ I_i S_j`, `i` being `j` or beyond it, coordinate `k` rotates its descendants: with `D_k x = S_k × x`
//! for axes and `S_k ×* f` for momenta,
//!
//! ```text
//! ∂M_ij/∂q_k = S_jᵀ (S_k ×* I_i S_i)                     j before k, i is k or beyond
//!            = S_iᵀ (S_k ×* I_k S_j − I_k (S_k × S_j))   i and j before k
//!            = 0                                         else
//! ```

use super::terms::{Drift, Motion, force_cross_add, motion_cross};
use crate::kernel::forward::Frame;
use crate::kernel::jacobian::column;
use crate::kernel::spatial::{RigidInertia, Wrench};
use crate::kernel::tree::{ROOT, Tree};
use crate::math::Scalar;
use crate::math::linear::{cross, scale, scale_add, sub};

/// Scratch memory.
#[derive(Debug, Clone)]
pub(crate) struct Composites<T> {
    bodies: Vec<Composite<T>>,
    // whether the body is the coordinate's or a descendant
    below: Vec<bool>,
}

/// A body with its descendants.
#[derive(Debug, Clone, Copy)]
struct Composite<T> {
    s: Motion<T>,
    v: Motion<T>,
    inertia: RigidInertia<T>,
    drift: Drift<T>,
}

impl<T: Scalar> Composites<T> {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let zero = T::constant(0.0);
        let body = Composite {
            s: [[zero; 3]; 2],
            v: [[zero; 3]; 2],
            inertia: RigidInertia::zero(),
            drift: Drift {
                momentum: Wrench::zero(),
                second: [zero; 6],
            },
        };
        Self {
            bodies: vec![body; tree.len()],
            below: vec![false; tree.len()],
        }
    }

    /// Computes composite inertias and drifts at rates `dq`, about the world point `p_w`.
    #[inline(always)]
    pub(crate) fn gather(&mut self, tree: &Tree, frames: &[Frame<T>], dq: &[T], p_w: [T; 3]) {
        let n = tree.len();
        let (nodes, bodies) = (&tree.nodes()[..n], &mut self.bodies[..n]);
        for i in 0..n {
            let s = column(tree, frames, i, p_w);
            let parent = match nodes[i].parent {
                ROOT => [[T::constant(0.0); 3]; 2],
                parent => bodies[parent as usize].v,
            };
            let v = [
                scale_add(dq[i], s[0], parent[0]),
                scale_add(dq[i], s[1], parent[1]),
            ];
            let inertia = RigidInertia::of_body(&tree.inertias()[i], &frames[i], p_w);
            bodies[i] = Composite {
                s,
                v,
                inertia,
                drift: Drift::of_body(&inertia, v),
            };
        }
        for i in (0..n).rev() {
            if nodes[i].parent != ROOT {
                let Composite { inertia, drift, .. } = bodies[i];
                let parent = &mut bodies[nodes[i].parent as usize];
                parent.inertia = parent.inertia.add(&inertia);
                parent.drift = parent.drift.add(&drift);
            }
        }
    }

    /// `∂M/∂q_k` (n × n), after [`gather`](Self::gather).
    #[inline(always)]
    pub(crate) fn mass_derivative(&mut self, tree: &Tree, k: usize, out: &mut [T]) {
        let n = tree.len();
        let (nodes, bodies, out) = (&tree.nodes()[..n], &self.bodies[..n], &mut out[..n * n]);
        out.fill(T::constant(0.0));
        let (s, inertia) = (bodies[k].s, &bodies[k].inertia);
        let before = nodes[k].parent as usize;

        // both are ancestors: up the branch twice; an ancestor comes before, the world does not
        let mut i = before;
        while i < k {
            let axis = bodies[i].s;
            let of_moved_axis = inertia.momentum(motion_cross(s, axis));
            let negated = Wrench {
                moment: scale(T::constant(-1.0), of_moved_axis.moment),
                force: scale(T::constant(-1.0), of_moved_axis.force),
            };
            let rotated = force_cross_add(s, &inertia.momentum(axis), &negated);
            let mut j = i;
            while j <= i {
                let partial = rotated.power(bodies[j].s);
                out[i * n + j] = partial;
                out[j * n + i] = partial;
                j = nodes[j].parent as usize;
            }
            i = nodes[i].parent as usize;
        }

        // one ancestor, one descendant
        for i in k..n {
            let parent = nodes[i].parent as usize;
            self.below[i] = i == k || (k..i).contains(&parent) && self.below[parent];
            if !self.below[i] {
                continue;
            }
            let momentum = bodies[i].inertia.momentum(bodies[i].s);
            let rotated = force_cross_add(s, &momentum, &Wrench::zero());
            let mut j = before;
            while j < k {
                let partial = rotated.power(bodies[j].s);
                out[i * n + j] = partial;
                out[j * n + i] = partial;
                j = nodes[j].parent as usize;
            }
        }
    }

    /// Rate `İ S + I Ṡ` of the momentum matrix about the point, which itself moves with `p_dot`, after
    /// [`gather`](Self::gather).
    ///
    /// The rate of an inertia is an inertia too: without mass, with the momentum for a first moment.
    #[inline(always)]
    pub(crate) fn momentum_columns_dot(&self, p_dot: [T; 3], columns: &mut [[T; 6]]) {
        for (column, body) in columns.iter_mut().zip(&self.bodies) {
            let Composite {
                s,
                v,
                inertia,
                drift,
            } = body;
            let rate = RigidInertia {
                mass: T::constant(0.0),
                first: drift.momentum.force,
                second: drift.second,
            };
            let sum = rate
                .momentum(*s)
                .add(&inertia.momentum(motion_cross(*v, *s)));
            let left_behind = cross(p_dot, inertia.momentum(*s).force);
            let moment = sub(sum.moment, left_behind);
            *column = [
                moment[0],
                moment[1],
                moment[2],
                sum.force[0],
                sum.force[1],
                sum.force[2],
            ];
        }
    }
}
