//! The drivers of a `.rob`, and their gains.

use std::collections::HashMap;

use super::build::Build;
use super::document::{DriverLine, DriverWords, List};
use crate::Diagnostic;
use crate::io::position::Position;
use crate::io::words::{Word, counted};
use crate::robot::{Driver, DriverKind, DriverLimits, JointKind, LinkId, Servo};

/// A number of a driver's servo.
type Gain = fn(&mut Servo) -> &mut f64;

impl Build<'_, '_> {
    /// Adds the drivers of the file, else one per normal or spin joint.
    pub(super) fn add_drivers(&mut self) -> Result<(), Diagnostic> {
        let doc = self.doc;
        let mut drivers = if doc.drivers.is_empty() {
            self.default_drivers()
        } else {
            let mut owners = HashMap::new();
            let driver = |line| self.driver(line, &mut owners);
            doc.drivers.iter().map(driver).collect::<Result<_, _>>()?
        };

        let n = drivers.len();
        if let Some(position) = self.wrong_length(&doc.driver_names, n) {
            let names = counted(n, "name", "names");
            let message = format!("`drivers` needs {names}, got {}", doc.driver_names.len());
            return Err(self.error(position, message));
        }
        for (driver, name) in drivers.iter_mut().zip(&doc.driver_names.items) {
            driver.name = name.value.to_owned();
        }
        let gains: [(&List<f64>, Gain); 5] = [
            (&doc.servo_p, |servo| &mut servo.p),
            (&doc.servo_i, |servo| &mut servo.i),
            (&doc.servo_d, |servo| &mut servo.d),
            (&doc.dry_friction, |servo| &mut servo.dry_friction),
            (&doc.viscous_friction, |servo| &mut servo.viscous_friction),
        ];
        for (list, field) in gains {
            if let Some(position) = self.wrong_length(list, n) {
                let keyword = list.keyword.as_ref().map_or("", |k| k.value.as_str());
                let message = format!(
                    "`{keyword}` needs one entry for each of {}, got {}",
                    counted(n, "driver", "drivers"),
                    list.len()
                );
                return Err(self.error(position, message));
            }
            for (driver, gain) in drivers.iter_mut().zip(&list.items) {
                if gain.value < 0.0 {
                    let message = "gains and frictions cannot be negative";
                    return Err(self.error(gain.position, message));
                }
                *field(&mut driver.servo) = gain.value;
            }
        }
        self.robot.drivers = Some(drivers);
        Ok(())
    }

    /// Position of a list that has entries, but not this many.
    fn wrong_length<T>(&self, list: &List<T>, n: usize) -> Option<Position> {
        (!list.is_empty() && list.len() != n).then(|| list.position())
    }

    fn default_drivers(&self) -> Vec<Driver> {
        let joints = self.robot.joints.iter().flatten();
        joints
            .filter(|joint| matches!(joint.kind, JointKind::Normal | JointKind::Spin))
            .map(|joint| self.named(DriverKind::Normal { link: joint.link }, None))
            .collect()
    }

    /// A driver with the name of its first link.
    fn named(&self, kind: DriverKind, limits: Option<DriverLimits>) -> Driver {
        let first = kind.links().first();
        let first = first.and_then(|link| self.robot.links.get(link.index()));
        let name = first.map_or("", |link| link.name.as_str());
        Driver {
            limits,
            ..Driver::new(name, kind)
        }
    }

    fn driver(
        &self,
        line: &DriverLine<'_>,
        owners: &mut HashMap<LinkId, Position>,
    ) -> Result<Driver, Diagnostic> {
        let mut driven = |word: &Word<'_>| -> Result<LinkId, Diagnostic> {
            let link = self.link(word)?;
            match owners.insert(link, line.position) {
                None => Ok(link),
                Some(first) => {
                    let message = format!(
                        "link {} has a driver already, at line {}",
                        link.index(),
                        first.line
                    );
                    Err(self.error(word.position, message))
                }
            }
        };
        let (kind, limits) = match &line.kind {
            DriverWords::Normal(link) => (
                DriverKind::Normal {
                    link: driven(link)?,
                },
                None,
            ),
            DriverWords::Translation(link, base) => {
                let link = driven(link)?;
                let base = self.link_or_world(base)?;
                (DriverKind::Translation { link, base }, None)
            }
            DriverWords::Rotation(link, base) => {
                let link = driven(link)?;
                let base = self.link_or_world(base)?;
                (DriverKind::Rotation { link, base }, None)
            }
            DriverWords::Affine {
                links,
                scale,
                offset,
                limits: [position, velocity, torque],
            } => {
                let kind = DriverKind::Affine {
                    links: links.iter().map(driven).collect::<Result<_, _>>()?,
                    scale: scale.clone(),
                    offset: offset.clone(),
                };
                let limits = DriverLimits {
                    position: *position,
                    velocity: *velocity,
                    torque: *torque,
                    ..DriverLimits::default()
                };
                (kind, Some(limits))
            }
        };
        Ok(self.named(kind, limits))
    }
}
