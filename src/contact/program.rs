//! Second-order cone programs for the solver.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

/// Affine function `Σ c_j x_j + constant`.
#[derive(Debug, Clone, Default)]
pub(super) struct Affine {
    pub(super) terms: Vec<(usize, f64)>,
    pub(super) constant: f64,
}

impl Affine {
    /// A scaled variable.
    pub(super) fn of(variable: usize, factor: f64) -> Self {
        Self {
            terms: vec![(variable, factor)],
            constant: 0.0,
        }
    }

    /// Adds a scaled variable.
    pub(super) fn plus(mut self, variable: usize, factor: f64) -> Self {
        self.terms.push((variable, factor));
        self
    }

    /// Value at values of the variables.
    pub(super) fn at(&self, x: &[f64]) -> f64 {
        let terms = self.terms.iter().map(|(j, c)| c * x[*j]);
        self.constant + terms.sum::<f64>()
    }

    fn scaled(&self, factor: f64) -> Self {
        Self {
            terms: self.terms.iter().map(|(j, c)| (*j, c * factor)).collect(),
            constant: self.constant * factor,
        }
    }
}

/// A linear cost to minimise under linear and second-order cone constraints.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    n: usize,
    cost: Vec<f64>,
    rows: Vec<Affine>,
    cones: Vec<SupportedConeT<f64>>,
}

impl Program {
    /// Adds a variable with its cost, and returns its index.
    pub(super) fn variable(&mut self, cost: f64) -> usize {
        self.cost.push(cost);
        self.n += 1;
        self.n - 1
    }

    /// Sets the cost of a variable.
    pub(super) fn set_cost(&mut self, variable: usize, cost: f64) {
        self.cost[variable] = cost;
    }

    /// Adds the constraint `a = 0`.
    pub(super) fn zero(&mut self, a: Affine) {
        self.rows.push(a);
        self.cones.push(SupportedConeT::ZeroConeT(1));
    }

    /// Adds the constraint `a ≥ 0`.
    pub(super) fn not_negative(&mut self, a: Affine) {
        self.rows.push(a);
        self.cones.push(SupportedConeT::NonnegativeConeT(1));
    }

    /// Adds the constraint `‖parts‖ ≤ bound`.
    pub(super) fn norm(&mut self, bound: Affine, parts: impl IntoIterator<Item = Affine>) {
        let before = self.rows.len();
        self.rows.push(bound);
        self.rows.extend(parts);
        let size = self.rows.len() - before;
        self.cones.push(SupportedConeT::SecondOrderConeT(size));
    }

    /// Optimal values of the variables; `None` where the program is infeasible or unbounded.
    pub(super) fn solve(&self) -> Option<Vec<f64>> {
        // rows are `A x + s = b` with s in the cones, so `s = a(x)` has `A = −terms`, `b = constant`
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (i, row) in self.rows.iter().enumerate() {
            for (j, c) in &row.scaled(-1.0).terms {
                rows.push(i);
                columns.push(*j);
                values.push(*c);
            }
        }
        let a = CscMatrix::new_from_triplets(self.rows.len(), self.n, rows, columns, values);
        let b: Vec<f64> = self.rows.iter().map(|row| row.constant).collect();
        let p = CscMatrix::zeros((self.n, self.n));
        let settings = DefaultSettings {
            verbose: false,
            max_iter: 100,
            tol_gap_abs: 1e-10,
            tol_gap_rel: 1e-10,
            tol_feas: 1e-10,
            ..DefaultSettings::default()
        };
        let mut solver = DefaultSolver::new(&p, &self.cost, &a, &b, &self.cones, settings).ok()?;
        solver.solve();
        let solution = solver.solution;
        let is_optimal = match solution.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved => true,
            // as accurate as rounding allows: the caller checks the residual
            SolverStatus::InsufficientProgress | SolverStatus::MaxIterations => {
                solution.r_prim < 1e-6 && solution.r_dual < 1e-6
            }
            _ => false,
        };
        (is_optimal && solution.x.iter().all(|x| x.is_finite())).then_some(solution.x)
    }
}
