//! The compiled tree: only bodies that move, parents first, every joint axis along +z.

use super::floating::Floating;
use super::joint_armature::BallArmature;
use super::order::Order;
use super::pack::Constants;
use super::sparse::{SparsePlacement, TOLERANCES};
use crate::math::linear::{product, rotate, transpose};

/// Type of a body's joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Revolute,
    Prismatic,
}

/// A moving body as its user describes it.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    /// A body before this one, `None` for the world.
    pub(crate) parent: Option<usize>,
    /// Rotation from this frame to the parent's at coordinate 0, column-major.
    pub(crate) rotation: [f64; 9],
    /// Origin of this frame in the parent's.
    pub(crate) translation: [f64; 3],
    pub(crate) kind: Kind,
    /// In this frame; its length multiplies the coordinate.
    pub(crate) axis: [f64; 3],
    pub(crate) mass: f64,
    /// Centre of mass in this frame.
    pub(crate) com: [f64; 3],
    /// Moment of inertia about the centre of mass in this frame's axes, column-major.
    pub(crate) moment: [f64; 9],
    /// Inertia that the coordinate moves in addition to the bodies: a rotor behind a gear.
    pub(crate) armature: f64,
}

/// The compiled tree: body `i` moves with coordinate `i`.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    inertias: Vec<BodyInertia>,
    // what of the placements needs no arithmetic in double precision, and what in single precision
    sparse: [Vec<SparsePlacement>; 2],
    // numbers of `nodes` and `inertias`, eight bodies packed
    constants: Vec<Constants>,
    // of each body and its descendants
    subtree_masses: Vec<f64>,
    // the body of the floating base, or else the first with a mass
    centre: usize,
    floating: Option<Floating>,
    order: Order,
    has_short_branches: bool,
    // of each body: a bit for itself and each ancestor; empty where there are more bodies than bits
    ancestor_masks: Vec<u128>,
    // the same in tiles of four bodies by four, row after row up to the diagonal; empty where there are too many
    ancestor_tiles: Vec<u16>,
    // of each four coordinates, as a diagonal tile
    armatures: Vec<[[f64; 4]; 4]>,
    // from the user's frame to the re-framed one
    reframes: Vec<[f64; 9]>,
    ball_joints: Vec<BallArmature>,
}

/// Constants of a body for forward kinematics: two cache lines.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(super) struct Node {
    /// Pose in the parent's re-framed frame at coordinate 0: rows of rotation and origin.
    pub(super) placement: [[f64; 4]; 3],
    /// Length of the axis for a revolute body, else 0.
    pub(super) revolute: f64,
    /// Length of the axis for a prismatic body, else 0.
    pub(super) prismatic: f64,
    /// Added to the coordinate's entry of the mass matrix.
    pub(super) armature: f64,
    pub(super) kind: Kind,
    /// [`ROOT`] for the world.
    pub(super) parent: u32,
}

/// Inertia of a body, in its re-framed frame.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct BodyInertia {
    pub(super) mass: f64,
    /// Centre of mass.
    pub(super) com: [f64; 3],
    /// Moment of inertia about the centre of mass by cyclic diagonals, xx, yy, zz; xy, yz, zx; xz, yx, zy; the last
    /// lane is 0.
    pub(super) diagonals: [[f64; 4]; 3],
    /// The same, column-major.
    pub(super) moment: [f64; 9],
}

/// The parent of a body that is attached to the world.
pub(super) const ROOT: u32 = u32::MAX;

impl Tree {
    /// Number of bodies for which ancestor masks have bits.
    pub(crate) const MAX_MASKED_BODIES: usize = u128::BITS as usize;

    /// Number of bodies up to which there are ancestor tiles: their number grows with its square.
    const MAX_TILED_BODIES: usize = 2048;

    /// Compiles bodies whose parents come first.
    pub(crate) fn new(bodies: Vec<Body>) -> Self {
        let floating = Floating::find(&bodies);
        let heavy = bodies.iter().position(|body| body.mass > 0.0);
        let mut tree = Self {
            centre: floating.map(Floating::body).or(heavy).unwrap_or(0),
            floating,
            order: Order::new(&[]),
            has_short_branches: false,
            nodes: Vec::with_capacity(bodies.len()),
            inertias: Vec::with_capacity(bodies.len()),
            sparse: [Vec::new(), Vec::new()],
            constants: Vec::new(),
            subtree_masses: bodies.iter().map(|body| body.mass).collect(),
            ancestor_masks: Vec::new(),
            ancestor_tiles: Vec::new(),
            armatures: vec![[[0.0; 4]; 4]; bodies.len().div_ceil(4)],
            reframes: Vec::with_capacity(bodies.len()),
            ball_joints: Vec::new(),
        };
        for body in bodies {
            // the frame is rotated by `reframe`: p_new = reframe · p
            let (reframe, length) = rotation_to_z(body.axis);
            let back = transpose(&reframe);
            let parent = body.parent.map_or(IDENTITY, |parent| tree.reframes[parent]);
            let (revolute, prismatic) = match body.kind {
                Kind::Revolute => (length, 0.0),
                Kind::Prismatic => (0.0, length),
            };
            let r = product(&product(&parent, &body.rotation), &back);
            let t = rotate(&parent, body.translation);
            tree.nodes.push(Node {
                placement: [0, 1, 2].map(|k| [r[k], r[3 + k], r[6 + k], t[k]]),
                revolute,
                prismatic,
                armature: body.armature,
                kind: body.kind,
                parent: match body.parent {
                    Some(parent) => u32::try_from(parent).expect("fewer than 2^32 bodies"),
                    None => ROOT,
                },
            });
            let moment = product(&product(&reframe, &body.moment), &back);
            tree.inertias.push(BodyInertia {
                mass: body.mass,
                com: rotate(&reframe, body.com),
                moment,
                diagonals: [0, 1, 2].map(|s| {
                    let number = |k: usize| moment[3 * ((k + s) % 3) + k];
                    [number(0), number(1), number(2), 0.0]
                }),
            });
            tree.reframes.push(reframe);
        }
        tree.constants = Constants::of(&tree.nodes, &tree.inertias);
        tree.sparse = TOLERANCES.map(|tolerance| {
            let nodes = tree.nodes.iter();
            nodes
                .map(|node| SparsePlacement::of(&node.placement, tolerance))
                .collect()
        });
        tree.order = Order::new(&tree.nodes);
        let mut depths: Vec<usize> = Vec::with_capacity(tree.len());
        for node in &tree.nodes {
            let parent = depths.get(node.parent as usize);
            depths.push(parent.map_or(1, |depth| depth + 1));
        }
        let squares: usize = depths.iter().map(|d| d * d).sum();
        let pairs = 2 * depths.iter().sum::<usize>() + tree.len().pow(2);
        tree.has_short_branches = squares / 4 <= pairs;
        for (i, node) in tree.nodes.iter().enumerate() {
            tree.armatures[i / 4][i % 4][i % 4] = node.armature;
        }
        for i in (0..tree.len()).rev() {
            if let Some(&total) = tree.subtree_masses.get(tree.nodes[i].parent as usize) {
                tree.subtree_masses[tree.nodes[i].parent as usize] = total + tree.subtree_masses[i];
            }
        }
        if tree.len() <= Self::MAX_MASKED_BODIES {
            for i in 0..tree.len() {
                let ancestors = tree.ancestor_masks.get(tree.nodes[i].parent as usize);
                tree.ancestor_masks.push(ancestors.unwrap_or(&0) | 1 << i);
            }
        }
        if tree.len() <= Self::MAX_TILED_BODIES {
            tree.ancestor_tiles = tree.tiles_of_ancestors();
        }
        tree
    }

    /// See [`ancestor_tiles`](Self::ancestor_tiles): row after row up to the diagonal.
    fn tiles_of_ancestors(&self) -> Vec<u16> {
        let mut tiles = Vec::new();
        for k in 0..self.len().div_ceil(4) {
            let row = tiles.len();
            tiles.resize(row + k + 1, 0);
            for (r, body) in (4 * k..self.len().min(4 * k + 4)).enumerate() {
                for ancestor in self.chain(Some(body)) {
                    tiles[row + ancestor / 4] |= 1 << (4 * r + ancestor % 4);
                }
            }
        }
        tiles
    }

    /// The same tree with these ball joints, whose inertia the armature of their bodies includes already.
    pub(crate) fn with_ball_joints(mut self, ball_joints: Vec<BallArmature>) -> Self {
        // axes of virtual links are not computed
        let is_in = |base: Floating| {
            let mut bodies = ball_joints.iter().flat_map(|joint| joint.bodies);
            bodies.any(|body| base.range().contains(&body))
        };
        self.floating = self.floating.filter(|base| !is_in(*base));
        self.ball_joints = ball_joints;
        self
    }

    /// The same tree, with its floating base taken link by link.
    #[cfg(test)]
    pub(super) fn link_by_link(mut self) -> Self {
        self.floating = None;
        self
    }

    /// Number of bodies.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Armature of each coordinate, added to its entry of the mass matrix.
    #[inline]
    pub(crate) fn armature(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.nodes.iter().map(|node| node.armature)
    }

    /// Ball joints with an armature of their own.
    #[inline(always)]
    pub(crate) fn ball_joints(&self) -> &[BallArmature] {
        &self.ball_joints
    }

    /// The rotation from the user's frame of body `i` to its re-framed one (column-major, orthonormal):
    /// the user's pose of a body is `re-framed pose · reframe(i)`.
    #[inline]
    pub(crate) fn reframe(&self, i: usize) -> [f64; 9] {
        self.reframes[i]
    }

    /// Rotates the placement of body `i` in `reference` by a rotation in the user's frame of it (column-major).
    pub(crate) fn rotate_placement(&mut self, reference: &Self, i: usize, rotation: &[f64; 9]) {
        let reframe = &self.reframes[i];
        let by = product(&product(reframe, rotation), &transpose(reframe));
        let [x, y, z] = &reference.nodes[i].placement;
        let r = [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]];
        let r = product(&r, &by);
        let node = &mut self.nodes[i];
        node.placement =
            [0, 1, 2].map(|k| [r[k], r[3 + k], r[6 + k], reference.nodes[i].placement[k][3]]);
        for (sparse, tolerance) in self.sparse.iter_mut().zip(TOLERANCES) {
            sparse[i] = SparsePlacement::of(&node.placement, tolerance);
        }
    }

    /// A body, then its parent, and so on to the root; nothing for the world.
    #[inline]
    pub(crate) fn chain(&self, body: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let mut next = body.unwrap_or(ROOT as usize);
        std::iter::from_fn(move || {
            let node = self.nodes.get(next)?;
            let this = next;
            next = node.parent as usize;
            Some(this)
        })
    }

    /// Whether factors of the mass matrix that are as sparse as the tree take fewer products than a recursion over all pairs
    /// of coordinates: `3/2 Σ d²` against `12 Σ d + 6 n²` with the depths d, measured to be equal on a chain of 24.
    pub(crate) fn has_short_branches(&self) -> bool {
        self.has_ancestor_masks() && self.has_short_branches
    }

    /// The bodies in an order in which subtrees are contiguous.
    #[inline(always)]
    pub(super) fn order(&self) -> &Order {
        &self.order
    }

    /// The floating base, six virtual links taken as one joint, if there is one.
    #[inline(always)]
    pub(super) fn floating(&self) -> Option<Floating> {
        self.floating
    }

    /// The massless bodies of the floating base.
    #[inline(always)]
    pub(super) fn virtual_links(&self) -> std::ops::Range<usize> {
        self.floating.map_or(0..0, Floating::virtual_links)
    }

    /// The bodies with a joint of their own, parents first: all but those of the floating base.
    #[inline(always)]
    pub(super) fn ordinary(
        &self,
    ) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + use<> {
        let n = self.len();
        let (first, skipped) = self
            .floating
            .map_or((n, 0), |base| (base.first(), base.len()));
        (0..n - skipped).map(move |i| if i < first { i } else { i + skipped })
    }

    /// The body whose origin is the common reference point, so that the origin of the world may be far.
    #[inline]
    pub(super) fn centre(&self) -> usize {
        self.centre
    }

    /// Mass of body `i` and its descendants.
    #[inline]
    pub(super) fn subtree_mass(&self, i: usize) -> f64 {
        self.subtree_masses[i]
    }

    /// Whether the tree is small enough for [`ancestor_masks`](Self::ancestor_masks).
    #[inline]
    pub(crate) fn has_ancestor_masks(&self) -> bool {
        self.ancestor_masks.len() == self.len()
    }

    /// Whether the tree is small enough for [`ancestor_tiles`](Self::ancestor_tiles).
    #[inline]
    pub(crate) fn has_ancestor_tiles(&self) -> bool {
        self.len() <= Self::MAX_TILED_BODIES
    }

    /// For each body a bit for itself and each ancestor.
    #[inline(always)]
    pub(super) fn ancestor_masks(&self) -> &[u128] {
        &self.ancestor_masks
    }

    /// Ancestor masks of the bodies `4k..4k + 4` in tiles: for each four bodies before, and for these among themselves.
    /// Four bits for each of the bodies `4k..`, the first of them lowest; a body counts as its own ancestor.
    #[inline(always)]
    pub(super) fn ancestor_tiles(&self, k: usize) -> (&[u16], u16) {
        let before = k * (k + 1) / 2;
        let row = &self.ancestor_tiles[before..=before + k];
        (&row[..k], row[k])
    }

    /// Armatures of each four coordinates, as diagonal tiles of the mass matrix.
    #[inline(always)]
    pub(super) fn armatures(&self) -> &[[[f64; 4]; 4]] {
        &self.armatures
    }

    #[inline]
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// What of each placement needs no arithmetic, in single precision or in double.
    #[inline(always)]
    pub(super) fn sparse(&self, is_single: bool) -> &[SparsePlacement] {
        &self.sparse[usize::from(is_single)]
    }

    #[inline]
    pub(super) fn constants(&self) -> &[Constants] {
        &self.constants
    }

    #[inline]
    pub(super) fn inertias(&self) -> &[BodyInertia] {
        &self.inertias
    }
}

/// A rotation that takes `axis` to +z, and the length of `axis`; the identity for an axis of length zero.
///
/// SignedAxis ±x, ±y and ±z the rotation is a permutation with signs, so that no rounding enters.
fn rotation_to_z(axis: [f64; 3]) -> ([f64; 9], f64) {
    // by the largest entry first, so that no square is too large or too small
    let largest = axis.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
    if largest == 0.0 {
        return (IDENTITY, 0.0);
    }
    let a = axis.map(|a| a / largest);
    let norm = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt();
    let z = a.map(|a| a / norm);

    // x across z, from the coordinate axis that is cyclically next to the largest entry of z
    let k = (0..3).fold(0, |k, i| if z[i].abs() > z[k].abs() { i } else { k });
    let mut x = [0.0; 3];
    x[(k + 1) % 3] = 1.0;
    let along = z[(k + 1) % 3];
    if along != 0.0 || z[(k + 2) % 3] != 0.0 {
        x = [0, 1, 2].map(|i| x[i] - along * z[i]);
        let norm = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]).sqrt();
        x = x.map(|x| x / norm);
    }
    let y = crate::math::linear::cross(z, x);

    // the new axes are the rows
    let rows = [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]];
    (transpose(&rows), largest * norm)
}

const IDENTITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
