//! All objectives together, as one residual of the variables.

use super::term::Term;
use super::variables::Variables;
use super::{Objective, Options, Posture};
use crate::Result;
use crate::kernel::{Frames, single};
use crate::robot::Robot;

/// The equations: goals, then what counts only where goals leave it free.
#[derive(Debug, Clone)]
pub(super) struct System<'r> {
    robot: &'r Robot,
    pub(super) variables: Variables,
    goals: Vec<Term>,
    wishes: Vec<Term>,
    /// The variables of the posture, and what each counts.
    posture: Option<(Vec<f64>, Vec<f64>)>,
    tolerance: f64,

    /// What multiplies the rows of wishes and posture; `None` for no such rows.
    wish: Option<f64>,

    // depends on the configuration
    q: Vec<f64>,
    frames: Frames<f64>,
    /// The bodies that have to be placed again when a variable changes.
    moved: Vec<usize>,
}

impl<'r> System<'r> {
    /// Checks everything, and finds out what moves.
    pub(super) fn new(robot: &'r Robot, goals: &[Objective], options: &Options) -> Result<Self> {
        options.check(robot)?;
        goals.iter().try_for_each(|goal| goal.check(robot))?;
        let tree = robot.tree();
        let terms = |objectives: &[Objective]| -> Vec<Term> {
            let term = |objective| Term::new(robot, objective);
            objectives.iter().map(term).collect()
        };
        let (mut goals, mut wishes) = (terms(goals), terms(&options.secondary));

        let mut matters = vec![false; robot.n_dofs()];
        for term in goals.iter().chain(&wishes) {
            for (body, _) in term.movers(tree) {
                matters[body] = true;
            }
        }
        let variables = Variables::new(robot, options, &matters)?;
        for term in goals.iter_mut().chain(&mut wishes) {
            term.connect(tree, &variables);
        }
        let mut system = Self {
            moved: moved(robot, &variables, goals.iter().chain(&wishes)),
            posture: None,
            tolerance: options.tolerance,
            wish: None,
            q: robot.initial_config().to_vec(),
            frames: Frames::new(tree),
            robot,
            variables,
            goals,
            wishes,
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

    /// Starts from a configuration; what no variable moves stays there. Writes the variables.
    pub(super) fn start(&mut self, q: &[f64], x: &mut [f64]) {
        self.q.copy_from_slice(q);
        self.variables.read(q, x);
        self.variables.write(x, &mut self.q);
        single::forward(self.robot.tree(), &self.q, &mut self.frames);
    }

    /// Replaces a goal by one of the same shape.
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

    /// Whether anything counts beside the goals.
    pub(super) fn has_wishes(&self) -> bool {
        !self.wishes.is_empty() || self.posture.is_some()
    }

    /// The variables of the posture.
    pub(super) fn posture(&self) -> Option<&[f64]> {
        self.posture.as_ref().map(|(x, _)| &x[..])
    }

    /// Gives rows to wishes and posture, times a factor, or takes them away.
    pub(super) fn count_wishes(&mut self, factor: Option<f64>) {
        self.wish = factor;
        for wish in &mut self.wishes {
            wish.scale = factor.unwrap_or(1.0);
        }
    }

    /// Rows of the goals.
    pub(super) fn goal_rows(&self) -> usize {
        self.goals.iter().map(|term| term.objective.rows()).sum()
    }

    /// Rows now.
    pub(super) fn rows(&self) -> usize {
        match self.wish {
            Some(_) => self.most_rows(),
            None => self.goal_rows(),
        }
    }

    /// Rows of goals, wishes and posture.
    pub(super) fn most_rows(&self) -> usize {
        let wishes = self.wishes.iter().map(|wish| wish.objective.rows());
        let of_posture = self.posture.as_ref().map_or(0, |(x, _)| x.len());
        self.goal_rows() + wishes.sum::<usize>() + of_posture
    }

    /// Moves to `x` and writes the residual.
    pub(super) fn residual(&mut self, x: &[f64], out: &mut [f64]) {
        self.variables.write(x, &mut self.q);
        let tree = self.robot.tree();
        single::forward_some(tree, &self.moved, &self.q, &mut self.frames);
        let bodies = self.frames.bodies();
        let mut first = 0;
        let counted = self.wish.map_or(0, |_| self.wishes.len());
        let wishes = self.wishes.iter_mut().take(counted);
        for term in self.goals.iter_mut().chain(wishes) {
            let rows = term.objective.rows();
            term.residual(bodies, &mut out[first..first + rows]);
            first += rows;
        }
        if let (Some(factor), Some((posture, weights))) = (self.wish, &self.posture) {
            for (k, out) in out[first..].iter_mut().enumerate().take(x.len()) {
                *out = factor * weights[k] * (x[k] - posture[k]);
            }
        }
    }

    /// Writes the Jacobian at the last residual: a column of all rows for each variable.
    pub(super) fn jacobian(&self, out: &mut [f64]) {
        let rows = self.rows();
        out.fill(0.0);
        let (tree, bodies) = (self.robot.tree(), self.frames.bodies());
        let mut first = 0;
        let counted = self.wish.map_or(0, |_| self.wishes.len());
        let wishes = self.wishes.iter().take(counted);
        for term in self.goals.iter().chain(wishes) {
            term.jacobian(tree, bodies, out, (rows, first));
            first += term.objective.rows();
        }
        if let (Some(factor), Some((_, weights))) = (self.wish, &self.posture) {
            for (k, weight) in weights.iter().enumerate() {
                out[k * rows + first + k] = factor * weight;
            }
        }
    }

    /// Whether the last residual is within the tolerance, objective by objective.
    pub(super) fn is_reached(&self) -> bool {
        let [position, rotation] = self.errors();
        position <= self.tolerance && rotation <= self.tolerance
    }

    /// The largest distance, m, and the largest angle, rad, between what is and what should be.
    pub(super) fn errors(&self) -> [f64; 2] {
        let worst = |k: usize| self.goals.iter().map(|t| t.error[k]).fold(0.0, f64::max);
        [worst(0), worst(1)]
    }

    /// The configuration of the last residual.
    pub(super) fn config(&self) -> &[f64] {
        &self.q
    }
}

/// The bodies that goals stand on and variables move, parents first.
fn moved<'t>(
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
        // parents come first, so that theirs is known
        moves[body] |= tree.chain(Some(body)).nth(1).is_some_and(|p| moves[p]);
    }
    (0..tree.len()).filter(|&b| needed[b] && moves[b]).collect()
}
