//! Mass matrix by composite bodies: Featherstone (2008), table 6.2; O(n d), d the depth.
//!
//! Everything is in one common frame: world axes, about a point that moves with the robot. Composite inertias then
//! only add, ten numbers each, and `F` needs no transform to the ancestors.
//!
//! | here | table 6.2 |
//! |---|---|
//! | `composites[i]` | `I_i^c` |
//! | `subspaces[i]` | `S_i` |
//! | `f` | `F = I_i^c S_i`, the momentum of the subtree at rate 1 |
//! | `mass_matrix[(i, j)]` | `H_ij = S_jᵀ F`, on the diagonal with the `armature` of the coordinate |

use std::ops::Range;

use super::aba::Articulated;
use super::floating::Floating;
use super::forward::Frame;
use super::jacobian::column;
use super::joint_armature::add_ball_masses;
use super::spatial::RigidInertia;
use super::tree::{ROOT, Tree};
use crate::math::Scalar;

/// Scratch memory.
#[derive(Debug, Clone)]
pub(crate) struct Crba<T> {
    composites: Vec<RigidInertia<T>>,
    subspaces: Vec<[[T; 3]; 2]>,
}

impl<T: Scalar> Crba<T> {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        Self {
            composites: vec![RigidInertia::zero(); tree.len()],
            subspaces: vec![[[T::constant(0.0); 3]; 2]; tree.len()],
        }
    }
}

/// Mass matrix, both halves of the symmetric n × n matrix; zero for coordinates on different branches.
#[inline(always)]
pub(crate) fn crba<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    scratch: &mut Crba<T>,
    mass_matrix: &mut [T],
) {
    let n = tree.len();
    let Some(centre) = bodies.get(tree.centre()) else {
        return;
    };
    prepare(tree, bodies, centre.origin(), scratch);
    let nodes = &tree.nodes()[..n];
    let (composites, subspaces) = (&mut scratch.composites[..n], &scratch.subspaces[..n]);
    let mass_matrix = &mut mass_matrix[..n * n];
    let base = tree.floating();
    let base = base.map(|base| (base, base.subspace(bodies)));
    for i in tree.ordinary().rev() {
        let f = composites[i].momentum(subspaces[i]);
        mass_matrix[i * n + i] = f.power(subspaces[i]) + T::constant(nodes[i].armature);

        // up the branch: an ancestor has a lower index, the world a higher one
        let (mut j, mut written) = (nodes[i].parent as usize, i);
        while j < i {
            clear(mass_matrix, n, i, j + 1..written);
            if let Some((base, subspace)) = &base
                && j == base.body()
            {
                // the point is its origin
                let h = subspace.project(&f);
                for (k, h) in base.range().zip(h) {
                    mass_matrix[i * n + k] = h;
                    mass_matrix[k * n + i] = h;
                }
                written = base.first();
                break;
            }
            let h = f.power(subspaces[j]);
            mass_matrix[i * n + j] = h;
            mass_matrix[j * n + i] = h;
            (j, written) = (nodes[j].parent as usize, j);
        }
        clear(mass_matrix, n, i, 0..written);
        gather(tree, i, composites);
    }
    if let Some((base, subspace)) = base {
        let composite = Articulated::rigid(&composites[base.body()]);
        let block = subspace.project_inertia(&composite);
        for (i, row) in base.range().zip(&block) {
            clear(mass_matrix, n, i, 0..base.first());
            for (j, &h) in base.range().zip(row).take_while(|&(j, _)| j <= i) {
                mass_matrix[i * n + j] = h;
                mass_matrix[j * n + i] = h;
            }
            let diagonal = &mut mass_matrix[i * n + i];
            *diagonal = *diagonal + T::constant(nodes[i].armature);
        }
    }
    add_ball_masses(tree, bodies, mass_matrix);
}

/// Writes zeros at row and column `i`, for coordinates on other branches.
#[inline(always)]
fn clear<T: Scalar>(mass_matrix: &mut [T], n: usize, i: usize, others: Range<usize>) {
    for j in others {
        mass_matrix[i * n + j] = T::constant(0.0);
        mass_matrix[j * n + i] = T::constant(0.0);
    }
}

/// Momentum matrix (6 × n) of the whole robot about the world point `p_w`.
///
/// Featherstone's `F` again; Orin, Goswami, Lee (2013) call these columns the centroidal momentum matrix where the
/// point is the centre of mass.
#[inline(always)]
pub(crate) fn momentum_columns<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    p_w: [T; 3],
    scratch: &mut Crba<T>,
    columns: &mut [[T; 6]],
) {
    let n = tree.len();
    prepare(tree, bodies, p_w, scratch);
    let (composites, columns) = (&mut scratch.composites, &mut columns[..n]);
    for i in tree.ordinary().rev() {
        columns[i] = composites[i].momentum(scratch.subspaces[i]).into();
        gather(tree, i, composites);
    }
    if let Some(base) = tree.floating() {
        for i in base.range() {
            let rate = column(tree, bodies, i, p_w);
            columns[i] = composites[base.body()].momentum(rate).into();
        }
    }
}

/// Computes the inertia of each body alone, and its axis, about the point.
#[inline(always)]
fn prepare<T: Scalar>(tree: &Tree, bodies: &[Frame<T>], p_w: [T; 3], scratch: &mut Crba<T>) {
    let n = tree.len();
    let (inertias, bodies) = (&tree.inertias()[..n], &bodies[..n]);
    for i in tree.ordinary().chain(tree.floating().map(Floating::body)) {
        scratch.composites[i] = RigidInertia::of_body(&inertias[i], &bodies[i], p_w);
        scratch.subspaces[i] = column(tree, bodies, i, p_w);
    }
}

/// Adds a composite body to its parent.
#[inline(always)]
fn gather<T: Scalar>(tree: &Tree, i: usize, composites: &mut [RigidInertia<T>]) {
    let parent = tree.nodes()[i].parent;
    if parent != ROOT {
        composites[parent as usize] = composites[parent as usize].add(&composites[i]);
    }
}
