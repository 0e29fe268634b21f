//! Denavit-Hartenberg tables of existing robots.

use super::{DhParameters, DhRow, DhTable, Modified, Standard};
use crate::math::{Pose, Rotation, Vector};
use crate::robot::{DofId, LinkId, LinkMotion, Robot};
use crate::{Error, Result};

/// Modified Denavit-Hartenberg table of the joints between the world and a link, without masses.
///
/// The base is chosen so that α and d of the first row are zero; the tool is the rest after the last row, so that
/// link `tool` of the built robot has the pose of `end`. A table is not unique: x points along the common normal in
/// the direction with the smaller θ, and where neighbouring axes are parallel or collinear, r is 0.
///
/// # Errors
///
/// [`Error::Invalid`] for a link that no joint moves, or an axis whose length is not 1: the values of a table are
/// angles and lengths.
///
/// # Panics
///
/// If the link belongs to a larger robot.
pub fn modified(robot: &Robot, end: LinkId) -> Result<DhTable> {
    let axes = axes(robot, end)?;
    let mut frames = Vec::with_capacity(axes.len());
    for pair in axes.windows(2) {
        let before = frames.last().copied().unwrap_or(pair[0].pose);
        frames.push(pair[0].frame(&pair[1], &before));
    }

    // the last frame as near to the end, and the base as near to the world origin, as the axes allow
    let (first, last) = (&axes[0], &axes[axes.len() - 1]);
    let end_pose = zero_pose(robot, end);
    frames.push(last.frame_near(&end_pose));
    let base = frame(
        first.nearest_to(&Vector::zeros()),
        frames[0].rotation * Vector::x(),
        first.direction,
    );
    let mut rows = Vec::with_capacity(axes.len());
    let mut before = base;
    for (axis, frame) in axes.iter().zip(&frames) {
        let step = before.inv_mul(frame);
        let link = robot.link(axis.link);
        let dof = link.dof().expect("an axis has a degree of freedom");
        rows.push(DhRow {
            prismatic: axis.prismatic,
            limits: robot.limits()[dof.index()],
            initial: robot.initial_config()[dof.index()],
            ..DhRow::revolute(link.name(), row(&step))
        });
        before = *frame;
    }
    Ok(DhTable {
        name: robot.name().to_owned(),
        base,
        rows,
        tool: Some(before.inv_mul(&end_pose)),
    })
}

/// Standard Denavit-Hartenberg table of the joints between the world and a link: θ and d of [`modified`], a and α
/// of the next row.
///
/// # Errors
///
/// As [`modified`].
///
/// # Panics
///
/// As [`modified`].
pub fn standard(robot: &Robot, end: LinkId) -> Result<DhTable> {
    let mut table = modified(robot, end)?;
    let numbers: Vec<_> = table
        .rows
        .iter()
        .map(|row| match row.parameters {
            DhParameters::Modified(row) => row,
            DhParameters::Standard(_) | DhParameters::General(_) => {
                unreachable!("`modified` gives modified rows")
            }
        })
        .collect();

    // after the last joint, the part of the tool that a row can represent
    let tool = table.tool.unwrap_or_else(Pose::identity);
    let r = tool.rotation.matrix();
    let last = Modified {
        alpha: r[(2, 1)].atan2(r[(2, 2)]),
        d: tool.translation.x,
        ..Modified::default()
    };
    table.tool = Some(last.transform().inv_mul(&tool));
    for (i, row) in table.rows.iter_mut().enumerate() {
        let next = numbers.get(i + 1).unwrap_or(&last);
        row.parameters = DhParameters::Standard(Standard {
            theta: numbers[i].theta,
            d: numbers[i].r,
            a: next.d,
            alpha: next.alpha,
        });
    }
    Ok(table)
}

/// The degrees of freedom that the rows of [`modified`] and [`standard`] are about, in their order.
///
/// Row `i` is about the joint of link `robot.dofs()[dofs[i].index()]`.
///
/// # Errors
///
/// As [`modified`].
///
/// # Panics
///
/// As [`modified`].
pub fn row_dofs(robot: &Robot, end: LinkId) -> Result<Vec<DofId>> {
    let dof = |axis: &Axis| {
        robot
            .link(axis.link)
            .dof()
            .expect("an axis has a degree of freedom")
    };
    Ok(axes(robot, end)?.iter().map(dof).collect())
}

/// The values of a configuration (n) that the rows of [`modified`] and [`standard`] take: with them,
/// [`DhTable::link_frames`] and [`DhTable::joint_frames`] are the frames of the table on this robot.
///
/// # Errors
///
/// As [`modified`], and [`Error::Length`] unless there is one number per degree of freedom.
///
/// # Panics
///
/// As [`modified`].
///
/// # Examples
///
/// ```
/// use kinworld::robot::dh;
/// use kinworld::{Robot, State};
///
/// let arm = Robot::load("data/robots/puma560.urdf")?.value;
/// let (hand, q) = (arm.link_id("link6")?, [0.3, 0.5, -0.4, 0.3, 0.6, 0.2]);
/// let table = dh::standard(&arm, hand)?;
/// let frames = table.link_frames(&dh::row_values(&arm, hand, &q)?)?;
///
/// // the last frame, and the tool behind it, is the pose of the hand
/// let mut state = State::new(&arm);
/// state.set_config(&arm, &q)?;
/// let tool = table.tool.expect("a table that was read has one");
/// let off = (frames[5] * tool).inv_mul(&state.pose(&arm, hand));
/// assert!(off.translation.vector.norm() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn row_values(robot: &Robot, end: LinkId, q: &[f64]) -> Result<Vec<f64>> {
    if q.len() != robot.n_dofs() {
        return Err(Error::Length {
            what: "configuration",
            expected: robot.n_dofs(),
            found: q.len(),
        });
    }
    Ok(row_dofs(robot, end)?
        .iter()
        .map(|dof| q[dof.index()])
        .collect())
}

/// Axis of a joint in the world at q = 0.
struct Axis {
    link: LinkId,
    prismatic: bool,
    /// Pose of the link; the axis passes through its origin.
    pose: Pose,
    direction: Vector,
}

impl Axis {
    /// The frame with z along the axis and x along the common normal with the next axis, as near to `before` as
    /// the axes allow.
    fn frame(&self, next: &Self, before: &Pose) -> Pose {
        let z = self.direction;
        let x_ref = before.rotation * Vector::x();
        let foot = self.nearest_to(&before.translation.vector);
        let across = z.cross(&next.direction);
        let offset = next.pose.translation.vector - self.pose.translation.vector;
        let (origin, x) = if across.norm() > PARALLEL {
            // the feet of the common normal: Δ + t z' − s z is along z × z'
            let square = across.norm_squared();
            let s = offset.cross(&next.direction).dot(&across) / square;
            (self.pose.translation.vector + z * s, across)
        } else {
            let x = next.nearest_to(&foot) - foot;
            (foot, if x.norm() > COINCIDENT { x } else { x_ref })
        };

        // of the two directions of the normal the one with the smaller θ
        let flip = x.dot(&x_ref) < -COINCIDENT * x.norm();
        frame(origin, if flip { -x } else { x }, z)
    }

    /// The frame with z along the axis that is nearest to another.
    fn frame_near(&self, other: &Pose) -> Pose {
        let origin = self.nearest_to(&other.translation.vector);
        frame(origin, other.rotation * Vector::x(), self.direction)
    }

    /// The point of the axis that is nearest to `p`.
    fn nearest_to(&self, p: &Vector) -> Vector {
        let origin = self.pose.translation.vector;
        origin + self.direction * self.direction.dot(&(p - origin))
    }
}

/// Sine of the angle below which axes count as parallel: their common normal would be so far away that digits are
/// lost.
const PARALLEL: f64 = 1e-8;
/// Distance below which points coincide, m.
const COINCIDENT: f64 = 1e-9;

/// Frame with this z and an x as near to `x` as possible.
fn frame(origin: Vector, x: Vector, z: Vector) -> Pose {
    let across = |x: Vector| x - z * z.dot(&x);
    let mut x_ref = across(x);
    if x_ref.norm() <= COINCIDENT * x.norm() {
        // any perpendicular direction
        x_ref = across(Vector::ith((z.iamax() + 1) % 3, 1.0));
    }
    let x = x_ref.normalize();
    let axes = nalgebra::Matrix3::from_columns(&[x, z.cross(&x), z]);
    Pose::from_parts(origin.into(), Rotation::from_matrix_unchecked(axes))
}

/// Parameters of a transform `Rx(α) Tx(d) Rz(θ) Tz(r)`.
fn row(step: &Pose) -> Modified {
    let (r, t) = (step.rotation.matrix(), step.translation.vector);

    // 0 − x instead of −x: no angle becomes −0
    let alpha = (0.0 - r[(1, 2)]).atan2(r[(2, 2)]);
    Modified {
        alpha,
        d: t.x,
        theta: (0.0 - r[(0, 1)]).atan2(r[(0, 0)]),
        r: t.z * alpha.cos() - t.y * alpha.sin(),
    }
}

/// Axes between the world and a link, in this order.
fn axes(robot: &Robot, end: LinkId) -> Result<Vec<Axis>> {
    let refuse = |problem: String| {
        let what = format!(
            "table of `{}` in robot `{}`",
            robot.link(end).name(),
            robot.name()
        );
        Err(Error::invalid(what, problem))
    };
    let mut chain: Vec<LinkId> = std::iter::once(end).chain(robot.ancestors(end)).collect();
    chain.reverse();
    let mut axes: Vec<Axis> = Vec::new();
    for id in chain {
        let link = robot.link(id);
        let (axis, prismatic) = match link.motion() {
            LinkMotion::Fixed => continue,
            LinkMotion::Revolute(axis) => (axis, false),
            LinkMotion::Prismatic(axis) => (axis, true),
        };
        if (axis.norm() - 1.0).abs() > 1e-6 {
            let problem = format!(
                "the axis of `{}` has length {}, not 1",
                link.name(),
                axis.norm()
            );
            return refuse(problem);
        }
        let pose = zero_pose(robot, id);
        axes.push(Axis {
            link: id,
            prismatic,
            direction: (pose.rotation * axis).normalize(),
            pose,
        });
    }
    if axes.is_empty() {
        return refuse("no joint moves it".to_owned());
    }
    Ok(axes)
}

/// World pose of a link at q = 0.
fn zero_pose(robot: &Robot, link: LinkId) -> Pose {
    let mut pose = Pose::identity();
    let mut next = Some(link);
    while let Some(id) = next {
        let link = robot.link(id);
        pose = link.placement() * pose;
        next = link.parent();
    }
    pose
}
