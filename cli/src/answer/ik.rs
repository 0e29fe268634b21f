//! Inverse kinematics: `ik`.

use kinworld::kinematics::ik::{
    self, Analytic, Objective, Options, RotationGoal, Solution, Termination,
};
use kinworld::world::RobotRef;
use kinworld::{Pose, Rotation, Vector};
use serde_json::{Value, json};

use super::Answer;
use crate::json::{number, numbers};
use crate::request::{IkRequest, Refusal};
use crate::session::{self, Session};
use crate::table::{self, Table, real};

/// A solution, or the nearest configuration.
#[derive(Debug)]
pub(crate) struct Ik<'a> {
    robot: RobotRef<'a>,
    found: Solution,
}

impl<'a> Ik<'a> {
    pub(crate) fn of(session: &'a Session, request: &IkRequest) -> Result<Self, Refusal> {
        let (robot, start) = session.posed(&request.start)?;
        let link = session::link(robot, &request.link)?.id();
        let goal = Objective::point(link, request.point.into(), request.position.into());
        let goal = match &request.rotation {
            Some(rows) => goal.with_rotation(RotationGoal::Fixed(rotation(rows)?)),
            None => goal,
        };
        let options = options(request);
        let (model, q0) = (robot.model(), start.config());
        let found = if request.avoid_collisions {
            let collider = session.collider()?;
            let mut workspace = session.current_workspace()?;
            ik::solve_global(model, &[goal], q0, &options, |q| {
                // a configuration whose poses are not finite is rejected
                workspace.set_config(robot.id(), q).is_ok()
                    && collider.first_collision_with(&mut workspace).is_none()
            })?
        } else {
            ik::solve(model, &[goal], q0, &options)?
        };
        Ok(Self { robot, found })
    }
}

impl Ik<'_> {
    /// Answer of `reachable`: a configuration where the target is reached.
    pub(crate) fn verdict(&self) -> Value {
        let reached = self.found.is_success();
        json!({
            "reachable": reached,
            "q": reached.then(|| numbers(&self.found.q)),
            "residual": number(self.found.error()),
            "starts": self.found.starts,
        })
    }
}

impl Answer for Ik<'_> {
    fn json(&self) -> Value {
        json!({
            "success": self.found.is_success(),
            "q": numbers(&self.found.q),
            "residual": number(self.found.error()),
        })
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
        let mut table = Table::new([
            table::words("link"),
            table::numbers("q"),
            table::numbers("q min"),
            table::numbers("q max"),
        ]);
        let model = self.robot.model();
        let limits = model.limits().iter().zip(model.dofs());
        for (&q, (limits, &link)) in self.found.q.iter().zip(limits) {
            let values = [q, limits.q_min, limits.q_max].map(real);
            let name = model.link(link).name().to_owned();
            table.row(std::iter::once(name).chain(values));
        }
        format!(
            "{outcome}: error {position_error:.1e} m and {rotation_error:.1e} rad, \
             {iterations} iterations, {starts} starts\n{table}"
        )
    }
}

/// All analytic solutions.
#[derive(Debug)]
pub(crate) struct Postures<'a> {
    robot: RobotRef<'a>,
    found: Vec<Solution>,
}

impl<'a> Postures<'a> {
    pub(crate) fn of(session: &'a Session, request: &IkRequest) -> Result<Self, Refusal> {
        let (robot, start) = session.posed(&request.start)?;
        let (model, q0) = (robot.model(), start.config());
        let link = session::link(robot, &request.link)?.id();
        let rows = request.rotation.as_ref();
        let rows = rows.ok_or_else(|| Refusal("a full pose is needed".to_owned()))?;
        let r = rotation(rows)?;
        let origin = Vector::from(request.position) - r * Vector::from(request.point);
        let target = Pose::from_parts(origin.into(), r);

        let Some(mut arm) = Analytic::find(model, link, q0, &options(request))? else {
            let link = model.link(link).name();
            let problem = format!(
                "`{link}` of `{}` is not at the end of a 6R arm with a spherical wrist: use `ik` without --all",
                model.name()
            );
            return Err(Refusal(problem));
        };
        let mut found = arm.solve(&target, q0)?;
        if request.avoid_collisions {
            let collider = session.collider()?;
            let mut workspace = session.current_workspace()?;
            found.retain(|posture| {
                let placed = workspace.set_config(robot.id(), &posture.q);
                placed.is_ok() && collider.first_collision_with(&mut workspace).is_none()
            });
        }
        Ok(Self { robot, found })
    }
}

impl Answer for Postures<'_> {
    fn json(&self) -> Value {
        let posture =
            |found: &Solution| json!({ "q": numbers(&found.q), "residual": number(found.error()) });
        let all: Value = self.found.iter().map(posture).collect();
        json!({ "success": !self.found.is_empty(), "postures": all })
    }

    fn text(&self) -> String {
        let model = self.robot.model();
        let names = model.dofs().iter().map(|&link| model.link(link).name());
        let mut table = Table::new(names.map(table::numbers));
        for posture in &self.found {
            table.row(posture.q.iter().copied().map(real));
        }
        match self.found.len() {
            0 => "no posture within the joint limits\n".to_owned(),
            1 => format!("1 posture\n{table}"),
            n => format!("{n} postures, the nearest first\n{table}"),
        }
    }
}

/// Options of the solver.
fn options(request: &IkRequest) -> Options {
    let defaults = Options::default();
    let (seed, tolerance, restarts) = (defaults.seed, defaults.tolerance, defaults.restarts);
    defaults
        .with_restarts(request.restarts.unwrap_or(restarts))
        .with_seed(request.seed.unwrap_or(seed))
        .with_tolerance(request.tolerance.unwrap_or(tolerance))
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
