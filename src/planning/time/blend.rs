//! Straight lines with rounded corners.

use super::path::GeometricPath;
use crate::{Error, Result, kinematics};

/// Lines through waypoints; `deviation` is that of each corner, by the number of its waypoint among those that differ.
///
/// A blend is a parabola that leaves one line and joins the other at the same distance from the corner, so that the direction
/// changes steadily along it.
pub(super) fn blended<Q: AsRef<[f64]>>(
    waypoints: &[Q],
    deviation: impl Fn(usize) -> f64,
) -> Result<GeometricPath> {
    let points = distinct(waypoints)?;
    let n = points[0].len();
    let lines: Vec<Line> = points.windows(2).map(|p| Line::new(p[0], p[1])).collect();
    let mut pieces = Pieces::new(n);
    // how much of the line the blend at its beginning takes
    let mut taken = 0.0;
    for (i, line) in lines.iter().enumerate() {
        let next = lines.get(i + 1);
        let cut = next.map_or(0.0, |next| line.cut(next, deviation(i + 1)));
        let straight = line.length - taken - cut;
        if straight > ROUNDING * line.length {
            let from: Vec<f64> = line.point(points[i], taken);
            pieces.push(straight, |dof| [from[dof], line.direction[dof], 0.0]);
        }
        if let Some(next) = next.filter(|_| cut > 0.0) {
            let from = line.point(points[i], line.length - cut);
            pieces.push(2.0 * cut, |dof| {
                let change = next.direction[dof] - line.direction[dof];
                [from[dof], line.direction[dof], change / (4.0 * cut)]
            });
        }
        taken = cut;
    }
    GeometricPath::polynomials(n, 2, pieces.breaks, pieces.coefficients)
}

/// The waypoints that differ from the one before.
pub(in crate::planning) fn distinct<Q: AsRef<[f64]>>(waypoints: &[Q]) -> Result<Vec<&[f64]>> {
    let mut points: Vec<&[f64]> = Vec::new();
    for waypoint in waypoints {
        let waypoint = waypoint.as_ref();
        let n = points.first().map_or(waypoint.len(), |first| first.len());
        kinematics::check_values("a waypoint", n, waypoint)?;
        if points
            .last()
            .is_none_or(|last| distance(last, waypoint) > 0.0)
        {
            points.push(waypoint);
        }
    }
    if points.len() < 2 || points[0].is_empty() {
        let problem = "needs two waypoints that differ";
        return Err(Error::invalid("a path", problem));
    }
    Ok(points)
}

/// Euclidean distance.
pub(in crate::planning) fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

/// What is shorter, as a share of a line, is rounding.
const ROUNDING: f64 = 1e-9;

/// A path whose direction changes by less keeps its corner; one that turns back, with a cosine below this, too.
const LEAST_CHANGE: f64 = 1e-12;
const REVERSAL: f64 = -0.99;

struct Line {
    length: f64,
    direction: Vec<f64>,
}

impl Line {
    fn new(from: &[f64], to: &[f64]) -> Self {
        let length = distance(from, to);
        let direction = from.iter().zip(to).map(|(a, b)| (b - a) / length);
        Self {
            length,
            direction: direction.collect(),
        }
    }

    fn point(&self, from: &[f64], at: f64) -> Vec<f64> {
        let both = from.iter().zip(&self.direction);
        both.map(|(p, d)| p + at * d).collect()
    }

    /// How much of this line and of the next one the blend between them takes.
    fn cut(&self, next: &Self, deviation: f64) -> f64 {
        let both = self.direction.iter().zip(&next.direction);
        let cosine: f64 = both.map(|(a, b)| a * b).sum();
        let change = distance(&self.direction, &next.direction);
        if change < LEAST_CHANGE || cosine < REVERSAL {
            return 0.0;
        }
        // the middle of the parabola is a quarter of cut · change from the corner
        let cut = 4.0 * deviation / change;
        cut.min(0.5 * self.length).min(0.5 * next.length)
    }
}

/// Pieces of degree 2, as they are added.
struct Pieces {
    n: usize,
    breaks: Vec<f64>,
    coefficients: Vec<f64>,
}

impl Pieces {
    fn new(n: usize) -> Self {
        Self {
            n,
            breaks: vec![0.0],
            coefficients: Vec::new(),
        }
    }

    fn push(&mut self, length: f64, of: impl Fn(usize) -> [f64; 3]) {
        self.breaks
            .push(self.breaks[self.breaks.len() - 1] + length);
        (0..self.n).for_each(|dof| self.coefficients.extend(of(dof)));
    }
}
