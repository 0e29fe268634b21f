//! Paths of a link in space.

use nalgebra::Unit;

use super::blend::Blend;
use crate::math::{Point, Pose, Rotation, Vector, se3};
use crate::robot::LinkId;
use crate::{Error, Result};

/// A path of a link's frame through space: straight lines, arcs and screws, one after the other.
///
/// Its parameter grows with the distance of the frame's origin, m, or with 0.2 m per rad where that is more, so that a speed of the
/// parameter bounds both: 0.1 m/s are 0.5 rad/s.
///
/// # Examples
///
/// ```
/// use kinworld::planning::CartesianPath;
/// use kinworld::{LinkId, Point, Pose, Vector};
///
/// // 20 cm down, then a quarter of a circle of 10 cm in the plane of x and y
/// let start = Pose::translation(0.5, 0.0, 0.5);
/// let path = CartesianPath::new(LinkId::new(6), &start)
///     .moved(&Vector::new(0.0, 0.0, -0.2))?
///     .arc(&Point::new(0.4, 0.0, 0.3), &Vector::z(), std::f64::consts::FRAC_PI_2)?;
/// assert!((path.end().translation.vector - Vector::new(0.4, 0.1, 0.3)).norm() < 1e-12);
/// assert!((path.length() - (0.2 + 0.1 * std::f64::consts::FRAC_PI_2)).abs() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CartesianPath {
    link: LinkId,
    start: Pose,
    pieces: Vec<Piece>,
    /// Parameters at the ends of the pieces.
    ends: Vec<f64>,
    /// Radius of the blends at corners, m; 0 where there are none.
    radius: f64,
}

#[derive(Debug, Clone, PartialEq)]
struct Piece {
    from: Pose,
    to: Pose,
    shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    /// A straight line, with the rotation about one axis.
    Line,
    /// A rotation of the frame's origin about an axis; the orientation of the frame stays.
    Arc { center: Point, rotation: Vector },
    /// A rotation of the frame about an axis, and a shift along it.
    Screw {
        through: Point,
        rotation: Vector,
        advance: Vector,
    },
}

/// Length that counts as much as a rotation by 1 rad, m.
const RADIUS: f64 = 0.2;

/// Shorter pieces are none.
const SHORTEST: f64 = 1e-9;

impl CartesianPath {
    /// A path of a link that begins at a pose in the world.
    #[must_use]
    pub fn new(link: LinkId, start: &Pose) -> Self {
        Self {
            link,
            start: *start,
            pieces: Vec::new(),
            ends: Vec::new(),
            radius: 0.0,
        }
    }

    /// With rounded corners: within `radius` m of a corner along the path, the frame goes over from one piece to the next on a curve
    /// that cuts the corner, so that a motion need not stop there; 0 for corners as they are.
    ///
    /// A radius is at most half of each of the two pieces. Between straight lines the curve passes the corner at a quarter of the
    /// radius times the length of the difference of their directions, so at half of the radius at most. The parameter and the
    /// length stay those of the path with corners; the first two derivatives of the curve are those of the pieces where it meets
    /// them.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a radius that is negative or not finite.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::planning::CartesianPath;
    /// use kinworld::{LinkId, Pose, Vector};
    ///
    /// let corner = Pose::translation(0.2, 0.0, 0.0);
    /// let path = CartesianPath::new(LinkId::new(6), &Pose::identity())
    ///     .line(&corner)?
    ///     .moved(&Vector::new(0.0, 0.2, 0.0))?
    ///     .with_blend(0.05)?;
    /// let nearest = path.at(0.2).translation.vector - corner.translation.vector;
    /// assert!((nearest.norm() - 0.25 * 0.05 * 2_f64.sqrt()).abs() < 1e-12);
    /// assert_eq!(path.stops(), [0.4]);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_blend(mut self, radius: f64) -> Result<Self> {
        if !(radius >= 0.0 && radius.is_finite()) {
            let problem = format!("{radius} m is negative or not finite");
            return Err(Error::invalid("the radius of a blend", problem));
        }
        self.radius = radius;
        Ok(self)
    }

    /// On along a straight line to a pose, with a rotation about one axis.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a pose that is not finite or not elsewhere.
    pub fn line(self, to: &Pose) -> Result<Self> {
        let from = self.end();
        let motion = se3::error(to, &from);
        let length = motion.linear.norm().max(RADIUS * motion.angular.norm());
        self.with(*to, Shape::Line, length)
    }

    /// On along a straight line by a vector in world axes, m: to lift, to approach, to retreat.
    ///
    /// # Errors
    ///
    /// As [`line`](Self::line).
    pub fn moved(self, by: &Vector) -> Result<Self> {
        let mut to = self.end();
        to.translation.vector += by;
        self.line(&to)
    }

    /// On along a straight line by a vector in the axes of the link, m.
    ///
    /// # Errors
    ///
    /// As [`line`](Self::line).
    pub fn moved_locally(self, by: &Vector) -> Result<Self> {
        let by = self.end().rotation * by;
        self.moved(&by)
    }

    /// On along an arc about an axis through a point, by an angle in rad; the rotation of the link stays.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for an axis of length zero, for numbers that are not finite, and for an arc without length.
    pub fn arc(self, center: &Point, axis: &Vector, angle: f64) -> Result<Self> {
        let rotation = rotation_vector(axis, angle)?;
        let from = self.end();
        let mut to = from;
        let at = Point::from(from.translation.vector);
        to.translation.vector = rotated(&at, center, &rotation).coords;
        let radius = (at - center).cross(&rotation.normalize()).norm();
        let center = *center;
        self.with(
            to,
            Shape::Arc { center, rotation },
            radius * rotation.norm(),
        )
    }

    /// On by a screw: a rotation of the link about an axis through a point, by an angle in rad, and a shift along it, m.
    ///
    /// With a hinge's axis it opens a door, with a thread's it turns a bolt.
    ///
    /// # Errors
    ///
    /// As [`arc`](Self::arc).
    pub fn screw(self, through: &Point, axis: &Vector, angle: f64, advance: f64) -> Result<Self> {
        let (rotation, direction) = (rotation_vector(axis, angle)?, rotation_vector(axis, 1.0)?);
        let from = self.end();
        let at = Point::from(from.translation.vector);
        let shape = Shape::Screw {
            through: *through,
            rotation,
            advance: direction * advance,
        };
        let piece = Piece {
            from,
            to: from,
            shape,
        };
        let to = piece.at(1.0);
        let radius = (at - through).cross(&direction).norm();
        let length = (radius * angle).hypot(advance);
        self.with(to, shape, length.max(RADIUS * angle.abs()))
    }

    /// The link.
    #[must_use]
    pub fn link(&self) -> LinkId {
        self.link
    }

    /// Pose of the link at the end.
    #[must_use]
    pub fn end(&self) -> Pose {
        self.pieces.last().map_or(self.start, |piece| piece.to)
    }

    /// Length: the parameter at the end.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.ends.last().copied().unwrap_or(0.0)
    }

    /// Parameters at the ends of its pieces.
    #[must_use]
    pub fn ends(&self) -> &[f64] {
        &self.ends
    }

    /// Parameters where a motion has to stop: corners that are not [rounded](Self::with_blend), and the end.
    #[must_use]
    pub fn stops(&self) -> &[f64] {
        match self.ends.len() {
            n if n > 0 && self.radius > 0.0 => &self.ends[n - 1..],
            _ => &self.ends,
        }
    }

    /// Pose of the link at a parameter; beyond the ends, that of the end.
    #[must_use]
    pub fn at(&self, s: f64) -> Pose {
        let Some(last) = self.pieces.len().checked_sub(1) else {
            return self.start;
        };
        let i = self.ends.partition_point(|end| *end < s).min(last);
        // the corner of the nearer end of the piece
        let is_late = s - self.begin(i) > 0.5 * (self.ends[i] - self.begin(i));
        let before = if is_late { Some(i) } else { i.checked_sub(1) };
        if let Some(before) = before.filter(|before| *before < last && self.radius > 0.0) {
            let corner = self.ends[before];
            let shorter = f64::min(corner - self.begin(before), self.ends[before + 1] - corner);
            let radius = self.radius.min(0.5 * shorter);
            let u = 0.5 + (s - corner) / (2.0 * radius);
            if u > 0.0 && u < 1.0 {
                let blend = Blend::at(u);
                let from = self.of_piece(before, corner + radius * blend.before);
                let to = self.of_piece(before + 1, corner + radius * blend.after);
                return blend.between(&from, &to);
            }
        }
        self.of_piece(i, s)
    }

    /// Pose at a parameter of one of its pieces; beyond the ends of the piece, that there.
    fn of_piece(&self, i: usize, s: f64) -> Pose {
        let from = self.begin(i);
        let u = (s - from) / (self.ends[i] - from);
        // false for what is not a number
        self.pieces[i].at(if u > 0.0 { u.min(1.0) } else { 0.0 })
    }

    /// Parameter at which a piece begins.
    fn begin(&self, i: usize) -> f64 {
        i.checked_sub(1).map_or(0.0, |before| self.ends[before])
    }

    fn with(mut self, to: Pose, shape: Shape, length: f64) -> Result<Self> {
        if !(length > SHORTEST && length.is_finite()) {
            let problem = "leads nowhere, or has a number that is not finite";
            return Err(Error::invalid("a piece of a Cartesian path", problem));
        }
        let from = self.end();
        self.ends.push(self.length() + length);
        self.pieces.push(Piece { from, to, shape });
        Ok(self)
    }
}

impl Piece {
    fn at(&self, u: f64) -> Pose {
        match self.shape {
            _ if u >= 1.0 && !matches!(self.shape, Shape::Screw { .. }) => self.to,
            Shape::Line => se3::interpolate(&self.from, &self.to, u),
            Shape::Arc { center, rotation } => {
                let at = Point::from(self.from.translation.vector);
                let mut pose = self.from;
                pose.translation.vector = rotated(&at, &center, &(rotation * u)).coords;
                pose
            }
            Shape::Screw {
                through,
                rotation,
                advance,
            } => {
                let at = Point::from(self.from.translation.vector);
                let mut pose = self.from;
                let moved = rotated(&at, &through, &(rotation * u)) + advance * u;
                pose.translation.vector = moved.coords;
                pose.rotation = Rotation::new(rotation * u) * self.from.rotation;
                pose
            }
        }
    }
}

/// The rotation vector of an angle about an axis.
fn rotation_vector(axis: &Vector, angle: f64) -> Result<Vector> {
    match Unit::try_new(*axis, 1e-12) {
        Some(axis) if axis.iter().all(|x| x.is_finite()) && angle.is_finite() => {
            Ok(axis.into_inner() * angle)
        }
        _ => {
            let problem = format!(
                "{:?} with the angle {angle} has no direction",
                axis.as_slice()
            );
            Err(Error::invalid("the axis of a Cartesian path", problem))
        }
    }
}

/// A point rotated about an axis through another.
fn rotated(p: &Point, about: &Point, rotation: &Vector) -> Point {
    about + Rotation::new(*rotation) * (p - about)
}
