//! Many checks at once, shared by the threads of `rayon` with the feature `parallel`.

use super::cspace::check_block;
use super::{CSpace, RobotCSpace};
use crate::Result;

/// Number of configurations that one thread checks in a row: more work than to lend it a workspace, and whole lanes.
const CONFIGS: usize = 256;

/// Number of edges that one thread checks in a row; a few may take a hundred times as long as others.
const EDGES: usize = 8;

/// Checks each row of `block`.
pub(super) fn are_free(space: &RobotCSpace, block: &[f64], free: &mut [bool]) -> Result<()> {
    let n = space.n_dofs();
    check_block(n, block, free)?;
    in_parts(free, CONFIGS, &|first, free| {
        let rows = &block[first * n..(first + free.len()) * n];
        space.with_workspace(|ws| space.are_free_with(rows, free, ws))
    })
}

/// Checks each edge.
pub(super) fn are_edges_free(space: &RobotCSpace, edges: &[(&[f64], &[f64])]) -> Result<Vec<bool>> {
    let mut free = vec![false; edges.len()];
    in_parts(&mut free, EDGES, &|first, free| {
        space.with_workspace(|ws| {
            for ((a, b), free) in edges[first..].iter().zip(free) {
                *free = space.is_edge_free_with(a, b, ws)?;
            }
            Ok(())
        })
    })?;
    Ok(free)
}

/// Runs `check` on parts of so many answers, with the number of the first one; the error is that of the first part with one.
#[cfg(feature = "parallel")]
fn in_parts(
    free: &mut [bool],
    size: usize,
    check: &(impl Fn(usize, &mut [bool]) -> Result<()> + Sync),
) -> Result<()> {
    use rayon::prelude::*;

    if free.len() <= size {
        return check(0, free);
    }
    let parts = free.par_chunks_mut(size).enumerate();
    parts
        .map(|(k, free)| check(k * size, free))
        .reduce(|| Ok(()), Result::and)
}

#[cfg(not(feature = "parallel"))]
fn in_parts(
    free: &mut [bool],
    _size: usize,
    check: &impl Fn(usize, &mut [bool]) -> Result<()>,
) -> Result<()> {
    check(0, free)
}
