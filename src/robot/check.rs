//! Validation of robot descriptions: errors and warnings.

use nalgebra::Matrix3;

use super::{Limits, LinkMotion, LinkSpec, RobotBuilder};
use crate::math::{Digits, Inertia, Pose};
use crate::{Diagnostic, Error, Result};

/// Largest deviation of a rotation from orthonormal without a warning.
const ROTATION_TOLERANCE: f64 = 1e-4;
/// Largest violation of the symmetry and the triangle inequality of a moment of inertia without a warning, relative
/// to its size.
const INERTIA_TOLERANCE: f64 = 1e-6;

/// Part of a link that a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Axis,
    Inertia,
    Limits,
    Placement,
}

impl RobotBuilder {
    /// Warnings about suspicious values that do not make the robot unusable, each about a link.
    ///
    /// Unphysical inertias, rotations that are not orthonormal, limits that exclude every value, axes of length
    /// zero.
    #[must_use]
    pub fn check(&self) -> Vec<Diagnostic> {
        self.warnings().map(|(_, _, warning)| warning).collect()
    }

    /// The warnings of [`check`](Self::check) with the index and the part of the link, so that a loader can add
    /// the position in its file.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = (usize, Part, Diagnostic)> + '_ {
        self.links.iter().enumerate().flat_map(|(i, link)| {
            let warnings = [
                (Part::Placement, rotation_warning(&link.placement)),
                (Part::Axis, axis_warning(&link.motion)),
                (Part::Limits, limits_warning(link)),
                (Part::Inertia, inertia_warning(&link.inertia)),
            ];
            warnings.into_iter().filter_map(move |(part, warning)| {
                let (message, help) = warning?;
                let label = format!("link `{}`", link.name);
                let warning = Diagnostic::warning(format!("{label}: {message}"));
                Some((i, part, warning.about(label).help(help)))
            })
        })
    }
}

/// Refuses invalid numbers.
pub(super) fn check_link(link: &LinkSpec) -> Result<()> {
    let refuse = |problem: &str| Err(Error::invalid(format!("link `{}`", link.name), problem));
    if !is_finite(&link.placement) {
        return refuse("its placement has a number that is not finite");
    }
    if link
        .motion
        .axis()
        .is_some_and(|axis| axis.iter().any(|x| !x.is_finite()))
    {
        return refuse("its axis has a number that is not finite");
    }
    let Inertia { mass, com, moment } = link.inertia;
    if !mass.is_finite() || com.iter().chain(&moment).any(|x| !x.is_finite()) {
        return refuse("its mass, centre of mass or inertia is not finite");
    }
    if mass < 0.0 {
        return refuse("its mass is negative");
    }
    if !link.armature.is_finite() || link.armature < 0.0 {
        return refuse("its armature is negative or not finite");
    }
    if link
        .spring
        .is_some_and(|spring| !spring.stiffness.is_finite() || !spring.rest.is_finite())
    {
        return refuse("its spring has a number that is not finite");
    }
    if !link.initial.is_finite() {
        return refuse("its initial value is not finite");
    }
    let Limits {
        q_min,
        q_max,
        v_min,
        v_max,
        a_max,
        tau_max,
        power_max,
    } = link.limits;
    if [q_min, q_max, v_min, v_max, a_max, tau_max, power_max]
        .iter()
        .any(|x| x.is_nan())
    {
        return refuse("one of its limits is not a number; leave a limit out to have none");
    }
    let mut placements = link
        .collision
        .iter()
        .chain(&link.visual)
        .map(|element| &element.placement);
    if placements.any(|placement| !is_finite(placement)) {
        return refuse("the placement of one of its shapes has a number that is not finite");
    }
    Ok(())
}

/// Returns whether every number of a pose is finite.
pub(super) fn is_finite(pose: &Pose) -> bool {
    let mut numbers = pose
        .rotation
        .matrix()
        .iter()
        .chain(pose.translation.vector.iter());
    numbers.all(|x| x.is_finite())
}

type Finding = Option<(String, &'static str)>;

fn rotation_warning(placement: &Pose) -> Finding {
    let r = placement.rotation.matrix();
    let error = (r.transpose() * r - Matrix3::identity()).amax();
    if error > ROTATION_TOLERANCE || r.determinant() < 0.0 {
        let message =
            format!("the rotation of its placement is not orthonormal (off by {error:.1e})");
        return Some((
            message,
            "it is used as it is; write the rotation with more digits",
        ));
    }
    None
}

fn axis_warning(motion: &LinkMotion) -> Finding {
    let axis = motion.axis()?;
    (axis.norm() < f64::MIN_POSITIVE).then(|| {
        let message = "its axis has length zero, so that it moves nothing".to_owned();
        (message, "give it a direction, or make it a fixed link")
    })
}

fn limits_warning(link: &LinkSpec) -> Finding {
    let Limits { q_min, q_max, .. } = link.limits;
    (!link.motion.is_fixed() && q_min > q_max).then(|| {
        let message = format!(
            "its lower limit {} is above its upper limit {}",
            Digits(q_min),
            Digits(q_max)
        );
        (message, "swap the two numbers")
    })
}

fn inertia_warning(inertia: &Inertia) -> Finding {
    let moment = &inertia.moment;
    let size = moment.amax();
    let tolerance = INERTIA_TOLERANCE * size;
    if (moment - moment.transpose()).amax() > tolerance {
        return Some((
            "its inertia is not symmetric".to_owned(),
            "only the symmetric part has a meaning",
        ));
    }
    let mut principal = moment.symmetric_eigenvalues().as_slice().to_vec();
    principal.sort_by(f64::total_cmp);
    if principal[0] < -tolerance {
        let message = format!(
            "its inertia has a negative principal moment ({:.3e})",
            principal[0]
        );
        return Some((
            message,
            "it is unphysical: check signs, and the frame that the inertia is given in",
        ));
    }
    if principal[0] + principal[1] < principal[2] - tolerance {
        let message = "its principal moments of inertia violate the triangle inequality".to_owned();
        return Some((
            message,
            "it is unphysical: the largest may not exceed the sum of the others",
        ));
    }
    None
}
