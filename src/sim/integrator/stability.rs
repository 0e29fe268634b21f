//! Stability of fixed explicit steps: the modes of an equation, and what a method makes of them.

use nalgebra::{Complex, DMatrix, DVector, Schur};

use super::run::IntegratorState;
use super::{Integrator, Method, Ode, Steps, Tableau};
use crate::Result;
use crate::math::Digits;

/// Fastest mode of an equation and the steps that it allows, of its linearization at one state.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Stability {
    /// Magnitude of the eigenvalue of the fastest mode, 1/s: a frequency, or a rate of decay.
    #[doc(alias = "spectral_radius")]
    pub fastest: f64,
    /// Value that moves most in that mode, such as ``velocity of link `finger` ``.
    pub label: String,
    /// Factor by which a step multiplies the worst of the modes that do not grow by themselves.
    pub growth: f64,
    /// Longest step that lets none of them grow, s, rounded down.
    pub longest_step: f64,
}

impl Stability {
    /// Returns whether steps let a mode grow that does not grow by itself.
    #[must_use]
    pub fn is_unstable(&self) -> bool {
        self.growth > GROWTH
    }
}

impl Integrator {
    /// Stability of fixed steps of length `h`, s, at a state; `None` for implicit methods, which are stable.
    ///
    /// The equation is linearized by finite differences: the rates are evaluated once for each value, and the
    /// eigenvalues take O(n³).
    ///
    /// # Errors
    ///
    /// Errors of the rates.
    ///
    /// # Examples
    ///
    /// The classical Runge–Kutta method damps a decay of 1000 1/s by steps up to 2.78 ms:
    ///
    /// ```
    /// use kinworld::sim::{Integrator, IntegratorState, Method, Steps, first_order};
    ///
    /// let mut decay = first_order(1, |_, y, dy| dy[0] = -1000.0 * y[0]);
    /// let state = IntegratorState::new(0.0, vec![1.0]);
    /// let integrator = Integrator::new(Method::Rk44, Steps::Length(0.01))?;
    /// let stability = integrator.stability(&mut decay, &state, 0.01)?.expect("an explicit method");
    /// assert!(stability.is_unstable());
    /// assert!((stability.fastest - 1000.0).abs() < 1e-3);
    /// assert_eq!(stability.longest_step, 0.0027);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn stability<O: Ode + ?Sized>(
        &self,
        ode: &mut O,
        state: &IntegratorState,
        h: f64,
    ) -> Result<Option<Stability>> {
        crate::kinematics::check_values("state", ode.size(), &state.y)?;
        of(self.method(), ode, state.t, &state.y, h)
    }

    /// Message for a step of length `h` that failed, where it was too long for a mode of the equation.
    pub(super) fn instability<O: Ode + ?Sized>(
        &self,
        ode: &mut O,
        t: f64,
        states: [&[f64]; 2],
        h: f64,
    ) -> Option<String> {
        let (method, [start, _]) = (self.method(), states);
        if matches!(self.steps(), Steps::Adaptive(_)) {
            return None;
        }
        let found = states.map(|y| of(method, ode, t, y, h).ok().flatten());
        let worst = found
            .into_iter()
            .flatten()
            .filter(Stability::is_unstable)
            .max_by(|a, b| a.growth.total_cmp(&b.growth));
        let advice = "an adaptive method such as dopri5, or steps of";
        if let Some(Stability {
            fastest,
            label,
            longest_step,
            ..
        }) = worst
        {
            return Some(format!(
                "step {h:.3e} s × fastest mode {fastest:.3e} 1/s ({label}) = {:.2}: the step is too long for this method; \
                 try {advice} {} s",
                h * fastest,
                Digits(longest_step)
            ));
        }
        let size = |y: &[f64]| y.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
        let (before, now) = (size(start), size(states[1]));
        (now > GROWN * before.max(1.0)).then(|| {
            format!(
                "values have grown to {now:.1e}, which steps of {h:.3e} s are too long for; try {advice} {:.1e} s",
                0.1 * h
            )
        })
    }
}

/// Stability of a method at a state.
fn of<O: Ode + ?Sized>(
    method: Method,
    ode: &mut O,
    t: f64,
    y: &[f64],
    h: f64,
) -> Result<Option<Stability>> {
    if method.is_implicit() {
        return Ok(None);
    }
    let jacobian = linearized(ode, t, y)?;
    let is_finite = jacobian.iter().all(|x| x.is_finite());
    let Some(schur) = is_finite
        .then(|| Schur::try_new(jacobian.clone(), f64::EPSILON, ITERATIONS))
        .flatten()
    else {
        return Ok(None);
    };
    let modes = schur.complex_eigenvalues();
    let fastest = modes.iter().fold(0.0_f64, |max, mode| max.max(mode.norm()));

    // modes that grow by themselves, such as a falling pendulum, may grow
    let kept: Vec<Complex<f64>> = modes
        .iter()
        .copied()
        .filter(|mode| mode.re <= 1e-3 * fastest.min(1.0 / h))
        .collect();
    let growth = |h: f64| {
        let of_modes = kept.iter().map(|mode| amplification(method, mode * h));
        of_modes.fold(0.0_f64, f64::max)
    };
    let mut longest = h;
    while growth(longest) > GROWTH && longest > 1e-9 * h {
        longest *= 0.98;
    }
    Ok(Some(Stability {
        fastest,
        label: dominant(&jacobian).map_or_else(String::new, |i| ode.label(i)),
        growth: growth(h),
        longest_step: rounded_down(longest),
    }))
}

/// Factor by which a step multiplies a mode, at the step times its eigenvalue.
fn amplification(method: Method, z: Complex<f64>) -> f64 {
    let Some(tableau) = method.tableau() else {
        // symplectic methods: an oscillation of two per step is their limit
        return if z.norm() > 2.0 { z.norm() } else { 1.0 };
    };
    let Tableau { a, b, .. } = *tableau;
    let one = Complex::new(1.0, 0.0);
    let mut stages: Vec<Complex<f64>> = Vec::with_capacity(b.len());
    let sum = |weights: &[f64], stages: &[Complex<f64>]| -> Complex<f64> {
        weights.iter().zip(stages).map(|(w, k)| k * *w).sum()
    };
    for row in a.iter().take(b.len()) {
        let stage = one + z * sum(row, &stages);
        stages.push(stage);
    }
    (one + z * sum(b, &stages)).norm()
}

/// Matrix `∂f/∂y` by finite differences.
fn linearized<O: Ode + ?Sized>(ode: &mut O, t: f64, y: &[f64]) -> Result<DMatrix<f64>> {
    let n = y.len();
    let (mut there, mut out) = (y.to_vec(), DMatrix::zeros(n, n));
    let (mut before, mut after) = (vec![0.0; n], vec![0.0; n]);
    for j in 0..n {
        let by = PERTURBATION * (1.0 + y[j].abs());
        there[j] = y[j] - by;
        ode.rates(t, &there, &mut before)?;
        there[j] = y[j] + by;
        ode.rates(t, &there, &mut after)?;
        there[j] = y[j];
        for i in 0..n {
            out[(i, j)] = (after[i] - before[i]) / (2.0 * by);
        }
    }
    Ok(out)
}

/// Index of the largest component of the dominant eigenvector, by power iteration.
fn dominant(matrix: &DMatrix<f64>) -> Option<usize> {
    let n = matrix.nrows();
    let mut x = DVector::from_fn(n, |i, _| 1.0 + 0.1 * (i % 7) as f64);
    for _ in 0..50 {
        x = matrix * x;
        let size = x.amax();
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        x /= size;
    }
    Some(x.iamax())
}

/// Two significant digits, rounded towards zero.
fn rounded_down(x: f64) -> f64 {
    let digits = 1 - x.log10().floor() as i32;
    if digits > 0 {
        let power = 10.0_f64.powi(digits);
        return (x * power).floor() / power;
    }
    x
}

/// Growth of a mode per step that counts as unstable: slower growth is an error of the method's order.
const GROWTH: f64 = 1.01;
/// Growth of the largest value during a run that is taken for an instability.
const GROWN: f64 = 1e6;
/// Relative perturbation of central differences.
const PERTURBATION: f64 = 6e-6;
/// Largest number of iterations for the eigenvalues.
const ITERATIONS: usize = 100_000;
