//! Robots: descriptions that never change.

use std::sync::Arc;

use kinworld::{LinkId, Robot as Model, batch};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::convert::{
    Array1, Array2, DofKey, LinkIterator, LinkKey, Reals, array1, index, pose_array,
};
use crate::describe::{count, first, number};
use crate::error::{Diagnostics, call, call_detached, diagnostics, fail, loaded};
use crate::function::Pool;
use crate::interrupt::{in_background, in_chunks};
use crate::load::LoadOptions;
use crate::state::State;

/// An articulated robot: links in topological order, joints, drivers, limits. It never changes and can be shared.
///
/// >>> import kinworld as kw
/// >>> arm = kw.Robot.load("data/robots/planar3R.rob")
/// >>> arm
/// Robot 'planar3R': 3 dofs, 3 links
/// >>> state = arm.state([0, 0, 0])
/// >>> state.pose("link2")[:3, 3]
/// array([2., 0., 0.])
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Robot {
    pub(crate) model: Arc<Model>,
    pub(crate) pool: Pool,
    diagnostics: Vec<kinworld::Diagnostic>,
}

impl Robot {
    /// A robot, and the warnings of its loader.
    fn with_diagnostics(
        model: impl Into<Arc<Model>>,
        diagnostics: Vec<kinworld::Diagnostic>,
    ) -> Self {
        Self {
            model: model.into(),
            pool: Pool::default(),
            diagnostics,
        }
    }

    /// Wraps a robot.
    pub(crate) fn new(model: impl Into<Arc<Model>>) -> Self {
        Self::with_diagnostics(model, Vec::new())
    }
}

#[pymethods]
impl Robot {
    /// Loads a robot from a ``.rob``, URDF or xacro file.
    #[staticmethod]
    #[pyo3(signature = (path, *, options=None))]
    fn load(
        py: Python<'_>,
        path: std::path::PathBuf,
        options: Option<&LoadOptions>,
    ) -> PyResult<Self> {
        let mut loader = LoadOptions::loader(options);
        let (model, diagnostics) =
            loaded(py, in_background(py, None, move |_| loader.robot(path))?)?;
        Ok(Self::with_diagnostics(model, diagnostics))
    }

    /// Reads a robot from the text of a URDF; meshes are searched from ``folder``.
    #[staticmethod]
    #[pyo3(signature = (text, folder=std::path::PathBuf::from("."), *, options=None))]
    fn from_urdf(
        py: Python<'_>,
        text: &str,
        folder: std::path::PathBuf,
        options: Option<&LoadOptions>,
    ) -> PyResult<Self> {
        let mut loader = LoadOptions::loader(options);
        let text = text.to_owned();
        let (model, diagnostics) = loaded(
            py,
            in_background(py, None, move |_| loader.urdf(&text, folder))?,
        )?;
        Ok(Self::with_diagnostics(model, diagnostics))
    }

    /// Saves the robot; the suffix of the path is the format. Returns warnings about what is lost.
    ///
    /// A file that this call did not write before is replaced only if the path names it or ``force`` is set.
    #[pyo3(signature = (path, *, force=false))]
    fn save(&self, py: Python<'_>, path: std::path::PathBuf, force: bool) -> PyResult<Diagnostics> {
        let options = kinworld::io::SaveOptions::default().with_force(force);
        call_detached(py, || self.model.save_with(path, &options)).map(|lost| diagnostics(&lost))
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    /// Number of degrees of freedom, n.
    #[getter]
    fn n_dofs(&self) -> usize {
        self.model.n_dofs()
    }

    /// Number of links, fixed and virtual ones included.
    #[getter]
    fn n_links(&self) -> usize {
        self.model.links().len()
    }

    /// The links, parents before children.
    #[getter]
    fn links(&self) -> Vec<Link> {
        (0..self.model.links().len())
            .map(|i| Link {
                robot: self.model.clone(),
                id: LinkId::new(i),
            })
            .collect()
    }

    /// The link of a name, of an index, or of the name of the joint that moves it.
    fn link(&self, key: LinkKey) -> PyResult<Link> {
        Ok(Link {
            id: key.of(&self.model)?,
            robot: self.model.clone(),
        })
    }

    /// The names of the joints, in the order of the file.
    #[getter]
    fn joint_names(&self) -> Vec<&str> {
        self.model
            .joints()
            .iter()
            .map(kinworld::robot::Joint::name)
            .collect()
    }

    /// The name of the joint of each degree of freedom (n).
    #[getter]
    fn dof_names(&self) -> Vec<&str> {
        self.model
            .dofs()
            .iter()
            .enumerate()
            .map(|(i, _)| self.model.dof_name(kinworld::DofId::new(i)))
            .collect()
    }

    /// The index of a degree of freedom in a configuration, by the name of its joint.
    fn dof_index(&self, joint: DofKey) -> PyResult<usize> {
        Ok(joint.of(&self.model)?.index())
    }

    /// The joints: name, kind, and the names of the links that each moves.
    #[getter]
    fn joints(&self) -> Vec<Joint> {
        let model = &self.model;
        let joints = model.joints().iter();
        joints.map(|joint| Joint::of(model, joint)).collect()
    }

    /// The limits of all degrees of freedom.
    #[getter]
    fn limits(&self) -> Limits {
        Limits(self.model.clone())
    }

    /// The configuration (n) that a new state has, rad or m.
    #[getter]
    fn initial_config<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.model.initial_config())
    }

    /// The configuration with all joints at zero, or at the nearest limit.
    fn neutral<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &kinworld::kinematics::neutral(&self.model))
    }

    /// The names of the states that the file or its SRDF defines, such as ``home``.
    #[getter]
    fn named_states(&self) -> Vec<&str> {
        self.model
            .named_states()
            .iter()
            .map(|state| state.name.as_str())
            .collect()
    }

    /// The configuration (n) of a named state; joints that it does not name have their initial values.
    #[pyo3(signature = (name, group=None))]
    fn named_config<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        group: Option<&str>,
    ) -> PyResult<Array1<'py>> {
        call(|| self.model.named_config(name, group)).map(|q| array1(py, &q))
    }

    /// The names of the groups of joints that an SRDF defines, such as ``arm``.
    #[getter]
    fn groups(&self) -> Vec<&str> {
        self.model
            .groups()
            .iter()
            .map(|group| group.name.as_str())
            .collect()
    }

    /// The degrees of freedom of a group, as indices in a configuration.
    fn group_dofs(&self, name: &str) -> PyResult<Vec<usize>> {
        let group = self.model.group(name).map_err(fail)?;
        Ok(self
            .model
            .dofs_of(group)
            .into_iter()
            .map(kinworld::DofId::index)
            .collect())
    }

    /// A configuration (n) from values by joint name; the others have their initial values.
    #[pyo3(signature = (values: "Mapping[str, float]"))]
    fn config_from<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyDict>,
    ) -> PyResult<Array1<'py>> {
        let values: Vec<(String, f64)> = values
            .iter()
            .map(|(name, value)| Ok((name.extract()?, value.extract()?)))
            .collect::<PyResult<_>>()?;
        call(|| self.model.config_from(values)).map(|q| array1(py, &q))
    }

    /// Total mass of all links, kg.
    #[getter]
    fn mass(&self) -> f64 {
        kinworld::kinematics::total_mass(&self.model)
    }

    /// Other properties of the file.
    #[getter]
    fn properties(&self) -> std::collections::BTreeMap<String, String> {
        self.model.properties().clone()
    }

    /// The warnings of the loader.
    #[getter]
    fn diagnostics(&self) -> Diagnostics {
        diagnostics(&self.diagnostics)
    }

    /// A state of the robot: at ``q`` or its initial configuration, with the velocity ``dq`` or at rest.
    #[pyo3(signature = (q=None, dq=None))]
    fn state(&self, q: Option<Reals>, dq: Option<Reals>) -> PyResult<State> {
        State::of(&self.model, q.as_deref(), dq.as_deref())
    }

    /// Distance between two configurations in the metric of the joints.
    fn distance(&self, a: Reals, b: Reals) -> PyResult<f64> {
        call(|| kinworld::kinematics::distance(&self.model, &a, &b))
    }

    /// The configuration (n) on the shortest path from ``a`` (u = 0) to ``b`` (u = 1).
    fn interpolate<'py>(
        &self,
        py: Python<'py>,
        a: Reals,
        b: Reals,
        u: f64,
    ) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::interpolate(&self.model, &a, &b, u)).map(|q| array1(py, &q))
    }

    /// The velocity (n) that leads from ``a`` to ``b`` in unit time: the inverse of [`integrate`].
    fn difference<'py>(&self, py: Python<'py>, a: Reals, b: Reals) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::difference(&self.model, &a, &b)).map(|v| array1(py, &v))
    }

    /// The velocity (n) at ``a`` of the interpolation to ``b`` in unit time.
    fn interpolate_deriv<'py>(&self, py: Python<'py>, a: Reals, b: Reals) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::interpolate_deriv(&self.model, &a, &b))
            .map(|v| array1(py, &v))
    }

    /// The configuration (n) after moving from ``q`` with the velocity ``v`` for unit time.
    fn integrate<'py>(&self, py: Python<'py>, q: Reals, v: Reals) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::integrate(&self.model, &q, &v)).map(|q| array1(py, &q))
    }

    /// Random configurations within the limits, the same for the same seed: (n) or, with ``count``, (count, n).
    ///
    /// Coordinates without limits are drawn from a range of about ``scale``.
    #[pyo3(signature = (seed, count=None, *, scale=1.0))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        count: Option<usize>,
        scale: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n = self.model.n_dofs();
        match count {
            None => array1(py, &kinworld::kinematics::sample(&self.model, seed, scale))
                .into_pyobject(py)
                .map(Bound::into_any)
                .map_err(Into::into),
            Some(count) => {
                if count
                    .checked_mul(n.max(1))
                    .is_none_or(|total| total > MOST_NUMBERS)
                {
                    return Err(PyValueError::new_err(format!("count {count} is too large")));
                }
                let q = in_chunks(py, (count, n), 0.0, |rows, out| {
                    let first = rows.start as u64;
                    batch::sample_part_into(&self.model, seed, scale, first, out)
                })?;
                Ok(crate::convert::array_n(py, &[count, n], q)?.0.into_any())
            }
        }
    }

    /// Whether a configuration is within all limits.
    fn in_limits(&self, q: Reals) -> bool {
        kinworld::kinematics::in_limits(&self.model, &q)
    }

    /// The names of the joints that are beyond their limits.
    #[pyo3(signature = (q, tolerance=0.0))]
    fn beyond_limits(&self, q: Reals, tolerance: f64) -> PyResult<Vec<String>> {
        let beyond = call(|| kinworld::kinematics::beyond_limits(&self.model, &q, tolerance))?;
        Ok(beyond
            .into_iter()
            .map(|dof| self.model.dof_name(dof).to_owned())
            .collect())
    }

    /// The nearest configuration (n) within the limits.
    fn clamp_to_limits<'py>(&self, py: Python<'py>, q: Reals) -> PyResult<Array1<'py>> {
        call(|| kinworld::kinematics::clamp_to_limits(&self.model, &q)).map(|q| array1(py, &q))
    }

    /// The pairs of links that are tested for self-collision, as names.
    #[getter]
    fn self_collision_pairs(&self) -> Vec<(&str, &str)> {
        let name = |link| self.model.link(link).name();
        self.model
            .self_collision_pairs()
            .map(|(a, b)| (name(a), name(b)))
            .collect()
    }

    fn __len__(&self) -> usize {
        self.model.links().len()
    }

    fn __getitem__(&self, key: LinkKey) -> PyResult<Link> {
        self.link(key)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.model.links().iter().any(|link| link.name() == name)
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<LinkIterator<'py>> {
        LinkIterator::over(&pyo3::types::PyList::new(slf.py(), slf.get().links())?)
    }

    pub(crate) fn __repr__(&self) -> String {
        let model = &self.model;
        format!(
            "Robot '{}': {}, {}",
            model.name(),
            count(model.n_dofs(), "dof"),
            count(model.links().len(), "link")
        )
    }

    fn __copy__(&self) -> Self {
        Self::with_diagnostics(self.model.clone(), self.diagnostics.clone())
    }

    #[expect(
        unused_variables,
        reason = "a description that never changes needs no memo"
    )]
    fn __deepcopy__(&self, memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = crate::pickle::to_bytes(&*slf.get().model)?;
        Ok((
            slf.get_type().getattr("_from_bytes")?,
            (PyBytes::new(slf.py(), &bytes),),
        ))
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        crate::pickle::from_bytes::<Model>(bytes).map(Self::new)
    }
}

/// Largest count of numbers of one array.
const MOST_NUMBERS: usize = 1 << 36;

/// A link of a robot: its name, its place in the tree, its inertia.
#[pyclass(frozen, from_py_object, module = "kinworld")]
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) robot: Arc<Model>,
    pub(crate) id: LinkId,
}

impl Link {
    pub(crate) fn model(&self) -> &kinworld::robot::Link {
        self.robot.link(self.id)
    }
}

#[pymethods]
impl Link {
    /// The index in the robot's links.
    #[getter]
    fn index(&self) -> usize {
        self.id.index()
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.model().name()
    }

    /// The name of the joint that moves the link.
    #[getter]
    fn joint_name(&self) -> Option<&str> {
        self.model().joint_name()
    }

    /// The parent; ``None`` for a root.
    #[getter]
    fn parent(&self) -> Option<Self> {
        let parent = self.model().parent()?;
        Some(Self {
            robot: self.robot.clone(),
            id: parent,
        })
    }

    /// The children.
    #[getter]
    fn children(&self) -> Vec<Self> {
        self.robot
            .children(self.id)
            .map(|id| Self {
                robot: self.robot.clone(),
                id,
            })
            .collect()
    }

    /// The index of its degree of freedom in a configuration; ``None`` for a fixed link.
    #[getter]
    fn dof(&self) -> Option<usize> {
        self.model().dof().map(kinworld::DofId::index)
    }

    /// ``"fixed"``, ``"revolute"`` or ``"prismatic"``.
    #[getter]
    fn motion(&self) -> &'static str {
        self.model().motion().name()
    }

    /// The axis (3) of its motion in its own frame; ``None`` for a fixed link.
    #[getter]
    fn axis<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.model()
            .motion()
            .axis()
            .map(|axis| array1(py, axis.as_slice()))
    }

    /// Pose (4 × 4) in the parent where its coordinate is zero.
    #[getter]
    fn placement<'py>(&self, py: Python<'py>) -> Array2<'py> {
        pose_array(py, self.model().placement())
    }

    /// Mass, kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.model().inertia().mass
    }

    /// Centre of mass (3) in the link's frame, m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.model().inertia().com.coords.as_slice())
    }

    /// Moment of inertia (3 × 3) about the centre of mass in the link's axes, kg·m².
    #[getter]
    fn moment<'py>(&self, py: Python<'py>) -> Array2<'py> {
        crate::convert::matrix(py, &self.model().inertia().moment)
    }

    fn __repr__(&self) -> String {
        format!(
            "Link '{}' ({}) of '{}'",
            self.name(),
            self.id.index(),
            self.robot.name()
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.id == other.id && Arc::ptr_eq(&self.robot, &other.robot)
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.robot) as usize ^ self.id.index()
    }

    fn __index__(&self) -> usize {
        self.id.index()
    }
}

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

/// Limits of all degrees of freedom, arrays (n); infinite where there is no limit.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Limits(pub(crate) Arc<Model>);

impl Limits {
    fn array<'py>(
        &self,
        py: Python<'py>,
        value: impl Fn(&kinworld::robot::Limits) -> f64,
    ) -> Array1<'py> {
        let values: Vec<f64> = self.0.limits().iter().map(value).collect();
        array1(py, &values)
    }
}

#[pymethods]
impl Limits {
    /// Smallest positions (n), rad or m.
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.q_min)
    }

    /// Largest positions (n), rad or m.
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.q_max)
    }

    /// Largest velocities (n), rad/s or m/s.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.v_max)
    }

    /// Largest magnitudes of accelerations (n), rad/s² or m/s².
    #[getter]
    fn acceleration<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.a_max)
    }

    /// Largest magnitudes of torques or forces (n), N·m or N.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.tau_max)
    }

    /// Largest magnitudes of power (n), W.
    #[getter]
    fn power<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.array(py, |limits| limits.power_max)
    }

    fn __repr__(&self) -> String {
        let ranges = first(self.0.limits(), |limits| {
            format!("{} to {}", number(limits.q_min), number(limits.q_max))
        });
        format!(
            "Limits of '{}': {}: {ranges}",
            self.0.name(),
            count(self.0.n_dofs(), "dof")
        )
    }

    /// The limits (lower, upper) of a degree of freedom.
    fn __getitem__(&self, key: isize) -> PyResult<(f64, f64)> {
        let limits = &self.0.limits()[index(key, self.0.n_dofs(), "dof")?];
        Ok((limits.q_min, limits.q_max))
    }

    fn __len__(&self) -> usize {
        self.0.n_dofs()
    }
}
