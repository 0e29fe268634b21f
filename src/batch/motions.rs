//! Inputs that inverse and forward dynamics share with their derivatives: motions, and one gravity for all.

use super::drive::{self, Inputs, Stage};
use super::layout::{RowReader, RowWriter, Shape};
use super::{Lanes, Workspace};
use crate::Result;
use crate::kinematics::check_length;
use crate::math::Vector;
use crate::robot::Robot;

/// Motions to evaluate, in slices or in lanes.
pub(super) struct Motions<'a, S: ?Sized> {
    configs: &'a S,
    velocities: &'a S,
    input: Input<'a, S>,
    gravity: &'a Vector,
}

/// The input of the dynamics beside configurations and velocities.
pub(super) enum Input<'a, S: ?Sized> {
    Accelerations(&'a S),
    Torques(&'a S),
    /// Zero accelerations.
    Nothing,
}

/// A function of dynamics, evaluated for each motion.
pub(super) trait Dynamics: Stage {
    /// Name of a batch of results, for messages.
    const ANSWERS: &'static str;

    /// Whether a result consists of matrices n × n.
    const MATRICES: bool = false;

    /// The function at a gravity.
    fn under(gravity: [f64; 3]) -> Self;

    /// Size of a result.
    fn width(robot: &Robot) -> usize {
        robot.n_dofs()
    }
}

impl Motions<'_, [f64]> {
    /// Returns the results, row after row.
    pub(super) fn evaluate<D: Dynamics>(&self, robot: &Robot) -> Result<Vec<f64>> {
        let mut out = vec![0.0; drive::count(robot, self.configs)? * D::width(robot)];
        self.evaluate_into::<D>(robot, &mut Workspace::new(robot), &mut out)?;
        Ok(out)
    }

    /// Writes the results, row after row.
    pub(super) fn evaluate_into<D: Dynamics>(
        &self,
        robot: &Robot,
        ws: &mut Workspace,
        out: &mut [f64],
    ) -> Result<()> {
        let (count, width) = (drive::count(robot, self.configs)?, D::width(robot));
        let expected = self.configs.len();
        check_length("batch of velocities", expected, self.velocities)?;
        let input = match self.input {
            Input::Accelerations(rows) => Some(("batch of accelerations", "acceleration", rows)),
            Input::Torques(rows) => Some(("batch of torques", "torque", rows)),
            Input::Nothing => None,
        };
        if let Some((what, _, rows)) = input {
            check_length(what, expected, rows)?;
        }
        check_length(D::ANSWERS, count * width, out)?;
        let inputs = Inputs {
            q: RowReader::new(robot, self.configs),
            dq: Some(RowReader::new(robot, self.velocities)),
            input: input.map(|(_, one, rows)| (one, RowReader::new(robot, rows))),
        };
        let row_major =
            (ws.row_major && D::MATRICES).then(|| Shape(robot.n_dofs(), robot.n_dofs()));
        let out = RowWriter {
            width,
            row_major,
            rows: out,
        };
        drive::drive(robot, &self.stage::<D>()?, inputs, count, width, ws, out)
    }
}

impl Motions<'_, Lanes> {
    /// Writes the results, in lanes.
    pub(super) fn evaluate_into<D: Dynamics>(
        &self,
        robot: &Robot,
        ws: &mut Workspace,
        out: &mut Lanes,
    ) -> Result<()> {
        let (count, width) = (drive::count_lanes(robot, self.configs)?, D::width(robot));
        drive::check_lanes("velocities in lanes", robot, count, self.velocities)?;
        let input = match self.input {
            Input::Accelerations(rows) => Some(("accelerations in lanes", "acceleration", rows)),
            Input::Torques(rows) => Some(("torques in lanes", "torque", rows)),
            Input::Nothing => None,
        };
        if let Some((what, _, lanes)) = input {
            drive::check_lanes(what, robot, count, lanes)?;
        }
        let stage = self.stage::<D>()?;
        out.reset(count, width);
        let inputs = Inputs {
            q: self.configs.reader(),
            dq: Some(self.velocities.reader()),
            input: input.map(|(_, one, lanes)| (one, lanes.reader())),
        };
        drive::drive(robot, &stage, inputs, count, width, ws, out.writer())
    }
}

impl<'a, S: ?Sized> Motions<'a, S> {
    pub(super) fn new(
        configs: &'a S,
        velocities: &'a S,
        input: Input<'a, S>,
        gravity: &'a Vector,
    ) -> Self {
        Self {
            configs,
            velocities,
            input,
            gravity,
        }
    }

    fn stage<D: Dynamics>(&self) -> Result<D> {
        drive::check_vector("gravity", self.gravity.as_slice())?;
        Ok(D::under((*self.gravity).into()))
    }
}
