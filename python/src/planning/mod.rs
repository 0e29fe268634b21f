//! Configuration spaces and plans.

mod goals;
mod plan;
mod road_map;

use kinworld::WorldModel;
use kinworld::planning::{self, CSpace, EdgeQuery, RobotCSpace};
use kinworld::world::{PairFilter, RobotId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) use plan::{Plan, Proof, budget, termination};
pub(crate) use road_map::RoadMap;

use crate::collider::Nearest;
use crate::convert::{
    Array1, Array2, Bools, DofKey, ElementKey, LongRows, PoseIn, Reals, array1, array2,
};
use crate::describe::{count, names, number};
use crate::error::{call, call_detached, error, fail};
use crate::interrupt::{Watch, in_background, in_blocks, in_chunks};
use crate::world::{object_id, robot_id};

/// The configurations of one or more robots of a world: which are free, which edges between them are, and paths.
///
/// A space never changes and can be used from many threads.
///
/// >>> import kinworld as kw
/// >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
/// >>> space = world.space()
/// >>> plan = space.plan([0, 0, 0, 0, 0, 0], [1, 0.3, 0, 0, 0, 0], seed=1)
/// >>> plan.found, len(plan.path) >= 2
/// (True, True)
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Space {
    pub(crate) inner: RobotCSpace,
}

impl Space {
    /// Wraps a space.
    pub(crate) fn new(inner: RobotCSpace) -> Self {
        Self { inner }
    }

    pub(crate) fn of(
        py: Python<'_>,
        world: &WorldModel,
        robots: &[ElementKey],
        resolution: Option<f64>,
        active: Option<&[DofKey]>,
        filter: &PairFilter,
    ) -> PyResult<Self> {
        let ids: Vec<RobotId> = if robots.is_empty() {
            world.robots().map(|robot| robot.id()).collect()
        } else {
            let find = |key: &ElementKey| robot_id(world, key);
            robots.iter().map(find).collect::<PyResult<_>>()?
        };
        let first = *ids
            .first()
            .ok_or_else(|| error("a space needs a robot, the world has none"))?;
        let active = match active {
            None => None,
            Some(keys) => {
                let robot = world.robot(first).map_err(fail)?.model().clone();
                Some(DofKey::all_of(keys, &robot)?)
            }
        };
        let inner = call_detached(py, || {
            let mut space = RobotCSpace::with_filter(world, &ids, filter)?;
            if let Some(resolution) = resolution {
                space = space.with_resolution(resolution)?;
            }
            if let Some(active) = active {
                space = space.with_active(&active)?;
            }
            Ok(space)
        })?;
        Ok(Self { inner })
    }

    /// Whether a configuration is free.
    pub(crate) fn free(&self, q: &[f64]) -> kinworld::Result<bool> {
        self.inner.is_free(q)
    }

    fn edge<'a>(&self, a: &'a [f64], b: &'a [f64]) -> PyResult<(&'a [f64], &'a [f64])> {
        let n = self.inner.n_dofs();
        for q in [a, b] {
            if q.len() != n {
                return Err(error(format!(
                    "a configuration needs {n} values, got {}",
                    q.len()
                )));
            }
        }
        Ok((a, b))
    }
}

#[pymethods]
impl Space {
    /// Number of coordinates of a configuration, n.
    #[getter]
    fn n_dofs(&self) -> usize {
        self.inner.n_dofs()
    }

    /// Lower and upper bound of each coordinate (n × 2).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let bounds = self.inner.bounds();
        array2(py, bounds.len(), 2, |out| {
            for (row, bound) in out.chunks_exact_mut(2).zip(&bounds) {
                row.copy_from_slice(bound);
            }
        })
    }

    /// The configuration (n) of the robots in the world.
    #[getter]
    fn current<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.inner.current())
    }

    /// Distance between checks along an edge, in the metric of the space.
    #[getter]
    fn resolution(&self) -> f64 {
        self.inner.resolution()
    }

    /// The space with another resolution.
    fn with_resolution(&self, resolution: f64) -> PyResult<Self> {
        call(|| {
            Ok(Self {
                inner: self.inner.clone().with_resolution(resolution)?,
            })
        })
    }

    /// The space in which only some degrees of freedom move; the others stay where they are.
    fn with_active(&self, dofs: Vec<usize>) -> PyResult<Self> {
        let dofs: Vec<_> = dofs.into_iter().map(kinworld::DofId::new).collect();
        call(|| {
            Ok(Self {
                inner: self.inner.clone().with_active(&dofs)?,
            })
        })
    }

    /// The space with weights (n) of the coordinates in its metric.
    fn with_weights(&self, weights: Reals) -> PyResult<Self> {
        call(|| {
            Ok(Self {
                inner: self.inner.clone().with_weights(&weights)?,
            })
        })
    }

    /// The space with spheres around and in the links, at most ``count`` each, that decide most checks.
    fn with_sphere_prefilter(&self, py: Python<'_>, count: usize) -> PyResult<Self> {
        let space = self.inner.clone();
        in_background(py, None, move |_| {
            space.with_sphere_prefilter(count).map(Self::new)
        })
    }

    /// The space with a rigid object at another pose (4 × 4).
    fn with_pose(&self, rigid_object: ElementKey, pose: PoseIn) -> PyResult<Self> {
        let object = object_id(self.inner.world(), &rigid_object)?;
        let mut inner = self.inner.clone();
        call(|| inner.set_pose(object, &pose.0))?;
        Ok(Self { inner })
    }

    /// Distance of two configurations in the metric of the space.
    fn distance(&self, a: Reals, b: Reals) -> PyResult<f64> {
        let (a, b) = self.edge(&a, &b)?;
        call(|| Ok(self.inner.distance(a, b)))
    }

    /// The configuration (n) on the way from ``a`` (u = 0) to ``b`` (u = 1).
    fn interpolate<'py>(
        &self,
        py: Python<'py>,
        a: Reals,
        b: Reals,
        u: f64,
    ) -> PyResult<Array1<'py>> {
        let (a, b) = self.edge(&a, &b)?;
        let mut out = vec![0.0; self.inner.n_dofs()];
        call(|| {
            self.inner.interpolate_into(a, b, u, &mut out);
            Ok(())
        })?;
        Ok(array1(py, &out))
    }

    /// Whether a configuration is within the limits and free of collisions.
    fn is_free(&self, q: Reals) -> PyResult<bool> {
        call(|| self.inner.is_free(&q))
    }

    /// Whether each of N configurations (N × n) is.
    fn are_free<'py>(&self, py: Python<'py>, q: LongRows<'py>) -> PyResult<Bools<'py>> {
        let rows = q.of_width(self.inner.n_dofs(), "q")?;
        let n = self.inner.n_dofs();
        let free = in_chunks(py, (q.count, 1), |range, free| {
            self.inner
                .are_free(&rows[range.start * n..range.end * n], free)
        })?;
        Ok(Bools::new(py, free))
    }

    /// Why a configuration is not free, in words; ``None`` where it is.
    fn why_not(&self, q: Reals) -> PyResult<Option<String>> {
        call(|| {
            self.inner
                .with_workspace(|ws| self.inner.reason_with(&q, ws))
        })
    }

    /// Whether the edge from ``a`` to ``b`` is free at all samples of the resolution.
    fn is_edge_free(&self, a: Reals, b: Reals) -> PyResult<bool> {
        call(|| self.inner.is_edge_free(&a, &b))
    }

    /// Whether each of N edges, from the rows of ``a`` to those of ``b`` (N × n each), is free.
    fn are_edges_free<'py>(
        &self,
        py: Python<'py>,
        a: LongRows<'py>,
        b: LongRows<'py>,
    ) -> PyResult<Bools<'py>> {
        let n = self.inner.n_dofs();
        let (starts, ends) = (a.of_width(n, "a")?, b.of_width(n, "b")?);
        if a.count != b.count {
            let (a, b) = (a.count, b.count);
            return Err(PyValueError::new_err(format!("a has {a} rows, b has {b}")));
        }
        let (space, count) = (self.inner.clone(), a.count);
        let (starts, ends) = (starts.to_vec(), ends.to_vec());
        in_blocks(py, count, (8, 8), move |range| {
            let edge = |k: usize| (&starts[k * n..][..n], &ends[k * n..][..n]);
            space.are_edges_free(&range.map(edge).collect::<Vec<_>>())
        })
        .map(|free| Bools::new(py, free))
    }

    /// The first sample of an edge that is not free: its position (0 to 1) and the reason; ``None`` where all are.
    fn edge_collision(&self, a: Reals, b: Reals) -> PyResult<Option<(f64, String)>> {
        let found = call(|| self.inner.edge_collision(&a, &b, EdgeQuery::First))?;
        Ok(found.map(|at| (at.t, at.obstacle.display(self.inner.world()).to_string())))
    }

    /// Proves that an edge is free, or finds a collision, or a place that is nearer than ``least_gap`` (m).
    #[pyo3(signature = (a, b, least_gap=1e-4))]
    fn prove_edge(&self, py: Python<'_>, a: Reals, b: Reals, least_gap: f64) -> PyResult<Proof> {
        let world = self.inner.world();
        let proof = call_detached(py, || self.inner.prove_edge(&a, &b, least_gap))?;
        Ok(match proof {
            planning::Proof::Free => Proof {
                outcome: "free",
                t: None,
                reason: None,
                nearest: None,
            },
            planning::Proof::Collision(at) => Proof {
                outcome: "collision",
                t: Some(at.t),
                reason: Some(at.obstacle.display(world).to_string()),
                nearest: None,
            },
            planning::Proof::Near { t, nearest } => Proof {
                outcome: "near",
                t: Some(t),
                reason: None,
                nearest: Some(Py::new(py, Nearest::new(world, &nearest))?),
            },
        })
    }

    /// Distance of the robots to the nearest obstacle, and its gradient (n); ``None`` where nothing is near.
    fn clearance<'py>(
        &self,
        py: Python<'py>,
        q: Reals,
    ) -> PyResult<Option<(Nearest, Array1<'py>)>> {
        let found = call(|| self.inner.clearance(&q))?;
        Ok(found.map(|found| {
            (
                Nearest::new(self.inner.world(), &found.nearest),
                array1(py, &found.gradient),
            )
        }))
    }

    /// Rows (k × n) and bounds (k) that keep all near pairs ``margin`` m apart, as constraints of `kinworld.ik.velocity`; pairs that
    /// overlap have no row and come third.
    ///
    /// The distance of a pair falls no faster than ``gain`` (1/s) times what it has beyond the margin; ``within`` (m) is where a pair
    /// begins to count, 0.2 m beyond the margin by default.
    #[pyo3(signature = (q, margin, *, gain=10.0, within=None))]
    fn distance_barrier<'py>(
        &self,
        py: Python<'py>,
        q: Reals,
        margin: f64,
        gain: f64,
        within: Option<f64>,
    ) -> PyResult<(Array2<'py>, Array1<'py>, Vec<Nearest>)> {
        let mut barrier = planning::DistanceBarrier::new(margin).with_gain(gain);
        if let Some(within) = within {
            barrier = barrier.with_within(within);
        }
        let n = self.inner.n_dofs();
        let mut constraints = kinworld::kinematics::ik::VelocityConstraints::new(n);
        let mut pairs = planning::NearPairs::default();
        let mut ws = self.inner.workspace();
        call(|| {
            let (ws, rows) = (&mut ws, &mut constraints);
            self.inner
                .distance_barrier_with(&q, &barrier, ws, rows, &mut pairs)
        })?;
        let bounds: Vec<f64> = constraints.rows().map(|(_, bound)| bound).collect();
        let rows = array2(py, bounds.len(), n, |out| {
            for (out, (row, _)) in out.chunks_exact_mut(n.max(1)).zip(constraints.rows()) {
                out.copy_from_slice(row);
            }
        });
        let world = self.inner.world();
        let overlapping = pairs.overlapping.iter();
        let overlapping = overlapping.map(|pair| Nearest::new(world, pair)).collect();
        Ok((rows, array1(py, &bounds), overlapping))
    }

    /// A path from ``start`` (n), or from any of several (k × n), to a goal, or to any of several goals in a list, by RRT-Connect
    /// and shortcuts.
    ///
    /// A goal is a configuration (n), an objective of ``kinworld.ik``, or a list of objectives that are met at once; several
    /// configurations may be an array (k × n). Configurations that meet objectives are drawn before the search and while it runs;
    /// objectives that inverse kinematics does not reach are in ``unreached``.
    ///
    /// A search that finds none says why in ``termination``; a start or a goal that is not free raises.
    /// It ends after ``iterations`` samples or ``time`` seconds; without both after 100,000 samples.
    /// ``improve`` is the number of samples for shorter paths, once there is one, by AORRTC, and of several goals to the nearest;
    /// ``time`` ends them as well.
    /// An end that is beyond its limits by at most ``end_tolerance`` is taken to be at them.
    /// ``progress`` is called with the number of samples now and then.
    #[pyo3(signature = (start, goal, *, time=None, seed=0, iterations=None, range=1.0, shortcuts=200, improve=0, end_tolerance=0.0,
        progress=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn plan(
        &self,
        py: Python<'_>,
        start: goals::Configurations,
        goal: &Bound<'_, PyAny>,
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
        let (goals, several) = goals::goals(&self.inner, goal)?;
        let mut watch = Watch::new(progress);
        let plan = call_detached(py, || {
            planning::plan_between(&self.inner, &start.all, &goals, &budget, |done| {
                watch.goes_on(done)
            })
        });
        watch.finish()?;
        let plan = plan?;
        let from = plan.start.filter(|_| start.several);
        let plan = Plan::new(plan, self.inner.n_dofs(), several);
        Ok(plan.with_start(from).of_robot(&self.inner))
    }

    /// The names of the robots, in the order of their coordinates.
    #[getter]
    fn robots(&self) -> PyResult<Vec<String>> {
        let name = |id| {
            self.inner
                .world()
                .robot(id)
                .map(|robot| robot.name().to_owned())
        };
        call(|| self.inner.robots().map(name).collect())
    }

    /// Elements without the collision geometry that they should have, each with the reason.
    #[getter]
    fn missing_geometry(&self) -> Vec<(crate::world::Entity, &'static str)> {
        let world = self.inner.world();
        let missing = self.inner.missing_geometry();
        missing
            .iter()
            .map(|(id, reason)| (crate::world::entity(world, *id), reason.name()))
            .collect()
    }

    fn __repr__(&self) -> String {
        let robots: Vec<String> = self
            .inner
            .world()
            .robots()
            .map(|robot| robot.name().to_owned())
            .collect();
        format!(
            "Space: {}, resolution {}, in a world with robots [{}]",
            count(self.inner.n_dofs(), "dof"),
            number(self.inner.resolution()),
            names(&robots)
        )
    }
}
