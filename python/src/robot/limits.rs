//! Limits of a robot's degrees of freedom.

use std::sync::Arc;

use kinworld::Robot as Model;
use pyo3::prelude::*;

use crate::convert::{Array1, array1, index};
use crate::describe::{count, first, number};

/// Limits of all degrees of freedom, arrays (n); infinite where there is no limit.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Limits(pub(crate) Arc<Model>);

impl Limits {
    fn array<'py>(
        &self,
        py: Python<'py>,
        value: impl Fn(&kinworld::robot::Limits) -> f64,
    ) -> Array1<'py> {
        let values: Vec<f64> = self.0.limits().iter().map(value).collect();
        array1(py, &values)
    }
}

#[pymethods]
impl Limits {
    /// Smallest positions (n), rad or m.
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.q_min)
    }

    /// Largest positions (n), rad or m.
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.q_max)
    }

    /// Largest velocities (n), rad/s or m/s.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.v_max)
    }

    /// Largest magnitudes of accelerations (n), rad/s² or m/s².
    #[getter]
    fn acceleration<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.a_max)
    }

    /// Largest magnitudes of torques or forces (n), N·m or N.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.tau_max)
    }

    /// Largest magnitudes of power (n), W.
    #[getter]
    fn power<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.power_max)
    }

    fn __repr__(&self) -> String {
        let ranges = first(self.0.limits(), |limits| {
            format!("{} to {}", number(limits.q_min), number(limits.q_max))
        });
        format!(
            "Limits of '{}': {}: {ranges}",
            self.0.name(),
            count(self.0.n_dofs(), "dof")
        )
    }

    /// The limits (lower, upper) of a degree of freedom.
    fn __getitem__(&self, key: isize) -> PyResult<(f64, f64)> {
        let limits = &self.0.limits()[index(key, self.0.n_dofs(), "dof")?];
        Ok((limits.q_min, limits.q_max))
    }

    fn __len__(&self) -> usize {
        self.0.n_dofs()
    }
}
