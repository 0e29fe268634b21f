//! The floating base: six virtual links at a root, taken as one joint of six coordinates.
//!
//! A floating body is described as a chain of prismatic joints along x, y, z and revolute joints about z, y, x. Taken
//! link by link, five massless bodies would each cost as much as one with mass. But prismatic joints along fixed axes
//! only move the origin, and the three revolute joints share it, so that the body has a joint with a subspace of six
//! columns, in world axes and about its own origin:
//!
//! ```text
//!     S = [ 0  Z ]    E: the three prismatic axes, which are constant
//!         [ E  0 ]    Z: the three revolute axes, each of which rotates the next
//! ```
//!
//! The coordinates stay those of the six links, and so does every number. Where they are singular (pitch ±π/2, Z without
//! an inverse) the effective inertia of the first rotation vanishes, as it would link by link.

use std::ops::Range;

use super::aba::Articulated;
use super::forward::Frame;
use super::rnea::Accelerating;
use super::spatial::Wrench;
use super::tree::{Body, Kind, Node};
use crate::math::Scalar;
use crate::math::linear::{add, cross, dot, scale, scale_add, sub};

/// Indices of the six links, which are consecutive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Floating {
    first: usize,
}

impl Floating {
    /// The first such base among bodies whose parents come first; others are taken link by link.
    pub(super) fn find(bodies: &[Body]) -> Option<Self> {
        let mut bases =
            (0..(bodies.len() + 1).saturating_sub(LINKS.len())).map(|first| Self { first });
        bases.find(|&base| base.is_in(bodies))
    }

    /// Whether the bodies have this base.
    fn is_in(self, bodies: &[Body]) -> bool {
        let chain = &bodies[self.range()];
        let is_standard = chain.iter().enumerate().all(|(i, body)| {
            let parent = (i > 0).then(|| self.first + i - 1);
            (body.kind, body.axis) == LINKS[i]
                && body.parent == parent
                && (i == 0 || (body.rotation, body.translation) == SAME_PLACE)
        });
        let has_mass = |body: &Body| body.mass != 0.0 || body.moment.iter().any(|&x| x != 0.0);
        let is_virtual = |parent| self.virtual_links().contains(&parent);
        is_standard
            && !bodies[self.virtual_links()].iter().any(has_mass)
            && !bodies[self.range().end..]
                .iter()
                .any(|body| body.parent.is_some_and(is_virtual))
    }

    /// The first of the six links.
    #[inline(always)]
    pub(super) fn first(self) -> usize {
        self.first
    }

    /// Number of links: six.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        LINKS.len()
    }

    /// The floating body: the last of the six links.
    #[inline(always)]
    pub(super) fn body(self) -> usize {
        self.first + LINKS.len() - 1
    }

    /// All six.
    #[inline(always)]
    pub(super) fn range(self) -> Range<usize> {
        self.first..self.first + LINKS.len()
    }

    /// The five massless links, whose only child is the next.
    #[inline(always)]
    pub(super) fn virtual_links(self) -> Range<usize> {
        self.first..self.body()
    }

    /// Forward kinematics of the six links. `node` is that of the first.
    ///
    /// The axes x, y, z follow each other cyclically, and z, y, x in the other direction: the frame of the next link, with
    /// its axis along z, has the axes of the previous one, permuted.
    #[inline(always)]
    pub(super) fn forward<T: Scalar>(
        self,
        node: &Node,
        q: &[T],
        sines: &[T],
        cosines: &[T],
        bodies: &mut [Frame<T>],
    ) {
        let i = self.first;
        let x = Frame::constant(&node.placement).translated_z(q[i]);
        let y = x.axes_cycled().translated_z(q[i + 1]);
        let z = y.axes_cycled().translated_z(q[i + 2]);
        let yaw = z.rotated_z(sines[i + 3], cosines[i + 3]);
        let pitch = yaw
            .axes_cycled()
            .axes_cycled()
            .rotated_z(sines[i + 4], cosines[i + 4]);
        let roll = pitch
            .axes_cycled()
            .axes_cycled()
            .rotated_z(sines[i + 5], cosines[i + 5]);
        bodies[self.range()].copy_from_slice(&[x, y, z, yaw, pitch, roll]);
    }

    /// The columns of `S`.
    #[inline(always)]
    pub(super) fn subspace<T: Scalar>(self, bodies: &[Frame<T>]) -> Subspace<T> {
        let i = self.first;
        Subspace {
            prismatic: [bodies[i].axis(), bodies[i + 1].axis(), bodies[i + 2].axis()],
            revolute: [
                bodies[i + 3].axis(),
                bodies[i + 4].axis(),
                bodies[i + 5].axis(),
            ],
        }
    }

    /// Velocity and acceleration `S q̈ + Ṡ q̇` of the body, where the world accelerates with `up`.
    #[inline(always)]
    pub(super) fn accelerate<T: Scalar>(
        self,
        bodies: &[Frame<T>],
        dq: &[T],
        ddq: &[T],
        up: [T; 3],
    ) -> Accelerating<T> {
        let i = self.first;
        let Subspace {
            prismatic: [x, y, z],
            revolute: [yaw, pitch, roll],
        } = self.subspace(bodies);
        let a = scale_add(
            ddq[i],
            x,
            scale_add(ddq[i + 1], y, scale_add(ddq[i + 2], z, up)),
        );

        // each rotation moves the axes of those after it
        let w = scale(dq[i + 3], yaw);
        let dw = scale(ddq[i + 3], yaw);
        let rate = scale(dq[i + 4], pitch);
        let dw = add(scale_add(ddq[i + 4], pitch, dw), cross(w, rate));
        let w = add(w, rate);
        let rate = scale(dq[i + 5], roll);
        let dw = add(scale_add(ddq[i + 5], roll, dw), cross(w, rate));
        let w = add(w, rate);
        Accelerating { w, dw, a }
    }

    /// Generalised forces `Sᵀ f` of the six links, external wrenches on the virtual links included. Afterwards `forces`
    /// holds the wrench that each joint transmits.
    #[inline(always)]
    pub(super) fn transmit<T: Scalar>(
        self,
        bodies: &[Frame<T>],
        forces: &mut [Wrench<T>],
    ) -> [T; 6] {
        let i = self.first;
        let Subspace {
            prismatic: [x, y, z],
            revolute: [yaw, pitch, roll],
        } = self.subspace(bodies);

        // from `z` outwards all have one origin
        let at_roll = forces[i + 5];
        let at_pitch = at_roll.add(&forces[i + 4]);
        let at_yaw = at_pitch.add(&forces[i + 3]);
        let at_z = at_yaw.add(&forces[i + 2]);
        let r = sub(bodies[i + 2].origin(), bodies[i + 1].origin());
        let at_y = at_z.shifted(r).add(&forces[i + 1]);
        let r = sub(bodies[i + 1].origin(), bodies[i].origin());
        let at_x = at_y.shifted(r).add(&forces[i]);
        forces[self.range()].copy_from_slice(&[at_x, at_y, at_z, at_yaw, at_pitch, at_roll]);
        [
            dot(x, at_x.force),
            dot(y, at_y.force),
            dot(z, at_z.force),
            dot(yaw, at_yaw.moment),
            dot(pitch, at_pitch.moment),
            dot(roll, at_roll.moment),
        ]
    }
}

/// The directions of the six coordinates in the world, each of length 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subspace<T> {
    prismatic: [[T; 3]; 3],
    revolute: [[T; 3]; 3],
}

impl<T: Scalar> Subspace<T> {
    /// `S q̈`: angular, linear.
    #[inline(always)]
    pub(super) fn motion(&self, ddq: &[T; 6]) -> [[T; 3]; 2] {
        let [x, y, z] = self.prismatic;
        let [yaw, pitch, roll] = self.revolute;
        [
            scale_add(ddq[3], yaw, scale_add(ddq[4], pitch, scale(ddq[5], roll))),
            scale_add(ddq[0], x, scale_add(ddq[1], y, scale(ddq[2], z))),
        ]
    }

    /// `Sᵀ f` of a wrench about the origin of the body.
    #[inline(always)]
    pub(super) fn project(&self, f: &Wrench<T>) -> [T; 6] {
        let [x, y, z] = self.prismatic;
        let [yaw, pitch, roll] = self.revolute;
        [
            dot(x, f.force),
            dot(y, f.force),
            dot(z, f.force),
            dot(yaw, f.moment),
            dot(pitch, f.moment),
            dot(roll, f.moment),
        ]
    }

    /// `Sᵀ I S`: the inertia of the six coordinates, a symmetric matrix.
    #[inline(always)]
    pub(super) fn project_inertia(&self, inertia: &Articulated<T>) -> [[T; 6]; 6] {
        let [x, y, z] = self.prismatic;
        let [yaw, pitch, roll] = self.revolute;
        [
            self.project(&inertia.times_prismatic(x)),
            self.project(&inertia.times_prismatic(y)),
            self.project(&inertia.times_prismatic(z)),
            self.project(&inertia.times_revolute(yaw)),
            self.project(&inertia.times_revolute(pitch)),
            self.project(&inertia.times_revolute(roll)),
        ]
    }
}

/// Accelerations `h⁻¹ τ` of the six coordinates, and the effective inertia of each with those after it free.
///
/// `h = Lᵀ D L` from the last to the first, as in [`factorize`](super::factorize), and as articulated bodies do.
#[inline(always)]
pub(super) fn solve_ltdl<T: Scalar>(mut h: [[T; 6]; 6], tau: [T; 6]) -> ([T; 6], [T; 6]) {
    let (mut x, mut d) = (tau, [T::constant(0.0); 6]);
    for k in (0..6).rev() {
        d[k] = h[k][k];
        let d_inverse = d[k].recip();
        for i in 0..k {
            let factor = h[k][i] * d_inverse;
            for j in 0..=i {
                h[i][j] = h[i][j] - factor * h[k][j];
            }
            x[i] = x[i] - factor * x[k];
        }

        // the row becomes L, and x is divided by D
        for i in 0..k {
            h[k][i] = h[k][i] * d_inverse;
        }
        x[k] = x[k] * d_inverse;
    }
    for k in 0..6 {
        for j in 0..k {
            x[k] = x[k] - h[k][j] * x[j];
        }
    }
    (x, d)
}

/// Joint type and axis of each link, in its own frame.
const LINKS: [(Kind, [f64; 3]); 6] = [
    (Kind::Prismatic, X),
    (Kind::Prismatic, Y),
    (Kind::Prismatic, Z),
    (Kind::Revolute, Z),
    (Kind::Revolute, Y),
    (Kind::Revolute, X),
];
const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// The frame of a link in the one before.
const SAME_PLACE: ([f64; 9], [f64; 3]) = ([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0.0; 3]);
