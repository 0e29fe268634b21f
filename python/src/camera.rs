//! Cameras: of pictures, and as sensors that links and objects carry.

use kinworld::render::{self, Camera as View, RenderOptions};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, ArrayN, PoseIn, Vec3, array_n, array1, pose_array};
use crate::error::{call, call_detached, error};
use crate::view::Picture;
use crate::world::{EntityIn, World};

/// A pinhole camera: x to the right, y down, z ahead, as in OpenCV.
///
/// A point (x, y, z) of its frame is seen at u = fx x / z + cx, v = fy y / z + cy, in pixels from the upper left corner.
///
/// >>> import kinworld as kw
/// >>> camera = kw.Camera.looking_at((2, 0, 1), (0, 0, 0.5), (320, 240))
/// >>> camera.pose[:3, 3]
/// array([2., 0., 1.])
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Camera(pub(crate) View);

#[pymethods]
impl Camera {
    /// A camera at a pose (4 × 4) in the world, for a picture of (width, height) pixels.
    ///
    /// ``focal`` (fx, fy) and ``center`` (cx, cy) are in pixels; without them ``field_of_view`` is the vertical angle, rad,
    /// and the axis meets the middle. ``range`` is the smallest and the largest depth that is seen, m.
    #[new]
    #[pyo3(signature = (pose, size=(960, 640), *, field_of_view=0.66, focal=None, center=None, range=(0.0, f64::INFINITY)))]
    fn new(
        pose: PoseIn,
        size: (usize, usize),
        field_of_view: f64,
        focal: Option<[f64; 2]>,
        center: Option<[f64; 2]>,
        range: (f64, f64),
    ) -> Self {
        let mut view = View::new(pose.0, [size.0, size.1], field_of_view);
        view.focal = focal.unwrap_or(view.focal);
        view.center = center.unwrap_or(view.center);
        Self(view.with_range(range.0, range.1))
    }

    /// A camera at ``eye`` (3) that looks at ``target`` (3), with the z axis of the world upwards in the picture.
    #[staticmethod]
    #[pyo3(signature = (eye, target, size=(960, 640), *, field_of_view=0.66, range=(0.0, f64::INFINITY)))]
    fn looking_at(
        eye: Vec3,
        target: Vec3,
        size: (usize, usize),
        field_of_view: f64,
        range: (f64, f64),
    ) -> Self {
        let [eye, target] = [eye.point(), target.point()];
        let view = View::looking_at(eye, target, [size.0, size.1], field_of_view);
        Self(view.with_range(range.0, range.1))
    }

    /// A camera that sees all of a world.
    #[staticmethod]
    #[pyo3(signature = (world, size=(960, 640)))]
    fn of_world(world: &World, size: (usize, usize)) -> Self {
        Self(View::of_world(&world.model, [size.0, size.1]))
    }

    /// Pixel (2) at which a point (3) of the world is seen, and its depth, m; ``None`` for one that is not in front.
    ///
    /// >>> import kinworld as kw
    /// >>> camera = kw.Camera.looking_at((2, 0, 1), (0, 0, 1), (320, 240))
    /// >>> camera.project((0, 0, 1))
    /// ([160.0, 120.0], 2.0)
    fn project(&self, point: Vec3) -> Option<([f64; 2], f64)> {
        self.0.project(&point.point())
    }

    /// Point (3) of the world at a place of the picture, pixels, and a depth, m.
    ///
    /// >>> import kinworld as kw
    /// >>> camera = kw.Camera.looking_at((2, 0, 1), (0, 0, 1), (320, 240))
    /// >>> camera.unproject((160, 120), 2).round(6)
    /// array([0., 0., 1.])
    fn unproject<'py>(&self, py: Python<'py>, pixel: [f64; 2], depth: f64) -> Array1<'py> {
        array1(py, self.0.unproject(pixel, depth).coords.as_slice())
    }

    /// Points (height × width × 3) of the world that a picture of this camera shows, from its depths; NaN where there is
    /// nothing.
    ///
    /// >>> import kinworld as kw
    /// >>> world = kw.load("data/robots/arm6.urdf")
    /// >>> camera = kw.Camera.of_world(world, (60, 40))
    /// >>> camera.points(world.render(camera=camera)).shape
    /// (40, 60, 3)
    fn points<'py>(&self, py: Python<'py>, picture: &Picture) -> PyResult<ArrayN<'py>> {
        let [width, height] = picture.inner.size();
        if [width, height] != self.0.size {
            let [own_width, own_height] = self.0.size;
            return Err(error(format!(
                "the picture has {width} x {height} pixels, those of this camera {own_width} x {own_height}"
            )));
        }
        let depths = picture.inner.depth();
        let mut points = Vec::with_capacity(3 * depths.len());
        for (i, depth) in depths.iter().enumerate() {
            let at = [(i % width) as f64 + 0.5, (i / width) as f64 + 0.5];
            points.extend::<[f64; 3]>(match depth.is_finite() {
                true => self.0.unproject(at, f64::from(*depth)).into(),
                false => [f64::NAN; 3],
            });
        }
        array_n(py, &[height, width, 3], points)
    }

    /// Pose (4 × 4) in the world.
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> Array2<'py> {
        pose_array(py, &self.0.pose)
    }

    /// Width and height of the picture, pixels.
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.0.size[0], self.0.size[1])
    }

    /// Focal lengths along x and y, pixels.
    #[getter]
    fn focal(&self) -> [f64; 2] {
        self.0.focal
    }

    /// Where the optical axis meets the picture, pixels.
    #[getter]
    fn center(&self) -> [f64; 2] {
        self.0.center
    }

    /// Smallest and largest depth that is seen, m.
    #[getter]
    fn range(&self) -> [f64; 2] {
        self.0.range
    }

    fn __repr__(&self) -> String {
        let [width, height] = self.0.size;
        let [x, y] = self.0.focal;
        format!("Camera: {width} x {height} pixels, focal lengths {x:.1}, {y:.1}")
    }
}

/// A simulated colour and depth camera, fixed in the world or to a link or an object that carries it.
///
/// ``camera`` gives the lens; its pose is in the frame of the carrier: ``on``, a name, an entity, or a robot and a link.
/// The standard deviation of a depth z is ``noise[0] + noise[1] * z**2``, in m; none by default. Equal seeds give equal
/// errors; each picture has its own.
///
/// >>> import kinworld as kw, numpy as np
/// >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
/// >>> lens = kw.Camera(np.eye(4), (64, 48), field_of_view=1.0, range=(0.05, 8))
/// >>> sensor = kw.CameraSensor(world, lens, on=("arm6", "flange"), noise=(0.001, 0.002), seed=7)
/// >>> world.robot("arm6").set_config([0, 1.2, 0.4, 0, 0, 0])
/// >>> sensor.observe(world).depth.shape
/// (48, 64)
#[pyclass(module = "kinworld")]
pub(crate) struct CameraSensor {
    inner: render::CameraSensor,
    size: [usize; 2],
    noise: (f64, f64),
}

#[pymethods]
impl CameraSensor {
    #[new]
    #[pyo3(signature = (world, camera, *, on=None, noise=(0.0, 0.0), seed=0, shadows=true, smooth_edges=true))]
    fn new(
        world: &World,
        camera: &Camera,
        on: Option<EntityIn>,
        noise: (f64, f64),
        seed: u64,
        shadows: bool,
        smooth_edges: bool,
    ) -> PyResult<Self> {
        let sensor = match on {
            Some(carrier) => render::CameraSensor::on(carrier.of(&world.model)?, camera.0),
            None => render::CameraSensor::new(camera.0),
        };
        let options = RenderOptions::default()
            .with_shadows(shadows)
            .with_smooth_edges(smooth_edges);
        let sensor = call(|| sensor.with_depth_noise(noise.0, noise.1, seed))?;
        Ok(Self {
            inner: sensor.with_options(options),
            size: camera.0.size,
            noise,
        })
    }

    /// The camera in the world, where its carrier is now.
    fn camera(&self, world: &World) -> PyResult<Camera> {
        call(|| self.inner.camera(&world.model)).map(Camera)
    }

    /// What the camera sees now.
    fn observe(&mut self, py: Python<'_>, world: &World) -> PyResult<Picture> {
        let inner = call_detached(py, || self.inner.observe(&world.model))?;
        Ok(Picture::of(&world.model, inner))
    }

    fn __repr__(&self) -> String {
        let ([width, height], (constant, quadratic)) = (self.size, self.noise);
        let noise = match constant + quadratic > 0.0 {
            true => format!("noise {constant} + {quadratic} z^2 m"),
            false => "no noise".to_owned(),
        };
        format!("CameraSensor: {width} x {height} pixels, {noise}")
    }
}
