//! Ordinary differential equations.

use crate::{Error, Result};

/// Ordinary differential equation `ẏ = f(t, y)` over slices.
///
/// [`first_order`] and [`second_order`] make one of a closure.
pub trait Ode {
    /// Number of values in `y`.
    fn size(&self) -> usize;

    /// Writes `f(t, y)`.
    ///
    /// # Errors
    ///
    /// Where `f` is not defined. Adaptive methods then try a shorter step; others stop.
    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()>;

    /// Returns whether `y = (q, v)` in two halves with `q̇ = v`, as methods of second order need it.
    fn is_second_order(&self) -> bool {
        false
    }

    /// Name of value `i`, for messages.
    fn label(&self, i: usize) -> String {
        format!("value {i}")
    }

    /// Post-step hook: may re-express the state, such as in another chart; returns whether `y` changed.
    ///
    /// # Errors
    ///
    /// Where no further step is possible.
    fn post_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool> {
        let _ = (t, y);
        Ok(false)
    }

    /// Number of unknown accelerations (the last of the rates), where the equation makes implicit steps itself by
    /// [`implicit_step`](Self::implicit_step); it then counts as an equation of second order for implicit methods.
    fn n_implicit_accelerations(&self) -> Option<usize> {
        None
    }

    /// Makes an implicit step, for equations with their own method, such as constrained multibody systems.
    ///
    /// # Errors
    ///
    /// Where the step fails.
    fn implicit_step(&mut self, step: &ImplicitStep<'_>, end: &mut ImplicitEnd<'_>) -> Result<()> {
        let _ = (step, end);
        let problem = "the equation makes no implicit steps itself";
        Err(Error::invalid("implicit step", problem))
    }
}

/// Step of Newmark's family: with `v̇` the accelerations of the equation and `a` those of the algorithm,
///
/// ```text
///     (1 − αm) a₁ + αm a₀ = (1 − αf) v̇₁ + αf v̇₀
///     q₁ = q₀ + h v₀ + h² ((½ − β) a₀ + β a₁)
///     v₁ = v₀ + h ((1 − γ) a₀ + γ a₁)
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ImplicitStep<'a> {
    /// Start time, s.
    pub t: f64,
    /// Length, s.
    pub h: f64,
    /// Values at the start.
    pub y: &'a [f64],
    /// Rates at the start.
    pub f: &'a [f64],
    /// Algorithmic accelerations at the start.
    pub a: &'a [f64],
    /// αm.
    pub am: f64,
    /// αf.
    pub af: f64,
    /// β.
    pub beta: f64,
    /// γ.
    pub gamma: f64,
}

/// Output of an implicit step.
#[derive(Debug)]
#[non_exhaustive]
pub struct ImplicitEnd<'a> {
    /// Values at the end.
    pub y: &'a mut [f64],
    /// Rates at the end.
    pub f: &'a mut [f64],
    /// Algorithmic accelerations at the end.
    pub a: &'a mut [f64],
}

impl ImplicitStep<'_> {
    /// Derivatives of the positions and of the velocities with respect to `v̇₁`.
    #[must_use]
    pub fn gains(&self) -> [f64; 2] {
        let ratio = (1.0 - self.af) / (1.0 - self.am);
        [
            self.h * self.h * self.beta * ratio,
            self.h * self.gamma * ratio,
        ]
    }

    /// Returns whether it is a step of the trapezoidal rule, `a = v̇`.
    #[must_use]
    pub fn is_trapezoidal(&self) -> bool {
        self.am == 0.0 && self.af == 0.0
    }
}

/// Equation `ẏ = f(t, y)` of `size` values: `f(t, y, dy)` writes the rates.
///
/// # Examples
///
/// ```
/// use kinworld::sim::{Integrator, IntegratorState, Method, Steps, first_order};
///
/// // exponential decay
/// let mut decay = first_order(1, |_, y, dy| dy[0] = -y[0]);
/// let mut state = IntegratorState::new(0.0, vec![1.0]);
/// Integrator::new(Method::Rk44, Steps::Count(100))?.run(&mut decay, &mut state, 1.0, &mut ())?;
/// assert!((state.y[0] - (-1.0_f64).exp()).abs() < 1e-10);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn first_order<F: FnMut(f64, &[f64], &mut [f64])>(size: usize, f: F) -> FirstOrder<F> {
    FirstOrder { size, f }
}

/// Equation `q̈ = f(t, q, v)` of `n` positions, as 2 n values: `f(t, q, v, a)` writes the accelerations.
pub fn second_order<F: FnMut(f64, &[f64], &[f64], &mut [f64])>(n: usize, f: F) -> SecondOrder<F> {
    SecondOrder { n, f }
}

/// Equation of first order; see [`first_order`].
#[derive(Clone)]
pub struct FirstOrder<F> {
    size: usize,
    f: F,
}

/// Equation of second order; see [`second_order`].
#[derive(Clone)]
pub struct SecondOrder<F> {
    n: usize,
    f: F,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> Ode for FirstOrder<F> {
    fn size(&self) -> usize {
        self.size
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        (self.f)(t, y, dy);
        Ok(())
    }
}

impl<F: FnMut(f64, &[f64], &[f64], &mut [f64])> Ode for SecondOrder<F> {
    fn size(&self) -> usize {
        2 * self.n
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        let (q, v) = y.split_at(self.n);
        let (dq, dv) = dy.split_at_mut(self.n);
        dq.copy_from_slice(v);
        (self.f)(t, q, v, dv);
        Ok(())
    }

    fn is_second_order(&self) -> bool {
        true
    }
}

impl<F> std::fmt::Debug for FirstOrder<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FirstOrder")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl<F> std::fmt::Debug for SecondOrder<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecondOrder")
            .field("n", &self.n)
            .finish_non_exhaustive()
    }
}
