//! Road maps.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kinworld::planning::{self, CSpace, EdgeState};
use numpy::IntoPyArray;
use numpy::ndarray::Array;
use pyo3::prelude::*;

use super::goals::Configurations;
use super::{Plan, Space, budget};
use crate::convert::{Array1, Array2, Indices, array1, array2};
use crate::describe::count;
use crate::error::call_detached;
use crate::interrupt::Watch;

/// A probabilistic road map: free configurations of a space and edges between near ones, kept for many plans in one scene.
///
/// Edges are checked when a plan needs them, and what comes out is kept. Each call takes the space as it is now: after
/// ``space.with_pose`` has moved an object, the map forgets what it knew about edges near it.
///
/// >>> import kinworld as kw
/// >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env", "data/objects/ball.obj")
/// >>> space = world.space()
/// >>> road_map = kw.RoadMap(space, seed=1)
/// >>> road_map.grow(space, 100) == len(road_map)
/// True
/// >>> start, goal = [0, 0, 0, 0, 0, 0], [1, 0.3, 0, 0, 0, 0]
/// >>> road_map.plan(space, start, goal).found
/// True
/// >>> moved = space.with_pose("ball", kw.se3.from_translation((0.4, 0.3, 0.6)))
/// >>> road_map.plan(moved, start, goal).found
/// True
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct RoadMap(Mutex<planning::RoadMap>);

impl RoadMap {
    /// The map. Taken only by threads that hold no interpreter, which a query may ask for.
    fn lock(&self) -> MutexGuard<'_, planning::RoadMap> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T: Send>(
        &self,
        py: Python<'_>,
        answer: impl FnOnce(&planning::RoadMap) -> T + Send,
    ) -> T {
        py.detach(|| answer(&self.lock()))
    }
}

#[pymethods]
impl RoadMap {
    #[new]
    #[pyo3(signature = (space, seed=0))]
    fn new(space: &Space, seed: u64) -> Self {
        Self(Mutex::new(
            planning::RoadMap::new(&space.inner).with_seed(seed),
        ))
    }

    /// Loads the map that ``save`` wrote, for a space of the same robots. What it says about edges is forgotten with the first
    /// use, unless ``trust_states`` is called.
    #[staticmethod]
    fn load(py: Python<'_>, space: &Space, path: PathBuf) -> PyResult<Self> {
        let loaded = call_detached(py, || planning::RoadMap::load(&space.inner, path))?;
        crate::error::loaded(py, loaded).map(|(map, _)| Self(Mutex::new(map)))
    }

    /// Saves the map as JSON.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        call_detached(py, || self.lock().save(path))
    }

    /// Draws so many samples more, and adds those that are free: returns how many. ``progress`` is called with the number of
    /// samples now and then.
    #[pyo3(signature = (space, samples, progress=None))]
    fn grow(
        &self,
        py: Python<'_>,
        space: &Space,
        samples: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<usize> {
        let mut watch = Watch::new(progress);
        let grown = call_detached(py, || {
            let mut map = self.lock();
            map.grow_observed(&space.inner, samples, |done| watch.goes_on(done))
        });
        watch.finish()?;
        grown
    }

    /// Checks all edges about which nothing is known: returns how many. ``plan`` works at a quarter of the resolution of its
    /// space: for it, check in ``space.with_resolution(space.resolution / 4)``.
    #[pyo3(signature = (space, progress=None))]
    fn check_edges(
        &self,
        py: Python<'_>,
        space: &Space,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<usize> {
        let mut watch = Watch::new(progress);
        let checked = call_detached(py, || {
            let mut map = self.lock();
            map.check_edges(&space.inner, |done| watch.goes_on(done))
        });
        watch.finish()?;
        checked
    }

    /// A path from ``start`` (n), or any of several (k × n), to ``goal``, likewise, held to what ``Space.plan`` does: along the
    /// map, and where it does not join them by a search, which the map learns. The options are those of ``Space.plan``.
    #[pyo3(signature = (space, start, goal, *, time=None, seed=0, iterations=None, range=1.0, shortcuts=200, improve=0,
        end_tolerance=0.0, progress=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn plan(
        &self,
        py: Python<'_>,
        space: &Space,
        start: Configurations,
        goal: Configurations,
        time: Option<f64>,
        seed: u64,
        iterations: Option<usize>,
        range: f64,
        shortcuts: usize,
        improve: usize,
        end_tolerance: f64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Plan> {
        let budget = budget(time, seed, iterations, range, shortcuts)?
            .improve(improve)
            .end_tolerance(end_tolerance);
        let mut watch = Watch::new(progress);
        let plan = call_detached(py, || {
            let mut map = self.lock();
            map.plan_any(&space.inner, &start.all, &goal.all, &budget, |done| {
                watch.goes_on(done)
            })
        });
        watch.finish()?;
        let plan = plan?;
        let from = plan.start.filter(|_| start.several);
        Ok(Plan::new(plan, space.inner.n_dofs(), goal.several).with_start(from))
    }

    /// Forgets what may not hold in the space as it is now: numbers of edges that stay known, and that do not. Every other call
    /// that takes a space begins with it.
    fn repair(&self, py: Python<'_>, space: &Space) -> PyResult<(usize, usize)> {
        let repair = call_detached(py, || self.lock().repair(&space.inner))?;
        Ok((repair.kept, repair.forgotten))
    }

    /// Forgets what is known about all edges, and keeps the milestones.
    fn forget(&self, py: Python<'_>) {
        py.detach(|| self.lock().forget());
    }

    /// Takes what was saved about edges to hold in the scene of the space that the map is used with first: it has to be the
    /// same, with all poses.
    fn trust_states(&self, py: Python<'_>) {
        py.detach(|| self.lock().trust_states());
    }

    /// The configurations of the milestones (k × n).
    #[getter]
    fn milestones<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let all = self.read(py, |map| {
            let all = map.milestones().map(<[f64]>::to_vec);
            all.collect::<Vec<_>>()
        });
        let n = all.first().map_or(0, Vec::len);
        array2(py, all.len(), n, |out| {
            for (row, q) in out.chunks_exact_mut(n.max(1)).zip(&all) {
                row.copy_from_slice(q);
            }
        })
    }

    /// The milestones that each edge joins (m × 2).
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> Indices<'py> {
        let ends = self.read(py, |map| {
            let edges = map.edges();
            // a map has fewer than 2³¹ milestones
            Array::from_shape_fn((edges.len(), 2), |(i, j)| edges[i].ends[j] as u32)
        });
        Indices(ends.into_pyarray(py))
    }

    /// The length of each edge (m), in the metric of the space; 0 for a map that was loaded and not used.
    #[getter]
    fn lengths<'py>(&self, py: Python<'py>) -> Array1<'py> {
        let all = self.read(py, |map| {
            let lengths = map.edges().iter().map(|edge| edge.length);
            lengths.collect::<Vec<_>>()
        });
        array1(py, &all)
    }

    /// What is known of each edge (m): ``"free"``, ``"blocked"`` or ``"unknown"``.
    #[getter]
    fn states(&self, py: Python<'_>) -> Vec<&'static str> {
        self.read(py, |map| {
            let states = map.edges().iter().map(|edge| match edge.state {
                EdgeState::Free => "free",
                EdgeState::Blocked => "blocked",
                EdgeState::Unknown => "unknown",
            });
            states.collect()
        })
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.read(py, planning::RoadMap::len)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.read(py, |map| {
            format!(
                "RoadMap: {}, {}",
                count(map.len(), "milestone"),
                count(map.edges().len(), "edge")
            )
        })
    }
}
