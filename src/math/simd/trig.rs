//! Vectorised sine and cosine, without branches.

/// Replaces each angle by its sine and writes its cosine.
///
/// Up to 10⁶ rad the error is below 1 ulp, with fused multiplications 1.5 ulp; larger angles, and those that are not
/// finite, go through the standard library. A multiple of [`LANES`] angles is quickest.
///
/// # Panics
///
/// If there are fewer cosines than angles.
#[inline(always)]
pub(crate) fn sin_cos<const FUSED: bool>(angles: &mut [f64], cosines: &mut [f64]) {
    let cosines = &mut cosines[..angles.len()];

    // NaN is not small
    if angles.iter().fold(true, |all, x| all & x.is_small()) {
        for i in 0..angles.len() {
            (angles[i], cosines[i]) = reduced::<FUSED>(angles[i]);
        }
    } else {
        sin_cos_mixed::<f64, FUSED>(angles, cosines);
    }
}

/// A number whose sine can be computed in lanes.
pub(crate) trait Angle: Copy {
    /// Whether [`reduced`](Self::reduced) accepts it.
    fn is_small(self) -> bool;

    /// Sine and cosine of a small angle, with fused multiplications where the instructions have them.
    fn reduced<const FUSED: bool>(self) -> (Self, Self);

    /// Sine and cosine of any angle, by the standard library.
    fn large(self) -> (Self, Self);
}

impl Angle for f64 {
    #[inline(always)]
    fn is_small(self) -> bool {
        self.abs() <= LARGEST
    }

    #[inline(always)]
    fn reduced<const FUSED: bool>(self) -> (Self, Self) {
        reduced::<FUSED>(self)
    }

    fn large(self) -> (Self, Self) {
        self.sin_cos()
    }
}

/// [`sin_cos`] of one angle per lane.
#[inline(always)]
pub(super) fn sin_cos_lanes<T: Angle, const N: usize, const FUSED: bool>(
    angles: &mut [T; N],
    cosines: &mut [T; N],
) {
    let mut all_small = true;
    for k in 0..N {
        all_small &= angles[k].is_small();
    }
    if all_small {
        for k in 0..N {
            (angles[k], cosines[k]) = angles[k].reduced::<FUSED>();
        }
    } else {
        sin_cos_mixed::<T, FUSED>(angles, cosines);
    }
}

/// [`sin_cos`] where some angles are large; small ones get the same bits as without them.
#[cold]
#[inline(never)]
fn sin_cos_mixed<T: Angle, const FUSED: bool>(angles: &mut [T], cosines: &mut [T]) {
    for (x, cosine) in angles.iter_mut().zip(cosines) {
        (*x, *cosine) = if x.is_small() {
            x.reduced::<FUSED>()
        } else {
            x.large()
        };
    }
}

/// Sine and cosine of an angle up to [`LARGEST`].
///
/// The reduction follows Cody and Waite: `x - k·π/2` in three parts, of which the first two products are
/// exact because those parts have 33 bits and `k` at most 20. The polynomials are those of FreeBSD's msun.
///
/// Where fused multiplications round once, the product with all of π/2 in one part loses nothing, and a second part is
/// enough: a third less work, and the error stays below 1.5 ulp.
#[inline(always)]
fn reduced<const FUSED: bool>(x: f64) -> (f64, f64) {
    let fma = fused::<FUSED>;

    // adding 1.5·2⁵² rounds to an integer and leaves it in the lowest bits
    let shifted = fma(x, std::f64::consts::FRAC_2_PI, ROUND);
    let k = shifted - ROUND;
    let quadrant = shifted.to_bits();
    let (sine, cosine) = if FUSED {
        let r = fma(-k, HALF_PI_REST, fma(-k, std::f64::consts::FRAC_PI_2, x));
        let z = r * r;
        let s = fma(fma(fma(fma(S[5], z, S[4]), z, S[3]), z, S[2]), z, S[1]);
        let c = fma(fma(fma(fma(C[5], z, C[4]), z, C[3]), z, C[2]), z, C[1]);
        let sine = fma(z * r, fma(s, z, S[0]), r);
        (sine, fma(z * z, fma(c, z, C[0]), fma(-0.5, z, 1.0)))
    } else {
        // r + e = x - k·π/2, |r| ≤ π/4
        let a = x - k * HALF_PI[0];
        let b = k * HALF_PI[1];
        let c = a - b;
        let rest = ((a - c) - b) - k * HALF_PI[2];
        let r = c + rest;
        let e = rest - (r - c);

        let z = r * r;
        let s = (((S[5] * z + S[4]) * z + S[3]) * z + S[2]) * z + S[1];
        let sine = r + (z * r * (s * z + S[0]) + e * (1.0 - 0.5 * z));
        let c = ((((C[5] * z + C[4]) * z + C[3]) * z + C[2]) * z + C[1]) * z + C[0];
        let half = 0.5 * z;
        let w = 1.0 - half;
        (sine, w + (((1.0 - w) - half) + (z * z * c - r * e)))
    };

    // odd quadrants swap the two; the sign is a bit of the quadrant
    let odd = 0u64.wrapping_sub(quadrant & 1);
    let (s, c) = (sine.to_bits(), cosine.to_bits());
    let swap = (s ^ c) & odd;
    let sine = f64::from_bits(s ^ swap ^ ((quadrant & 2) << 62));
    let cosine = f64::from_bits(c ^ swap ^ ((quadrant.wrapping_add(1) & 2) << 62));
    (sine, cosine)
}

/// `a · b + c`.
#[inline(always)]
fn fused<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Number of angles in one iteration of the vectorised loop.
pub(super) const LANES: usize = 4;

/// The largest angle that is reduced here, rad.
const LARGEST: f64 = 1e6;

/// 1.5 · 2⁵².
const ROUND: f64 = 6_755_399_441_055_744.0;

/// π/2 as a sum: 33 bits, 33 bits, and the rest.
const HALF_PI: [f64; 3] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_795_950_6e-21,
];

/// π/2 minus its nearest `f64`.
const HALF_PI_REST: f64 = 6.123_233_995_736_766e-17;

/// sin r = r + r³·S0 + r⁵·S1 + …
const S: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

/// cos r = 1 - r²/2 + r⁴·C0 + r⁶·C1 + …
const C: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Angles of every size, near multiples of π/2, and the special ones.
    fn angles() -> Vec<f64> {
        let mut angles = vec![0.0, 1e-300, 1e-9, 0.5, LARGEST, -LARGEST];
        // an interpreter takes a thousand times as long for each
        let n = if cfg!(miri) { 20 } else { 20_000 };
        for k in 0..n {
            // the fractional part of multiples of the golden ratio covers [0, 1) evenly
            let u = (f64::from(k) * 0.618_033_988_749_894_9).fract() - 0.5;
            angles.extend([u * 2.0, u * 20.0, u * 1e3, u * 2e6]);
            let right = f64::from(k) * std::f64::consts::FRAC_PI_2 * 31.0;
            angles.extend([right, right.next_up(), -right.next_down()]);
        }
        angles.retain(|x| x.abs() <= LARGEST);
        angles
    }

    fn ulps(a: f64, b: f64) -> f64 {
        (a - b).abs() / (b.abs().next_up() - b.abs())
    }

    #[test]
    fn sines_and_cosines_are_those_of_the_standard_library_to_an_ulp() {
        let angles = angles();
        let (mut sines, mut cosines) = (angles.clone(), angles.clone());
        sin_cos::<false>(&mut sines, &mut cosines);
        for (x, (s, c)) in angles.iter().zip(sines.into_iter().zip(cosines)) {
            assert!(ulps(s, x.sin()) <= 1.0, "sin {x:?}: {s:?}, {:?}", x.sin());
            assert!(ulps(c, x.cos()) <= 1.0, "cos {x:?}: {c:?}, {:?}", x.cos());
        }
    }

    #[test]
    fn large_angles_leave_their_neighbours_exact() {
        let angles = [0.3, 1e9, -2.0, f64::NAN, f64::INFINITY, 7.0, -1e300];
        let (mut sines, mut cosines) = (angles, angles);
        sin_cos::<false>(&mut sines, &mut cosines);
        for (x, (s, c)) in angles.iter().zip(sines.into_iter().zip(cosines)) {
            let (sine, cosine) = x.sin_cos();
            assert!(s.is_nan() == sine.is_nan() && c.is_nan() == cosine.is_nan());
            assert!(s.is_nan() || (ulps(s, sine) <= 1.0 && ulps(c, cosine) <= 1.0));
        }
    }
}
