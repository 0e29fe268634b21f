//! Sensors: what a run records.

use kinworld::sim::{Probe, Quantity, Sensor as Probed};
use kinworld::{LinkId, Point};
use pyo3::prelude::*;
#[cfg(feature = "stubs")]
use pyo3::type_hint_union;

use crate::convert::{Vec3, index};
use crate::error::error;

/// A link by name or by index, of a mechanism that is not known yet.
#[derive(Clone)]
pub(super) enum LinkRef {
    Index(isize),
    Name(String),
}

impl LinkRef {
    /// The link among `count`, or by name.
    pub(super) fn find(
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

/// Something that a run records: a quantity at a point of a link.
///
/// The quantities are ``"position"``, ``"displacement"``, ``"rotation"``, ``"rotation_matrix"``, ``"velocity"``,
/// ``"acceleration"``, ``"angular_velocity"``, ``"angular_acceleration"``, and the last four with ``"_local"`` in the
/// axes of the link. ``point`` is in the frame of the link, m. The columns are named ``{name}_x`` and so on.
///
/// >>> import kinworld as kw
/// >>> kw.sim.Sensor("tip", "link2", "position", point=(1, 0, 0))
/// Sensor 'tip': position
#[pyclass(frozen, from_py_object, module = "kinworld.sim")]
#[derive(Clone)]
pub(crate) struct Sensor {
    name: String,
    link: LinkRef,
    point: Point,
    quantity: Quantity,
}

#[pymethods]
impl Sensor {
    #[new]
    #[pyo3(signature = (name, link, quantity="position", *, point=Vec3([0.0; 3])))]
    fn new(name: String, link: LinkRef, quantity: &str, point: Vec3) -> PyResult<Self> {
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
            point: point.point(),
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
            Self::Sensor(sensor) => Ok(Probed::at(
                sensor.name.clone(),
                find(&sensor.link)?,
                sensor.point,
                sensor.quantity,
            )),
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
