//! What a run recorded.

use kinworld::sim::{Outcome, Table, Termination};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert::{Array1, Array2, array1, array2};
use crate::describe::{count, names, number};

/// A table of numbers over time, and the end of the run.
///
/// ``recording["q_link1"]`` is a column, ``recording["q"]`` all columns of the sensor ``q``.
#[pyclass(frozen, module = "kinworld.sim")]
pub(crate) struct Recording {
    table: Table,
    // sensors: name, first column, number of columns
    sensors: Vec<(String, usize, usize)>,
    end: End,
}

/// The end of a run.
pub(super) struct End {
    pub(super) t: f64,
    pub(super) y: Vec<f64>,
    pub(super) config: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    pub(super) outcome: Outcome,
}

impl Recording {
    pub(super) fn new(table: Table, sensors: Vec<(String, usize)>, end: End) -> Self {
        let mut first = 1;
        let sensors = sensors.into_iter().map(|(name, count)| {
            first += count;
            (name, first - count, count)
        });
        Self {
            sensors: sensors.collect(),
            table,
            end,
        }
    }

    /// The columns of a sensor.
    pub(super) fn columns_of(&self, sensor: &str) -> Option<&[String]> {
        let (_, first, count) = self.sensors.iter().find(|(name, ..)| name == sensor)?;
        self.table.columns().get(*first..first + count)
    }

    /// The numbers.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Time and values at the end.
    pub(super) fn end_values(&self) -> (f64, Vec<f64>) {
        (self.end.t, self.end.y.clone())
    }

    pub(super) fn column<'py>(&self, py: Python<'py>, i: usize) -> Array1<'py> {
        let numbers: Vec<f64> = self.table.rows().map(|row| row[i]).collect();
        array1(py, &numbers)
    }

    fn block<'py>(&self, py: Python<'py>, first: usize, count: usize) -> Array2<'py> {
        array2(py, self.table.len(), count, |out| {
            for (out, row) in out.chunks_exact_mut(count.max(1)).zip(self.table.rows()) {
                out.copy_from_slice(&row[first..first + count]);
            }
        })
    }

    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (i, name) in self.table.columns().iter().enumerate() {
            dict.set_item(name, self.column(py, i))?;
        }
        Ok(dict)
    }
}

#[pymethods]
impl Recording {
    /// The times (k), s.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.column(py, 0)
    }

    /// The names of the columns (c), ``time`` first.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.table.columns().to_vec()
    }

    /// All numbers (k × c), a row per time.
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> Array2<'py> {
        self.block(py, 0, self.table.columns().len())
    }

    /// Time at the end, s.
    #[getter]
    fn end_time(&self) -> f64 {
        self.end.t
    }

    /// The configuration (n) at the end.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.end.config)
    }

    /// The velocity (n) at the end.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.end.velocity)
    }

    /// The values of the integrator at the end, as the mechanism has them.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.end.y)
    }

    /// ``"end_time"``, ``"event"``, ``"requested"`` or ``"step_limit"``.
    #[getter]
    fn termination(&self) -> &'static str {
        match self.end.outcome.termination {
            Termination::EndTime => "end_time",
            Termination::Event(_) => "event",
            Termination::StepLimit => "step_limit",
            _ => "requested",
        }
    }

    /// Number of accepted steps.
    #[getter]
    fn steps(&self) -> usize {
        self.end.outcome.steps
    }

    /// Number of rejected steps.
    #[getter]
    fn rejected(&self) -> usize {
        self.end.outcome.rejected
    }

    /// The table as comma-separated values; numbers read back exactly.
    fn to_csv(&self) -> String {
        self.table.to_csv()
    }

    /// The table as JSON: ``{"columns": [...], "rows": [[...], ...]}``.
    fn to_json(&self) -> String {
        self.table.to_json()
    }

    /// The table as a ``pyarrow.Table``; needs the package ``pyarrow``.
    fn to_arrow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let arrow = needed(py, "pyarrow")?;
        arrow.call_method1("table", (self.dict(py)?,))
    }

    /// The table as a ``pandas.DataFrame``; needs the package ``pandas``.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pandas = needed(py, "pandas")?;
        pandas.call_method1("DataFrame", (self.dict(py)?,))
    }

    pub(super) fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(i) = self.table.column(name) {
            return Ok(self.column(py, i).0.into_any());
        }
        let found = self.sensors.iter().find(|(sensor, ..)| sensor == name);
        if let Some(&(_, first, count)) = found {
            return Ok(self.block(py, first, count).0.into_any());
        }
        let columns = self.table.columns().join(", ");
        Err(PyKeyError::new_err(format!(
            "no column {name:?}; there are {columns}"
        )))
    }

    fn __contains__(&self, name: &str) -> bool {
        self.table.column(name).is_some() || self.sensors.iter().any(|(sensor, ..)| sensor == name)
    }

    fn __len__(&self) -> usize {
        self.table.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names = PyTuple::new(py, self.table.columns())?;
        Ok(names.try_iter()?.into_any())
    }

    pub(crate) fn __repr__(&self) -> String {
        format!(
            "Recording: {} to {} s, columns {}",
            count(self.table.len(), "row"),
            number(self.end.t),
            names(self.table.columns())
        )
    }
}

/// A package that only some methods need.
pub(super) fn needed<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(name).map_err(|problem| {
        if !problem.is_instance_of::<pyo3::exceptions::PyImportError>(py) {
            return problem;
        }
        pyo3::exceptions::PyImportError::new_err(format!(
            "this needs {name}, which is not installed: pip install {name}"
        ))
    })
}
