//! SRDF files as they are written.

use kinworld::io::Srdf as Inner;
use pyo3::prelude::*;
use std::path::PathBuf;

use crate::error::{call, call_detached, loaded};

/// An SRDF as it was written; its names need not exist in a robot.
#[pyclass(frozen, module = "kinworld.io")]
pub(crate) struct Srdf(Inner);

#[pymethods]
#[expect(clippy::type_complexity, reason = "tuples of names")]
impl Srdf {
    /// Loads a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        loaded(py, call_detached(py, || Inner::load(path))?).map(|(srdf, _)| Self(srdf))
    }

    /// Reads the text of a file.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        loaded(py, call(|| Inner::parse(text))?).map(|(srdf, _)| Self(srdf))
    }

    /// The name of the robot.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The groups: name, links, joints, chains (base and tip), groups within it.
    #[getter]
    fn groups(
        &self,
    ) -> Vec<(
        &str,
        Vec<String>,
        Vec<String>,
        Vec<[String; 2]>,
        Vec<String>,
    )> {
        let groups = self.0.groups.iter();
        groups
            .map(|group| {
                (
                    group.name.as_str(),
                    group.links.clone(),
                    group.joints.clone(),
                    group.chains.clone(),
                    group.groups.clone(),
                )
            })
            .collect()
    }

    /// The named states: name, group, and the values of each joint, rad or m.
    #[getter]
    fn states(&self) -> Vec<(&str, Option<&str>, Vec<(String, Vec<f64>)>)> {
        let states = self.0.states.iter();
        states
            .map(|state| {
                (
                    state.name.as_str(),
                    state.group.as_deref(),
                    state.joints.clone(),
                )
            })
            .collect()
    }

    /// The end effectors: name, group, link that carries it, group that moves it.
    #[getter]
    fn end_effectors(&self) -> Vec<(&str, &str, &str, Option<&str>)> {
        let effectors = self.0.end_effectors.iter();
        effectors
            .map(|effector| {
                (
                    effector.name.as_str(),
                    effector.group.as_str(),
                    effector.parent_link.as_str(),
                    effector.parent_group.as_deref(),
                )
            })
            .collect()
    }

    /// The passive joints.
    #[getter]
    fn passive_joints(&self) -> Vec<&str> {
        self.0.passive_joints.iter().map(String::as_str).collect()
    }

    /// Joints between the world and the robot: name, kind, frame, link.
    #[getter]
    fn virtual_joints(&self) -> Vec<(&str, &str, &str, &str)> {
        let joints = self.0.virtual_joints.iter();
        joints
            .map(|joint| {
                (
                    joint.name.as_str(),
                    joint.kind.as_str(),
                    joint.parent_frame.as_str(),
                    joint.child_link.as_str(),
                )
            })
            .collect()
    }

    /// Pairs of links that are not tested for collision, with the reason.
    #[getter]
    fn disabled(&self) -> Vec<(&str, &str, Option<&str>)> {
        self.0.disabled.iter().map(pair).collect()
    }

    /// Pairs of links that are tested although their links are disabled, with the reason.
    #[getter]
    fn enabled(&self) -> Vec<(&str, &str, Option<&str>)> {
        self.0.enabled.iter().map(pair).collect()
    }

    /// Links whose pairs are all disabled.
    #[getter]
    fn disabled_links(&self) -> Vec<&str> {
        self.0.disabled_links.iter().map(String::as_str).collect()
    }

    /// The names of elements that have no meaning here.
    #[getter]
    fn extras(&self) -> Vec<&str> {
        self.0.extras.iter().map(String::as_str).collect()
    }

    fn __repr__(&self) -> String {
        format!(
            "Srdf of '{}': {} groups, {} disabled pairs",
            self.0.name,
            self.0.groups.len(),
            self.0.disabled.len()
        )
    }
}

fn pair(pair: &kinworld::io::LinkPair) -> (&str, &str, Option<&str>) {
    let [a, b] = &pair.links;
    (a, b, pair.reason.as_deref())
}
