//! Plots of recordings.

use kinworld::sim::plot::Drawing;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Recording;
use super::recording::needed;
use crate::error::{call, call_detached};

/// Curves over time as SVG: a notebook shows them, ``str`` is the text.
#[pyclass(frozen, module = "kinworld.sim")]
pub(crate) struct Plot {
    svg: String,
    columns: Vec<String>,
}

#[pymethods]
impl Plot {
    /// The SVG.
    #[getter]
    fn svg(&self) -> &str {
        &self.svg
    }

    /// Writes the SVG into a file; one that this call did not write before is replaced only if ``force`` is set.
    #[pyo3(signature = (path, *, force=false))]
    fn save(&self, py: Python<'_>, path: std::path::PathBuf, force: bool) -> PyResult<()> {
        let options = kinworld::io::SaveOptions::default().with_force(force);
        call_detached(py, || {
            kinworld::io::write_file(path, self.svg.as_bytes(), &options)
        })
        .map(drop)
    }

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    fn __str__(&self) -> &str {
        &self.svg
    }

    fn __repr__(&self) -> String {
        format!("Plot: {}", crate::describe::names(&self.columns))
    }
}

#[pymethods]
impl Recording {
    /// The columns over time, a panel for up to seven columns of each sensor; all columns, or those of these names.
    ///
    /// A name is that of a column or of a sensor. ``backend="svg"`` needs nothing else and gives a `Plot`;
    /// ``"matplotlib"`` gives a ``matplotlib.figure.Figure`` with the same panels.
    #[pyo3(signature = (*columns: "str", backend="svg") -> "Any")]
    fn plot<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<String>,
        backend: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut names: Vec<&str> = Vec::new();
        for name in &columns {
            if self.table().column(name).is_some() {
                names.push(name);
                continue;
            }
            match self.columns_of(name) {
                Some(all) => names.extend(all.iter().map(String::as_str)),
                // refused below, with the names that there are
                None => names.push(name),
            }
        }
        let drawing = call(|| Drawing::of_table(self.table(), &names))?;
        if names.is_empty() {
            names.extend(self.table().columns().iter().skip(1).map(String::as_str));
        }
        match backend {
            "svg" => {
                let plot = Plot {
                    svg: drawing.to_svg(),
                    columns: names.iter().map(|&name| name.to_owned()).collect(),
                };
                Ok(Bound::new(py, plot)?.into_any())
            }
            "matplotlib" => self.figure(py, &names),
            _ => Err(PyValueError::new_err(format!(
                "backend is \"svg\" or \"matplotlib\", not {backend:?}"
            ))),
        }
    }

    /// The plot of all columns, for notebooks.
    fn _repr_svg_(&self) -> PyResult<String> {
        call(|| Drawing::of_table(self.table(), &[])).map(|drawing| drawing.to_svg())
    }
}

impl Recording {
    /// A figure of matplotlib with a panel for each sensor.
    fn figure<'py>(&self, py: Python<'py>, names: &[&str]) -> PyResult<Bound<'py, PyAny>> {
        needed(py, "matplotlib")?;
        // a figure of its own needs no window, and stays out of pyplot's list
        let figure = py.import("matplotlib.figure")?.getattr("Figure")?.call0()?;
        let sensor = |name: &str| name.split('_').next().unwrap_or_default().to_owned();
        let panels: Vec<_> = names.chunk_by(|a, b| sensor(a) == sensor(b)).collect();
        let shared = PyDict::new(py);
        shared.set_item("sharex", true)?;
        shared.set_item("squeeze", false)?;
        let axes = figure.call_method("subplots", (panels.len().max(1), 1), Some(&shared))?;
        let times = self.column(py, 0).0;
        for (i, panel) in panels.iter().enumerate() {
            let axis = axes.get_item((i, 0))?;
            for name in *panel {
                let label = PyDict::new(py);
                label.set_item("label", name)?;
                let values = self.__getitem__(py, name)?;
                axis.call_method("plot", (&times, values), Some(&label))?;
            }
            axis.call_method0("legend")?;
        }
        let last = axes.get_item((panels.len().max(1) - 1, 0))?;
        last.call_method1("set_xlabel", ("time, s",))?;
        Ok(figure)
    }
}
