//! Tasks and constraints as rows over the variables that move.

use super::{VelocityProblem, VelocityTask};
use crate::kernel;
use crate::kinematics::ik::damped_step::dot;
use crate::kinematics::ik::variables::Variables;
use crate::kinematics::{State, world_position};
use crate::robot::Robot;

/// Rows over the variables that move (m).
#[derive(Debug, Clone)]
pub(super) struct Rows {
    /// The variables that move, and the place of each variable among them.
    moving: Vec<usize>,
    place: Vec<Option<usize>>,
    /// Whether a degree of freedom moves a task or has a place in a constraint (n).
    relevant: Vec<bool>,
    /// Weighted rows of the tasks (k × m) with their targets, level by level.
    tasks: Vec<f64>,
    targets: Vec<f64>,
    /// First row of each task, in the order of the problem.
    starts: Vec<usize>,
    /// First row of each level.
    levels: Vec<(usize, usize)>,
    /// The constraints (r × m), as they are and with length 1.
    constraints: Vec<f64>,
    bounds: Vec<f64>,
    unit_rows: Vec<f64>,
    unit_bounds: Vec<f64>,
}

impl Rows {
    pub(super) fn new(n_variables: usize, n_dofs: usize) -> Self {
        Self {
            moving: Vec::with_capacity(n_variables),
            place: vec![None; n_variables],
            relevant: vec![false; n_dofs],
            tasks: Vec::new(),
            targets: Vec::new(),
            starts: Vec::new(),
            levels: Vec::new(),
            constraints: Vec::new(),
            bounds: Vec::new(),
            unit_rows: Vec::new(),
            unit_bounds: Vec::new(),
        }
    }

    /// Chooses the variables that move: all, or those of which a degree of freedom has a part in the problem.
    pub(super) fn choose(
        &mut self,
        robot: &Robot,
        variables: &Variables,
        problem: &VelocityProblem,
        all: bool,
    ) {
        self.relevant.fill(all);
        if !all {
            for task in &problem.tasks {
                for body in robot.tree().chain(robot.attachment(task.link).body) {
                    self.relevant[body] = true;
                }
            }
            for task in &problem.joints {
                for (dof, relevant) in self.relevant.iter_mut().enumerate() {
                    *relevant |= task.weight(dof) > 0.0;
                }
            }
            for (row, _) in problem.constraints.rows() {
                for (relevant, a) in self.relevant.iter_mut().zip(row) {
                    *relevant |= *a != 0.0;
                }
            }
        }
        self.place.fill(None);
        for follow in &variables.follows {
            if self.relevant[follow.dof] {
                self.place[follow.variable] = Some(0);
            }
        }
        self.moving.clear();
        for (variable, place) in self.place.iter_mut().enumerate() {
            if place.is_some() {
                *place = Some(self.moving.len());
                self.moving.push(variable);
            }
        }
    }

    /// Computes all rows; `false` where a number is not finite. `follow_of` has the variable and the factor of each degree of
    /// freedom.
    pub(super) fn fill(
        &mut self,
        robot: &Robot,
        follow_of: &[Option<(usize, f64)>],
        state: &State,
        problem: &VelocityProblem,
    ) -> bool {
        let m = self.moving.len();
        self.tasks.clear();
        self.targets.clear();
        self.levels.clear();
        self.starts.clear();
        self.starts.resize(problem.tasks.len(), 0);
        let mut level = problem.next_level(0);
        while let Some(now) = level {
            self.levels.push((now, self.targets.len()));
            for (i, task) in problem.tasks.iter().enumerate() {
                if task.level == now {
                    self.starts[i] = self.targets.len();
                    self.push_task(robot, follow_of, state, task);
                }
            }
            for task in problem.joints.iter().filter(|task| task.level == now) {
                for (dof, target) in task.dq.iter().enumerate() {
                    let weight = task.weight(dof);
                    if weight > 0.0 {
                        let row = self.tasks.len();
                        self.tasks.resize(row + m, 0.0);
                        if let Some((k, scale)) = self.follows(follow_of, dof) {
                            self.tasks[row + k] = scale * weight;
                        }
                        self.targets.push(target * weight);
                    }
                }
            }
            level = now.checked_add(1).and_then(|from| problem.next_level(from));
        }

        self.constraints.clear();
        self.bounds.clear();
        self.unit_rows.clear();
        self.unit_bounds.clear();
        for (dofs, bound) in problem.constraints.rows() {
            let first = self.constraints.len();
            self.constraints.resize(first + m, 0.0);
            for (dof, a) in dofs.iter().enumerate() {
                if let Some((k, scale)) = self.follows(follow_of, dof) {
                    self.constraints[first + k] += a * scale;
                }
            }
            self.bounds.push(bound);
            let row = &self.constraints[first..];
            let length = dot(row, row).sqrt();
            if !length.is_finite() {
                return false;
            }
            if length > 0.0 {
                self.unit_rows.extend(row.iter().map(|a| a / length));
                self.unit_bounds.push(bound / length);
            } else {
                self.unit_rows.extend(row);
                self.unit_bounds.push(f64::INFINITY);
            }
        }
        let mut numbers = self.tasks.iter().chain(&self.targets);
        numbers.all(|x| x.is_finite())
    }

    fn push_task(
        &mut self,
        robot: &Robot,
        follow_of: &[Option<(usize, f64)>],
        state: &State,
        task: &VelocityTask,
    ) {
        let (m, first) = (self.moving.len(), self.tasks.len());
        for (_, target) in task.parts() {
            self.targets.extend(target.iter().map(|x| x * task.weight));
        }
        self.tasks.resize(self.targets.len() * m, 0.0);
        let p_w = world_position(robot, state, task.link, &task.p_link);
        let (tree, bodies) = (robot.tree(), state.bodies(robot));
        for body in tree.chain(robot.attachment(task.link).body) {
            let Some((k, scale)) = self.follows(follow_of, body) else {
                continue;
            };
            let column = kernel::column(tree, bodies, body, p_w.coords.into());
            let factor = scale * task.weight;
            let mut entries = self.tasks[first + k..].iter_mut().step_by(m);
            for (top, _) in task.parts() {
                for (x, entry) in column[top / 3].iter().zip(&mut entries) {
                    *entry += x * factor;
                }
            }
        }
    }

    /// Place and factor of the variable that a degree of freedom follows; `None` where it does not move.
    fn follows(&self, follow_of: &[Option<(usize, f64)>], dof: usize) -> Option<(usize, f64)> {
        let (variable, scale) = follow_of[dof]?;
        Some((self.place[variable]?, scale))
    }

    /// The variables that move.
    pub(super) fn moving(&self) -> &[usize] {
        &self.moving
    }

    /// Place of a variable among those that move.
    pub(super) fn place(&self, variable: usize) -> Option<usize> {
        self.place[variable]
    }

    /// Rows and targets of a level; nothing without one.
    pub(super) fn level(&self, level: Option<usize>) -> (&[f64], &[f64]) {
        let Some(i) = self.levels.iter().position(|(l, _)| Some(*l) == level) else {
            return (&[], &[]);
        };
        let m = self.moving.len();
        let first = self.levels[i].1;
        let end = self
            .levels
            .get(i + 1)
            .map_or(self.targets.len(), |next| next.1);
        (&self.tasks[first * m..end * m], &self.targets[first..end])
    }

    /// Weighted rows and targets of a task.
    pub(super) fn of_task(
        &self,
        index: usize,
        task: &VelocityTask,
    ) -> impl Iterator<Item = (&[f64], f64)> {
        let m = self.moving.len();
        let first = self.starts[index];
        let rows = first..first + 3 * task.parts().count();
        rows.map(move |row| (&self.tasks[row * m..][..m], self.targets[row]))
    }

    /// The constraints.
    pub(super) fn constraints(&self) -> impl Iterator<Item = &[f64]> {
        let m = self.moving.len();
        (0..self.bounds.len()).map(move |i| &self.constraints[i * m..][..m])
    }

    /// The constraints, row by row.
    pub(super) fn constraint_rows(&self) -> &[f64] {
        &self.constraints
    }

    /// Their bounds.
    pub(super) fn bounds(&self) -> &[f64] {
        &self.bounds
    }

    /// The constraints with length 1, row by row; zeros for those that no variable changes.
    pub(super) fn unit_rows(&self) -> &[f64] {
        &self.unit_rows
    }

    /// Bounds of the [`unit_rows`](Self::unit_rows); infinite for those that no variable changes.
    pub(super) fn unit_bounds(&self) -> &[f64] {
        &self.unit_bounds
    }
}
