//! Inertias, and what MuJoCo wants of them.

use nalgebra::Matrix3;

use super::Writer;
use crate::io::mjcf::fit::principal;
use crate::io::save::Tag;
use crate::math::Inertia;

/// Mass in kg and moment in kg·m² of what moves and has none: MuJoCo refuses less than 1e-15.
const LEAST: f64 = 1e-14;

/// Part of the largest moment by which the sum of the others exceeds it where they are raised. MuJoCo allows no violation, and
/// finds the moments of a full matrix to 1e-12 of the largest.
const MARGIN: f64 = 1e-11;

impl Writer<'_> {
    /// The `<inertial>` of a body; `None` for one without mass.
    pub(super) fn inertial(
        &mut self,
        inertia: &Inertia,
        needs_mass: bool,
        name: &str,
    ) -> Option<String> {
        let mut inertia = *inertia;
        if (inertia.moment - inertia.moment.transpose()).amax() > 1e-9 * inertia.moment.amax() {
            let what = "of inertias that are not symmetric only the upper triangle is kept";
            self.losses.add(what, name);
        }
        if needs_mass && inertia.mass < LEAST {
            let what =
                format!("what moves without a mass gets {LEAST:e} kg, because MuJoCo refuses it");
            self.losses.add(what, name);
            inertia.mass = LEAST;
        }
        if inertia == Inertia::zero() {
            return None;
        }
        let m = upper(&inertia.moment);
        inertia.moment = m;
        let (pose, [a, b, c]) = principal(&inertia);
        let is_diagonal = m == Matrix3::from_diagonal(&m.diagonal());
        let excess = a - b - c;
        let bound = if is_diagonal { 0.0 } else { -0.5 * MARGIN * a };
        if excess > bound {
            if excess > 1e-9 * a {
                let what = "principal moments that violate A + B >= C: the smaller ones are raised, because MuJoCo refuses them";
                self.losses.add(what, name);
            }
            let lift = (excess + MARGIN * a) / 2.0;
            let r = pose.rotation.matrix();
            let moments = [a, b + lift, c + lift].map(|moment| moment.max(LEAST));
            let raised = r * Matrix3::from_diagonal(&moments.into()) * r.transpose();
            inertia.moment = upper(&raised);
        } else if c < LEAST && (needs_mass || !is_diagonal) {
            // a matrix has to be positive definite, the moments of what stands may be zero
            if c < -1e-12 * a || needs_mass {
                let what = format!(
                    "moments of inertia below {LEAST:e} kg·m² become that, because MuJoCo refuses them"
                );
                self.losses.add(what, name);
            }
            inertia.moment = match is_diagonal {
                true => Matrix3::from_diagonal(&m.diagonal().map(|x| x.max(LEAST))),
                false => {
                    let r = pose.rotation.matrix();
                    let moments = [a, b, c].map(|moment| moment.max(LEAST));
                    upper(&(r * Matrix3::from_diagonal(&moments.into()) * r.transpose()))
                }
            };
        }
        let m = inertia.moment;
        let tag = Tag::new("inertial")
            .numbers("pos", &inertia.com.coords)
            .numbers("mass", &[inertia.mass]);
        let is_diagonal = m == Matrix3::from_diagonal(&m.diagonal());
        Some(match is_diagonal {
            true => tag.numbers("diaginertia", &m.diagonal()).closed(),
            false => {
                let all = [m.m11, m.m22, m.m33, m.m12, m.m13, m.m23];
                tag.numbers("fullinertia", &all).closed()
            }
        })
    }
}

/// The symmetric matrix of the upper triangle.
fn upper(m: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::new(
        m.m11, m.m12, m.m13, m.m12, m.m22, m.m23, m.m13, m.m23, m.m33,
    )
}

/// Returns whether MuJoCo takes an inertia for something that moves.
pub(super) fn is_heavy(inertia: &Inertia) -> bool {
    inertia.mass >= LEAST && principal(inertia).1.iter().all(|moment| *moment >= LEAST)
}
