//! Where the weight may be on any ground.

use nalgebra::{Point2, Vector2};

use super::Contact;
use super::forces::{Friction, handles, reach, sums};
use super::program::{Affine, Program};
use super::support::{SupportPolygon, hull};
use crate::Result;
use crate::math::Point;

/// Where a centre of mass may be, seen from above, so that contacts can hold the weight; gravity is along −z.
///
/// The polygon is found by looking for the farthest position in ever more directions (Bretl and Lall, 2008). With a pyramid for
/// friction all of its corners are found; the exact cones make a round figure, whose corners lie on its edge, and of which
/// less than a thousandth of the area is missing. Contacts that hold the weight wherever it is, as hands around a pole do, make a
/// polygon that ends 100 times as far away as the contacts are from their middle, and is not
/// [bounded](SupportPolygon::is_bounded).
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for a pyramid with fewer than three edges.
///
/// # Examples
///
/// ```
/// use kinworld::contact::{Contact, Friction, support_polygon};
/// use kinworld::{Point, Vector};
///
/// // three feet on steps of different heights
/// let feet = [(0.0, 0.0, 0.0), (0.3, 0.0, 0.1), (0.0, 0.4, 0.2)];
/// let feet = feet.map(|(x, y, z)| Contact::new(Point::new(x, y, z), Vector::z(), 0.5));
/// let feet = feet.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let support = support_polygon(&feet, Friction::Exact)?;
/// assert!(support.contains(0.1, 0.1) && !support.contains(-0.2, 0.1));
///
/// // on steps as low as these friction adds no room to the triangle between the feet
/// assert!((support.area() - 0.06).abs() < 1e-5);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn support_polygon(contacts: &[Contact], friction: Friction) -> Result<SupportPolygon> {
    friction.check()?;
    let mut middle = Point::origin();
    for contact in contacts {
        middle += contact.point.coords / contacts.len() as f64;
    }
    let length = reach(contacts, &middle);
    let search = Search::new(contacts, &middle, length, friction);
    let vertices: Vec<_> = search.corners();
    let is_bounded = vertices.iter().all(|v| v.coords.amax() < 0.999 * FARTHEST);
    let place = |v: Point2<f64>| middle.xy() + v.coords * length;
    Ok(SupportPolygon {
        vertices: vertices.into_iter().map(place).collect(),
        is_bounded,
    })
}

/// Looks for the farthest position of the centre of mass, from the middle of the contacts, in units of their reach.
struct Search {
    program: Program,
    position: [usize; 2],
}

impl Search {
    fn new(contacts: &[Contact], middle: &Point, length: f64, friction: Friction) -> Self {
        let mut program = Program::default();
        let position = [0, 1].map(|_| program.variable(0.0));
        for x in position {
            for sign in [-1.0, 1.0] {
                let mut room = Affine::of(x, sign);
                room.constant = FARTHEST;
                program.not_negative(room);
            }
        }
        // the weight is 1, and its moment (−y, x, 0)
        let handles = handles(&mut program, contacts, friction);
        let [mx, my, mz, fx, fy, mut fz] = sums(&handles, contacts, middle, length);
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

    /// Corners anticlockwise: an inner polygon grows until the outer one, of the directions looked into, is hardly larger.
    fn corners(&self) -> Vec<Point2<f64>> {
        let start = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        let mut rim = Vec::new();
        for (x, y) in start {
            let direction = Vector2::new(x, y);
            // if there is none in one direction, there is none at all
            let Some(corner) = self.farthest(direction) else {
                return Vec::new();
            };
            rim.push((direction, corner));
        }
        for _ in 0..MOST_LOOKS {
            let n = rim.len();
            let left_out = |k: usize| missing(&rim[k], &rim[(k + 1) % n]);
            let worst = (0..n).max_by(|&a, &b| left_out(a).total_cmp(&left_out(b)));
            let Some(k) = worst.filter(|&k| left_out(k) > FINE * area(&rim)) else {
                break;
            };
            let edge = rim[(k + 1) % n].1 - rim[k].1;
            let outwards = Vector2::new(edge.y, -edge.x).normalize();
            let Some(corner) = self.farthest(outwards) else {
                break;
            };
            // nothing beyond the edge: it is one of the polygon, and is not looked at again
            let gain = outwards.dot(&(corner - rim[k].1));
            let corner = if gain > ROUGH { corner } else { rim[k].1 };
            rim.insert(k + 1, (outwards, corner));
        }
        let mut corners: Vec<Point2<f64>> = Vec::new();
        for (_, corner) in rim {
            if corners.iter().all(|known| (known - corner).norm() > ROUGH) {
                corners.push(corner);
            }
        }
        hull(corners)
    }
}

/// A direction, and the farthest corner in it.
type Look = (Vector2<f64>, Point2<f64>);

/// The area of the triangle between two neighbours and where the lines across their directions meet.
fn missing((d, a): &Look, (e, b): &Look) -> f64 {
    let edge = b - a;
    let cross = d.perp(e);
    if edge.norm() <= ROUGH || cross <= 1e-9 {
        return 0.0;
    }
    // from a along its line until the line of b
    let along = edge.dot(e) / cross;
    let tip = Vector2::new(-d.y, d.x) * along;
    (tip.perp(&edge) / 2.0).abs()
}

/// At least that of a square of a thousandth of the reach, so that lines and points come to an end.
fn area(rim: &[Look]) -> f64 {
    let n = rim.len();
    let origin = rim[0].1;
    let triangle = |k: usize| (rim[k].1 - origin).perp(&(rim[(k + 1) % n].1 - origin));
    ((0..n).map(triangle).sum::<f64>() / 2.0).max(1e-6)
}

/// In units of the contacts' reach.
const FARTHEST: f64 = 100.0;
/// What the solver is accurate to, in the same units.
const ROUGH: f64 = 1e-6;
/// The share of the area that one edge may leave out.
const FINE: f64 = 1e-5;
const MOST_LOOKS: usize = 500;
