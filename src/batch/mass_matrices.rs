//! Mass matrices of many configurations.

use super::drive::{self, Inputs, Singular, Stage};
use super::layout::{RowReader, RowWriter};
use super::workspace::Scratch;
use super::{Lanes, Workspace, kernels};
use crate::Result;
use crate::kinematics::check_length;
use crate::math::{Lanes as Wide, Level};
use crate::robot::Robot;

/// The mass matrix at each configuration: n × n numbers, symmetric, as
/// [`dynamics::mass_matrix`](crate::dynamics::mass_matrix) gives them.
///
/// `configs` holds one configuration of `n` numbers after the other.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) where the last configuration is not complete,
/// [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite.
pub fn mass_matrices(robot: &Robot, configs: &[f64]) -> Result<Vec<f64>> {
    let count = drive::count(robot, configs)?;
    let mut out = vec![0.0; count * robot.n_dofs() * robot.n_dofs()];
    mass_matrices_into(robot, configs, &mut Workspace::new(robot), &mut out)?;
    Ok(out)
}

/// [`mass_matrices`] into memory of the caller, without allocation.
///
/// # Errors
///
/// As [`mass_matrices`], and [`Error::Length`](crate::Error::Length) if `out` does not have `n²` numbers per
/// configuration. For a number that is not finite, the contents of `out` are unspecified.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn mass_matrices_into(
    robot: &Robot,
    configs: &[f64],
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    let count = drive::count(robot, configs)?;
    let width = robot.n_dofs() * robot.n_dofs();
    check_length("batch of mass matrices", count * width, out)?;
    let inputs = Inputs::of_configs(RowReader::new(robot, configs));
    let out = RowWriter {
        width,
        // they are symmetric
        row_major: None,
        rows: out,
    };
    drive::drive(robot, &MassMatrices, inputs, count, width, ws, out)
}

/// [`mass_matrices`] from lanes to lanes, without allocation where `out` has held as much before: rows of `n²` numbers.
///
/// # Errors
///
/// As [`mass_matrices`].
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn mass_matrices_lanes(
    robot: &Robot,
    configs: &Lanes,
    ws: &mut Workspace,
    out: &mut Lanes,
) -> Result<()> {
    let count = drive::count_lanes(robot, configs)?;
    let width = robot.n_dofs() * robot.n_dofs();
    out.reset(count, width);
    let inputs = Inputs::of_configs(configs.reader());
    drive::drive(robot, &MassMatrices, inputs, count, width, ws, out.writer())
}

struct MassMatrices;

impl Stage for MassMatrices {
    #[inline(always)]
    fn compute<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        scratch: &mut Scratch<Wide<N, L>>,
        _: usize,
        out: &mut [Wide<N, L>],
    ) -> Result<(), Singular> {
        let tree = robot.tree();
        kernels::forward(tree, &scratch.q, &mut scratch.frames);
        kernels::crba(tree, scratch.frames.bodies(), &mut scratch.crba, out);
        Ok(())
    }
}
