//! Dynamics of a state.

use kinworld::LinkId;
use kinworld::dynamics as dyn_;
use kinworld::dynamics::Loads;
use kinworld::math::Wrench;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Scratch, State};
use crate::convert::{
    Array1, Array2, ArrayN, DofKey, LinkKey, Reals, Vec3, Vec6, array_n, array1, array2, matrix,
};

/// Gravity of the Earth, m/s².
pub(crate) const GRAVITY: Vec3 = Vec3([0.0, 0.0, -9.81]);

/// External wrenches on links: a dictionary from links to six numbers, moment first, in world axes about the link's origin.
pub(crate) fn wrenches(
    loads: Option<&Bound<'_, PyDict>>,
    robot: &kinworld::Robot,
) -> PyResult<Vec<(LinkId, Wrench)>> {
    let Some(loads) = loads else {
        return Ok(Vec::new());
    };
    loads
        .iter()
        .map(|(link, wrench)| {
            let wrench = wrench.extract::<Vec6>().map_err(|problem| {
                let text = "loads map links to wrenches of six numbers, moment first";
                let error = PyTypeError::new_err(text);
                error.set_cause(loads.py(), Some(problem));
                error
            })?;
            Ok((
                link.extract::<LinkKey>()?.of(robot)?,
                Wrench::from_angular_first(wrench.0),
            ))
        })
        .collect()
}

/// The matrix that an algorithm wrote into the scratch memory.
fn square<'py>(py: Python<'py>, scratch: &Scratch, symmetric: bool) -> Array2<'py> {
    let m = &scratch.matrix;
    if symmetric {
        return array2(py, m.nrows(), m.ncols(), |out| {
            out.copy_from_slice(m.as_slice())
        });
    }
    matrix(py, m)
}

#[pymethods]
impl State {
    /// Mass matrix M (n × n), kg·m² or kg.
    fn mass_matrix<'py>(&mut self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask_with(py, |robot, state, scratch| {
            dyn_::mass_matrix_into(robot, state, &mut scratch.dynamics, &mut scratch.matrix);
            Ok(square(py, scratch, true))
        })
    }

    /// Inverse (n × n) of the mass matrix.
    fn mass_matrix_inverse<'py>(&mut self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask_with(py, |robot, state, scratch| {
            dyn_::mass_matrix_inverse_into(
                robot,
                state,
                &mut scratch.dynamics,
                &mut scratch.matrix,
            )?;
            Ok(square(py, scratch, true))
        })
    }

    /// Lower Cholesky factor L (n × n) of the mass matrix with M = Lᵀ L, which keeps the sparsity of the tree.
    fn mass_matrix_cholesky<'py>(&mut self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask_with(py, |robot, state, scratch| {
            dyn_::mass_matrix_cholesky_into(
                robot,
                state,
                &mut scratch.dynamics,
                &mut scratch.matrix,
            )?;
            Ok(square(py, scratch, false))
        })
    }

    /// Derivative (n × n) of the mass matrix by one degree of freedom.
    fn mass_matrix_derivative<'py>(
        &mut self,
        py: Python<'py>,
        dof: DofKey,
    ) -> PyResult<Array2<'py>> {
        let dof = self.with(py, |robot, _| dof.of(robot))?;
        self.ask_with(py, |robot, state, scratch| {
            dyn_::mass_matrix_derivative_into(
                robot,
                state,
                dof,
                &mut scratch.dynamics,
                &mut scratch.matrix,
            );
            Ok(square(py, scratch, true))
        })
    }

    /// Derivatives (n × n × n) of the mass matrix; the first axis is the degree of freedom.
    fn mass_matrix_derivatives<'py>(&self, py: Python<'py>) -> PyResult<ArrayN<'py>> {
        let parts = self.ask(py, |robot, state| {
            Ok(dyn_::mass_matrix_derivatives(robot, state))
        })?;
        let n = parts.len();
        array_n(
            py,
            &[n, n, n],
            parts.iter().flat_map(|part| part.iter().copied()).collect(),
        )
    }

    /// Time derivative (n × n) of the mass matrix.
    fn mass_matrix_dot<'py>(&mut self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask_with(py, |robot, state, scratch| {
            dyn_::mass_matrix_dot_into(robot, state, &mut scratch.dynamics, &mut scratch.matrix);
            Ok(square(py, scratch, true))
        })
    }

    /// Coriolis matrix C (n × n), of which C·dq are the Coriolis forces and Ṁ − 2C is skew-symmetric.
    fn coriolis_matrix<'py>(&mut self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask_with(py, |robot, state, scratch| {
            dyn_::coriolis_matrix_into(robot, state, &mut scratch.dynamics, &mut scratch.matrix);
            Ok(square(py, scratch, false))
        })
    }

    /// Coriolis and centrifugal forces (n), N·m or N.
    fn coriolis_forces<'py>(&mut self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask_with(py, |robot, state, scratch| {
            dyn_::coriolis_forces_into(robot, state, &mut scratch.dynamics, &mut scratch.vector);
            Ok(array1(py, &scratch.vector))
        })
    }

    /// Forces (n) that hold the robot against gravity, N·m or N.
    #[pyo3(signature = (gravity=GRAVITY))]
    fn gravity_forces<'py>(&mut self, py: Python<'py>, gravity: Vec3) -> PyResult<Array1<'py>> {
        self.ask_with(py, |robot, state, scratch| {
            let Scratch {
                dynamics, vector, ..
            } = scratch;
            dyn_::gravity_forces_into(robot, state, &gravity.vector(), dynamics, vector);
            Ok(array1(py, vector))
        })
    }

    /// Coriolis, centrifugal and gravity forces (n), N·m or N.
    #[pyo3(signature = (gravity=GRAVITY))]
    fn bias_forces<'py>(&mut self, py: Python<'py>, gravity: Vec3) -> PyResult<Array1<'py>> {
        self.ask_with(py, |robot, state, scratch| {
            let Scratch {
                dynamics, vector, ..
            } = scratch;
            dyn_::bias_forces_into(robot, state, &gravity.vector(), dynamics, vector);
            Ok(array1(py, vector))
        })
    }

    /// Joint forces τ (n) for accelerations ``ddq`` (n): recursive Newton-Euler.
    ///
    /// ``loads`` maps links to wrenches (6), moment first, in world axes about the link's origin.
    #[pyo3(signature = (ddq, *, gravity=GRAVITY, loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None"=None))]
    fn inverse_dynamics<'py>(
        &mut self,
        py: Python<'py>,
        ddq: Reals,
        gravity: Vec3,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Array1<'py>> {
        let wrenches = self.with_loads(py, loads)?;
        self.ask_with(py, |robot, state, scratch| {
            let loads = Loads::new(gravity.vector()).with_wrenches(&wrenches);
            let Scratch {
                dynamics, vector, ..
            } = scratch;
            dyn_::inverse_dynamics_into(robot, state, loads, &ddq, dynamics, vector)?;
            Ok(array1(py, vector))
        })
    }

    /// Accelerations (n) for joint forces ``tau`` (n): the articulated-body algorithm.
    #[pyo3(signature = (tau, *, gravity=GRAVITY, loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None"=None))]
    fn forward_dynamics<'py>(
        &mut self,
        py: Python<'py>,
        tau: Reals,
        gravity: Vec3,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Array1<'py>> {
        let wrenches = self.with_loads(py, loads)?;
        self.ask_with(py, |robot, state, scratch| {
            let loads = Loads::new(gravity.vector()).with_wrenches(&wrenches);
            let Scratch {
                dynamics, vector, ..
            } = scratch;
            dyn_::forward_dynamics_into(robot, state, loads, &tau, dynamics, vector)?;
            Ok(array1(py, vector))
        })
    }

    /// Partial derivatives (n × n each) of the inverse dynamics: by q, by dq, by ddq.
    #[pyo3(signature = (ddq, *, gravity=GRAVITY, loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None"=None))]
    fn inverse_dynamics_derivatives<'py>(
        &mut self,
        py: Python<'py>,
        ddq: Reals,
        gravity: Vec3,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Array2<'py>, Array2<'py>, Array2<'py>)> {
        let wrenches = self.with_loads(py, loads)?;
        self.ask(py, |robot, state| {
            let loads = Loads::new(gravity.vector()).with_wrenches(&wrenches);
            dyn_::inverse_dynamics_derivatives(robot, state, loads, &ddq)
        })
        .map(|d| {
            (
                matrix(py, &d.dtau_dq),
                matrix(py, &d.dtau_dv),
                matrix(py, &d.dtau_da),
            )
        })
    }

    /// Partial derivatives (n × n each) of the forward dynamics: by q, by dq, by tau.
    #[pyo3(signature = (tau, *, gravity=GRAVITY, loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None"=None))]
    fn forward_dynamics_derivatives<'py>(
        &mut self,
        py: Python<'py>,
        tau: Reals,
        gravity: Vec3,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Array2<'py>, Array2<'py>, Array2<'py>)> {
        let wrenches = self.with_loads(py, loads)?;
        self.ask(py, |robot, state| {
            let loads = Loads::new(gravity.vector()).with_wrenches(&wrenches);
            dyn_::forward_dynamics_derivatives(robot, state, loads, &tau)
        })
        .map(|d| {
            (
                matrix(py, &d.ddq_dq),
                matrix(py, &d.ddq_dv),
                matrix(py, &d.ddq_dtau),
            )
        })
    }

    /// Derivative (n × n) of the gravity forces by q.
    #[pyo3(signature = (gravity=GRAVITY))]
    fn gravity_forces_derivative<'py>(
        &self,
        py: Python<'py>,
        gravity: Vec3,
    ) -> PyResult<Array2<'py>> {
        self.ask(py, |r, s| {
            Ok(dyn_::gravity_forces_derivative(r, s, &gravity.vector()))
        })
        .map(|d| matrix(py, &d))
    }

    /// Wrenches (links × 6) that each joint transmits to its link, moment first, in world axes about the link's origin.
    #[pyo3(signature = (ddq, *, gravity=GRAVITY, loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None"=None))]
    fn joint_wrenches<'py>(
        &self,
        py: Python<'py>,
        ddq: Reals,
        gravity: Vec3,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Array2<'py>> {
        let wrenches = self.with_loads(py, loads)?;
        let wrenches = self.ask(py, |robot, state| {
            let loads = Loads::new(gravity.vector()).with_wrenches(&wrenches);
            dyn_::joint_wrenches(robot, state, loads, &ddq)
        })?;
        Ok(array2(py, wrenches.len(), 6, |out| {
            for (row, wrench) in out.chunks_exact_mut(6).zip(&wrenches) {
                row.copy_from_slice(&wrench.to_angular_first());
            }
        }))
    }

    /// Wrench (6) that the ground exerts on the base, moment first, about the world's origin.
    #[pyo3(signature = (ddq, *, gravity=GRAVITY, loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None"=None))]
    fn base_wrench<'py>(
        &self,
        py: Python<'py>,
        ddq: Reals,
        gravity: Vec3,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Array1<'py>> {
        let wrenches = self.with_loads(py, loads)?;
        self.ask(py, |robot, state| {
            let loads = Loads::new(gravity.vector()).with_wrenches(&wrenches);
            dyn_::base_wrench(robot, state, loads, &ddq)
        })
        .map(|wrench| array1(py, &wrench.to_angular_first()))
    }

    /// Friction forces (n) of the drivers; ``slip`` is the velocity at which dry friction is fully developed.
    #[pyo3(signature = (slip=1e-3))]
    fn friction_forces<'py>(&self, py: Python<'py>, slip: f64) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| dyn_::friction_forces(r, s, slip))
            .map(|f| array1(py, &f))
    }
}

impl State {
    #[inline]
    fn with_loads(
        &self,
        py: Python<'_>,
        loads: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<(LinkId, Wrench)>> {
        if loads.is_none() {
            return Ok(Vec::new());
        }
        self.with(py, |robot, _| wrenches(loads, robot))
    }
}
