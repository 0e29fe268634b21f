//! Edges that are free for certain: certificates of all of an interval, and fine samples where obstacles are near.
//!
//! Bisection, as Schwarzer, Saha and Latombe (2005) check edges: a pair needs no more checks within an interval around a
//! configuration where it is farther apart than it can approach there. Of an interval, only the pairs that were left by the one
//! that it is half of are looked at. To ask whether a pair is so far apart takes a fraction of the time of the distances that
//! [conservative advancement](super::proof) needs. With a sphere pre-filter, spheres that are larger by what a body moves
//! between two samples prove most of an edge, eight or sixteen samples at a time.

use super::certified::MAX_LENGTH;
use super::speeds::{Moves, Speeds};
use super::{Edge, Proof, sampled};
use crate::Result;
use crate::planning::robot_cspace::Member;
use crate::planning::workspace::Poses;
use crate::planning::{CSpace, RobotCSpace, Workspace};

/// Scratch memory of these checks.
#[derive(Debug, Clone, Default)]
pub(in crate::planning) struct Intervals {
    /// What is still to be checked, the next on top.
    open: Vec<Interval>,
    /// Pairs of the intervals, those of the top one last.
    pairs: Vec<(usize, usize)>,
}

/// How certain it has to be that an edge is free.
#[derive(Debug, Clone, Copy)]
pub(in crate::planning) struct Certainty {
    /// Distance, m, below which a proof by bisection would take longer than the samples do.
    pub least_distance: f64,
    /// Whether what is near at an end of the edge may be near along it.
    pub near_ends: bool,
}

/// Steps of an edge.
#[derive(Debug, Clone, Copy)]
struct Interval {
    low: usize,
    high: usize,
    pairs: Among,
}

/// Pairs that may collide in an interval.
#[derive(Debug, Clone, Copy)]
struct Among {
    /// Where they begin and end in the list; those of intervals below are before them.
    range: [usize; 2],
    /// Whether any pair may collide, and the range is empty.
    are_all: bool,
}

impl RobotCSpace {
    /// Returns whether an edge is free: proved by bisection where nothing is nearer than `least_distance` (m), elsewhere by the samples
    /// of the resolution, each with what bodies can move up to half of the way to the next. What is so near that even this leaves
    /// it open makes the edge one that is not free; with `near_ends` not where the same pair is as near at an end of the edge,
    /// which has to be passed: there the samples decide.
    pub(in crate::planning) fn is_surely_free_with(
        &self,
        a: &[f64],
        b: &[f64],
        certainty: Certainty,
        ws: &mut Workspace,
    ) -> Result<bool> {
        self.is_surely_free_near(a, b, &Speeds::default(), certainty, ws)
    }

    /// [`is_surely_free_with`](Self::is_surely_free_with) for an arc of a parabola by three of its points, the second half way between
    /// the others: it leaves the edge between these by what `middle` leaves it, at most.
    pub(in crate::planning) fn is_arc_surely_free_with(
        &self,
        [a, middle, b]: [&[f64]; 3],
        certainty: Certainty,
        ws: &mut Workspace,
    ) -> Result<bool> {
        let straight = a.iter().zip(b).map(|(a, b)| 0.5 * (a + b));
        let bend: Vec<f64> = straight.zip(middle).map(|(a, b)| (a - b).abs()).collect();
        self.is_bent_edge_surely_free_with([a, b], &bend, certainty, ws)
    }

    /// [`is_surely_free_with`](Self::is_surely_free_with) for a curve that leaves the edge between its ends by `bend` at most, of
    /// each degree of freedom.
    pub(in crate::planning) fn is_bent_edge_surely_free_with(
        &self,
        [a, b]: [&[f64]; 2],
        bend: &[f64],
        certainty: Certainty,
        ws: &mut Workspace,
    ) -> Result<bool> {
        // sliding joints reach farther where they are extended
        let ends = a.iter().zip(b);
        let far: Vec<f64> = ends
            .map(|(a, b)| if a.abs() > b.abs() { *a } else { *b })
            .collect();
        let both = far.iter().zip(bend);
        let beside: Vec<f64> = both.map(|(q, bend)| q + bend.copysign(*q)).collect();
        let bend = self.speeds(&far, &beside)?;
        self.is_surely_free_near(a, b, &bend, certainty, ws)
    }

    /// How far bodies move, at most, while each degree of freedom changes by so much from a configuration on, m.
    pub(in crate::planning) fn travel(&self, q: &[f64], change: &[f64]) -> Result<f64> {
        let moved: Vec<f64> = q.iter().zip(change).map(|(q, by)| q + by).collect();
        Ok(self.speeds(q, &moved)?.fastest())
    }

    /// Returns whether an edge is free, and what bodies reach with a `bend` beside it.
    fn is_surely_free_near(
        &self,
        a: &[f64],
        b: &[f64],
        bend: &Speeds,
        certainty: Certainty,
        ws: &mut Workspace,
    ) -> Result<bool> {
        ws.update(&self.snapshot)?;
        if !self.snapshot.is_steady {
            return match self.prove_edge_with(a, b, certainty.least_distance, ws)? {
                Proof::Free => Ok(true),
                Proof::Collision(_) => Ok(false),
                Proof::Near { .. } => self.is_edge_free_with(a, b, ws),
            };
        }
        // an edge that takes more samples than there may be has as many
        let finest = |_| self.edge(a, b, Some(sampled::MAX_STEPS as usize));
        let edge = self.edge(a, b, None).or_else(finest)?;
        // collisions at the ends are found as elsewhere
        if !self.is_within_limits(a)? || !self.is_within_limits(b)? {
            return Ok(false);
        }
        let mut moves = Moves {
            speeds: self.speeds(a, b)?,
            bend,
        };
        self.open_intervals(&edge, &moves, ws)?;
        is_free_where_open(self, &edge, &mut moves, certainty, ws)
    }

    /// Lists the intervals of an edge that spheres do not prove free, without them all of it.
    fn open_intervals(
        &self,
        edge: &Edge<'_>,
        Moves { speeds, bend }: &Moves<'_>,
        ws: &mut Workspace,
    ) -> Result<()> {
        let Intervals { open, pairs } = &mut ws.intervals;
        open.clear();
        pairs.clear();
        let mut add = |low, high, pairs| open.push(Interval { low, high, pairs });
        let all = |at| Among {
            range: [at, at],
            are_all: true,
        };
        let Some(spheres) = &mut ws.spheres else {
            add(0, edge.steps, all(0));
            return Ok(());
        };
        let fastest = speeds.fastest();
        let most = edge.steps.min(MAX_STEPS);
        let steps = ((0.5 * fastest / TRAVEL).ceil() as usize).clamp(1, most);
        // each of these steps is about all that is nearer to it than to another
        let travel = 0.5 * fastest / steps as f64 + bend.fastest();
        if !self.find_unresolved(&Edge { steps, ..*edge }, travel, spheres)? {
            add(0, edge.steps, all(0));
            return Ok(());
        }
        let ratio = edge.steps as f64 / steps as f64;
        for run in spheres.unresolved.runs() {
            let [first, last] = run.ends();
            let low = (first as f64 - 0.5) * ratio;
            let high = (last as f64 + 0.5) * ratio;
            let begin = pairs.len();
            let are_known = run.pairs_into(pairs);
            let among = Among {
                range: [begin, pairs.len()],
                are_all: !are_known,
            };
            add(
                low.max(0.0) as usize,
                (high.ceil() as usize).min(edge.steps),
                among,
            );
        }
        Ok(())
    }
}

/// How far a body moves, at most, between a sample that spheres decide and what the sample stands for, m.
const TRAVEL: f64 = 2e-3;

/// Approach, m, within an interval up to which its middle is not checked for collisions before its halves are.
const LEAST_CHECKED: f64 = 0.05;

/// The most samples that spheres decide.
const MAX_STEPS: usize = 1 << 16;

/// Returns whether the open intervals of an edge are free.
fn is_free_where_open(
    space: &RobotCSpace,
    edge: &Edge<'_>,
    moves: &mut Moves<'_>,
    Certainty {
        least_distance,
        near_ends,
    }: Certainty,
    ws: &mut Workspace,
) -> Result<bool> {
    let (poses, Intervals { open, pairs }) = (&mut ws.poses, &mut ws.intervals);
    while let Some(interval) = open.pop() {
        // those of the intervals before, which are done
        pairs.truncate(interval.pairs.range[1]);
        let (low, high) = (interval.low, interval.high);
        let middle = low + (high - low) / 2;
        let part = (high - middle) as f64 / edge.steps as f64;
        space.set_step(edge, middle, poses)?;
        space.tighten(&mut moves.speeds, part, &poses.world)?;
        let approach = 2.0 * (part * moves.speeds.fastest() + moves.bend.fastest());
        let known = pairs.len();
        let is_short = high - low < 2;
        let are_all = interval.pairs.are_all && !is_short && approach > MAX_LENGTH;
        if !are_all {
            find_uncertain(space, moves, part, interval.pairs, pairs, poses)?;
            if pairs.len() == known {
                continue;
            }
        }
        let left = Among {
            range: [known, pairs.len()],
            are_all,
        };
        // to know early what collides takes longer than it saves where little of the edge is left
        if approach > LEAST_CHECKED && space.collides(&pairs[known..], &mut poses.world)? {
            return Ok(false);
        }
        if !is_short && approach > least_distance {
            open.extend([(middle, high), (low, middle)].map(|(low, high)| Interval {
                low,
                high,
                pairs: left,
            }));
            continue;
        }
        let end = pairs.len();
        for i in low..=high {
            space.set_step(edge, i, poses)?;
            find_near(space, edge, moves, [known, end], pairs, poses);
            if pairs.len() == end {
                continue;
            }
            if !near_ends || space.collides(&pairs[end..], &mut poses.world)? {
                return Ok(false);
            }
            drop_near_ends(space, edge, moves, end, pairs, poses)?;
            if pairs.len() > end {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Appends the pairs, of those between two positions in the list, that may collide up to half a step from where the robots are.
fn find_near(
    space: &RobotCSpace,
    edge: &Edge<'_>,
    moves: &Moves<'_>,
    [begin, end]: [usize; 2],
    pairs: &mut Vec<(usize, usize)>,
    poses: &mut Poses,
) {
    for i in begin..end {
        if is_near(space, edge, moves, pairs[i], poses) {
            pairs.push(pairs[i]);
        }
    }
}

fn is_near(
    space: &RobotCSpace,
    edge: &Edge<'_>,
    moves: &Moves<'_>,
    pair: (usize, usize),
    poses: &mut Poses,
) -> bool {
    let half = 0.5 / edge.steps as f64;
    let approach = |a, b| moves.between(half, a, b);
    let collider = &space.snapshot.collider;
    collider.may_meet_with(pair, &mut poses.world, approach)
}

/// Drops the pairs from a position in the list on that are near at an end of the edge, too.
fn drop_near_ends(
    space: &RobotCSpace,
    edge: &Edge<'_>,
    moves: &Moves<'_>,
    begin: usize,
    pairs: &mut Vec<(usize, usize)>,
    poses: &mut Poses,
) -> Result<()> {
    for end in [0, edge.steps] {
        space.set_step(edge, end, poses)?;
        let mut left = begin;
        for i in begin..pairs.len() {
            if !is_near(space, edge, moves, pairs[i], poses) {
                pairs[left] = pairs[i];
                left += 1;
            }
        }
        pairs.truncate(left);
    }
    Ok(())
}

/// Appends the pairs that may collide within a part of an edge around the sample where the robots are: of those between two
/// positions in the list, or of all.
fn find_uncertain(
    space: &RobotCSpace,
    moves: &Moves<'_>,
    part: f64,
    among: Among,
    pairs: &mut Vec<(usize, usize)>,
    poses: &mut Poses,
) -> Result<()> {
    let collider = &space.snapshot.collider;
    let world = &mut poses.world;
    let approach = |a, b| moves.between(part, a, b);
    if !among.are_all {
        let [begin, end] = among.range;
        for i in begin..end {
            let pair = pairs[i];
            if collider.may_meet_with(pair, world, approach) {
                pairs.push(pair);
            }
        }
        return Ok(());
    }
    for Member { id, .. } in space.members() {
        let travel = |entity| part * moves.speeds.at_most(entity) + moves.bend.at_most(entity);
        collider.find_approaching_with(*id, world, travel, approach, pairs)?;
    }
    Ok(())
}
