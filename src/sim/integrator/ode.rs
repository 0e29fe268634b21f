//! What is integrated.

use crate::{Error, Result};

/// An ordinary differential equation `ẏ = f(t, y)` over slices.
///
/// Closures become one by [`first_order`] and [`second_order`].
pub trait Ode {
    /// How many numbers `y` has.
    fn size(&self) -> usize;

    /// Writes `f(t, y)`.
    ///
    /// # Errors
    ///
    /// Where there is no answer. Methods that choose their steps try a shorter one; others stop.
    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()>;

    /// Whether `y = (q, v)` in two halves with `q̇ = v`, as methods for accelerations need it.
    fn is_second_order(&self) -> bool {
        false
    }

    /// What number `i` is, for messages.
    fn label(&self, i: usize) -> String {
        format!("number {i}")
    }

    /// Looks at what a step arrived at, and may say the same otherwise, such as by other coordinates: then `true`.
    ///
    /// # Errors
    ///
    /// Where no other step can follow.
    fn settle(&mut self, t: f64, y: &mut [f64]) -> Result<bool> {
        let _ = (t, y);
        Ok(false)
    }

    /// How many accelerations, the last of the rates, an implicit step has to find, where the equation makes such steps
    /// by itself: then it has [`implicit_step`](Self::implicit_step), and counts as one of second order for methods that
    /// are implicit.
    fn implicit_accelerations(&self) -> Option<usize> {
        None
    }

    /// Makes an implicit step in its own way, as bodies that constraints hold together need it.
    ///
    /// # Errors
    ///
    /// Where the step cannot be made.
    fn implicit_step(&mut self, step: &ImplicitStep<'_>, end: &mut ImplicitEnd<'_>) -> Result<()> {
        let _ = (step, end);
        let problem = "the equation does not make implicit steps by itself";
        Err(Error::invalid("implicit step", problem))
    }
}

/// A step of Newmark's family: with `v̇` the accelerations of the equation and `a` those of the algorithm,
///
/// ```text
///     (1 − αm) a₁ + αm a₀ = (1 − αf) v̇₁ + αf v̇₀
///     q₁ = q₀ + h v₀ + h² ((½ − β) a₀ + β a₁)
///     v₁ = v₀ + h ((1 − γ) a₀ + γ a₁)
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ImplicitStep<'a> {
    /// When it begins, s.
    pub t: f64,
    /// Its length, s.
    pub h: f64,
    /// The values at its beginning.
    pub y: &'a [f64],
    /// The rates there.
    pub f: &'a [f64],
    /// The algorithm's accelerations there.
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

/// Where an implicit step writes what it arrives at.
#[derive(Debug)]
pub struct ImplicitEnd<'a> {
    /// The values.
    pub y: &'a mut [f64],
    /// The rates.
    pub f: &'a mut [f64],
    /// The algorithm's accelerations.
    pub a: &'a mut [f64],
}

impl ImplicitStep<'_> {
    /// How much positions and velocities move with `v̇₁`.
    #[must_use]
    pub fn gains(&self) -> [f64; 2] {
        let carried = (1.0 - self.af) / (1.0 - self.am);
        [
            self.h * self.h * self.beta * carried,
            self.h * self.gamma * carried,
        ]
    }

    /// Whether it is one of the trapezoidal rule, `a = v̇`.
    #[must_use]
    pub fn is_trapezoidal(&self) -> bool {
        self.am == 0.0 && self.af == 0.0
    }
}

/// The equation `ẏ = f(t, y)` of `size` numbers: `f(t, y, dy)` writes the rates.
///
/// # Examples
///
/// ```
/// use kinworld::sim::{Integrator, Method, Phase, Steps, first_order};
///
/// // what decays by itself
/// let mut decay = first_order(1, |_, y, dy| dy[0] = -y[0]);
/// let mut phase = Phase::new(0.0, vec![1.0]);
/// Integrator::new(Method::Rk44, Steps::Count(100))?.run(&mut decay, &mut phase, 1.0, &mut ())?;
/// assert!((phase.y[0] - (-1.0_f64).exp()).abs() < 1e-10);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn first_order<F: FnMut(f64, &[f64], &mut [f64])>(size: usize, f: F) -> FirstOrder<F> {
    FirstOrder { size, f }
}

/// The equation `q̈ = f(t, q, v)` of `n` positions, as 2 n numbers: `f(t, q, v, a)` writes the accelerations.
pub fn second_order<F: FnMut(f64, &[f64], &[f64], &mut [f64])>(n: usize, f: F) -> SecondOrder<F> {
    SecondOrder { n, f }
}

/// See [`first_order`].
#[derive(Clone)]
pub struct FirstOrder<F> {
    size: usize,
    f: F,
}

/// See [`second_order`].
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
