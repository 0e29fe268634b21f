//! Motion of one body, and rotations as quaternions.

use nalgebra::Matrix3;

use crate::math::Vector;

/// Pose, velocity and acceleration of a body, at its centre of mass and in world axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kin {
    pub(super) c: Vector,
    pub(super) r: Matrix3<f64>,
    pub(super) v: Vector,
    pub(super) w: Vector,
    pub(super) a: Vector,
    pub(super) alpha: Vector,
}

impl Kin {
    /// Body at rest at the origin.
    pub(super) fn resting() -> Self {
        let zero = Vector::zeros();
        Self {
            c: zero,
            r: Matrix3::identity(),
            v: zero,
            w: zero,
            a: zero,
            alpha: zero,
        }
    }

    /// World position of the point `local`, given from the centre of mass in body axes.
    pub(super) fn point(&self, local: &Vector) -> Vector {
        self.c + self.r * local
    }

    /// Velocity of the body's point at `p` in the world.
    pub(super) fn velocity_at(&self, p: &Vector) -> Vector {
        self.v + self.w.cross(&(p - self.c))
    }

    /// Acceleration of the body's point at `p` in the world.
    pub(super) fn acceleration_at(&self, p: &Vector) -> Vector {
        let arm = p - self.c;
        self.a + self.alpha.cross(&arm) + self.w.cross(&self.w.cross(&arm))
    }
}

/// Rotation matrix of a quaternion w, x, y, z of any length but 0.
pub(super) fn to_matrix(q: &[f64]) -> Matrix3<f64> {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3]);
    let s = 2.0 / (w * w + x * x + y * y + z * z);
    let (wx, wy, wz) = (s * w * x, s * w * y, s * w * z);
    let (xx, xy, xz) = (s * x * x, s * x * y, s * x * z);
    let (yy, yz, zz) = (s * y * y, s * y * z, s * z * z);
    Matrix3::new(
        1.0 - yy - zz,
        xy - wz,
        xz + wy,
        xy + wz,
        1.0 - xx - zz,
        yz - wx,
        xz - wy,
        yz + wx,
        1.0 - xx - yy,
    )
}

/// Product of two quaternions.
fn product(a: &[f64], b: &[f64; 4]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
        a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
    ]
}

/// Writes `q ⊗ exp(psi)`, normalized: `q` rotated by `psi` in its own axes.
pub(super) fn rotate(q: &[f64], psi: &Vector, out: &mut [f64]) {
    let angle = psi.norm();
    let half_sinc = if angle < 1e-4 {
        0.5 - angle * angle / 48.0
    } else {
        (0.5 * angle).sin() / angle
    };
    let by = [
        (0.5 * angle).cos(),
        half_sinc * psi.x,
        half_sinc * psi.y,
        half_sinc * psi.z,
    ];
    let q = product(q, &by);
    let length = (q.iter().map(|x| x * x).sum::<f64>()).sqrt();
    for (out, q) in out.iter_mut().zip(q) {
        *out = q / length;
    }
}

/// Rate of a quaternion whose axes rotate at `omega`, in its own axes.
pub(super) fn quaternion_rate(q: &[f64], omega: &Vector) -> [f64; 4] {
    product(q, &[0.0, 0.5 * omega.x, 0.5 * omega.y, 0.5 * omega.z])
}

/// Inverse of the tangent operator of the rotation vector: takes a small rotation after `exp(psi)`, in the rotated
/// axes, to the change of `psi`.
pub(super) fn inverse_tangent(psi: &Vector) -> Matrix3<f64> {
    let x = psi.norm_squared();
    let factor = if x < 1e-2 {
        1.0 / 12.0 + x * (1.0 / 720.0 + x * (1.0 / 30240.0 + x / 1_209_600.0))
    } else {
        let angle = x.sqrt();
        let (sine, cosine) = angle.sin_cos();
        1.0 / x - (1.0 + cosine) / (2.0 * angle * sine)
    };
    let k = psi.cross_matrix();
    Matrix3::identity() + k * 0.5 + k * k * factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::so3;

    #[test]
    fn the_inverse_tangent_is_that_of_differences() {
        for scale in [1e-3, 0.05, 0.2, 1.5, 3.0] {
            let psi = Vector::new(0.4, -0.7, 0.59) * scale;
            let r = so3::from_rotation_vector(&psi);
            for k in 0..3 {
                let d = Vector::ith(k, 1e-6);
                let log = |d: Vector| so3::to_rotation_vector(&(r * so3::from_rotation_vector(&d)));
                let derivative = (log(d) - log(-d)) / 2e-6;
                let column = inverse_tangent(&psi).column(k).into_owned();
                assert!((derivative - column).norm() < 1e-8, "{scale} {k}");
            }
        }
    }

    #[test]
    fn quaternions_turn_as_matrices_do() {
        let (a, b) = (Vector::new(0.3, 1.2, -0.5), Vector::new(-1.0, 0.2, 0.4));
        let mut q = [0.0; 4];
        rotate(&[1.0, 0.0, 0.0, 0.0], &a, &mut q);
        let mut both = [0.0; 4];
        rotate(&q, &b, &mut both);
        let r = so3::from_rotation_vector(&a) * so3::from_rotation_vector(&b);
        assert!((to_matrix(&both) - r.matrix()).amax() < 1e-15);
        let mut later = [0.0; 4];
        rotate(&q, &(b * 1e-7), &mut later);
        for (i, rate) in quaternion_rate(&q, &b).into_iter().enumerate() {
            assert!(((later[i] - q[i]) / 1e-7 - rate).abs() < 1e-6);
        }
    }
}
