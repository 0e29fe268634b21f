//! The mass matrix: see [`kernel::crba`](mod@crate::kernel::crba).
//!
//! Terms of each body alone, its inertia about the reference point and the momentum of its subtree, are computed for four
//! bodies packed. Only the sums along branches go from body to body, with the numbers of an inertia side by side. The axes
//! of the coordinates stay packed too, so that a row of the matrix, one momentum times many axes, takes no sum across a
//! register; coordinates that are no ancestors are then masked out, and tiles of four by four without an ancestor are
//! skipped.

use super::packed::{Pack4, load_bodies, load_frames, load3, store_bodies, store3};
use super::tiles::{LowerTiles, MirrorTiles, Tiles};
use crate::kernel::forward::Frame;
use crate::kernel::joint_armature::add_ball_masses;
use crate::kernel::spatial::RigidInertia;
use crate::kernel::tree::Tree;
use crate::math::linear::{cross_add, scale, sub};
use crate::math::{Mask, Quad, QuadWork, Row, Scalar, Simd};

/// Scratch memory.
#[derive(Debug, Clone)]
pub(crate) struct Crba {
    // of each body and padding: mass and its first moment, second moment
    composites: Vec<[Row; 3]>,
    // of four coordinates packed: motion at rate 1, angular and linear
    axes: Vec<[Row; 6]>,
    // the momentum of its subtree, moment and force
    momenta: Vec<[Row; 6]>,
}

impl Crba {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let n_packs = tree.len().div_ceil(4);
        Self {
            composites: vec![[Row::ZERO; 3]; 4 * n_packs],
            axes: vec![[Row::ZERO; 6]; n_packs],
            momenta: vec![[Row::ZERO; 6]; n_packs],
        }
    }

    /// Writes the symmetric n × n matrix.
    #[inline]
    pub(crate) fn mass_matrix(&mut self, tree: &Tree, bodies: &[Frame<f64>], out: &mut [f64]) {
        Simd::chosen().run_quad_wide(MassMatrix {
            tree,
            bodies,
            scratch: self,
            out,
        });
        add_ball_masses(tree, bodies, out);
    }

    /// Writes the lower half of the matrix, column after column; the other half is unspecified.
    #[inline]
    pub(crate) fn lower_half(&mut self, tree: &Tree, bodies: &[Frame<f64>], out: &mut [f64]) {
        Simd::chosen().run_quad_wide(LowerHalf(MassMatrix {
            tree,
            bodies,
            scratch: self,
            out,
        }));
        add_ball_masses(tree, bodies, out);
    }
}

struct LowerHalf<'a>(MassMatrix<'a>);

impl QuadWork for LowerHalf<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let MassMatrix {
            tree,
            bodies,
            scratch,
            out,
        } = self.0;
        let out = &mut LowerTiles::new(tree.len(), out);
        tiles::<Q>(tree, bodies, scratch, out);
    }
}

struct MassMatrix<'a> {
    tree: &'a Tree,
    bodies: &'a [Frame<f64>],
    scratch: &'a mut Crba,
    out: &'a mut [f64],
}

impl QuadWork for MassMatrix<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        mass_matrix::<Q>(self.tree, self.bodies, self.scratch, self.out);
    }
}

#[inline(always)]
pub(super) fn mass_matrix<Q: Quad>(
    tree: &Tree,
    bodies: &[Frame<f64>],
    scratch: &mut Crba,
    out: &mut [f64],
) {
    tiles::<Q>(
        tree,
        bodies,
        scratch,
        &mut MirrorTiles::new(tree.len(), out),
    );
}

/// The tiles of the mass matrix.
#[inline(always)]
pub(super) fn tiles<Q: Quad>(
    tree: &Tree,
    bodies: &[Frame<f64>],
    scratch: &mut Crba,
    out: &mut impl Tiles<Q>,
) {
    let n = tree.len();
    let n_packs = n.div_ceil(4);
    let Some(centre) = bodies.get(tree.centre()) else {
        return;
    };
    let (composites, axes) = (
        &mut scratch.composites[..4 * n_packs],
        &mut scratch.axes[..n_packs],
    );
    let momenta = &mut scratch.momenta[..n_packs];

    // each body alone, and its axis, about the centre
    let [x, y, z] = centre.origin();
    let centre = [
        Pack4::<Q>::constant(x),
        Pack4::constant(y),
        Pack4::constant(z),
    ];
    let four_composites = composites.as_chunks_mut::<4>().0;
    for k in 0..n_packs {
        let (composites, axes) = (&mut four_composites[k], &mut axes[k]);
        let frames = &bodies[4 * k..n.min(4 * k + 4)];
        let (rotation, origin) = load_frames::<Q>(frames);
        let constants = &tree.constants()[k / 2];
        let [m, x, y, z, a, b, c, d, e, f, revolute, prismatic] = constants.half::<Q>(k % 2);
        let arm = sub(origin, centre);
        let moment = [a, b, c, d, e, f];
        let body = RigidInertia::at_pose(m, [x, y, z], &moment, &rotation, arm);
        store_bodies(&body, composites);

        // a coordinate is revolute or prismatic, and its length of the other kind is 0
        let axis = [rotation[6], rotation[7], rotation[8]];
        let angular = scale(revolute, axis);
        store3(angular, &mut axes[..3]);
        store3(
            cross_add(arm, angular, scale(prismatic, axis)),
            &mut axes[3..],
        );
    }

    // a composite body is added to its parent; the sum for the previous body stays in registers
    let nodes = &tree.nodes()[..n];
    let mut running = [Q::splat(0.0); 3];
    for i in (0..n).rev() {
        for k in 0..3 {
            running[k] = running[k] + composites[i][k].load();
            composites[i][k].store(running[k]);
        }
        let parent = nodes[i].parent as usize;
        if parent + 1 == i {
            continue;
        }
        if let Some(parent) = composites.get_mut(parent) {
            for k in 0..3 {
                let sum = &mut parent[k];
                sum.store(sum.load::<Q>() + running[k]);
            }
        }
        running = [Q::splat(0.0); 3];
    }
    let subtrees = composites.as_chunks::<4>().0;
    for k in 0..n_packs {
        let (momenta, axes) = (&mut momenta[k], &axes[k]);
        let composite = load_bodies::<Q>(&subtrees[k]);
        let momentum = composite.momentum([load3(&axes[..3]), load3(&axes[3..])]);
        store3(momentum.moment, &mut momenta[..3]);
        store3(momentum.force, &mut momenta[3..]);
    }

    for (k, momenta) in momenta.iter().enumerate().rev() {
        let (mask, own_mask) = tree.ancestor_tiles(k);
        let momenta = [
            splat_momentum(momenta, 0),
            splat_momentum(momenta, 1),
            splat_momentum(momenta, 2),
            splat_momentum(momenta, 3),
        ];
        let mut diagonal = tile::<Q>(&momenta, &axes[k], own_mask);
        let armatures = &tree.armatures()[k];
        for r in 0..4 {
            diagonal[r] = diagonal[r] + Q::new(armatures[r]);
        }
        out.put(k, k, diagonal);
        for block in (0..mask.len()).rev() {
            if mask[block] == 0 {
                out.put(k, block, [Q::splat(0.0); 4]);
            } else {
                out.put(k, block, tile(&momenta, &axes[block], mask[block]));
            }
        }
    }
}

/// The momentum of one of four bodies, each number in all lanes of a register.
#[inline(always)]
fn splat_momentum<Q: Quad>(momenta: &[Row; 6], body: usize) -> [Q; 6] {
    [
        Q::splat(momenta[0].0[body]),
        Q::splat(momenta[1].0[body]),
        Q::splat(momenta[2].0[body]),
        Q::splat(momenta[3].0[body]),
        Q::splat(momenta[4].0[body]),
        Q::splat(momenta[5].0[body]),
    ]
}

/// Tile of four coordinates and four before them; `mask` has a bit for each pair that is on one branch.
#[inline(always)]
fn tile<Q: Quad>(momenta: &[[Q; 6]; 4], axes: &[Row; 6], mask: u16) -> [Q; 4] {
    [
        row(&momenta[0], axes, mask),
        row(&momenta[1], axes, mask >> 4),
        row(&momenta[2], axes, mask >> 8),
        row(&momenta[3], axes, mask >> 12),
    ]
}

/// A momentum times four axes, masked by the last bits of `mask`.
#[inline(always)]
fn row<Q: Quad>(momentum: &[Q; 6], axes: &[Row; 6], mask: u16) -> Q {
    let sum = momentum[0] * axes[0].load();
    let sum = momentum[1].mul_add(axes[1].load(), sum);
    let sum = momentum[2].mul_add(axes[2].load(), sum);
    let sum = momentum[3].mul_add(axes[3].load(), sum);
    let sum = momentum[4].mul_add(axes[4].load(), sum);
    let sum = momentum[5].mul_add(axes[5].load(), sum);
    sum.masked(&MASKS[(mask & 15) as usize])
}

/// Masks of the lanes whose bits are set.
const MASKS: [Mask; 16] = {
    let mut masks = [Mask([0; 4]); 16];
    let mut set = 0;
    while set < 16 {
        let mut k = 0;
        while k < 4 {
            if set >> k & 1 == 1 {
                masks[set].0[k] = u64::MAX;
            }
            k += 1;
        }
        set += 1;
    }
    masks
};
