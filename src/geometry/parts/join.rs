//! Merging of convex parts: too many, or hardly larger together.

use super::PartOptions;
use crate::geometry::bounds::Aabb;
use crate::geometry::hull::ConvexHull;
use crate::geometry::spheres::directions;
use crate::math::{Point, Vector};

/// Merges parts, each the hull of its points, until there are at most `max_parts` and no merge is nearly free.
///
/// Of neighbours, the pair whose common hull adds the least volume is merged first. `hull_volume` is the volume of the
/// hull of all.
pub(super) fn join(
    contents: Vec<Vec<Point>>,
    options: &PartOptions,
    hull_volume: f64,
) -> Vec<Vec<Point>> {
    let free = FREE * options.concavity * hull_volume;
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
            // the remaining parts are disjoint: merge the two closest
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

/// Two parts are merged where that adds less than this share of the allowed concavity.
const FREE: f64 = 0.1;

/// A part: the hull of its points.
struct Part {
    points: Vec<Point>,
    bounds: Aabb,
    /// The farthest points in some directions: close enough to the hull to compare volumes.
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

    /// Volume that the common hull of two parts adds to theirs.
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

/// The two parts whose boxes are closest.
fn nearest(parts: &[Option<Part>]) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for (j, b) in parts.iter().enumerate() {
        for (i, a) in parts[..j].iter().enumerate() {
            let (Some(a), Some(b)) = (a, b) else { continue };
            let separation = a.bounds.separation(&b.bounds);
            if best.is_none_or(|(least, ..)| separation < least) {
                best = Some((separation, i, j));
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

/// Volume of a hull, 0 where it is flat.
fn volume(points: &[Point]) -> f64 {
    ConvexHull::new(points).map_or(0.0, |hull| hull.volume())
}
