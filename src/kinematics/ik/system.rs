//! All objectives as one residual of the variables.

use super::residual_term::Term;
use super::variables::Variables;
use super::{Objective, Options, Posture};
use crate::Result;
use crate::kernel::{Frames, single};
use crate::robot::Robot;

/// The residual system: goals, then secondary objectives and posture.
#[derive(Debug, Clone)]
pub(super) struct System<'r> {
    robot: &'r Robot,
    pub(super) variables: Variables,
    goals: Vec<Term>,
    secondary: Vec<Term>,
    /// Variables of the posture, and their weights.
    posture: Option<(Vec<f64>, Vec<f64>)>,
    tolerance: f64,

    /// Factor of the rows of secondary objectives and posture; `None` for no such rows.
    secondary_scale: Option<f64>,

    // depends on the configuration
    q: Vec<f64>,
    frames: Frames<f64>,
    /// Bodies whose pose changes with a variable and matters to an objective.
    moved_bodies: Vec<usize>,
}

impl<'r> System<'r> {
    /// Checks goals and options, and selects the variables.
    pub(super) fn new(robot: &'r Robot, goals: &[Objective], options: &Options) -> Result<Self> {
        options.check(robot)?;
        goals.iter().try_for_each(|goal| goal.check(robot))?;
        let tree = robot.tree();
        let terms = |objectives: &[Objective]| -> Vec<Term> {
            let new_term = |objective| Term::new(robot, objective);
            objectives.iter().map(new_term).collect()
        };
        let (mut goals, mut secondary) = (terms(goals), terms(&options.secondary));

        let mut relevant = vec![false; robot.n_dofs()];
        for term in goals.iter().chain(&secondary) {
            for (body, _) in term.movers(tree) {
                relevant[body] = true;
            }
        }
        let variables = Variables::new(robot, options, &relevant)?;
        for term in goals.iter_mut().chain(&mut secondary) {
            term.connect(tree, &variables);
        }
        let mut system = Self {
            moved_bodies: moved_bodies(robot, &variables, goals.iter().chain(&secondary)),
            posture: None,
            tolerance: options.tolerance,
            secondary_scale: None,
            q: robot.initial_config().to_vec(),
            frames: Frames::new(tree),
            robot,
            variables,
            goals,
            secondary,
        };
        system.posture = options.posture.as_ref().map(|p| system.posture_of(p));
        Ok(system)
    }

    fn posture_of(&mut self, posture: &Posture) -> (Vec<f64>, Vec<f64>) {
        let n = self.variables.len();
        let (mut x, mut weights) = (vec![0.0; n], vec![0.0; n]);
        self.variables.read(&posture.config, &mut x);
        for follow in &self.variables.follows {
            weights[follow.variable] += posture.weight(follow.dof) * follow.scale * follow.scale;
        }
        for weight in &mut weights {
            *weight = weight.sqrt();
        }
        (x, weights)
    }

    /// Starts from a configuration, which stays where no variable moves it, and writes the variables.
    pub(super) fn start(&mut self, q: &[f64], x: &mut [f64]) {
        self.q.copy_from_slice(q);
        self.variables.read(q, x);
        self.variables.write(x, &mut self.q);
        single::forward(self.robot.tree(), &self.q, &mut self.frames);
    }

    /// Replaces a goal by one with the same link, anchor and rows.
    pub(super) fn set_goal(&mut self, index: usize, goal: &Objective) -> Result<()> {
        let n = self.goals.len();
        let Some(term) = self.goals.get_mut(index) else {
            let problem = format!("there is no goal {index}; there are {n}");
            return Err(crate::Error::invalid("goals", problem));
        };
        goal.check(self.robot)?;
        let old = &term.objective;
        let same_anchor = match (old.anchor, goal.anchor) {
            (super::Anchor::Link(a), super::Anchor::Link(b)) => a == b,
            (super::Anchor::Link(_), _) | (_, super::Anchor::Link(_)) => false,
            _ => true,
        };
        let rows = |o: &Objective| (o.position.rows(), o.rotation.rows());
        if !same_anchor || old.link != goal.link || rows(old) != rows(goal) {
            let problem = "it has another link, another anchor or other rows; make a new solver";
            return Err(crate::Error::invalid(format!("goal {index}"), problem));
        }
        term.replace(goal);
        Ok(())
    }

    /// Returns whether there are secondary objectives or a posture.
    pub(super) fn has_secondary(&self) -> bool {
        !self.secondary.is_empty() || self.posture.is_some()
    }

    /// Variables of the posture.
    pub(super) fn posture(&self) -> Option<&[f64]> {
        self.posture.as_ref().map(|(x, _)| &x[..])
    }

    /// Adds the rows of secondary objectives and posture, times a factor, or removes them.
    pub(super) fn set_secondary_scale(&mut self, factor: Option<f64>) {
        self.secondary_scale = factor;
        for term in &mut self.secondary {
            term.scale = factor.unwrap_or(1.0);
        }
    }

    /// Number of rows of the goals.
    pub(super) fn goal_rows(&self) -> usize {
        self.goals.iter().map(|term| term.objective.rows()).sum()
    }

    /// Number of rows in use.
    pub(super) fn rows(&self) -> usize {
        match self.secondary_scale {
            Some(_) => self.max_rows(),
            None => self.goal_rows(),
        }
    }

    /// Number of rows of goals, secondary objectives and posture.
    pub(super) fn max_rows(&self) -> usize {
        let secondary = self.secondary.iter().map(|term| term.objective.rows());
        let posture_rows = self.posture.as_ref().map_or(0, |(x, _)| x.len());
        self.goal_rows() + secondary.sum::<usize>() + posture_rows
    }

    /// Sets the variables to `x` and writes the residual.
    pub(super) fn residual(&mut self, x: &[f64], out: &mut [f64]) {
        self.variables.write(x, &mut self.q);
        let tree = self.robot.tree();
        single::forward_some(tree, &self.moved_bodies, &self.q, &mut self.frames);
        let bodies = self.frames.bodies();
        let mut first = 0;
        let counted = self.secondary_scale.map_or(0, |_| self.secondary.len());
        let secondary = self.secondary.iter_mut().take(counted);
        for term in self.goals.iter_mut().chain(secondary) {
            let rows = term.objective.rows();
            term.residual(bodies, &mut out[first..first + rows]);
            first += rows;
        }
        if let (Some(factor), Some((posture, weights))) = (self.secondary_scale, &self.posture) {
            for (k, out) in out[first..].iter_mut().enumerate().take(x.len()) {
                *out = factor * weights[k] * (x[k] - posture[k]);
            }
        }
    }

    /// Writes the Jacobian at the last residual, column-major with a column for each variable.
    pub(super) fn jacobian(&self, out: &mut [f64]) {
        let rows = self.rows();
        out.fill(0.0);
        let (tree, bodies) = (self.robot.tree(), self.frames.bodies());
        let mut first = 0;
        let counted = self.secondary_scale.map_or(0, |_| self.secondary.len());
        let secondary = self.secondary.iter().take(counted);
        for term in self.goals.iter().chain(secondary) {
            term.jacobian(tree, bodies, out, (rows, first));
            first += term.objective.rows();
        }
        if let (Some(factor), Some((_, weights))) = (self.secondary_scale, &self.posture) {
            for (k, weight) in weights.iter().enumerate() {
                out[k * rows + first + k] = factor * weight;
            }
        }
    }

    /// Returns whether every objective was within its tolerance in the last residual.
    pub(super) fn is_reached(&self) -> bool {
        let [position, rotation] = self.errors();
        position <= self.tolerance && rotation <= self.tolerance
    }

    /// Largest distance, m, and largest angle, rad, from a target.
    pub(super) fn errors(&self) -> [f64; 2] {
        let worst = |k: usize| self.goals.iter().map(|t| t.error[k]).fold(0.0, f64::max);
        [worst(0), worst(1)]
    }

    /// Configuration of the last residual.
    pub(super) fn config(&self) -> &[f64] {
        &self.q
    }
}

/// Bodies that affect an objective and that a variable moves, parents first.
fn moved_bodies<'t>(
    robot: &Robot,
    variables: &Variables,
    terms: impl Iterator<Item = &'t Term>,
) -> Vec<usize> {
    let tree = robot.tree();
    let mut needed = vec![false; tree.len()];
    for term in terms {
        for body in term.bodies(tree) {
            needed[body] = true;
        }
    }
    let mut moves = vec![false; tree.len()];
    for follow in &variables.follows {
        moves[follow.dof] = true;
    }
    for body in 0..tree.len() {
        // parents come first, so that their flag is known
        moves[body] |= tree.chain(Some(body)).nth(1).is_some_and(|p| moves[p]);
    }
    (0..tree.len()).filter(|&b| needed[b] && moves[b]).collect()
}
