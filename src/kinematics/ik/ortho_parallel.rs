//! Closed formulas for arms with an ortho-parallel base and a spherical wrist.
//!
//! At zero angles the arm stands upright: axes 1, 4 and 6 along z, axes 2, 3 and 5 along y; the shoulder at (a₁, ·, 0), the elbow
//! c₂ above it, the wrist at (a₁ + a₂, b, c₂ + c₃). Brandstötter, Angerer and Hofbaur (2014), with wrist angles from the rotation
//! that is left after the first four.

use crate::math::{Pose, Rotation, Vector, so3};

/// Lengths and zeros of an arm.
#[derive(Debug, Clone, Copy)]
pub(super) struct OrthoParallel {
    /// Distance of axis 2 from axis 1.
    pub(super) a1: f64,
    /// Distance of axis 4 from axis 3.
    pub(super) a2: f64,
    /// Distance of the wrist from the plane of axes 1 and 2 across.
    pub(super) b: f64,
    /// Length of the upper arm, above zero.
    pub(super) c2: f64,
    /// Length of the forearm along axis 4.
    pub(super) c3: f64,
    /// Angles of the formulas where the joints are at zero.
    pub(super) zeros: [f64; 6],
    /// 1, or −1 where a joint turns against its axis in the formulas.
    pub(super) signs: [f64; 6],
}

/// Angles of the first three joints, of the formulas.
type Arm = [f64; 3];

impl OrthoParallel {
    /// Pose of the wrist, axis 6 along z.
    pub(super) fn forward(&self, angles: &[f64; 6]) -> Pose {
        let t = self.formula_angles(angles);
        let upper = Rotation::from_axis_angle(&Vector::y_axis(), t[1]);
        let elbow = Vector::new(self.a1, self.b, 0.0) + upper * Vector::new(0.0, 0.0, self.c2);
        let forearm = Rotation::from_axis_angle(&Vector::y_axis(), t[1] + t[2]);
        let wrist = elbow + forearm * Vector::new(self.a2, 0.0, self.c3);
        let turn = Rotation::from_axis_angle(&Vector::z_axis(), t[0]);
        let hand = Rotation::from_axis_angle(&Vector::z_axis(), t[3])
            * Rotation::from_axis_angle(&Vector::y_axis(), t[4])
            * Rotation::from_axis_angle(&Vector::z_axis(), t[5]);
        Pose::from_parts((turn * wrist).into(), turn * forearm * hand)
    }

    /// Calls `posture` with the angles of each of the at most eight postures that bring the wrist to a pose.
    ///
    /// An angle that the pose leaves free, where axes align, is that of `near`; some postures then come twice. A pose that rounding puts
    /// out of reach is reached.
    pub(super) fn postures(
        &self,
        wrist: &Pose,
        near: &[f64; 6],
        mut posture: impl FnMut([f64; 6]),
    ) {
        let near = self.formula_angles(near);
        let rotation = so3::orthonormalized(&wrist.rotation);
        self.arms(&wrist.translation.vector, &near, |arm| {
            let [t1, t2, t3] = arm;
            let forearm = Rotation::from_axis_angle(&Vector::z_axis(), t1)
                * Rotation::from_axis_angle(&Vector::y_axis(), t2 + t3);
            let left = forearm.inverse() * rotation;
            let (x, y) = (left[(0, 2)], left[(1, 2)]);
            let is_free = x.hypot(y) < ALIGNED;
            for (side, t4) in [(1.0, y.atan2(x)), (-1.0, (-y).atan2(-x))] {
                if is_free && side < 0.0 {
                    continue;
                }
                let t4 = if is_free { near[3] } else { t4 };
                let (s4, c4) = t4.sin_cos();
                let t5 = c4.mul_add(x, s4 * y).atan2(left[(2, 2)]);
                let sine = c4.mul_add(left[(1, 0)], -s4 * left[(0, 0)]);
                let cosine = c4.mul_add(left[(1, 1)], -s4 * left[(0, 1)]);
                posture(self.joint_angles(&[t1, t2, t3, t4, t5, sine.atan2(cosine)]));
            }
        });
    }

    /// Calls `arm` with the angles of the first three joints of the at most four postures that bring the wrist's centre to a point.
    fn arms(&self, point: &Vector, near: &[f64; 6], mut arm: impl FnMut(Arm)) {
        let forearm = self.a2.hypot(self.c3);
        let reach = self.a1.abs() + self.b.abs() + self.c2 + forearm;
        let Some(radius) = root(
            point.x.mul_add(point.x, point.y * point.y) - self.b * self.b,
            reach * reach,
        ) else {
            return;
        };
        let is_above = point.xy().norm() < ALIGNED * reach;
        for x in [radius, -radius] {
            let t1 = if is_above {
                near[0]
            } else {
                point.y.atan2(point.x) - self.b.atan2(x)
            };
            let (out, up) = (x - self.a1, point.z);
            let square = out.mul_add(out, up * up);
            let cosine =
                (square - self.c2 * self.c2 - forearm * forearm) / (2.0 * self.c2 * forearm);
            let Some(sine) = root(1.0 - cosine * cosine, 1.0) else {
                continue;
            };
            let is_folded = square.sqrt() < ALIGNED * reach;
            for bend in [sine, -sine] {
                let t2 = if is_folded {
                    near[1]
                } else {
                    out.atan2(up) - (forearm * bend).atan2(forearm.mul_add(cosine, self.c2))
                };
                arm([t1, t2, bend.atan2(cosine) - self.a2.atan2(self.c3)]);
            }
        }
    }

    fn formula_angles(&self, angles: &[f64; 6]) -> [f64; 6] {
        std::array::from_fn(|i| self.signs[i].mul_add(angles[i], self.zeros[i]))
    }

    fn joint_angles(&self, angles: &[f64; 6]) -> [f64; 6] {
        std::array::from_fn(|i| (angles[i] - self.zeros[i]) * self.signs[i])
    }
}

/// Square root of a number that rounding may have made negative; `None` for one that is below zero by more.
fn root(square: f64, scale: f64) -> Option<f64> {
    (square > -ROUNDING * scale).then(|| square.max(0.0).sqrt())
}

/// Sines below this are zero: the axes align.
const ALIGNED: f64 = 1e-10;
/// Rounding of squares.
const ROUNDING: f64 = 1e-12;
