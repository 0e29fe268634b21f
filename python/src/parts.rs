//! Parts of the degrees of freedom of a robot: chosen ones, and independent ones.

use std::sync::Arc;

use kinworld::Robot as Model;
use kinworld::kinematics::{DriverDof, DriverSpace as Space, SubRobot as Part};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, DofKey, LinkKey, Reals, Vec3, array1, array2, matrix};
use crate::error::{call, call_detached, error};
use crate::interrupt::in_background;
use crate::robot::Robot;
use crate::state::State;
use kinworld::planning::{MaskOptions, PairClass, SelfCollisionMask as Mask};

/// Chosen degrees of freedom of a robot: one arm of two, the fingers of a hand.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct SubRobot {
    robot: Arc<Model>,
    dofs: Vec<kinworld::DofId>,
}

impl SubRobot {
    fn with<T>(&self, query: impl FnOnce(&Part<'_>) -> kinworld::Result<T>) -> PyResult<T> {
        call(|| query(&Part::new(&self.robot, &self.dofs)?))
    }
}

#[pymethods]
impl SubRobot {
    #[new]
    fn new(robot: &Bound<'_, Robot>, dofs: Vec<DofKey>) -> PyResult<Self> {
        let robot = robot.get().model.clone();
        let dofs = DofKey::all_of(&dofs, &robot)?;
        let part = Self { robot, dofs };
        part.with(|_| Ok(()))?;
        Ok(part)
    }

    /// The degrees of freedom that move links.
    #[staticmethod]
    fn of_links(robot: &Bound<'_, Robot>, links: Vec<LinkKey>) -> PyResult<Self> {
        let robot = robot.get().model.clone();
        let links = links
            .iter()
            .map(|link| link.of(&robot))
            .collect::<PyResult<Vec<_>>>()?;
        let dofs = call(|| Ok(Part::of_links(&robot, &links)?.dofs().to_vec()))?;
        Ok(Self { robot, dofs })
    }

    /// The robot.
    #[getter]
    fn robot(&self) -> Robot {
        Robot::new(self.robot.clone())
    }

    /// The indices (m) of the degrees of freedom.
    #[getter]
    fn dofs(&self) -> Vec<usize> {
        self.dofs.iter().map(|dof| dof.index()).collect()
    }

    /// Position limits (m × 2), rad or m.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        let limits = self.with(|part| Ok(part.limits()))?;
        Ok(array2(py, limits.len(), 2, |out| {
            for (row, limits) in out.chunks_exact_mut(2).zip(&limits) {
                row.copy_from_slice(&[limits.q_min, limits.q_max]);
            }
        }))
    }

    /// The values (m) of these degrees of freedom in a configuration (n).
    #[expect(
        clippy::wrong_self_convention,
        reason = "the name that the library uses"
    )]
    fn from_full<'py>(&self, py: Python<'py>, full: Reals) -> PyResult<Array1<'py>> {
        self.with(|part| part.from_full(&full))
            .map(|q| array1(py, &q))
    }

    /// The configuration (n) ``full`` with these values (m) in it.
    fn to_full<'py>(&self, py: Python<'py>, chosen: Reals, full: Reals) -> PyResult<Array1<'py>> {
        let mut full = full.to_vec();
        self.with(|part| part.to_full(&chosen, &mut full))?;
        Ok(array1(py, &full))
    }

    /// The values (m) of these degrees of freedom in a state.
    fn config<'py>(&self, py: Python<'py>, state: &State) -> PyResult<Array1<'py>> {
        let full = state.ask(py, |_, state| Ok(state.config().to_vec()))?;
        self.with(|part| part.from_full(&full))
            .map(|q| array1(py, &q))
    }

    /// The columns (6 × m) of the Jacobian of a point (3) of a link.
    #[pyo3(signature = (state, link, p=Vec3([0.0; 3])))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        state: &State,
        link: LinkKey,
        p: Vec3,
    ) -> PyResult<Array2<'py>> {
        state
            .ask_link(py, &link, |_, state, link| {
                let part = Part::new(&self.robot, &self.dofs)?;
                Ok(part.jacobian(state, link, &p.point()))
            })
            .map(|j| matrix(py, &j))
    }

    fn __len__(&self) -> usize {
        self.dofs.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "SubRobot of '{}': {} dofs",
            self.robot.name(),
            self.dofs.len()
        )
    }
}

/// The independent degrees of freedom y (m) of a robot whose drivers couple its links: q = S y + q₀.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct DriverSpace(pub(crate) Space);

#[pymethods]
impl DriverSpace {
    #[new]
    fn new(robot: &Bound<'_, Robot>) -> PyResult<Self> {
        call(|| Ok(Self(Space::new(&robot.get().model))))
    }

    /// What each is: ``("driver", index)`` or ``("dof", index)``.
    #[getter]
    fn dofs(&self) -> Vec<(&'static str, usize)> {
        self.0
            .dofs()
            .iter()
            .map(|dof| match dof {
                DriverDof::Driver(i) => ("driver", *i),
                DriverDof::Dof(dof) => ("dof", dof.index()),
                _ => ("other", 0),
            })
            .collect()
    }

    /// S (n × m).
    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> Array2<'py> {
        matrix(py, &self.0.matrix())
    }

    /// q₀ (n).
    #[getter]
    fn offset<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.offset())
    }

    /// The configuration (n) of values (m).
    fn config<'py>(&self, py: Python<'py>, y: Reals) -> PyResult<Array1<'py>> {
        call(|| self.0.config(&y)).map(|q| array1(py, &q))
    }

    /// The velocity (n) of rates (m).
    fn velocity<'py>(&self, py: Python<'py>, dy: Reals) -> PyResult<Array1<'py>> {
        call(|| self.0.velocity(&dy)).map(|dq| array1(py, &dq))
    }

    /// The values (m) of a configuration (n).
    fn dof_values<'py>(
        &self,
        py: Python<'py>,
        robot: &Bound<'py, Robot>,
        q: Reals,
    ) -> PyResult<Array1<'py>> {
        call(|| self.0.dof_values(&robot.get().model, &q)).map(|y| array1(py, &y))
    }

    /// The forces (m) that have the power of joint forces (n): Sᵀ tau.
    fn forces<'py>(&self, py: Python<'py>, tau: Reals) -> PyResult<Array1<'py>> {
        call(|| self.0.forces(&tau)).map(|u| array1(py, &u))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "DriverSpace: {} of {} dofs",
            self.0.len(),
            self.0.offset().len()
        )
    }
}

/// Pairs of links to test for self-collision, learned from random configurations.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct SelfCollisionMask(Mask);

fn class_of(name: &str) -> PyResult<PairClass> {
    Ok(match name {
        "adjacent" => PairClass::Adjacent,
        "default" => PairClass::Default,
        "always" => PairClass::Always,
        "never" => PairClass::Never,
        "given" => PairClass::Given,
        "sometimes" => PairClass::Sometimes,
        _ => {
            return Err(error(format!(
                "unknown class {name:?}; expected adjacent, default, always, never, given or sometimes"
            )));
        }
    })
}

fn class_name(class: PairClass) -> &'static str {
    match class {
        PairClass::Adjacent => "adjacent",
        PairClass::Default => "default",
        PairClass::Always => "always",
        PairClass::Never => "never",
        PairClass::Given => "given",
        _ => "sometimes",
    }
}

#[pymethods]
impl SelfCollisionMask {
    /// Learns which pairs of links collide never, always or sometimes within the limits of a robot.
    ///
    /// ``progress`` is called with the number of configurations now and then.
    #[staticmethod]
    #[pyo3(signature = (robot, *, samples=None, seed=0, disable_default=None, allow_missing_geometry=false, progress=None))]
    fn learn(
        py: Python<'_>,
        robot: &Bound<'_, Robot>,
        samples: Option<usize>,
        seed: u64,
        disable_default: Option<bool>,
        allow_missing_geometry: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let mut options = MaskOptions::default()
            .with_seed(seed)
            .with_allow_missing_geometry(allow_missing_geometry);
        if let Some(samples) = samples {
            options = options.with_samples(samples);
        }
        if let Some(disable) = disable_default {
            options = options.with_disable_default(disable);
        }
        let model = robot.get().model.clone();
        let mask = in_background(py, progress, move |job| {
            Mask::learn_observed(&model, &options, |samples| job.advance(samples))
        });
        mask.map(Self)
    }

    /// All pairs: indices of two links, the class, and in how many samples they collided.
    #[getter]
    fn pairs(&self) -> Vec<(usize, usize, &'static str, usize)> {
        self.0
            .pairs()
            .iter()
            .map(|pair| {
                let (a, b) = pair.links;
                (
                    a.index(),
                    b.index(),
                    class_name(pair.class),
                    pair.collisions,
                )
            })
            .collect()
    }

    /// The pairs to test, as indices of links.
    #[getter]
    fn tested(&self) -> Vec<(usize, usize)> {
        self.0
            .tested()
            .map(|(a, b)| (a.index(), b.index()))
            .collect()
    }

    /// Whether pairs of a class are tested.
    fn is_tested(&self, kind: &str) -> PyResult<bool> {
        Ok(self.0.is_tested(class_of(kind)?))
    }

    /// Number of pairs of a class: ``"adjacent"``, ``"default"``, ``"always"``, ``"never"``, ``"given"``, ``"sometimes"``.
    fn count(&self, kind: &str) -> PyResult<usize> {
        Ok(self.0.count(class_of(kind)?))
    }

    /// Number of random configurations that the mask was learned from.
    #[getter]
    fn samples(&self) -> usize {
        self.0.samples()
    }

    /// Number of further configurations that it was checked with.
    #[getter]
    fn checked(&self) -> usize {
        self.0.checked()
    }

    /// Number of these with a collision that the mask misses.
    #[getter]
    fn missed(&self) -> usize {
        self.0.missed()
    }

    /// Upper bound of the share of configurations with a missed collision, with a confidence such as 0.95.
    fn missed_bound(&self, confidence: f64) -> PyResult<f64> {
        call(|| self.0.missed_bound(confidence))
    }

    /// The robot with this mask.
    fn apply(&self, robot: &Bound<'_, Robot>) -> PyResult<Robot> {
        call(|| self.0.apply(&robot.get().model)).map(Robot::new)
    }

    /// Writes the mask into a copy of a robot's file, or into an SRDF.
    fn save(
        &self,
        py: Python<'_>,
        file: std::path::PathBuf,
        output: std::path::PathBuf,
    ) -> PyResult<()> {
        call_detached(py, || {
            kinworld::io::Loader::new().save_mask(&self.0, file, output)
        })
    }

    fn __repr__(&self) -> String {
        format!(
            "SelfCollisionMask: {} of {} pairs tested",
            self.0.tested().count(),
            self.0.pairs().len()
        )
    }
}
