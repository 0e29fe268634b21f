//! Points of robots themselves out of what their sensors see.

use super::{EntityId, RobotId, WorldModel};
use crate::geometry::{Aabb, Geometry, PointCloud, Primitive, check_pose, query};
use crate::math::{Digits, Point, Pose};
use crate::{Error, Result};

impl WorldModel {
    /// The points of a cloud that are farther than a margin, in metres, from all links of these robots and from all that is
    /// [attached](Self::attach) to them, at their current configurations. `x_wc` is the pose of the cloud in the world: the
    /// points stay in its frame, with their properties.
    ///
    /// By the exact collision shapes, bounding boxes first. A mesh is a surface: what is deeper inside than the margin stays,
    /// unless it is marked as [solid](Geometry::with_solid).
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an unknown robot, [`Error::Invalid`] for a margin that is negative or not finite, and for a pose
    /// that is not finite or whose matrix is no rotation.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::geometry::PointCloud;
    /// use kinworld::{Point, Pose, WorldModel};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?;
    /// let on_it = arm.link("flange")?.world_position(&Point::origin());
    /// let seen = PointCloud::new(vec![on_it, Point::new(2.0, 0.0, 1.0)])?;
    /// let rest = world.without_robots(&seen, &Pose::identity(), &[arm.id()], 0.05)?;
    /// assert_eq!(rest.points(), [Point::new(2.0, 0.0, 1.0)]);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "self_filter")]
    #[doc(alias = "ShapeMask")]
    pub fn without_robots(
        &self,
        cloud: &PointCloud,
        x_wc: &Pose,
        robots: &[RobotId],
        margin: f64,
    ) -> Result<PointCloud> {
        if !(margin.is_finite() && margin >= 0.0) {
            let problem = format!("must be a number from 0 up, got {}", Digits(margin));
            return Err(Error::invalid("the margin around robots", problem));
        }
        check_pose("a cloud", x_wc)?;
        let mut parts = Vec::new();
        for &id in robots {
            let robot = self.robot(id)?;
            let links = robot.links().map(|link| link.entity());
            let held = self.attachments().filter(|(_, held)| held.robot() == id);
            let held = held.map(|(object, _)| EntityId::from(object));
            for entity in links.chain(held) {
                if let (Some(shape), Some(pose)) = (self.shape(entity), self.pose(entity)) {
                    parts.extend(Part::new(shape, &pose, margin));
                }
            }
        }
        let all = parts.iter().map(|part| part.world);
        let Some(all) = all.reduce(|a, b| a.union(&b)) else {
            return Ok(cloud.clone());
        };
        let point = Geometry::from(Primitive::point(Point::origin())?);
        let is_apart = |p: &Point| {
            let p = x_wc * p;
            !contains(&all, &p) || !parts.iter().any(|part| part.is_near(&point, &p, margin))
        };
        let points = (0..).zip(cloud.points());
        let kept: Vec<usize> = points
            .filter(|(_, p)| is_apart(p))
            .map(|(i, _)| i)
            .collect();
        Ok(cloud.select(&kept))
    }
}

/// A shape at a pose, and boxes around it with the margin: in the world, and in its frame.
struct Part<'a> {
    shape: &'a Geometry,
    pose: Pose,
    world: Aabb,
    own: Aabb,
}

impl<'a> Part<'a> {
    fn new(shape: &'a Geometry, pose: &Pose, margin: f64) -> Option<Self> {
        // a millionth more for rounding, and for rotations from files that have few digits
        let inflated = |b: &Aabb| {
            let length = b.min.coords.amax().max(b.max.coords.amax()) + margin;
            b.inflated(margin + 1e-5 * length)
        };
        Some(Self {
            shape,
            pose: *pose,
            world: inflated(&shape.aabb(pose)?),
            own: inflated(&shape.aabb(&Pose::identity())?),
        })
    }

    fn is_near(&self, point: &Geometry, p: &Point, margin: f64) -> bool {
        contains(&self.world, p)
            && contains(&self.own, &self.pose.inverse_transform_point(p))
            && query::within_distance_at(
                (self.shape, &self.pose),
                (point, &Pose::translation(p.x, p.y, p.z)),
                margin,
            )
    }
}

fn contains(b: &Aabb, p: &Point) -> bool {
    (0..3).all(|k| b.min[k] <= p[k] && p[k] <= b.max[k])
}
