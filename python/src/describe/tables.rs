//! Tables of HTML for notebooks.

use kinworld::DofId;
use pyo3::prelude::*;

use super::html::table;
use super::{count, number, shape_or_none};
use crate::error::Diagnostic;
use crate::planning::Plan;
use crate::robot::{Limits, Robot};
use crate::sim::Recording;
use crate::trajectory::Trajectory;
use crate::world::World;

#[pymethods]
impl Robot {
    fn _repr_html_(&self) -> String {
        let model = &self.model;
        let dofs = model.dofs().iter().zip(model.limits()).enumerate();
        table(
            &self.__repr__(),
            ["dof", "joint", "link", "min", "max"],
            dofs.map(|(i, (&link, limits))| {
                [
                    i.to_string(),
                    model.dof_name(DofId::new(i)).to_owned(),
                    model.link(link).name().to_owned(),
                    number(limits.q_min),
                    number(limits.q_max),
                ]
            }),
        )
    }
}

#[pymethods]
impl Limits {
    fn _repr_html_(&self) -> String {
        let model = &self.0;
        table(
            &format!("Limits of '{}'", model.name()),
            [
                "joint",
                "lower",
                "upper",
                "velocity",
                "acceleration",
                "torque",
                "power",
            ],
            model.limits().iter().enumerate().map(|(i, limits)| {
                [
                    model.dof_name(DofId::new(i)).to_owned(),
                    number(limits.q_min),
                    number(limits.q_max),
                    number(limits.v_max),
                    number(limits.a_max),
                    number(limits.tau_max),
                    number(limits.power_max),
                ]
            }),
        )
    }
}

#[pymethods]
impl World {
    fn _repr_html_(&self) -> String {
        let mut rows = Vec::new();
        for robot in self.model.robots() {
            let size = format!(
                "{}, {}",
                count(robot.model().n_dofs(), "dof"),
                count(robot.n_links(), "link")
            );
            rows.push(["robot".to_owned(), robot.name().to_owned(), size]);
        }
        for (_, object) in self.model.rigid_objects() {
            let about = format!(
                "{} kg, {}",
                number(object.inertia.mass),
                shape_or_none(object.geometry.as_ref())
            );
            rows.push(["rigid object".to_owned(), object.name.clone(), about]);
        }
        for (_, terrain) in self.model.terrains() {
            let about = shape_or_none(terrain.geometry.as_ref());
            rows.push(["terrain".to_owned(), terrain.name.clone(), about]);
        }
        table(
            &self.__repr__(),
            ["kind", "name", "contents"],
            rows.into_iter(),
        )
    }
}

#[pymethods]
impl Recording {
    fn _repr_html_(&self) -> String {
        let columns = self.table().columns().iter().enumerate();
        table(
            &self.__repr__(),
            ["column", "first", "last", "min", "max"],
            columns.map(|(i, name)| {
                let values = || self.table().rows().map(|row| row[i]);
                let (first, last) = (values().next(), values().next_back());
                let least = values().fold(f64::INFINITY, f64::min);
                let most = values().fold(f64::NEG_INFINITY, f64::max);
                let at = |x: Option<f64>| x.map_or_else(String::new, number);
                let some = |x: f64| at(first.map(|_| x));
                [name.clone(), at(first), at(last), some(least), some(most)]
            }),
        )
    }
}

/// Configurations, one per row, with a number or a time before each.
fn configurations<'a>(
    title: &str,
    head: &str,
    rows: impl ExactSizeIterator<Item = (String, &'a [f64])>,
) -> String {
    table(
        title,
        [head, "configuration"],
        rows.map(|(label, q)| {
            let q: Vec<String> = q.iter().map(|&x| number(x)).collect();
            [label, q.join(", ")]
        }),
    )
}

#[pymethods]
impl Plan {
    fn _repr_html_(&self) -> String {
        let path = self.configurations().iter().enumerate();
        let rows = path.map(|(i, q)| (i.to_string(), q.as_slice()));
        configurations(&self.__repr__(), "milestone", rows)
    }
}

#[pymethods]
impl Trajectory {
    fn _repr_html_(&self) -> String {
        let (times, path) = (self.0.times(), self.0.milestones());
        let rows = times.iter().zip(path);
        let rows = rows.map(|(&t, q)| (format!("{} s", number(t)), q.as_slice()));
        configurations(&self.__repr__(), "time", rows)
    }
}

#[pymethods]
impl Diagnostic {
    fn _repr_html_(&self) -> String {
        super::html::diagnostics(&[&self.0])
    }

    /// The table of several.
    #[staticmethod]
    fn _table(all: Vec<PyRef<'_, Self>>) -> String {
        let all: Vec<&kinworld::Diagnostic> = all.iter().map(|one| &one.0).collect();
        super::html::diagnostics(&all)
    }
}
