//! The direction between the convex hulls of two bodies: of bodies that bulge towards each other the nearest pieces lie in
//! it, or close to it, and often it proves at once that they are apart.

use super::facing::{self, Facing, Open};
use super::gjk::{Aim, Next, Support};
use super::relative::Way;
use super::wide_search::Both;
use crate::math::{Level, Point, Vector, Work};

/// A direction, and what was seen along it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aimed {
    pub(super) way: Way,
    /// The pieces that reach farthest towards each other along it, where they were looked for.
    pub(super) ends: Option<(Facing, Facing)>,
    /// Whether it proves that the bodies are farther apart than was asked.
    pub(super) is_apart: bool,
}

impl Both<'_> {
    /// Looks for the direction between the hulls, and whether it proves that they are farther apart than `limit`.
    pub(super) fn aim(&self, limit: f64, open: &mut Open) -> Aimed {
        let mut aimed = Aimed {
            way: self.relative.first_way(),
            ends: None,
            is_apart: false,
        };
        self.wide_a.simd.run(Aiming {
            both: self,
            beyond: self.beyond(limit),
            aimed: &mut aimed,
            open,
        });
        aimed
    }

    /// The pieces of both that reach farthest towards each other.
    #[inline(always)]
    pub(super) fn ends<const N: usize, L: Level>(
        &self,
        way: &Way,
        open: &mut Open,
    ) -> (Facing, Facing) {
        let towards_a = way.in_b.map(|x| -x);
        let a = facing::farthest::<N, L>(self.a, self.wide_a, &way.in_a, open);
        let b = facing::farthest::<N, L>(self.b, self.wide_b, &towards_a, open);
        (a, b)
    }
}

struct Aiming<'a> {
    both: &'a Both<'a>,
    beyond: f32,
    aimed: &'a mut Aimed,
    open: &'a mut Open,
}

impl Work for Aiming<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let Self {
            both,
            beyond,
            aimed,
            open,
        } = self;
        let mut aim = Aim::new();
        if !both.aim_roughly(&mut aim, &mut aimed.way) {
            return;
        }
        for _ in 0..MOST_CLOSE_LOOKS {
            let way = aimed.way;
            let (a, b) = both.ends::<N, L>(&way, open);
            aimed.ends = Some((a, b));
            if way.offset - a.top - b.top > beyond {
                aimed.is_apart = true;
            }
            let corner = |core: &dyn Support, direction: [f32; 3]| -> Point {
                core.support(&Vector::from(direction.map(f64::from)))
            };
            let on_a = corner(&both.a.pieces[a.piece as usize].core, way.in_a);
            let on_b = corner(&both.b.pieces[b.piece as usize].core, way.in_b.map(|x| -x));
            let Next::Towards(direction) = aim.next(on_a, both.frame.x_ab * on_b) else {
                break;
            };
            aimed.way = both.relative.way(&direction);
            aimed.ends = None;
        }
    }
}

impl Both<'_> {
    /// Looks for the direction by what is known of both bodies before; `false` where their hulls overlap.
    fn aim_roughly(&self, aim: &mut Aim, way: &mut Way) -> bool {
        let (Some(a), Some(b)) = (&self.a.outline, &self.b.outline) else {
            return true;
        };
        let x = &self.frame.x_ab;
        for _ in 0..MOST_LOOKS {
            let [in_a, in_b] = [way.in_a, way.in_b].map(|v| Vector::from(v.map(f64::from)));
            match aim.next(a.far(&in_a), x * b.far(&-in_b)) {
                Next::Towards(direction) => *way = self.relative.way(&direction),
                Next::Found => break,
                Next::Overlap => return false,
            }
        }
        true
    }
}

/// More looks rarely say more.
const MOST_LOOKS: usize = 12;
/// The search for pieces that follows looks closely, too.
const MOST_CLOSE_LOOKS: usize = 2;
