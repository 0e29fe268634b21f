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
    shorten_where([space, space], ws, path, tries, random, more, |_, _, _| {
        Ok(true)
    })
}

/// [`shorten`] by edges of which `is_certain` is true, too.
///
/// Tries are checked in the first of two spaces, which may be the coarser one, and `is_certain` is asked about the edges of the
/// shorter path, which few fail. Where one does, all is tried again in the second space, and each edge asked about before it is
/// joined.
pub(super) fn shorten_where<S, F>(
    [quick, thorough]: [&S; 2],
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    tries: usize,
    random: &mut SplitMix,
    more: &mut impl FnMut() -> bool,
    is_certain: F,
) -> Result<()>
where
    S: CSpace,
    F: Fn(&[f64], &[f64], &mut S::Workspace) -> Result<bool>,
{
    let (given, drawn) = (path.clone(), random.clone());
    let joined = join(quick, ws, path, tries, random, more, None::<&F>)?;
    for (edge, is_joined) in path.windows(2).zip(joined) {
        if is_joined && !is_certain(&edge[0], &edge[1], ws)? {
            path.clone_from(&given);
            random.clone_from(&drawn);
            join(thorough, ws, path, tries, random, more, Some(&is_certain))?;
            break;
        }
    }
    Ok(())
}

/// [`shorten_where`], with `is_certain` asked last about what would be joined and was not asked about before. Returns of each edge
/// whether it was joined, or is a part of one that was cut. Without `is_certain`, parts of free edges are taken to be free.
fn join<S, F>(
    space: &S,
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    tries: usize,
    random: &mut SplitMix,
    more: &mut impl FnMut() -> bool,
    is_certain: Option<&F>,
) -> Result<Vec<bool>>
where
    S: CSpace,
    F: Fn(&[f64], &[f64], &mut S::Workspace) -> Result<bool>,
{
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
        if let Some(is_certain) = is_certain {
            let ends = [(&path[i], &p), (&r, &path[j + 1])];
            let is_free = space.is_edge_free_with(ends[0].0, ends[0].1, ws)?
                && space.is_edge_free_with(ends[1].0, ends[1].1, ws)?
                && is_certain(&p, &r, ws)?
                && (joined[i] || is_certain(ends[0].0, ends[0].1, ws)?)
                && (joined[j] || is_certain(ends[1].0, ends[1].1, ws)?);
            if !is_free {
                continue;
            }
        }
        path.splice(i + 1..=j, [p, r]);
        joined.splice(i..=j, [true; 3]);
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
fn drop_waypoints<S, F>(
    space: &S,
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    joined: &mut Vec<bool>,
    more: &mut impl FnMut() -> bool,
    is_certain: Option<&F>,
) -> Result<()>
where
    S: CSpace,
    F: Fn(&[f64], &[f64], &mut S::Workspace) -> Result<bool>,
{
    let is_certain = |a: &[f64], b: &[f64], ws: &mut _| {
        is_certain.map_or(Ok(true), |is_certain| is_certain(a, b, ws))
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A plane without obstacles, whose edges are all free.
    struct Plane;

    impl CSpace for Plane {
        type Workspace = ();

        fn workspace(&self) {}

        fn with_workspace<R>(&self, query: impl FnOnce(&mut ()) -> R) -> R {
            query(&mut ())
        }

        fn n_dofs(&self) -> usize {
            2
        }

        fn bounds(&self) -> Vec<[f64; 2]> {
            vec![[-5.0, 5.0]; 2]
        }

        fn is_free_with(&self, _: &[f64], (): &mut ()) -> Result<bool> {
            Ok(true)
        }
    }

    /// Shortcuts of half a circle of which an edge is certain outside of a disc of this radius, and the number of proofs.
    fn around(radius: f64) -> (Vec<Vec<f64>>, usize) {
        let circle = (0..=20).map(|i| std::f64::consts::PI * f64::from(i) / 20.0);
        let mut path: Vec<Vec<f64>> = circle.map(|t| vec![t.cos(), t.sin()]).collect();
        let count = Cell::new(0);
        let is_certain = |a: &[f64], b: &[f64], (): &mut ()| {
            count.set(count.get() + 1);
            let at = |u: f64| (a[0] + u * (b[0] - a[0])).hypot(a[1] + u * (b[1] - a[1]));
            Ok((0..=1000).all(|i| at(f64::from(i) / 1000.0) > radius))
        };
        let random = &mut SplitMix::new(4);
        let more = &mut || true;
        shorten_where(
            [&Plane, &Plane],
            &mut (),
            &mut path,
            200,
            random,
            more,
            is_certain,
        )
        .unwrap();
        let joined = path.windows(2).filter(|edge| edge[0] != edge[1]);
        assert!(
            joined
                .clone()
                .all(|edge| is_certain(&edge[0], &edge[1], &mut ()).unwrap())
        );
        (path, count.get())
    }

    #[test]
    fn paths_that_are_certain_at_once_take_one_proof_an_edge_and_others_keep_what_is() {
        let (path, count) = around(-1.0);
        assert_eq!(path, [[1.0, 0.0], [-1.0, 1.224_646_799_147_353_2e-16]]);
        assert_eq!(count, 2, "that of the path, and that of the assertion");
        let (path, _) = around(0.9);
        let length = path_length(&Plane, &path);
        // tangents to the disc, and the arc between them
        let tangents = 2.0 * (1.0 - 0.81_f64).sqrt();
        let arc = 0.9 * (std::f64::consts::PI - 2.0 * 0.9_f64.acos());
        assert!(length > tangents + arc && length < 3.1, "{length}");
    }
}
