//! Cameras.

use nalgebra::Matrix3;

use crate::geometry::{Aabb, check_pose};
use crate::math::{Point, Pose, Rotation, Vector};
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
        let mut distance: f64 = 1e-3;
        for k in 0..8 {
            let side = |bit: usize, axis: usize| match k >> bit & 1 {
                0 => bounds.min[axis],
                _ => bounds.max[axis],
            };
            let corner = Point::new(side(0, 0), side(1, 1), side(2, 2)) - center;
            let (x, y) = (corner.dot(&right).abs(), corner.dot(&up).abs());
            let wide = (y / half).max(x / (half * aspect));
            distance = distance.max(wide + corner.dot(&back));
        }
        Self::looking_at(
            center + back * (1.14 * distance),
            center,
            size,
            field_of_view,
        )
    }

    /// Errors for a camera without pixels or with numbers that are not finite.
    pub(super) fn check(&self) -> Result<()> {
        check_pose("a camera", &self.pose)?;
        if self.size.iter().any(|n| *n == 0 || *n > MOST) {
            let [width, height] = self.size;
            let problem = format!("{width} × {height} pixels; a side has 1 to {MOST}");
            return Err(Error::invalid("size of a picture", problem));
        }
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
    let mut all: Option<Aabb> = None;
    let mut add = |found: Option<Aabb>| {
        all = match (all.take(), found) {
            (Some(a), Some(b)) => Some(a.union(&b)),
            (a, b) => a.or(b),
        };
    };
    for robot in world.robots() {
        for link in robot.links() {
            let elements = match link.model().visual() {
                [] => link.model().collision(),
                visual => visual,
            };
            for element in elements {
                add(element
                    .geometry
                    .aabb_tight(&(link.pose() * element.placement)));
            }
        }
    }
    for (_, object) in world.rigid_objects() {
        add(object
            .geometry
            .as_ref()
            .and_then(|shape| shape.aabb_tight(&object.pose)));
    }
    for (_, terrain) in world.terrains() {
        let shape = terrain.geometry.as_ref();
        add(shape.and_then(|shape| shape.aabb_tight(&Pose::identity())));
    }
    all.unwrap_or(Aabb {
        min: Point::new(-0.5, -0.5, 0.0),
        max: Point::new(0.5, 0.5, 0.5),
    })
}
