//! Goals of inverse kinematics as constraints along a path.

use std::ops::Range;
use std::sync::Arc;

use super::constraint::largest;
use super::{CSpace, Constraint, RobotCSpace};
use crate::kinematics::State;
use crate::kinematics::ik::{self, Objective, Options, Solver};
use crate::robot::{DofId, Robot};
use crate::world::RobotId;
use crate::{Error, Result};

/// A [`Constraint`] of [objectives](Objective) of the robots of a [`RobotCSpace`] that hold along a path.
///
/// | goal | rows | constrains |
/// |---|---|---|
/// | point, line, plane | 3, 2, 1 | a point of a link to a point, a line, a plane; m |
/// | rotation, axis | 3, 2 | the orientation of a link, or the direction of an axis of it; rad |
/// | either, relative to a link of the same robot | | the closure of a loop |
///
/// Rows are those of [`residual`](ik::residual) without weights. Projection is a descent of the [`Solver`]: within the limits,
/// drivers move what they couple, and degrees of freedom that move no goal stay.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::{Objective, PositionGoal};
/// use kinworld::planning::{Constraint, RobotCSpace, RobotConstraint};
/// use kinworld::{Point, Vector, WorldModel};
///
/// // three links of 1 m in the plane of x and z, whose tip wipes along a line 1 m above the base
/// let world = WorldModel::load("data/robots/planar3R.rob")?.value;
/// let arm = world.robot("planar3R")?;
/// let line = PositionGoal::Line {
///     p_link: Point::new(1.0, 0.0, 0.0),
///     through: Point::new(0.0, 0.0, 1.0),
///     direction: Vector::x(),
/// };
/// let wipe = Objective::position(arm.model().link_id("link2")?, line);
/// let space = RobotCSpace::new(&world, &[arm.id()])?;
/// let keep = RobotConstraint::new(&space, arm.id(), &[wipe])?;
///
/// let q = keep.project(&[1.0, 5.5, 5.5]).expect("the line is near");
/// let height = q[0].sin() + (q[0] + q[1]).sin() + (q[0] + q[1] + q[2]).sin();
/// assert!((height - 1.0).abs() < 1e-6);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RobotConstraint {
    parts: Vec<Part>,
    /// Number of degrees of freedom of the space.
    n: usize,
    tolerance: f64,
}

/// The goals of one robot.
#[derive(Debug, Clone)]
struct Part {
    id: RobotId,
    robot: Arc<Robot>,
    range: Range<usize>,
    goals: Vec<Objective>,
    options: Options,
}

impl RobotConstraint {
    /// The constraint that a robot of a space keeps these goals.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for no goal, for one that cannot be used, and for a robot that is not one of the space.
    pub fn new(space: &RobotCSpace, robot: RobotId, goals: &[Objective]) -> Result<Self> {
        let none = Self {
            parts: Vec::new(),
            n: space.n_dofs(),
            tolerance: 1e-6,
        };
        none.and(space, robot, goals)
    }

    /// With more goals, of another robot of the same space or of the same one.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and [`Error::Length`] for a space with another number of degrees of freedom.
    pub fn and(mut self, space: &RobotCSpace, robot: RobotId, goals: &[Objective]) -> Result<Self> {
        if space.n_dofs() != self.n {
            return Err(Error::Length {
                what: "the space of a constraint",
                expected: self.n,
                found: space.n_dofs(),
            });
        }
        let Some(member) = space.members().iter().find(|member| member.id == robot) else {
            let problem = "is not one of the space";
            return Err(Error::invalid("the robot of a constraint", problem));
        };
        if goals.is_empty() {
            return Err(Error::invalid(
                "the goals of a constraint",
                "there are none",
            ));
        }
        let goals = goals
            .iter()
            .cloned()
            .map(|goal| goal.with_weights(1.0, 1.0));
        let at = match self.parts.iter().position(|part| part.id == robot) {
            Some(at) => at,
            None => {
                self.parts.push(Part {
                    id: robot,
                    robot: Arc::clone(&member.robot),
                    range: member.range.clone(),
                    goals: Vec::new(),
                    options: Options {
                        tolerance: 0.5 * self.tolerance,
                        max_iterations: MAX_ITERATIONS,
                        restarts: 0,
                        ..Options::default()
                    },
                });
                self.parts.len() - 1
            }
        };
        let part = &mut self.parts[at];
        part.goals.extend(goals);
        Solver::new(&part.robot, &part.goals, &part.options)?;
        Ok(self)
    }

    /// With another tolerance, m and rad; at first 1e-6.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a number that is not positive and finite.
    pub fn with_tolerance(mut self, tolerance: f64) -> Result<Self> {
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            let problem = format!("{tolerance} is not a positive number of m or rad");
            return Err(Error::invalid("the tolerance of a constraint", problem));
        }
        self.tolerance = tolerance;
        for part in &mut self.parts {
            part.options.tolerance = 0.5 * tolerance;
        }
        Ok(self)
    }

    /// With the degrees of freedom of a robot that projection may move, each with what its driver couples to it; at first all
    /// that move a goal.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a degree of freedom that is not there, and for a robot that has no goal.
    pub fn with_active(mut self, robot: RobotId, active: &[DofId]) -> Result<Self> {
        let Some(part) = self.parts.iter_mut().find(|part| part.id == robot) else {
            let problem = "has no goal";
            return Err(Error::invalid("the robot of a constraint", problem));
        };
        part.options.active = Some(active.to_vec());
        Solver::new(&part.robot, &part.goals, &part.options)?;
        Ok(self)
    }
}

impl Part {
    /// State of the robot in a configuration of the space.
    fn state(&self, q: &[f64]) -> Option<State> {
        let mut state = State::new(&self.robot);
        let q = q.get(self.range.clone())?;
        state.set_config(&self.robot, q).ok()?;
        Some(state)
    }

    fn rows(&self) -> usize {
        self.goals.iter().map(Objective::rows).sum()
    }

    fn residual(&self, q: &[f64]) -> Option<Vec<f64>> {
        ik::residual(&self.robot, &self.state(q)?, &self.goals).ok()
    }
}

impl Constraint for RobotConstraint {
    fn rows(&self) -> usize {
        self.parts.iter().map(Part::rows).sum()
    }

    fn residual_into(&self, q: &[f64], out: &mut [f64]) {
        // what is no configuration satisfies no constraint
        out.fill(f64::INFINITY);
        let mut first = 0;
        for part in &self.parts {
            let rows = part.rows();
            if let Some(residual) = part.residual(q) {
                out[first..first + rows].copy_from_slice(&residual);
            }
            first += rows;
        }
    }

    fn jacobian_into(&self, q: &[f64], out: &mut [f64]) {
        let all = self.rows();
        out.fill(0.0);
        let mut first = 0;
        for part in &self.parts {
            let jacobian = part
                .state(q)
                .and_then(|state| ik::residual_jacobian(&part.robot, &state, &part.goals).ok());
            if let Some(jacobian) = jacobian {
                for (column, dof) in jacobian.column_iter().zip(part.range.clone()) {
                    let start = dof * all + first;
                    for (out, x) in out[start..].iter_mut().zip(column.iter()) {
                        *out = *x;
                    }
                }
            }
            first += part.rows();
        }
    }

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// With the name of the link.
    fn reason(&self, q: &[f64]) -> Option<String> {
        for part in &self.parts {
            let Some(residual) = part.residual(q) else {
                return Some("is no configuration".to_owned());
            };
            let mut first = 0;
            for goal in &part.goals {
                let end = first + goal.rows();
                let error = largest(&residual[first..end]);
                if error > self.tolerance {
                    let link = part.robot.link(goal.link).name();
                    return Some(format!(
                        "`{}[{link}]` misses its goal by {error:.1e} m or rad, more than {:.1e}; project it",
                        part.robot.name(),
                        self.tolerance
                    ));
                }
                first = end;
            }
        }
        None
    }

    fn project(&self, q: &[f64]) -> Option<Vec<f64>> {
        let mut projected = q.to_vec();
        for part in &self.parts {
            let q = projected.get_mut(part.range.clone())?;
            let mut solver = Solver::new(&part.robot, &part.goals, &part.options).ok()?;
            let found = solver.solve(q).ok()?;
            if !found.is_success() {
                return None;
            }
            q.copy_from_slice(&found.q);
        }
        Some(projected)
    }
}

/// The most iterations of one descent: from nearby a handful is enough.
const MAX_ITERATIONS: usize = 50;
