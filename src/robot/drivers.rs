//! Drivers of a robot: defaults, validation, and limits that follow from the links.

use super::{
    Driver, DriverKind, DriverLimits, JointKind, JointSpec, Limits, LinkId, Robot, RobotBuilder,
    Rotor, Servo,
};
use crate::{Error, Result};

impl RobotBuilder {
    /// One normal driver per normal or spin joint, named after the link.
    pub(super) fn default_drivers(&self) -> Vec<Driver> {
        let joints = self.joints.clone().unwrap_or_else(|| self.default_joints());
        let driven = joints
            .iter()
            .filter(|joint| matches!(joint.kind, JointKind::Normal | JointKind::Spin));
        let driver = |joint: &JointSpec| {
            let link = self.links.get(joint.link.index());
            let name = link.map_or("", |link| &link.name);
            Driver::new(name, DriverKind::Normal { link: joint.link })
        };
        driven.map(driver).collect()
    }

    /// Refuses drivers that do not fit the links.
    pub(super) fn check_drivers(&self, drivers: &[Driver]) -> Result<()> {
        let n = self.links.len();
        let mut driven = vec![false; n];
        for driver in drivers {
            let refuse =
                |problem: String| Err(Error::invalid(format!("driver `{}`", driver.name), problem));
            let links = driver.kind.links();
            if links.is_empty() {
                return refuse("it drives no link".to_owned());
            }
            for &link in links {
                if link.index() >= n {
                    return refuse(format!("there is no link {}; there are {n}", link.index()));
                }
                if self.links[link.index()].motion.is_fixed() {
                    return refuse(format!(
                        "{} is fixed and cannot be driven",
                        self.label(link)
                    ));
                }
                if std::mem::replace(&mut driven[link.index()], true) {
                    return refuse(format!("{} is driven twice", self.label(link)));
                }
            }
            match &driver.kind {
                DriverKind::Affine {
                    links,
                    scale,
                    offset,
                } => {
                    if scale.len() != links.len() || offset.len() != links.len() {
                        let (s, o) = (scale.len(), offset.len());
                        return refuse(format!(
                            "{} links need as many scales and offsets, got {s} and {o}",
                            links.len()
                        ));
                    }
                    if scale.iter().chain(offset).any(|x| !x.is_finite()) {
                        return refuse("a scale or an offset is not finite".to_owned());
                    }
                }
                DriverKind::Translation {
                    base: Some(base), ..
                }
                | DriverKind::Rotation {
                    base: Some(base), ..
                } if base.index() >= n => {
                    return refuse(format!("there is no link {}; there are {n}", base.index()));
                }
                _ => {}
            }
            let Servo {
                p,
                i,
                d,
                dry_friction,
                viscous_friction,
            } = driver.servo;
            if [p, i, d, dry_friction, viscous_friction]
                .iter()
                .any(|x| !x.is_finite() || *x < 0.0)
            {
                return refuse(
                    "its gains and frictions must be finite and not negative".to_owned(),
                );
            }
            let Rotor {
                inertia,
                gear_ratio,
            } = driver.rotor;
            if !inertia.is_finite() || inertia < 0.0 || !gear_ratio.is_finite() {
                return refuse(
                    "its rotor's inertia must be finite and not negative, and its gear ratio finite"
                        .to_owned(),
                );
            }
            if driver.armature().is_some_and(|(_, x)| !x.is_finite()) {
                return refuse("its rotor's reflected inertia is not finite".to_owned());
            }
            if let Some(DriverLimits {
                position,
                velocity,
                acceleration,
                torque,
            }) = driver.limits
                && [position, velocity, acceleration, torque]
                    .iter()
                    .flatten()
                    .any(|x| x.is_nan())
            {
                return refuse(
                    "one of its limits is not a number; leave a limit out to have none".to_owned(),
                );
            }
        }
        Ok(())
    }
}

impl Robot {
    /// Ranges of a driver's value, velocity, acceleration and torque.
    ///
    /// Its own limits, else those that the limits of its links imply: with `q_i = scale_i · u + offset_i`, the
    /// range of `u` in which no link leaves its limits. Acceleration limits are always intersected with those
    /// of the links.
    ///
    /// # Panics
    ///
    /// If a link of the driver belongs to a larger robot.
    #[must_use]
    pub fn driver_limits(&self, driver: &Driver) -> DriverLimits {
        let mut from_links = DriverLimits::default();
        let (scales, offsets): (&[f64], &[f64]) = match &driver.kind {
            DriverKind::Affine { scale, offset, .. } => (scale, offset),
            _ => (&[1.0], &[0.0]),
        };
        for ((&link, &scale), &offset) in driver.kind.links().iter().zip(scales).zip(offsets) {
            let Some(limits) = self.limits_of(link) else {
                continue;
            };
            let Limits {
                q_min,
                q_max,
                v_min,
                v_max,
                a_max,
                tau_max,
                ..
            } = *limits;
            tighten(
                &mut from_links.position,
                [q_min - offset, q_max - offset],
                scale,
            );
            tighten(&mut from_links.velocity, [v_min, v_max], scale);
            tighten(&mut from_links.acceleration, [-a_max, a_max], scale);
            tighten(&mut from_links.torque, [-tau_max, tau_max], 1.0);
        }
        match driver.limits {
            None => from_links,
            Some(own) => {
                let mut limits = own;
                tighten(&mut limits.acceleration, from_links.acceleration, 1.0);
                limits
            }
        }
    }

    /// The limits of a link's degree of freedom, `None` for a fixed link.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    #[inline]
    pub fn limits_of(&self, link: LinkId) -> Option<&Limits> {
        self.link(link).dof().map(|dof| &self.limits[dof.index()])
    }

    /// Index of a driver in [`drivers`](Self::drivers) by name, the first match.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn driver_index(&self, name: &str) -> Result<usize> {
        let names = || self.drivers.iter().map(|driver| driver.name.as_str());
        names()
            .position(|n| n == name)
            .ok_or_else(|| Error::not_found("driver", name, names()))
    }
}

/// Intersects `range` with the `u` for which `scale · u` lies in `[min, max]`.
fn tighten(range: &mut [f64; 2], [min, max]: [f64; 2], scale: f64) {
    if scale == 0.0 {
        return;
    }
    let (a, b) = (min / scale, max / scale);
    range[0] = range[0].max(a.min(b));
    range[1] = range[1].min(a.max(b));
}
