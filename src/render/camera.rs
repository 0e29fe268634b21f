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
    /// Smallest and largest depth that is seen, m: nothing nearer hides what is behind it. From 0 to infinity by default.
    pub range: [f64; 2],
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
            range: [0.0, f64::INFINITY],
        }
    }

    /// The same with another [`range`](Self::range) of depths, m.
    pub fn with_range(mut self, near: f64, far: f64) -> Self {
        self.range = [near, far];
        self
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

    /// Pixel at which a point of the world is seen, and its depth, m; `None` for one that is not in front of the camera.
    ///
    /// The pixel may lie outside of the picture.
    #[must_use]
    pub fn project(&self, p_world: &Point) -> Option<([f64; 2], f64)> {
        let p = self.pose.inverse_transform_point(p_world);
        if p.z <= 0.0 {
            return None;
        }
        let [u, v] = [p.x / p.z, p.y / p.z];
        let at = [
            self.focal[0] * u + self.center[0],
            self.focal[1] * v + self.center[1],
        ];
        Some((at, p.z))
    }

    /// Point of the world at a place of the picture, pixels, and a depth, m.
    ///
    /// ```
    /// use kinworld::Point;
    /// use kinworld::render::Camera;
    ///
    /// let camera = Camera::looking_at(Point::new(2.0, 0.0, 1.0), Point::origin(), [320, 240], 0.8);
    /// let p = Point::new(0.1, 0.2, 0.3);
    /// let (at, depth) = camera.project(&p).expect("it is in front of the camera");
    /// assert!((camera.unproject(at, depth) - p).norm() < 1e-12);
    /// ```
    #[must_use]
    #[doc(alias = "deproject")]
    pub fn unproject(&self, at: [f64; 2], depth: f64) -> Point {
        let [u, v] = [
            (at[0] - self.center[0]) / self.focal[0],
            (at[1] - self.center[1]) / self.focal[1],
        ];
        self.pose * Point::new(u * depth, v * depth, depth)
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
        let [near, far] = self.range;
        if !(near.is_finite() && 0.0 <= near && near < far) {
            let problem =
                format!("sees depths from {near} to {far} m: from 0 or more to a larger one");
            return Err(Error::invalid("a camera", problem));
        }
        Ok(())
    }
}

/// Extent of a terrain, as a multiple of that of robots and objects, beyond which it is a ground that is not looked at.
const GROUND: f64 = 20.0;

/// The box around what a picture of a world is about.
pub(super) fn bounds(world: &WorldModel) -> Aabb {
    let all = boxes(world).into_iter().reduce(|a, b| a.union(&b));
    all.unwrap_or(Aabb {
        min: Point::new(-0.5, -0.5, 0.0),
        max: Point::new(0.5, 0.5, 0.5),
    })
}

/// The boxes around the visual shapes of a world, without grounds that are large beside all else.
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
    let extent = |aabb: &Aabb| aabb.half_size().norm();
    let around = all.iter().copied().reduce(|a, b| a.union(&b));
    let largest = around.map_or(f64::INFINITY, |around| GROUND * extent(&around));
    let terrains = world.terrains().filter_map(|(_, terrain)| {
        let shape = terrain.geometry.as_ref()?;
        shape.aabb_tight(&Pose::identity())
    });
    all.extend(terrains.filter(|terrain| extent(terrain) <= largest));
    all
}
