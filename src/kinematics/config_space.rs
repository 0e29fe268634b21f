//! Geometry of the configuration space: distance, interpolation, integration. Each joint type has its own; see the
//! table in the module `kinematics`.

use super::joint_blocks::{
    Block, blocks, euler_angular_velocity, euler_rates, rotation, write_euler,
};
use super::state::{check, check_length, check_values};
use crate::Result;
use crate::math::{so2, so3};
use crate::robot::Robot;

/// The zero configuration: joints at rest, floating joints at the identity.
#[must_use]
pub fn neutral(robot: &Robot) -> Vec<f64> {
    vec![0.0; robot.n_dofs()]
}

/// Distance between two configurations, radians and metres weighted alike.
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

/// [`distance`] with the change of each degree of freedom times its weight; for a rotation the weight of its last
/// one.
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

/// The configuration between `a` (`u = 0`) and `b` (`u = 1`); `u` outside [0, 1] extrapolates.
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
/// // the shorter arc from 6 rad to 1 rad leads up, through 2π
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
                write_euler(&between, i, out);
            }
        }
    }
    Ok(())
}

/// The velocity at `a` of the interpolation to `b` in unit time; zero for welds.
///
/// # Errors
///
/// As [`distance`].
#[doc(alias = "interpolateDeriv")]
pub fn interpolate_deriv(robot: &Robot, a: &[f64], b: &[f64]) -> Result<Vec<f64>> {
    let mut out = difference(robot, a, b)?;
    for block in blocks(robot) {
        if let Block::Weld(i) = block {
            out[i] = 0.0;
        }
    }
    Ok(out)
}

/// The step `v` from `a` to `b` along the shortest path: `integrate(a, v)` is `b`, up to full turns.
///
/// # Errors
///
/// As [`distance`].
#[doc(alias = "mj_differentiatePos")]
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
                let w = so3::error(&rotation(b, i), &rotation(a, i));
                euler_rates(a, i, &w, out);
            }
        }
    }
    Ok(())
}

/// Magnitude of each joint's change from `a` to `b`, in rad or m; the angle of a rotation of three degrees of
/// freedom stands at the last of them.
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

/// Appends a Euclidean nearest-neighbour embedding of a configuration: near configurations have near points, across
/// full turns too. An angle gives its cosine and sine, a rotation its matrix, scaled so that small distances agree
/// with [`weighted_distance`].
pub(crate) fn embed(robot: &Robot, weight: impl Fn(usize) -> f64, q: &[f64], out: &mut Vec<f64>) {
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
/// The three entries of a rotation are read as a constant angular velocity at `q`, not as rates of its angles.
///
/// # Errors
///
/// As [`distance`].
#[doc(alias = "mj_integratePos")]
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
                let rotated =
                    so3::from_rotation_vector(&euler_angular_velocity(q, i, v)) * rotation(q, i);
                write_euler(&rotated, i, out);
            }
        }
    }
    Ok(())
}
