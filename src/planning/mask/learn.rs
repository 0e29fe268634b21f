//! Learning of masks: collisions in random configurations, and the classes that follow.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{LearnedPair, MaskOptions, PairClass, SelfCollisionMask};
use crate::kinematics::State;
use crate::math::SplitMix;
use crate::planning::{CSpace, RobotCSpace, Workspace};
use crate::robot::{LinkId, Robot};
use crate::world::{EntityId, PairFilter, SelfCollisionOptions, WorldModel, self_collisions_with};
use crate::{Error, Result, threads};

/// The most samples: more take days.
const MAX_SAMPLES: usize = 10_000_000;
/// Samples per task of a thread.
const CHUNK: usize = 256;

type Pair = (LinkId, LinkId);

impl SelfCollisionMask {
    /// Learns a mask from random configurations of a robot, with its drivers' couplings and its exact shapes; with the feature
    /// `parallel` on all threads.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a number of samples that is out of range, and for shapes whose bounding boxes are not finite;
    /// [`Error::MissingGeometry`] for links that should have collision geometry and do not.
    pub fn learn(robot: &Robot, options: &MaskOptions) -> Result<Self> {
        Self::learn_observed(robot, options, |_| Ok(()))
    }

    /// [`learn`](Self::learn), which tells `watch` how many samples were checked since the last call, from any thread.
    ///
    /// # Errors
    ///
    /// As [`learn`](Self::learn); an error of `watch` ends the search.
    pub fn learn_observed(
        robot: &Robot,
        options: &MaskOptions,
        watch: impl Fn(usize) -> Result<()> + Sync,
    ) -> Result<Self> {
        let samples = options.samples;
        if !(2..=MAX_SAMPLES).contains(&samples) {
            let problem = format!("must be from 2 to {MAX_SAMPLES}, got {samples}");
            return Err(Error::invalid("the number of samples of a mask", problem));
        }
        let (adjacent, open) = split_pairs(robot);
        let enabled: Vec<Pair> = open
            .iter()
            .copied()
            .filter(|&(a, b)| robot.self_collision_enabled(a, b))
            .collect();
        let mut world = WorldModel::new();
        let id = world.add_robot(robot.clone());
        let filter = if options.allow_missing_geometry {
            PairFilter::default().allow_missing_geometry()
        } else {
            PairFilter::default()
        };
        let space = RobotCSpace::with_filter(&world, &[id], &filter)?;

        let half = samples / 2;
        let first = count(&space, options.seed, 0..half, &enabled, &[], &watch)?;
        let accepting = SelfCollisionOptions::default()
            .with_allow_missing_geometry(options.allow_missing_geometry);
        let at_start = self_collisions_with(robot, &reference(robot)?, accepting)?;
        let is_left_out = |pair: &Pair, collisions: usize| {
            if at_start.contains(pair) {
                // what collided in all is not yet known to do so always
                options.disable_default && collisions < half
            } else {
                collisions == 0
            }
        };
        let proposed: Vec<Pair> = enabled
            .iter()
            .zip(&first.collisions)
            .filter(|(pair, collisions)| is_left_out(pair, **collisions))
            .map(|(pair, _)| *pair)
            .collect();
        let second = count(
            &space,
            options.seed,
            half..samples,
            &enabled,
            &proposed,
            &watch,
        )?;

        let class = |pair: Pair, collisions: usize| {
            if at_start.contains(&pair) {
                if collisions < samples {
                    PairClass::Default
                } else {
                    PairClass::Always
                }
            } else if collisions == 0 {
                PairClass::Never
            } else {
                PairClass::Sometimes
            }
        };
        let mut pairs: Vec<LearnedPair> = Vec::new();
        let mut push = |links, class, collisions| {
            pairs.push(LearnedPair {
                links,
                class,
                collisions,
            })
        };
        for (&pair, (a, b)) in enabled
            .iter()
            .zip(first.collisions.iter().zip(&second.collisions))
        {
            push(pair, class(pair, a + b), a + b);
        }
        for &links in &adjacent {
            push(links, PairClass::Adjacent, 0);
        }
        for &(a, b) in open
            .iter()
            .filter(|&&(a, b)| !robot.self_collision_enabled(a, b))
        {
            push((a, b), PairClass::Given, 0);
        }
        pairs.sort_unstable_by_key(|pair| pair.links);
        Ok(Self {
            pairs,
            samples,
            checked: samples - half,
            missed: second.proposed,
            disables_default: options.disable_default,
        })
    }
}

/// The robot at its initial configuration, at the centre of limits where that is outside of them.
fn reference(robot: &Robot) -> Result<State> {
    let mut q = robot.initial_config().to_vec();
    for (q, limits) in q.iter_mut().zip(robot.limits()) {
        let middle = 0.5 * (limits.q_min + limits.q_max);
        if !(limits.q_min..=limits.q_max).contains(q) && middle.is_finite() {
            *q = middle;
        }
    }
    let mut state = State::new(robot);
    state.set_config(robot, &q)?;
    Ok(state)
}

/// Pairs of links with a shape that do not move as one: those that are adjacent, and the others.
fn split_pairs(robot: &Robot) -> (Vec<Pair>, Vec<Pair>) {
    let ids = (0..robot.links().len()).map(LinkId::new);
    let shaped: Vec<LinkId> = ids.filter(|&id| robot.link(id).shape().is_some()).collect();
    let (mut adjacent, mut open) = (Vec::new(), Vec::new());
    for (i, &a) in shaped.iter().enumerate() {
        for &b in &shaped[i + 1..] {
            let (a, b) = (a.min(b), a.max(b));
            let is_rigid = robot.attachment(a).body == robot.attachment(b).body;
            let is_tested = robot.self_collision_enabled(a, b);
            // pairs of parent and child stay where the description tests them
            let is_parent = robot.link(b).parent() == Some(a) || robot.link(a).parent() == Some(b);
            if is_rigid && !is_tested {
                continue;
            }
            if (is_child_of(robot, b, a) || is_child_of(robot, a, b)) && !(is_parent && is_tested) {
                adjacent.push((a, b));
            } else {
                open.push((a, b));
            }
        }
    }
    (adjacent, open)
}

/// Returns whether a link is a child of another, by one degree of freedom at most and with no other shape between them.
fn is_child_of(robot: &Robot, link: LinkId, base: LinkId) -> bool {
    let mut n_dofs = 0;
    let mut at = link;
    while let Some(parent) = robot.link(at).parent() {
        n_dofs += usize::from(robot.link(at).dof().is_some());
        if n_dofs > 1 || (parent != base && robot.link(parent).shape().is_some()) {
            return false;
        }
        if parent == base {
            return true;
        }
        at = parent;
    }
    false
}

/// Collisions in some samples.
#[derive(Debug, Clone)]
struct Counts {
    /// Number of samples in which each pair collides.
    collisions: Vec<usize>,
    /// Number of samples in which a proposed pair collides.
    proposed: usize,
}

/// Counts collisions of `pairs` in samples of these numbers.
fn count(
    space: &RobotCSpace,
    seed: u64,
    which: Range<usize>,
    pairs: &[Pair],
    proposed: &[Pair],
    watch: &(impl Fn(usize) -> Result<()> + Sync),
) -> Result<Counts> {
    let one = |ws: &mut Workspace, chunk: Range<usize>| {
        let mut counts = Counts {
            collisions: vec![0; pairs.len()],
            proposed: 0,
        };
        let (mut q, mut colliding) = (space.current(), Vec::new());
        let len = chunk.len();
        for i in chunk {
            let mut random = SplitMix::new(seed_of(seed, i));
            space.sample_into(&mut || random.uniform(), &mut q);
            let ws = &mut ws.poses.world;
            space.set_robots(&q, ws)?;
            space
                .snapshot
                .collider
                .colliding_pairs_with(ws, &mut colliding);
            let mut is_proposed = false;
            for pair in colliding.iter().filter_map(|&(a, b)| links(a, b)) {
                if let Ok(found) = pairs.binary_search(&pair) {
                    counts.collisions[found] += 1;
                }
                is_proposed |= proposed.binary_search(&pair).is_ok();
            }
            counts.proposed += usize::from(is_proposed);
        }
        watch(len)?;
        Ok(counts)
    };
    let stopped = AtomicBool::new(false);
    let firsts: Vec<usize> = which.clone().step_by(CHUNK).collect();
    let counts = threads::map(&firsts, &|_, &first| {
        if stopped.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let chunk = first..(first + CHUNK).min(which.end);
        let counts: Result<Counts> = space.with_workspace(|ws| one(ws, chunk));
        stopped.fetch_or(counts.is_err(), Ordering::Relaxed);
        counts.map(Some)
    });
    let mut all = Counts {
        collisions: vec![0; pairs.len()],
        proposed: 0,
    };
    for counts in counts {
        if let Some(more) = counts? {
            for (sum, more) in all.collisions.iter_mut().zip(more.collisions) {
                *sum += more;
            }
            all.proposed += more.proposed;
        }
    }
    Ok(all)
}

fn links(a: EntityId, b: EntityId) -> Option<Pair> {
    match (a, b) {
        (EntityId::Link(_, a), EntityId::Link(_, b)) => Some((a.min(b), a.max(b))),
        _ => None,
    }
}

/// The seed of a sample, so that the order of samples does not matter.
fn seed_of(seed: u64, sample: usize) -> u64 {
    // SplitMix64 adds a constant per step: seeds that differ by few of these would give shifted copies of one sequence
    let mut z = seed ^ (sample as u64).wrapping_mul(0xd134_2543_de82_ef95);
    z = (z ^ (z >> 32)).wrapping_mul(0xdaba_0b6e_b093_22e3);
    z = (z ^ (z >> 32)).wrapping_mul(0xdaba_0b6e_b093_22e3);
    z ^ (z >> 32)
}
