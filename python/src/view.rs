//! Pages and pictures of worlds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kinworld::kinematics::Samples;
use kinworld::render::{self, Camera as View, RenderOptions};
use kinworld::viewer::{Page, Plot};
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{EntityId, Point, Vector, WorldModel};
use numpy::IntoPyArray;
use numpy::ndarray::{ArrayD, IxDyn};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::camera::Camera;
use crate::convert::{Bytes, PoseIn, Reals, Rows, Singles, Vec3, Words};
use crate::error::{call, call_detached, error, fail};
use crate::interrupt::in_background;
use crate::world::{Entity, EntityIn, World, entity};

/// Times (k) and configurations (k × n) of a robot, or poses (k × 4 × 4) of a rigid object.
type Moves<'py> = BTreeMap<String, (Reals, Bound<'py, PyAny>)>;

/// Curves over the times of a motion: title, then unit and numbers (k) by name.
type Curves = BTreeMap<String, (String, BTreeMap<String, Reals>)>;

fn page<'a>(world: &'a WorldModel, motion: &Moves<'_>, plots: &Curves) -> PyResult<Page<'a>> {
    let mut page = Page::new(world);
    for (name, (times, values)) in motion {
        match world.entity(name).map_err(fail)? {
            EntityId::Robot(robot) => {
                let rows = values.extract::<Rows>()?.to_vecs();
                let samples = Samples::new(times.to_vec(), rows);
                page = call(|| page.with_motion(robot, &samples))?;
            }
            EntityId::RigidObject(object) => {
                let poses = values.extract::<Vec<PoseIn>>()?;
                let poses: Vec<_> = poses.into_iter().map(|pose| pose.0).collect();
                page = call(|| page.with_object_motion(object, times, &poses))?;
            }
            other => {
                let kind = other.kind();
                return Err(error(format!("a {kind} does not move: `{name}`")));
            }
        }
    }
    for (title, (unit, curves)) in plots {
        let mut plot = Plot::new(title, unit);
        for (name, values) in curves {
            plot = plot.with_curve(name, values.to_vec());
        }
        page = page.with_plot(plot);
    }
    Ok(page)
}

#[pymethods]
impl World {
    /// A page that shows the world: one HTML text that loads nothing else. Written to ``path`` where one is given.
    ///
    /// - ``motion``: by name of a robot, times (k) and configurations (k × n); of a rigid object, times and poses
    ///   (k × 4 × 4). All have the same times. The page plays it.
    /// - ``plots``: curves beside it, by title: the unit, and numbers (k) by name.
    /// - ``collisions``: what collides is red, as loaded and along the motion.
    /// - ``collision_shapes``: the shapes that collide are in the page, to be shown.
    /// - ``text``: a line above all.
    /// - ``forces``: points and forces in the world (m, N), for each time of the motion a list of pairs; without a motion a
    ///   single list. They are shown as arrows.
    /// - ``live``: the library is in the page, 1.2 MB more: sliders and gizmos answer collisions, distances and inverse
    ///   kinematics, with no server. A live page has no motion.
    ///
    /// >>> import kinworld as kw
    /// >>> page = kw.load("data/robots/planar3R.rob").to_html(motion={"planar3R": ([0, 1], [[0, 0, 0], [1, 1, 1]])})
    /// >>> page[:15]
    /// '<!doctype html>'
    #[pyo3(signature = (path=None, *, title=None, motion: "Mapping[str, tuple[ArrayLike, ArrayLike]] | None"=None,
        plots: "Mapping[str, tuple[str, Mapping[str, ArrayLike]]] | None"=None, collisions=false, collision_shapes=true,
        text=None, forces: "Sequence[Sequence[tuple[ArrayLike, ArrayLike]]] | None"=None, live=false))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn to_html(
        &self,
        py: Python<'_>,
        path: Option<PathBuf>,
        title: Option<&str>,
        motion: Option<Moves<'_>>,
        plots: Option<Curves>,
        collisions: bool,
        collision_shapes: bool,
        text: Option<&str>,
        forces: Option<Vec<Vec<(Vec3, Vec3)>>>,
        live: bool,
    ) -> PyResult<String> {
        let motion = motion.unwrap_or_default();
        if live && !motion.is_empty() {
            return Err(error(
                "a live page has no motion: leave out `live` or `motion`",
            ));
        }
        let mut page = page(&self.model, &motion, &plots.unwrap_or_default())?
            .with_collision_shapes(collision_shapes)
            .with_diagnostics(self.problems());
        if let Some(title) = title {
            page = page.with_title(title);
        }
        if let Some(text) = text {
            page = page.with_text(text);
        }
        if let Some(forces) = forces {
            let pair = |(point, force): (Vec3, Vec3)| (Point::from(point.0), Vector::from(force.0));
            let forces: Vec<Vec<_>> = forces
                .into_iter()
                .map(|all| all.into_iter().map(pair).collect())
                .collect();
            page = call(|| page.with_forces(&forces))?;
        }
        call_detached(py, || {
            if collisions {
                let collider = WorldCollider::new(&self.model, &PairFilter::default())?;
                page = page.with_collisions(&collider)?;
            }
            if live {
                page = page.with_live(false);
            }
            let html = page.html()?;
            if let Some(path) = path {
                let options = kinworld::io::SaveOptions::default();
                kinworld::io::write_file(path, html.as_bytes(), &options)?;
            }
            Ok(html)
        })
    }

    /// Shows the world: in a notebook as the value of the cell, elsewhere in the browser; see `kinworld.view.show`.
    #[pyo3(signature = (**page: "Any") -> "Any")]
    fn show<'py>(
        slf: &Bound<'py, Self>,
        page: Option<&Bound<'py, pyo3::types::PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let view = slf.py().import("kinworld.view")?;
        view.getattr("show")?.call((slf,), page)
    }

    /// A picture of the visual shapes of the world, by rays on all cores: no display and no graphics card are needed.
    ///
    /// ``size`` is (width, height) in pixels; ``camera`` a `Camera`, by default one that sees all. Elements in ``red`` are
    /// painted red: names, entities, or what ``collider.pairs()`` lists. Written as PNG to ``path`` where one is given.
    ///
    /// >>> import kinworld as kw
    /// >>> picture = kw.load("data/robots/arm6.urdf").render(size=(60, 40))
    /// >>> picture.rgb.shape, picture.depth.shape
    /// ((40, 60, 3), (40, 60))
    #[pyo3(signature = (path=None, *, size=(960, 640), camera=None, red=Vec::new(), background=None, shadows=true,
        smooth_edges=true))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn render(
        &self,
        py: Python<'_>,
        path: Option<PathBuf>,
        size: (usize, usize),
        camera: Option<&Camera>,
        red: Vec<EntityIn>,
        background: Option<[f64; 3]>,
        shadows: bool,
        smooth_edges: bool,
    ) -> PyResult<Picture> {
        let mut view = camera.map_or_else(
            || View::of_world(&self.model, [size.0, size.1]),
            |camera| camera.0,
        );
        view.size = camera.map_or([size.0, size.1], |camera| camera.0.size);
        let red = red
            .iter()
            .map(|element| element.of(&self.model))
            .collect::<PyResult<Vec<_>>>()?;
        let mut options = RenderOptions::default()
            .with_red(red)
            .with_shadows(shadows)
            .with_smooth_edges(smooth_edges);
        if let Some(background) = background {
            options = options.with_background(background);
        }
        let model = self.model.clone();
        let inner = in_background(py, None, move |_| {
            let picture = render::picture(&model, &view, &options)?;
            if let Some(path) = path {
                let options = kinworld::io::SaveOptions::default();
                kinworld::io::write_file(path, &picture.to_png(), &options)?;
            }
            Ok(picture)
        })?;
        Ok(Picture::of(&self.model, inner))
    }
}

/// A picture: colour, depth and element of each pixel, rows from the top.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Picture {
    pub(crate) inner: render::Picture,
    elements: Vec<Entity>,
}

impl Picture {
    pub(crate) fn of(model: &WorldModel, inner: render::Picture) -> Self {
        let elements = model.klampt_ids();
        let elements = (0..elements.len())
            .filter_map(|id| Some(entity(model, elements.entity(id)?)))
            .collect();
        Self { inner, elements }
    }

    fn shape(&self, channels: &[usize]) -> IxDyn {
        let [width, height] = self.inner.size();
        IxDyn(&[&[height, width], channels].concat())
    }
}

fn shaped<T>(shape: IxDyn, numbers: &[T]) -> PyResult<ArrayD<T>>
where
    T: Copy,
{
    ArrayD::from_shape_vec(shape, numbers.to_vec())
        .map_err(|problem| PyTypeError::new_err(problem.to_string()))
}

#[pymethods]
impl Picture {
    /// Width and height, pixels.
    #[getter]
    fn size(&self) -> (usize, usize) {
        let [width, height] = self.inner.size();
        (width, height)
    }

    /// Red, green and blue (height × width × 3), 0 to 255.
    #[getter]
    fn rgb<'py>(&self, py: Python<'py>) -> PyResult<Bytes<'py>> {
        Ok(Bytes(
            shaped(self.shape(&[3]), self.inner.rgb())?.into_pyarray(py),
        ))
    }

    /// Distance along the optical axis (height × width), m; infinite where there is nothing.
    #[getter]
    fn depth<'py>(&self, py: Python<'py>) -> PyResult<Singles<'py>> {
        Ok(Singles(
            shaped(self.shape(&[]), self.inner.depth())?.into_pyarray(py),
        ))
    }

    /// Element (height × width): its place in ``elements`` plus 1, 0 where there is nothing.
    #[getter]
    fn segmentation<'py>(&self, py: Python<'py>) -> PyResult<Words<'py>> {
        let ids = self.inner.segmentation();
        Ok(Words(shaped(self.shape(&[]), ids)?.into_pyarray(py)))
    }

    /// The elements that ``segmentation`` counts.
    #[getter]
    fn elements(&self) -> Vec<Entity> {
        self.elements.clone()
    }

    /// The element at a pixel: column and row; ``None`` where there is nothing.
    fn entity(&self, x: usize, y: usize) -> Option<Entity> {
        let [width, height] = self.inner.size();
        if x >= width || y >= height {
            return None;
        }
        let id = *self.inner.segmentation().get(y * width + x)?;
        self.elements.get((id as usize).checked_sub(1)?).cloned()
    }

    /// The picture as PNG; ``of`` is ``"rgb"``, ``"depth"`` (16 bits, mm) or ``"segmentation"`` (16 bits).
    #[pyo3(signature = (of="rgb"))]
    fn to_png(&self, of: &str) -> PyResult<Vec<u8>> {
        match of {
            "rgb" => Ok(self.inner.to_png()),
            "depth" => Ok(self.inner.depth_to_png()),
            "segmentation" => Ok(self.inner.segmentation_to_png()),
            _ => Err(error(format!(
                "of is \"rgb\", \"depth\" or \"segmentation\", not {of:?}"
            ))),
        }
    }

    /// Pictures of one size as an animated PNG, which browsers play again and again.
    #[staticmethod]
    #[pyo3(signature = (pictures, frames_per_second=25.0))]
    fn animation(
        py: Python<'_>,
        pictures: Vec<Bound<'_, Self>>,
        frames_per_second: f64,
    ) -> PyResult<Vec<u8>> {
        let frames: Vec<render::Picture> = pictures
            .iter()
            .map(|picture| picture.get().inner.clone())
            .collect();
        let size = frames.first().map_or([0, 0], render::Picture::size);
        call_detached(py, || {
            render::animation(size, frames.len(), frames_per_second, |i| {
                Ok(frames[i].clone())
            })
        })
    }

    /// For notebooks: the picture.
    fn _repr_png_(&self) -> std::borrow::Cow<'static, [u8]> {
        self.inner.to_png().into()
    }

    fn __repr__(&self) -> String {
        let [width, height] = self.inner.size();
        format!("Picture: {width} x {height} pixels")
    }
}
