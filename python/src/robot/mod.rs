//! Robots: descriptions that never change.

mod config_space;
mod joint;
mod limits;
mod link;

use std::sync::Arc;

use kinworld::{LinkId, Robot as Model};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

pub(crate) use joint::Joint;
pub(crate) use limits::Limits;
pub(crate) use link::Link;

use crate::convert::{Array1, DofKey, LinkIterator, LinkKey, Reals, array1};
use crate::describe::count;
use crate::error::{Diagnostics, call, call_detached, diagnostics, fail, loaded};
use crate::function::Pool;
use crate::interrupt::in_background;
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
    /// ``format`` is ``"rob"``, ``"urdf"``, ``"mjcf"`` or ``"sdf"`` where the suffix does not tell, as that of an ``.xml``.
    #[pyo3(signature = (path, *, force=false, format=None))]
    fn save(
        &self,
        py: Python<'_>,
        path: std::path::PathBuf,
        force: bool,
        format: Option<&str>,
    ) -> PyResult<Diagnostics> {
        let options = crate::io::saving(force, format)?;
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
