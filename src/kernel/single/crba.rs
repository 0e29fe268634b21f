//! The mass matrix: see [`kernel::crba`](mod@crate::kernel::crba).
//!
//! What bodies compute alone, their inertia about the centre and the momentum of what they carry, four of them compute
//! abreast. Only the sums along branches go from body to body, with the numbers of an inertia side by side. The axes of
//! the coordinates stay abreast too, so that a row of the matrix, one momentum times many axes, takes no sum across a
//! register; coordinates that are no ancestors are then masked out.

use std::marker::PhantomData;

use super::abreast::{Four, load_bodies, load3, place, store_bodies, store3};
use super::spread::{Rows, Spread, Tile};
use crate::kernel::forward::Frame;
use crate::kernel::linear::{cross_add, scale, sub};
use crate::kernel::spatial::RigidInertia;
use crate::kernel::tree::Tree;
use crate::math::{Level, Mask, Quad, Row, Scalar, Simd, Work};

/// The memory that it takes.
#[derive(Debug, Clone)]
pub(crate) struct Crba {
    // of each body, and some that fill up four: mass and its first moment, second moment
    composites: Vec<[Row; 3]>,
    // of four coordinates abreast: what each does at rate 1, angular and linear
    axes: Vec<[Row; 6]>,
    // the momentum of what it carries, moment and force
    momenta: Vec<[Row; 6]>,
    // four rows of the matrix
    tiles: Vec<Tile>,
}

impl Crba {
    /// Room for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let fours = tree.len().div_ceil(4);
        Self {
            composites: vec![[Row::ZERO; 3]; 4 * fours],
            axes: vec![[Row::ZERO; 6]; fours],
            momenta: vec![[Row::ZERO; 6]; fours],
            tiles: vec![[Row::ZERO; 4]; fours],
        }
    }

    /// Writes the symmetric n × n matrix.
    #[inline]
    pub(crate) fn mass_matrix(&mut self, tree: &Tree, bodies: &[Frame<f64>], out: &mut [f64]) {
        Simd::chosen().run(MassMatrix {
            tree,
            bodies,
            scratch: self,
            out,
        });
    }
}

struct MassMatrix<'a> {
    tree: &'a Tree,
    bodies: &'a [Frame<f64>],
    scratch: &'a mut Crba,
    out: &'a mut [f64],
}

impl Work for MassMatrix<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        mass_matrix::<L::Quad>(self.tree, self.bodies, self.scratch, self.out);
    }
}

#[inline(always)]
pub(super) fn mass_matrix<Q: Quad>(
    tree: &Tree,
    bodies: &[Frame<f64>],
    scratch: &mut Crba,
    out: &mut [f64],
) {
    let n = tree.len();
    let mut tiles = std::mem::take(&mut scratch.tiles);
    let mut spread = Spread::<Q> {
        n,
        tiles: &mut tiles,
        out: &mut out[..n * n],
        register: PhantomData,
    };
    rows::<Q>(tree, bodies, scratch, &mut spread);
    scratch.tiles = tiles;
}

/// The rows of the mass matrix.
#[inline(always)]
pub(super) fn rows<Q: Quad>(
    tree: &Tree,
    bodies: &[Frame<f64>],
    scratch: &mut Crba,
    out: &mut impl Rows,
) {
    let n = tree.len();
    let fours = n.div_ceil(4);
    let Some(centre) = bodies.get(tree.centre()) else {
        return;
    };
    let (composites, axes) = (
        &mut scratch.composites[..4 * fours],
        &mut scratch.axes[..fours],
    );
    let momenta = &mut scratch.momenta[..fours];

    // each body alone, and its axis, about the centre
    let [x, y, z] = centre.origin();
    let centre = [Four::<Q>::constant(x), Four::constant(y), Four::constant(z)];
    let four_composites = composites.as_chunks_mut::<4>().0;
    let own = four_composites.iter_mut().zip(&mut *axes);
    for (k, (frames, (composites, axes))) in bodies[..n].chunks(4).zip(own).enumerate() {
        let (rotation, origin) = place::<Q>(frames);
        let constants = &tree.constants()[k / 2];
        let [m, x, y, z, a, b, c, d, e, f, turn, slide] = constants.half::<Q>(k % 2);
        let arm = sub(origin, centre);
        let moment = [a, b, c, d, e, f];
        let body = RigidInertia::placed(m, [x, y, z], &moment, &rotation, arm);
        store_bodies(&body, composites);

        // a coordinate turns or slides, and has no length of the other kind
        let axis = [rotation[6], rotation[7], rotation[8]];
        let turning = scale(turn, axis);
        store3(turning, &mut axes[..3]);
        store3(cross_add(arm, turning, scale(slide, axis)), &mut axes[3..]);
    }

    // a body that is done becomes part of its parent
    let nodes = &tree.nodes()[..n];
    for i in (0..n).rev() {
        let part = composites[i];
        if let Some(parent) = composites.get_mut(nodes[i].parent as usize) {
            for k in 0..3 {
                let sum = &mut parent[k];
                sum.store(sum.load::<Q>() + part[k].load());
            }
        }
    }
    let carried = composites.as_chunks::<4>().0;
    for ((momenta, composites), axes) in momenta.iter_mut().zip(carried).zip(&*axes) {
        let composite = load_bodies::<Q>(composites);
        let momentum = composite.momentum([load3(&axes[..3]), load3(&axes[3..])]);
        store3(momentum.moment, &mut momenta[..3]);
        store3(momentum.force, &mut momenta[3..]);
    }

    let (lineages, axes) = (&tree.lineages()[..n], &axes[..fours]);
    for (k, momenta) in momenta.iter().enumerate().rev() {
        let tiles = out.tiles(k);
        let end = n.min(4 * k + 4);
        let four = lineages[4 * k..end].iter().zip(&nodes[4 * k..end]);
        for (row, (&lineage, node)) in four.enumerate() {
            let f = [
                Q::splat(momenta[0].0[row]),
                Q::splat(momenta[1].0[row]),
                Q::splat(momenta[2].0[row]),
                Q::splat(momenta[3].0[row]),
                Q::splat(momenta[4].0[row]),
                Q::splat(momenta[5].0[row]),
            ];
            let mut who = lineage;
            for (s, tile) in axes.iter().zip(&mut *tiles) {
                let angular = s[0].load::<Q>() * f[0];
                let linear = s[3].load::<Q>() * f[3];
                let angular = s[1].load::<Q>().mul_add(f[1], angular);
                let linear = s[4].load::<Q>().mul_add(f[4], linear);
                let angular = s[2].load::<Q>().mul_add(f[2], angular);
                let linear = s[5].load::<Q>().mul_add(f[5], linear);
                tile[row].store((angular + linear).masked(&MASKS[(who & 15) as usize]));
                who >>= 4;
            }
            if node.armature != 0.0
                && let Some(diagonal) = tiles.last_mut()
            {
                diagonal[row].0[row] += node.armature;
            }
        }
        out.done(k);
    }
}

/// The places whose bits are set.
const MASKS: [Mask; 16] = {
    let mut masks = [Mask([0; 4]); 16];
    let mut who = 0;
    while who < 16 {
        let mut k = 0;
        while k < 4 {
            if who >> k & 1 == 1 {
                masks[who].0[k] = u64::MAX;
            }
            k += 1;
        }
        who += 1;
    }
    masks
};
