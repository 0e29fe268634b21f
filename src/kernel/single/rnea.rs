//! Inverse dynamics: see [`kernel::rnea`](mod@crate::kernel::rnea).

use super::matrix::{AngularMotion, PackedPose};
use crate::kernel::forward::Frame;
use crate::kernel::tree::{BodyInertia, Kind, Node, ROOT, Tree};
use crate::math::{Quad, QuadWork, Row, Simd};

/// Scratch memory.
#[derive(Debug, Clone)]
pub(crate) struct Rnea {
    pub(super) joints: Vec<Joint>,
    motions: Vec<Motion>,
    pub(super) forces: Vec<Force>,
}

/// Axis and origin of a joint.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joint {
    /// Axis, as long as the motion at rate 1.
    pub(super) axis: Row,
    /// The origin of its body.
    pub(super) origin: Row,
}

/// Angular velocity and acceleration of a body, and linear acceleration of its origin.
#[derive(Debug, Clone, Copy)]
struct Motion {
    w: Row,
    dw: Row,
    a: Row,
}

/// A moment about the origin of a body, and a force.
#[derive(Debug, Clone, Copy)]
pub(super) struct Force {
    pub(super) moment: Row,
    pub(super) force: Row,
}

impl Rnea {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let zero = Row::ZERO;
        let joint = Joint {
            axis: zero,
            origin: zero,
        };
        let motion = Motion {
            w: zero,
            dw: zero,
            a: zero,
        };
        let force = Force {
            moment: zero,
            force: zero,
        };
        Self {
            joints: vec![joint; tree.len()],
            motions: vec![motion; tree.len()],
            forces: vec![force; tree.len()],
        }
    }

    /// Forward pass: the net wrench of each body at `dq` and `ddq`, gravity included.
    #[inline]
    pub(crate) fn forward_pass(
        &mut self,
        tree: &Tree,
        bodies: &[Frame<f64>],
        dq: &[f64],
        ddq: &[f64],
        gravity: [f64; 3],
    ) {
        Simd::chosen().run_quad(ForwardPass {
            tree,
            bodies,
            dq,
            ddq,
            gravity,
            scratch: self,
        });
    }

    /// Subtracts an external wrench, about the body's origin, from its net wrench.
    pub(crate) fn subtract_external(&mut self, body: usize, moment: [f64; 3], force: [f64; 3]) {
        let needed = &mut self.forces[body];
        for k in 0..3 {
            needed.moment.0[k] -= moment[k];
            needed.force.0[k] -= force[k];
        }
    }

    /// Backward pass: the generalised forces.
    #[inline]
    pub(crate) fn backward_pass(&mut self, tree: &Tree, ddq: &[f64], tau: &mut [f64]) {
        Simd::chosen().run_quad(BackwardPass {
            tree,
            ddq,
            scratch: self,
            tau,
        });
    }

    /// What each joint passes on to its body, about the body's origin, after [`backward_pass`](Self::backward_pass): moment, force.
    pub(crate) fn transmitted(&self) -> impl Iterator<Item = [[f64; 3]; 2]> + '_ {
        let three = |row: &Row| [row.0[0], row.0[1], row.0[2]];
        self.forces
            .iter()
            .map(move |passed| [three(&passed.moment), three(&passed.force)])
    }
}

struct ForwardPass<'a> {
    tree: &'a Tree,
    bodies: &'a [Frame<f64>],
    dq: &'a [f64],
    ddq: &'a [f64],
    gravity: [f64; 3],
    scratch: &'a mut Rnea,
}

impl QuadWork for ForwardPass<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        forward_pass::<Q>(
            self.tree,
            self.bodies,
            self.dq,
            self.ddq,
            self.gravity,
            self.scratch,
        );
    }
}

struct BackwardPass<'a> {
    tree: &'a Tree,
    ddq: &'a [f64],
    scratch: &'a mut Rnea,
    tau: &'a mut [f64],
}

impl QuadWork for BackwardPass<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        backward_pass::<Q>(self.tree, self.ddq, self.scratch, self.tau);
    }
}

#[inline(always)]
pub(super) fn forward_pass<Q: Quad>(
    tree: &Tree,
    bodies: &[Frame<f64>],
    dq: &[f64],
    ddq: &[f64],
    gravity: [f64; 3],
    scratch: &mut Rnea,
) {
    let n = tree.len();
    let (nodes, inertias) = (&tree.nodes()[..n], &tree.inertias()[..n]);
    let (bodies, dq, ddq) = (&bodies[..n], &dq[..n], &ddq[..n]);
    let (joints, motions) = (&mut scratch.joints[..n], &mut scratch.motions[..n]);
    let forces = &mut scratch.forces[..n];
    let up = gravity.map(|g| -g);
    let up_quad = Q::new([up[0], up[1], up[2], 0.0]);
    let (virtual_links, base) = (tree.virtual_links(), tree.floating());
    for i in 0..n {
        let node = &nodes[i];
        let body = PackedPose::<Q>::new(&bodies[i]);
        let axis = Q::splat(node.revolute + node.prismatic) * body.axis();
        joints[i].axis.store(axis);
        joints[i].origin.store(body.origin);
        if virtual_links.contains(&i) {
            forces[i].moment = Row::ZERO;
            forces[i].force = Row::ZERO;
            continue;
        }

        let (rate, acceleration) = (Q::splat(dq[i]) * axis, Q::splat(ddq[i]) * axis);
        let still = Q::splat(0.0);
        let is_revolute = node.kind == Kind::Revolute;
        let (w, dw, a) = match base {
            Some(base) if i == base.body() => {
                let moving = base.accelerate(bodies, dq, ddq, up);
                let [w, dw, a] = [moving.w, moving.dw, moving.a];
                (quad(w), quad(dw), quad(a))
            }
            _ if node.parent == ROOT => {
                if is_revolute {
                    (rate, acceleration, up_quad)
                } else {
                    (still, still, up_quad + acceleration)
                }
            }
            _ => {
                let parent = node.parent as usize;
                let before = &motions[parent];
                let (w, dw) = (before.w.load::<Q>(), before.dw.load::<Q>());
                let r = body.origin - joints[parent].origin.load();

                // the parent's acceleration at a distance, then the joint's
                let a = before.a.load::<Q>() + AngularMotion::new(w, dw).acceleration_at(r);
                let coriolis = w.cross(rate);
                if is_revolute {
                    (w + rate, dw + (acceleration + coriolis), a)
                } else {
                    (w, dw, a + (acceleration + (coriolis + coriolis)))
                }
            }
        };
        motions[i].w.store(w);
        motions[i].dw.store(dw);
        motions[i].a.store(a);
        let [moment, force] = net_wrench(&inertias[i], &body, w, dw, a);
        forces[i].moment.store(moment);
        forces[i].force.store(force);
    }
}

#[inline(always)]
pub(super) fn backward_pass<Q: Quad>(
    tree: &Tree,
    ddq: &[f64],
    scratch: &mut Rnea,
    tau: &mut [f64],
) {
    let n = tree.len();
    let (nodes, joints) = (&tree.nodes()[..n], &scratch.joints[..n]);
    let (forces, ddq, tau) = (&mut scratch.forces[..n], &ddq[..n], &mut tau[..n]);
    for i in (0..n).rev() {
        tau[i] = transmit::<Q>(&nodes[i], joints, forces, i) + nodes[i].armature * ddq[i];
    }
}

/// Adds the wrench of body `i` to that of its parent; returns the generalised force.
#[inline(always)]
pub(super) fn transmit<Q: Quad>(
    node: &Node,
    joints: &[Joint],
    forces: &mut [Force],
    i: usize,
) -> f64 {
    let (moment, force) = (forces[i].moment.load::<Q>(), forces[i].force.load::<Q>());
    if let Some(parent) = forces.get_mut(node.parent as usize) {
        let at = joints[node.parent as usize].origin.load();
        let r = joints[i].origin.load::<Q>() - at;
        let sum = moment + parent.moment.load();
        parent.moment.store(sum + r.cross(force));
        parent.force.store(force + parent.force.load());
    }
    let along = match node.kind {
        Kind::Revolute => moment,
        Kind::Prismatic => force,
    };
    (joints[i].axis.load::<Q>() * along).sum()
}

/// Net wrench by Newton and Euler at the centre of mass, then about the origin of the body: moment, force.
#[inline(always)]
fn net_wrench<Q: Quad>(inertia: &BodyInertia, body: &PackedPose<Q>, w: Q, dw: Q, a: Q) -> [Q; 2] {
    let c = body.rotate(&inertia.com);
    let force = Q::splat(inertia.mass) * (a + AngularMotion::new(w, dw).acceleration_at(c));

    // the moment of inertia is constant in the body's own axes
    let [xx, xy, xz] = &inertia.diagonals;
    let (xx, xy, xz) = (Q::new(*xx), Q::new(*xy), Q::new(*xz));
    let (w, dw) = (body.rotate_inverse(w), body.rotate_inverse(dw));
    let spin = xz.mul_add(w.zxy(), xy.mul_add(w.yzx(), xx * w));
    let change = xz.mul_add(dw.zxy(), xy.mul_add(dw.yzx(), xx * dw));
    let [x, y, z] = body.columns;
    let euler = change + w.cross(spin);
    let moment = euler.splat_lane::<0>().mul_add(x, c.cross(force));
    let moment = euler.splat_lane::<1>().mul_add(y, moment);
    [euler.splat_lane::<2>().mul_add(z, moment), force]
}

#[inline(always)]
fn quad<Q: Quad>([x, y, z]: [f64; 3]) -> Q {
    Q::new([x, y, z, 0.0])
}
