//! Many checks at once, shared by the threads of `rayon` with the feature `parallel`.

use std::sync::{Mutex, PoisonError};

use super::cspace::check_block;
use super::{CSpace, RobotCSpace};
use crate::{Error, Result, threads};

/// Number of configurations that one thread checks in a row: more work than to lend it a workspace, and whole lanes.
const CONFIGS: usize = 256;

/// Number of edges that one thread checks in a row; a few may take a hundred times as long as others.
const EDGES: usize = 8;

/// Checks each row of `block`.
pub(super) fn are_free(space: &RobotCSpace, block: &[f64], free: &mut [bool]) -> Result<()> {
    let n = space.n_dofs();
    check_block(n, block, free)?;
    in_parts(free, CONFIGS, &|first, free| {
        let row = |k: usize| &block[k * n..(k + 1) * n];
        let rows = &block[first * n..(first + free.len()) * n];
        space.with_workspace(|ws| {
            let error = match space.are_free_with(rows, free, ws) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            // lanes do not say which: the first one that fails alone, too
            for k in first..first + free.len() {
                if let Err(error) = space.is_free_with(row(k), ws) {
                    return Err(error.numbered("configuration", k));
                }
            }
            Err(error)
        })
    })
}

/// Checks each edge.
pub(super) fn are_edges_free(space: &RobotCSpace, edges: &[(&[f64], &[f64])]) -> Result<Vec<bool>> {
    let mut free = vec![false; edges.len()];
    in_parts(&mut free, EDGES, &|first, free| {
        space.with_workspace(|ws| {
            for (k, free) in (first..).zip(free) {
                let (a, b) = edges[k];
                let is_free = space.is_edge_free_with(a, b, ws);
                *free = is_free.map_err(|error| error.numbered("edge", k))?;
            }
            Ok(())
        })
    })?;
    Ok(free)
}

/// Runs `check` on parts of so many answers, with the number of the first one; the error is that of the first part with one.
fn in_parts(
    free: &mut [bool],
    size: usize,
    check: &(impl Fn(usize, &mut [bool]) -> Result<()> + Sync),
) -> Result<()> {
    if free.len() <= size {
        return check(0, free);
    }
    let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    threads::each_part(free, size, &|k, free| {
        if let Err(error) = check(k * size, free) {
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            if failed.as_ref().is_none_or(|(first, _)| k < *first) {
                *failed = Some((k, error));
            }
        }
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(()), |(_, error)| Err(error))
}
