//! Shortcuts: makes paths shorter.

use super::CSpace;
use crate::Result;
use crate::math::SplitMix;

/// Tries after which the path has to be shorter by at least [`GAIN`] for more of them.
const ROUND: usize = 20;

/// Share of the length that a round of tries has to gain.
const GAIN: f64 = 0.01;

/// Joins random pairs of points of a path directly where that is free, and at last drops waypoints that are not needed; without
/// tries, neither. The ends stay. It ends early when `more` returns `false`, and when a round of tries gains little.
pub(super) fn shorten<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    tries: usize,
    random: &mut SplitMix,
    more: &mut impl FnMut() -> bool,
) -> Result<()> {
    shorten_where(space, ws, path, tries, random, more, |_, _, _| Ok(true))
}

/// [`shorten`] by edges of which `is_certain` is true, too.
///
/// It is asked about the edges of the shorter path, which few fail; where one does, all is tried again, and each edge asked
/// about before it is joined.
pub(super) fn shorten_where<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    tries: usize,
    random: &mut SplitMix,
    more: &mut impl FnMut() -> bool,
    is_certain: impl Fn(&[f64], &[f64], &mut S::Workspace) -> Result<bool>,
) -> Result<()> {
    let (given, drawn) = (path.clone(), random.clone());
    let joined = join(space, ws, path, tries, random, more, &|_, _, _| Ok(true))?;
    for (edge, is_joined) in path.windows(2).zip(joined) {
        if is_joined && !is_certain(&edge[0], &edge[1], ws)? {
            path.clone_from(&given);
            random.clone_from(&drawn);
            join(space, ws, path, tries, random, more, &is_certain)?;
            break;
        }
    }
    Ok(())
}

/// [`shorten_where`], with `is_certain` asked last about what would be joined and was not asked about before. Returns of each edge
/// whether it was joined, or is a part of one that was cut.
fn join<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    tries: usize,
    random: &mut SplitMix,
    more: &mut impl FnMut() -> bool,
    is_certain: &impl Fn(&[f64], &[f64], &mut S::Workspace) -> Result<bool>,
) -> Result<Vec<bool>> {
    let mut before = f64::INFINITY;
    let mut joined = vec![false; path.len().saturating_sub(1)];
    for i in 0..tries {
        if path.len() < 3 || !more() {
            break;
        }
        let along = lengths(space, path);
        let total = along[along.len() - 1];
        if i % ROUND == 0 {
            if total > before * (1.0 - GAIN) {
                break;
            }
            before = total;
        }
        let mut cuts = [random.uniform() * total, random.uniform() * total];
        cuts.sort_unstable_by(f64::total_cmp);
        let [(i, p), (j, r)] = cuts.map(|cut| point(space, path, &along, cut));
        if i == j || !space.is_edge_free_with(&p, &r, ws)? {
            continue;
        }
        let ends = [(&path[i], &p), (&r, &path[j + 1])];
        if space.is_edge_free_with(ends[0].0, ends[0].1, ws)?
            && space.is_edge_free_with(ends[1].0, ends[1].1, ws)?
            && is_certain(&p, &r, ws)?
            && (joined[i] || is_certain(ends[0].0, ends[0].1, ws)?)
            && (joined[j] || is_certain(ends[1].0, ends[1].1, ws)?)
        {
            path.splice(i + 1..=j, [p, r]);
            joined.splice(i..=j, [true; 3]);
        }
    }
    if tries > 0 {
        drop_waypoints(space, ws, path, &mut joined, more, is_certain)?;
    }
    Ok(joined)
}

/// The length of a path.
pub(super) fn path_length(space: &impl CSpace, path: &[Vec<f64>]) -> f64 {
    lengths(space, path)[path.len().max(1) - 1]
}

/// The length of the path up to each of its waypoints.
fn lengths(space: &impl CSpace, path: &[Vec<f64>]) -> Vec<f64> {
    let mut along = vec![0.0];
    for pair in path.windows(2) {
        along.push(along[along.len() - 1] + space.distance(&pair[0], &pair[1]));
    }
    along
}

/// The point at a length of the path, and the edge on which it lies.
fn point(space: &impl CSpace, path: &[Vec<f64>], along: &[f64], at: f64) -> (usize, Vec<f64>) {
    let edge = along.partition_point(|&l| l <= at).clamp(1, path.len() - 1) - 1;
    let length = along[edge + 1] - along[edge];
    let u = if length > 0.0 {
        (at - along[edge]) / length
    } else {
        0.0
    };
    let mut q = path[edge].clone();
    space.interpolate_into(&path[edge], &path[edge + 1], u.clamp(0.0, 1.0), &mut q);
    (edge, q)
}

/// Joins each waypoint to the farthest that it can reach by a free edge.
fn drop_waypoints<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    joined: &mut Vec<bool>,
    more: &mut impl FnMut() -> bool,
    is_certain: &impl Fn(&[f64], &[f64], &mut S::Workspace) -> Result<bool>,
) -> Result<()> {
    let mut i = 0;
    while i + 2 < path.len() && more() {
        for j in (i + 2..path.len()).rev() {
            let (a, b) = (&path[i], &path[j]);
            if space.is_edge_free_with(a, b, ws)? && is_certain(a, b, ws)? {
                path.drain(i + 1..j);
                joined.splice(i..j, [true]);
                break;
            }
        }
        i += 1;
    }
    Ok(())
}
