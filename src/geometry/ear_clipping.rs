//! Triangulation of polygons by ear clipping.

use std::collections::VecDeque;

/// Clips ears off a polygon until three vertices are left, or more where its edges cross or the budget runs out.
///
/// `orientation` is twice the signed area of a triangle of vertices, positive in the polygon's orientation, negative at
/// a reflex vertex.
///
/// Ear clipping: Meisters (1975). Only the neighbours of a clipped ear can become ears, so it takes O(n²).
pub(crate) fn clip_ears<I: Copy + PartialEq>(
    left: &mut Vec<I>,
    triangles: &mut Vec<[I; 3]>,
    orientation: impl Fn([I; 3]) -> f64,
) {
    let mut ring = Ring::new(left, orientation);
    while ring.len > 3 {
        let Some(ear) = ring.next_clear().or_else(|| ring.next_ear()) else {
            break;
        };
        triangles.push(ring.around(ear));
        ring.cut(ear);
    }
    *left = ring.rest();
}

/// A polygon that loses its vertices one by one, identified by their index in the input list.
struct Ring<'a, I, F> {
    vertices: &'a [I],
    orientation: F,
    before: Vec<usize>,
    behind: Vec<usize>,
    is_cut: Vec<bool>,
    /// Vertices that may be ears.
    candidates: VecDeque<usize>,
    /// A vertex that is left.
    start: usize,
    len: usize,
    /// Number of vertex-in-ear tests still allowed.
    budget: usize,
}

impl<'a, I: Copy + PartialEq, F: Fn([I; 3]) -> f64> Ring<'a, I, F> {
    fn new(vertices: &'a [I], orientation: F) -> Self {
        let n = vertices.len();
        Self {
            vertices,
            orientation,
            before: (0..n).map(|i| (i + n - 1) % n).collect(),
            behind: (0..n).map(|i| (i + 1) % n).collect(),
            is_cut: vec![false; n],
            candidates: (0..n).collect(),
            start: 0,
            len: n,
            // in proportion to the polygon, and some seconds at most
            budget: 4096 * n.min(1 << 16),
        }
    }

    /// A vertex between its neighbours.
    fn around(&self, i: usize) -> [I; 3] {
        [self.before[i], i, self.behind[i]].map(|i| self.vertices[i])
    }

    /// The next convex vertex whose ear holds no other vertex, its sides included.
    fn next_clear(&mut self) -> Option<usize> {
        while let Some(i) = self.candidates.pop_front() {
            let is_tip = !self.is_cut[i] && (self.orientation)(self.around(i)) > 0.0;
            if is_tip && self.is_free(i, |side| side < 0.0) {
                return Some(i);
            }
        }
        None
    }

    /// Fallback: a vertex on a straight line, or a repeated one, can always be clipped.
    fn next_ear(&mut self) -> Option<usize> {
        for _ in 0..self.len {
            let i = self.start;
            if (self.orientation)(self.around(i)) >= 0.0 && self.is_free(i, |side| side <= 0.0) {
                return Some(i);
            }
            self.start = self.behind[i];
        }
        None
    }

    /// Returns whether all other vertices are outside an ear: on the outer side of one of its sides.
    fn is_free(&mut self, i: usize, is_outside: impl Fn(f64) -> bool) -> bool {
        let [a, b, c] = self.around(i);
        let mut other = self.behind[self.behind[i]];
        while other != self.before[i] {
            let Some(budget) = self.budget.checked_sub(1) else {
                return false;
            };
            self.budget = budget;
            let p = self.vertices[other];
            let side = |from, to| is_outside((self.orientation)([from, to, p]));
            let is_clear = [a, b, c].contains(&p) || side(a, b) || side(b, c) || side(c, a);
            if !is_clear {
                return false;
            }
            other = self.behind[other];
        }
        true
    }

    fn cut(&mut self, i: usize) {
        let (before, behind) = (self.before[i], self.behind[i]);
        self.behind[before] = behind;
        self.before[behind] = before;
        self.is_cut[i] = true;
        self.candidates.extend([before, behind]);
        self.start = behind;
        self.len -= 1;
    }

    /// The vertices that are left, in order.
    fn rest(&self) -> Vec<I> {
        let vertices = self.vertices.iter().zip(&self.is_cut);
        vertices
            .filter(|(_, is_cut)| !**is_cut)
            .map(|(&corner, _)| corner)
            .collect()
    }
}
