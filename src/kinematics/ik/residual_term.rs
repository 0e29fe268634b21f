//! Residual and Jacobian of one objective.

use nalgebra::{Matrix3, Translation3};

use super::variables::Variables;
use super::{Anchor, Objective, PositionGoal, RotationGoal};
use crate::kernel::{self, Frame, Tree};
use crate::math::{Point, Pose, Rotation, Vector, se3, so3};
use crate::robot::Robot;

/// An objective with its rows at one configuration.
///
/// Residuals are in the axes of the anchor. A moving anchor counts like a link that moves the other way, so that a
/// body that moves both contributes nothing.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub(super) objective: Objective,
    link: Mount,
    anchor: Mount,
    movers: Vec<Mover>,
    /// Factor of all its rows: 1 for a goal.
    pub(super) scale: f64,

    // depends on the configuration
    points: Vec<PointRows>,
    rotation_rows: [Vector; 3],
    /// Largest distance of a point from its target, m, and angle of the link from its target orientation, rad.
    pub(super) error: [f64; 2],
}

/// A frame fixed to a body, or to the world.
#[derive(Debug, Clone, Copy)]
struct Mount {
    body: Option<usize>,
    x_bl: Pose,
}

/// A body that moves the link but not the anchor (factor above 0), or the anchor but not the link.
#[derive(Debug, Clone, Copy)]
struct Mover {
    body: usize,
    variable: usize,
    factor: f64,
}

/// Up to three rows of one point: its position in the world and the directions along which it is measured.
#[derive(Debug, Clone, Copy)]
struct PointRows {
    p_w: Vector,
    rows: [Vector; 3],
}

impl Term {
    /// Prepares an objective.
    pub(super) fn new(robot: &Robot, objective: &Objective) -> Self {
        let mount = |link| {
            let attachment = robot.attachment(link);
            Mount {
                body: attachment.body,
                x_bl: attachment.x_bl,
            }
        };
        let fixed = |x_bl| Mount { body: None, x_bl };
        let empty = PointRows {
            p_w: Vector::zeros(),
            rows: [Vector::zeros(); 3],
        };
        let points = match &objective.position {
            PositionGoal::Free => 0,
            PositionGoal::Points(points) => points.len(),
            _ => 1,
        };
        Self {
            link: mount(objective.link),
            anchor: match objective.anchor {
                Anchor::World => fixed(Pose::identity()),
                Anchor::Object(pose) => fixed(pose),
                Anchor::Link(link) => mount(link),
            },
            objective: objective.clone(),
            movers: Vec::new(),
            scale: 1.0,
            points: vec![empty; points],
            rotation_rows: [Vector::zeros(); 3],
            error: [0.0; 2],
        }
    }

    /// Replaces the objective by one with the same link, anchor and rows.
    pub(super) fn replace(&mut self, objective: &Objective) {
        match objective.anchor {
            Anchor::World => self.anchor.x_bl = Pose::identity(),
            Anchor::Object(pose) => self.anchor.x_bl = pose,
            Anchor::Link(_) => {}
        }
        self.objective.clone_from(objective);
    }

    /// Bodies that move either the link or the anchor, but not both; each with its sign.
    pub(super) fn movers<'t>(&'t self, tree: &'t Tree) -> impl Iterator<Item = (usize, f64)> + 't {
        let is_moved_by = |end: Option<usize>, body| tree.chain(end).any(|b| b == body);
        let link_chain = tree.chain(self.link.body);
        let link_chain = link_chain.filter(move |&b| !is_moved_by(self.anchor.body, b));
        let anchor_chain = tree.chain(self.anchor.body);
        let anchor_chain = anchor_chain.filter(move |&b| !is_moved_by(self.link.body, b));
        link_chain
            .map(|body| (body, 1.0))
            .chain(anchor_chain.map(|body| (body, -1.0)))
    }

    /// Bodies whose pose it depends on.
    pub(super) fn bodies<'t>(&'t self, tree: &'t Tree) -> impl Iterator<Item = usize> + 't {
        tree.chain(self.link.body)
            .chain(tree.chain(self.anchor.body))
    }

    /// Makes every degree of freedom a variable of its own.
    pub(super) fn connect_all(&mut self, tree: &Tree) {
        let movers = self.movers(tree).map(|(body, sign)| Mover {
            body,
            variable: body,
            factor: sign,
        });
        self.movers = movers.collect();
    }

    /// Finds the variables that move it.
    pub(super) fn connect(&mut self, tree: &Tree, variables: &Variables) {
        let movers: Vec<_> = self.movers(tree).collect();
        self.movers = movers
            .into_iter()
            .filter_map(|(body, sign)| {
                let follow = variables.follows.iter().find(|f| f.dof == body)?;
                Some(Mover {
                    body,
                    variable: follow.variable,
                    factor: sign * follow.scale,
                })
            })
            .collect();
    }

    /// Writes the residual: rows of the position, then rows of the rotation.
    pub(super) fn residual(&mut self, bodies: &[Frame<f64>], out: &mut [f64]) {
        let (x_wl, x_wa) = (self.link.pose(bodies), self.anchor.pose(bodies));
        let r_wa = *x_wa.rotation.matrix();
        let weight = self.objective.position_weight;
        let (position_rows, rotation_rows) = out.split_at_mut(self.objective.position.rows());
        let in_anchor = |p_link: &Point| {
            let p_w = x_wl * p_link;
            (p_w.coords, x_wa.inverse_transform_point(&p_w))
        };
        self.error = [0.0; 2];
        match &self.objective.position {
            PositionGoal::Free => {}
            PositionGoal::Point { p_link, target } => {
                let (p_w, p) = in_anchor(p_link);
                let error = p - target;
                self.error[0] = error.norm();
                self.points[0] = point_rows(p_w, &r_wa, weight);
                position_rows.copy_from_slice((error * weight).as_slice());
            }
            PositionGoal::Points(points) => {
                let rows = position_rows.chunks_exact_mut(3);
                for ((point, rows), (p_link, target)) in
                    self.points.iter_mut().zip(rows).zip(points)
                {
                    let (p_w, p) = in_anchor(p_link);
                    let error = p - target;
                    self.error[0] = self.error[0].max(error.norm());
                    *point = point_rows(p_w, &r_wa, weight);
                    rows.copy_from_slice((error * weight).as_slice());
                }
            }
            PositionGoal::Line {
                p_link,
                through,
                direction,
            } => {
                let (p_w, p) = in_anchor(p_link);
                let [u, v] = perpendicular(direction);
                let error = p - through;
                let error = [u.dot(&error), v.dot(&error)];
                self.error[0] = error[0].hypot(error[1]);
                let rows = [r_wa * u * weight, r_wa * v * weight, Vector::zeros()];
                self.points[0] = PointRows { p_w, rows };
                position_rows.copy_from_slice(&error.map(|x| x * weight));
            }
            PositionGoal::Plane {
                p_link,
                through,
                normal,
            } => {
                let (p_w, p) = in_anchor(p_link);
                let n = normal.normalize();
                let error = n.dot(&(p - through));
                self.error[0] = error.abs();
                let rows = [r_wa * n * weight, Vector::zeros(), Vector::zeros()];
                self.points[0] = PointRows { p_w, rows };
                position_rows[0] = error * weight;
            }
        }

        let weight = self.objective.rotation_weight;
        match &self.objective.rotation {
            RotationGoal::Free => {}
            RotationGoal::Fixed(target) => {
                let w = so3::error(&relative_rotation(&x_wl, &x_wa), target);
                self.error[1] = w.norm();
                self.rotation_rows = columns(&(r_wa * weight));
                rotation_rows.copy_from_slice((w * weight).as_slice());
            }
            RotationGoal::Axis { d_link, target } => {
                let a = relative_rotation(&x_wl, &x_wa) * d_link.normalize();
                let w = rotation_between(&target.normalize(), &a);
                let [u, v] = perpendicular(target);
                self.error[1] = w.norm();
                self.rotation_rows = [r_wa * u * weight, r_wa * v * weight, Vector::zeros()];
                rotation_rows.copy_from_slice(&[u.dot(&w) * weight, v.dot(&w) * weight]);
            }
        }
        for row in out {
            *row *= self.scale;
        }
    }

    /// Matrix that turns the rotation rows of the [`jacobian`](Self::jacobian) into the derivative of the
    /// residual, at the configuration of the last residual.
    pub(super) fn rotation_derivative(&self, bodies: &[Frame<f64>]) -> Matrix3<f64> {
        let (x_wl, x_wa) = (self.link.pose(bodies), self.anchor.pose(bodies));
        let r_al = relative_rotation(&x_wl, &x_wa);
        match &self.objective.rotation {
            RotationGoal::Free => Matrix3::zeros(),
            RotationGoal::Fixed(target) => se3::left_jacobian_inverse(&so3::error(&r_al, target)),
            RotationGoal::Axis { d_link, target } => {
                // r = θ n with sin θ n = b × a and ȧ = ω × a
                let (a, b) = (r_al * d_link.normalize(), target.normalize());
                let (cross, cosine) = (b.cross(&a), a.dot(&b));
                let sine = cross.norm();
                let [u, v] = perpendicular(target);
                let angle = sine.atan2(cosine);
                let (ratio, ratio_gradient) = if angle < 1e-4 {
                    (1.0, Vector::zeros())
                } else {
                    let by_angle = (sine - angle * cosine) / (sine * sine);
                    (angle / sine, cross * (by_angle / sine))
                };
                let across = (Matrix3::identity() * cosine - a * b.transpose()) * ratio;
                let derivative = across + ratio_gradient * cross.transpose();
                let mut rows = Matrix3::zeros();
                rows.set_row(0, &(u.transpose() * derivative));
                rows.set_row(1, &(v.transpose() * derivative));
                rows
            }
        }
    }

    /// Weighted angular velocity (3 × 1) per body, in the axes of the anchor.
    pub(super) fn angular_velocities<'t>(
        &'t self,
        tree: &'t Tree,
        bodies: &'t [Frame<f64>],
    ) -> impl Iterator<Item = (usize, Vector)> + 't {
        let weight = self.objective.rotation_weight * self.scale;
        let r_aw = self.anchor.pose(bodies).rotation.inverse();
        self.movers(tree).map(move |(body, sign)| {
            let w = Vector::from(kernel::column(tree, bodies, body, [0.0; 3])[0]);
            (body, r_aw * w * (sign * weight))
        })
    }

    /// Adds to the columns of a Jacobian, `rows` numbers each, from row `first` on, at the configuration of the
    /// last [`residual`](Self::residual).
    ///
    /// Rotation rows hold the angular velocity: the derivative of the residual at the goal; elsewhere a
    /// different matrix with the same gradient of the squared residual.
    pub(super) fn jacobian(
        &self,
        tree: &Tree,
        bodies: &[Frame<f64>],
        out: &mut [f64],
        (rows, first): (usize, usize),
    ) {
        let n_rotation = self.objective.rotation.rows();
        let n_position = match self.objective.position {
            PositionGoal::Free => 0,
            PositionGoal::Line { .. } => 2,
            PositionGoal::Plane { .. } => 1,
            PositionGoal::Point { .. } | PositionGoal::Points(_) => 3,
        };
        for &Mover {
            body,
            variable,
            factor,
        } in &self.movers
        {
            let start = variable * rows + first;
            let factor = factor * self.scale;
            let mut column = out[start..].iter_mut();
            let mut w = [0.0; 3];
            for point in &self.points {
                let velocity = kernel::column(tree, bodies, body, point.p_w.into());
                w = velocity[0];
                let v = Vector::from(velocity[1]) * factor;
                for (row, out) in point.rows[..n_position].iter().zip(&mut column) {
                    *out += row.dot(&v);
                }
            }
            if self.points.is_empty() {
                w = kernel::column(tree, bodies, body, [0.0; 3])[0];
            }
            let w = Vector::from(w) * factor;
            for (row, out) in self.rotation_rows[..n_rotation].iter().zip(&mut column) {
                *out += row.dot(&w);
            }
        }
    }
}

impl Mount {
    #[inline]
    fn pose(&self, bodies: &[Frame<f64>]) -> Pose {
        let Some(body) = self.body else {
            return self.x_bl;
        };
        let frame = &bodies[body];
        let rotation = Matrix3::from_column_slice(&frame.rotation());
        let x_wb = Pose::from_parts(
            Translation3::from(Vector::from(frame.origin())),
            Rotation::from_matrix_unchecked(rotation),
        );
        x_wb * self.x_bl
    }
}

/// Rows of a point along the axes of the anchor.
fn point_rows(p_w: Vector, r_wa: &Matrix3<f64>, weight: f64) -> PointRows {
    PointRows {
        p_w,
        rows: columns(&(r_wa * weight)),
    }
}

fn columns(m: &Matrix3<f64>) -> [Vector; 3] {
    [0, 1, 2].map(|k| m.column(k).into_owned())
}

/// Rotation from link to anchor.
fn relative_rotation(x_wl: &Pose, x_wa: &Pose) -> Rotation {
    x_wa.rotation.transpose() * x_wl.rotation
}

/// Rotation vector of the shortest rotation from `a` to `b`, both of length 1; half a turn about any perpendicular
/// axis where they are opposite.
pub(super) fn rotation_between(a: &Vector, b: &Vector) -> Vector {
    let cross = a.cross(b);
    let (sine, cosine) = (cross.norm(), a.dot(b));
    if sine > f64::EPSILON {
        return cross * (sine.atan2(cosine) / sine);
    }
    if cosine > 0.0 {
        cross
    } else {
        perpendicular(a)[0] * std::f64::consts::PI
    }
}

/// Two unit vectors perpendicular to `d` and to each other.
pub(super) fn perpendicular(d: &Vector) -> [Vector; 2] {
    let d = d.normalize();
    let u = d.cross(&Vector::ith(d.iamin(), 1.0)).normalize();
    [u, d.cross(&u)]
}
