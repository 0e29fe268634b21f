//! Jacobians of one point at many configurations.

use super::drive::{self, Inputs, Singular, Stage};
use super::layout::{RowReader, RowWriter, Shape};
use super::workspace::Scratch;
use super::{Lanes, Workspace, kernels};
use crate::Result;
use crate::kernel;
use crate::kinematics::check_length;
use crate::math::linear::constant3;
use crate::math::{Lanes as Wide, Level, Point, Scalar};
use crate::robot::{LinkId, Robot};

/// The 6 × n Jacobian of a point fixed to `link` at each configuration, in world axes, orientation rows first.
///
/// As [`kinematics::jacobian`](crate::kinematics::jacobian) gives them: six numbers per degree of freedom, column after
/// column, as nalgebra has them. `configs` holds one configuration of `n` numbers after the other.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) where the last configuration is not complete,
/// [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite.
///
/// # Panics
///
/// If the link belongs to a larger robot.
///
/// # Examples
///
/// ```
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::{Point, Vector, batch};
///
/// let mut robot = RobotBuilder::new("hand of a clock");
/// let hand = robot.add_link(LinkSpec::new("hand", None, LinkMotion::Revolute(-Vector::z())));
/// let robot = robot.build()?;
///
/// // the tip of the hand, 2 m long, goes down at three o'clock and up at nine
/// let tip = Point::new(2.0, 0.0, 0.0);
/// let j = batch::jacobians(&robot, &[0.0, std::f64::consts::PI], hand, &tip)?;
/// assert_eq!(j[..6], [0.0, 0.0, -1.0, 0.0, -2.0, 0.0]);
/// assert_eq!(j[6..][4], 2.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn jacobians(robot: &Robot, configs: &[f64], link: LinkId, p_link: &Point) -> Result<Vec<f64>> {
    let count = drive::count(robot, configs)?;
    let mut out = vec![0.0; count * 6 * robot.n_dofs()];
    let mut ws = Workspace::new(robot);
    jacobians_into(robot, configs, link, p_link, &mut ws, &mut out)?;
    Ok(out)
}

/// [`jacobians`] into memory of the caller, without allocation; column after column, or [row after
/// row](Workspace::with_row_major).
///
/// # Errors
///
/// As [`jacobians`], and [`Error::Length`](crate::Error::Length) if `out` does not have `6 n` numbers per configuration.
/// For a configuration that is not finite, the contents of `out` are unspecified.
///
/// # Panics
///
/// If the link belongs to a larger robot, or the workspace was made for a smaller one.
pub fn jacobians_into(
    robot: &Robot,
    configs: &[f64],
    link: LinkId,
    p_link: &Point,
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    let count = drive::count(robot, configs)?;
    let width = 6 * robot.n_dofs();
    check_length("batch of Jacobians", count * width, out)?;
    let stage = Jacobians::new(robot, link, p_link)?;
    let inputs = Inputs::of_configs(RowReader::new(robot, configs));
    let row_major = ws.row_major.then(|| Shape(6, robot.n_dofs()));
    let out = RowWriter {
        width,
        row_major,
        rows: out,
    };
    drive::drive(robot, &stage, inputs, count, width, ws, out)
}

/// [`jacobians`] from lanes to lanes, without allocation where `out` has held as much before: rows of `6 n` numbers.
///
/// # Errors
///
/// As [`jacobians`].
///
/// # Panics
///
/// If the link belongs to a larger robot, or the workspace was made for a smaller one.
pub fn jacobians_lanes(
    robot: &Robot,
    configs: &Lanes,
    link: LinkId,
    p_link: &Point,
    ws: &mut Workspace,
    out: &mut Lanes,
) -> Result<()> {
    let count = drive::count_lanes(robot, configs)?;
    let stage = Jacobians::new(robot, link, p_link)?;
    let width = 6 * robot.n_dofs();
    out.reset(count, width);
    let inputs = Inputs::of_configs(configs.reader());
    drive::drive(robot, &stage, inputs, count, width, ws, out.writer())
}

/// Jacobians of this point.
struct Jacobians {
    body: Option<usize>,
    // in the frame of the body, or of the world
    p_b: [f64; 3],
}

impl Jacobians {
    fn new(robot: &Robot, link: LinkId, p_link: &Point) -> Result<Self> {
        drive::check_vector("point", p_link.coords.as_slice())?;
        let attachment = robot.attachment(link);
        Ok(Self {
            body: attachment.body,
            p_b: (attachment.x_bl * p_link).coords.into(),
        })
    }
}

impl Stage for Jacobians {
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
        let bodies = scratch.frames.bodies();
        out.fill(Wide::constant(0.0));
        if let Some(body) = self.body {
            let p_w = bodies[body].apply(constant3(&self.p_b));
            let (columns, _) = out.as_chunks_mut::<6>();
            kernel::jacobian(tree, bodies, self.body, p_w, columns);
        }
        Ok(())
    }
}
