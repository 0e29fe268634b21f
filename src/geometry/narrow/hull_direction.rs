//! Direction between the convex hulls of two bodies.
//!
//! Of bodies that bulge towards each other the closest pieces lie near it, and often it proves at once that the bodies
//! are separated.

use super::extremes::{self, Extreme, Open};
use super::gjk::{DirectionSearch, Next, Support};
use super::relative::Direction;
use super::wide_search::Both;
use crate::math::linear::array3;
use crate::math::{Level, Point, Vector, Work};

/// A direction, and what was found along it.
#[derive(Debug, Clone, Copy)]
pub(super) struct HullDirection {
    pub(super) direction: Direction,
    /// The extreme pieces of both bodies towards each other along it, where they were computed.
    pub(super) extremes: Option<(Extreme, Extreme)>,
    /// True if it proves that the bodies are farther apart than the limit.
    pub(super) is_separated: bool,
}

impl Both<'_> {
    /// Searches for the direction between the hulls, and tests whether it separates them by more than `limit`.
    pub(super) fn hull_direction(&self, limit: f64, open: &mut Open) -> HullDirection {
        let mut found = HullDirection {
            direction: self.relative.center_direction(),
            extremes: None,
            is_separated: false,
        };
        self.wide_a.simd.run(Search {
            both: self,
            beyond: self.beyond(limit),
            found: &mut found,
            open,
        });
        found
    }

    /// The extreme pieces of both bodies towards each other.
    #[inline(always)]
    pub(super) fn extremes<const N: usize, L: Level>(
        &self,
        direction: &Direction,
        open: &mut Open,
    ) -> (Extreme, Extreme) {
        let towards_a = array3(|k| -direction.in_b[k]);
        let a = extremes::farthest::<N, L>(self.a, self.wide_a, &direction.in_a, open);
        let b = extremes::farthest::<N, L>(self.b, self.wide_b, &towards_a, open);
        (a, b)
    }
}

struct Search<'a> {
    both: &'a Both<'a>,
    beyond: f32,
    found: &'a mut HullDirection,
    open: &'a mut Open,
}

impl Work for Search<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let Self {
            both,
            beyond,
            found,
            open,
        } = self;
        let mut search = DirectionSearch::new();
        if !both.rough_direction(&mut search, &mut found.direction) {
            return;
        }
        for _ in 0..MAX_EXACT_STEPS {
            let direction = found.direction;
            let (a, b) = both.extremes::<N, L>(&direction, open);
            found.extremes = Some((a, b));
            if direction.offset - a.support - b.support > beyond {
                found.is_separated = true;
            }
            let vertex = |core: &dyn Support, direction: [f32; 3]| -> Point {
                core.support(&double(&direction))
            };
            let on_a = vertex(&both.a.pieces[a.piece as usize].core, direction.in_a);
            let on_b = vertex(
                &both.b.pieces[b.piece as usize].core,
                array3(|k| -direction.in_b[k]),
            );
            let Next::Towards(v) = search.next(on_a, both.frame.x_ab * on_b) else {
                break;
            };
            found.direction = both.relative.direction(&v);
            found.extremes = None;
        }
    }
}

impl Both<'_> {
    /// Searches with the support tables of both bodies; returns `false` where their hulls overlap.
    fn rough_direction(&self, search: &mut DirectionSearch, direction: &mut Direction) -> bool {
        let (Some(a), Some(b)) = (&self.a.support_table, &self.b.support_table) else {
            return true;
        };
        let x = &self.frame.x_ab;
        for _ in 0..MAX_STEPS {
            let [in_a, in_b] = [double(&direction.in_a), double(&direction.in_b)];
            match search.next(a.support(&in_a), x * b.support(&-in_b)) {
                Next::Towards(v) => *direction = self.relative.direction(&v),
                Next::Found => break,
                Next::Overlap => return false,
            }
        }
        true
    }
}

/// The vector in double precision.
#[inline]
fn double(v: &[f32; 3]) -> Vector {
    Vector::from(array3(|k| f64::from(v[k])))
}

/// More steps rarely improve the direction.
const MAX_STEPS: usize = 12;
/// The search for pieces that follows is exact, too.
const MAX_EXACT_STEPS: usize = 2;
