//! The terms of articulated bodies that a product with the inverse of the mass matrix needs: see
//! [`columns`](mod@crate::kernel::columns).

use super::articulated::{Articulated, Stored};
use super::matrix::PackedPose;
use crate::kernel::columns::Joint;
use crate::kernel::floating::Floating;
use crate::kernel::forward::Frame;
use crate::kernel::tree::{Kind, ROOT, Tree};
use crate::math::{Quad, QuadWork, Row, Simd};

/// Scratch memory and result.
#[derive(Debug, Clone)]
pub(crate) struct Joints {
    articulated: Vec<Stored>,
    /// Of each coordinate.
    joints: Vec<Joint>,
}

impl Joints {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        Self {
            articulated: vec![[Row::ZERO; 9]; tree.len()],
            joints: vec![Joint::ZERO; tree.len()],
        }
    }

    /// Computes the terms of each coordinate, in world axes and about the origin of the body at the centre.
    #[inline]
    pub(crate) fn update(&mut self, simd: Simd, tree: &Tree, bodies: &[Frame<f64>]) {
        let scratch = self;
        simd.run_quad(Update {
            tree,
            bodies,
            scratch,
        });
    }

    /// The terms of each coordinate, after [`update`](Self::update).
    #[inline(always)]
    pub(crate) fn terms(&self) -> &[Joint] {
        &self.joints
    }

    /// Effective inertia of each coordinate, with all beyond it free, and locked.
    pub(crate) fn effective_inertias(
        &self,
        tree: &Tree,
    ) -> impl DoubleEndedIterator<Item = (f64, f64)> + ExactSizeIterator {
        self.joints[..tree.len()]
            .iter()
            .map(|joint| (joint.d, joint.locked))
    }
}

struct Update<'a> {
    tree: &'a Tree,
    bodies: &'a [Frame<f64>],
    scratch: &'a mut Joints,
}

impl QuadWork for Update<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        update::<Q>(self.tree, self.bodies, self.scratch);
    }
}

#[inline(always)]
pub(super) fn update<Q: Quad>(tree: &Tree, bodies: &[Frame<f64>], scratch: &mut Joints) {
    let n = tree.len();
    let (nodes, inertias, bodies) = (&tree.nodes()[..n], &tree.inertias()[..n], &bodies[..n]);
    let (articulated, joints) = (&mut scratch.articulated[..n], &mut scratch.joints[..n]);
    let Some(centre) = bodies.get(tree.centre()) else {
        return;
    };
    let p_w = PackedPose::<Q>::new(centre).origin;
    for i in 0..n {
        let pose = PackedPose::new(&bodies[i]);
        Articulated::<Q>::rigid(&inertias[i], &pose).store(&mut articulated[i]);
    }
    for i in tree.ordinary().rev() {
        let (node, pose) = (&nodes[i], PackedPose::<Q>::new(&bodies[i]));
        let body = Articulated::<Q>::load(&articulated[i]);
        let length = node.revolute + node.prismatic;
        let mass = tree.subtree_mass(i);
        let motion = Motion::of(node.kind, length, pose.axis(), &body, mass);
        let joint = motion.joint(pose.origin - p_w, node.armature);
        joints[i] = joint;
        if node.parent != ROOT {
            let parent = node.parent as usize;
            let r = pose.origin - PackedPose::<Q>::new(&bodies[parent]).origin;
            let [moment, force] = motion.i_s;
            let rest = body
                .shifted(r, Q::splat(mass))
                .add(&Articulated::load(&articulated[parent]))
                .without([moment + r.cross(force), force], Q::splat(joint.d_inverse));
            rest.store(&mut articulated[parent]);
        }
    }
    if let Some(base) = tree.floating() {
        let mut body = Articulated::<Q>::load(&articulated[base.body()]);
        let mass = tree.subtree_mass(base.body());
        let arm = PackedPose::<Q>::new(&bodies[base.body()]).origin - p_w;
        // the six share their origin, as far as it matters: a translation is the same everywhere
        for i in Floating::range(base).rev() {
            let (node, axis) = (&nodes[i], PackedPose::<Q>::new(&bodies[i]).axis());
            let motion = Motion::of(node.kind, 1.0, axis, &body, mass);
            let joint = motion.joint(arm, node.armature);
            joints[i] = joint;
            body = body.without(motion.i_s, Q::splat(joint.d_inverse));
        }
    }
}

/// A coordinate and what it moves, about its own origin.
struct Motion<Q> {
    kind: Kind,
    s: Q,
    /// `U`: moment, force.
    i_s: [Q; 2],
    locked: f64,
}

impl<Q: Quad> Motion<Q> {
    #[inline(always)]
    fn of(kind: Kind, length: f64, axis: Q, body: &Articulated<Q>, mass: f64) -> Self {
        let s = Q::splat(length) * axis;
        let (i_s, locked) = match kind {
            Kind::Revolute => (body.times_revolute(s), body.trace.sum()),
            Kind::Prismatic => (body.times_prismatic(s), mass),
        };
        Self {
            kind,
            s,
            i_s,
            locked: length * length * locked,
        }
    }

    /// The terms about a point; `arm` leads from there to the origin.
    #[inline(always)]
    fn joint(&self, arm: Q, armature: f64) -> Joint {
        let [moment, force] = self.i_s;
        let zero = Q::splat(0.0);
        let (angular, linear, along) = match self.kind {
            Kind::Revolute => (self.s, arm.cross(self.s), moment),
            Kind::Prismatic => (zero, self.s, force),
        };
        let d = (self.s * along).sum() + armature;
        let mut joint = Joint {
            d,
            d_inverse: 1.0 / d,
            locked: self.locked + armature,
            ..Joint::ZERO
        };
        joint.s.0[..4].copy_from_slice(&angular.values());
        joint.s.0[3..6].copy_from_slice(&linear.values()[..3]);
        joint.u.0[..4].copy_from_slice(&(moment + arm.cross(force)).values());
        joint.u.0[3..6].copy_from_slice(&force.values()[..3]);
        joint
    }
}
