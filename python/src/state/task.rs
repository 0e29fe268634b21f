//! Dynamics along tasks and of drivers, and all terms at once.

use kinworld::dynamics as dyn_;
use kinworld::dynamics::{Loads, Task};
use kinworld::nalgebra::DMatrix;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::State;
use super::dynamics::{GRAVITY, wrenches};
use crate::convert::{Array1, Array2, LinkKey, Reals, Rows, Vec3, array1, matrix};
use crate::error::{call, error};
use crate::inertia::Inertia;
use crate::parts::DriverSpace;

/// Rows of a Jacobian (k × n) and their drift (k).
struct TaskIn {
    jacobian: DMatrix<f64>,
    drift: Vec<f64>,
    damping: f64,
}

impl TaskIn {
    fn of(jacobian: &Rows, drift: Option<Reals>, damping: f64) -> PyResult<Self> {
        let k = jacobian.count;
        let drift = drift.map_or_else(|| vec![0.0; k], |drift| drift.to_vec());
        if drift.len() != k {
            let n = drift.len();
            return Err(error(format!(
                "the jacobian has {k} rows, the drift {n} numbers"
            )));
        }
        Ok(Self {
            jacobian: DMatrix::from_row_slice(k, jacobian.width, &jacobian.numbers),
            drift,
            damping,
        })
    }

    fn task(&self) -> Task<'_> {
        Task::new(&self.jacobian, &self.drift).with_damping(self.damping)
    }
}

#[pymethods]
impl State {
    /// Accelerations (n) and contact forces (k) under joint forces ``tau`` (n), where ``jacobian`` (k × n) · ddq + ``drift``
    /// (k) = 0. ``damping`` makes redundant rows solvable.
    #[pyo3(signature = (tau, jacobian, drift=None, *, gravity=GRAVITY, loads=None, damping=0.0))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn constrained_dynamics<'py>(
        &self,
        py: Python<'py>,
        tau: Reals,
        jacobian: Rows,
        drift: Option<Reals>,
        gravity: Vec3,
        loads: Option<&Bound<'py, PyDict>>,
        damping: f64,
    ) -> PyResult<(Array1<'py>, Array1<'py>)> {
        let task = TaskIn::of(&jacobian, drift, damping)?;
        self.with(py, |robot, state| {
            let wrenches = wrenches(loads, robot)?;
            let loads = Loads::new(gravity.vector()).with_wrenches(&wrenches);
            let found =
                call(|| dyn_::constrained_dynamics(robot, state, loads, &tau, &task.task()))?;
            Ok((array1(py, &found.ddq), array1(py, &found.forces)))
        })
    }

    /// Velocities (n) after an impact along ``jacobian`` (k × n), and the contact impulses (k).
    #[pyo3(signature = (jacobian, *, restitution=0.0, damping=0.0))]
    fn impulse_dynamics<'py>(
        &self,
        py: Python<'py>,
        jacobian: Rows,
        restitution: f64,
        damping: f64,
    ) -> PyResult<(Array1<'py>, Array1<'py>)> {
        let task = TaskIn::of(&jacobian, None, damping)?;
        self.ask(py, |robot, state| {
            let found = dyn_::impulse_dynamics(robot, state, &task.task(), restitution)?;
            Ok((array1(py, &found.dq), array1(py, &found.impulses)))
        })
    }

    /// Operational-space inertia (k × k) along ``jacobian`` (k × n): (J M⁻¹ Jᵀ)⁻¹.
    #[pyo3(signature = (jacobian, *, damping=0.0))]
    fn operational_space_inertia<'py>(
        &self,
        py: Python<'py>,
        jacobian: Rows,
        damping: f64,
    ) -> PyResult<Array2<'py>> {
        let task = TaskIn::of(&jacobian, None, damping)?;
        self.ask(py, |robot, state| {
            dyn_::operational_space_inertia(robot, state, &task.task())
        })
        .map(|m| matrix(py, &m))
    }

    /// Dynamics along a task, Λ ẍ + μ + p = F: a dictionary with ``inertia`` (k × k), ``coriolis`` (k), ``gravity`` (k),
    /// ``inverse`` (n × k), the dynamically consistent inverse of ``jacobian`` (k × n), and ``null_space`` (n × n).
    #[pyo3(signature = (jacobian, drift=None, *, gravity=GRAVITY, damping=0.0))]
    fn task_dynamics<'py>(
        &self,
        py: Python<'py>,
        jacobian: Rows,
        drift: Option<Reals>,
        gravity: Vec3,
        damping: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let task = TaskIn::of(&jacobian, drift, damping)?;
        let found = self.ask(py, |robot, state| {
            dyn_::task_dynamics(robot, state, &gravity.vector(), &task.task())
        })?;
        let dict = PyDict::new(py);
        dict.set_item("inertia", matrix(py, &found.inertia))?;
        dict.set_item("coriolis", array1(py, found.coriolis.as_slice()))?;
        dict.set_item("gravity", array1(py, found.gravity.as_slice()))?;
        dict.set_item("inverse", matrix(py, &found.inverse))?;
        dict.set_item("null_space", matrix(py, &found.null_space))?;
        Ok(dict)
    }

    /// All terms of M ddq + C + G = tau and the centroidal quantities, in one pass: a dictionary of arrays and numbers.
    #[pyo3(signature = (*, gravity=GRAVITY))]
    fn all_terms<'py>(&self, py: Python<'py>, gravity: Vec3) -> PyResult<Bound<'py, PyDict>> {
        let terms = self.ask(py, |robot, state| {
            dyn_::all_terms(robot, state, &gravity.vector())
        })?;
        let dict = PyDict::new(py);
        dict.set_item("mass_matrix", matrix(py, &terms.mass_matrix))?;
        dict.set_item("coriolis_forces", array1(py, &terms.coriolis_forces))?;
        dict.set_item("gravity_forces", array1(py, &terms.gravity_forces))?;
        dict.set_item("bias_forces", array1(py, &terms.bias_forces))?;
        dict.set_item("axes", matrix(py, &terms.axes))?;
        dict.set_item("com", array1(py, terms.com.coords.as_slice()))?;
        dict.set_item("com_velocity", array1(py, terms.com_velocity.as_slice()))?;
        dict.set_item("com_jacobian", matrix(py, &terms.com_jacobian))?;
        let momentum = terms.centroidal_momentum.to_angular_first();
        dict.set_item(
            "centroidal_momentum_matrix",
            matrix(py, &terms.centroidal_momentum_matrix),
        )?;
        dict.set_item("centroidal_momentum", array1(py, &momentum))?;
        dict.set_item("total_inertia", matrix(py, &terms.total_inertia))?;
        dict.set_item("kinetic_energy", terms.kinetic_energy)?;
        dict.set_item("potential_energy", terms.potential_energy)?;
        Ok(dict)
    }

    /// Inertia of the whole robot as if it were rigid, in the world.
    fn composite_inertia(&self, py: Python<'_>) -> PyResult<Inertia> {
        self.ask(py, |robot, state| {
            Ok(Inertia(dyn_::composite_inertia(robot, state)))
        })
    }

    /// Inertia of a link and all that it carries as if they were rigid, in the frame of the link.
    fn subtree_inertia(&self, py: Python<'_>, link: LinkKey) -> PyResult<Inertia> {
        self.ask_link(py, &link, |robot, state, link| {
            Ok(Inertia(dyn_::subtree_inertia(robot, state, link)))
        })
    }

    /// Generalized forces (n) of gravity: the negative of ``holding_torque``.
    #[pyo3(signature = (*, gravity=GRAVITY))]
    fn static_torques<'py>(&self, py: Python<'py>, gravity: Vec3) -> PyResult<Array1<'py>> {
        self.ask(py, |robot, state| {
            Ok(dyn_::static_torques(robot, state, &gravity.vector()))
        })
        .map(|tau| array1(py, &tau))
    }

    /// Joint forces (n) that hold the robot at rest against gravity.
    #[pyo3(signature = (*, gravity=GRAVITY))]
    fn holding_torque<'py>(&self, py: Python<'py>, gravity: Vec3) -> PyResult<Array1<'py>> {
        self.ask(py, |robot, state| {
            Ok(dyn_::holding_torque(robot, state, &gravity.vector()))
        })
        .map(|tau| array1(py, &tau))
    }

    /// Mass matrix (m × m) of the independent degrees of freedom.
    fn driver_mass_matrix<'py>(
        &self,
        py: Python<'py>,
        space: &Bound<'_, DriverSpace>,
    ) -> PyResult<Array2<'py>> {
        let space = &space.get().0;
        self.ask(py, |robot, state| {
            Ok(dyn_::driver_mass_matrix(robot, state, space))
        })
        .map(|m| matrix(py, &m))
    }

    /// Inverse (m × m) of the mass matrix of the independent degrees of freedom.
    fn driver_mass_matrix_inverse<'py>(
        &self,
        py: Python<'py>,
        space: &Bound<'_, DriverSpace>,
    ) -> PyResult<Array2<'py>> {
        let space = &space.get().0;
        self.ask(py, |robot, state| {
            dyn_::driver_mass_matrix_inverse(robot, state, space)
        })
        .map(|m| matrix(py, &m))
    }

    /// Coriolis and gravity forces (m) on the independent degrees of freedom.
    #[pyo3(signature = (space, *, gravity=GRAVITY))]
    fn driver_bias_forces<'py>(
        &self,
        py: Python<'py>,
        space: &Bound<'_, DriverSpace>,
        gravity: Vec3,
    ) -> PyResult<Array1<'py>> {
        let space = &space.get().0;
        self.ask(py, |robot, state| {
            let gravity = gravity.vector();
            Ok(dyn_::driver_bias_forces(robot, state, &gravity, space))
        })
        .map(|u| array1(py, &u))
    }

    /// Accelerations (m) of the independent degrees of freedom under their forces ``u`` (m).
    #[pyo3(signature = (space, u, *, gravity=GRAVITY, loads=None))]
    fn driver_forward_dynamics<'py>(
        &self,
        py: Python<'py>,
        space: &Bound<'_, DriverSpace>,
        u: Reals,
        gravity: Vec3,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Array1<'py>> {
        let space = &space.get().0;
        self.with(py, |robot, state| {
            let wrenches = wrenches(loads, robot)?;
            let loads = Loads::new(gravity.vector()).with_wrenches(&wrenches);
            call(|| dyn_::driver_forward_dynamics(robot, state, loads, space, &u))
                .map(|ddy| array1(py, &ddy))
        })
    }

    /// Forces (m) for accelerations ``ddy`` (m) of the independent degrees of freedom.
    #[pyo3(signature = (space, ddy, *, gravity=GRAVITY, loads=None))]
    fn driver_inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        space: &Bound<'_, DriverSpace>,
        ddy: Reals,
        gravity: Vec3,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Array1<'py>> {
        let space = &space.get().0;
        self.with(py, |robot, state| {
            let wrenches = wrenches(loads, robot)?;
            let loads = Loads::new(gravity.vector()).with_wrenches(&wrenches);
            call(|| dyn_::driver_inverse_dynamics(robot, state, loads, space, &ddy))
                .map(|u| array1(py, &u))
        })
    }
}
