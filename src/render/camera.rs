//! Cameras.

use nalgebra::Matrix3;

use crate::geometry::{Aabb, check_pose};
use crate::math::{Point, Pose, Rotation, Vector};
use crate::robot::Element;
use crate::world::WorldModel;
use crate::{Error, Result};

/// A pinhole camera: x to the right, y down, z ahead, as in OpenCV.
///
/// A point (x, y, z) of its frame is seen at `u = fx x / z + cx`, `v = fy y / z + cy`, in pixels from the upper left corner of
/// the picture; the centre of the first pixel is (0.5, 0.5).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Camera {
    /// Its frame in the world.
    pub pose: Pose,
    /// Width and height of the picture, pixels.
    pub size: [usize; 2],
    /// Focal lengths along x and y, pixels.
    pub focal: [f64; 2],
    /// Where the optical axis meets the picture, pixels.
    pub center: [f64; 2],
}

/// Most pixels along a side.
const MOST: usize = 16_384;

impl Camera {
    /// A camera at a pose with a vertical field of view in rad, whose axis meets the middle of the picture.
    pub fn new(pose: Pose, size: [usize; 2], field_of_view: f64) -> Self {
        let [width, height] = size.map(|n| n as f64);
        let focal = height / 2.0 / (field_of_view / 2.0).tan();
        Self {
            pose,
            size,
            focal: [focal; 2],
            center: [width / 2.0, height / 2.0],
        }
    }

    /// A camera at `eye` that looks at `target`, with the z axis of the world upwards in the picture.
    pub fn looking_at(eye: Point, target: Point, size: [usize; 2], field_of_view: f64) -> Self {
        let ahead = (target - eye).try_normalize(0.0).unwrap_or_else(Vector::x);
        let up = match ahead.z.abs() < 0.999_999 {
            true => Vector::z(),
            false => Vector::y(),
        };
        let right = ahead.cross(&up).normalize();
        let rotation = Matrix3::from_columns(&[right, ahead.cross(&right), ahead]);
        let pose = Pose::from_parts(eye.coords.into(), Rotation::from_matrix_unchecked(rotation));
        Self::new(pose, size, field_of_view)
    }

    /// A camera that sees all of a world from the right, in front and above, with a field of view of 38°.
    pub fn of_world(world: &WorldModel, size: [usize; 2]) -> Self {
        let bounds = bounds(world);
        let center = bounds.center();
        let back = Vector::new(1.0, -1.25, 0.72).normalize();
        let right = Vector::z().cross(&back).normalize();
        let up = back.cross(&right);
        let field_of_view = 38_f64.to_radians();
        let half = (field_of_view / 2.0).tan();
        let aspect = size[0] as f64 / (size[1] as f64).max(1.0);
        let mut parts = boxes(world);
        if parts.is_empty() {
            parts.push(bounds);
        }
        let corners: Vec<Point> = parts.iter().flat_map(Aabb::corners).collect();
        let (mut target, mut distance) = (center, 4.0 * bounds.half_size().norm().max(1e-3));
        // nearer, and to the middle of what is seen
        for _ in 0..8 {
            let eye = target + back * distance;
            let at = |corner: &Point| {
                let p = corner - eye;
                let ahead = (-p.dot(&back)).max(1e-3 * distance);
                Point::new(p.dot(&right) / ahead, p.dot(&up) / ahead, 0.0)
            };
            let seen = Aabb::around(corners.iter().map(at));
            let Some(seen) = seen else {
                break;
            };
            let (middle, reach) = (seen.center(), seen.half_size());
            target += (right * middle.x + up * middle.y) * distance;
            distance *= 1.1 * (reach.y / half).max(reach.x / (half * aspect));
        }
        Self::looking_at(target + back * distance, target, size, field_of_view)
    }

    /// Errors for a camera without pixels or with numbers that are not finite.
    pub(super) fn check(&self) -> Result<()> {
        if self.size.iter().any(|n| *n == 0 || *n > MOST) {
            let [width, height] = self.size;
            let problem = format!("{width} × {height} pixels; a side has 1 to {MOST}");
            return Err(Error::invalid("size of a picture", problem));
        }
        check_pose("a camera", &self.pose)?;
        let has_focus = self.focal.iter().all(|f| f.is_finite() && *f > 0.0);
        if !has_focus || !self.center.iter().all(|c| c.is_finite()) {
            return Err(Error::invalid(
                "a camera",
                "the focal lengths must be positive and finite, as those of a field of view between 0 and π are",
            ));
        }
        Ok(())
    }
}

/// The box around all visual shapes of a world.
pub(super) fn bounds(world: &WorldModel) -> Aabb {
    let all = boxes(world).into_iter().reduce(|a, b| a.union(&b));
    all.unwrap_or(Aabb {
        min: Point::new(-0.5, -0.5, 0.0),
        max: Point::new(0.5, 0.5, 0.5),
    })
}

/// The boxes around the visual shapes of a world.
fn boxes(world: &WorldModel) -> Vec<Aabb> {
    let mut all = Vec::new();
    for robot in world.robots() {
        for link in robot.links() {
            let elements = match link.model().visual() {
                [] => link.model().collision(),
                visual => visual,
            };
            let of = |element: &Element| {
                let pose = link.pose() * element.placement;
                element.geometry.aabb_tight(&pose)
            };
            all.extend(elements.iter().filter_map(of));
        }
    }
    for (_, object) in world.rigid_objects() {
        let shape = object.geometry.as_ref();
        all.extend(shape.and_then(|shape| shape.aabb_tight(&object.pose)));
    }
    for (_, terrain) in world.terrains() {
        let shape = terrain.geometry.as_ref();
        all.extend(shape.and_then(|shape| shape.aabb_tight(&Pose::identity())));
    }
    all
}
