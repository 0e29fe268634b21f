//! Poses that meet an objective: the nearest one and random ones.

use nalgebra::Matrix3;

use super::residual_term::rotation_between;
use super::{Objective, PositionGoal, RotationGoal};
use crate::math::{Point, Pose, Rotation, SplitMix, Vector, so3};
use crate::{Error, Result};

impl Objective {
    /// The pose that meets the objective and is nearest to another: the smallest rotation first, then the
    /// smallest translation.
    ///
    /// Both poses are of the link in the anchor. Point sets that no pose maps to their targets are fitted by
    /// least squares.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a pose or an objective with invalid numbers.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::kinematics::ik::{Objective, PositionGoal};
    /// use kinworld::{LinkId, Point, Pose, Vector};
    ///
    /// // a pen on the table, 0.7 m high; its tip 0.1 m in front of the hand
    /// let (tip, table) = (Point::new(0.0, 0.0, 0.1), Point::new(0.0, 0.0, 0.7));
    /// let on_table = PositionGoal::Plane { p_link: tip, through: table, normal: Vector::z() };
    /// let pen = Objective::position(LinkId::new(6), on_table);
    /// let nearest = pen.closest(&Pose::translation(0.4, 0.2, 0.5))?;
    /// assert!((nearest.translation.vector - Vector::new(0.4, 0.2, 0.6)).norm() < 1e-15);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "closestMatch")]
    pub fn closest(&self, near: &Pose) -> Result<Pose> {
        self.check_numbers(|| "objective")?;
        crate::geometry::check_pose("pose", near)?;
        let rotation = self.closest_rotation(&near.rotation);
        let t = near.translation.vector;
        let at = |p_link: &Point| rotation * p_link.coords + t;
        let moved = match &self.position {
            PositionGoal::Free => Vector::zeros(),
            PositionGoal::Point { p_link, target } => target.coords - at(p_link),
            PositionGoal::Line {
                p_link,
                through,
                direction,
            } => {
                let (d, offset) = (direction.normalize(), through.coords - at(p_link));
                offset - d * d.dot(&offset)
            }
            PositionGoal::Plane {
                p_link,
                through,
                normal,
            } => {
                let n = normal.normalize();
                n * n.dot(&(through.coords - at(p_link)))
            }
            PositionGoal::Points(points) => match centroids(points) {
                Some([link, target]) => target - (rotation * link + t),
                None => Vector::zeros(),
            },
        };
        Ok(Pose::from_parts((t + moved).into(), rotation))
    }

    /// A random pose that meets the objective: uniform over the free rotations, and else as near to `near` as
    /// possible; a free position lies within `radius` (m) of it.
    ///
    /// The pose of the link in the anchor; the same seed gives the same pose on every machine.
    ///
    /// # Errors
    ///
    /// As [`closest`](Self::closest), and [`Error::Invalid`] for a radius that is negative or not finite.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::kinematics::ik::Objective;
    /// use kinworld::{LinkId, Point, Pose};
    ///
    /// let there = Point::new(0.4, 0.2, 0.5);
    /// let touch = Objective::point(LinkId::new(6), Point::new(0.0, 0.0, 0.1), there);
    /// let (one, other) = (touch.sample(&Pose::identity(), 1.0, 1)?, touch.sample(&Pose::identity(), 1.0, 2)?);
    /// for pose in [one, other] {
    ///     assert!((pose * Point::new(0.0, 0.0, 0.1) - there).norm() < 1e-15);
    /// }
    /// assert!(one.rotation.angle_to(&other.rotation) > 0.1);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "sampleTransform")]
    pub fn sample(&self, near: &Pose, radius: f64, seed: u64) -> Result<Pose> {
        if !(radius >= 0.0 && radius.is_finite()) {
            let problem = format!("is {radius}, it must be finite and not negative");
            return Err(Error::invalid("radius", problem));
        }
        let mut random = SplitMix::new(seed);
        let mut three = || [random.uniform(), random.uniform(), random.uniform()];
        let rotation = so3::from_uniform(three());
        let offset = loop {
            let unit = Vector::from(three().map(|u| 2.0 * u - 1.0));
            if unit.norm_squared() <= 1.0 {
                break unit * radius;
            }
        };
        let start = Pose::from_parts((near.translation.vector + offset).into(), rotation);
        self.closest(&start)
    }

    /// The rotation that meets the objective and is nearest to another.
    fn closest_rotation(&self, near: &Rotation) -> Rotation {
        let points: &[(Point, Point)] = match &self.position {
            PositionGoal::Points(points) => points,
            _ => &[],
        };
        match &self.rotation {
            RotationGoal::Fixed(target) => *target,
            RotationGoal::Axis { d_link, target } => {
                let axis = target.normalize();
                let aligned = rotation_between(&(near * d_link.normalize()), &axis);
                let aligned = so3::from_rotation_vector(&aligned) * near;
                so3::from_rotation_vector(&(axis * best_angle(points, &aligned, &axis))) * aligned
            }
            RotationGoal::Free => kabsch(points, near),
        }
    }
}

/// Centroids of the points in the link and of their targets.
fn centroids(points: &[(Point, Point)]) -> Option<[Vector; 2]> {
    let n = points.len();
    let sum = |of: fn(&(Point, Point)) -> Vector| points.iter().map(of).sum::<Vector>() / n as f64;
    (n > 0).then(|| [sum(|(p, _)| p.coords), sum(|(_, q)| q.coords)])
}

/// Points in the link and targets, each relative to their centroid.
fn centred(points: &[(Point, Point)]) -> impl Iterator<Item = (Vector, Vector)> + '_ {
    let [p_0, q_0] = centroids(points).unwrap_or_default();
    points
        .iter()
        .map(move |(p, q)| (p.coords - p_0, q.coords - q_0))
}

/// Angle about an axis that brings rotated points nearest to their targets; 0 where it makes no difference.
fn best_angle(points: &[(Point, Point)], rotation: &Rotation, axis: &Vector) -> f64 {
    let (mut along, mut across) = (0.0, 0.0);
    for (p, q) in centred(points) {
        let p = rotation * p;
        along += p.dot(&q) - axis.dot(&p) * axis.dot(&q);
        across += axis.dot(&p.cross(&q));
    }
    if along.abs().max(across.abs()) > f64::MIN_POSITIVE {
        across.atan2(along)
    } else {
        0.0
    }
}

/// Rotation that brings points nearest to their targets: Kabsch (1976), A solution for the best rotation to relate
/// two sets of vectors. Free directions rotate as little as possible.
fn kabsch(points: &[(Point, Point)], near: &Rotation) -> Rotation {
    let mut sum = Matrix3::zeros();
    for (p, q) in centred(points) {
        sum += q * p.transpose();
    }
    let size = sum.norm();
    if size <= f64::MIN_POSITIVE {
        return *near;
    }
    let svd = (sum / size).svd(true, true);
    let (Some(mut u), Some(v_t)) = (svd.u, svd.v_t) else {
        return *near;
    };
    if svd.singular_values[1] > COLLINEAR {
        // not collinear: a rotation, not a reflection
        if (u * v_t).determinant() < 0.0 {
            u.set_column(2, &(-u.column(2)));
        }
        return Rotation::from_matrix_unchecked(u * v_t);
    }

    // collinear: the shortest rotation onto the line of the targets
    let (from, to) = (v_t.row(0).transpose(), u.column(0).into_owned());
    so3::from_rotation_vector(&rotation_between(&(near * from), &to)) * near
}

/// Squared ratio of width to length below which points count as collinear.
const COLLINEAR: f64 = 1e-12;
