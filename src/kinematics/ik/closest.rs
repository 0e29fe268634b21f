//! Poses that meet an objective: the nearest one, and random ones.

use nalgebra::Matrix3;

use super::residual_term::rotation_between;
use super::{Objective, PositionGoal, RotationGoal};
use crate::math::{Point, Pose, Rotation, SplitMix, Vector, so3};
use crate::{Error, Result};

impl Objective {
    /// The pose that meets the objective and is nearest to another: turned as little as need be, then moved as little.
    ///
    /// Both are from the link to the anchor. Points that no pose brings to their places are met as least squares do.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a pose or an objective with numbers that mean nothing.
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

    /// A random pose that meets the objective: it turns any way that is left free, evenly, and stays as near to
    /// `near` as that and the objective let it; where it may be anywhere, within `radius` (m) of it.
    ///
    /// From the link to the anchor; the same seed gives the same pose on every machine.
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

/// The mean of the points in the link, and of their targets.
fn centroids(points: &[(Point, Point)]) -> Option<[Vector; 2]> {
    let n = points.len();
    let sum = |of: fn(&(Point, Point)) -> Vector| points.iter().map(of).sum::<Vector>() / n as f64;
    (n > 0).then(|| [sum(|(p, _)| p.coords), sum(|(_, q)| q.coords)])
}

/// From their centroids to the points in the link, and to their targets.
fn centred(points: &[(Point, Point)]) -> impl Iterator<Item = (Vector, Vector)> + '_ {
    let [p_0, q_0] = centroids(points).unwrap_or_default();
    points
        .iter()
        .map(move |(p, q)| (p.coords - p_0, q.coords - q_0))
}

/// By which angle about an axis turned points come nearest to their targets; 0 where that does not matter.
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

/// The rotation that brings points nearest to their targets: Kabsch (1976), A solution for the best rotation to relate two
/// sets of vectors. What they leave free is turned as little as need be.
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
        // three points that are not in line: a rotation, not a mirror
        if (u * v_t).determinant() < 0.0 {
            u.set_column(2, &(-u.column(2)));
        }
        return Rotation::from_matrix_unchecked(u * v_t);
    }

    // all in one line, which the shortest turn brings to that of the targets
    let (from, to) = (v_t.row(0).transpose(), u.column(0).into_owned());
    so3::from_rotation_vector(&rotation_between(&(near * from), &to)) * near
}

/// Points are in line where they are so much less wide than long, squared.
const COLLINEAR: f64 = 1e-12;
