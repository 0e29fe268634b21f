//! Checks of the configurations along a straight edge.

use super::ExactCheck;
use super::block::{Hits, Query};
use super::cores::splat;
use super::model::Model;
use super::scratch::{AnyScratch, Scratch};
use crate::math::{Lanes, Level, Ring, Work};

/// The question about an edge.
pub(super) enum Goal<'a> {
    /// A step that is not free.
    Blocked {
        check: ExactCheck<'a>,
        step: &'a mut Option<usize>,
    },
    /// The steps that the spheres do not prove free.
    Unresolved(&'a mut Unresolved),
}

/// Steps of an edge that the spheres do not prove free, and the pairs of parts whose spheres overlap there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unresolved {
    /// In order, each with where its pairs begin and end; these are none where any pair may collide.
    steps: Vec<(usize, [usize; 2])>,
    pairs: Vec<(usize, usize)>,
}

impl Unresolved {
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.pairs.clear();
    }

    fn add(&mut self, step: usize, pairs: &[(usize, usize)]) {
        let first = self.pairs.len();
        let sorted = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b)));
        self.pairs.extend(sorted);
        self.steps.push((step, [first, self.pairs.len()]));
    }

    pub(super) fn sort(&mut self) {
        self.steps.sort_unstable();
    }

    /// The steps, in order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().map(|(step, _)| *step)
    }

    /// Steps that follow each other, the last of these runs first.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        let is_next = |a: &(usize, _), b: &(usize, _)| a.0 + 1 == b.0;
        let runs = self.steps.chunk_by(is_next).rev();
        runs.map(|steps| Run { all: self, steps })
    }
}

/// Steps that follow each other.
pub(crate) struct Run<'a> {
    all: &'a Unresolved,
    steps: &'a [(usize, [usize; 2])],
}

impl Run<'_> {
    /// The first and the last.
    pub(crate) fn ends(&self) -> [usize; 2] {
        [self.steps[0].0, self.steps[self.steps.len() - 1].0]
    }

    /// Appends the pairs that may collide in any of them, each once; `false` where any pair may, and none is appended then.
    pub(crate) fn pairs_into(&self, out: &mut Vec<(usize, usize)>) -> bool {
        let before = out.len();
        for (_, [first, last]) in self.steps {
            if first == last {
                out.truncate(before);
                return false;
            }
            for pair in &self.all.pairs[*first..*last] {
                if !out[before..].contains(pair) {
                    out.push(*pair);
                }
            }
        }
        true
    }
}

/// A check of the edge from `a` to `a + change`, of the first `0..=steps` of `all` its steps.
pub(super) struct Along<'a> {
    pub(super) model: &'a Model,
    pub(super) scratch: &'a mut dyn AnyScratch,
    pub(super) a: &'a [f64],
    pub(super) change: &'a [f64],
    pub(super) steps: usize,
    pub(super) all: usize,
    /// How far a body moves beyond each configuration, m.
    pub(super) travel: f64,
    pub(super) goal: Goal<'a>,
    pub(super) candidates: &'a mut Vec<(usize, usize)>,
}

/// Factor that covers the rounding of a length to single precision and of its sum.
const SAFE: f64 = 1.0 + 1e-6;

impl Work for Along<'_> {
    const SINGLE: bool = true;

    /// Lane `l` of block `k` is step `l · blocks + k`: every block spans all that is checked. The one in the middle comes first,
    /// and all others are within half their number of steps of it.
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let (model, a, change) = (self.model, self.a, self.change);
        let scratch = self.scratch.of::<N, L>();
        let mut goal = self.goal;
        let blocks = (self.steps + 1).div_ceil(N);
        let middle = blocks / 2;
        let rounding = model
            .within_limits
            .unwrap_or_else(|| model.rounding(|i| a[i].abs().max((a[i] + change[i]).abs())));
        let rounding = rounding + (self.travel * SAFE) as f32;
        let is_known = rounding.is_finite() && !model.is_stuck();

        scratch.shortlist.clear();

        // coarse to fine: van der Corput order by bit reversal
        let bits = blocks.next_power_of_two().trailing_zeros();
        let order = (0..1_usize << bits).map(|position| match bits {
            0 => 0,
            _ => position.reverse_bits() >> (usize::BITS - bits),
        });
        let others = order.filter(|&k| k < blocks && k != middle);
        let (mut next, mut others) = (Some(middle), others);
        while let Some(k) = next {
            let lanes = (self.steps + 1 - k).div_ceil(blocks).min(N);
            let valid = u32::MAX >> (32 - lanes);
            let mut hits = Hits {
                sure: 0,
                perhaps: valid,
            };
            let query = Query {
                model,
                rounding,
                valid,
                near: u32::MAX >> (32 - N),
                stops: matches!(goal, Goal::Blocked { .. }),
            };
            if is_known {
                fill(
                    model,
                    scratch,
                    (a, change),
                    (k, blocks),
                    [self.steps, self.all],
                );
                scratch.update_frames(model);
                hits = if k == middle {
                    scratch.all(query)
                } else {
                    scratch.check_shortlist(query)
                };
            }
            if hits.sure | hits.perhaps != 0 {
                let step = (lanes, blocks, k, is_known);
                if !resolve(scratch, hits, step, &mut goal, self.candidates) {
                    return;
                }
            }
            if is_known && k == middle && blocks > 1 {
                list(scratch, query, change, (middle, blocks, self.all));
            }
            next = others.next();
        }
    }
}

/// Lists what may collide in another block than this one in the middle.
#[inline(always)]
fn list<const N: usize, L: Level>(
    scratch: &mut Scratch<Lanes<N, L, f32>>,
    query: Query<'_>,
    change: &[f64],
    (middle, blocks, all): (usize, usize, usize),
) {
    // displacement bounds from the middle block to any other
    let part = middle.max(blocks - 1 - middle) as f64 / all as f64;
    query.model.moves::<N, L>(
        #[inline(always)]
        |i| (change[i].abs() * part) as f32,
        &mut scratch.slack,
    );
    scratch.list(query);
    if blocks > 2 {
        scratch.narrow(query);
    }
}

/// Resolves a block that is not proven free; returns whether to go on.
fn resolve<const N: usize, L: Level>(
    scratch: &Scratch<Lanes<N, L, f32>>,
    hits: Hits,
    (lanes, blocks, k, is_known): (usize, usize, usize, bool),
    goal: &mut Goal<'_>,
    candidates: &mut Vec<(usize, usize)>,
) -> bool {
    let in_lanes = |mask: u32| (0..lanes).filter(move |lane| mask >> lane & 1 == 1);
    match goal {
        Goal::Unresolved(out) => {
            for lane in in_lanes(hits.sure | hits.perhaps) {
                candidates.clear();
                // of a step that surely collides not all pairs are listed
                if is_known && hits.sure >> lane & 1 == 0 {
                    scratch.candidates_in(lane, candidates);
                }
                out.add(lane * blocks + k, candidates);
            }
            true
        }
        Goal::Blocked { check, step } => {
            // lanes are in the order of the edge
            let mut lane = in_lanes(hits.sure).next();
            if lane.is_none() {
                lane = in_lanes(hits.perhaps).find(|&lane| {
                    candidates.clear();
                    if is_known {
                        scratch.candidates_in(lane, candidates);
                    }
                    check(lane * blocks + k, candidates)
                });
            }
            **step = lane.map(|lane| lane * blocks + k);
            lane.is_none()
        }
    }
}

/// Writes the configurations of a block into the lanes.
#[inline(always)]
fn fill<const N: usize, L: Level>(
    model: &Model,
    scratch: &mut Scratch<Lanes<N, L, f32>>,
    (a, change): (&[f64], &[f64]),
    (k, blocks): (usize, usize),
    [steps, all]: [usize; 2],
) {
    let mut t = [0.0_f32; N];
    let scale = 1.0 / all.max(1) as f32;
    for lane in 0..N {
        t[lane] = (lane * blocks + k).min(steps) as f32 * scale;
    }
    let t = Lanes::<N, L, f32>::new(t);
    for r in 0..model.robots.len() {
        let (first, q) = (model.robots[r].range.start, &mut scratch.q[r][..]);
        for i in 0..q.len() {
            let (a, change) = (a[first + i] as f32, change[first + i] as f32);
            q[i] = t.mul_add(splat(change), splat(a));
        }
    }
}
