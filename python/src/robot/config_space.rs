//! The metric of a robot's configurations, random ones, and its limits.

use kinworld::batch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Robot;
use crate::convert::{Array1, Reals, array1};
use crate::error::call;
use crate::interrupt::in_chunks;

#[pymethods]
impl Robot {
    /// Distance between two configurations in the metric of the joints.
    fn distance(&self, a: Reals, b: Reals) -> PyResult<f64> {
        call(|| kinworld::kinematics::distance(&self.model, &a, &b))
    }

    /// The configuration (n) on the shortest path from ``a`` (u = 0) to ``b`` (u = 1).
    fn interpolate<'py>(
        &self,
        py: Python<'py>,
        a: Reals,
        b: Reals,
        u: f64,
    ) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::interpolate(&self.model, &a, &b, u)).map(|q| array1(py, &q))
    }

    /// The velocity (n) that leads from ``a`` to ``b`` in unit time: the inverse of [`integrate`].
    fn difference<'py>(&self, py: Python<'py>, a: Reals, b: Reals) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::difference(&self.model, &a, &b)).map(|v| array1(py, &v))
    }

    /// The velocity (n) at ``a`` of the interpolation to ``b`` in unit time.
    fn interpolate_deriv<'py>(&self, py: Python<'py>, a: Reals, b: Reals) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::interpolate_deriv(&self.model, &a, &b))
            .map(|v| array1(py, &v))
    }

    /// The configuration (n) after moving from ``q`` with the velocity ``v`` for unit time.
    fn integrate<'py>(&self, py: Python<'py>, q: Reals, v: Reals) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::integrate(&self.model, &q, &v)).map(|q| array1(py, &q))
    }

    /// Random configurations within the limits, the same for the same seed: (n) or, with ``count``, (count, n).
    ///
    /// Coordinates without limits are drawn from a range of about ``scale``.
    #[pyo3(signature = (seed, count=None, *, scale=1.0))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        count: Option<usize>,
        scale: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n = self.model.n_dofs();
        match count {
            None => array1(py, &kinworld::kinematics::sample(&self.model, seed, scale))
                .into_pyobject(py)
                .map(Bound::into_any)
                .map_err(Into::into),
            Some(count) => {
                if count
                    .checked_mul(n.max(1))
                    .is_none_or(|total| total > MOST_NUMBERS)
                {
                    return Err(PyValueError::new_err(format!("count {count} is too large")));
                }
                let q = in_chunks(py, (count, n), |rows, out| {
                    let first = rows.start as u64;
                    batch::sample_part_into(&self.model, seed, scale, first, out)
                })?;
                Ok(crate::convert::array_n(py, &[count, n], q)?.0.into_any())
            }
        }
    }

    /// Whether a configuration is within all limits.
    fn in_limits(&self, q: Reals) -> bool {
        kinworld::kinematics::in_limits(&self.model, &q)
    }

    /// The names of the joints that are beyond their limits.
    #[pyo3(signature = (q, tolerance=0.0))]
    fn beyond_limits(&self, q: Reals, tolerance: f64) -> PyResult<Vec<String>> {
        let beyond = call(|| kinworld::kinematics::beyond_limits(&self.model, &q, tolerance))?;
        Ok(beyond
            .into_iter()
            .map(|dof| self.model.dof_name(dof).to_owned())
            .collect())
    }

    /// The nearest configuration (n) within the limits.
    fn clamp_to_limits<'py>(&self, py: Python<'py>, q: Reals) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::clamp_to_limits(&self.model, &q)).map(|q| array1(py, &q))
    }
}

/// Largest count of numbers of one array.
const MOST_NUMBERS: usize = 1 << 36;
