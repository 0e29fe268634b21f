//! Motors as URDF has them: one per joint, or one for a joint and those that mimic it.

use std::collections::HashMap;

use super::Writer;
use crate::robot::{Driver, DriverKind, JointKind, Servo};

/// The driver of each link, by its number.
#[derive(Debug, Default)]
pub(super) struct Drives {
    servos: HashMap<usize, Servo>,
    mimics: HashMap<usize, Mimic>,
}

/// `q = scale · q_master + offset`
#[derive(Debug, Clone, Copy)]
pub(super) struct Mimic {
    pub(super) master: usize,
    pub(super) scale: f64,
    pub(super) offset: f64,
}

impl Drives {
    /// The gains of a link's driver, where they are not Klampt's defaults.
    #[expect(
        clippy::float_cmp,
        reason = "what is not written has to be read back the same"
    )]
    pub(super) fn gains(&self, link: usize) -> Option<[f64; 3]> {
        let servo = self.servos.get(&link)?;
        let gains = [servo.p, servo.i, servo.d];
        (gains != [100.0, 0.0, 10.0]).then_some(gains)
    }

    /// Dry and viscous friction of a link's driver.
    pub(super) fn friction(&self, link: usize) -> Option<[f64; 2]> {
        let servo = self.servos.get(&link)?;
        let friction = [servo.dry_friction, servo.viscous_friction];
        (friction != [0.0, 0.0]).then_some(friction)
    }

    pub(super) fn mimic(&self, link: usize) -> Option<Mimic> {
        self.mimics.get(&link).copied()
    }
}

impl Writer<'_> {
    /// The drivers as URDF has them.
    pub(super) fn drives(&mut self) -> Drives {
        let mut drives = Drives::default();
        let mut n_driven = 0;
        for driver in self.robot.drivers() {
            let links: Vec<usize> = driver
                .kind
                .links()
                .iter()
                .map(|link| link.index())
                .collect();
            let Some(&master) = links.first() else {
                continue;
            };
            n_driven += links.len();
            self.warn_of(driver, self.plan.name(master));
            drives.servos.insert(master, driver.servo);
            let DriverKind::Affine { scale, offset, .. } = &driver.kind else {
                continue;
            };
            let (Some(&s), Some(&o)) = (scale.first(), offset.first()) else {
                continue;
            };
            if s == 0.0 {
                self.output.lose(format!(
                    "driver `{}` does not move its first link: it becomes one per link",
                    driver.name
                ));
                continue;
            }
            if (s - 1.0).abs() > 0.0 || o != 0.0 {
                self.output.lose(format!(
                    "the value of driver `{}` becomes that of its first link",
                    driver.name
                ));
            }
            for ((&link, scale), offset) in links.iter().zip(scale).zip(offset).skip(1) {
                // the first link holds the driver's value u = (q − o) / s
                let (scale, offset) = match (s, o) {
                    (1.0, 0.0) => (*scale, *offset),
                    _ => (scale / s, offset - scale * o / s),
                };
                drives.mimics.insert(
                    link,
                    Mimic {
                        master,
                        scale,
                        offset,
                    },
                );
            }
        }
        let is_driven = |kind: JointKind| matches!(kind, JointKind::Normal | JointKind::Spin);
        let scalars = self
            .robot
            .joints()
            .iter()
            .filter(|joint| is_driven(joint.kind))
            .count();
        if scalars > n_driven {
            let n = scalars - n_driven;
            self.output.lose(format!(
                "{n} degrees of freedom without a driver get one each"
            ));
        }
        drives
    }

    fn warn_of(&mut self, driver: &Driver, link: &str) {
        let name = &driver.name;
        let mut lost = Vec::new();
        if name != link {
            lost.push("its name");
        }
        if matches!(
            driver.kind,
            DriverKind::Translation { .. } | DriverKind::Rotation { .. }
        ) {
            lost.push("its base link");
        }
        if driver.limits.is_some_and(|own| {
            own != self.robot.driver_limits(&Driver {
                limits: None,
                ..driver.clone()
            })
        }) {
            lost.push("limits of its own");
        }
        let Servo { p, i, d, .. } = driver.servo;
        if !self.plan.has_klampt && [p, i, d].iter().any(|gain| *gain != 0.0) {
            lost.push("its gains");
        }
        if driver.rotor.inertia > 0.0 {
            lost.push("its rotor");
        }
        if !lost.is_empty() {
            self.output
                .lose(format!("driver `{name}`: not kept are {}", lost.join(", ")));
        }
    }
}
