//! Bounds on the displacement of bodies per unit of each dof.

use super::cores::{load, splat};
use super::model::{Body, Model, MovingRobot, offset};
use crate::math::{Level, Point, Ring};
use crate::robot::LinkMotion;

impl Model {
    /// Fills [`motions`](Self::motions).
    pub(super) fn add_motions(&mut self) {
        let pairs = self.pairs.iter().map(|pair| pair.bodies);
        let of_pairs =
            pairs.map(|[a, b]| [self.moved_by(a, Some(b)), self.moved_by(b, Some(a))].concat());
        let of_bodies = (0..self.bodies.len()).map(|body| self.moved_by(body, None));
        let columns: Vec<_> = of_bodies.chain(of_pairs).collect();
        let row = columns.len().next_multiple_of(16);
        self.motions = vec![0.0; self.width() * row];
        for (column, shares) in columns.iter().enumerate() {
            for &(dof, share) in shares {
                self.motions[dof * row + column] += share;
            }
        }
    }

    /// Bounds the displacement of each body, and of each pair of bodies relative to one another, for a change of all dofs, m.
    #[inline(always)]
    pub(super) fn moves<const N: usize, L: Level>(
        &self,
        change: impl Fn(usize) -> f32,
        out: &mut [f32],
    ) {
        for first in (0..out.len()).step_by(N) {
            let mut sum = splat::<N, L>(0.0);
            for (i, row) in self.motions.chunks_exact(out.len()).enumerate() {
                sum = splat(change(i)).mul_add(load(row, first), sum);
            }
            out[first..first + N].copy_from_slice(sum.values());
        }
    }

    /// The dofs that move a body, and the largest displacement of its spheres per unit of each; without those that move
    /// another body as well.
    fn moved_by(&self, body: usize, other: Option<usize>) -> Vec<(usize, f32)> {
        let Body {
            robot,
            frame,
            around,
            ..
        } = &self.bodies[body];
        let MovingRobot {
            robot: r, range, ..
        } = &self.robots[*robot];
        let other = other.filter(|&other| self.bodies[other].robot == *robot);
        let shared: Vec<usize> = other
            .map(|other| r.tree().chain(Some(self.bodies[other].frame)).collect())
            .unwrap_or_default();
        // bounding radius of the spheres about the origin of the current frame
        let center = around.center.map(f64::from);
        let mut radius = Point::from(center).coords.norm() + f64::from(around.radius);
        let mut shares = Vec::new();
        for at in r.tree().chain(Some(*frame)) {
            if shared.contains(&at) {
                break;
            }
            let dof = range.start + at;
            let link = r.link(r.dofs()[at]);
            match *link.motion() {
                LinkMotion::Revolute(axis) => {
                    shares.push((dof, (axis.norm() * radius * ROUND_UP) as f32));
                }
                LinkMotion::Prismatic(axis) => {
                    shares.push((dof, (axis.norm() * ROUND_UP) as f32));
                    let limits = &r.limits()[at];
                    radius += axis.norm() * limits.q_min.abs().max(limits.q_max.abs());
                }
                LinkMotion::Fixed => {}
            }
            radius += offset(r, at);
        }
        shares
    }
}

/// Factor that covers the rounding of sums in single precision.
const ROUND_UP: f64 = 1.0 + 1e-5;
