//! Forward kinematics of many configurations.

use nalgebra::Matrix3;

use super::answer::{self, Answer};
use crate::Result;
use crate::kernel::Frame;
use crate::kinematics::check_length;
use crate::math::{Lanes, Level, Pose, Rotation, Vector};
use crate::robot::{LinkId, Robot};

/// The poses of `links` in the world at each configuration: those of the first configuration in the order of `links`,
/// then those of the second, and so on.
///
/// `configs` holds one configuration of `n` coordinates after the other. A robot without coordinates has no
/// configurations, and the answer is empty.
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
    let count = answer::count(robot, configs)?;
    let mut out = vec![Pose::identity(); count * links.len()];
    poses_into(robot, configs, links, &mut out)?;
    Ok(out)
}

/// [`poses`] into memory of the caller; each thread takes memory for one robot and nothing that grows with the batch.
///
/// # Errors
///
/// As [`poses`], and [`Error::Length`](crate::Error::Length) if `out` does not have one pose per configuration and
/// link; then nothing is written.
///
/// # Panics
///
/// If a link belongs to a larger robot.
pub fn poses_into(
    robot: &Robot,
    configs: &[f64],
    links: &[LinkId],
    out: &mut [Pose],
) -> Result<()> {
    let count = answer::count(robot, configs)?;
    check_length("batch of poses", count * links.len(), out)?;
    let links: Vec<_> = links.iter().map(|&link| Placed::new(robot, link)).collect();
    answer::fill(robot, configs, &Poses(&links), links.len(), out)
}

/// Poses of these links.
struct Poses<'a>(&'a [Placed]);

/// A link on the body that carries it.
struct Placed {
    body: Option<usize>,
    // rows of rotation and origin
    x_bl: [[f64; 4]; 3],
}

impl Placed {
    fn new(robot: &Robot, link: LinkId) -> Self {
        let attachment = robot.attachment(link);
        let (r, t) = (&attachment.x_bl.rotation, &attachment.x_bl.translation);
        Self {
            body: attachment.body,
            x_bl: [0, 1, 2].map(|i| [r[(i, 0)], r[(i, 1)], r[(i, 2)], t.vector[i]]),
        }
    }
}

impl Answer for Poses<'_> {
    type Piece = Pose;

    #[inline(always)]
    fn write<const N: usize, L: Level>(
        &self,
        _: &Robot,
        bodies: &[Frame<Lanes<N, L>>],
        out: &mut [Pose],
    ) {
        for (k, link) in self.0.iter().enumerate() {
            let x_bl = Frame::constant(&link.x_bl);
            let x_wl = match link.body {
                Some(body) => bodies[body].carry(&x_bl),
                None => x_bl,
            };
            unpack(&x_wl, k, self.0.len(), out);
        }
    }
}

/// Writes the pose in each lane as number `k` of the `width` poses of its configuration.
///
/// Not inlined, so that it is compiled without AVX-512: the compiler would make scatter instructions of the loop.
#[inline(never)]
fn unpack<const N: usize, L: Level>(
    x_wl: &Frame<Lanes<N, L>>,
    k: usize,
    width: usize,
    out: &mut [Pose],
) {
    let (r, t) = (x_wl.rotation(), x_wl.origin());
    for (lane, poses) in out.chunks_exact_mut(width).take(N).enumerate() {
        let r = Matrix3::from_fn(|i, j| r[3 * j + i].values()[lane]);
        let t = Vector::from_fn(|i, _| t[i].values()[lane]);
        poses[k] = Pose::from_parts(t.into(), Rotation::from_matrix_unchecked(r));
    }
}
