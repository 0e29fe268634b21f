//! Forward kinematics: see [`kernel::forward`](crate::kernel::forward()).

use crate::kernel::forward::{Frame, Frames};
use crate::kernel::tree::{Kind, Node, ROOT, Tree};
use crate::math::{Mask, Quad, QuadWork, Simd, sin_cos};

/// Computes the poses of all bodies in the configuration `q`.
///
/// # Panics
///
/// If `q` or `out` belong to a tree of another size.
#[inline]
pub(crate) fn forward(tree: &Tree, q: &[f64], out: &mut Frames<f64>) {
    Simd::chosen().run_quad_wide(Forward { tree, q, out });
}

/// Computes the poses of some bodies in the configuration `q`, in this order; the others are not changed.
///
/// A body's parent comes before it, or has its pose already. Faster where few of many bodies move, such as one arm of a
/// humanoid.
///
/// # Panics
///
/// If a body, `q` or `out` belong to a tree of another size.
#[inline]
pub(crate) fn forward_some(tree: &Tree, some: &[usize], q: &[f64], out: &mut Frames<f64>) {
    Simd::chosen().run_quad_wide(ForwardSome { tree, some, q, out });
}

struct ForwardSome<'a> {
    tree: &'a Tree,
    some: &'a [usize],
    q: &'a [f64],
    out: &'a mut Frames<f64>,
}

impl QuadWork for ForwardSome<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        kinematics_some::<Q>(self.tree, self.some, self.q, self.out);
    }
}

struct Forward<'a> {
    tree: &'a Tree,
    q: &'a [f64],
    out: &'a mut Frames<f64>,
}

impl QuadWork for Forward<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        kinematics::<Q>(self.tree, self.q, self.out);
    }
}

#[inline(always)]
pub(super) fn kinematics<Q: Quad>(tree: &Tree, q: &[f64], out: &mut Frames<f64>) {
    let nodes = tree.nodes();
    let n = nodes.len();
    let (bodies, q) = (&mut out.bodies[..n], &q[..n]);
    let angles = &mut out.sines[..n];
    for i in 0..n {
        angles[i] = nodes[i].revolute * q[i];
    }
    sines_of::<Q>(&mut out.sines, &mut out.cosines);
    let (sines, cosines) = (&out.sines[..n], &out.cosines[..n]);

    // the frame before this one stays in registers: it is most often the parent
    let (mut last, mut parent_frame) = (n, [Q::splat(0.0); 3]);
    if let Some(base) = tree.floating() {
        base.forward(&nodes[base.first()], q, sines, cosines, bodies);
        (last, parent_frame) = (base.body(), rows(&bodies[base.body()].0));
    }
    compose(
        nodes,
        tree.ordinary().map(|i| (i, i)),
        q,
        sines,
        cosines,
        bodies,
        (last, parent_frame),
    );
}

/// The same for some of the bodies, whose sines and cosines are packed at the front.
#[inline(always)]
fn kinematics_some<Q: Quad>(tree: &Tree, some: &[usize], q: &[f64], out: &mut Frames<f64>) {
    let nodes = tree.nodes();
    let n = nodes.len();
    let (bodies, q) = (&mut out.bodies[..n], &q[..n]);
    let padded = some.len().next_multiple_of(PADDING).min(out.sines.len());
    let (sines, cosines) = (&mut out.sines[..padded], &mut out.cosines[..padded]);
    sines.fill(0.0);
    for (angle, &i) in sines.iter_mut().zip(some) {
        *angle = nodes[i].revolute * q[i];
    }
    sines_of::<Q>(sines, cosines);
    let nowhere = (n, [Q::splat(0.0); 3]);
    compose(
        nodes,
        some.iter().copied().enumerate(),
        q,
        sines,
        cosines,
        bodies,
        nowhere,
    );
}

/// Replaces angles by their sines, and writes their cosines.
#[inline(always)]
fn sines_of<Q: Quad>(angles: &mut [f64], cosines: &mut [f64]) {
    if Q::FUSED {
        sin_cos::<true>(angles, cosines);
    } else {
        sin_cos::<false>(angles, cosines);
    }
}

/// Composes the poses of bodies with those of their parents; `some` holds the index of the sine and that of the body.
#[inline(always)]
fn compose<Q: Quad>(
    nodes: &[Node],
    some: impl Iterator<Item = (usize, usize)>,
    q: &[f64],
    sines: &[f64],
    cosines: &[f64],
    bodies: &mut [Frame<f64>],
    (mut last, mut parent_frame): (usize, [Q; 3]),
) {
    let signs = Q::new([1.0, -1.0, 0.0, 0.0]);
    let ones = Q::new([0.0, 0.0, 1.0, 1.0]);
    for (k, i) in some {
        let node = &nodes[i];
        let mut local = rows::<Q>(&node.placement);
        match node.kind {
            Kind::Revolute => {
                // a row [x y z t] becomes [c x + s y, c y − s x, z, t]
                let sine = Q::splat(sines[k]) * signs;
                let cosine = Q::splat(cosines[k]).mul_add(signs * signs, ones);
                for row in &mut local {
                    *row = sine.mul_add(row.swapped(), cosine * *row);
                }
            }
            Kind::Prismatic => {
                let moved = Q::new([0.0, 0.0, 0.0, node.prismatic * q[i]]);
                for row in &mut local {
                    *row = moved.mul_add(row.splat_lane::<2>(), *row);
                }
            }
        }
        if node.parent != ROOT {
            let parent = node.parent as usize;
            if parent != last {
                parent_frame = rows(&bodies[parent].0);
            }
            let [x, y, z] = local;
            for c in 0..3 {
                let row = parent_frame[c];
                // two short sums: the next link waits for this
                let sum = row.splat_lane::<2>().mul_add(z, row.masked(&ORIGIN));
                let other = row.splat_lane::<1>() * y;
                local[c] = row.splat_lane::<0>().mul_add(x, other) + sum;
            }
        }
        (last, parent_frame) = (i, local);
        bodies[i].0 = [local[0].values(), local[1].values(), local[2].values()];
    }
}

#[inline(always)]
fn rows<Q: Quad>([x, y, z]: &[[f64; 4]; 3]) -> [Q; 3] {
    [Q::new(*x), Q::new(*y), Q::new(*z)]
}

/// Number of angles that the sine takes at once.
const PADDING: usize = 4;

/// Mask of the origin in a row of a frame.
const ORIGIN: Mask = Mask([0, 0, 0, u64::MAX]);
