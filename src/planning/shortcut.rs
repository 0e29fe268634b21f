//! Shortcuts: makes paths shorter.

use std::cell::RefCell;

use super::CSpace;
use crate::math::SplitMix;
use crate::{Error, Result};

/// Tries after which the path has to be shorter by at least [`GAIN`] for more of them.
const ROUND: usize = 20;

/// Share of the length that a round of tries has to gain.
const GAIN: f64 = 0.01;

/// Share of the length that a try has to save: a check takes as long for less.
const LEAST: f64 = 0.01;

/// Joins random pairs of points of a path directly where that is free, and at last drops waypoints that are not needed; without
/// tries, neither. The ends stay. It ends early when `more` returns `false`, and when a round of tries gains little; a try that
/// would save little is left out.
pub(super) fn shorten<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    tries: usize,
    random: &mut SplitMix,
    more: &mut dyn FnMut() -> bool,
) -> Result<()> {
    // samples on parts of an edge lie elsewhere than those on all of it
    let mut are_free = |_: &Joining, edges: &[Edge<'_>], ws: &mut S::Workspace| {
        let uncertain = first_not(edges.iter().copied(), |a, b| {
            space.is_edge_free_with(a, b, ws)
        });
        Ok(uncertain?.is_none())
    };
    let mut joining = Joining::new(path, random);
    joining.run(space, ws, tries, more, &mut are_free)?;
    *path = joining.path;
    *random = joining.random;
    Ok(())
}

/// The ends of an edge.
type Edge<'a> = [&'a [f64]; 2];

/// Whether an edge is certain. It is called by a pointer, as all that this module asks, so that a space has one instance.
pub(super) type IsCertain<'a, S> =
    dyn Fn(&[f64], &[f64], &mut <S as CSpace>::Workspace) -> Result<bool> + 'a;

/// Whether to join a path by the first of some edges.
type Accepts<'a, S> =
    dyn FnMut(&Joining, &[Edge<'_>], &mut <S as CSpace>::Workspace) -> Result<bool> + 'a;

/// [`shorten`] to edges of which all are certain; returns whether they are, and `false` where the path that was given is not.
///
/// Few edges that are free fail, so `is_certain` is asked about those of the shorter path. Where one does, the try that has joined
/// it is left out and the others are tried again; after some such rounds, each edge is asked about before it is joined.
pub(super) fn shorten_where<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    tries: usize,
    random: &mut SplitMix,
    more: &mut dyn FnMut() -> bool,
    is_certain: &IsCertain<'_, S>,
) -> Result<bool> {
    let known: RefCell<Vec<[Vec<f64>; 2]>> = RefCell::default();
    let is_certain = |a: &[f64], b: &[f64], ws: &mut S::Workspace| {
        let is_known = |edge: &[Vec<f64>; 2]| edge[0] == a && edge[1] == b;
        if known.borrow().iter().any(is_known) {
            return Ok(true);
        }
        let is_certain = is_certain(a, b, ws)?;
        if is_certain {
            known.borrow_mut().push([a.to_vec(), b.to_vec()]);
        }
        Ok::<bool, Error>(is_certain)
    };
    let given = Joining::new(path, random);
    let mut joining = given.clone();
    // as before each try that has joined an edge
    let mut before: Vec<Joining> = Vec::new();
    let mut left_out = Vec::new();
    while left_out.len() <= MOST_LEFT_OUT {
        let mut accepts = |joining: &Joining, edges: &[Edge<'_>], ws: &mut S::Workspace| {
            let [a, b] = edges[0];
            let number = joining.number;
            let is_joined = !left_out.contains(&number)
                && space.is_edge_free_with(a, b, ws)?
                // waypoints that are left out come last, and are few
                && (number < tries || is_certain(a, b, ws)?);
            if is_joined && number < tries {
                before.push(joining.clone());
            }
            Ok(is_joined)
        };
        joining.run(space, ws, tries, more, &mut accepts)?;
        let uncertain = first_not(edges_of(&joining.path), |a, b| is_certain(a, b, ws));
        let number = match uncertain?.map(|edge| joining.numbers[edge]) {
            None => {
                (*path, *random) = (joining.path, joining.random);
                return Ok(true);
            }
            Some(GIVEN) => return Ok(false),
            Some(number) => number,
        };
        left_out.push(number);
        let at = before.partition_point(|joining| joining.number < number);
        joining = before.drain(at..).next().unwrap_or_else(|| given.clone());
    }
    joining = given;
    if first_not(edges_of(&joining.path), |a, b| is_certain(a, b, ws))?.is_some() {
        return Ok(false);
    }
    // parts of what is certain are certain
    let mut accepts = |_: &Joining, edges: &[Edge<'_>], ws: &mut S::Workspace| {
        let [a, b] = edges[0];
        Ok(space.is_edge_free_with(a, b, ws)? && is_certain(a, b, ws)?)
    };
    joining.run(space, ws, tries, more, &mut accepts)?;
    (*path, *random) = (joining.path, joining.random);
    Ok(true)
}

/// Tries that are left out before each edge is asked about.
const MOST_LEFT_OUT: usize = 4;

/// The number of an edge that was given, or is a part of one.
const GIVEN: usize = usize::MAX;

/// The edges of a path.
fn edges_of(path: &[Vec<f64>]) -> impl Iterator<Item = Edge<'_>> {
    path.windows(2).map(|ends| [&ends[0][..], &ends[1][..]])
}

/// The first of some edges that a check is not true of.
fn first_not<'a>(
    edges: impl Iterator<Item = Edge<'a>>,
    mut check: impl FnMut(&[f64], &[f64]) -> Result<bool>,
) -> Result<Option<usize>> {
    for (i, [a, b]) in edges.enumerate() {
        if !check(a, b)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// A path while points of it are joined.
#[derive(Clone)]
struct Joining {
    path: Vec<Vec<f64>>,
    /// The try that has joined each edge.
    numbers: Vec<usize>,
    /// The next try.
    number: usize,
    random: SplitMix,
    /// The length before the round of tries.
    length: f64,
}

impl Joining {
    fn new(path: &[Vec<f64>], random: &SplitMix) -> Self {
        Self {
            path: path.to_vec(),
            numbers: vec![GIVEN; path.len().saturating_sub(1)],
            number: 0,
            random: random.clone(),
            length: f64::INFINITY,
        }
    }

    /// Tries to join points of the path by edges that `accepts` is true of: it is asked about the path before a try, the edge of
    /// the try and, behind it, the parts that it leaves of those that it cuts. At last it is asked about edges that leave out
    /// waypoints, in tries whose numbers are from `tries` on.
    fn run<S: CSpace>(
        &mut self,
        space: &S,
        ws: &mut S::Workspace,
        tries: usize,
        more: &mut dyn FnMut() -> bool,
        accepts: &mut Accepts<'_, S>,
    ) -> Result<()> {
        while self.number < tries && self.path.len() > 2 && more() {
            let along = lengths(space, &self.path);
            let total = along[along.len() - 1];
            if self.number.is_multiple_of(ROUND) {
                if total > self.length * (1.0 - GAIN) {
                    break;
                }
                self.length = total;
            }
            let drawn = self.random.clone();
            let mut cuts = [0.0; 2].map(|_| self.random.uniform() * total);
            cuts.sort_unstable_by(f64::total_cmp);
            let [(i, p), (j, r)] = cuts.map(|cut| point(space, &self.path, &along, cut));
            let edges = [[&p, &r], [&self.path[i], &p], [&r, &self.path[j + 1]]];
            let edges = edges.map(|edge| edge.map(Vec::as_slice));
            let after = std::mem::replace(&mut self.random, drawn);
            let saved = cuts[1] - cuts[0] - space.distance(&p, &r);
            let is_joined = i != j && saved > LEAST * total && accepts(self, &edges, ws)?;
            self.random = after;
            if is_joined {
                self.path.splice(i + 1..=j, [p, r]);
                let parts = [self.numbers[i], self.number, self.numbers[j]];
                self.numbers.splice(i..=j, parts);
            }
            self.number += 1;
        }
        self.number = tries;
        // each waypoint to the farthest that it can reach
        let mut i = 0;
        while tries > 0 && i + 2 < self.path.len() && more() {
            for j in (i + 2..self.path.len()).rev() {
                if accepts(self, &[[&self.path[i], &self.path[j]]], ws)? {
                    self.path.drain(i + 1..j);
                    self.numbers.splice(i..j, [self.number]);
                    break;
                }
            }
            i += 1;
            self.number += 1;
        }
        Ok(())
    }
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

    /// Shortcuts of half a circle of which an edge is certain outside of a disc of this radius, the number of proofs, and whether
    /// all is certain.
    fn around(radius: f64) -> (Vec<Vec<f64>>, usize, bool) {
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
        let all = shorten_where(&Plane, &mut (), &mut path, 200, random, more, &is_certain);
        (path, count.get(), all.unwrap())
    }

    #[test]
    fn tries_that_would_save_little_are_not_checked() {
        let random = &SplitMix::new(4);
        let checks = |height: f64| {
            let waypoints = (0..=20).map(|i| vec![f64::from(i), height * f64::from(i % 2)]);
            let mut joining = Joining::new(&waypoints.collect::<Vec<_>>(), random);
            let mut count = 0;
            let mut accepts = |_: &Joining, _: &[Edge<'_>], (): &mut ()| {
                count += 1;
                Ok(false)
            };
            let all = joining.run(&Plane, &mut (), ROUND, &mut || true, &mut accepts);
            all.unwrap();
            assert_eq!(joining.path.len(), 21);
            count
        };
        // edges from each waypoint to those beyond the next
        let waypoints = 20 * 19 / 2;
        assert_eq!(checks(0.0), waypoints);
        // a zigzag is 12 % longer, and most tries save more than a tenth of that
        let tried = checks(0.5) - waypoints;
        assert!((10..=ROUND).contains(&tried), "{tried}");
    }

    #[test]
    fn paths_that_are_certain_at_once_take_one_proof_an_edge_and_others_keep_what_is() {
        let (path, count, all) = around(-1.0);
        assert_eq!(path, [[1.0, 0.0], [-1.0, 1.224_646_799_147_353_2e-16]]);
        assert_eq!((count, all), (1, true));
        let (path, count, all) = around(0.9);
        assert!(count > path.len() && all);
        for edge in path.windows(2) {
            let at = |u: f64| (0..2).map(move |k| edge[0][k] + u * (edge[1][k] - edge[0][k]));
            let norm = |u: f64| at(u).map(|x| x * x).sum::<f64>().sqrt();
            assert!((0..=1000).all(|i| norm(f64::from(i) / 1000.0) > 0.9));
        }
        let length = path_length(&Plane, &path);
        // tangents to the disc, and the arc between them
        let tangents = 2.0 * (1.0 - 0.81_f64).sqrt();
        let arc = 0.9 * (std::f64::consts::PI - 2.0 * 0.9_f64.acos());
        assert!(length > tangents + arc && length < 3.1, "{length}");
        // nor is the circle itself
        assert!(!around(1.5).2);
    }
}
