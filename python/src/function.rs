//! Functions of a configuration: kinematics and dynamics of a robot without a state to keep.

use std::sync::{Arc, Mutex, TryLockError};

use kinworld::Robot as Model;
use kinworld::dynamics::{self as dyn_, Loads};
use kinworld::kinematics as kin;
use numpy::ndarray::{Ix1, Ix2};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, LinkKey, Recycled, Row, Vec3, write_pose, write_six_rows};
use crate::error::{fail, unpanicked};
use crate::robot::Robot;
use crate::state::{GRAVITY, Scratch};

const ORIGIN: Vec3 = Vec3([0.0; 3]);

/// A state and the memory of the algorithms, which calls lend one after the other.
struct Lent {
    state: kinworld::State,
    scratch: Box<Scratch>,
    results: Results,
}

/// Results of earlier calls, by their shapes.
#[derive(Default)]
struct Results {
    pose: Recycled<Ix2>,
    jacobian: Recycled<Ix2>,
    square: Recycled<Ix2>,
    vector: Recycled<Ix1>,
}

impl Lent {
    fn new(robot: &Arc<Model>) -> Box<Self> {
        Box::new(Self {
            state: kinworld::State::new(robot),
            scratch: Scratch::new(robot),
            results: Results::default(),
        })
    }
}

/// Memory that calls lend. A lock that is tried costs a call less than one that is waited for, and calls from a few threads
/// do not wait for each other; more of them than places make memory of their own.
#[derive(Default)]
pub(crate) struct Pool([Mutex<Option<Box<Lent>>>; 4]);

impl Pool {
    /// Runs a query with a state at ``q``, with the velocity ``dq`` or at rest.
    #[inline]
    fn with<T>(
        &self,
        robot: &Arc<Model>,
        q: &[f64],
        dq: Option<&[f64]>,
        query: impl FnOnce(&kinworld::State, &mut Scratch, &mut Results) -> kinworld::Result<T>,
    ) -> PyResult<T> {
        let mut place = self.0.iter().find_map(|place| match place.try_lock() {
            Ok(place) => Some(place),
            // panics are caught below, with the lock held
            Err(TryLockError::Poisoned(place)) => Some(place.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        });
        let mut own = None;
        let slot = place.as_deref_mut().unwrap_or(&mut own);
        let lent = slot.get_or_insert_with(|| Lent::new(robot));
        let result = unpanicked(|| {
            lent.state.set_config(robot, q)?;
            if let Some(dq) = dq {
                lent.state.set_velocity(robot, dq)?;
            }
            query(&lent.state, &mut lent.scratch, &mut lent.results)
        });
        result.map_err(|problem| {
            // what a panic leaves behind is not used again
            *slot = None;
            fail(problem)
        })
    }
}

#[pymethods]
impl Robot {
    /// Pose (4 × 4) of a link at a configuration ``q`` (n).
    ///
    /// These functions of ``q`` keep no state: one call instead of two, and safe from many threads. Several questions about
    /// one configuration are cheaper with a `State`.
    ///
    /// >>> import kinworld as kw
    /// >>> arm = kw.Robot.load("data/robots/planar3R.rob")
    /// >>> arm.pose([0, 0, 0], "link2")[:3, 3]
    /// array([2., 0., 0.])
    fn pose<'py>(&self, py: Python<'py>, q: Row<'py>, link: LinkKey) -> PyResult<Array2<'py>> {
        let link = link.of(&self.model)?;
        self.pool
            .with(&self.model, q.numbers(), None, |state, _, results| {
                let pose = state.pose(&self.model, link);
                let out = &mut results.pose;
                Ok(out.array2(py, 4, 4, |out| write_pose(&pose, out)))
            })
    }

    /// Jacobian (6 × n) of the point ``p`` of a link at ``q`` (n), in world axes: rows 0–2 angular, 3–5 linear.
    #[pyo3(signature = (q, link, p=ORIGIN))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        q: Row<'py>,
        link: LinkKey,
        p: Vec3,
    ) -> PyResult<Array2<'py>> {
        let (robot, link) = (&self.model, link.of(&self.model)?);
        self.pool
            .with(robot, q.numbers(), None, |state, scratch, results| {
                kin::jacobian_into(robot, state, link, &p.point(), &mut scratch.columns);
                let columns = scratch.columns.as_slice();
                let out = &mut results.jacobian;
                Ok(out.array2(py, 6, columns.len() / 6, |out| {
                    write_six_rows(columns, false, out);
                }))
            })
    }

    /// Mass matrix (n × n) at ``q`` (n), kg·m² or kg.
    fn mass_matrix<'py>(&self, py: Python<'py>, q: Row<'py>) -> PyResult<Array2<'py>> {
        let (robot, n) = (&self.model, self.model.n_dofs());
        self.pool
            .with(robot, q.numbers(), None, |state, scratch, results| {
                dyn_::mass_matrix_into(robot, state, &mut scratch.dynamics, &mut scratch.matrix);
                // it is symmetric: columns are rows
                let numbers = scratch.matrix.as_slice();
                let out = &mut results.square;
                Ok(out.array2(py, n, n, |out| out.copy_from_slice(numbers)))
            })
    }

    /// Joint forces τ (n) at ``q``, ``dq``, ``ddq`` (n each): recursive Newton-Euler.
    #[pyo3(signature = (q, dq, ddq, *, gravity=GRAVITY))]
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: Row<'py>,
        dq: Row<'py>,
        ddq: Row<'py>,
        gravity: Vec3,
    ) -> PyResult<Array1<'py>> {
        let robot = &self.model;
        self.pool.with(
            robot,
            q.numbers(),
            Some(dq.numbers()),
            |state, scratch, results| {
                let loads = Loads::new(gravity.vector());
                let (ws, out) = (&mut scratch.dynamics, &mut scratch.vector);
                dyn_::inverse_dynamics_into(robot, state, loads, ddq.numbers(), ws, out)?;
                Ok(results.vector.array1(py, out))
            },
        )
    }

    /// Accelerations (n) at ``q``, ``dq`` for joint forces ``tau`` (n each): the articulated-body algorithm.
    #[pyo3(signature = (q, dq, tau, *, gravity=GRAVITY))]
    fn forward_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: Row<'py>,
        dq: Row<'py>,
        tau: Row<'py>,
        gravity: Vec3,
    ) -> PyResult<Array1<'py>> {
        let robot = &self.model;
        self.pool.with(
            robot,
            q.numbers(),
            Some(dq.numbers()),
            |state, scratch, results| {
                let loads = Loads::new(gravity.vector());
                let (ws, out) = (&mut scratch.dynamics, &mut scratch.vector);
                dyn_::forward_dynamics_into(robot, state, loads, tau.numbers(), ws, out)?;
                Ok(results.vector.array1(py, out))
            },
        )
    }

    /// Joint forces (n) that hold the robot at rest at ``q`` (n) against gravity.
    #[pyo3(signature = (q, *, gravity=GRAVITY))]
    fn gravity_forces<'py>(
        &self,
        py: Python<'py>,
        q: Row<'py>,
        gravity: Vec3,
    ) -> PyResult<Array1<'py>> {
        let robot = &self.model;
        self.pool
            .with(robot, q.numbers(), None, |state, scratch, results| {
                let gravity = gravity.vector();
                let (ws, out) = (&mut scratch.dynamics, &mut scratch.vector);
                dyn_::gravity_forces_into(robot, state, &gravity, ws, out);
                Ok(results.vector.array1(py, out))
            })
    }
}
