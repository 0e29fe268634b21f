//! Forward kinematics of many configurations.

use nalgebra::{IsometryMatrix3, Translation3};

use super::drive::{self, Inputs, Singular, Stage};
use super::layout::{MatrixWriter, POSE, PoseWriter, RowReader};
use super::workspace::Scratch;
use super::{Lanes, Workspace, kernels};
use crate::Result;
use crate::kernel::Frame;
use crate::kinematics::check_length;
use crate::math::linear::constant3;
use crate::math::{Lanes as Wide, Level, Number, Pose};
use crate::robot::{LinkId, Robot};

/// The poses of `links` in the world at each configuration: those of the first configuration in the order of `links`,
/// then those of the second, and so on.
///
/// `configs` holds one configuration of `n` numbers after the other. A robot without degrees of freedom has no
/// configurations, and the result is empty.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) where the last configuration is not complete,
/// [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite.
///
/// # Panics
///
/// If a link belongs to a larger robot.
///
/// # Examples
///
/// ```
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::{Vector, batch};
///
/// let mut robot = RobotBuilder::new("lift");
/// let lift = robot.add_link(LinkSpec::new("lift", None, LinkMotion::Prismatic(Vector::z())));
/// let robot = robot.build()?;
///
/// let poses = batch::poses(&robot, &[0.1, 0.2, 0.3], &[lift])?;
/// assert_eq!(poses.len(), 3);
/// assert_eq!(poses[2].translation.z, 0.3);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn poses(robot: &Robot, configs: &[f64], links: &[LinkId]) -> Result<Vec<Pose>> {
    let count = drive::count(robot, configs)?;
    let mut out = vec![Pose::identity(); count * links.len()];
    let mut ws = Workspace::new(robot);
    poses_into(robot, configs, links, &mut ws, &mut out)?;
    Ok(out)
}

/// [`poses`] into memory of the caller, without allocation.
///
/// # Errors
///
/// As [`poses`], and [`Error::Length`](crate::Error::Length) if `out` does not have one pose per configuration and
/// link. For a number that is not finite, the contents of `out` are unspecified.
///
/// # Panics
///
/// If a link belongs to a larger robot, or the workspace was made for a smaller one.
pub fn poses_into(
    robot: &Robot,
    configs: &[f64],
    links: &[LinkId],
    ws: &mut Workspace,
    out: &mut [Pose],
) -> Result<()> {
    let count = drive::count(robot, configs)?;
    check_length("batch of poses", count * links.len(), out)?;
    let width = links.len();
    let inputs = Inputs::of_configs(RowReader::new(robot, configs));
    let out = PoseWriter { width, poses: out };
    drive::drive(robot, &Poses(links), inputs, count, POSE * width, ws, out)
}

/// [`poses`] as homogeneous matrices 4 × 4 into memory of the caller, without allocation: sixteen numbers each, row after
/// row, as C and NumPy have matrices.
///
/// # Errors
///
/// As [`poses`], and [`Error::Length`](crate::Error::Length) if `out` does not have one matrix per configuration and link.
/// For a configuration that is not finite, the contents of `out` are unspecified.
///
/// # Panics
///
/// If a link belongs to a larger robot, or the workspace was made for a smaller one.
pub fn pose_matrices_into(
    robot: &Robot,
    configs: &[f64],
    links: &[LinkId],
    ws: &mut Workspace,
    out: &mut [[f64; 16]],
) -> Result<()> {
    let count = drive::count(robot, configs)?;
    check_length("batch of poses", count * links.len(), out)?;
    let width = links.len();
    let inputs = Inputs::of_configs(RowReader::new(robot, configs));
    let out = MatrixWriter {
        width,
        matrices: out,
    };
    drive::drive(robot, &Poses(links), inputs, count, POSE * width, ws, out)
}

/// [`poses`] from lanes to lanes, without allocation where `out` has held as much before: rows of twelve numbers per
/// link, the columns of the rotation and the translation, see [`Lanes::pose`].
///
/// # Errors
///
/// As [`poses`].
///
/// # Panics
///
/// If a link belongs to a larger robot, or the workspace was made for a smaller one.
pub fn poses_lanes(
    robot: &Robot,
    configs: &Lanes,
    links: &[LinkId],
    ws: &mut Workspace,
    out: &mut Lanes,
) -> Result<()> {
    let count = drive::count_lanes(robot, configs)?;
    let width = POSE * links.len();
    out.reset(count, width);
    let inputs = Inputs::of_configs(configs.reader());
    drive::drive(robot, &Poses(links), inputs, count, width, ws, out.writer())
}

/// [`poses`] in single precision: twice as many configurations at once, and half the memory.
///
/// Tested against [`poses`] on trees of up to 60 links and a floating base: entries of rotations, and translations in
/// metres, to 10⁻⁵ times the distance of the farthest link from the world's origin, or 10⁻⁵ where all are nearer than a
/// metre. Longer chains accumulate more rounding, and near 10⁴ rad the spacing of `f32` is a thousandth.
///
/// # Errors
///
/// As [`poses`], and [`Error::Invalid`](crate::Error::Invalid) for a number too large for `f32`, which is then infinite.
///
/// # Panics
///
/// If a link belongs to a larger robot.
///
/// # Examples
///
/// ```
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::{Vector, batch};
///
/// let mut robot = RobotBuilder::new("lift");
/// let lift = robot.add_link(LinkSpec::new("lift", None, LinkMotion::Prismatic(Vector::z())));
/// let robot = robot.build()?;
///
/// let poses = batch::poses_f32(&robot, &[0.1, 0.2, 0.3], &[lift])?;
/// assert_eq!(poses.len(), 3);
/// assert_eq!(poses[2].translation.z, 0.3_f32);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn poses_f32(
    robot: &Robot,
    configs: &[f32],
    links: &[LinkId],
) -> Result<Vec<IsometryMatrix3<f32>>> {
    let count = drive::count(robot, configs)?;
    let mut out = vec![IsometryMatrix3::identity(); count * links.len()];
    let mut ws = Workspace::new(robot);
    poses_f32_into(robot, configs, links, &mut ws, &mut out)?;
    Ok(out)
}

/// [`poses_f32`] into memory of the caller, without allocation once the workspace has been used for it.
///
/// # Errors
///
/// As [`poses_f32`], and [`Error::Length`](crate::Error::Length) if `out` does not have one pose per configuration and
/// link. For a number that is not finite, the contents of `out` are unspecified.
///
/// # Panics
///
/// If a link belongs to a larger robot.
pub fn poses_f32_into(
    robot: &Robot,
    configs: &[f32],
    links: &[LinkId],
    ws: &mut Workspace,
    out: &mut [IsometryMatrix3<f32>],
) -> Result<()> {
    let count = drive::count(robot, configs)?;
    check_length("batch of poses", count * links.len(), out)?;
    ws.prepare_single_precision(robot);
    let width = links.len();
    let inputs = Inputs::of_configs(RowReader::new(robot, configs));
    let out = PoseWriter { width, poses: out };
    drive::drive(robot, &Poses(links), inputs, count, POSE * width, ws, out)
}

/// Poses of these links.
struct Poses<'a>(&'a [LinkId]);

impl<T: Number> Stage<T> for Poses<'_> {
    #[inline(always)]
    fn compute<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        scratch: &mut Scratch<Wide<N, L, T>>,
        _: usize,
        out: &mut [Wide<N, L, T>],
    ) -> Result<(), Singular> {
        kernels::forward(robot.tree(), &scratch.q, &mut scratch.frames);
        let bodies = scratch.frames.bodies();
        let world = Frame::constant(&WORLD);
        let (out, _) = out.as_chunks_mut::<POSE>();
        for (out, &link) in out.iter_mut().zip(self.0) {
            let attachment = robot.attachment(link);
            let (r, t) = (
                attachment.x_bl.rotation.matrix(),
                &attachment.x_bl.translation,
            );
            let body = match attachment.body {
                Some(body) => &bodies[body],
                None => &world,
            };
            let [x, y, z] = attachment.along;
            let [a, b, c] = body.direction(x, [r[0], r[1], r[2]]);
            let [d, e, f] = body.direction(y, [r[3], r[4], r[5]]);
            let [g, h, i] = body.direction(z, [r[6], r[7], r[8]]);
            let mut p = body.origin();
            if *t != Translation3::identity() {
                p = body.apply(constant3(&t.vector.into()));
            }
            *out = [a, b, c, d, e, f, g, h, i, p[0], p[1], p[2]];
        }
        Ok(())
    }
}

/// Frame of links that are fixed in the world: rows.
const WORLD: [[f64; 4]; 3] = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
];
