//! Inertia of links.

use nalgebra::Matrix3;

use super::document::{Link, Moment};
use super::joint::pose;
use super::rules::Rules;
use crate::Diagnostic;
use crate::io::position::Position;
use crate::io::report::FileReport;
use crate::math::{Digits, Inertia, Point};
use crate::robot::RobotBuilder;

/// Mass, centre of mass and moment of inertia of a link, in the link frame.
pub(super) fn inertia(
    link: &Link,
    rules: &Rules<'_>,
    report: FileReport<'_>,
) -> Result<Inertia, Diagnostic> {
    let tuning = rules.tuning.get(link.name.as_str());
    if tuning.is_some_and(|tuning| tuning.physical == Some(false)) {
        return Ok(Inertia::zero());
    }
    let Some(given) = &link.inertial else {
        return Ok(Inertia {
            mass: rules.default_mass,
            com: Point::origin(),
            moment: rules.default_moment,
        });
    };
    let subject = format!("link `{}`", link.name);
    let mass = given.mass.unwrap_or_else(|| {
        report.warn(
            given.position,
            &subject,
            "<inertial> has no <mass>; 0 is used",
        );
        0.0
    });
    if mass < 0.0 {
        let problem = format!("its mass is negative ({})", Digits(mass));
        return Err(report.error(given.position, &subject, problem));
    }
    let moment = match given.moment {
        Some(moment) => {
            if moment.entries().iter().any(Option::is_none) {
                let problem = "<inertia> lacks some of ixx, ixy, ixz, iyy, iyz, izz; 0 is used";
                report.warn(given.position, &subject, problem);
            }
            moment.matrix()
        }
        None => {
            let problem = "<inertial> has no <inertia>; a point mass is used";
            report.warn(given.position, &subject, problem);
            Matrix3::zeros()
        }
    };
    let in_its_own_frame = Inertia {
        mass,
        com: Point::origin(),
        moment,
    };
    let mut inertia = in_its_own_frame.transformed(&pose(&given.origin));
    // a rotation makes the matrix asymmetric in the last bits
    inertia.moment = (inertia.moment + inertia.moment.transpose()) / 2.0;
    Ok(inertia)
}

impl Moment {
    fn entries(&self) -> [Option<f64>; 6] {
        [self.xx, self.xy, self.xz, self.yy, self.yz, self.zz]
    }

    fn matrix(&self) -> Matrix3<f64> {
        let [xx, xy, xz, yy, yz, zz] = self.entries().map(Option::unwrap_or_default);
        Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }
}

/// Reports one warning about all links that move no mass.
pub(in crate::io) fn warn_of_massless(
    robot: &RobotBuilder,
    report: FileReport<'_>,
    position: Position,
) {
    // parents come first: sum up from the tips
    let mut moved_mass: Vec<f64> = robot.links.iter().map(|link| link.inertia.mass).collect();
    for (i, link) in robot.links.iter().enumerate().rev() {
        let outer = *moved_mass.get(i).expect("each link has a mass");
        if let Some(parent) = link.parent {
            let mass = moved_mass.get_mut(parent.index());
            *mass.expect("parents are links of the robot") += outer;
        }
    }
    let massless =
        robot.links.iter().zip(&moved_mass).filter(|(link, mass)| {
            !link.motion.is_fixed() && **mass <= 0.0 && link.armature <= 0.0
        });
    let names: Vec<&str> = massless.map(|(link, _)| link.name.as_str()).collect();
    if !names.is_empty() {
        let problem = format!(
            "degrees of freedom that move no mass, so that their dynamics are singular: {}",
            crate::io::words::listed(&names)
        );
        report.warn(position, "robot", problem);
    }
}
