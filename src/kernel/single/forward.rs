//! Forward kinematics: see [`kernel::forward`](crate::kernel::forward()).

use crate::kernel::forward::Frames;
use crate::kernel::tree::{Kind, ROOT, Tree};
use crate::math::{Level, Mask, Quad, Simd, Work, sin_cos};

/// Puts every body where the configuration `q` has it.
///
/// # Panics
///
/// If `q` or `out` belong to a tree of another size.
#[inline]
pub(crate) fn forward(tree: &Tree, q: &[f64], out: &mut Frames<f64>) {
    Simd::chosen().run(Forward { tree, q, out });
}

struct Forward<'a> {
    tree: &'a Tree,
    q: &'a [f64],
    out: &'a mut Frames<f64>,
}

impl Work for Forward<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        place::<L::Quad>(self.tree, self.q, self.out);
    }
}

#[inline(always)]
pub(super) fn place<Q: Quad>(tree: &Tree, q: &[f64], out: &mut Frames<f64>) {
    let nodes = tree.nodes();
    let n = nodes.len();
    let (bodies, q) = (&mut out.bodies[..n], &q[..n]);
    for (angle, (node, q)) in out.sines.iter_mut().zip(nodes.iter().zip(q)) {
        *angle = node.turn * q;
    }
    sin_cos(&mut out.sines, &mut out.cosines);
    let (sines, cosines) = (&out.sines[..n], &out.cosines[..n]);

    // the frame before this one stays in registers: it is most often the parent
    let (mut last, mut carrier) = (n, [Q::splat(0.0); 3]);
    if let Some(base) = tree.floating() {
        base.place(&nodes[base.first()], q, sines, cosines, bodies);
        (last, carrier) = (base.body(), rows(&bodies[base.body()].0));
    }
    let signs = Q::new([1.0, -1.0, 0.0, 0.0]);
    let ones = Q::new([0.0, 0.0, 1.0, 1.0]);
    for i in tree.ordinary() {
        let node = &nodes[i];
        let mut local = rows::<Q>(&node.placement);
        match node.kind {
            Kind::Revolute => {
                // a row [x y z t] turns to [c x + s y, c y − s x, z, t]
                let sine = Q::splat(sines[i]) * signs;
                let cosine = Q::splat(cosines[i]).mul_add(signs * signs, ones);
                for row in &mut local {
                    *row = sine.mul_add(row.swapped(), cosine * *row);
                }
            }
            Kind::Prismatic => {
                let moved = Q::new([0.0, 0.0, 0.0, node.slide * q[i]]);
                for row in &mut local {
                    *row = moved.mul_add(row.spread::<2>(), *row);
                }
            }
        }
        if node.parent != ROOT {
            let parent = node.parent as usize;
            if parent != last {
                carrier = rows(&bodies[parent].0);
            }
            let [x, y, z] = local;
            for k in 0..3 {
                let row = carrier[k];
                let sum = row.spread::<2>().mul_add(z, row.masked(&ORIGIN));
                let sum = row.spread::<1>().mul_add(y, sum);
                local[k] = row.spread::<0>().mul_add(x, sum);
            }
        }
        (last, carrier) = (i, local);
        bodies[i].0 = [local[0].values(), local[1].values(), local[2].values()];
    }
}

#[inline(always)]
fn rows<Q: Quad>([x, y, z]: &[[f64; 4]; 3]) -> [Q; 3] {
    [Q::new(*x), Q::new(*y), Q::new(*z)]
}

/// Of a row of a frame, what is not rotation.
const ORIGIN: Mask = Mask([0, 0, 0, u64::MAX]);
