//! One step of damped linear least squares within a box.

/// Scratch for steps of `n` variables.
#[derive(Debug, Clone)]
pub(super) struct Step {
    n: usize,
    /// `JᵀJ` (n × n), symmetric.
    pub(super) hessian: Vec<f64>,
    /// `Jᵀr` (n).
    pub(super) gradient: Vec<f64>,
    /// The step (n).
    pub(super) step: Vec<f64>,

    // scratch: variables at a bound, free variables, and the factor of the free part of the matrix
    pub(super) at_bound: Vec<bool>,
    pub(super) free: Vec<usize>,
    factor: Vec<f64>,
    pub(super) rhs: Vec<f64>,
}

impl Step {
    pub(super) fn new(n: usize) -> Self {
        Self {
            n,
            hessian: vec![0.0; n * n],
            gradient: vec![0.0; n],
            step: vec![0.0; n],
            at_bound: vec![false; n],
            free: Vec::with_capacity(n),
            factor: vec![0.0; n * n],
            rhs: vec![0.0; n],
        }
    }

    /// Sets the residual `r` and its Jacobian, column-major with a column for each variable.
    pub(super) fn linearize(&mut self, residual: &[f64], jacobian: &[f64]) {
        let (n, rows) = (self.n, residual.len());
        if rows == 0 {
            self.hessian.fill(0.0);
            self.gradient.fill(0.0);
            return;
        }
        for (i, a) in jacobian.chunks_exact(rows).enumerate().take(n) {
            self.gradient[i] = dot(a, residual);
            for (j, b) in jacobian.chunks_exact(rows).enumerate().take(i + 1) {
                let product = dot(a, b);
                self.hessian[i * n + j] = product;
                self.hessian[j * n + i] = product;
            }
        }
    }

    /// Largest diagonal entry of `JᵀJ`: the squared norm of the largest column of the Jacobian.
    pub(super) fn largest_curvature(&self) -> f64 {
        let diagonal = self.hessian.iter().step_by(self.n + 1);
        diagonal.fold(0.0, |largest, &x| x.max(largest))
    }

    /// Returns whether a variable is at a bound and the descent direction points out of the box.
    fn is_blocked(&self, k: usize, x: &[f64], lower: &[f64], upper: &[f64]) -> bool {
        let g = self.gradient[k];
        (x[k] <= lower[k] && g > 0.0) || (x[k] >= upper[k] && g < 0.0)
    }

    /// Finds the step that minimises `½ |J d + r|² + ½ damping |d|²` with variables that meet a bound fixed
    /// there: an active set that starts from the bounds that are active now and only grows. The next step
    /// releases what was added wrongly.
    ///
    /// Returns `false` where the matrix is not positive definite or not finite.
    pub(super) fn solve(&mut self, x: &[f64], lower: &[f64], upper: &[f64], damping: f64) -> bool {
        let n = self.n;
        for k in 0..n {
            self.at_bound[k] = self.is_blocked(k, x, lower, upper);
            self.step[k] = 0.0;
        }
        loop {
            self.free.clear();
            self.free.extend((0..n).filter(|&k| !self.at_bound[k]));
            if !self.solve_free(damping) {
                return false;
            }
            let mut meets_limit = false;
            for (&k, &d) in self.free.iter().zip(&self.rhs) {
                let end = x[k] + d;
                let inside = end.min(upper[k]).max(lower[k]);
                self.step[k] = d;
                if end < lower[k] || end > upper[k] {
                    self.step[k] = inside - x[k];
                    self.at_bound[k] = true;
                    meets_limit = true;
                }
            }
            if !meets_limit {
                return true;
            }
        }
    }

    /// Solves for the free variables, the others fixed, by Cholesky: the damped matrix is positive definite.
    pub(super) fn solve_free(&mut self, damping: f64) -> bool {
        let (n, m) = (self.n, self.free.len());
        for i in 0..m {
            let row = &self.hessian[self.free[i] * n..][..n];
            let mut rhs = -self.gradient[self.free[i]];
            for k in 0..n {
                if self.at_bound[k] {
                    rhs -= row[k] * self.step[k];
                }
            }
            for j in 0..i {
                let (done, rest) = self.factor.split_at_mut(i * n);
                let mut sum = row[self.free[j]];
                for k in 0..j {
                    sum -= rest[k] * done[j * n + k];
                }
                rest[j] = sum / done[j * n + j];
                rhs -= rest[j] * self.rhs[j];
            }
            let done = &mut self.factor[i * n..][..=i];
            let square = row[self.free[i]] + damping - dot(&done[..i], &done[..i]);
            if !(square > 0.0 && square.is_finite()) {
                return false;
            }
            done[i] = square.sqrt();
            self.rhs[i] = rhs / done[i];
        }
        for i in (0..m).rev() {
            let mut sum = self.rhs[i];
            for k in i + 1..m {
                sum -= self.factor[k * n + i] * self.rhs[k];
            }
            self.rhs[i] = sum / self.factor[i * n + i];
        }
        true
    }

    /// Predicted reduction of `½ |J d + r|²` by the step.
    pub(super) fn predicted(&self) -> f64 {
        let n = self.n;
        let mut predicted = 0.0;
        for i in 0..n {
            let curved = dot(&self.hessian[i * n..][..n], &self.step);
            predicted -= self.step[i] * (self.gradient[i] + 0.5 * curved);
        }
        predicted
    }
}

/// Dot product.
#[inline]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
