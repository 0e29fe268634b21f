//! Joints of a robot.

use kinworld::{LinkId, Robot as Model};
use pyo3::prelude::*;

/// A joint: links that move together with a common meaning.
#[pyclass(frozen, get_all, module = "kinworld")]
pub(crate) struct Joint {
    /// The name.
    name: String,
    /// ``"normal"``, ``"spin"``, ``"weld"``, ``"floating"``, …
    kind: &'static str,
    /// The index of the last link that it moves.
    link: usize,
    /// The index of the link that it moves relative to.
    base: Option<usize>,
    /// The indices of the links that it moves.
    links: Vec<usize>,
    /// The indices of its degrees of freedom.
    dofs: Vec<usize>,
}

impl Joint {
    /// A joint of a robot.
    pub(crate) fn of(model: &Model, joint: &kinworld::robot::Joint) -> Self {
        Self {
            name: joint.name().to_owned(),
            kind: joint.kind.name(),
            link: joint.link.index(),
            base: joint.base.map(LinkId::index),
            links: joint.links.iter().map(|link| link.index()).collect(),
            dofs: joint
                .links
                .iter()
                .filter_map(|&link| model.link(link).dof())
                .map(kinworld::DofId::index)
                .collect(),
        }
    }
}

#[pymethods]
impl Joint {
    fn __repr__(&self) -> String {
        format!("Joint '{}': {}, dofs {:?}", self.name, self.kind, self.dofs)
    }
}
