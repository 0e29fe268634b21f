//! Curves over the time of a motion.

use crate::kinematics::Samples;
use crate::robot::{DofId, LinkMotion};
use crate::world::RobotRef;

/// Curves over the time of a motion, in one unit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Plot {
    /// Title, such as `velocity`.
    pub title: String,
    /// Unit of all values, such as `rad/s`; may be empty.
    pub unit: String,
    /// Name and values of each curve, one per time; those that are not finite are gaps.
    pub curves: Vec<(String, Vec<f64>)>,
}

impl Plot {
    /// A plot without curves.
    pub fn new(title: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            unit: unit.into(),
            curves: Vec::new(),
        }
    }

    /// The same with one more curve.
    pub fn with_curve(mut self, name: impl Into<String>, values: Vec<f64>) -> Self {
        self.curves.push((name.into(), values));
        self
    }
}

/// The plots of a motion: positions, velocities and accelerations, angles apart from lengths. Where there are several robots, titles
/// name this one.
pub(super) fn of_samples(robot: RobotRef<'_>, samples: &Samples, is_one: bool) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (title, rows, units) in [
        ("position", Some(&samples.q), ["rad", "m"]),
        ("velocity", samples.dq.as_ref(), ["rad/s", "m/s"]),
        ("acceleration", samples.ddq.as_ref(), ["rad/s²", "m/s²"]),
    ] {
        let Some(rows) = rows else {
            continue;
        };
        let model = robot.model();
        let of = |is_angle: bool, unit: &str| {
            let mut plot = match is_one {
                true => Plot::new(title, unit),
                false => Plot::new(format!("{title} of {}", robot.name()), unit),
            };
            for (i, link) in model.dofs().iter().enumerate() {
                let motion = model.link(*link).motion();
                if matches!(motion, LinkMotion::Revolute(_)) == is_angle {
                    let name = model.dof_name(DofId::new(i));
                    plot = plot.with_curve(name, rows.iter().map(|row| row[i]).collect());
                }
            }
            plot
        };
        let both = [of(true, units[0]), of(false, units[1])];
        plots.extend(both.into_iter().filter(|plot| !plot.curves.is_empty()));
    }
    plots
}
