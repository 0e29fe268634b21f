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
    pub least_gap: f64,
    /// Whether what is near at an end of the edge may be near along it.
    pub near_ends: bool,
}

/// Steps of an edge whose ends are free.
#[derive(Debug, Clone, Copy)]
struct Interval {
    low: usize,
    high: usize,
    /// Where the pairs begin and end that may collide in it; `None` for all.
    pairs: Option<[usize; 2]>,
}

impl RobotCSpace {
    /// Returns whether an edge is free: proved by bisection where nothing is nearer than `least_gap` (m), elsewhere by the samples
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
        let straight: Vec<f64> = a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect();
        let bend = self.speeds(&straight, middle)?;
        self.is_surely_free_near(a, b, &bend, certainty, ws)
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
            return match self.prove_edge_with(a, b, certainty.least_gap, ws)? {
                Proof::Free => Ok(true),
                Proof::Collision(_) => Ok(false),
                Proof::Near { .. } => self.is_edge_free_with(a, b, ws),
            };
        }
        // an edge that takes more samples than there may be has as many
        let finest = |_| self.edge(a, b, Some(sampled::MAX_STEPS as usize));
        let edge = self.edge(a, b, None).or_else(finest)?;
        if !sampled::is_edge_free(self, &edge, [0, edge.steps], &mut ws.poses)? {
            return Ok(false);
        }
        let mut moves = Moves {
            speeds: self.speeds(a, b)?,
            bend,
        };
        self.open_intervals(&edge, &moves, ws)?;
        is_free_where_open(self, &edge, &mut moves, certainty, ws)
    }

    /// Lists the intervals of an edge that spheres do not prove free, without them all of it; the ends are free.
    fn open_intervals(
        &self,
        edge: &Edge<'_>,
        Moves { speeds, bend }: &Moves<'_>,
        ws: &mut Workspace,
    ) -> Result<()> {
        let Intervals { open, pairs } = &mut ws.intervals;
        open.clear();
        pairs.clear();
        let mut add = |low, high| {
            open.push(Interval {
                low,
                high,
                pairs: None,
            });
        };
        let Some(spheres) = &mut ws.spheres else {
            add(0, edge.steps);
            return Ok(());
        };
        let fastest = speeds.fastest();
        let most = edge.steps.min(MAX_STEPS);
        let steps = ((0.5 * fastest / TRAVEL).ceil() as usize).clamp(1, most);
        // each of these steps is about all that is nearer to it than to another
        let travel = 0.5 * fastest / steps as f64 + bend.fastest();
        if !self.find_unresolved(&Edge { steps, ..*edge }, travel, spheres)? {
            add(0, edge.steps);
            return Ok(());
        }
        let ratio = edge.steps as f64 / steps as f64;
        let is_next = |a: &usize, b: &usize| a + 1 == *b;
        for run in spheres.unresolved.chunk_by(is_next).rev() {
            let low = (run[0] as f64 - 0.5) * ratio;
            let high = (run[run.len() - 1] as f64 + 0.5) * ratio;
            add(
                low.max(0.0) as usize,
                (high.ceil() as usize).min(edge.steps),
            );
        }
        Ok(())
    }
}

/// How far a body moves, at most, between a sample that spheres decide and what the sample stands for, m.
const TRAVEL: f64 = 2e-3;

/// The most samples that spheres decide.
const MAX_STEPS: usize = 1 << 16;

/// Returns whether the open intervals of an edge are free.
fn is_free_where_open(
    space: &RobotCSpace,
    edge: &Edge<'_>,
    moves: &mut Moves<'_>,
    Certainty {
        least_gap,
        near_ends,
    }: Certainty,
    ws: &mut Workspace,
) -> Result<bool> {
    let (poses, Intervals { open, pairs }) = (&mut ws.poses, &mut ws.intervals);
    while let Some(interval) = open.pop() {
        // those of the intervals before, which are done
        pairs.truncate(interval.pairs.map_or(0, |[_, end]| end));
        let (low, high) = (interval.low, interval.high);
        let middle = low + (high - low) / 2;
        let part = (high - middle) as f64 / edge.steps as f64;
        space.set_step(edge, middle, poses)?;
        space.tighten(&mut moves.speeds, part, &poses.world)?;
        let approach = 2.0 * (part * moves.speeds.fastest() + moves.bend.fastest());
        let known = pairs.len();
        let is_short = high - low < 2;
        let left = if is_short || approach <= MAX_LENGTH {
            find_uncertain(space, moves, part, interval.pairs, pairs, poses)?;
            if pairs.len() == known {
                continue;
            }
            Some([known, pairs.len()])
        } else {
            None
        };
        // none where all are left
        let uncertain = &pairs[known..];
        if space.collides(uncertain, &mut poses.world)? {
            return Ok(false);
        }
        if !is_short && approach > least_gap {
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
    among: Option<[usize; 2]>,
    pairs: &mut Vec<(usize, usize)>,
    poses: &mut Poses,
) -> Result<()> {
    let collider = &space.snapshot.collider;
    let world = &mut poses.world;
    let approach = |a, b| moves.between(part, a, b);
    if let Some([begin, end]) = among {
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

#[cfg(test)]
mod tests {
    use super::{Certainty, Proof};
    use crate::geometry::Primitive;
    use crate::planning::{CSpace, RobotCSpace};
    use crate::robot::{Element, LinkId, LinkMotion, LinkSpec, RobotBuilder};
    use crate::world::{EntityId, Terrain};
    use crate::{Point, Pose, Vector, WorldModel, kinematics};

    const LEAST_GAP: f64 = 0.02;
    const CERTAIN: Certainty = Certainty {
        least_gap: LEAST_GAP,
        near_ends: false,
    };

    /// Four bars one on the other, which turn or slide, among blocks.
    fn bars_among_blocks() -> WorldModel {
        let block = |at: Point, size: Vector| Primitive::aabb(at, at + size).unwrap();
        let bar = || {
            Element::new(
                block(
                    Point::new(-0.025, -0.025, 0.05),
                    Vector::new(0.05, 0.05, 0.3),
                )
                .into(),
            )
        };
        let mut bars = RobotBuilder::new("bars");
        let mut below = None;
        for i in 0..5 {
            let motion = match i {
                0 => LinkMotion::Fixed,
                1 | 4 => LinkMotion::Revolute(Vector::z()),
                3 => LinkMotion::Prismatic(Vector::x()),
                _ => LinkMotion::Revolute(Vector::y()),
            };
            let mut link = LinkSpec::new(format!("bar{i}"), below, motion);
            link.placement = Pose::translation(0.0, 0.0, if i > 1 { 0.4 } else { 0.0 });
            let most = if i == 3 { 0.3 } else { 2.5 };
            (link.limits.q_min, link.limits.q_max) = (-most, most);
            link.collision.push(bar());
            below = Some(bars.add_link(link));
        }
        let mut world = WorldModel::new();
        world.add_robot(bars.build().unwrap());
        for (i, x) in [-0.9, -0.5, 0.5, 0.9].into_iter().enumerate() {
            let at = Point::new(x, 0.3 * x, 0.7 - 0.5 * x);
            let block = block(at, Vector::repeat(0.2));
            let block = Terrain::new(format!("block{i}"), Some(block.into()));
            world.add_terrain(block).unwrap();
        }
        world
    }

    #[test]
    fn what_is_surely_free_is_free_at_fine_samples_and_what_is_proved_is_surely_free() {
        let world = bars_among_blocks();
        let arm = world.robot("bars").unwrap();
        let space = RobotCSpace::new(&world, &[arm.id()]).unwrap();
        let fine = space.clone().with_resolution(1e-3).unwrap();
        let quick = fine.clone().with_sphere_prefilter(16).unwrap();
        let (mut ws, mut quick_ws) = (fine.workspace(), quick.workspace());
        let rows: Vec<Vec<f64>> = (0..400)
            .map(|seed| kinematics::sample(arm.model(), seed, 1.0))
            .filter(|q| space.is_free(q).unwrap())
            .collect();
        let (mut sure, mut blocked, mut proved) = (0, 0, 0);
        for edge in rows.windows(2) {
            let (a, b) = (&edge[0], &edge[1]);
            let is_quick = quick.is_surely_free_with(a, b, CERTAIN, &mut quick_ws);
            let is_quick = is_quick.unwrap();
            let is_sure = fine.is_surely_free_with(a, b, CERTAIN, &mut ws).unwrap();
            let steps = (space.distance(a, b) / 2e-3).ceil() as usize;
            let is_free = space.is_edge_free_in_steps(a, b, steps).unwrap();
            assert!(is_free || !(is_sure || is_quick));
            match fine.prove_edge_with(a, b, LEAST_GAP, &mut ws).unwrap() {
                Proof::Free => {
                    assert!(is_sure && is_quick);
                    proved += 1;
                }
                Proof::Collision(_) => assert!(!is_sure && !is_quick),
                Proof::Near { .. } => {}
            }
            sure += usize::from(is_sure);
            blocked += usize::from(!is_free);
        }
        assert!(
            proved > 10 && sure > proved && blocked > 10,
            "{proved} {sure} {blocked}"
        );
    }

    #[test]
    fn bounds_on_speeds_hold_where_they_were_tightened_to() {
        let world = bars_among_blocks();
        let arm = world.robot("bars").unwrap();
        let (id, robot) = (arm.id(), arm.model());
        let space = RobotCSpace::new(&world, &[id]).unwrap();
        let mut ws = space.workspace();
        let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| {
            let side = |bit: usize, low, high| if i >> bit & 1 == 0 { low } else { high };
            let half = 0.025;
            Point::new(
                side(0, -half, half),
                side(1, -half, half),
                side(2, 0.05, 0.35),
            )
        });
        let (mut tighter, mut all) = (0, 0);
        for seed in 0..600 {
            let [a, b] = [2 * seed, 2 * seed + 1].map(|seed| kinematics::sample(robot, seed, 1.0));
            let mut speeds = space.speeds(&a, &b).unwrap();
            let loose = speeds.fastest();
            let part = 0.5 * f64::from(seed as u32) / 600.0;
            let mut at = |t: f64| -> Vec<Pose> {
                let q: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + t * (b - a)).collect();
                ws.poses.world.set_config(id, &q).unwrap();
                let state = ws.poses.world.state(id).unwrap();
                (0..5).map(|i| state.pose(robot, LinkId::new(i))).collect()
            };
            let step = 1e-3 * part;
            let times = [-1.0, -0.5, -0.1, 0.2, 0.7, 0.999].map(|u| 0.5 + u * part);
            let moves = times.map(|t| [at(t), at(t + step)]);
            at(0.5);
            space.tighten(&mut speeds, part, &ws.poses.world).unwrap();
            all += 1;
            tighter += usize::from(speeds.fastest() < 0.8 * loose);
            let links = (0..5).map(|i| EntityId::Link(id, LinkId::new(i)));
            for [before, after] in &moves {
                for (i, link) in links.clone().enumerate() {
                    let most = speeds.at_most(link) * step + 1e-12;
                    for corner in &corners {
                        let moved = after[i] * corner - before[i] * corner;
                        assert!(moved.norm() <= most, "{} > {most}", moved.norm());
                    }
                    // beside each link below it
                    for (j, below) in links.clone().take(i).enumerate() {
                        let most = speeds.between(below, link) * step + 1e-12;
                        for corner in &corners {
                            let [a, b] = [before, after].map(|x| x[j].inverse() * (x[i] * corner));
                            let moved = (b - a).norm();
                            assert!(moved <= most, "{moved} > {most}");
                        }
                    }
                }
            }
        }
        assert!(3 * tighter > all, "{tighter} of {all}");
    }
}
