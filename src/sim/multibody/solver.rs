//! Solver of the constrained equations of motion, `[M Gᵀ; G 0]`, from the leaves to the roots.
//!
//! All twists of a tree are about one point, in world axes, so that they pass from body to body unchanged. A body moves
//! with its parent by `ξ = ξ_parent + c + S s`; substituted from the leaves to the root, this eliminates the body
//! (Featherstone 2008, section 7.3, with matrices that need not be symmetric). Loops, couplings and springs between
//! branches add a small dense system with one unknown each.
//!
//! In a step, the wrench of a joint rotates with the bodies. The tree needs only its effect on the degrees of freedom:
//! two covectors for each, of the body alone and of the body and its parent moving as one, since equal and opposite
//! parts cancel in the sum.

use nalgebra::{Matrix3, Matrix6, Vector6};

use super::dense::Dense;
use crate::math::Vector;

/// Equations of a tree, and the scratch to solve them.
#[derive(Debug, Clone, Default)]
pub(super) struct Solver {
    // the tree: bodies ordered with parents first, and the parent of each
    order: Vec<usize>,
    parent: Vec<Option<usize>>,

    // per body, to be written before `factor`: its matrix; up to six columns of S, their number, and the diagonal term
    // of each
    pub(super) matrix: Vec<Matrix6<f64>>,
    pub(super) subspace: Vec<[Vector6<f64>; 6]>,
    pub(super) n_free: Vec<usize>,
    pub(super) resistance: Vec<[f64; 6]>,
    /// Further stiffness of each degree of freedom: covectors of the body's twist, and of the common twist of the body
    /// and its parent.
    pub(super) stiffness: Vec<[[Vector6<f64>; 2]; 6]>,

    /// Whether a body's twist follows its parent's by `propagation` and `general_subspace`, instead of the identity and
    /// `subspace`.
    pub(super) is_general: bool,
    pub(super) propagation: Vec<Matrix6<f64>>,
    pub(super) general_subspace: Vec<[Vector6<f64>; 6]>,

    // per body, to be written before `solve`: forces, generalized forces, and prescribed twists of the joint
    pub(super) force: Vec<Vector6<f64>>,
    pub(super) dof_force: Vec<[f64; 6]>,
    pub(super) prescribed: Vec<Vector6<f64>>,

    // rows: wrenches on bodies and gradients there, and the right-hand side of each
    pub(super) rows: Vec<Row>,
    pub(super) entries: Vec<Entry>,

    // results of `factor`
    u: Vec<[Vector6<f64>; 6]>,
    v: Vec<[Vector6<f64>; 6]>,
    d: Vec<[[f64; 6]; 6]>,
    subtree_trace: Vec<f64>,
    responses: Vec<Vector6<f64>>,
    dense: Dense,

    // results of `solve`
    net_force: Vec<Vector6<f64>>,
    dof_rate: Vec<[f64; 6]>,
    /// Multipliers of the rows.
    pub(super) lambda: Vec<f64>,
    /// Twists.
    pub(super) twist: Vec<Vector6<f64>>,
}

/// Entry of a row for one body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) body: usize,
    /// Wrench of a unit multiplier.
    pub(super) force: Vector6<f64>,
    /// Gradient of the row with respect to the body's twist.
    pub(super) gradient: Vector6<f64>,
}

/// Equation in addition to those of the tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Index after its last entry.
    pub(super) end: usize,
    /// Right-hand side of a constraint; `None` for a rank-one stiffness term.
    pub(super) target: Option<f64>,
}

/// Error: a motion of this body has no inertia.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Massless {
    pub(super) body: usize,
}

impl Solver {
    /// Allocates memory for a tree and this number of rows.
    pub(super) fn resize(&mut self, order: &[usize], parent: &[Option<usize>], rows: usize) {
        let n = parent.len();
        self.order = order.to_vec();
        self.parent = parent.to_vec();
        let zero = Vector6::zeros();
        self.matrix.resize(n, Matrix6::zeros());
        self.propagation.resize(n, Matrix6::identity());
        self.n_free.resize(n, 0);
        for columns in [
            &mut self.subspace,
            &mut self.general_subspace,
            &mut self.u,
            &mut self.v,
        ] {
            columns.resize(n, [zero; 6]);
        }
        for numbers in [
            &mut self.resistance,
            &mut self.dof_force,
            &mut self.dof_rate,
        ] {
            numbers.resize(n, [0.0; 6]);
        }
        for twists in [
            &mut self.force,
            &mut self.prescribed,
            &mut self.net_force,
            &mut self.twist,
        ] {
            twists.resize(n, zero);
        }
        self.stiffness.resize(n, [[zero; 2]; 6]);
        self.d.resize(n, [[0.0; 6]; 6]);
        self.subtree_trace.resize(n, 0.0);
        self.rows.reserve(rows);
        self.entries.reserve(4 * rows);
        self.responses.resize(n * rows, zero);
        self.lambda.resize(rows, 0.0);
        self.dense.resize(rows);
    }

    /// Sets the matrix of a body: its moment in world axes, and its mass at `arm` from the reference point of twists.
    pub(super) fn set_body(&mut self, body: usize, j: &Matrix3<f64>, mass: f64, arm: &Vector) {
        let (x, y, z) = (arm.x, arm.y, arm.z);
        let (mx, my, mz) = (mass * x, mass * y, mass * z);
        let m = &mut self.matrix[body];
        *m = Matrix6::zeros();
        m[(0, 0)] = j.m11 + my * y + mz * z;
        m[(1, 1)] = j.m22 + mx * x + mz * z;
        m[(2, 2)] = j.m33 + mx * x + my * y;
        m[(0, 1)] = j.m12 - mx * y;
        m[(1, 0)] = j.m21 - mx * y;
        m[(0, 2)] = j.m13 - mx * z;
        m[(2, 0)] = j.m31 - mx * z;
        m[(1, 2)] = j.m23 - my * z;
        m[(2, 1)] = j.m32 - my * z;
        (m[(0, 4)], m[(0, 5)]) = (-mz, my);
        (m[(1, 3)], m[(1, 5)]) = (mz, -mx);
        (m[(2, 3)], m[(2, 4)]) = (-my, mx);
        (m[(4, 0)], m[(5, 0)]) = (-mz, my);
        (m[(3, 1)], m[(5, 1)]) = (mz, -mx);
        (m[(3, 2)], m[(4, 2)]) = (-my, mx);
        for k in 3..6 {
            m[(k, k)] = mass;
        }
    }

    /// Factorizes the tree, then the rows; [`is_dependent`](Self::is_dependent) tells which rows are redundant.
    /// `damping` regularizes all constraints, relative to the diagonal.
    pub(super) fn factor(&mut self, damping: f64) -> Result<(), Massless> {
        for (subtree_trace, m) in self.subtree_trace.iter_mut().zip(&self.matrix) {
            *subtree_trace = m.trace();
        }
        for k in (0..self.order.len()).rev() {
            let body = self.order[k];
            self.eliminate(body)?;
        }
        self.factor_rows(damping);
        Ok(())
    }

    fn eliminate(&mut self, body: usize) -> Result<(), Massless> {
        let (n, m, subtree_trace) = (
            self.n_free[body],
            self.matrix[body],
            self.subtree_trace[body],
        );
        let s = &self.subspace[body];
        let general_subspace = if self.is_general {
            &self.general_subspace[body]
        } else {
            s
        };
        for j in 0..n {
            let [own, rigid] = &self.stiffness[body][j];
            let gradient = m.tr_mul(&s[j]);
            self.u[body][j] = m * general_subspace[j];
            self.v[body][j] = match self.is_general {
                true => self.propagation[body].tr_mul(&(gradient + own)) + (rigid - own),
                false => gradient + rigid,
            };
        }
        let (u, v) = (&self.u[body], &self.v[body]);
        let mut d = [[0.0; 6]; 6];
        for i in 0..n {
            for j in 0..n {
                d[i][j] = s[i].dot(&u[j]) + self.stiffness[body][i][0].dot(&general_subspace[j]);
            }
            d[i][i] += self.resistance[body][i];
        }

        // inverse in place; inertia makes every pivot positive
        for k in 0..n {
            let least = ROUNDING * subtree_trace * s[k].norm_squared();
            let pivot = d[k][k];
            if !(pivot.abs() > least && pivot.is_finite()) {
                return Err(Massless { body });
            }
            let inverse = 1.0 / pivot;
            d[k][k] = 1.0;
            for j in 0..n {
                d[k][j] *= inverse;
            }
            for i in 0..n {
                if i != k {
                    let factor = std::mem::replace(&mut d[i][k], 0.0);
                    for j in 0..n {
                        d[i][j] -= factor * d[k][j];
                    }
                }
            }
        }
        self.d[body] = d;
        let Some(parent) = self.parent[body] else {
            return Ok(());
        };
        let mut rest = match self.is_general {
            true => m * self.propagation[body],
            false => m,
        };
        for i in 0..n {
            for j in 0..n {
                rest.ger(-d[i][j], &u[i], &v[j], 1.0);
            }
        }
        self.matrix[parent] += rest;
        self.subtree_trace[parent] += subtree_trace;
        Ok(())
    }

    /// Computes the response of the tree to every row, and the dense matrix of the rows.
    fn factor_rows(&mut self, damping: f64) {
        let (n, rows) = (self.parent.len(), self.rows.len());
        if rows == 0 {
            return;
        }
        for row in 0..rows {
            self.net_force.fill(Vector6::zeros());
            for k in self.entries_of(row) {
                let entry = &self.entries[k];
                self.net_force[entry.body] += entry.force;
            }
            self.sweep(false);
            self.responses[row * n..][..n].copy_from_slice(&self.twist);
        }
        for i in 0..rows {
            for j in 0..rows {
                let mut sum = 0.0;
                for k in self.entries_of(i) {
                    let entry = &self.entries[k];
                    sum += entry.gradient.dot(&self.responses[j * n + entry.body]);
                }
                *self.dense.entry(i, j) = sum;
            }
        }
        for i in 0..rows {
            match self.rows[i].target {
                Some(_) => *self.dense.entry(i, i) *= 1.0 + damping,
                None => *self.dense.entry(i, i) += 1.0,
            }
        }
        self.dense.factor(rows);
    }

    /// Returns whether a row follows from others, or has no effect.
    pub(super) fn is_dependent(&self, row: usize) -> bool {
        self.rows[row].target.is_some() && self.dense.is_dropped(row)
    }

    /// Solves for the twists.
    pub(super) fn solve(&mut self) {
        self.net_force.copy_from_slice(&self.force);
        self.sweep(true);
        let (n, rows) = (self.parent.len(), self.rows.len());
        if rows == 0 {
            return;
        }
        for row in 0..rows {
            let mut gradient = 0.0;
            for k in self.entries_of(row) {
                let entry = &self.entries[k];
                gradient += entry.gradient.dot(&self.twist[entry.body]);
            }
            self.lambda[row] = gradient - self.rows[row].target.unwrap_or(0.0);
        }
        self.dense.solve(&mut self.lambda[..rows]);
        for row in 0..rows {
            let lambda = self.lambda[row];
            for body in 0..n {
                self.twist[body] -= self.responses[row * n + body] * lambda;
            }
        }
    }

    /// Bodies, parents first, and the parent of each.
    pub(super) fn tree(&self) -> (&[usize], &[Option<usize>]) {
        (&self.order, &self.parent)
    }

    fn entries_of(&self, row: usize) -> std::ops::Range<usize> {
        let start = match row {
            0 => 0,
            row => self.rows[row - 1].end,
        };
        start..self.rows[row].end
    }

    /// Solves the tree for the forces in `net_force`, with the prescribed twists and generalized forces or without.
    fn sweep(&mut self, with_loads: bool) {
        for k in (0..self.order.len()).rev() {
            let body = self.order[k];
            let n = self.n_free[body];
            let mut f = self.net_force[body];
            if with_loads {
                // the prescribed twist moves the body with its subtree
                f -= self.prescribed_force(body);
            }
            let mut load = [0.0; 6];
            for i in 0..n {
                load[i] = self.subspace[body][i].dot(&f);
                if with_loads {
                    load[i] += self.dof_force[body][i];
                    load[i] -= self.stiffness[body][i][0].dot(&self.prescribed[body]);
                }
            }
            let mut dof_rate = [0.0; 6];
            for i in 0..n {
                for j in 0..n {
                    dof_rate[i] += self.d[body][i][j] * load[j];
                }
            }
            self.dof_rate[body] = dof_rate;
            if let Some(parent) = self.parent[body] {
                for i in 0..n {
                    f -= self.u[body][i] * dof_rate[i];
                }
                self.net_force[parent] += f;
            }
        }
        for k in 0..self.order.len() {
            let body = self.order[k];
            let n = self.n_free[body];
            let mut dof_rate = self.dof_rate[body];
            let mut twist = Vector6::zeros();
            if let Some(parent) = self.parent[body] {
                twist = self.twist[parent];
                let mut gradient = [0.0; 6];
                for i in 0..n {
                    gradient[i] = self.v[body][i].dot(&twist);
                }
                for i in 0..n {
                    for j in 0..n {
                        dof_rate[i] -= self.d[body][i][j] * gradient[j];
                    }
                }
                if self.is_general {
                    twist = self.propagation[body] * twist;
                }
            }
            if with_loads {
                twist += self.prescribed[body];
            }
            for i in 0..n {
                twist += self.motion_subspace(body)[i] * dof_rate[i];
            }
            self.twist[body] = twist;
        }
    }

    fn motion_subspace(&self, body: usize) -> &[Vector6<f64>; 6] {
        match self.is_general {
            true => &self.general_subspace[body],
            false => &self.subspace[body],
        }
    }

    /// Wrench that moves a body, with its subtree, at the prescribed twist.
    fn prescribed_force(&self, body: usize) -> Vector6<f64> {
        self.matrix[body] * self.prescribed[body]
    }
}

/// Relative rounding error of an articulated inertia, as a part of the trace of its subtree.
const ROUNDING: f64 = 1e-14;
