//! Names that a builder gives: groups, states, end effectors, properties.

use kinworld::robot::{EndEffector, Group, NamedState};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::builder::{PartKey, RobotBuilder};

#[pymethods]
impl RobotBuilder {
    /// Adds a group of links, such as ``"arm"``: of the joints that move them.
    fn add_group(&mut self, name: String, links: Vec<PartKey>) -> PyResult<()> {
        let links = links
            .iter()
            .map(|link| self.find(link))
            .collect::<PyResult<Vec<_>>>()?;
        self.model_mut().groups.push(Group::new(name, links));
        Ok(())
    }

    /// Adds a named state of a group, or of the robot: values of links, rad or m.
    #[pyo3(signature = (name, values: "Mapping[str, float] | Mapping[int, float]", group=None))]
    fn add_named_state(
        &mut self,
        name: String,
        values: &Bound<'_, PyDict>,
        group: Option<String>,
    ) -> PyResult<()> {
        let values = values
            .iter()
            .map(|(link, value)| Ok((self.find(&link.extract()?)?, value.extract()?)))
            .collect::<PyResult<Vec<_>>>()?;
        self.model_mut()
            .named_states
            .push(NamedState::new(name, group, values));
        Ok(())
    }

    /// Adds an end effector: a group of links that the link ``parent`` carries, moved by ``parent_group``.
    #[pyo3(signature = (name, group, parent, parent_group=None))]
    fn add_end_effector(
        &mut self,
        name: String,
        group: String,
        parent: PartKey,
        parent_group: Option<String>,
    ) -> PyResult<()> {
        let mut effector = EndEffector::new(name, group, self.find(&parent)?);
        effector.parent_group = parent_group;
        self.model_mut().end_effectors.push(effector);
        Ok(())
    }

    /// Tests exactly these pairs of links for self-collision; `ignore_pair` takes some of them away.
    fn test_pairs(&mut self, pairs: Vec<(PartKey, PartKey)>) -> PyResult<()> {
        let pairs = pairs
            .iter()
            .map(|(a, b)| Ok((self.find(a)?, self.find(b)?)))
            .collect::<PyResult<Vec<_>>>()?;
        self.model_mut().self_collision.only = Some(pairs);
        Ok(())
    }

    /// Sets a property of the file, or takes it away.
    #[pyo3(signature = (name, value))]
    fn set_property(&mut self, name: String, value: Option<String>) {
        let properties = &mut self.model_mut().properties;
        match value {
            Some(value) => properties.insert(name, value),
            None => properties.remove(&name),
        };
    }
}
