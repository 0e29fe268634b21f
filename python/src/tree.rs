//! What is where in the tree of a robot: ancestors, joints, end effectors, missing geometry.

use kinworld::robot::Joint as Model;
use pyo3::prelude::*;

use crate::convert::{
    Array1, Array2, ElementKey, LinkKey, PoseIn, Reals, array1, matrix, pose_array,
};
use crate::error::{call, error};
use crate::material::Appearance;
use crate::robot::{Joint, Link, Robot};

/// An end effector that an SRDF names.
#[pyclass(frozen, get_all, module = "kinworld")]
pub(crate) struct EndEffector {
    /// The name.
    name: String,
    /// The group of its links, such as ``hand``.
    group: String,
    /// The index of the link that carries it.
    parent: usize,
    /// The group that moves it, such as ``arm``.
    parent_group: Option<String>,
}

#[pymethods]
impl EndEffector {
    fn __repr__(&self) -> String {
        format!("EndEffector '{}': group '{}'", self.name, self.group)
    }
}

impl Robot {
    /// The joint of a key.
    fn find_joint(&self, key: &ElementKey) -> PyResult<&Model> {
        let joints = self.model.joints();
        let i = key.find(joints.len(), "joint", Ok, |name| {
            Ok(self.model.joint_id(name)?.index())
        })?;
        Ok(&joints[i])
    }
}

#[pymethods]
impl Robot {
    /// A joint, by name or index.
    fn joint(&self, key: ElementKey) -> PyResult<Joint> {
        Ok(Joint::of(&self.model, self.find_joint(&key)?))
    }

    /// The joint that moves a link; ``None`` for a link without one.
    fn joint_of(&self, link: LinkKey) -> PyResult<Option<Joint>> {
        let joint = self.model.joint_of(link.of(&self.model)?);
        Ok(joint.map(|joint| Joint::of(&self.model, joint)))
    }

    /// The indices of the parent of a link, its parent, and so on to a root.
    fn ancestors(&self, link: LinkKey) -> PyResult<Vec<usize>> {
        let link = link.of(&self.model)?;
        Ok(self.model.ancestors(link).map(|id| id.index()).collect())
    }

    /// Whether ``ancestor`` is ``link`` or one of its ancestors.
    fn is_ancestor_or_self(&self, ancestor: LinkKey, link: LinkKey) -> PyResult<bool> {
        let (ancestor, link) = (ancestor.of(&self.model)?, link.of(&self.model)?);
        Ok(self.model.is_ancestor_or_self(ancestor, link))
    }

    /// Inertia of rotors and gears at each degree of freedom (n), kg·m² or kg.
    #[getter]
    fn armature<'py>(&self, py: Python<'py>) -> Array1<'py> {
        let armature: Vec<f64> = self.model.armature().collect();
        array1(py, &armature)
    }

    /// The end effectors that an SRDF names.
    #[getter]
    fn end_effectors(&self) -> Vec<EndEffector> {
        let effectors = self.model.end_effectors().iter();
        effectors
            .map(|effector| EndEffector {
                name: effector.name.clone(),
                group: effector.group.clone(),
                parent: effector.parent.index(),
                parent_group: effector.parent_group.clone(),
            })
            .collect()
    }

    /// The configuration (n) ``q`` with the joints that a named state names at its values; the others stay.
    #[pyo3(signature = (name, q, group=None))]
    fn set_named_state<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        q: Reals,
        group: Option<&str>,
    ) -> PyResult<Array1<'py>> {
        let mut q = q.to_vec();
        call(|| self.model.set_named_state(name, group, &mut q))?;
        Ok(array1(py, &q))
    }

    /// The configuration (n) ``q`` with some values by joint name; the others stay.
    #[pyo3(signature = (values: "Mapping[str, float]", q))]
    fn set_values<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, pyo3::types::PyDict>,
        q: Reals,
    ) -> PyResult<Array1<'py>> {
        let values: Vec<(String, f64)> = values
            .iter()
            .map(|(name, value)| Ok((name.extract()?, value.extract()?)))
            .collect::<PyResult<_>>()?;
        let mut q = q.to_vec();
        call(|| self.model.set_values(values, &mut q))?;
        Ok(array1(py, &q))
    }

    /// Pose (4 × 4) of the last link of a joint relative to its base at a configuration (n).
    fn joint_pose<'py>(
        &self,
        py: Python<'py>,
        joint: ElementKey,
        q: Reals,
    ) -> PyResult<Array2<'py>> {
        let joint = self.find_joint(&joint)?;
        call(|| self.model.joint_pose(joint, &q)).map(|pose| pose_array(py, &pose))
    }

    /// The configuration (n) ``q`` with a joint at a pose (4 × 4): that of a floating base, of a ball-and-socket joint.
    fn set_joint_pose<'py>(
        &self,
        py: Python<'py>,
        joint: ElementKey,
        pose: PoseIn,
        q: Reals,
    ) -> PyResult<Array1<'py>> {
        let joint = self.find_joint(&joint)?;
        let mut q = q.to_vec();
        call(|| self.model.set_joint_pose(joint, &pose.0, &mut q))?;
        Ok(array1(py, &q))
    }

    /// E (n × n) with ``qvel = E dq`` in MuJoCo at a configuration ``q`` (n); forces are ``tau = E.T @ qfrc``.
    fn mujoco_velocity_map<'py>(&self, py: Python<'py>, q: Reals) -> PyResult<Array2<'py>> {
        let map = call(|| self.model.mujoco_velocity_map(&q))?;
        Ok(matrix(py, &map))
    }

    /// The configuration (n) that is ``qpos`` in MuJoCo: the part of the model's that belongs to this robot.
    fn config_from_mujoco<'py>(&self, py: Python<'py>, qpos: Reals) -> PyResult<Array1<'py>> {
        call(|| self.model.config_from_mujoco(&qpos)).map(|out| array1(py, &out))
    }

    /// The ``qpos`` in MuJoCo of a configuration ``q`` (n): free and ball joints have quaternions, w first.
    fn config_to_mujoco<'py>(&self, py: Python<'py>, q: Reals) -> PyResult<Array1<'py>> {
        call(|| self.model.config_to_mujoco(&q)).map(|out| array1(py, &out))
    }

    /// The velocity (n) at ``q`` that is ``qvel`` in MuJoCo.
    fn velocity_from_mujoco<'py>(
        &self,
        py: Python<'py>,
        q: Reals,
        qvel: Reals,
    ) -> PyResult<Array1<'py>> {
        call(|| self.model.velocity_from_mujoco(&q, &qvel)).map(|out| array1(py, &out))
    }

    /// The ``qvel`` (n) in MuJoCo of a velocity at ``q``: angular velocities of free and ball joints are in the frame of the body.
    fn velocity_to_mujoco<'py>(
        &self,
        py: Python<'py>,
        q: Reals,
        dq: Reals,
    ) -> PyResult<Array1<'py>> {
        call(|| self.model.velocity_to_mujoco(&q, &dq)).map(|out| array1(py, &out))
    }

    /// The forces (n) at ``q`` that are ``qfrc`` in MuJoCo.
    fn force_from_mujoco<'py>(
        &self,
        py: Python<'py>,
        q: Reals,
        qfrc: Reals,
    ) -> PyResult<Array1<'py>> {
        call(|| self.model.force_from_mujoco(&q, &qfrc)).map(|out| array1(py, &out))
    }

    /// The ``qfrc`` (n) in MuJoCo of forces at ``q``.
    fn force_to_mujoco<'py>(&self, py: Python<'py>, q: Reals, tau: Reals) -> PyResult<Array1<'py>> {
        call(|| self.model.force_to_mujoco(&q, &tau)).map(|out| array1(py, &out))
    }

    /// Whether a pair of links is tested for self-collision.
    fn self_collision_enabled(&self, a: LinkKey, b: LinkKey) -> PyResult<bool> {
        let (a, b) = (a.of(&self.model)?, b.of(&self.model)?);
        if a == b {
            return Err(error("a link and itself are no pair"));
        }
        Ok(self.model.self_collision_enabled(a, b))
    }

    /// Links without the collision geometry that they should have: index and reason.
    #[getter]
    fn missing_geometry(&self) -> Vec<(usize, &'static str)> {
        let missing = self.model.missing_geometry();
        missing
            .into_iter()
            .map(|(link, reason)| (link.index(), reason.name()))
            .collect()
    }
}

#[pymethods]
impl Link {
    /// The limits (lower, upper) of its degree of freedom, rad or m; ``None`` for a fixed link.
    #[getter]
    fn limits(&self) -> Option<(f64, f64)> {
        let limits = self.robot.limits_of(self.id)?;
        Some((limits.q_min, limits.q_max))
    }

    /// Why the link lacks the collision geometry that it should have; ``None`` where it does not.
    #[getter]
    fn missing_geometry(&self) -> Option<&'static str> {
        self.model().missing_geometry().map(|reason| reason.name())
    }

    /// The materials of its visual shapes, in the order of ``visual``; ``None`` for a shape without one.
    #[getter]
    fn appearances(&self) -> Vec<Option<Appearance>> {
        let shapes = self.model().visual().iter();
        shapes
            .map(|shape| shape.appearance.clone().map(Appearance))
            .collect()
    }
}
