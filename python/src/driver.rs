//! Drivers: motors, and the degrees of freedom that they move.

use std::sync::Arc;

use kinworld::Robot as Model;
use kinworld::robot::{Driver as Inner, DriverKind};
use pyo3::prelude::*;

use crate::convert::ElementKey;
use crate::robot::Robot;

/// A motor or transmission: one value u that moves one or more links.
///
/// >>> import kinworld as kw
/// >>> arm = kw.Robot.load("data/robots/planar3R.rob")
/// >>> driver = arm.drivers[0]
/// >>> driver.kind, driver.links
/// ('normal', [0])
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Driver {
    robot: Arc<Model>,
    inner: Inner,
}

impl Driver {
    fn limits(&self) -> kinworld::robot::DriverLimits {
        self.robot.driver_limits(&self.inner)
    }
}

#[pymethods]
impl Driver {
    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// ``"normal"``, ``"affine"``, ``"translation"`` or ``"rotation"``.
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind.name()
    }

    /// The indices of the links that it drives.
    #[getter]
    fn links(&self) -> Vec<usize> {
        self.inner.kind.links().iter().map(|l| l.index()).collect()
    }

    /// The indices of all links involved: those that it drives, and the base of a thrust or torque.
    #[getter]
    fn affected_links(&self) -> Vec<usize> {
        let links = self.inner.kind.affected_links();
        links.into_iter().map(|link| link.index()).collect()
    }

    /// Factor of each link in ``links``: its coordinate is ``scale * u + offset``.
    #[getter]
    fn scale(&self) -> Vec<f64> {
        match &self.inner.kind {
            DriverKind::Affine { scale, .. } => scale.clone(),
            _ => vec![1.0],
        }
    }

    /// Offset of each link in ``links``, rad or m.
    #[getter]
    fn offset(&self) -> Vec<f64> {
        match &self.inner.kind {
            DriverKind::Affine { offset, .. } => offset.clone(),
            _ => vec![0.0],
        }
    }

    /// Range (lower, upper) of the value, rad or m.
    #[getter]
    fn position(&self) -> [f64; 2] {
        self.limits().position
    }

    /// Range (lower, upper) of the velocity, rad/s or m/s.
    #[getter]
    fn velocity(&self) -> [f64; 2] {
        self.limits().velocity
    }

    /// Range (lower, upper) of the acceleration, rad/s² or m/s².
    #[getter]
    fn acceleration(&self) -> [f64; 2] {
        self.limits().acceleration
    }

    /// Range (lower, upper) of the torque or force, N·m or N.
    #[getter]
    fn torque(&self) -> [f64; 2] {
        self.limits().torque
    }

    /// Proportional, integral and derivative gain.
    #[getter]
    fn gains(&self) -> (f64, f64, f64) {
        let servo = self.inner.servo;
        (servo.p, servo.i, servo.d)
    }

    /// Coulomb friction, N·m or N.
    #[getter]
    fn dry_friction(&self) -> f64 {
        self.inner.servo.dry_friction
    }

    /// Friction per velocity, N·m·s/rad or N·s/m.
    #[getter]
    fn viscous_friction(&self) -> f64 {
        self.inner.servo.viscous_friction
    }

    /// Moment of inertia of the rotor about its axis, kg·m².
    #[getter]
    fn rotor_inertia(&self) -> f64 {
        self.inner.rotor.inertia
    }

    /// Rotation of the rotor per unit of the value.
    #[getter]
    fn gear_ratio(&self) -> f64 {
        self.inner.rotor.gear_ratio
    }

    /// Inertia of the rotor reflected to the value: ``gear_ratio**2 * rotor_inertia``.
    #[getter]
    fn reflected_inertia(&self) -> f64 {
        self.inner.rotor.reflected()
    }

    fn __repr__(&self) -> String {
        let links: Vec<&str> = self
            .inner
            .kind
            .links()
            .iter()
            .map(|&link| self.robot.link(link).name())
            .collect();
        format!(
            "Driver '{}': {}, moves {}",
            self.inner.name,
            self.inner.kind.name(),
            links.join(", ")
        )
    }
}

#[pymethods]
impl Robot {
    /// The drivers.
    #[getter]
    fn drivers(&self) -> Vec<Driver> {
        let drivers = self.model.drivers().iter();
        drivers
            .map(|driver| Driver {
                robot: self.model.clone(),
                inner: driver.clone(),
            })
            .collect()
    }

    /// A driver, by name or index.
    fn driver(&self, key: ElementKey) -> PyResult<Driver> {
        let drivers = self.model.drivers();
        let i = key.find(drivers.len(), "driver", Ok, |name| {
            self.model.driver_index(name)
        })?;
        Ok(Driver {
            robot: self.model.clone(),
            inner: drivers[i].clone(),
        })
    }
}
