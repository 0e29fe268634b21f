//! The balance of the wrenches on links.

use std::sync::Arc;

use kinworld::Robot as Model;
use kinworld::wrench as kw;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::applied::AppliedWrench;
use super::frames::{Frames, SiteIn, site_of};
use crate::convert::{LinkKey, Vec3};
use crate::state::GRAVITY;

/// The wrenches on a link about its origin, in the axes of the observer; ``balance["gravity"]`` is one of them.
///
/// ``dynamic``, the rate of the momentum that the observer measures, is the sum of the others: ``joint``, ``gravity``,
/// ``tip``, ``external``, and the fictitious ``dalembert``, ``euler``, ``centrifugal``, ``coriolis``.
#[pyclass(frozen, module = "kinworld.wrench")]
pub(crate) struct Balance {
    balance: kw::Balance,
    robot: Arc<Model>,
}

impl Balance {
    fn rows(&self) -> [(&'static str, kw::AppliedWrench); 9] {
        let it = &self.balance;
        [
            ("dynamic", it.dynamic),
            ("joint", it.joint),
            ("gravity", it.gravity),
            ("tip", it.tip),
            ("external", it.external),
            ("dalembert", it.dalembert),
            ("euler", it.euler),
            ("centrifugal", it.centrifugal),
            ("coriolis", it.coriolis),
        ]
    }
}

#[pymethods]
impl Balance {
    /// The name of the link.
    #[getter]
    fn link(&self) -> &str {
        self.robot.link(self.balance.link).name()
    }

    /// The names of the wrenches.
    fn keys(&self) -> Vec<&'static str> {
        self.rows().iter().map(|(name, _)| *name).collect()
    }

    fn __getitem__(&self, name: &str) -> PyResult<AppliedWrench> {
        let rows = self.rows();
        let found = rows.iter().find(|(row, _)| *row == name);
        let (_, wrench) = found.ok_or_else(|| {
            pyo3::exceptions::PyKeyError::new_err(format!(
                "no wrench {name:?}; there are {}",
                self.keys().join(", ")
            ))
        })?;
        Ok(AppliedWrench {
            wrench: *wrench,
            robot: self.robot.clone(),
        })
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names: Vec<_> = self
            .keys()
            .into_iter()
            .map(|name| PyString::new(py, name))
            .collect();
        Ok(pyo3::types::PyTuple::new(py, names)?.try_iter()?.into_any())
    }

    fn __len__(&self) -> usize {
        self.rows().len()
    }

    fn __str__(&self) -> String {
        kw::table(&self.robot, std::slice::from_ref(&self.balance))
    }

    fn __repr__(&self) -> String {
        format!("Balance of link '{}'", self.link())
    }
}

/// External wrenches on links: pairs of a link and an ``AppliedWrench``.
fn external_of(
    external: Option<Vec<(LinkKey, AppliedWrench)>>,
    robot: &Model,
) -> PyResult<Vec<(kinworld::LinkId, kw::AppliedWrench)>> {
    external
        .unwrap_or_default()
        .into_iter()
        .map(|(link, wrench)| Ok((link.of(robot)?, wrench.wrench)))
        .collect()
}

/// The wrench balance of a link, as an observer sees it.
#[pyfunction]
#[pyo3(signature = (frames, link, *, observer=None, gravity=GRAVITY, external=None))]
pub(crate) fn balance(
    frames: &Frames,
    link: LinkKey,
    observer: Option<SiteIn>,
    gravity: Vec3,
    external: Option<Vec<(LinkKey, AppliedWrench)>>,
) -> PyResult<Balance> {
    let robot = &frames.robot;
    let (link, observer) = (link.of(robot)?, site_of(observer.as_ref(), robot)?);
    let external = external_of(external, robot)?;
    let balance =
        frames.with(|frames| kw::balance(frames, link, &observer, &gravity.vector(), &external))?;
    Ok(Balance {
        balance,
        robot: robot.clone(),
    })
}

/// The wrench balances of all links, as an observer sees them.
#[pyfunction]
#[pyo3(signature = (frames, *, observer=None, gravity=GRAVITY, external=None))]
pub(crate) fn chain(
    frames: &Frames,
    observer: Option<SiteIn>,
    gravity: Vec3,
    external: Option<Vec<(LinkKey, AppliedWrench)>>,
) -> PyResult<Vec<Balance>> {
    let robot = &frames.robot;
    let observer = site_of(observer.as_ref(), robot)?;
    let external = external_of(external, robot)?;
    let balances =
        frames.with(|frames| kw::chain(frames, &observer, &gravity.vector(), &external))?;
    Ok(balances
        .into_iter()
        .map(|balance| Balance {
            balance,
            robot: robot.clone(),
        })
        .collect())
}

/// Balances as a table to read.
#[pyfunction]
pub(crate) fn table(balances: Vec<Bound<'_, Balance>>) -> String {
    let Some(first) = balances.first() else {
        return String::new();
    };
    let rows: Vec<kw::Balance> = balances.iter().map(|it| it.get().balance).collect();
    kw::table(&first.get().robot, &rows)
}
