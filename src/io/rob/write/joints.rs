//! Writer of joints and drivers.

use super::{Writer, word};
use crate::io::text::{fits_quotes, numbers};
use crate::robot::{Driver, DriverKind, DriverLimits, Joint, JointKind, LinkId, Servo};

/// A keyword and the servo parameter that it holds.
type Gain = (&'static str, fn(&Servo) -> f64);

impl Writer<'_> {
    pub(super) fn joints(&mut self) {
        let mut lines = Vec::new();
        for joint in self.robot.joints() {
            let (kind, link) = (joint.kind.name(), joint.link.index());
            if joint.kind.dofs() == Some(1) {
                lines.push(format!("{kind} {link}"));
            } else if self.has_only_moving_links(joint) {
                lines.push(format!("{kind} {link} {}", index(joint.base)));
            } else {
                self.output.warn(format!(
                    "the {kind} joint of link `{}` is written as normal joints: fixed links lie between",
                    self.robot.link(joint.link).name()
                ));
                lines.extend(
                    joint
                        .links
                        .iter()
                        .map(|link| format!("normal {}", link.index())),
                );
            }
        }
        let fixed = self
            .spec
            .links
            .iter()
            .enumerate()
            .filter(|(_, link)| link.motion.is_fixed());
        lines.extend(fixed.map(|(i, _)| format!("weld {i}")));
        if lines.is_empty() {
            self.output
                .warn("without joints a .rob is read with a normal one for each link");
        }
        for line in lines {
            self.line("joint", &line);
        }
    }

    /// True if every link from the base to the link has a degree of freedom; a `.rob` counts them all.
    fn has_only_moving_links(&self, joint: &Joint) -> bool {
        let outer = self.robot.ancestors(joint.link);
        let between = outer.take_while(|&id| Some(id) != joint.base).count() + 1;
        joint.kind == JointKind::Closed || between == joint.links.len()
    }

    pub(super) fn drivers(&mut self) {
        let drivers = self.robot.drivers();
        let moves = |joint: &Joint| matches!(joint.kind, JointKind::Normal | JointKind::Spin);
        if drivers.is_empty() && self.robot.joints().iter().any(moves) {
            self.output
                .warn("without drivers a .rob is read with one for each normal and spin joint");
        }
        for driver in drivers {
            let line = self.driver(driver);
            self.line("driver", &line);
        }
        if drivers.is_empty() {
            return;
        }
        let is_default = |driver: &Driver| {
            let first = driver.kind.links().first();
            first.is_some_and(|&link| self.robot.link(link).name() == driver.name)
        };
        if !drivers.iter().all(is_default) {
            if drivers.iter().any(|driver| !fits_quotes(&driver.name)) {
                self.output
                    .warn("some characters in names of drivers are written as `_`");
            }
            let names: Vec<String> = drivers.iter().map(|d| self.quoted(&d.name)).collect();
            self.line("drivers", &names.join(" "));
        }
        let gains: [Gain; 5] = [
            ("servop", |servo| servo.p),
            ("servoi", |servo| servo.i),
            ("servod", |servo| servo.d),
            ("dryfriction", |servo| servo.dry_friction),
            ("viscousfriction", |servo| servo.viscous_friction),
        ];
        for (keyword, gain) in gains {
            let values: Vec<f64> = drivers.iter().map(|driver| gain(&driver.servo)).collect();
            if values.iter().any(|x| *x != 0.0) {
                self.line(keyword, &numbers(&values));
            }
        }
    }

    fn driver(&mut self, driver: &Driver) -> String {
        let name = &driver.name;
        let has_own = driver
            .limits
            .is_some_and(|own| own.acceleration.ne(&DriverLimits::default().acceleration));
        match &driver.kind {
            DriverKind::Affine {
                links,
                scale,
                offset,
            } => {
                if has_own {
                    self.output.warn(format!(
                        "driver `{name}`: its limits of acceleration are not kept"
                    ));
                }
                let limits = driver
                    .limits
                    .unwrap_or_else(|| self.robot.driver_limits(driver));
                let links: Vec<String> = links.iter().map(|link| index(Some(*link))).collect();
                let limits = [limits.position, limits.velocity, limits.torque].concat();
                format!(
                    "affine {}  {}  {}  {}  {}",
                    links.len(),
                    links.join(" "),
                    numbers(scale),
                    numbers(offset),
                    limits
                        .iter()
                        .map(|x| word(*x))
                        .collect::<Vec<_>>()
                        .join(" ")
                )
            }
            kind => {
                if driver.limits.is_some() {
                    self.output.warn(format!(
                        "driver `{name}`: its own limits are not kept, its link's apply"
                    ));
                }
                match kind {
                    DriverKind::Translation { link, base }
                    | DriverKind::Rotation { link, base } => {
                        format!("{} {} {}", kind.name(), link.index(), index(*base))
                    }
                    kind => format!("{} {}", kind.name(), index(kind.links().first().copied())),
                }
            }
        }
    }
}

/// Index of a link; -1 for the world.
fn index(link: Option<LinkId>) -> String {
    link.map_or_else(|| "-1".to_owned(), |link| link.index().to_string())
}
