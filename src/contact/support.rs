//! Support polygons.

use nalgebra::Point2;

use super::ContactPoint;
use crate::{Error, Result};

/// Support polygon: horizontal positions of the centre of mass in static equilibrium.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SupportPolygon {
    /// Vertices (m) anticlockwise: none where there is no equilibrium, one or two where the polygon is a point or a line.
    pub vertices: Vec<Point2<f64>>,
    /// True if no vertex is there only because the search was cut off.
    pub is_bounded: bool,
}

impl SupportPolygon {
    /// Area, m².
    #[must_use]
    pub fn area(&self) -> f64 {
        let origin = self.vertices.first().copied().unwrap_or_default();
        let triangle = |pair: [Point2<f64>; 2]| (pair[0] - origin).perp(&(pair[1] - origin));
        self.edges().map(triangle).sum::<f64>() / 2.0
    }

    /// Distance of a position from the boundary, m, negative outside: `-∞` for an empty polygon.
    ///
    /// Measured along normals of the edges: outside of a vertex the distance is greater.
    #[must_use]
    pub fn margin(&self, x: f64, y: f64) -> f64 {
        let p = Point2::new(x, y);
        match self.vertices.as_slice() {
            [] => f64::NEG_INFINITY,
            [only] => -(p - only).norm(),
            [a, b] => -distance(p, *a, *b),
            _ => {
                let depth = |[a, b]: [Point2<f64>; 2]| (b - a).perp(&(p - a)) / (b - a).norm();
                self.edges().map(depth).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Returns whether a position is inside or on the boundary, up to rounding.
    #[must_use]
    pub fn contains(&self, x: f64, y: f64) -> bool {
        let size = self
            .vertices
            .iter()
            .map(|v| v.coords.amax())
            .fold(1.0, f64::max);
        self.margin(x, y) >= -1e-12 * size
    }

    fn edges(&self) -> impl Iterator<Item = [Point2<f64>; 2]> {
        let next = self.vertices.iter().cycle().skip(1);
        self.vertices.iter().zip(next).map(|(a, b)| [*a, *b])
    }
}

/// Support polygon on level ground: the convex hull of the contacts, seen from above.
///
/// Friction has no influence there. Gravity is along −z, and the normals of the contacts along +z.
///
/// # Errors
///
/// [`Error::Invalid`] for a contact whose normal is not vertical; see `support_polygon` for those.
pub fn level_support(contacts: &[ContactPoint]) -> Result<SupportPolygon> {
    for (k, contact) in contacts.iter().enumerate() {
        let normal = contact.cone.normal();
        if normal.z < 1.0 - 1e-9 {
            let problem = format!("its normal is {:?}, not vertical", normal.as_slice());
            return Err(Error::invalid(format!("contact {k}"), problem));
        }
    }
    let points = contacts.iter().map(|contact| contact.point.xy());
    Ok(SupportPolygon {
        vertices: hull(points.collect()),
        is_bounded: true,
    })
}

/// Vertices of the convex hull anticlockwise, without points on its edges (Andrew's monotone chain).
pub(super) fn hull(mut points: Vec<Point2<f64>>) -> Vec<Point2<f64>> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let size = points
        .iter()
        .map(|p| (p - points[0]).norm())
        .fold(0.0, f64::max);
    let chain = |points: &mut dyn Iterator<Item = Point2<f64>>| {
        let mut chain: Vec<Point2<f64>> = Vec::new();
        for p in points {
            while let [.., a, b] = chain.as_slice() {
                if (b - a).perp(&(p - a)) > 1e-14 * size * size {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut vertices = chain(&mut points.iter().copied());
    vertices.extend(chain(&mut points.iter().rev().copied()));
    vertices
}

fn distance(p: Point2<f64>, a: Point2<f64>, b: Point2<f64>) -> f64 {
    let edge = b - a;
    let along = ((p - a).dot(&edge) / edge.norm_squared()).clamp(0.0, 1.0);
    (p - (a + edge * along)).norm()
}
