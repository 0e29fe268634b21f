//! Equality constraints on configurations, and projection onto their manifolds.

use nalgebra::{DMatrix, DVector};

/// An equality constraint `f(q) = 0` on configurations.
///
/// Where its Jacobian has full rank, the configurations of the n-dimensional ambient space that satisfy it are a manifold of
/// `n − rows` dimensions: a [`ConstrainedSpace`](super::ConstrainedSpace). Goals of inverse kinematics are a
/// [`RobotConstraint`](super::RobotConstraint).
///
/// # Examples
///
/// ```
/// use kinworld::planning::Constraint;
///
/// /// The unit circle: `x² + y² − 1 = 0`.
/// struct Circle;
///
/// impl Constraint for Circle {
///     fn rows(&self) -> usize {
///         1
///     }
///     fn residual_into(&self, q: &[f64], out: &mut [f64]) {
///         out[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
///     }
///     fn jacobian_into(&self, q: &[f64], out: &mut [f64]) {
///         out.copy_from_slice(&[2.0 * q[0], 2.0 * q[1]]);
///     }
/// }
///
/// let near = Circle.project(&[0.0, 3.0]).expect("the circle is near");
/// assert!(near[0] == 0.0 && (near[1] - 1.0).abs() < 1e-6);
///
/// // from the centre there is no direction of descent
/// assert_eq!(Circle.project(&[0.0, 0.0]), None);
/// ```
pub trait Constraint {
    /// Number of rows of `f`.
    fn rows(&self) -> usize;

    /// Writes `f(q)` (rows); what is not finite satisfies nothing.
    fn residual_into(&self, q: &[f64], out: &mut [f64]);

    /// Writes the derivative of `f` at `q` (rows × n), column after column.
    fn jacobian_into(&self, q: &[f64], out: &mut [f64]);

    /// Tolerance: the largest absolute value in `f(q)` that counts as zero.
    fn tolerance(&self) -> f64 {
        1e-6
    }

    /// The largest absolute value in `f(q)`.
    fn error(&self, q: &[f64]) -> f64 {
        let mut residual = vec![0.0; self.rows()];
        self.residual_into(q, &mut residual);
        largest(&residual)
    }

    /// The reason why a configuration violates the constraint, for people; `None` where it satisfies it.
    fn reason(&self, q: &[f64]) -> Option<String> {
        let error = self.error(q);
        let tolerance = self.tolerance();
        let is_satisfied = error <= tolerance;
        (!is_satisfied).then(|| {
            format!("misses the constraint by {error:.1e}, more than {tolerance:.1e}; project it")
        })
    }

    /// Projection: a configuration near `q` that satisfies the constraint; `None` where the descent fails.
    ///
    /// By default with at most a hundred steps of Newton's method, each the shortest that its linear equations allow and damped
    /// where they predict too much (Levenberg, Marquardt). Limits are ignored.
    fn project(&self, q: &[f64]) -> Option<Vec<f64>> {
        descend(self, q)
    }
}

impl<C: Constraint + ?Sized> Constraint for &C {
    fn rows(&self) -> usize {
        (**self).rows()
    }

    fn residual_into(&self, q: &[f64], out: &mut [f64]) {
        (**self).residual_into(q, out);
    }

    fn jacobian_into(&self, q: &[f64], out: &mut [f64]) {
        (**self).jacobian_into(q, out);
    }

    fn tolerance(&self) -> f64 {
        (**self).tolerance()
    }

    fn error(&self, q: &[f64]) -> f64 {
        (**self).error(q)
    }

    fn reason(&self, q: &[f64]) -> Option<String> {
        (**self).reason(q)
    }

    fn project(&self, q: &[f64]) -> Option<Vec<f64>> {
        (**self).project(q)
    }
}

/// The largest absolute value, infinite where one is NaN.
pub(super) fn largest(residual: &[f64]) -> f64 {
    residual.iter().fold(0.0, |worst: f64, x| {
        if x.is_nan() {
            f64::INFINITY
        } else {
            worst.max(x.abs())
        }
    })
}

/// Newton's method, damped: `q − Jᵀ (J Jᵀ + μ)⁻¹ f`.
fn descend(constraint: &(impl Constraint + ?Sized), q: &[f64]) -> Option<Vec<f64>> {
    let rows = constraint.rows();
    let mut q = DVector::from_column_slice(q);
    let mut f = DVector::zeros(rows);
    let mut jacobian = DMatrix::zeros(rows, q.len());
    let mut damping = MIN_DAMPING;
    constraint.residual_into(q.as_slice(), f.as_mut_slice());
    for _ in 0..MAX_STEPS {
        if largest(f.as_slice()) <= constraint.tolerance() {
            return Some(q.as_slice().to_vec());
        }
        constraint.jacobian_into(q.as_slice(), jacobian.as_mut_slice());
        let mut gram = &jacobian * jacobian.transpose();
        let scale = gram.diagonal().max();
        for i in 0..rows {
            gram[(i, i)] += damping * scale;
        }
        let trial = &q - jacobian.tr_mul(&gram.cholesky()?.solve(&f));
        let mut f_trial = DVector::zeros(rows);
        constraint.residual_into(trial.as_slice(), f_trial.as_mut_slice());
        if f_trial.norm_squared() < f.norm_squared() {
            (q, f) = (trial, f_trial);
            damping = (damping / 10.0).max(MIN_DAMPING);
        } else {
            damping = (damping * 10.0).max(1e-3);
        }
    }
    None
}

/// The most steps of a projection.
const MAX_STEPS: usize = 100;
/// Least damping, as a share of the largest square of a row: enough to factorise where rows are linearly dependent.
const MIN_DAMPING: f64 = 1e-12;
