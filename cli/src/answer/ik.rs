//! Inverse kinematics: `ik`.

use kinworld::kinematics::ik::{self, Objective, Options, RotationGoal, Solution, Termination};
use kinworld::world::RobotRef;
use kinworld::{DofId, LinkId, Rotation, Vector};
use serde_json::{Value, json};

use super::Answer;
use crate::config::{unit, unit_name};
use crate::json::{number, numbers};
use crate::missing;
use crate::request::{IkRequest, PoseGoal, Refusal};
use crate::session::{self, Session};
use crate::table::{self, Table, real};

/// A solution, or the nearest configuration.
#[derive(Debug)]
pub(crate) struct Ik<'a> {
    robot: RobotRef<'a>,
    found: Solution,
    /// The goal that was reached, where there is a choice: its index and its name.
    reached: Option<(usize, String)>,
    /// Names of elements without geometry.
    missing: Vec<String>,
    degrees: bool,
}

impl<'a> Ik<'a> {
    pub(crate) fn of(session: &'a Session, request: &IkRequest) -> Result<Self, Refusal> {
        let (robot, start) = session.posed_in(&request.start, request.group.as_deref())?;
        let goals = request.goals.iter();
        let goals = goals.map(|goal| Ok(objective(session, robot, goal)?.1));
        let goals: Vec<Objective> = goals.collect::<Result<_, Refusal>>()?;
        let options = options(robot, request)?;
        let (model, q0) = (robot.model(), start.config());
        let solve = |goal: &Objective| {
            let goal = std::slice::from_ref(goal);
            if !request.avoid_collisions {
                return Ok::<_, Refusal>(ik::solve(model, goal, q0, &options)?);
            }
            let collider = session.collider()?;
            let mut workspace = session.current_workspace()?;
            Ok(ik::solve_global(model, goal, q0, &options, |q| {
                // a configuration whose poses are not finite is rejected
                workspace.set_config(robot.id(), q).is_ok()
                    && collider.first_collision_with(&mut workspace).is_none()
            })?)
        };
        let mut nearest: Option<(usize, Solution)> = None;
        for (i, goal) in goals.iter().enumerate() {
            let found = solve(goal)?;
            let is_nearer = |(_, best): &(usize, Solution)| found.error() < best.error();
            let is_reached = found.is_success();
            if is_reached || nearest.as_ref().is_none_or(is_nearer) {
                nearest = Some((i, found));
            }
            if is_reached {
                break;
            }
        }
        let (at, found) = nearest.ok_or_else(|| Refusal("a goal is missing".to_owned()))?;
        let is_named = goals.len() > 1 && found.is_success();
        let missing = missing(session, request)?;
        Ok(Self {
            robot,
            found,
            reached: is_named.then(|| (at, request.goals[at].label(robot))),
            missing,
            degrees: request.start.degrees,
        })
    }
}

impl Ik<'_> {
    /// Answer of `reachable`: a configuration where the target is reached.
    pub(crate) fn verdict(&self) -> Value {
        let reached = self.found.is_success();
        let mut answer = json!({
            "reachable": reached,
            "q": reached.then(|| numbers(&self.found.q)),
            "residual": number(self.found.error()),
            "starts": self.found.starts,
        });
        super::name_goal(&mut answer, self.reached.as_ref());
        answer
    }
}

impl Answer for Ik<'_> {
    fn json(&self) -> Value {
        let mut answer = json!({
            "success": self.found.is_success(),
            "q": numbers(&self.found.q),
            "residual": number(self.found.error()),
        });
        super::name_goal(&mut answer, self.reached.as_ref());
        if let Some(reason) = self.reason() {
            answer["reason"] = reason.into();
        }
        missing::with(answer, &self.missing)
    }

    fn reason(&self) -> Option<String> {
        let Solution {
            position_error,
            rotation_error,
            ..
        } = self.found;
        match self.found.termination {
            Termination::Reached => None,
            Termination::Infeasible => {
                Some("the target is reached, but only by colliding".to_owned())
            }
            _ => Some(format!(
                "the target is not reached: {} m and {} rad are left",
                size(position_error),
                size(rotation_error),
            )),
        }
    }

    fn text(&self) -> String {
        let Solution {
            position_error,
            rotation_error,
            iterations,
            starts,
            ..
        } = self.found;
        let outcome = match self.found.termination {
            Termination::Reached => "reached",
            Termination::Infeasible => "reached, but only by colliding",
            _ => "unreachable; nearest configuration",
        };
        let goal = self.reached.as_ref();
        let outcome = goal.map_or(outcome.to_owned(), |(_, goal)| format!("{outcome} {goal}"));
        let mut table = Table::new([
            table::words("joint"),
            table::numbers("q"),
            table::numbers("q min"),
            table::numbers("q max"),
            table::words("unit"),
        ]);
        let model = self.robot.model();
        let dofs = (0..model.n_dofs()).map(DofId::new);
        for (&q, (limits, dof)) in self.found.q.iter().zip(model.limits().iter().zip(dofs)) {
            let unit = unit(model, dof, self.degrees);
            let values = [q, limits.q_min, limits.q_max].map(|x| real(x / unit));
            let name = model.dof_name(dof).to_owned();
            let unit = unit_name(model, dof, self.degrees).to_owned();
            table.row(std::iter::once(name).chain(values).chain([unit]));
        }
        format!(
            "{outcome}: error {} m and {} rad, {}, {}\n{table}{}",
            size(position_error),
            size(rotation_error),
            counted(iterations, "iteration"),
            counted(starts, "start"),
            missing::line(&self.missing)
        )
    }
}

/// Size of an error: two digits, as a power of ten where it is small.
fn size(x: f64) -> String {
    match x {
        0.0 => "0".to_owned(),
        x if (1e-3..1e3).contains(&x) => format!("{x:.3}"),
        x => format!("{x:.1e}"),
    }
}

/// A number of things.
fn counted(n: usize, thing: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {thing}{s}")
}

impl PoseGoal {
    /// Its name among several.
    pub(super) fn label(&self, robot: RobotRef<'_>) -> String {
        let link = session::link(robot, &self.link);
        let link = link.map_or_else(|_| String::new(), |link| link.name().to_owned());
        let [x, y, z] = self.position;
        format!("`{link}` at {x}, {y}, {z}")
    }
}

/// Goal of the solver, and its link.
pub(super) fn objective(
    session: &Session,
    robot: RobotRef<'_>,
    goal: &PoseGoal,
) -> Result<(LinkId, Objective), Refusal> {
    let link = session.link(robot, &goal.link)?.id();
    let objective = Objective::point(link, goal.point.into(), goal.position.into());
    let objective = match goal.rotation {
        Some(r) => objective.with_rotation(RotationGoal::Fixed(r)),
        None => objective,
    };
    Ok((link, objective))
}

/// Names of elements without geometry, where collisions are avoided.
pub(super) fn missing(session: &Session, request: &IkRequest) -> Result<Vec<String>, Refusal> {
    if request.avoid_collisions {
        session.missing()
    } else {
        Ok(Vec::new())
    }
}

/// Options of the solver.
pub(super) fn options(robot: RobotRef<'_>, request: &IkRequest) -> Result<Options, Refusal> {
    let defaults = Options::default();
    let (seed, tolerance, restarts) = (defaults.seed, defaults.tolerance, defaults.restarts);
    let options = defaults
        .with_restarts(request.restarts.unwrap_or(restarts))
        .with_seed(request.seed.unwrap_or(seed))
        .with_tolerance(request.tolerance.unwrap_or(tolerance));
    Ok(match &request.group {
        Some(group) => options.with_active(session::dofs_of(robot, group)?),
        None => options,
    })
}

/// Rotation of three rows, if they are orthonormal.
pub(crate) fn rotation(rows: &[[f64; 3]; 3]) -> Result<Rotation, Refusal> {
    let column = |j: usize| Vector::new(rows[0][j], rows[1][j], rows[2][j]);
    let rotation = Rotation::from_basis_unchecked(&[column(0), column(1), column(2)]);
    let defect = kinworld::math::so3::defect(&rotation);
    if defect > ROUNDED {
        let problem = "`rotation` must be a rotation matrix: orthonormal rows, determinant 1";
        return Err(Refusal(problem.to_owned()));
    }
    Ok(kinworld::math::so3::orthonormalized(&rotation))
}

/// Tolerance for rotations printed with a few digits.
const ROUNDED: f64 = 1e-3;
