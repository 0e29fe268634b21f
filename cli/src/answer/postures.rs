//! All postures of an arm by closed formulas: `ik --all`.

use kinworld::kinematics::ik::{Analytic, Solution};
use kinworld::world::RobotRef;
use kinworld::{DofId, Pose, Vector};
use serde_json::{Value, json};

use super::Answer;
use super::ik::{missing as names_of_missing, options};
use crate::config::{unit, unit_name};
use crate::json::{number, numbers};
use crate::missing;
use crate::request::{IkRequest, Refusal};
use crate::session::Session;
use crate::table::{self, Table, real};

/// All analytic solutions.
#[derive(Debug)]
pub(crate) struct Postures<'a> {
    robot: RobotRef<'a>,
    found: Vec<Solution>,
    /// Names of elements without geometry.
    missing: Vec<String>,
    degrees: bool,
}

impl<'a> Postures<'a> {
    pub(crate) fn of(session: &'a Session, request: &IkRequest) -> Result<Self, Refusal> {
        let (robot, start) = session.posed_in(&request.start, request.group.as_deref())?;
        let (model, q0) = (robot.model(), start.config());
        let full = || Refusal("a full pose is needed".to_owned());
        let goal = request.goals.first().ok_or_else(full)?;
        let link = session.link(robot, &goal.link)?.id();
        let r = goal.rotation.ok_or_else(full)?;
        let origin = Vector::from(goal.position) - r * Vector::from(goal.point);
        let target = Pose::from_parts(origin.into(), r);

        let Some(mut arm) = Analytic::find(model, link, q0, &options(robot, request)?)? else {
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
        let missing = names_of_missing(session, request)?;
        Ok(Self {
            robot,
            found,
            missing,
            degrees: request.start.degrees,
        })
    }
}

impl Answer for Postures<'_> {
    fn json(&self) -> Value {
        let posture =
            |found: &Solution| json!({ "q": numbers(&found.q), "residual": number(found.error()) });
        let all: Value = self.found.iter().map(posture).collect();
        let mut answer = json!({ "success": !self.found.is_empty(), "postures": all });
        if let Some(reason) = self.reason() {
            answer["reason"] = reason.into();
        }
        missing::with(answer, &self.missing)
    }

    fn reason(&self) -> Option<String> {
        let reason = "no posture within the joint limits";
        self.found.is_empty().then(|| reason.to_owned())
    }

    fn text(&self) -> String {
        let model = self.robot.model();
        let dofs = || (0..model.n_dofs()).map(DofId::new);
        let heads = dofs().map(|dof| match self.degrees {
            true => format!("{} [{}]", model.dof_name(dof), unit_name(model, dof, true)),
            false => model.dof_name(dof).to_owned(),
        });
        let mut table = Table::new(heads.map(table::numbers));
        for posture in &self.found {
            let values = posture.q.iter().zip(dofs());
            table.row(values.map(|(q, dof)| real(q / unit(model, dof, self.degrees))));
        }
        let postures = match self.found.len() {
            0 => String::new(),
            1 => format!("1 posture\n{table}"),
            n => format!("{n} postures, the nearest first\n{table}"),
        };
        postures + &missing::line(&self.missing)
    }
}
