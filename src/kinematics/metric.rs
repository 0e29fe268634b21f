//! The space of configurations: distance, geodesics, steps. Each joint type measures in its own way, see the room.

use super::blocks::{Block, blocks, euler, rates, rotation, turning};
use super::state::{check, check_length, check_values};
use crate::Result;
use crate::math::{so2, so3};
use crate::robot::Robot;

/// The configuration of all coordinates zero: joints at rest, floating joints at the identity.
#[must_use]
pub fn neutral(robot: &Robot) -> Vec<f64> {
    vec![0.0; robot.n_dofs()]
}

/// How far two configurations are from each other, radians and metres alike.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
/// [`Error::Invalid`](crate::Error::Invalid).
pub fn distance(robot: &Robot, a: &[f64], b: &[f64]) -> Result<f64> {
    check("configuration a", robot, a)?;
    check("configuration b", robot, b)?;
    Ok(weighted_distance(robot, |_| 1.0, a, b))
}

/// [`distance`] with the change of each coordinate times its weight; of a rotation the last coordinate's counts.
pub(crate) fn weighted_distance(
    robot: &Robot,
    weight: impl Fn(usize) -> f64,
    a: &[f64],
    b: &[f64],
) -> f64 {
    let square = |block: Block| match block {
        Block::Weld(_) => 0.0,
        Block::Linear(i) => (weight(i) * (b[i] - a[i])).powi(2),
        Block::Angle(i) => (weight(i) * so2::difference(b[i], a[i])).powi(2),
        Block::Rotation(i) => {
            let angle = so3::distance(&rotation(a, i), &rotation(b, i));
            (weight(i[2]) * angle).powi(2)
        }
    };
    blocks(robot).map(square).sum::<f64>().sqrt()
}

/// The configuration on the way from `a` (`u = 0`) to `b` (`u = 1`); `u` outside goes on in the same way.
///
/// # Errors
///
/// As [`distance`].
///
/// # Examples
///
/// ```
/// use kinworld::kinematics;
/// use kinworld::robot::{JointKind, LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::Vector;
///
/// let mut robot = RobotBuilder::new("wheel");
/// let wheel = robot.add_link(LinkSpec::new("wheel", None, LinkMotion::Revolute(Vector::z())));
/// robot.add_joint(JointKind::Spin, wheel, None);
/// let robot = robot.build()?;
///
/// // the short way from 6 rad to 1 rad is forwards, through 2π
/// let half = kinematics::interpolate(&robot, &[6.0], &[1.0], 0.5)?;
/// assert!((half[0] - (7.0 - std::f64::consts::TAU) / 2.0).abs() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn interpolate(robot: &Robot, a: &[f64], b: &[f64], u: f64) -> Result<Vec<f64>> {
    let mut out = neutral(robot);
    interpolate_into(robot, a, b, u, &mut out)?;
    Ok(out)
}

/// [`interpolate`] without allocation.
///
/// # Errors
///
/// As [`distance`]; then `out` is as it was.
pub fn interpolate_into(
    robot: &Robot,
    a: &[f64],
    b: &[f64],
    u: f64,
    out: &mut [f64],
) -> Result<()> {
    check("configuration a", robot, a)?;
    check("configuration b", robot, b)?;
    check_length("output", robot.n_dofs(), out)?;
    check_values("u", 1, &[u])?;
    for block in blocks(robot) {
        match block {
            Block::Weld(i) | Block::Linear(i) => out[i] = a[i] + u * (b[i] - a[i]),
            Block::Angle(i) => out[i] = so2::normalize(so2::interpolate(a[i], b[i], u)),
            Block::Rotation(i) => {
                let between = so3::interpolate(&rotation(a, i), &rotation(b, i), u);
                euler(&between, i, out);
            }
        }
    }
    Ok(())
}

/// The velocity at `a` of the way to `b` in unit time; coordinates of welds rest.
///
/// # Errors
///
/// As [`distance`].
pub fn interpolate_deriv(robot: &Robot, a: &[f64], b: &[f64]) -> Result<Vec<f64>> {
    let mut out = difference(robot, a, b)?;
    for block in blocks(robot) {
        if let Block::Weld(i) = block {
            out[i] = 0.0;
        }
    }
    Ok(out)
}

/// The step `v` that leads from `a` to `b` the short way: `integrate(a, v)` is `b`, up to whole turns.
///
/// # Errors
///
/// As [`distance`].
pub fn difference(robot: &Robot, a: &[f64], b: &[f64]) -> Result<Vec<f64>> {
    let mut out = neutral(robot);
    difference_into(robot, a, b, &mut out)?;
    Ok(out)
}

/// [`difference`] without allocation.
///
/// # Errors
///
/// As [`distance`]; then `out` is as it was.
pub fn difference_into(robot: &Robot, a: &[f64], b: &[f64], out: &mut [f64]) -> Result<()> {
    check("configuration a", robot, a)?;
    check("configuration b", robot, b)?;
    check_length("output", robot.n_dofs(), out)?;
    for block in blocks(robot) {
        match block {
            Block::Weld(i) | Block::Linear(i) => out[i] = b[i] - a[i],
            Block::Angle(i) => out[i] = so2::difference(b[i], a[i]),
            Block::Rotation(i) => {
                let turn = so3::error(&rotation(b, i), &rotation(a, i));
                rates(a, i, &turn, out);
            }
        }
    }
    Ok(())
}

/// How far each joint goes from `a` to `b`, never negative, per coordinate in rad or m; a rotation of three coordinates
/// has its angle at the last of them.
///
/// # Errors
///
/// As [`distance`].
pub fn changes(robot: &Robot, a: &[f64], b: &[f64]) -> Result<Vec<f64>> {
    check("configuration a", robot, a)?;
    check("configuration b", robot, b)?;
    let mut out = neutral(robot);
    for block in blocks(robot) {
        match block {
            Block::Weld(i) | Block::Linear(i) => out[i] = (b[i] - a[i]).abs(),
            Block::Angle(i) => out[i] = so2::difference(b[i], a[i]).abs(),
            Block::Rotation(i) => out[i[2]] = so3::distance(&rotation(a, i), &rotation(b, i)),
        }
    }
    Ok(out)
}

/// Appends a point of Euclid's space that stands for a configuration: near points for near configurations, whole turns
/// apart included. An angle gives its cosine and sine, a rotation its matrix, scaled so that small distances agree with
/// [`weighted_distance`].
pub(crate) fn picture(robot: &Robot, weight: impl Fn(usize) -> f64, q: &[f64], out: &mut Vec<f64>) {
    for block in blocks(robot) {
        match block {
            Block::Weld(_) => {}
            Block::Linear(i) => out.push(weight(i) * q[i]),
            Block::Angle(i) => out.extend([q[i].cos(), q[i].sin()].map(|x| weight(i) * x)),
            Block::Rotation(i) => {
                let scale = weight(i[2]) * std::f64::consts::FRAC_1_SQRT_2;
                let entries = rotation(q, i).into_inner();
                out.extend(entries.iter().map(|x| x * scale));
            }
        }
    }
}

/// The configuration after a step `v` (n) from `q`: a velocity times a duration.
///
/// The three rates of a rotation are read as an angular velocity at `q` that stays constant.
///
/// # Errors
///
/// As [`distance`].
pub fn integrate(robot: &Robot, q: &[f64], v: &[f64]) -> Result<Vec<f64>> {
    let mut out = neutral(robot);
    integrate_into(robot, q, v, &mut out)?;
    Ok(out)
}

/// [`integrate`] without allocation.
///
/// # Errors
///
/// As [`distance`]; then `out` is as it was.
pub fn integrate_into(robot: &Robot, q: &[f64], v: &[f64], out: &mut [f64]) -> Result<()> {
    check("configuration", robot, q)?;
    check("step", robot, v)?;
    check_length("output", robot.n_dofs(), out)?;
    for block in blocks(robot) {
        match block {
            Block::Weld(i) | Block::Linear(i) => out[i] = q[i] + v[i],
            Block::Angle(i) => out[i] = so2::normalize(q[i] + v[i]),
            Block::Rotation(i) => {
                let turned = so3::from_rotation_vector(&turning(q, i, v)) * rotation(q, i);
                euler(&turned, i, out);
            }
        }
    }
    Ok(())
}
