//! Jacobians of one point at many configurations.

use super::answer::{self, Answer};
use crate::kernel::{self, Frame};
use crate::kinematics::check_length;
use crate::math::{Lanes, Level, Point, Scalar};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// The 6 × n Jacobian of a point fixed to `link` at each configuration, in world axes, orientation rows first.
///
/// Each is what [`kinematics::jacobian`](crate::kinematics::jacobian) gives: six numbers per coordinate, column after
/// column, as nalgebra has them. `configs` holds one configuration of `n` coordinates after the other.
///
/// # Errors
///
/// [`Error::Length`] where the last configuration is not complete, [`Error::Invalid`] for a number that is not finite.
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
    let count = answer::count(robot, configs)?;
    let mut out = vec![0.0; count * 6 * robot.n_dofs()];
    jacobians_into(robot, configs, link, p_link, &mut out)?;
    Ok(out)
}

/// [`jacobians`] into memory of the caller; each thread takes memory for one robot and nothing that grows with the
/// batch.
///
/// # Errors
///
/// As [`jacobians`], and [`Error::Length`] if `out` does not have `6 n` numbers per configuration; then nothing is
/// written.
///
/// # Panics
///
/// If the link belongs to a larger robot.
pub fn jacobians_into(
    robot: &Robot,
    configs: &[f64],
    link: LinkId,
    p_link: &Point,
    out: &mut [f64],
) -> Result<()> {
    let count = answer::count(robot, configs)?;
    let width = 6 * robot.n_dofs();
    check_length("batch of Jacobians", count * width, out)?;
    if !p_link.iter().all(|x| x.is_finite()) {
        return Err(Error::invalid("point", format!("{p_link} must be finite")));
    }
    let attachment = robot.attachment(link);
    let jacobians = Jacobians {
        body: attachment.body,
        p_b: (attachment.x_bl * p_link).coords.into(),
    };
    answer::fill(robot, configs, &jacobians, width, out)
}

/// Jacobians of this point.
struct Jacobians {
    body: Option<usize>,
    // in the frame of the body, or of the world
    p_b: [f64; 3],
}

impl Answer for Jacobians {
    type Piece = f64;

    #[inline(always)]
    fn write<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        bodies: &[Frame<Lanes<N, L>>],
        out: &mut [f64],
    ) {
        out.fill(0.0);
        let Some(body) = self.body else {
            return;
        };
        let p = self.p_b;
        let p_b = [
            Lanes::constant(p[0]),
            Lanes::constant(p[1]),
            Lanes::constant(p[2]),
        ];
        let p_w = bodies[body].apply(p_b);
        for i in robot.tree().chain(self.body) {
            let column = kernel::column(robot.tree(), bodies, i, p_w);
            unpack(&column, i, bodies.len(), out);
        }
    }
}

/// Writes the column in each lane as number `i` of the `n` columns of its configuration.
///
/// Not inlined, so that it is compiled without AVX-512: the compiler would make scatter instructions of the loop.
#[inline(never)]
fn unpack<const N: usize, L: Level>(
    [w, v]: &[[Lanes<N, L>; 3]; 2],
    i: usize,
    n: usize,
    out: &mut [f64],
) {
    for (lane, jacobian) in out.chunks_exact_mut(6 * n).take(N).enumerate() {
        let column = &mut jacobian[6 * i..6 * i + 6];
        for k in 0..3 {
            column[k] = w[k].values()[lane];
            column[3 + k] = v[k].values()[lane];
        }
    }
}
