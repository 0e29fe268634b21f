//! Drivers that a builder gives a robot.

use kinworld::LinkId;
use kinworld::robot::{Driver, DriverKind, DriverLimits, Rotor, Servo};
use pyo3::prelude::*;

use crate::builder::{PartKey, RobotBuilder};
use crate::error::error;

#[pymethods]
impl RobotBuilder {
    /// Adds a driver of a link, or of several with ``scale`` and ``offset`` each: q = scale · u + offset.
    ///
    /// - ``kind``: ``"translation"`` and ``"rotation"`` are a thrust and a torque along the axis of one link, relative to
    ///   ``base``.
    /// - ``position``, ``velocity``, ``acceleration``, ``torque``: ranges (lower, upper); by default those of the links.
    /// - ``gains``: proportional, integral, derivative. ``dry_friction`` in N·m or N, ``viscous_friction`` per velocity.
    /// - ``rotor_inertia``, kg·m², and ``gear_ratio``: they add ``gear_ratio**2 * rotor_inertia`` to the armature.
    #[pyo3(signature = (name, links, *, scale=None, offset=None, kind=None, base=None, position=None, velocity=None,
        acceleration=None, torque=None, gains=None, dry_friction=0.0, viscous_friction=0.0, rotor_inertia=0.0,
        gear_ratio=1.0))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn add_driver(
        &mut self,
        name: String,
        links: Vec<PartKey>,
        scale: Option<Vec<f64>>,
        offset: Option<Vec<f64>>,
        kind: Option<&str>,
        base: Option<PartKey>,
        position: Option<[f64; 2]>,
        velocity: Option<[f64; 2]>,
        acceleration: Option<[f64; 2]>,
        torque: Option<[f64; 2]>,
        gains: Option<(f64, f64, f64)>,
        dry_friction: f64,
        viscous_friction: f64,
        rotor_inertia: f64,
        gear_ratio: f64,
    ) -> PyResult<()> {
        let links: Vec<LinkId> = links
            .iter()
            .map(|link| self.find(link))
            .collect::<PyResult<_>>()?;
        let base = base.map(|base| self.find(&base)).transpose()?;
        let n = links.len();
        let kind = match (kind, links.as_slice()) {
            (None | Some("normal"), &[link]) if scale.is_none() && offset.is_none() => {
                DriverKind::Normal { link }
            }
            (None | Some("affine"), _) => DriverKind::Affine {
                links,
                scale: scale.unwrap_or_else(|| vec![1.0; n]),
                offset: offset.unwrap_or_else(|| vec![0.0; n]),
            },
            (Some("translation"), &[link]) => DriverKind::Translation { link, base },
            (Some("rotation"), &[link]) => DriverKind::Rotation { link, base },
            (Some("normal" | "translation" | "rotation"), _) => {
                return Err(error(format!(
                    "a driver of this kind has one link and no scale, got {n} links"
                )));
            }
            (Some(other), _) => {
                return Err(error(format!(
                    "kind is \"normal\", \"affine\", \"translation\" or \"rotation\", not {other:?}"
                )));
            }
        };
        let mut driver = Driver::new(name, kind);
        if [position, velocity, acceleration, torque]
            .iter()
            .any(Option::is_some)
        {
            let all = DriverLimits::default();
            driver = driver.with_limits(
                all.with_position(position.unwrap_or(all.position))
                    .with_velocity(velocity.unwrap_or(all.velocity))
                    .with_acceleration(acceleration.unwrap_or(all.acceleration))
                    .with_torque(torque.unwrap_or(all.torque)),
            );
        }
        let (p, i, d) = gains.unwrap_or_default();
        let servo = Servo::default()
            .with_gains(p, i, d)
            .with_dry_friction(dry_friction)
            .with_viscous_friction(viscous_friction);
        let rotor = Rotor::new(rotor_inertia, gear_ratio);
        let driver = driver.with_servo(servo).with_rotor(rotor);
        self.model_mut()
            .drivers
            .get_or_insert_default()
            .push(driver);
        Ok(())
    }
}
