//! Support polygons on uneven ground.

use nalgebra::{Point2, Vector2};

use super::ContactPoint;
use super::forces::{Friction, bounding_radius, contact_forces, sums};
use super::program::{Affine, Program};
use super::support::{SupportPolygon, hull};
use crate::Result;
use crate::math::Point;

/// Support polygon: horizontal positions of the centre of mass for which contacts can hold the weight; gravity is along −z.
///
/// Computed by iterative projection: the farthest position in ever more directions (Bretl and Lall, 2008). With friction
/// pyramids all vertices are found. With exact cones the region is curved; the vertices lie on its boundary, and less than a
/// thousandth of its area is missing. Contacts that hold the weight anywhere, such as hands around a pole, give a polygon cut
/// off at 100 times the radius of the contacts, which is not [bounded](SupportPolygon::is_bounded).
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for a pyramid with fewer than three edges.
///
/// # Examples
///
/// ```
/// use kinworld::contact::{ContactPoint, Friction, support_polygon};
/// use kinworld::{Point, Vector};
///
/// // three feet on steps of different heights
/// let feet = [(0.0, 0.0, 0.0), (0.3, 0.0, 0.1), (0.0, 0.4, 0.2)];
/// let feet = feet.map(|(x, y, z)| ContactPoint::new(Point::new(x, y, z), Vector::z(), 0.5));
/// let feet = feet.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let support = support_polygon(&feet, Friction::Exact)?;
/// assert!(support.contains(0.1, 0.1) && !support.contains(-0.2, 0.1));
///
/// // on steps this low, friction adds no area to the triangle between the feet
/// assert!((support.area() - 0.06).abs() < 1e-5);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn support_polygon(contacts: &[ContactPoint], friction: Friction) -> Result<SupportPolygon> {
    friction.check()?;
    let mut middle = Point::origin();
    for contact in contacts {
        middle += contact.point.coords / contacts.len() as f64;
    }
    let length = bounding_radius(contacts, &middle);
    let search = Search::new(contacts, &middle, length, friction);
    let vertices: Vec<_> = search.vertices();
    let is_bounded = vertices.iter().all(|v| v.coords.amax() < 0.999 * FARTHEST);
    let position = |v: Point2<f64>| middle.xy() + v.coords * length;
    Ok(SupportPolygon {
        vertices: vertices.into_iter().map(position).collect(),
        is_bounded,
    })
}

/// Maximises the position of the centre of mass along a direction, relative to the middle of the contacts, in units of their
/// bounding radius.
struct Search {
    program: Program,
    position: [usize; 2],
}

impl Search {
    fn new(contacts: &[ContactPoint], middle: &Point, length: f64, friction: Friction) -> Self {
        let mut program = Program::default();
        let position = [0, 1].map(|_| program.variable(0.0));
        for x in position {
            for sign in [-1.0, 1.0] {
                let mut slack = Affine::of(x, sign);
                slack.constant = FARTHEST;
                program.not_negative(slack);
            }
        }
        // the weight is 1, and its moment (−y, x, 0)
        let contact_forces = contact_forces(&mut program, contacts, friction);
        let [mx, my, mz, fx, fy, mut fz] = sums(&contact_forces, contacts, middle, length);
        fz.constant = -1.0;
        let [x, y] = position;
        for row in [mx.plus(y, -1.0), my.plus(x, 1.0), mz, fx, fy, fz] {
            program.zero(row);
        }
        Self { program, position }
    }

    fn farthest(&self, direction: Vector2<f64>) -> Option<Point2<f64>> {
        let mut program = self.program.clone();
        for (x, d) in self.position.into_iter().zip(direction.iter()) {
            program.set_cost(x, -d);
        }
        let x = program.solve()?;
        Some(Point2::from(self.position.map(|j| x[j])))
    }

    /// Vertices anticlockwise: refines the inner polygon until the outer one, of the tangents found, is hardly larger.
    fn vertices(&self) -> Vec<Point2<f64>> {
        let start = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        let mut boundary = Vec::new();
        for (x, y) in start {
            let direction = Vector2::new(x, y);
            // infeasible in one direction: infeasible in all
            let Some(vertex) = self.farthest(direction) else {
                return Vec::new();
            };
            boundary.push((direction, vertex));
        }
        for _ in 0..MAX_QUERIES {
            let n = boundary.len();
            let gap = |k: usize| gap_area(&boundary[k], &boundary[(k + 1) % n]);
            let worst = (0..n).max_by(|&a, &b| gap(a).total_cmp(&gap(b)));
            let Some(k) = worst.filter(|&k| gap(k) > FINE * area(&boundary)) else {
                break;
            };
            let edge = boundary[(k + 1) % n].1 - boundary[k].1;
            let normal = Vector2::new(edge.y, -edge.x).normalize();
            let Some(vertex) = self.farthest(normal) else {
                break;
            };
            // nothing beyond the edge: it is an edge of the polygon, and is not queried again
            let gain = normal.dot(&(vertex - boundary[k].1));
            let vertex = if gain > ROUGH { vertex } else { boundary[k].1 };
            boundary.insert(k + 1, (normal, vertex));
        }
        let mut vertices: Vec<Point2<f64>> = Vec::new();
        for (_, vertex) in boundary {
            if vertices.iter().all(|known| (known - vertex).norm() > ROUGH) {
                vertices.push(vertex);
            }
        }
        hull(vertices)
    }
}

/// A direction, and the farthest vertex along it.
type SupportVertex = (Vector2<f64>, Point2<f64>);

/// Area of the triangle of two neighbours and the intersection of their support lines.
fn gap_area((d, a): &SupportVertex, (e, b): &SupportVertex) -> f64 {
    let edge = b - a;
    let cross = d.perp(e);
    if edge.norm() <= ROUGH || cross <= 1e-9 {
        return 0.0;
    }
    // from a along its support line to that of b
    let along = edge.dot(e) / cross;
    let tip = Vector2::new(-d.y, d.x) * along;
    (tip.perp(&edge) / 2.0).abs()
}

/// Area of the polygon, at least that of a square of a thousandth of the radius, so that lines and points terminate.
fn area(boundary: &[SupportVertex]) -> f64 {
    let n = boundary.len();
    let origin = boundary[0].1;
    let triangle = |k: usize| (boundary[k].1 - origin).perp(&(boundary[(k + 1) % n].1 - origin));
    ((0..n).map(triangle).sum::<f64>() / 2.0).max(1e-6)
}

/// Largest coordinate, in units of the contacts' bounding radius.
const FARTHEST: f64 = 100.0;
/// Accuracy of the solver, in the same units.
const ROUGH: f64 = 1e-6;
/// Relative area that one edge may leave out.
const FINE: f64 = 1e-5;
const MAX_QUERIES: usize = 500;
