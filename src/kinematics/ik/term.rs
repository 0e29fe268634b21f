//! An objective made ready: its rows, and which bodies move them.

use nalgebra::{Matrix3, Translation3};

use super::variables::Variables;
use super::{Anchor, Objective, PositionGoal, RotationGoal};
use crate::kernel::{self, Frame, Tree};
use crate::math::{Point, Pose, Rotation, Vector, se3, so3};
use crate::robot::Robot;

/// An objective, and what follows from it at one configuration.
///
/// Residuals are written in the axes of the anchor. There an anchor that moves counts like a link that moves the other way,
/// so that a body which carries both moves nothing.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub(super) objective: Objective,
    link: Mount,
    anchor: Mount,
    moves: Vec<Move>,
    /// What multiplies all its rows: 1 for a goal.
    pub(super) scale: f64,

    // depends on the configuration
    places: Vec<Place>,
    turn: [Vector; 3],
    /// How far the worst point is from where it should be, m, and the link from how it should be turned, rad.
    pub(super) error: [f64; 2],
}

/// A frame fixed to a body, or to the world.
#[derive(Debug, Clone, Copy)]
struct Mount {
    body: Option<usize>,
    x_bl: Pose,
}

/// A body that moves the link and not the anchor (factor above 0), or the anchor and not the link.
#[derive(Debug, Clone, Copy)]
struct Move {
    body: usize,
    variable: usize,
    factor: f64,
}

/// Up to three rows about one point: where it is in the world, and the directions that count.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: Vector,
    rows: [Vector; 3],
}

impl Term {
    /// Makes an objective ready.
    pub(super) fn new(robot: &Robot, objective: &Objective) -> Self {
        let mount = |link| {
            let attachment = robot.attachment(link);
            Mount {
                body: attachment.body,
                x_bl: attachment.x_bl,
            }
        };
        let fixed = |x_bl| Mount { body: None, x_bl };
        let nowhere = Place {
            at: Vector::zeros(),
            rows: [Vector::zeros(); 3],
        };
        let places = match &objective.position {
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
            moves: Vec::new(),
            scale: 1.0,
            places: vec![nowhere; places],
            turn: [Vector::zeros(); 3],
            error: [0.0; 2],
        }
    }

    /// Takes another objective with the same link, anchor and rows.
    pub(super) fn replace(&mut self, objective: &Objective) {
        match objective.anchor {
            Anchor::World => self.anchor.x_bl = Pose::identity(),
            Anchor::Object(pose) => self.anchor.x_bl = pose,
            Anchor::Link(_) => {}
        }
        self.objective.clone_from(objective);
    }

    /// The bodies that move the link, or else the anchor, but not both; each with its sign.
    pub(super) fn movers<'t>(&'t self, tree: &'t Tree) -> impl Iterator<Item = (usize, f64)> + 't {
        let carries = |end: Option<usize>, body| tree.chain(end).any(|b| b == body);
        let of_link = tree.chain(self.link.body);
        let of_link = of_link.filter(move |&b| !carries(self.anchor.body, b));
        let of_anchor = tree.chain(self.anchor.body);
        let of_anchor = of_anchor.filter(move |&b| !carries(self.link.body, b));
        of_link
            .map(|body| (body, 1.0))
            .chain(of_anchor.map(|body| (body, -1.0)))
    }

    /// All bodies that it needs to be placed.
    pub(super) fn bodies<'t>(&'t self, tree: &'t Tree) -> impl Iterator<Item = usize> + 't {
        tree.chain(self.link.body)
            .chain(tree.chain(self.anchor.body))
    }

    /// Takes every coordinate for a variable of its own.
    pub(super) fn connect_all(&mut self, tree: &Tree) {
        let movers = self.movers(tree).map(|(body, sign)| Move {
            body,
            variable: body,
            factor: sign,
        });
        self.moves = movers.collect();
    }

    /// Finds out which variables move it.
    pub(super) fn connect(&mut self, tree: &Tree, variables: &Variables) {
        let movers: Vec<_> = self.movers(tree).collect();
        self.moves = movers
            .into_iter()
            .filter_map(|(body, sign)| {
                let follow = variables.follows.iter().find(|f| f.dof == body)?;
                Some(Move {
                    body,
                    variable: follow.variable,
                    factor: sign * follow.scale,
                })
            })
            .collect();
    }

    /// Writes the residual: rows of the position first, then those of the rotation.
    pub(super) fn residual(&mut self, bodies: &[Frame<f64>], out: &mut [f64]) {
        let (x_wl, x_wa) = (self.link.pose(bodies), self.anchor.pose(bodies));
        let r_wa = *x_wa.rotation.matrix();
        let weight = self.objective.position_weight;
        let (of_position, of_rotation) = out.split_at_mut(self.objective.position.rows());
        let seen = |p_link: &Point| {
            let p_w = x_wl * p_link;
            (p_w.coords, x_wa.inverse_transform_point(&p_w))
        };
        self.error = [0.0; 2];
        match &self.objective.position {
            PositionGoal::Free => {}
            PositionGoal::Point { p_link, target } => {
                let (at, p) = seen(p_link);
                let off = p - target;
                self.error[0] = off.norm();
                self.places[0] = point(at, &r_wa, weight);
                of_position.copy_from_slice((off * weight).as_slice());
            }
            PositionGoal::Points(points) => {
                let rows = of_position.chunks_exact_mut(3);
                for ((place, rows), (p_link, target)) in
                    self.places.iter_mut().zip(rows).zip(points)
                {
                    let (at, p) = seen(p_link);
                    let off = p - target;
                    self.error[0] = self.error[0].max(off.norm());
                    *place = point(at, &r_wa, weight);
                    rows.copy_from_slice((off * weight).as_slice());
                }
            }
            PositionGoal::Line {
                p_link,
                through,
                direction,
            } => {
                let (at, p) = seen(p_link);
                let [u, v] = across(direction);
                let off = p - through;
                let off = [u.dot(&off), v.dot(&off)];
                self.error[0] = off[0].hypot(off[1]);
                let rows = [r_wa * u * weight, r_wa * v * weight, Vector::zeros()];
                self.places[0] = Place { at, rows };
                of_position.copy_from_slice(&off.map(|x| x * weight));
            }
            PositionGoal::Plane {
                p_link,
                through,
                normal,
            } => {
                let (at, p) = seen(p_link);
                let n = normal.normalize();
                let off = n.dot(&(p - through));
                self.error[0] = off.abs();
                let rows = [r_wa * n * weight, Vector::zeros(), Vector::zeros()];
                self.places[0] = Place { at, rows };
                of_position[0] = off * weight;
            }
        }

        let weight = self.objective.rotation_weight;
        match &self.objective.rotation {
            RotationGoal::Free => {}
            RotationGoal::Fixed(target) => {
                let w = so3::error(&seen_from(&x_wl, &x_wa), target);
                self.error[1] = w.norm();
                self.turn = columns(&(r_wa * weight));
                of_rotation.copy_from_slice((w * weight).as_slice());
            }
            RotationGoal::Axis { d_link, target } => {
                let a = seen_from(&x_wl, &x_wa) * d_link.normalize();
                let w = between(&target.normalize(), &a);
                let [u, v] = across(target);
                self.error[1] = w.norm();
                self.turn = [r_wa * u * weight, r_wa * v * weight, Vector::zeros()];
                of_rotation.copy_from_slice(&[u.dot(&w) * weight, v.dot(&w) * weight]);
            }
        }
        for row in out {
            *row *= self.scale;
        }
    }

    /// What multiplies the rows of the rotation in the [`jacobian`](Self::jacobian) to make of them the derivative of the
    /// residual, by the last residual's `rows` and the configuration.
    pub(super) fn turning(&self, bodies: &[Frame<f64>]) -> Matrix3<f64> {
        let (x_wl, x_wa) = (self.link.pose(bodies), self.anchor.pose(bodies));
        let seen = seen_from(&x_wl, &x_wa);
        match &self.objective.rotation {
            RotationGoal::Free => Matrix3::zeros(),
            RotationGoal::Fixed(target) => se3::left_jacobian_inverse(&so3::error(&seen, target)),
            RotationGoal::Axis { d_link, target } => {
                // r = θ n with sin θ n = b × a and ȧ = ω × a
                let (a, b) = (seen * d_link.normalize(), target.normalize());
                let (cross, cosine) = (b.cross(&a), a.dot(&b));
                let sine = cross.norm();
                let [u, v] = across(target);
                let angle = sine.atan2(cosine);
                let (ratio, slope) = if angle < 1e-4 {
                    (1.0, Vector::zeros())
                } else {
                    let by_angle = (sine - angle * cosine) / (sine * sine);
                    (angle / sine, cross * (by_angle / sine))
                };
                let across = (Matrix3::identity() * cosine - a * b.transpose()) * ratio;
                let whole = across + slope * cross.transpose();
                let mut rows = Matrix3::zeros();
                rows.set_row(0, &(u.transpose() * whole));
                rows.set_row(1, &(v.transpose() * whole));
                rows
            }
        }
    }

    /// The rows of the rotation (3 × 1 for each body) of an angular velocity in the axes of the anchor, weighted.
    pub(super) fn spins<'t>(
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

    /// Adds to the columns of a Jacobian, `rows` numbers each, from row `first` on; at the configuration of the last
    /// [`residual`](Self::residual).
    ///
    /// Rows of a rotation are those of the angular velocity: at the goal the derivative of the residual, elsewhere a matrix
    /// away from it that leaves the gradient of the squares alone.
    pub(super) fn jacobian(
        &self,
        tree: &Tree,
        bodies: &[Frame<f64>],
        out: &mut [f64],
        (rows, first): (usize, usize),
    ) {
        let n_turn = self.objective.rotation.rows();
        let n_place = match self.objective.position {
            PositionGoal::Free => 0,
            PositionGoal::Line { .. } => 2,
            PositionGoal::Plane { .. } => 1,
            PositionGoal::Point { .. } | PositionGoal::Points(_) => 3,
        };
        for &Move {
            body,
            variable,
            factor,
        } in &self.moves
        {
            let start = variable * rows + first;
            let factor = factor * self.scale;
            let mut column = out[start..].iter_mut();
            let mut w = [0.0; 3];
            for place in &self.places {
                let velocity = kernel::column(tree, bodies, body, place.at.into());
                w = velocity[0];
                let v = Vector::from(velocity[1]) * factor;
                for (row, out) in place.rows[..n_place].iter().zip(&mut column) {
                    *out += row.dot(&v);
                }
            }
            if self.places.is_empty() {
                w = kernel::column(tree, bodies, body, [0.0; 3])[0];
            }
            let w = Vector::from(w) * factor;
            for (row, out) in self.turn[..n_turn].iter().zip(&mut column) {
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

/// The three rows of a point, along the axes of the anchor.
fn point(at: Vector, r_wa: &Matrix3<f64>, weight: f64) -> Place {
    Place {
        at,
        rows: columns(&(r_wa * weight)),
    }
}

fn columns(m: &Matrix3<f64>) -> [Vector; 3] {
    [0, 1, 2].map(|k| m.column(k).into_owned())
}

/// The rotation of the link as the anchor sees it.
fn seen_from(x_wl: &Pose, x_wa: &Pose) -> Rotation {
    x_wa.rotation.transpose() * x_wl.rotation
}

/// The rotation vector that turns `a` into `b`, both of length 1, the short way; half a turn about anything across.
pub(super) fn between(a: &Vector, b: &Vector) -> Vector {
    let cross = a.cross(b);
    let (sine, cosine) = (cross.norm(), a.dot(b));
    if sine > f64::EPSILON {
        return cross * (sine.atan2(cosine) / sine);
    }
    if cosine > 0.0 {
        cross
    } else {
        across(a)[0] * std::f64::consts::PI
    }
}

/// Two directions across a third and across each other, of length 1.
pub(super) fn across(d: &Vector) -> [Vector; 2] {
    let d = d.normalize();
    let u = d.cross(&Vector::ith(d.iamin(), 1.0)).normalize();
    [u, d.cross(&u)]
}
