//! Errors and warnings as Python has them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kinworld::{Diagnostic as Problem, Error, Loaded, Severity};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A warning or an error of a loader, with its position in a file.
#[pyclass(frozen, module = "kinworld")]
#[derive(Clone)]
pub(crate) struct Diagnostic(pub(crate) Problem);

#[pymethods]
impl Diagnostic {
    /// ``"warning"`` or ``"error"``.
    #[getter]
    fn severity(&self) -> &'static str {
        match self.0.severity {
            Severity::Warning => "warning",
            _ => "error",
        }
    }

    /// The file.
    #[getter]
    fn path(&self) -> Option<String> {
        self.0.path.as_ref().map(|path| path.display().to_string())
    }

    /// The line, from 1.
    #[getter]
    fn line(&self) -> Option<u32> {
        self.0.line
    }

    /// The column, from 1.
    #[getter]
    fn column(&self) -> Option<u32> {
        self.0.column
    }

    /// The link, joint or other element that it is about.
    #[getter]
    fn element(&self) -> Option<&str> {
        self.0.element.as_deref()
    }

    /// What is wrong.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do about it.
    #[getter]
    fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.0)
    }
}

/// A list of diagnostics that is a table in a notebook.
pub(crate) struct Diagnostics(Vec<Diagnostic>);

impl<'py> IntoPyObject<'py> for Diagnostics {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const OUTPUT_TYPE: pyo3::inspect::PyStaticExpr = pyo3::type_hint_subscript!(
        pyo3::type_hint_identifier!("builtins", "list"),
        pyo3::type_hint_identifier!("kinworld._core", "Diagnostic")
    );

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        class(py, "Diagnostics")?.call1((self.0,))
    }
}

/// Warnings as Python lists them.
pub(crate) fn diagnostics(problems: &[Problem]) -> Diagnostics {
    Diagnostics(problems.iter().cloned().map(Diagnostic).collect())
}

/// The value of a loader; its warnings are given by the module `warnings`, one each.
pub(crate) fn loaded<T>(py: Python<'_>, loaded: Loaded<T>) -> PyResult<(T, Vec<Problem>)> {
    warn(py, &loaded.diagnostics)?;
    Ok((loaded.value, loaded.diagnostics))
}

/// Gives warnings by the module `warnings`.
pub(crate) fn warn(py: Python<'_>, problems: &[Problem]) -> PyResult<()> {
    if problems.is_empty() {
        return Ok(());
    }
    let category = class(py, "LoadWarning")?;
    let warn = py.import("warnings")?.getattr("warn")?;
    for problem in problems {
        let text = with_help(&problem.to_string(), problem);
        warn.call1((text, category, 2))?;
    }
    Ok(())
}

/// A message with the advice of its diagnostic, if it has some.
fn with_help(text: &str, problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{text}\n  help: {help}"),
        None => text.to_owned(),
    }
}

/// Calls the library: its error becomes an exception, and so does a panic, which is a bug.
#[inline]
pub(crate) fn call<T>(query: impl FnOnce() -> kinworld::Result<T>) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(query)) {
        Ok(result) => result.map_err(fail),
        Err(panic) => Err(internal(panic.as_ref())),
    }
}

/// [`call`] with the interpreter released.
pub(crate) fn call_detached<T: Send>(
    py: Python<'_>,
    query: impl FnOnce() -> kinworld::Result<T> + Send,
) -> PyResult<T> {
    py.detach(|| unpanicked(query)).map_err(fail)
}

/// Calls the library; a panic becomes an error that [`fail`] knows.
pub(crate) fn unpanicked<T>(query: impl FnOnce() -> kinworld::Result<T>) -> kinworld::Result<T> {
    catch_unwind(AssertUnwindSafe(query))
        .unwrap_or_else(|panic| Err(Error::other(Panic(message(panic.as_ref())))))
}

/// A panic on its way to an exception.
#[derive(Debug)]
struct Panic(String);

impl std::fmt::Display for Panic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Panic {}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default()
}

fn internal(panic: &(dyn std::any::Any + Send)) -> PyErr {
    internal_error(&message(panic))
}

#[cold]
fn internal_error(problem: &str) -> PyErr {
    raise(
        "InternalError",
        (format!("bug in kinworld, please report it: {problem}"),),
    )
}

/// The exception of an error.
#[cold]
pub(crate) fn fail(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::NotFound { .. } => raise("NotFoundError", (text,)),
        Error::Load(error) => {
            let mut all = diagnostics(&error.warnings);
            let text = with_help(&text, &error.diagnostic);
            all.0.push(Diagnostic((*error.diagnostic).clone()));
            raise("LoadError", (text, all))
        }
        Error::MissingGeometry { elements, .. } => {
            let elements: Vec<(String, &str)> = elements
                .into_iter()
                .map(|(name, reason)| (name, reason.name()))
                .collect();
            raise("MissingGeometryError", (text, elements))
        }
        Error::Other(ref cause)
        | Error::Stopped {
            cause: Some(ref cause),
            ..
        } => {
            if let Some(panic) = cause.downcast_ref::<Panic>() {
                return internal_error(&panic.0);
            }
            match cause.downcast_ref::<PyErr>() {
                Some(error) => Python::attach(|py| error.clone_ref(py)),
                None => raise("Error", (text,)),
            }
        }
        _ => raise("Error", (text,)),
    }
}

/// An error of kinworld with this text.
#[cold]
pub(crate) fn error(text: impl Into<String>) -> PyErr {
    raise("Error", (text.into(),))
}

fn raise<A>(name: &str, args: A) -> PyErr
where
    A: for<'py> pyo3::call::PyCallArgs<'py>,
{
    Python::attach(
        |py| match class(py, name).and_then(|class| class.call1(args)) {
            Ok(error) => PyErr::from_value(error),
            Err(error) => error,
        },
    )
}

/// A class of `kinworld._errors`.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<&'py Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module =
        MODULE.get_or_try_init(py, || PyResult::Ok(py.import("kinworld._errors")?.unbind()))?;
    static CLASSES: PyOnceLock<std::collections::HashMap<&'static str, Py<PyAny>>> =
        PyOnceLock::new();
    let classes = CLASSES.get_or_try_init(py, || {
        NAMES
            .iter()
            .map(|&name| Ok((name, module.bind(py).getattr(name)?.unbind())))
            .collect::<PyResult<_>>()
    })?;
    Ok(classes[name].bind(py))
}

const NAMES: [&str; 7] = [
    "Diagnostics",
    "Error",
    "InternalError",
    "LoadError",
    "LoadWarning",
    "MissingGeometryError",
    "NotFoundError",
];
