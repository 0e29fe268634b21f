//! Equations of the user.

use kinworld::sim::{
    Energy, Evaluation, IntegratorState, Mechanism, Ode, PointMotion, Probe, Sensor as Probed,
};
use kinworld::{Error, LinkId, Point, Result};
use pyo3::prelude::*;

use super::control::{Callbacks, Controlled, Problem, refused, run};
use super::recording::Recording;
use super::steps::Stepping;
use crate::convert::{Reals, array1};
use crate::error::error;

/// An equation that a function of the user defines; its values are its positions.
struct Equation {
    function: Py<PyAny>,
    size: usize,
    second_order: bool,
    y: Vec<f64>,
    dy: Vec<f64>,
}

impl Equation {
    fn half(&self) -> usize {
        if self.second_order {
            self.size / 2
        } else {
            self.size
        }
    }
}

impl Ode for Equation {
    fn size(&self) -> usize {
        self.size
    }

    fn is_second_order(&self) -> bool {
        self.second_order
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        let n = self.half();
        let (q, v) = y.split_at(n);
        let rates: Reals = Python::attach(|py| {
            let function = self.function.bind(py);
            let rates = if self.second_order {
                function.call1((t, array1(py, q), array1(py, v)))
            } else {
                function.call1((t, array1(py, q)))
            };
            rates?.extract()
        })
        .map_err(Error::other)?;
        if rates.len() != n {
            let problem = format!("gave {} numbers, expected {n}", rates.len());
            return Err(Error::other(error(format!("the function {problem}"))));
        }
        if self.second_order {
            dy[..n].copy_from_slice(v);
            dy[n..].copy_from_slice(&rates);
        } else {
            dy.copy_from_slice(&rates);
        }
        Ok(())
    }
}

/// The values of an equation.
struct Values<'a>(&'a Equation);

impl Mechanism for Equation {
    type Evaluation<'a> = Values<'a>;

    fn at(&mut self, _: f64, y: &[f64]) -> Result<Values<'_>> {
        self.y = y.to_vec();
        Ok(Values(self))
    }

    fn dof_names(&self) -> Vec<String> {
        (0..self.size).map(|i| i.to_string()).collect()
    }
}

impl Evaluation for Values<'_> {
    fn point_motion(&self, _: LinkId, _: &Point) -> Result<PointMotion> {
        Err(refused("sensor", "an equation has no links"))
    }

    fn positions(&self) -> &[f64] {
        &self.0.y
    }

    fn velocities(&self) -> &[f64] {
        &self.0.dy
    }

    fn accelerations(&self) -> &[f64] {
        &self.0.dy
    }

    fn residual_forces(&self) -> &[f64] {
        &self.0.dy
    }

    fn energy(&self) -> Energy {
        Energy::default()
    }
}

impl Controlled for Equation {
    fn motion(&mut self, state: &IntegratorState) -> Result<[Vec<f64>; 2]> {
        let (q, v) = state.y.split_at(self.half());
        Ok([q.to_vec(), v.to_vec()])
    }

    fn command(&mut self, _: Vec<f64>) -> Result<()> {
        Err(refused("controller", "an equation takes none"))
    }
}

/// Integrates ``dy/dt = function(t, y)`` from ``y`` (n) for a duration, s; or ``ddq = function(t, q, dq)`` where the
/// velocities ``dq`` (n) are given.
///
/// The recording has the columns ``y_0``, ``y_1``, …; ``recording["y"]`` is (k × n), positions before velocities.
/// ``method``, ``step``, ``tolerance``, ``max_step``, ``period`` and ``progress`` are those of ``simulate``;
/// ``until(t, q, dq)`` ends the run where it crosses zero, ``dq`` is empty for an equation of first order.
///
/// >>> import kinworld as kw
/// >>> kw.sim.integrate(lambda t, y: -y, [1.0], 1.0).config.round(6)
/// array([0.367879])
#[pyfunction]
#[pyo3(signature = (function, y, duration, *, dq=None, t=0.0, method="dopri5", rho=0.8, step=None, tolerance=None,
    max_step=None, max_steps=None, period=0.0, until=None, progress=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn integrate(
    py: Python<'_>,
    function: Py<PyAny>,
    y: Reals,
    duration: f64,
    dq: Option<Reals>,
    t: f64,
    method: &str,
    rho: f64,
    step: Option<f64>,
    tolerance: Option<(f64, f64)>,
    max_step: Option<f64>,
    max_steps: Option<usize>,
    period: f64,
    until: Option<Py<PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Recording> {
    let stepping = Stepping {
        method: method.to_owned(),
        rho,
        step,
        tolerance,
        max_step,
        max_steps,
    };
    let second_order = dq.is_some();
    let mut values = y.to_vec();
    if let Some(dq) = dq {
        if dq.len() != y.len() {
            let (a, b) = (y.len(), dq.len());
            return Err(error(format!("y has {a} numbers, dq has {b}")));
        }
        values.extend_from_slice(&dq);
    }
    let mut equation = Equation {
        function,
        size: values.len(),
        second_order,
        y: values.clone(),
        dy: Vec::new(),
    };
    let callbacks = Callbacks {
        controller: None,
        control_period: None,
        until,
        progress,
        problem: Problem::default(),
    };
    let sensors = vec![Probed::new("y", Probe::Positions)];
    let how = (stepping.integrator()?, sensors, period);
    let state = IntegratorState::new(t, values);
    run(py, &mut equation, state, duration, how, &callbacks)
}
