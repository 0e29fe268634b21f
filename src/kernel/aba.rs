//! Forward dynamics by articulated bodies: Featherstone (2008), table 7.1; O(n).
//!
//! As in [`rnea`](super::rnea), everything is in world axes and about the body's own origin. One common point for
//! all bodies would save the moving of inertias, but a wrist far from it would lose the digits of its own inertia.
//!
//! | here | table 7.1 | |
//! |---|---|---|
//! | `A`, `B`, `C` of [`Articulated`] | `I_i^A` | angular, mixed and linear blocks |
//! | `forces[i]` | `p_i^A` | begins as what the body needs at `q̈ = 0`, which [`outwards`](super::rnea) computes, gravity and outer forces included |
//! | `moment`, `force` of `U` | `U_i` | `I_i^A S_i` |
//! | `d`, `u` | `D_i`, `u_i` | `D_i` with the `armature` of the coordinate |
//! | `dw`, `a` | `a_i` | only what `q̈` adds, so that no `c_i` and no gravity is left in the last pass |

use super::floating::{Floating, give_way};
use super::forward::Frame;
use super::linear::{add, cross, dot, scale, scale_add, sub, symmetric_turn};
use super::spatial::{RigidInertia, Wrench};
use super::tree::{Kind, ROOT, Tree};
use crate::math::Scalar;

/// The memory that it takes.
#[derive(Debug, Clone)]
pub(crate) struct Aba<T> {
    articulated: Vec<Articulated<T>>,
    resisted: Vec<Resisted<T>>,
    joints: Vec<JointTerms<T>>,
    added: Vec<[[T; 3]; 2]>,
}

/// How much inertia a coordinate moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resisted<T> {
    /// Featherstone's `D`: all that is beyond the coordinate, free to give way.
    pub(crate) d: T,
    /// More than `D` can be, and of the size of the numbers that it is the difference of: all that is beyond the
    /// coordinate, stiff and turning about the worst axis.
    pub(crate) stiff: T,
}

/// The symmetric 6 × 6 inertia `[A B; Bᵀ C]` of a body with what hangs on it; angular first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Articulated<T> {
    /// xx, xy, yy, xz, yz, zz.
    pub(super) a: [T; 6],
    /// Rows.
    pub(super) b: [[T; 3]; 3],
    /// xx, xy, yy, xz, yz, zz.
    pub(super) c: [T; 6],
    /// Mass times centre, and trace of the moment of inertia, of the stiff subtree.
    pub(super) first: [T; 3],
    pub(super) trace: T,
}

#[derive(Debug, Clone, Copy)]
struct JointTerms<T> {
    /// `U`.
    resistance: Wrench<T>,
    /// `1 / D`.
    d_inverse: T,
    u: T,
}

impl<T: Scalar> Aba<T> {
    /// Room for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let zero = T::constant(0.0);
        let joint = JointTerms {
            resistance: Wrench::zero(),
            d_inverse: zero,
            u: zero,
        };
        let resisted = Resisted {
            d: zero,
            stiff: zero,
        };
        Self {
            articulated: vec![Articulated::rigid(&RigidInertia::zero()); tree.len()],
            resisted: vec![resisted; tree.len()],
            joints: vec![joint; tree.len()],
            added: vec![[[zero; 3]; 2]; tree.len()],
        }
    }

    /// How much inertia each coordinate moved, after [`aba`].
    pub(crate) fn resisted(&self) -> &[Resisted<T>] {
        &self.resisted
    }
}

/// The accelerations under the generalised forces `tau`.
///
/// `forces` holds what each body needs at `ddq = 0`, and is used up. A coordinate that moves no inertia divides by
/// zero: look at [`Aba::resisted`] before the result.
#[inline(always)]
pub(crate) fn aba<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    forces: &mut [Wrench<T>],
    tau: &[T],
    scratch: &mut Aba<T>,
    ddq: &mut [T],
) {
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

    // inwards: what is beyond a joint gives way along the joint, and the rest resists
    for i in tree.ordinary().rev() {
        let (node, body, p) = (&nodes[i], &articulated[i], forces[i]);
        let length = T::constant(node.turn + node.slide);
        let s = scale(length, bodies[i].axis());
        let mass = T::constant(tree.subtree_mass(i));
        let armature = T::constant(node.armature);
        let (resistance, d, needed, stiff) = match node.kind {
            Kind::Revolute => {
                let resistance = body.turned(s);
                let d = dot(s, resistance.moment);
                (resistance, d, dot(s, p.moment), body.trace)
            }
            Kind::Prismatic => {
                let resistance = body.pushed(s);
                let d = dot(s, resistance.force);
                (resistance, d, dot(s, p.force), mass)
            }
        };
        let d = d + armature;
        scratch.resisted[i] = Resisted {
            d,
            stiff: length * length * stiff + armature,
        };
        let (d_inverse, u) = (d.recip(), tau[i] - needed);
        joints[i] = JointTerms {
            resistance,
            d_inverse,
            u,
        };
        if node.parent != ROOT {
            let parent = node.parent as usize;
            let r = sub(bodies[i].origin(), bodies[parent].origin());
            let rest = body.without(&resistance, d_inverse).seen_from(r, mass);
            articulated[parent] = articulated[parent].add(&rest);
            let pull = u * d_inverse;
            let passed = Wrench {
                moment: scale_add(pull, resistance.moment, p.moment),
                force: scale_add(pull, resistance.force, p.force),
            };
            forces[parent] = forces[parent].add(&passed.seen_from(r));
        }
    }

    // the floating base has nothing before it that could give way
    if let Some(base) = base {
        let (subspace, body) = (base.subspace(bodies), &articulated[base.body()]);
        let mut resistance = subspace.resistance(body);
        let mut u = base.pass_on(bodies, forces);
        for (k, i) in base.range().enumerate() {
            resistance[k][k] = resistance[k][k] + T::constant(nodes[i].armature);
            u[k] = tau[i] - u[k];
        }
        let (acceleration, d) = give_way(resistance, u);
        let mass = T::constant(tree.subtree_mass(base.body()));
        for (k, i) in base.range().enumerate() {
            let stiff = if k < 3 { mass } else { body.trace };
            let stiff = stiff + T::constant(nodes[i].armature);
            scratch.resisted[i] = Resisted { d: d[k], stiff };
        }
        ddq[base.range()].copy_from_slice(&acceleration);
        added[base.body()] = subspace.motion(&acceleration);
    }

    // outwards: each joint does what its carrier's acceleration leaves for it
    for i in tree.ordinary() {
        let node = &nodes[i];
        let JointTerms {
            resistance,
            d_inverse,
            u,
        } = joints[i];
        let carried = if node.parent == ROOT {
            [[T::constant(0.0); 3]; 2]
        } else {
            let parent = node.parent as usize;
            let [dw, a] = added[parent];
            let r = sub(bodies[i].origin(), bodies[parent].origin());
            [dw, add(a, cross(dw, r))]
        };
        ddq[i] = d_inverse * (u - resistance.power(carried));
        let [dw, a] = carried;
        let z = bodies[i].axis();
        added[i] = match node.kind {
            Kind::Revolute => [scale_add(T::constant(node.turn) * ddq[i], z, dw), a],
            Kind::Prismatic => [dw, scale_add(T::constant(node.slide) * ddq[i], z, a)],
        };
    }
}

impl<T: Scalar> Articulated<T> {
    /// A body with nothing on it: `B = [h]×`, `C = m 1`.
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

    /// `I^A S` for a joint that turns about the origin.
    #[inline(always)]
    pub(super) fn turned(&self, s: [T; 3]) -> Wrench<T> {
        let [x, y, z] = self.b;
        Wrench {
            moment: symmetric_turn(&self.a, s),
            force: scale_add(s[2], z, scale_add(s[1], y, scale(s[0], x))),
        }
    }

    /// `I^A S` for a joint that slides.
    #[inline(always)]
    pub(super) fn pushed(&self, s: [T; 3]) -> Wrench<T> {
        let [x, y, z] = self.b;
        Wrench {
            moment: [dot(x, s), dot(y, s), dot(z, s)],
            force: symmetric_turn(&self.c, s),
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

    /// The same about another point, from which this one's is `r` away: `Xᵀ I X`. `mass` is that of the subtree.
    ///
    /// `B' = B + [r]× C` and `A' = A + [r]× Bᵀ − B' [r]×`, of whose sum only one half is computed.
    #[inline(always)]
    fn seen_from(&self, r: [T; 3], mass: T) -> Self {
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
