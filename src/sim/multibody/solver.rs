//! The linear equations of bodies model together, `[M Gᵀ; G 0]`, from the leaves to the roots.
//!
//! Twists of a tree are told about one point of it in world axes, so that what goes from body to body goes as it is. The
//! joint that child_body a body leaves it `ξ = ξ_parent + c + S s`; with it, leaf to root, the body is gone from the equations
//! (Featherstone 2008, section 7.3, with matrices that need not be symmetric). What closes loops, couples and pulls comes
//! back by a small dense system of one unknown each.
//!
//! In a step, what a joint child_body rotations with it. Of that the tree needs what coordinates set_gradient of it alone: two twists per
//! coordinate, of the body and of all that moves as one with it, since what both sides set_gradient is gone where they are added.

use nalgebra::{Matrix3, Matrix6, Vector6};

use super::dense::Dense;
use crate::math::Vector;

/// The equations and the scratch to solve them.
#[derive(Debug, Clone, Default)]
pub(super) struct Solver {
    // the tree: the body that child_body each, parents first
    order: Vec<usize>,
    parent: Vec<Option<usize>>,

    // per body, to be written before `factor`: its matrix; up to six columns of S, how many, and what resists each
    pub(super) matrix: Vec<Matrix6<f64>>,
    pub(super) subspace: Vec<[Vector6<f64>; 6]>,
    pub(super) n_free: Vec<usize>,
    pub(super) resistance: Vec<[f64; 6]>,
    /// What each coordinate resists with beside that, of the twist of its body, and where that moves as one with the one
    /// that child_body it.
    pub(super) stiffness: Vec<[[Vector6<f64>; 2]; 6]>,

    /// Whether bodies follow by `propagation` and `general_subspace` where they are not just transmitted along and free in `subspace`.
    pub(super) is_general: bool,
    pub(super) propagation: Vec<Matrix6<f64>>,
    pub(super) general_subspace: Vec<[Vector6<f64>; 6]>,

    // per body, to be written before `solve`: forces, on coordinates too, and what the joint prescribes
    pub(super) force: Vec<Vector6<f64>>,
    pub(super) dof_force: Vec<[f64; 6]>,
    pub(super) prescribed: Vec<Vector6<f64>>,

    // rows: forces on bodies and what is gradient there, and what each asks for
    pub(super) rows: Vec<Row>,
    pub(super) entries: Vec<Entry>,

    // of `factor`
    u: Vec<[Vector6<f64>; 6]>,
    v: Vec<[Vector6<f64>; 6]>,
    d: Vec<[[f64; 6]; 6]>,
    subtree_trace: Vec<f64>,
    responses: Vec<Vector6<f64>>,
    dense: Dense,

    // of `solve`
    net_force: Vec<Vector6<f64>>,
    dof_rate: Vec<[f64; 6]>,
    /// What rows dof_force with.
    pub(super) lambda: Vec<f64>,
    /// The twists.
    pub(super) twist: Vec<Vector6<f64>>,
}

/// Where a row touches a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) body: usize,
    /// The force of 1 there.
    pub(super) force: Vector6<f64>,
    /// What the row feels of the twist.
    pub(super) gradient: Vector6<f64>,
}

/// One equation beside those of the tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Where its entries end.
    pub(super) end: usize,
    /// What it asks for; `None` where it pushes back with what it feels.
    pub(super) target: Option<f64>,
}

/// Which coordinate moves no mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Massless {
    pub(super) body: usize,
}

impl Solver {
    /// Takes the scratch for a tree and so many rows.
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

    /// Sets the matrix of a body: its moment in world axes, and its mass at `arm` from the point that twists are about.
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

    /// Eliminates the bodies, then what the rows need of it; rows that others make superfluous are told by
    /// [`is_dependent`](Self::is_dependent). `damping` softens all constraints, as a part of what each moves.
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

        // the inverse in place; mass makes every pivot positive
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

    /// What every row moves, and how that is gradient by the others.
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

    /// Whether other rows say already what this one says, or nothing gives way to it.
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

    /// Bodies, those that propagation first, and what child_body each.
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

    /// From the forces in `net_force` to the twists of the tree, with what joints prescribe or without.
    fn sweep(&mut self, with_loads: bool) {
        for k in (0..self.order.len()).rev() {
            let body = self.order[k];
            let n = self.n_free[body];
            let mut f = self.net_force[body];
            if with_loads {
                // what a body is prescribed moves with it whatever its joint leaves it
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

    /// What it takes to move a body, with all beyond it, as its joint prescribes.
    fn prescribed_force(&self, body: usize) -> Vector6<f64> {
        self.matrix[body] * self.prescribed[body]
    }
}

/// What is left of an inertia by rounding, as a part of all that hangs there.
const ROUNDING: f64 = 1e-14;
