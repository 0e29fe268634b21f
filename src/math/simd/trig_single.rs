//! Vectorised sine and cosine in single precision.
//!
//! As in [`trig`](super::trig), with shorter polynomials and a shorter reduction.

use super::trig::Angle;

/// Errors are below 2⁻²³. Angles above 10⁴ rad, whose spacing is a thousandth, and those that are not finite go through the
/// standard library in double precision.
impl Angle for f32 {
    #[inline(always)]
    fn is_small(self) -> bool {
        self.abs() <= LARGEST
    }

    #[inline(always)]
    fn reduced<const FUSED: bool>(self) -> (Self, Self) {
        reduced::<FUSED>(self)
    }

    fn large(self) -> (Self, Self) {
        let (sine, cosine) = f64::from(self).sin_cos();
        (sine as Self, cosine as Self)
    }
}

/// Sine and cosine of an angle up to [`LARGEST`].
///
/// The reduction follows Cody and Waite: `x - k·π/2` in three parts, of which the first two products are exact because
/// those parts have 11 bits and `k` at most 13; in two parts where fused multiplications round once. The polynomials are
/// those of Moshier's Cephes.
#[inline(always)]
fn reduced<const FUSED: bool>(x: f32) -> (f32, f32) {
    let fma = |a: f32, b: f32, c: f32| if FUSED { a.mul_add(b, c) } else { a * b + c };

    // adding 1.5·2²³ rounds to an integer and leaves it in the lowest bits
    let shifted = fma(x, std::f32::consts::FRAC_2_PI, ROUND);
    let k = shifted - ROUND;
    let quadrant = shifted.to_bits();
    let r = if FUSED {
        fma(-k, HALF_PI_REST, fma(-k, std::f32::consts::FRAC_PI_2, x))
    } else {
        ((x - k * HALF_PI[0]) - k * HALF_PI[1]) - k * HALF_PI[2]
    };
    let z = r * r;
    let sine = fma(z * r, fma(fma(S[2], z, S[1]), z, S[0]), r);
    let cosine = fma(z * z, fma(fma(C[2], z, C[1]), z, C[0]), fma(-0.5, z, 1.0));

    // odd quadrants swap the two; the sign is a bit of the quadrant
    let odd = 0u32.wrapping_sub(quadrant & 1);
    let (s, c) = (sine.to_bits(), cosine.to_bits());
    let swap = (s ^ c) & odd;
    let sine = f32::from_bits(s ^ swap ^ ((quadrant & 2) << 30));
    let cosine = f32::from_bits(c ^ swap ^ ((quadrant.wrapping_add(1) & 2) << 30));
    (sine, cosine)
}

/// The largest angle that is reduced here, rad.
const LARGEST: f32 = 1e4;

/// 1.5 · 2²³.
const ROUND: f32 = 12_582_912.0;

/// π/2 as a sum: 11 bits, 11 bits, and the rest.
const HALF_PI: [f32; 3] = [1.570_312_5, 4.835_128_8e-4, 3.139_164_7e-7];

/// π/2 minus its nearest `f32`.
const HALF_PI_REST: f32 = -4.371_139e-8;

/// sin r = r + r³·S0 + r⁵·S1 + …
const S: [f32; 3] = [-1.666_665_5e-1, 8.332_161e-3, -1.951_529_6e-4];

/// cos r = 1 - r²/2 + r⁴·C0 + r⁶·C1 + …
const C: [f32; 3] = [4.166_664_6e-2, -1.388_731_6e-3, 2.443_315_7e-5];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::trig::sin_cos_lanes;

    /// Angles of every size, and next to multiples of π/2.
    fn angles() -> Vec<f32> {
        let mut angles = vec![0.0, 1e-30, 1e-9, 0.5, LARGEST];
        // an interpreter takes a thousand times as long for each
        let n = if cfg!(miri) { 20 } else { 6300 };
        for k in 0..n {
            // the fractional part of multiples of the golden ratio covers [0, 1) evenly
            let u = (f64::from(k) * 0.618_033_988_749_894_9).fract() as f32;
            angles.extend([u, u * 10.0, u * 100.0, u * LARGEST]);
            let right = (f64::from(k) * std::f64::consts::FRAC_PI_2) as f32;
            angles.extend([right, right.next_up(), right.next_down().abs()]);
        }
        angles
    }

    fn assert_near<const FUSED: bool>(x: f32) {
        let (mut sines, mut cosines) = ([x, -x], [0.0; 2]);
        sin_cos_lanes::<_, 2, FUSED>(&mut sines, &mut cosines);
        for (k, x) in [x, -x].into_iter().enumerate() {
            let (sine, cosine) = f64::from(x).sin_cos();
            let error = |ours: f32, right: f64| (f64::from(ours) - right).abs();
            assert!(
                error(sines[k], sine) <= f64::from(f32::EPSILON),
                "sin {x:?}"
            );
            assert!(
                error(cosines[k], cosine) <= f64::from(f32::EPSILON),
                "cos {x:?}"
            );
        }
    }

    #[test]
    fn sines_and_cosines_are_those_of_double_precision_to_an_ulp_of_one() {
        for x in angles() {
            assert_near::<true>(x);
            assert_near::<false>(x);
        }
    }

    #[test]
    fn angles_too_large_to_reduce_do_not_spoil_their_neighbours() {
        let angles = [0.3, 1e5, -2.0, f32::NAN, f32::INFINITY, 7.0, -1e30];
        let (mut sines, mut cosines) = (angles, angles);
        sin_cos_lanes::<_, 7, true>(&mut sines, &mut cosines);
        for (x, (s, c)) in angles.iter().zip(sines.into_iter().zip(cosines)) {
            if x.is_finite() {
                let (sine, cosine) = f64::from(*x).sin_cos();
                assert!(
                    (f64::from(s) - sine).abs() <= f64::from(f32::EPSILON),
                    "sin {x:?}"
                );
                assert!(
                    (f64::from(c) - cosine).abs() <= f64::from(f32::EPSILON),
                    "cos {x:?}"
                );
            } else {
                assert!(s.is_nan() && c.is_nan());
            }
        }
    }
}
