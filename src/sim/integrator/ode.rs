//! What is integrated.

use crate::Result;

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
