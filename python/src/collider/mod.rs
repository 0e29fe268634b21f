//! Collision queries of worlds.

mod found;

use kinworld::world::{PairFilter, RigidObjectId, RobotId, Workspace, WorldCollider};
use kinworld::{EntityId, Error, Pose, WorldModel};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

pub(crate) use found::{Hit, Nearest};

use crate::convert::{Bools, ElementKey, LongRows, PoseIn, Reals, Vec3};
use crate::describe::count;
use crate::error::{call, call_detached, error, fail};
use crate::interrupt::in_chunks;
use crate::world::{Entity, EntityIn, entity, object_id, pair_of};

/// A snapshot of a world for collision queries, at any configuration, from any thread.
///
/// Every query takes a configuration ``q`` of the first robot, or of ``robot``; without one, all is where it was when the
/// snapshot was made. ``poses`` puts rigid objects elsewhere for one query.
///
/// >>> import kinworld as kw
/// >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
/// >>> collider = world.collider()
/// >>> collider.collides([0, 0, 0, 0, 0, 0]), collider.collides([0.5, 1, 0, 0, 0, 0])
/// (False, True)
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Collider {
    inner: WorldCollider,
    world: WorldModel,
    first: Option<RobotId>,
}

/// Number of configurations that one thread checks in a row.
const PART: usize = 64;

/// Changes to a snapshot for one query.
struct Moves {
    config: Option<(RobotId, Reals)>,
    poses: Vec<(RigidObjectId, Pose)>,
}

impl Moves {
    #[inline]
    fn apply(&self, ws: &mut Workspace) -> kinworld::Result<()> {
        for (object, pose) in &self.poses {
            ws.set_pose(*object, pose)?;
        }
        if let Some((robot, q)) = &self.config {
            ws.set_config(*robot, q)?;
        }
        Ok(())
    }
}

impl Collider {
    pub(crate) fn new(py: Python<'_>, world: &WorldModel, filter: &PairFilter) -> PyResult<Self> {
        let inner = call_detached(py, || WorldCollider::new(world, filter))?;
        let first = world.robots().next().map(|robot| robot.id());
        Ok(Self {
            inner,
            world: world.clone(),
            first,
        })
    }

    fn robot(&self, key: Option<&ElementKey>) -> PyResult<RobotId> {
        let world = &self.world;
        match key {
            None => self.first.ok_or_else(|| error("the world has no robot")),
            Some(key) => key.find(
                world.n_robots(),
                "robot",
                |i| world.robot(i).map(|robot| robot.id()),
                |name| world.robot(name).map(|robot| robot.id()),
            ),
        }
    }

    fn moves(
        &self,
        q: Option<Reals>,
        robot: Option<&ElementKey>,
        poses: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Moves> {
        let config = match q {
            None => None,
            Some(q) => Some((self.robot(robot)?, q)),
        };
        let mut moved = Vec::new();
        for (object, pose) in poses.into_iter().flatten() {
            let id = object_id(&self.world, &object.extract()?)?;
            moved.push((id, pose.extract::<PoseIn>()?.0));
        }
        Ok(Moves {
            config,
            poses: moved,
        })
    }

    /// Asks about the pairs of a robot where `robot` or `q` was given, of the whole world otherwise.
    fn first_pair(
        &self,
        moves: &Moves,
        robot: Option<RobotId>,
    ) -> PyResult<Option<(EntityId, EntityId)>> {
        call(|| {
            self.inner.with_workspace(|ws| {
                moves.apply(ws)?;
                match robot {
                    Some(robot) => self.inner.robot_collision_with(robot, ws),
                    None => Ok(self.inner.first_collision_with(ws)),
                }
            })
        })
    }
}

#[pymethods]
impl Collider {
    /// Whether anything collides: with ``q`` or ``robot``, anything with that robot.
    #[pyo3(signature = (q=None, robot=None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None"=None))]
    fn collides(
        &self,
        q: Option<Reals>,
        robot: Option<ElementKey>,
        poses: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<bool> {
        if q.is_none() && robot.is_none() {
            let moves = self.moves(q, robot.as_ref(), poses)?;
            return self.first_pair(&moves, None).map(|pair| pair.is_some());
        }
        let id = self.robot(robot.as_ref())?;
        let moves = self.moves(q, robot.as_ref(), poses)?;
        call(|| {
            self.inner.with_workspace(|ws| {
                moves.apply(ws)?;
                self.inner.robot_collides_with(id, ws)
            })
        })
    }

    /// For each of N configurations (N × n) of a robot, whether nothing collides with the robot.
    #[pyo3(signature = (q, robot=None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None"=None))]
    fn are_free<'py>(
        &self,
        py: Python<'py>,
        q: LongRows<'py>,
        robot: Option<ElementKey>,
        poses: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bools<'py>> {
        let id = self.robot(robot.as_ref())?;
        let n = self.world.robot(id).map_err(fail)?.config().len();
        let rows = q.of_width(n, "q")?;
        let moves = self.moves(None, None, poses)?;
        let free = in_chunks(py, (q.count, 1), |range, free| {
            let parts = free.par_chunks_mut(PART).enumerate().map(|(k, free)| {
                self.inner.with_workspace(|ws| {
                    moves.apply(ws)?;
                    let first = range.start + k * PART;
                    for (i, free) in free.iter_mut().enumerate() {
                        let q = &rows[(first + i) * n..][..n];
                        ws.set_config(id, q).map_err(|error| match error {
                            // counted from the first of the chunk
                            Error::Invalid { what, problem } if what == "configuration" => {
                                let what = format!("configuration {}", k * PART + i);
                                Error::Invalid { what, problem }
                            }
                            other => other,
                        })?;
                        *free = !self.inner.robot_collides_with(id, ws)?;
                    }
                    Ok(())
                })
            });
            // the first error, whichever thread is faster
            parts.reduce(|| Ok(()), kinworld::Result::and)
        })?;
        Ok(Bools::new(py, free))
    }

    /// All pairs that collide.
    #[pyo3(signature = (q=None, robot=None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None"=None))]
    fn pairs(
        &self,
        py: Python<'_>,
        q: Option<Reals>,
        robot: Option<ElementKey>,
        poses: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<(Entity, Entity)>> {
        let moves = self.moves(q, robot.as_ref(), poses)?;
        let pairs = call_detached(py, || {
            self.inner.with_workspace(|ws| {
                moves.apply(ws)?;
                let mut pairs = Vec::new();
                self.inner.colliding_pairs_with(ws, &mut pairs);
                Ok(pairs)
            })
        })?;
        Ok(pairs
            .into_iter()
            .map(|pair| pair_of(&self.world, pair))
            .collect())
    }

    /// A pair that collides, or ``None``: with ``q`` or ``robot``, one of that robot.
    #[pyo3(signature = (q=None, robot=None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None"=None))]
    fn first_collision(
        &self,
        q: Option<Reals>,
        robot: Option<ElementKey>,
        poses: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<(Entity, Entity)>> {
        let of = if q.is_some() || robot.is_some() {
            Some(self.robot(robot.as_ref())?)
        } else {
            None
        };
        let moves = self.moves(q, robot.as_ref(), poses)?;
        Ok(self
            .first_pair(&moves, of)?
            .map(|pair| pair_of(&self.world, pair)))
    }

    /// Distance of two elements, or of two robots or links, with their nearest points.
    #[pyo3(signature = (a, b, q=None, robot=None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None"=None))]
    fn distance(
        &self,
        a: EntityIn,
        b: EntityIn,
        q: Option<Reals>,
        robot: Option<ElementKey>,
        poses: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Nearest> {
        let (a, b) = (a.of(&self.world)?, b.of(&self.world)?);
        let moves = self.moves(q, robot.as_ref(), poses)?;
        let found = call(|| {
            self.inner.with_workspace(|ws| {
                moves.apply(ws)?;
                self.inner.distance_with(a, b, ws)
            })
        })?;
        Ok(Nearest::new(&self.world, &found))
    }

    /// The ``n`` pairs with the least distance, nearest first; all pairs, where there are fewer.
    #[pyo3(signature = (n, q=None, robot=None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None"=None))]
    fn nearest_pairs(
        &self,
        py: Python<'_>,
        n: usize,
        q: Option<Reals>,
        robot: Option<ElementKey>,
        poses: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Nearest>> {
        let moves = self.moves(q, robot.as_ref(), poses)?;
        let found = call_detached(py, || {
            self.inner.with_workspace(|ws| {
                moves.apply(ws)?;
                let mut found = Vec::new();
                self.inner.nearest_pairs_with(n, ws, &mut found);
                Ok(found)
            })
        })?;
        let pairs = found.iter();
        Ok(pairs.map(|of| Nearest::new(&self.world, of)).collect())
    }

    /// Distance of a robot to the nearest obstacle or to itself; ``None`` where there is nothing to be near.
    #[pyo3(signature = (q=None, robot=None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None"=None))]
    fn clearance(
        &self,
        q: Option<Reals>,
        robot: Option<ElementKey>,
        poses: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<Nearest>> {
        let id = self.robot(robot.as_ref())?;
        let moves = self.moves(q, robot.as_ref(), poses)?;
        let found = call(|| {
            self.inner.with_workspace(|ws| {
                moves.apply(ws)?;
                self.inner.clearance_with(&[id], ws)
            })
        })?;
        Ok(found.map(|found| Nearest::new(&self.world, &found)))
    }

    /// The first hit of a ray from ``origin`` (3) along ``direction`` (3), or ``None``.
    #[pyo3(signature = (origin, direction, q=None, robot=None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None"=None))]
    fn ray_cast(
        &self,
        origin: Vec3,
        direction: Vec3,
        q: Option<Reals>,
        robot: Option<ElementKey>,
        poses: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<Hit>> {
        let moves = self.moves(q, robot.as_ref(), poses)?;
        let hit = call(|| {
            self.inner.with_workspace(|ws| {
                moves.apply(ws)?;
                self.inner
                    .ray_cast_with(&origin.point(), &direction.vector(), ws)
            })
        })?;
        Ok(hit.map(|hit| Hit {
            entity: entity(&self.world, hit.entity),
            distance: hit.hit.distance,
            point: hit.hit.point.coords.into(),
            normal: hit.hit.normal.into(),
        }))
    }

    /// The elements with collision geometry.
    #[getter]
    fn elements(&self) -> Vec<Entity> {
        self.inner
            .elements()
            .map(|id| entity(&self.world, id))
            .collect()
    }

    /// Elements without the collision geometry that they should have, each with the reason.
    #[getter]
    fn missing_geometry(&self) -> Vec<(Entity, &'static str)> {
        let missing = self.inner.missing_geometry();
        missing
            .iter()
            .map(|(id, reason)| (entity(&self.world, *id), reason.name()))
            .collect()
    }

    /// Whether a pair of elements is tested.
    fn is_enabled(&self, a: EntityIn, b: EntityIn) -> PyResult<bool> {
        let (a, b) = (a.of(&self.world)?, b.of(&self.world)?);
        if a == b {
            return Err(PyValueError::new_err("a pair needs two elements"));
        }
        Ok(self.inner.is_enabled(a, b))
    }

    fn __repr__(&self) -> String {
        let world = &self.world;
        format!(
            "Collider: {}, {}, {}; {}",
            count(world.n_robots(), "robot"),
            count(world.n_rigid_objects(), "rigid object"),
            count(world.n_terrains(), "terrain"),
            count(self.inner.pairs().count(), "pair")
        )
    }
}
