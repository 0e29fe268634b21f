//! Forward dynamics: see [`kernel::aba`](mod@crate::kernel::aba).
//!
//! The critical path of a link is `U`, `D` and `1 / D` of its child. Meanwhile the inertia and `U` are shifted to the
//! parent's origin, where `U Uᵀ / D` is subtracted.

use super::articulated::{Articulated, Stored};
use super::matrix::PackedPose;
use super::rnea::{Rnea, transmit};
use crate::kernel::aba::EffectiveInertia;
use crate::kernel::floating::solve_ltdl;
use crate::kernel::forward::Frame;
use crate::kernel::tree::{Kind, ROOT, Tree};
use crate::math::{Quad, QuadWork, Row, Simd};

/// Scratch memory.
#[derive(Debug, Clone)]
pub(crate) struct Aba {
    articulated: Vec<Stored>,
    effective_inertias: Vec<EffectiveInertia<f64>>,
    joints: Vec<Joint>,
    // of each body: angular, linear
    added: Vec<[Row; 2]>,
}

#[derive(Debug, Clone, Copy)]
struct Joint {
    /// Moment about the origin of the parent, and force of `U`.
    i_s: [Row; 2],
    /// From the parent's origin to this one.
    arm: Row,
    /// `1 / D`.
    d_inverse: f64,
    u: f64,
}

impl Aba {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let joint = Joint {
            i_s: [Row::ZERO; 2],
            arm: Row::ZERO,
            d_inverse: 0.0,
            u: 0.0,
        };
        let effective_inertias = EffectiveInertia {
            d: 0.0,
            locked: 0.0,
        };
        Self {
            articulated: vec![[Row::ZERO; 9]; tree.len()],
            effective_inertias: vec![effective_inertias; tree.len()],
            joints: vec![joint; tree.len()],
            added: vec![[Row::ZERO; 2]; tree.len()],
        }
    }

    /// Effective inertia of each coordinate, with all beyond it free, and locked.
    pub(crate) fn effective_inertias(
        &self,
        tree: &Tree,
    ) -> impl DoubleEndedIterator<Item = (f64, f64)> + ExactSizeIterator {
        let pair = |moved: &EffectiveInertia<f64>| (moved.d, moved.locked);
        self.effective_inertias[..tree.len()].iter().map(pair)
    }

    /// Accelerations under the generalised forces `tau`; `rnea` holds the net wrenches at zero acceleration, and is
    /// overwritten.
    #[inline]
    pub(crate) fn accelerations(
        &mut self,
        tree: &Tree,
        bodies: &[Frame<f64>],
        rnea: &mut Rnea,
        tau: &[f64],
        ddq: &mut [f64],
    ) {
        Simd::chosen().run_quad(Accelerations {
            tree,
            bodies,
            rnea,
            tau,
            scratch: self,
            ddq,
        });
    }
}

struct Accelerations<'a> {
    tree: &'a Tree,
    bodies: &'a [Frame<f64>],
    rnea: &'a mut Rnea,
    tau: &'a [f64],
    scratch: &'a mut Aba,
    ddq: &'a mut [f64],
}

impl QuadWork for Accelerations<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let Self {
            tree,
            bodies,
            rnea,
            tau,
            scratch,
            ddq,
        } = self;
        accelerate::<Q>(tree, bodies, rnea, tau, scratch, ddq);
    }
}

#[inline(always)]
pub(super) fn accelerate<Q: Quad>(
    tree: &Tree,
    bodies: &[Frame<f64>],
    rnea: &mut Rnea,
    tau: &[f64],
    scratch: &mut Aba,
    ddq: &mut [f64],
) {
    backward_pass::<Q>(tree, bodies, rnea, tau, scratch);
    if tree.floating().is_some() {
        base::<Q>(tree, bodies, rnea, tau, scratch, ddq);
    }
    forward_pass::<Q>(tree, rnea, scratch, ddq);
}

/// Backward pass: articulated inertias and bias wrenches.
#[inline(always)]
fn backward_pass<Q: Quad>(
    tree: &Tree,
    bodies: &[Frame<f64>],
    rnea: &mut Rnea,
    tau: &[f64],
    scratch: &mut Aba,
) {
    let n = tree.len();
    let (nodes, inertias, bodies) = (&tree.nodes()[..n], &tree.inertias()[..n], &bodies[..n]);
    let (axes, forces) = (&rnea.joints[..n], &mut rnea.forces[..n]);
    let (articulated, joints) = (&mut scratch.articulated[..n], &mut scratch.joints[..n]);
    let (effective_inertias, tau) = (&mut scratch.effective_inertias[..n], &tau[..n]);
    for i in 0..n {
        let pose = PackedPose::new(&bodies[i]);
        Articulated::<Q>::rigid(&inertias[i], &pose).store(&mut articulated[i]);
    }
    for i in tree.ordinary().rev() {
        let node = &nodes[i];
        let body = Articulated::<Q>::load(&articulated[i]);
        let (moment, force) = (forces[i].moment.load::<Q>(), forces[i].force.load::<Q>());
        let axis = axes[i].axis.load::<Q>();
        let length = node.revolute + node.prismatic;
        let mass = tree.subtree_mass(i);
        let (u, along, needed, locked) = match node.kind {
            Kind::Revolute => {
                let u = body.times_revolute(axis);
                (u, u[0], moment, body.trace.sum())
            }
            Kind::Prismatic => {
                let u = body.times_prismatic(axis);
                (u, u[1], force, mass)
            }
        };
        let d = (axis * along).sum() + node.armature;
        effective_inertias[i] = EffectiveInertia {
            d,
            locked: length * length * locked + node.armature,
        };
        let joint = &mut joints[i];
        joint.d_inverse = 1.0 / d;
        joint.u = tau[i] - (axis * needed).sum();
        if node.parent != ROOT {
            let parent = node.parent as usize;
            let r = axes[i].origin.load::<Q>() - axes[parent].origin.load();
            let u = [u[0] + r.cross(u[1]), u[1]];
            let d_inverse = Q::splat(joint.d_inverse);
            let rest = body
                .shifted(r, Q::splat(mass))
                .add(&Articulated::load(&articulated[parent]))
                .without(u, d_inverse);
            rest.store(&mut articulated[parent]);

            let u_over_d = Q::splat(joint.u) * d_inverse;
            let passed = &mut forces[parent];
            let moment = moment + r.cross(force) + passed.moment.load();
            let force = force + passed.force.load();
            passed.moment.store(u_over_d.mul_add(u[0], moment));
            passed.force.store(u_over_d.mul_add(u[1], force));
            joint.arm.store(r);
            joint.i_s[0].store(u[0]);
            joint.i_s[1].store(u[1]);
        }
    }
}

/// Solves for the six coordinates of the floating base at once.
#[inline(always)]
fn base<Q: Quad>(
    tree: &Tree,
    bodies: &[Frame<f64>],
    rnea: &mut Rnea,
    tau: &[f64],
    scratch: &mut Aba,
    ddq: &mut [f64],
) {
    let Some(base) = tree.floating() else {
        return;
    };
    let body = Articulated::<Q>::load(&scratch.articulated[base.body()]).plain();
    let subspace = base.subspace(bodies);
    let mut i_s = subspace.project_inertia(&body);
    let mut u = [0.0; 6];
    for (k, i) in base.range().enumerate().rev() {
        let node = &tree.nodes()[i];
        i_s[k][k] += node.armature;
        u[k] = tau[i] - transmit::<Q>(node, &rnea.joints, &mut rnea.forces, i);
    }
    let (acceleration, d) = solve_ltdl(i_s, u);
    let mass = tree.subtree_mass(base.body());
    for (k, i) in base.range().enumerate() {
        let locked = if k < 3 { mass } else { body.trace };
        scratch.effective_inertias[i] = EffectiveInertia {
            d: d[k],
            locked: locked + tree.nodes()[i].armature,
        };
    }
    ddq[base.range()].copy_from_slice(&acceleration);
    let [[x, y, z], [u, v, w]] = subspace.motion(&acceleration);
    scratch.added[base.body()] = [Row([x, y, z, 0.0]), Row([u, v, w, 0.0])];
}

/// Forward pass: accelerations.
#[inline(always)]
fn forward_pass<Q: Quad>(tree: &Tree, rnea: &Rnea, scratch: &mut Aba, ddq: &mut [f64]) {
    let n = tree.len();
    let (nodes, axes, ddq) = (&tree.nodes()[..n], &rnea.joints[..n], &mut ddq[..n]);
    let (joints, added) = (&scratch.joints[..n], &mut scratch.added[..n]);
    for i in tree.ordinary() {
        let (node, joint) = (&nodes[i], &joints[i]);
        let (base, linear, left) = if node.parent == ROOT {
            (Q::splat(0.0), Q::splat(0.0), joint.u)
        } else {
            let [dw, a] = &added[node.parent as usize];
            let (dw, a) = (dw.load::<Q>(), a.load::<Q>());
            let [moment, force] = &joint.i_s;
            let taken = force.load::<Q>().mul_add(a, moment.load::<Q>() * dw);
            (dw, a + dw.cross(joint.arm.load()), joint.u - taken.sum())
        };
        ddq[i] = joint.d_inverse * left;
        let own = Q::splat(ddq[i]) * axes[i].axis.load();
        let (dw, a) = match node.kind {
            Kind::Revolute => (base + own, linear),
            Kind::Prismatic => (base, linear + own),
        };
        added[i][0].store(dw);
        added[i][1].store(a);
    }
}
