//! The mass matrix: see [`kernel::crba`](mod@crate::kernel::crba).
//!
//! The axes of all coordinates are kept number by number, four coordinates in a register, so that a row of the matrix,
//! `F` times the axes, takes no sum across a register. Coordinates that are no ancestors are then masked out.

use super::matrix::{Placed, Symmetric};
use super::spread::{Tile, spread};
use crate::kernel::floating::Floating;
use crate::kernel::forward::Frame;
use crate::kernel::tree::{Kind, Tree};
use crate::math::{Level, Mask, Quad, Row, Simd, Work};

/// The memory that it takes.
#[derive(Debug, Clone)]
pub(crate) struct Crba {
    // of each body: `Symmetric`, and mass times centre with the mass in the last place
    composites: Vec<[Row; 3]>,
    // of each coordinate, and some to fill up four: angular, linear
    axes: Vec<[Row; 2]>,
    // of four coordinates each: angular x, y, z, linear x, y, z
    subspaces: Vec<[Row; 6]>,
    // the rows of the matrix up to the diagonal, and 0 beyond it
    pub(super) tiles: Vec<Tile>,
}

impl Crba {
    /// Room for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let n = tree.len();
        let blocks = n.div_ceil(4);
        Self {
            composites: vec![[Row::ZERO; 3]; n],
            axes: vec![[Row::ZERO; 2]; 4 * blocks],
            subspaces: vec![[Row::ZERO; 6]; blocks],
            tiles: vec![[Row::ZERO; 4]; blocks * blocks],
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

    /// Writes the symmetric n × n matrix of which [`Inverse`](super::Inverse) has left half here.
    #[inline]
    pub(crate) fn write(&self, tree: &Tree, out: &mut [f64]) {
        let (n, tiles) = (tree.len(), &self.tiles);
        Simd::chosen().run(Write { n, tiles, out });
    }
}

struct Write<'a> {
    n: usize,
    tiles: &'a [Tile],
    out: &'a mut [f64],
}

impl Work for Write<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        spread::<L::Quad>(self.n, self.tiles, self.out);
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
        rows::<L::Quad>(self.tree, self.bodies, self.scratch);
        spread::<L::Quad>(self.tree.len(), &self.scratch.tiles, self.out);
    }
}

/// The rows of the mass matrix.
#[inline(always)]
pub(super) fn rows<Q: Quad>(tree: &Tree, bodies: &[Frame<f64>], scratch: &mut Crba) {
    let n = tree.len();
    let nodes = &tree.nodes()[..n];
    let Some(centre) = bodies.get(tree.centre()) else {
        return;
    };
    let across = n.div_ceil(4);
    let (composites, axes) = (
        &mut scratch.composites[..n],
        &mut scratch.axes[..4 * across],
    );
    let (subspaces, tiles) = (
        &mut scratch.subspaces[..across],
        &mut scratch.tiles[..across * across],
    );

    // each body alone, and its axis, about the centre
    let centre = Placed::<Q>::new(centre).origin;
    let (mut any_armature, virtual_links) = (false, tree.virtual_links());
    let own = composites.iter_mut().zip(&mut *axes);
    let given = nodes.iter().zip(tree.inertias()).zip(bodies);
    for (i, ((composite, axis), ((node, inertia), frame))) in own.zip(given).enumerate() {
        let body = Placed::<Q>::new(frame);
        let p = body.origin - centre;
        let (angular, linear) = match node.kind {
            Kind::Revolute => {
                let w = Q::splat(node.turn) * body.axis();
                (w, p.cross(w))
            }
            Kind::Prismatic => (Q::splat(0.0), Q::splat(node.slide) * body.axis()),
        };
        axis[0].store(angular);
        axis[1].store(linear);
        any_armature |= node.armature != 0.0;
        if virtual_links.contains(&i) {
            continue;
        }
        let c = body.turn(&inertia.com) + p;
        let first = Q::splat(inertia.mass) * c;
        let second = body.turn_symmetric(&inertia.moment).moved(first, c);
        let mass = Q::new([0.0, 0.0, 0.0, inertia.mass]);
        composite[0].store(second.diagonal);
        composite[1].store(second.off);
        composite[2].store(first + mass);
    }
    for (subspace, [a, b, c, d]) in subspaces.iter_mut().zip(axes.as_chunks().0) {
        let angular = Q::transposed([a[0].load(), b[0].load(), c[0].load(), d[0].load()]);
        let linear = Q::transposed([a[1].load(), b[1].load(), c[1].load(), d[1].load()]);
        for k in 0..3 {
            subspace[k].store(angular[k]);
            subspace[3 + k].store(linear[k]);
        }
    }

    let base = tree.floating().map_or(0..0, Floating::range);
    for i in (base.end..n).rev() {
        let composite = composites[i];
        row::<Q>(&composite, &axes[i], tree.lineage(i), subspaces, i, tiles);
        gather::<Q>(&composite, composites.get_mut(nodes[i].parent as usize));
    }
    if let Some(base) = tree.floating() {
        // its six links move the same body
        let composite = composites[base.body()];
        for i in base.range() {
            row::<Q>(&composite, &axes[i], tree.lineage(i), subspaces, i, tiles);
        }
    }
    for i in (0..base.start).rev() {
        let composite = composites[i];
        row::<Q>(&composite, &axes[i], tree.lineage(i), subspaces, i, tiles);
        gather::<Q>(&composite, composites.get_mut(nodes[i].parent as usize));
    }
    if any_armature {
        for (i, node) in nodes.iter().enumerate() {
            tiles[i / 4 * across + i / 4][i % 4].0[i % 4] += node.armature;
        }
    }
}

/// Row `i` of the matrix: what the coordinates of the lineage meet of the momentum of `composite` along the axis.
#[inline(always)]
fn row<Q: Quad>(
    composite: &[Row; 3],
    axis: &[Row; 2],
    lineage: u128,
    subspaces: &[[Row; 6]],
    i: usize,
    tiles: &mut [Tile],
) {
    let second = Symmetric {
        diagonal: composite[0].load::<Q>(),
        off: composite[1].load(),
    };
    let first = composite[2].load::<Q>();
    let (w, v) = (axis[0].load::<Q>(), axis[1].load::<Q>());
    let moment = second.turn(w) + first.cross(v);
    let force = first.spread::<3>().mul_add(v, w.cross(first));
    let f = [
        moment.spread::<0>(),
        moment.spread::<1>(),
        moment.spread::<2>(),
        force.spread::<0>(),
        force.spread::<1>(),
        force.spread::<2>(),
    ];
    let here = &mut tiles[i / 4 * subspaces.len()..][..=i / 4];
    let mut who = lineage;
    for (s, tile) in subspaces.iter().zip(here) {
        let angular = s[0].load::<Q>() * f[0];
        let linear = s[3].load::<Q>() * f[3];
        let angular = s[1].load::<Q>().mul_add(f[1], angular);
        let linear = s[4].load::<Q>().mul_add(f[4], linear);
        let angular = s[2].load::<Q>().mul_add(f[2], angular);
        let linear = s[5].load::<Q>().mul_add(f[5], linear);
        tile[i % 4].store((angular + linear).masked(&MASKS[(who & 15) as usize]));
        who >>= 4;
    }
}

/// A body that is done becomes part of its parent.
#[inline(always)]
fn gather<Q: Quad>(part: &[Row; 3], parent: Option<&mut [Row; 3]>) {
    if let Some(sum) = parent {
        for k in 0..3 {
            sum[k].store(sum[k].load::<Q>() + part[k].load());
        }
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
