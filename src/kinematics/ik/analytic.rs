//! Analytic IK for 6R arms with a spherical wrist: the arm is recognised from its axes, and closed formulas give its postures.

use std::f64::consts::TAU;

use nalgebra::Matrix3;

use super::ortho_parallel::OrthoParallel;
use super::{Objective, Options, Solution, Solver};
use crate::Result;
use crate::kinematics::{State, check};
use crate::math::{Pose, Rotation, Vector, se3};
use crate::robot::{DofId, LinkId, LinkMotion, Robot};

/// Analytic IK solver for a 6R arm with an ortho-parallel base and a spherical wrist: most industrial arms.
///
/// Axis 2 ⟂ axis 1, axis 3 ∥ axis 2, axis 4 ⟂ axis 3, and axes 4 to 6 intersect in a point, each perpendicular to
/// the next. A pose then has at most eight postures in closed form: Brandstötter, Angerer and Hofbaur (2014), "An
/// analytical solution of the inverse kinematics problem of industrial serial manipulators with an ortho-parallel
/// basis and a spherical wrist".
///
/// The seven lengths, the signs and the zeros of the joints follow from the axes, wherever a file puts the link
/// frames. Arms that fit to within a thousandth of their length, as in files with rounded or measured numbers, are
/// accepted: the [`Solver`] refines every posture, and those that it cannot bring to the pose are dropped.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::{Analytic, Options};
/// use kinworld::{Robot, State};
///
/// let puma = Robot::load("data/robots/puma560.urdf")?.value;
/// let hand = puma.link_id("tool")?;
/// let q = [0.3, 0.5, -0.2, 0.4, 0.6, 0.1];
/// let mut state = State::new(&puma);
/// state.set_config(&puma, &q)?;
///
/// let mut arm = Analytic::find(&puma, hand, &q, &Options::default())?.expect("a spherical wrist");
/// let postures = arm.solve(&state.pose(&puma, hand), &q)?;
/// assert!(postures.len() > 1 && postures.iter().all(|posture| posture.error() <= 1e-9));
///
/// // the nearest one first
/// assert!(postures[0].q.iter().zip(q).all(|(ours, q)| (ours - q).abs() < 1e-9));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Analytic<'r> {
    robot: &'r Robot,
    link: LinkId,
    solver: Solver<'r>,
    joints: [Joint; 6],
    /// Configuration for the degrees of freedom that do not belong to the arm.
    config: Vec<f64>,
    arm: OrthoParallel,
    /// World pose of the base frame of the formulas.
    base: Pose,
    /// Pose of the wrist frame of the formulas in the link.
    tool: Pose,
    /// Bound on the difference between angles of the formulas and of the robot, rad.
    tolerance: f64,
}

/// One of the six joints.
#[derive(Debug, Clone, Copy)]
struct Joint {
    dof: usize,
    /// Rotation per unit of its degree of freedom: the length of its axis.
    rate: f64,
    lower: f64,
    upper: f64,
}

/// A line in the world.
#[derive(Debug, Clone, Copy)]
struct Axis {
    through: Vector,
    along: Vector,
}

impl<'r> Analytic<'r> {
    /// Finds the arm that carries a link; `None` where it is not of this kind.
    ///
    /// Inactive degrees of freedom (see [`Options::active`]) and welds stay as in `q0` (n): choose six active
    /// ones of a longer chain. Secondary objectives, posture and restarts of the options are ignored.
    ///
    /// # Errors
    ///
    /// As [`Solver::new`] and [`Solver::solve`].
    pub fn find(
        robot: &'r Robot,
        link: LinkId,
        q0: &[f64],
        options: &Options,
    ) -> Result<Option<Self>> {
        check("configuration", robot, q0)?;
        let options = Options {
            restarts: 0,
            secondary: Vec::new(),
            posture: None,
            ..options.clone()
        };
        let goal = Objective::pose(link, &Pose::identity());
        let solver = Solver::new(robot, &[goal], &options)?;
        let Some(joints) = joints(robot, link, &solver) else {
            return Ok(None);
        };
        let mut config = q0.to_vec();
        for follow in &solver.variables().follows {
            // its fixed value, or zero for a joint of the arm
            let fixed = follow
                .scale
                .mul_add(solver.variables().lower[follow.variable], follow.offset);
            let moves = joints.iter().any(|joint| joint.dof == follow.dof);
            config[follow.dof] = if moves { 0.0 } else { fixed };
        }
        let mut state = State::new(robot);
        state.set_config(robot, &config)?;
        let axes = joints.map(|joint| {
            let link = robot.dofs()[joint.dof];
            let pose = state.pose(robot, link);
            let along = match robot.link(link).motion() {
                LinkMotion::Revolute(axis) => pose.rotation * axis / joint.rate,
                LinkMotion::Prismatic(_) | LinkMotion::Fixed => Vector::zeros(),
            };
            let through = pose.translation.vector;
            Axis { through, along }
        });
        let size = size(&axes);
        let Some((arm, base)) = fit(&axes, size) else {
            return Ok(None);
        };
        let end = state.pose(robot, link);
        let mut analytic = Self {
            tolerance: 0.0,
            tool: end.inv_mul(&(base * arm.forward(&[0.0; 6]))),
            robot,
            link,
            solver,
            joints,
            config,
            arm,
            base,
        };
        let error = analytic.model_error(&mut state, size)?;
        analytic.tolerance = 1e-7 + 20.0 * error;
        Ok((error <= 4.0 * FIT_TOLERANCE).then_some(analytic))
    }

    /// Largest difference between the pose by the formulas and by the robot, rad and relative to the arm's
    /// length.
    fn model_error(&self, state: &mut State, size: f64) -> Result<f64> {
        let mut worst = 0.0_f64;
        let mut q = self.config.clone();
        for k in 1..5 {
            let angle = |i: usize| ((7 * k + 3 * i) as f64).sin() * 2.0;
            let angles = [0, 1, 2, 3, 4, 5].map(angle);
            for (joint, angle) in self.joints.iter().zip(angles) {
                q[joint.dof] = angle / joint.rate;
            }
            state.set_config(self.robot, &q)?;
            let wrist = self.arm.forward(&angles);
            let theirs = state.pose(self.robot, self.link) * self.tool;
            let error = se3::error(&(self.base * wrist), &theirs);
            worst = worst
                .max(error.linear.norm() / size)
                .max(error.angular.norm());
        }
        Ok(worst)
    }

    /// The six degrees of freedom, from the base to the wrist.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = DofId> + '_ {
        self.joints.iter().map(|joint| DofId::new(joint.dof))
    }

    /// Every posture within the limits that brings the link to a pose, the nearest to `near` (n) first; none
    /// for an unreachable pose.
    ///
    /// Postures that differ by full turns count as one, with the turns nearest to `near`. In a singularity,
    /// where two axes align and one joint can compensate another, the result has one of the infinitely many
    /// postures, near to `near`.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`], and [`Error::Invalid`](crate::Error::Invalid) for a pose that is not finite.
    pub fn solve(&mut self, target: &Pose, near: &[f64]) -> Result<Vec<Solution>> {
        check("configuration", self.robot, near)?;
        self.solver
            .set_goal(0, &Objective::pose(self.link, target))?;
        let near = self.joints.map(|joint| near[joint.dof]);
        let wrist = self.base.inv_mul(target) * self.tool;
        let mut before = [0.0; 6];
        for i in 0..6 {
            let angle = near[i] * self.joints[i].rate;
            before[i] = angle - (angle / TAU).round() * TAU;
        }
        let mut found: Vec<(f64, Solution)> = Vec::new();
        let mut q = self.config.clone();
        let mut postures: Vec<[f64; 6]> = Vec::with_capacity(8);
        self.arm
            .postures(&wrist, &before, |angles| postures.push(angles));
        for angles in postures {
            let mut is_inside = true;
            for (i, joint) in self.joints.iter().enumerate() {
                let value = joint.wrapped(angles[i], near[i], self.tolerance);
                is_inside &= value.is_some();
                q[joint.dof] = value.unwrap_or_default();
            }
            if !is_inside {
                continue;
            }
            let posture = self.solver.solve(&q)?;
            let is_same = |(_, other): &(f64, Solution)| {
                self.joint_distance(&other.q, &posture.q) < SAME_POSTURE
            };
            if posture.is_success() && !found.iter().any(is_same) {
                let squares = self.joints.iter().zip(near);
                let squares = squares.map(|(j, near)| ((posture.q[j.dof] - near) * j.rate).powi(2));
                found.push((squares.sum(), posture));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(found.into_iter().map(|(_, posture)| posture).collect())
    }

    /// Largest joint angle between two configurations.
    fn joint_distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let angle = |joint: &Joint| ((a[joint.dof] - b[joint.dof]) * joint.rate).abs();
        self.joints.iter().map(angle).fold(0.0, f64::max)
    }
}

impl Joint {
    /// Converts an angle that may be off by `tolerance` to the value of the degree of freedom within the limits
    /// that is nearest to `near`.
    fn wrapped(&self, angle: f64, near: f64, tolerance: f64) -> Option<f64> {
        let period = TAU / self.rate;
        let mut q = angle / self.rate;
        q += ((near - q) / period).round() * period;
        let tolerance = tolerance / self.rate;
        if q < self.lower - tolerance {
            q += ((self.lower - tolerance - q) / period).ceil() * period;
        } else if q > self.upper + tolerance {
            q -= ((q - self.upper - tolerance) / period).ceil() * period;
        }
        let is_inside = self.lower - tolerance <= q && q <= self.upper + tolerance;
        is_inside.then(|| q.max(self.lower).min(self.upper))
    }
}

/// The six joints that move a link, from the base on; `None` unless exactly six revolute joints without a coupling
/// do.
fn joints(robot: &Robot, link: LinkId, solver: &Solver<'_>) -> Option<[Joint; 6]> {
    let variables = solver.variables();
    let moves = |k: usize| variables.lower[k] < variables.upper[k];
    let body = robot.attachment(link).body;
    let on_chain = |dof: usize| robot.tree().chain(body).any(|body| body == dof);
    let mut joints: Vec<Joint> = variables
        .follows
        .iter()
        .filter(|follow| moves(follow.variable))
        .map(|follow| {
            let k = follow.variable;
            let is_periodic = variables.period[k] > 0.0 && on_chain(follow.dof);
            let ends = [variables.lower[k], variables.upper[k]];
            let ends = ends.map(|x| follow.scale.mul_add(x, follow.offset));
            is_periodic.then(|| Joint {
                dof: follow.dof,
                rate: TAU / (variables.period[k] * follow.scale.abs()),
                lower: ends[0].min(ends[1]),
                upper: ends[0].max(ends[1]),
            })
        })
        .collect::<Option<_>>()?;

    // parents come first
    joints.sort_by_key(|joint| joint.dof);
    joints.try_into().ok()
}

/// Length scale of the arm: the sum of the distances between neighbouring axes.
fn size(axes: &[Axis; 6]) -> f64 {
    let pairs = axes.windows(2);
    pairs
        .map(|pair| (pair[1].through - pair[0].through).norm())
        .sum()
}

/// The arm of the formulas, and the world pose of its base: z along axis 1, origin at the height of axis 2.
fn fit(axes: &[Axis; 6], size: f64) -> Option<(OrthoParallel, Pose)> {
    let is_perpendicular =
        |i: usize, j: usize| axes[i].along.dot(&axes[j].along).abs() <= ANGLE_TOLERANCE;
    let pairs = [(0, 1), (2, 3), (3, 4), (4, 5)];
    let are_parallel = axes[1].along.cross(&axes[2].along).norm() <= ANGLE_TOLERANCE;
    if !are_parallel || !pairs.iter().all(|&(i, j)| is_perpendicular(i, j)) {
        return None;
    }
    let center = nearest_to(&axes[3..])?;
    let distances = [3, 4, 5].map(|i| axes[i].offset_to(&center).norm());
    if !(size > 0.0 && distances.iter().all(|error| *error <= FIT_TOLERANCE * size)) {
        return None;
    }

    // the base, rotated so that axis 2 is on the side of x
    let [one, two, three] = [axes[0], axes[1], axes[2]];
    let z = one.along;
    let mut signs = [1.0; 6];
    let mut y = (two.along - z * z.dot(&two.along)).normalize();
    if y.cross(&z).dot(&(two.through - one.through)) < 0.0 {
        (y, signs[1]) = (-y, -1.0);
    }
    let x = y.cross(&z);
    let origin = one.through + z * z.dot(&(two.through - one.through));
    let base = Pose::from_parts(origin.into(), Rotation::from_basis_unchecked(&[x, y, z]));
    let side = |v: &Vector| v - y * y.dot(v);

    // the upper arm, and the forearm along axis 4
    let upper = side(&(three.through - two.through));
    let c2 = upper.norm();
    signs[2] = three.along.dot(&y).signum();
    let to_wrist = center - three.through;
    let mut z4 = side(&axes[3].along).normalize();
    if z4.dot(&to_wrist) < 0.0 {
        (z4, signs[3]) = (-z4, -1.0);
    }
    let (a2, c3) = (y.cross(&z4).dot(&to_wrist), z4.dot(&to_wrist));
    if c2 <= FIT_TOLERANCE * size || a2.hypot(c3) <= FIT_TOLERANCE * size {
        return None;
    }
    let tilt = |v: &Vector| x.dot(v).atan2(z.dot(v));
    let (at2, at23) = (tilt(&upper), tilt(&z4));

    // the wrist
    let (y5, z6) = (axes[4].along, axes[5].along);
    let at4 = (-y5.dot(&y.cross(&z4))).atan2(y5.dot(&y));
    let at5 = z6.dot(&y5.cross(&z4)).atan2(z6.dot(&z4));
    let arm = OrthoParallel {
        a1: x.dot(&(two.through - one.through)),
        a2,
        b: y.dot(&(center - one.through)),
        c2,
        c3,
        zeros: [0.0, at2, at23 - at2, at4, at5, 0.0],
        signs,
    };
    Some((arm, base))
}

impl Axis {
    /// Shortest vector from the axis to a point.
    fn offset_to(&self, point: &Vector) -> Vector {
        let offset = point - self.through;
        offset - self.along * self.along.dot(&offset)
    }
}

/// The point with the least sum of squared distances to lines.
fn nearest_to(lines: &[Axis]) -> Option<Vector> {
    let (mut matrix, mut rhs) = (Matrix3::zeros(), Vector::zeros());
    for line in lines {
        matrix += Matrix3::identity() - line.along * line.along.transpose();
        rhs -= line.offset_to(&Vector::zeros());
    }
    Some(matrix.cholesky()?.solve(&rhs))
}

/// Tolerance of right angles between axes, rad: files write them with five digits.
const ANGLE_TOLERANCE: f64 = 1e-4;
/// Tolerance of the intersection of axes, relative to the arm's length.
const FIT_TOLERANCE: f64 = 1e-3;
/// Largest joint angle between two copies of one posture, rad.
const SAME_POSTURE: f64 = 1e-6;
