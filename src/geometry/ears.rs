//! Polygons into triangles, by cutting ears.

use std::collections::VecDeque;

/// Cuts ears off a polygon until three corners are left, or more where its edges cross or it asks for too much time.
///
/// `turn` tells how far a triangle of corners turns the polygon's way: twice its area, negative at a notch.
///
/// Ear clipping: Meisters (1975). Only the neighbours of an ear that was cut can become ears, so it takes O(n²).
pub(crate) fn clip_ears<I: Copy + PartialEq>(
    left: &mut Vec<I>,
    triangles: &mut Vec<[I; 3]>,
    turn: impl Fn([I; 3]) -> f64,
) {
    let mut ring = Ring::new(left, turn);
    while ring.len > 3 {
        let Some(ear) = ring.next_clear().or_else(|| ring.next_ear()) else {
            break;
        };
        triangles.push(ring.around(ear));
        ring.cut(ear);
    }
    *left = ring.rest();
}

/// A polygon that loses its corners one by one; they go by their place in the list that it was made of.
struct Ring<'a, I, F> {
    corners: &'a [I],
    turn: F,
    before: Vec<usize>,
    behind: Vec<usize>,
    is_cut: Vec<bool>,
    /// Corners that may be ears.
    candidates: VecDeque<usize>,
    /// A corner that is left.
    start: usize,
    len: usize,
    /// How often a corner may still be held against an ear.
    patience: usize,
}

impl<'a, I: Copy + PartialEq, F: Fn([I; 3]) -> f64> Ring<'a, I, F> {
    fn new(corners: &'a [I], turn: F) -> Self {
        let n = corners.len();
        Self {
            corners,
            turn,
            before: (0..n).map(|i| (i + n - 1) % n).collect(),
            behind: (0..n).map(|i| (i + 1) % n).collect(),
            is_cut: vec![false; n],
            candidates: (0..n).collect(),
            start: 0,
            len: n,
            // in proportion to the polygon, and some seconds at most
            patience: 4096 * n.min(1 << 16),
        }
    }

    /// A corner between its neighbours.
    fn around(&self, i: usize) -> [I; 3] {
        [self.before[i], i, self.behind[i]].map(|i| self.corners[i])
    }

    /// A corner that turns the right way and is free of others, its sides included.
    fn next_clear(&mut self) -> Option<usize> {
        while let Some(i) = self.candidates.pop_front() {
            let is_tip = !self.is_cut[i] && (self.turn)(self.around(i)) > 0.0;
            if is_tip && self.is_free(i, |side| side < 0.0) {
                return Some(i);
            }
        }
        None
    }

    /// Failing that, a corner on a straight line, or a repeated one, can always go.
    fn next_ear(&mut self) -> Option<usize> {
        for _ in 0..self.len {
            let i = self.start;
            if (self.turn)(self.around(i)) >= 0.0 && self.is_free(i, |side| side <= 0.0) {
                return Some(i);
            }
            self.start = self.behind[i];
        }
        None
    }

    /// Whether all other corners are out of an ear, that is on the outer side of one of its sides.
    fn is_free(&mut self, i: usize, is_outside: impl Fn(f64) -> bool) -> bool {
        let [a, b, c] = self.around(i);
        let mut other = self.behind[self.behind[i]];
        while other != self.before[i] {
            let Some(patience) = self.patience.checked_sub(1) else {
                return false;
            };
            self.patience = patience;
            let p = self.corners[other];
            let side = |from, to| is_outside((self.turn)([from, to, p]));
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

    /// The corners that are left, in order.
    fn rest(&self) -> Vec<I> {
        let corners = self.corners.iter().zip(&self.is_cut);
        corners
            .filter(|(_, is_cut)| !**is_cut)
            .map(|(&corner, _)| corner)
            .collect()
    }
}
