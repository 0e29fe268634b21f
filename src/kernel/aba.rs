//! Forward dynamics by articulated bodies: Featherstone (2008), table 7.1; O(n).
//!
//! As in [`rnea`](super::rnea), everything is in world axes and about the body's own origin. One common point for
//! all bodies would save shifting inertias, but a wrist far from it would lose the digits of its own inertia.
//!
//! | here | table 7.1 | |
//! |---|---|---|
//! | `A`, `B`, `C` of [`Articulated`] | `I_i^A` | angular, mixed and linear blocks |
//! | `forces[i]` | `p_i^A` | begins as the net wrench at `q̈ = 0`, which [`forward_pass`](super::rnea) computes, gravity and external wrenches included |
//! | `moment`, `force` of `U` | `U_i` | `I_i^A S_i` |
//! | `d`, `u` | `D_i`, `u_i` | `D_i` with the `armature` of the coordinate |
//! | `dw`, `a` | `a_i` | only the part due to `q̈`, so that no `c_i` and no gravity is left in the last pass |

use super::floating::{Floating, solve_ltdl};
use super::forward::Frame;
use super::spatial::{RigidInertia, Wrench};
use super::tree::{Kind, ROOT, Tree};
use crate::math::Scalar;
use crate::math::linear::{add, cross, dot, scale, scale_add, sub, symmetric_mul};

/// Scratch memory.
#[derive(Debug, Clone)]
pub(crate) struct Aba<T> {
    articulated: Vec<Articulated<T>>,
    effective_inertias: Vec<EffectiveInertia<T>>,
    joints: Vec<JointTerms<T>>,
    added: Vec<[[T; 3]; 2]>,
}

/// Inertia that a coordinate moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EffectiveInertia<T> {
    /// Featherstone's `D`: with all coordinates beyond it free.
    pub(crate) d: T,
    /// Upper bound of `D`, of the size of the numbers that it is the difference of: with all coordinates beyond it
    /// locked, rotating about the worst axis.
    pub(crate) locked: T,
}

/// Articulated-body inertia: the symmetric 6 × 6 matrix `[A B; Bᵀ C]`, angular first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Articulated<T> {
    /// xx, xy, yy, xz, yz, zz.
    pub(super) a: [T; 6],
    /// Rows.
    pub(super) b: [[T; 3]; 3],
    /// xx, xy, yy, xz, yz, zz.
    pub(super) c: [T; 6],
    /// Mass times centre, and trace of the moment of inertia, of the locked subtree.
    pub(super) first: [T; 3],
    pub(super) trace: T,
}

#[derive(Debug, Clone, Copy)]
struct JointTerms<T> {
    /// `U`.
    i_s: Wrench<T>,
    /// `1 / D`.
    d_inverse: T,
    u: T,
}

impl<T: Scalar> Aba<T> {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let zero = T::constant(0.0);
        let joint = JointTerms {
            i_s: Wrench::zero(),
            d_inverse: zero,
            u: zero,
        };
        let effective_inertias = EffectiveInertia {
            d: zero,
            locked: zero,
        };
        Self {
            articulated: vec![Articulated::rigid(&RigidInertia::zero()); tree.len()],
            effective_inertias: vec![effective_inertias; tree.len()],
            joints: vec![joint; tree.len()],
            added: vec![[[zero; 3]; 2]; tree.len()],
        }
    }

    /// Memory for other algorithms that find these inertias.
    pub(crate) fn effective_inertias_mut(&mut self) -> &mut [EffectiveInertia<T>] {
        &mut self.effective_inertias
    }

    /// Inertia that each coordinate moves, after [`aba`].
    pub(crate) fn effective_inertias(&self) -> &[EffectiveInertia<T>] {
        &self.effective_inertias
    }
}

/// The accelerations under the generalised forces `tau`.
///
/// `forces` holds the net wrench of each body at `ddq = 0`, and is overwritten. A coordinate that moves no inertia
/// divides by zero: check [`Aba::effective_inertias`] before the result.
#[inline(always)]
pub(crate) fn aba<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    forces: &mut [Wrench<T>],
    tau: &[T],
    scratch: &mut Aba<T>,
    ddq: &mut [T],
) {
    debug_assert!(tree.ball_joints().is_empty(), "see `joint_armature`");
    let n = tree.len();
    let nodes = &tree.nodes()[..n];
    let (bodies, forces, tau, ddq) = (&bodies[..n], &mut forces[..n], &tau[..n], &mut ddq[..n]);
    let articulated = &mut scratch.articulated[..n];
    let (joints, added) = (&mut scratch.joints[..n], &mut scratch.added[..n]);
    let base = tree.floating();
    for i in tree.ordinary().chain(base.map(Floating::body)) {
        let inertia = &tree.inertias()[i];
        let rigid = RigidInertia::of_body(inertia, &bodies[i], bodies[i].origin());
        articulated[i] = Articulated::rigid(&rigid);
    }

    // backward pass: articulated inertias and bias wrenches
    for i in tree.ordinary().rev() {
        let (node, body, p) = (&nodes[i], &articulated[i], forces[i]);
        let length = T::constant(node.revolute + node.prismatic);
        let s = scale(length, bodies[i].axis());
        let mass = T::constant(tree.subtree_mass(i));
        let armature = T::constant(node.armature);
        let (i_s, d, needed, locked) = match node.kind {
            Kind::Revolute => {
                let i_s = body.times_revolute(s);
                let d = dot(s, i_s.moment);
                (i_s, d, dot(s, p.moment), body.trace)
            }
            Kind::Prismatic => {
                let i_s = body.times_prismatic(s);
                let d = dot(s, i_s.force);
                (i_s, d, dot(s, p.force), mass)
            }
        };
        let d = d + armature;
        scratch.effective_inertias[i] = EffectiveInertia {
            d,
            locked: length * length * locked + armature,
        };
        let (d_inverse, u) = (d.recip(), tau[i] - needed);
        joints[i] = JointTerms { i_s, d_inverse, u };
        if node.parent != ROOT {
            let parent = node.parent as usize;
            let r = sub(bodies[i].origin(), bodies[parent].origin());
            let rest = body.without(&i_s, d_inverse).shifted(r, mass);
            articulated[parent] = articulated[parent].add(&rest);
            let u_over_d = u * d_inverse;
            let passed = Wrench {
                moment: scale_add(u_over_d, i_s.moment, p.moment),
                force: scale_add(u_over_d, i_s.force, p.force),
            };
            forces[parent] = forces[parent].add(&passed.shifted(r));
        }
    }

    // the floating base is a root: its six coordinates are solved at once
    if let Some(base) = base {
        let (subspace, body) = (base.subspace(bodies), &articulated[base.body()]);
        let mut i_s = subspace.project_inertia(body);
        let mut u = base.transmit(bodies, forces);
        for (k, i) in base.range().enumerate() {
            i_s[k][k] = i_s[k][k] + T::constant(nodes[i].armature);
            u[k] = tau[i] - u[k];
        }
        let (acceleration, d) = solve_ltdl(i_s, u);
        let mass = T::constant(tree.subtree_mass(base.body()));
        for (k, i) in base.range().enumerate() {
            let locked = if k < 3 { mass } else { body.trace };
            let locked = locked + T::constant(nodes[i].armature);
            scratch.effective_inertias[i] = EffectiveInertia { d: d[k], locked };
        }
        ddq[base.range()].copy_from_slice(&acceleration);
        added[base.body()] = subspace.motion(&acceleration);
    }

    // forward pass: accelerations
    for i in tree.ordinary() {
        let node = &nodes[i];
        let JointTerms { i_s, d_inverse, u } = joints[i];
        let base = if node.parent == ROOT {
            [[T::constant(0.0); 3]; 2]
        } else {
            let parent = node.parent as usize;
            let [dw, a] = added[parent];
            let r = sub(bodies[i].origin(), bodies[parent].origin());
            [dw, add(a, cross(dw, r))]
        };
        ddq[i] = d_inverse * (u - i_s.power(base));
        let [dw, a] = base;
        let z = bodies[i].axis();
        added[i] = match node.kind {
            Kind::Revolute => [scale_add(T::constant(node.revolute) * ddq[i], z, dw), a],
            Kind::Prismatic => [dw, scale_add(T::constant(node.prismatic) * ddq[i], z, a)],
        };
    }
}

impl<T: Scalar> Articulated<T> {
    /// A rigid body: `B = [h]×`, `C = m 1`.
    #[inline(always)]
    pub(super) fn rigid(body: &RigidInertia<T>) -> Self {
        let (zero, m, h) = (T::constant(0.0), body.mass, body.first);
        Self {
            a: body.second,
            b: [
                [zero, -h[2], h[1]],
                [h[2], zero, -h[0]],
                [-h[1], h[0], zero],
            ],
            c: [m, zero, m, zero, zero, m],
            first: h,
            trace: body.second[0] + body.second[2] + body.second[5],
        }
    }

    /// `I^A S` for a revolute joint at the origin.
    #[inline(always)]
    pub(super) fn times_revolute(&self, s: [T; 3]) -> Wrench<T> {
        let [x, y, z] = self.b;
        Wrench {
            moment: symmetric_mul(&self.a, s),
            force: scale_add(s[2], z, scale_add(s[1], y, scale(s[0], x))),
        }
    }

    /// `I^A S` for a prismatic joint.
    #[inline(always)]
    pub(super) fn times_prismatic(&self, s: [T; 3]) -> Wrench<T> {
        let [x, y, z] = self.b;
        Wrench {
            moment: [dot(x, s), dot(y, s), dot(z, s)],
            force: symmetric_mul(&self.c, s),
        }
    }

    /// `I^A − U Uᵀ / D`.
    #[inline(always)]
    fn without(&self, u: &Wrench<T>, d_inverse: T) -> Self {
        let Wrench {
            moment: n,
            force: f,
        } = *u;
        let (dn, df) = (scale(-d_inverse, n), scale(-d_inverse, f));
        let mut rest = *self;
        for (k, (i, j)) in PAIRS.into_iter().enumerate() {
            rest.a[k] = dn[i].mul_add(n[j], rest.a[k]);
            rest.c[k] = df[i].mul_add(f[j], rest.c[k]);
        }
        for i in 0..3 {
            rest.b[i] = scale_add(dn[i], f, rest.b[i]);
        }
        rest
    }

    /// The same about another point: `Xᵀ I X`. `r` leads from that point to this one's; `mass` is that of the subtree.
    ///
    /// `B' = B + [r]× C` and `A' = A + [r]× Bᵀ − B' [r]×`, of which one half is computed.
    #[inline(always)]
    fn shifted(&self, r: [T; 3], mass: T) -> Self {
        let c = &self.c;
        let columns = [
            cross(r, [c[0], c[1], c[3]]),
            cross(r, [c[1], c[2], c[4]]),
            cross(r, [c[3], c[4], c[5]]),
        ];
        let mut moved = *self;
        for i in 0..3 {
            moved.b[i] = add(self.b[i], [columns[0][i], columns[1][i], columns[2][i]]);
        }
        let before = [
            cross(r, self.b[0]),
            cross(r, self.b[1]),
            cross(r, self.b[2]),
        ];
        let after = [
            cross(r, moved.b[0]),
            cross(r, moved.b[1]),
            cross(r, moved.b[2]),
        ];
        for (k, (i, j)) in PAIRS.into_iter().enumerate() {
            moved.a[k] = moved.a[k] + (before[j][i] + after[i][j]);
        }

        // Σ m |x + r|² and Σ m (x + r); the trace is twice the former
        let two = T::constant(2.0);
        let mr = scale(mass, r);
        let grown = dot(r, scale_add(two, self.first, mr));
        moved.trace = two.mul_add(grown, self.trace);
        moved.first = add(self.first, mr);
        moved
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        let mut sum = *self;
        for k in 0..6 {
            sum.a[k] = sum.a[k] + other.a[k];
            sum.c[k] = sum.c[k] + other.c[k];
        }
        for i in 0..3 {
            sum.b[i] = add(sum.b[i], other.b[i]);
        }
        sum.first = add(sum.first, other.first);
        sum.trace = sum.trace + other.trace;
        sum
    }
}

/// Row and column of each of the six numbers of a symmetric matrix.
const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];
