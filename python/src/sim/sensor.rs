//! Sensors: what a run records.

use kinworld::robot::{FrameSensor, Quantity};
use kinworld::sim::{Probe, Sensor as Probed};
use kinworld::{LinkId, Pose, Robot as Model, Rotation};
use pyo3::prelude::*;
#[cfg(feature = "stubs")]
use pyo3::type_hint_union;

use crate::builder::{PartKey, RobotBuilder};
use crate::convert::{Array2, PoseIn, Vec3, index, pose_array};
use crate::error::error;
use crate::robot::Robot;

/// A link by name or by index, of a mechanism that is not known yet.
#[derive(Clone, IntoPyObject)]
pub(crate) enum LinkRef {
    Index(isize),
    Name(String),
}

impl LinkRef {
    /// The link among `count`, or by name.
    pub(crate) fn find(
        &self,
        count: usize,
        by_name: impl FnOnce(&str) -> PyResult<LinkId>,
    ) -> PyResult<LinkId> {
        match self {
            Self::Index(i) => index(*i, count, "link").map(LinkId::new),
            Self::Name(name) => by_name(name),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for LinkRef {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = type_hint_union!(
        pyo3::type_hint_identifier!("builtins", "int"),
        pyo3::type_hint_identifier!("builtins", "str"),
        pyo3::type_hint_identifier!("kinworld._core", "Link")
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = object.extract::<String>() {
            return Ok(Self::Name(name));
        }
        match object.call_method0("__index__") {
            Ok(number) => number.extract().map(Self::Index),
            Err(_) => Err(pyo3::exceptions::PyTypeError::new_err(format!(
                "expected the name or the index of a link, got {}",
                object.get_type().name()?
            ))),
        }
    }
}

/// Something that a run records: a quantity at a frame of a link.
///
/// The quantities are ``"position"``, ``"displacement"``, ``"rotation"``, ``"rotation_matrix"``, ``"quaternion"``,
/// ``"velocity"``, ``"acceleration"``, ``"angular_velocity"``, ``"angular_acceleration"``, and the last four with
/// ``"_local"`` in the axes of the frame. ``frame`` (4 × 4) is in that of the link; with ``point`` (3), m, it has the axes
/// of the link. The columns are named ``{name}_x`` and so on. `Robot.sensors` are those of the robot's file.
///
/// >>> import kinworld as kw
/// >>> kw.sim.Sensor("tip", "link2", "position", point=(1, 0, 0))
/// Sensor 'tip': position
#[pyclass(frozen, from_py_object, module = "kinworld.sim")]
#[derive(Clone)]
pub(crate) struct Sensor {
    name: String,
    link: LinkRef,
    frame: Pose,
    quantity: Quantity,
}

impl Sensor {
    /// A sensor of a robot; the link is named as there.
    pub(crate) fn of(sensor: &FrameSensor, robot: &Model) -> Self {
        Self {
            name: sensor.name.clone(),
            link: LinkRef::Name(robot.link(sensor.link).name().to_owned()),
            frame: sensor.frame,
            quantity: sensor.quantity,
        }
    }

    /// The sensor of a robot; `find` looks up links.
    pub(crate) fn build(
        &self,
        find: impl FnOnce(&LinkRef) -> PyResult<LinkId>,
    ) -> PyResult<FrameSensor> {
        let link = find(&self.link)?;
        Ok(FrameSensor::new(
            self.name.clone(),
            link,
            self.frame,
            self.quantity,
        ))
    }
}

#[pymethods]
impl Sensor {
    #[new]
    #[pyo3(signature = (name, link, quantity="position", *, point=None, frame=None))]
    fn new(
        name: String,
        link: LinkRef,
        quantity: &str,
        point: Option<Vec3>,
        frame: Option<PoseIn>,
    ) -> PyResult<Self> {
        let frame = match (point, frame) {
            (Some(_), Some(_)) => return Err(error("give point or frame, not both")),
            (Some(point), None) => Pose::from_parts(point.vector().into(), Rotation::identity()),
            (None, Some(frame)) => frame.0,
            (None, None) => Pose::identity(),
        };
        let found = Quantity::ALL.into_iter().find(|q| q.name() == quantity);
        let quantity = found.ok_or_else(|| {
            let names: Vec<&str> = Quantity::ALL.iter().map(|q| q.name()).collect();
            error(format!(
                "unknown quantity {quantity:?}; there are {}",
                names.join(", ")
            ))
        })?;
        Ok(Self {
            name,
            link,
            frame,
            quantity,
        })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The quantity.
    #[getter]
    fn quantity(&self) -> &'static str {
        self.quantity.name()
    }

    /// The name or the index of the link.
    #[getter]
    fn link(&self) -> LinkRef {
        self.link.clone()
    }

    /// The frame (4 × 4) in that of the link.
    #[getter]
    fn frame<'py>(&self, py: Python<'py>) -> Array2<'py> {
        pose_array(py, &self.frame)
    }

    fn __repr__(&self) -> String {
        format!("Sensor '{}': {}", self.name, self.quantity.name())
    }
}

/// A sensor, or the name of a quantity of the whole mechanism.
#[derive(FromPyObject)]
pub(crate) enum SensorIn {
    Sensor(Sensor),
    Whole(String),
}

impl SensorIn {
    /// The sensor of the library; `find` looks up links.
    pub(super) fn build(
        &self,
        find: impl FnOnce(&LinkRef) -> PyResult<LinkId>,
    ) -> PyResult<Probed> {
        match self {
            Self::Sensor(sensor) => Ok(sensor.build(find)?.into()),
            Self::Whole(name) => {
                let (short, probe) = match name.as_str() {
                    "positions" => ("q", Probe::Positions),
                    "velocities" => ("dq", Probe::Velocities),
                    "accelerations" => ("ddq", Probe::Accelerations),
                    "force" => ("force", Probe::Force),
                    "energy" => ("energy", Probe::Energy),
                    _ => {
                        return Err(error(format!(
                            "unknown sensor {name:?}; expected \"positions\", \"velocities\", \"accelerations\", \
                             \"force\", \"energy\" or sim.Sensor(name, link, quantity)"
                        )));
                    }
                };
                Ok(Probed::new(short, probe))
            }
        }
    }
}

/// Positions and velocities, where a user names no sensors.
pub(super) fn or_default(sensors: Option<Vec<SensorIn>>) -> Vec<SensorIn> {
    sensors.unwrap_or_else(|| {
        ["positions", "velocities"]
            .map(|name| SensorIn::Whole(name.to_owned()))
            .into()
    })
}

#[pymethods]
impl Robot {
    /// The sensors that its file describes; `kinworld.sim.simulate` records them by default.
    #[getter]
    fn sensors(&self) -> Vec<Sensor> {
        let sensors = self.model.sensors().iter();
        sensors
            .map(|sensor| Sensor::of(sensor, &self.model))
            .collect()
    }
}

#[pymethods]
impl RobotBuilder {
    /// Adds a sensor at a frame of a link.
    fn add_sensor(&mut self, sensor: &Sensor) -> PyResult<()> {
        let key = match &sensor.link {
            LinkRef::Index(i) => PartKey::Index(*i),
            LinkRef::Name(name) => PartKey::Name(name.clone()),
        };
        let link = self.find(&key)?;
        let added = sensor.build(|_| Ok(link))?;
        self.model_mut().sensors.push(added);
        Ok(())
    }
}
