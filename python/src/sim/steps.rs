//! Methods of integration and their steps.

use kinworld::sim::{Integrator, Method, Steps, Tolerance};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, array1, array2};
use crate::error::{call, error};

const METHODS: [(&str, Method); 11] = [
    ("explicit_euler", Method::ExplicitEuler),
    ("explicit_midpoint", Method::ExplicitMidpoint),
    ("rk33", Method::Rk33),
    ("rk44", Method::Rk44),
    ("rk67", Method::Rk67),
    ("ode23", Method::Ode23),
    ("dopri5", Method::Dopri5),
    ("dop853", Method::Dop853),
    ("semi_implicit_euler", Method::SemiImplicitEuler),
    ("velocity_verlet", Method::VelocityVerlet),
    ("trapezoidal", Method::Trapezoidal),
];

/// The method of a name; `rho` is the spectral radius of ``"generalized_alpha"``.
fn method(name: &str, rho: f64) -> PyResult<Method> {
    if name == "generalized_alpha" {
        return Ok(Method::GeneralizedAlpha { rho });
    }
    METHODS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, method)| *method)
        .ok_or_else(|| {
            let names: Vec<&str> = METHODS.iter().map(|(name, _)| *name).collect();
            error(format!(
                "unknown method {name:?}; there are {} and generalized_alpha",
                names.join(", ")
            ))
        })
}

/// How a run is stepped, as the arguments of Python say.
#[derive(FromPyObject)]
pub(super) struct Stepping {
    #[pyo3(item)]
    pub(super) method: String,
    #[pyo3(item)]
    pub(super) rho: f64,
    #[pyo3(item)]
    pub(super) step: Option<f64>,
    #[pyo3(item)]
    pub(super) tolerance: Option<(f64, f64)>,
    #[pyo3(item)]
    pub(super) max_step: Option<f64>,
    #[pyo3(item)]
    pub(super) max_steps: Option<usize>,
}

impl Stepping {
    /// The integrator; a method without an error estimate needs a step.
    pub(super) fn integrator(&self) -> PyResult<Integrator> {
        let method = method(&self.method, self.rho)?;
        let adapts = method
            .tableau()
            .is_some_and(kinworld::sim::Tableau::has_estimate);
        let steps = match (self.step, self.tolerance) {
            (Some(_), Some(_)) => {
                return Err(error(
                    "a run has a fixed `step` or a `tolerance`, not both; leave one out",
                ));
            }
            (Some(step), None) => Steps::Length(step),
            (None, None) if !adapts => {
                return Err(error(format!(
                    "method {:?} has no error estimate; give the length of its steps: step=1e-3",
                    self.method
                )));
            }
            (None, tolerance) => {
                let mut limits = Tolerance::default();
                if let Some((relative, absolute)) = tolerance {
                    limits = limits.with_relative(relative).with_absolute(absolute);
                }
                if let Some(max_step) = self.max_step {
                    limits = limits.with_max_step(max_step);
                }
                Steps::Adaptive(limits)
            }
        };
        let integrator = call(|| Integrator::new(method, steps))?;
        Ok(match self.max_steps {
            Some(most) => integrator.with_step_limit(most),
            None => integrator,
        })
    }
}

/// The names of all methods and their orders.
#[pyfunction]
pub(crate) fn methods() -> Vec<(&'static str, u32)> {
    let alpha = (
        "generalized_alpha",
        Method::GeneralizedAlpha { rho: 0.8 }.order(),
    );
    METHODS
        .iter()
        .map(|(name, method)| (*name, method.order()))
        .chain([alpha])
        .collect()
}

/// The Butcher tableau of an explicit method: A (s × s), b (s), c (s); ``None`` for the other methods.
#[pyfunction(name = "tableau")]
#[pyo3(signature = (method))]
pub(crate) fn tableau<'py>(
    py: Python<'py>,
    method: &str,
) -> PyResult<Option<(Array2<'py>, Array1<'py>, Array1<'py>)>> {
    let Some(tableau) = self::method(method, 0.8)?.tableau() else {
        return Ok(None);
    };
    let s = tableau.stages();
    let a = array2(py, s, s, |out| {
        for (row, numbers) in out.chunks_exact_mut(s.max(1)).zip(tableau.a()) {
            row[..numbers.len()].copy_from_slice(numbers);
        }
    });
    Ok(Some((a, array1(py, tableau.b()), array1(py, tableau.c()))))
}
