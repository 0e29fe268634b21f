//! Parts that are joined: too many, or hardly larger together.

use super::PartOptions;
use crate::geometry::bounds::Aabb;
use crate::geometry::hull::ConvexHull;
use crate::geometry::spheres::directions;
use crate::math::{Point, Vector};

/// Joins parts, given by points whose hulls they are, until there are few enough and joining any two costs room.
///
/// Of neighbours those two go first whose common hull adds the least volume to theirs. `whole` is the volume of the hull of
/// all.
pub(super) fn join(
    contents: Vec<Vec<Point>>,
    options: &PartOptions,
    whole: f64,
) -> Vec<Vec<Point>> {
    let free = FREE * options.concavity * whole;
    let mut parts: Vec<Option<Part>> = contents.into_iter().map(|c| Some(Part::new(c))).collect();
    let mut left = parts.len();
    let slack = parts
        .iter()
        .flatten()
        .map(|part| part.bounds.half_size().amax());
    let slack = 1e-6 * slack.fold(0.0, f64::max);
    let mut costs: Vec<(f64, usize, usize)> = Vec::new();
    let cost = |parts: &[Option<Part>], i: usize, j: usize| {
        let (a, b) = (parts[i].as_ref()?, parts[j].as_ref()?);
        let are_neighbours = a.bounds.separation(&b.bounds) <= slack;
        are_neighbours.then(|| (a.cost(b), i, j))
    };
    for j in 0..parts.len() {
        costs.extend((0..j).filter_map(|i| cost(&parts, i, j)));
    }
    while left > 1 {
        let least = costs.iter().copied().min_by(|x, y| x.0.total_cmp(&y.0));
        let (added, i, j) = match least {
            Some(least) => least,
            // what is left lies apart: the two nearest
            None if left > options.max_parts => match nearest(&parts) {
                Some((i, j)) => (0.0, i, j),
                None => break,
            },
            None => break,
        };
        if left <= options.max_parts && added > free {
            break;
        }
        let (Some(a), Some(b)) = (parts[i].take(), parts[j].take()) else {
            break;
        };
        parts[i] = Some(a.into_joined(b));
        left -= 1;
        costs.retain(|&(_, k, l)| ![k, l].iter().any(|m| [i, j].contains(m)));
        let others = (0..parts.len()).filter(|&k| k != i);
        costs.extend(others.filter_map(|k| cost(&parts, k.min(i), k.max(i))));
    }
    parts
        .into_iter()
        .flatten()
        .map(|part| part.points)
        .collect()
}

/// Two parts are joined where that adds less than this share of what may be left uncut.
const FREE: f64 = 0.1;

/// Points whose hull is a part.
struct Part {
    points: Vec<Point>,
    bounds: Aabb,
    /// The farthest points in some directions: near enough to the hull to compare volumes.
    sketch: Vec<Point>,
    volume: f64,
}

impl Part {
    /// A part of at least one point.
    fn new(points: Vec<Point>) -> Self {
        let sketch = sketch(&points);
        Self {
            bounds: bounds(&points),
            volume: volume(&sketch),
            sketch,
            points,
        }
    }

    /// How much room the hull of two parts takes beside theirs.
    fn cost(&self, other: &Self) -> f64 {
        let both = [&self.sketch[..], &other.sketch].concat();
        volume(&both) - self.volume - other.volume
    }

    fn into_joined(mut self, mut other: Self) -> Self {
        self.points.append(&mut other.points);
        let both = sketch(&[self.sketch, other.sketch].concat());
        Self {
            bounds: self.bounds.union(&other.bounds),
            volume: volume(&both),
            sketch: both,
            points: self.points,
        }
    }
}

/// The two parts whose boxes are nearest.
fn nearest(parts: &[Option<Part>]) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for (j, b) in parts.iter().enumerate() {
        for (i, a) in parts[..j].iter().enumerate() {
            let (Some(a), Some(b)) = (a, b) else { continue };
            let gap = a.bounds.separation(&b.bounds);
            if best.is_none_or(|(least, ..)| gap < least) {
                best = Some((gap, i, j));
            }
        }
    }
    best.map(|(_, i, j)| (i, j))
}

fn bounds(points: &[Point]) -> Aabb {
    let origin = Aabb {
        min: Point::origin(),
        max: Point::origin(),
    };
    Aabb::around(points.iter().copied()).unwrap_or(origin)
}

/// The farthest points in some directions, each once.
fn sketch(points: &[Point]) -> Vec<Point> {
    let farthest = |direction: Vector| {
        let along = |i: &usize| direction.dot(&points[*i].coords);
        (0..points.len()).max_by(|i, j| along(i).total_cmp(&along(j)))
    };
    let mut chosen: Vec<usize> = directions().filter_map(farthest).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|i| points[i]).collect()
}

/// The volume of a hull, 0 where it is flat.
fn volume(points: &[Point]) -> f64 {
    ConvexHull::new(points).map_or(0.0, |hull| hull.volume())
}
