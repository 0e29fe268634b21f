//! Where a robot has to be so that a link is somewhere: `ik`.

use kinworld::kinematics::ik::{self, Objective, Options, RotationGoal, Solution, Stop};
use kinworld::world::RobotRef;
use kinworld::{Rotation, Vector};
use serde_json::{Value, json};

use super::Answer;
use crate::json::{number, numbers};
use crate::request::{Reach, Refusal};
use crate::session::{self, Session};
use crate::table::{self, Table, real};

/// The configuration that reaches, or comes nearest.
#[derive(Debug)]
pub(crate) struct Ik<'a> {
    robot: RobotRef<'a>,
    found: Solution,
}

impl<'a> Ik<'a> {
    pub(crate) fn of(session: &'a Session, reach: &Reach) -> Result<Self, Refusal> {
        let (robot, start) = session.posed(&reach.start)?;
        let link = session::link(robot, &reach.link)?.id();
        let goal = Objective::point(link, reach.point.into(), reach.position.into());
        let goal = match &reach.rotation {
            Some(rows) => goal.with_rotation(RotationGoal::Fixed(rotation(rows)?)),
            None => goal,
        };
        let defaults = Options::default();
        let options = Options {
            seed: reach.seed.unwrap_or(defaults.seed),
            tolerance: reach.tolerance.unwrap_or(defaults.tolerance),
            ..defaults
        };
        let (model, q0) = (robot.model(), start.config());
        let found = if reach.avoid_collisions {
            let collider = session.collider()?;
            let mut workspace = collider.workspace();
            ik::solve_global(model, &[goal], q0, &options, |q| {
                // a place out of the numbers is no place to be
                workspace.set_config(robot.id(), q).is_ok()
                    && collider.first_collision_with(&mut workspace).is_none()
            })?
        } else {
            ik::solve(model, &[goal], q0, &options)?
        };
        Ok(Self { robot, found })
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
        let outcome = match self.found.stop {
            Stop::Reached => "reached",
            Stop::Infeasible => "reached, but only by colliding",
            _ => "out of reach, this is as near as it gets",
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
            "{outcome}: off by {position_error:.1e} m and {rotation_error:.1e} rad, \
             {iterations} steps from {starts} starts\n{table}"
        )
    }
}

/// Three rows as a rotation, if they are one.
fn rotation(rows: &[[f64; 3]; 3]) -> Result<Rotation, Refusal> {
    let column = |j: usize| Vector::new(rows[0][j], rows[1][j], rows[2][j]);
    let rotation = Rotation::from_basis_unchecked(&[column(0), column(1), column(2)]);
    let defect = kinworld::math::so3::defect(&rotation);
    if defect > ROUNDED {
        let problem =
            "`rotation` must be a rotation: rows of length 1, across each other, no mirror";
        return Err(Refusal(problem.to_owned()));
    }
    Ok(kinworld::math::so3::orthonormalized(&rotation))
}

/// How far from orthonormal a rotation that was printed with a few digits may be.
const ROUNDED: f64 = 1e-3;
