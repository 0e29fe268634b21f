//! Point containment in closed meshes.

use std::collections::HashMap;
use std::f64::consts::TAU;

use super::body::Body;
use super::gjk::Support;
use super::piece::{Core, Piece};
use super::{gjk, simplex};
use crate::math::{Point, Vector};

impl Body {
    /// Winding number of a part's triangles around a point: 1 inside a closed surface, 0 outside, −1 inside an inverted
    /// one.
    ///
    /// Sum of signed solid angles, Van Oosterom and Strackee (1983); small holes change it little.
    pub(in crate::geometry) fn winding_number(&self, part: u32, p: &Point) -> f64 {
        let angle = |piece: &Piece| {
            let Core::Triangle(vertices) = &piece.core else {
                return 0.0;
            };
            let [a, b, c] = vertices.map(|q| q - p);
            let [l, m, n] = [a.norm(), b.norm(), c.norm()];
            let volume = a.dot(&b.cross(&c));
            let rest = l * m * n + a.dot(&b) * n + a.dot(&c) * m + b.dot(&c) * l;
            2.0 * volume.atan2(rest)
        };
        let of_part = self.pieces.iter().filter(|piece| piece.part == part);
        of_part.map(angle).sum::<f64>() / (2.0 * TAU)
    }

    /// Returns whether any accepted piece is within `tolerance` of a point, margins excluded.
    pub(in crate::geometry) fn any_at(
        &self,
        p: &Point,
        tolerance: f64,
        counts: impl Fn(&Piece) -> bool,
    ) -> bool {
        let mut open = vec![0_u32];
        while let Some(node) = open.pop().and_then(|i| self.nodes.get(i as usize)) {
            let d = (p - node.center).abs();
            if (0..3).any(|k| d[k] > node.half[k] + tolerance) {
                continue;
            }
            open.extend(node.children().into_iter().flatten());
            let is_near = |piece: &Piece| {
                let limit = piece.radius + tolerance;
                match piece.core.vertices() {
                    Some(vertices) => simplex::closest(vertices, &[*p]).distance <= limit,
                    None => gjk::closest(&piece.core, &Core::Point([*p]), limit, tolerance)
                        .is_ok_and(|found| found.distance <= limit),
                }
            };
            if self.pieces[node.pieces()]
                .iter()
                .any(|piece| counts(piece) && is_near(piece))
            {
                return true;
            }
        }
        false
    }
}

/// One point of every connected part; triangles are connected where they share a vertex.
pub(super) fn anchors(pieces: &[Piece]) -> Vec<Point> {
    let mut loose = Vec::new();
    let mut vertex_ids: HashMap<(u32, [u64; 3]), usize> = HashMap::new();
    let mut points: Vec<Point> = Vec::new();
    let mut parent: Vec<usize> = Vec::new();
    for piece in pieces {
        let Core::Triangle(vertices) = &piece.core else {
            loose.push(piece.core.support(&Vector::x()));
            continue;
        };
        let ids = vertices.map(|p| {
            let key = [p.x, p.y, p.z].map(|c| (c + 0.0).to_bits());
            *vertex_ids.entry((piece.part, key)).or_insert_with(|| {
                points.push(p);
                parent.push(parent.len());
                parent.len() - 1
            })
        });
        let root = find(&mut parent, ids[0]);
        for id in &ids[1..] {
            let other = find(&mut parent, *id);
            parent[other] = root;
        }
    }
    loose.extend(
        (0..points.len())
            .filter(|&i| parent[i] == i)
            .map(|i| points[i]),
    );
    loose
}

/// Root of a union-find tree, with path halving.
fn find(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}
