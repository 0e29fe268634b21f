//! The plan of one robot among others.

use std::time::Duration;

use super::motion::{JointMotion, Piece, Track};
use super::options::{FailedOrder, PrioritizedOptions, PrioritizedPlan, Separation};
use super::swept;
use super::timing::{Others, Timing};
use crate::Result;
use crate::planning::clock::Instant;
use crate::planning::{
    Budget, CSpace, MotionLimits, RobotCSpace, Termination, TimeParameterization, plan_observed,
};

/// Ratio of the resolution of a search to that of the last check.
const FINER: f64 = 4.0;

/// Resolutions at which timings are looked for, the later finer by [`FINER`].
const ROUNDS: i32 = 2;

/// The robots of a space, and where they go.
pub(super) struct Robots<'a> {
    space: &'a RobotCSpace,
    /// The space at the resolution of the last check.
    finer: RobotCSpace,
    /// Of each robot, the space of it alone.
    own: Vec<RobotCSpace>,
    start: &'a [f64],
    goal: &'a [f64],
    /// Of each robot.
    limits: Vec<MotionLimits>,
    options: &'a PrioritizedOptions,
}

/// How much has been searched, and who says whether to go on.
pub(super) struct Search<'a> {
    began: Instant,
    max_time: Option<Duration>,
    observer: &'a mut dyn FnMut(usize) -> bool,
    /// Number of samples.
    pub(super) drawn: usize,
}

/// The end of all searches: by time or by the observer.
pub(super) struct Stop(pub(super) Termination);

/// What a robot finds among others: its motion, or why there is none.
pub(super) type Found = std::result::Result<Track, String>;

impl<'a> Search<'a> {
    pub(super) fn new(
        max_time: Option<Duration>,
        observer: &'a mut dyn FnMut(usize) -> bool,
    ) -> Self {
        Self {
            began: Instant::now(),
            max_time,
            observer,
            drawn: 0,
        }
    }

    /// Why the search ends, if it does.
    fn end(&mut self) -> Option<Termination> {
        if self
            .max_time
            .is_some_and(|most| self.began.elapsed() >= most)
        {
            return Some(Termination::Time);
        }
        (!(self.observer)(self.drawn)).then_some(Termination::Cancelled)
    }

    /// A path by [`plan_observed`], with what is left of the time.
    fn path(
        &mut self,
        space: &RobotCSpace,
        [start, goal]: [&[f64]; 2],
        budget: &Budget,
    ) -> Result<crate::planning::Plan> {
        let elapsed = self.began.elapsed();
        let left = self.max_time.map(|most| most.saturating_sub(elapsed));
        let max_time = match (left, budget.max_time) {
            (Some(left), Some(most)) => Some(left.min(most)),
            (left, most) => left.or(most),
        };
        let budget = Budget {
            max_time,
            ..*budget
        };
        let drawn = self.drawn;
        let observer = |i| (self.observer)(drawn + i);
        let plan = plan_observed(space, start, goal, &budget, observer)?;
        self.drawn += plan.iterations;
        Ok(plan)
    }
}

impl<'a> Robots<'a> {
    pub(super) fn new(
        space: &'a RobotCSpace,
        start: &'a [f64],
        goal: &'a [f64],
        limits: &MotionLimits,
        options: &'a PrioritizedOptions,
    ) -> Result<Self> {
        let members = space.members().iter();
        let own = (0..members.len()).map(|k| {
            let own = space.of_one(k, start, &[], |_, filter| Ok(filter))?;
            own.with_prefilter_of(space)
        });
        Ok(Self {
            space,
            own: own.collect::<Result<_>>()?,
            finer: space.clone().with_resolution(space.resolution() / FINER)?,
            start,
            goal,
            limits: members.map(|m| limits.part(m.range.clone())).collect(),
            options,
        })
    }

    /// The motion of the last robot of an order, after the tracks of those before it.
    pub(super) fn plan(
        &self,
        order: &[usize],
        earlier: &[Track],
        search: &mut Search<'_>,
    ) -> Result<std::result::Result<Found, Stop>> {
        let (&k, before) = order.split_last().expect("an order has a robot");
        let range = self.space.members()[k].range.clone();
        let mut rest = self.start.to_vec();
        for &other in before {
            let range = self.space.members()[other].range.clone();
            rest[range.clone()].copy_from_slice(&self.goal[range]);
        }
        let mut track = Track {
            robots: vec![self.space.members()[k].id],
            range: range.clone(),
            start: self.start[range.clone()].to_vec(),
            pieces: Vec::new(),
        };
        let ends = [&self.start[range.clone()], &self.goal[range]];
        let mut reasons: Vec<String> = Vec::new();
        // around those that have arrived, or before they do
        for ignored in [&[][..], before] {
            if !reasons.is_empty() && (ignored.is_empty() || !self.is_timed()) {
                break;
            }
            let own = self.own_space(k, &rest, ignored, earlier)?;
            if let Some(reason) = blocked_end(&own, ends)? {
                reasons.push(reason);
                continue;
            }
            let found = search.path(&own, ends, &self.options.budget)?;
            let path = match (found.path, found.termination) {
                (Some(path), _) => path,
                (None, end @ (Termination::Time | Termination::Cancelled)) => {
                    return Ok(Err(Stop(end)));
                }
                (None, _) => {
                    let samples = found.iterations;
                    reasons.push(format!("no path found, after {samples} samples"));
                    continue;
                }
            };
            if path.windows(2).all(|pair| pair[0] == pair[1]) {
                // it stays, and others may not come there
                match self.check(earlier, &track)? {
                    None => return Ok(Ok(Ok(track))),
                    Some(reason) => reasons.push(reason),
                }
                continue;
            }
            let finer = own.with_resolution(self.finer.resolution())?;
            match self.timed(k, earlier, &rest, (&finer, &path), search)? {
                Ok(Ok(pieces)) => {
                    track.pieces = pieces;
                    return Ok(Ok(Ok(track)));
                }
                Ok(Err(reason)) => reasons.push(reason),
                Err(stop) => return Ok(Err(stop)),
            }
        }
        let name = self.space.members()[k].robot.name();
        Ok(Ok(Err(format!(
            "`{name}`: {}",
            reasons.join("; before that, ")
        ))))
    }

    /// The pieces of a robot's motion along a path.
    fn timed(
        &self,
        k: usize,
        earlier: &[Track],
        rest: &[f64],
        (own, path): (&RobotCSpace, &[Vec<f64>]),
        search: &mut Search<'_>,
    ) -> Result<std::result::Result<std::result::Result<Vec<Piece>, String>, Stop>> {
        let limits = &self.limits[k];
        let whole = match self.options.motion_along(own, path, limits)? {
            Ok(along) => along,
            Err(reason) => return Ok(Ok(Err(reason))),
        };
        let at_once = vec![Piece {
            begins: 0.0,
            along: whole,
        }];
        let Some(mut reason) = self.check_pieces(k, earlier, &at_once)? else {
            return Ok(Ok(Ok(at_once)));
        };
        if !self.is_timed() {
            return Ok(Ok(Err(reason)));
        }
        for round in 0..ROUNDS {
            let resolution = self.space.resolution() / FINER.powi(round);
            let space = self.space.clone().with_resolution(resolution)?;
            let others = Others {
                space: &space,
                member: k,
                earlier,
                rest,
            };
            let mut timing = Timing::new(&others, own, path, limits, self.options)?;
            let mut end = None;
            let found = timing.solve(&mut || {
                end = search.end();
                end.is_none()
            })?;
            if let Some(end) = end {
                return Ok(Err(Stop(end)));
            }
            let Some(pieces) = found else {
                reason = "no timing along its path avoids those before it".to_owned();
                break;
            };
            match self.check_pieces(k, earlier, &pieces)? {
                None => return Ok(Ok(Ok(pieces))),
                Some(obstacle) => reason = obstacle,
            }
        }
        Ok(Ok(Err(reason)))
    }

    /// The space of a robot: of volumes that others sweep too, where those are kept free.
    fn own_space(
        &self,
        k: usize,
        rest: &[f64],
        ignored: &[usize],
        earlier: &[Track],
    ) -> Result<RobotCSpace> {
        let is_plain = earlier.is_empty() || self.is_timed();
        if is_plain && ignored.is_empty() {
            return self.own[k].clone().with_others_at(self.space, rest);
        }
        let id = self.space.members()[k].id;
        self.space.of_one(k, rest, ignored, |world, filter| {
            match self.options.separation {
                Separation::SweptVolumes { spacing } => {
                    swept::reserve(&self.finer, earlier, id, spacing, world, filter)
                }
                Separation::Timed => Ok(filter),
            }
        })
    }

    fn is_timed(&self) -> bool {
        self.options.separation == Separation::Timed
    }

    /// Why pieces of a robot's motion are not free among earlier motions and the others at their starts.
    fn check_pieces(
        &self,
        k: usize,
        earlier: &[Track],
        pieces: &[Piece],
    ) -> Result<Option<String>> {
        let range = self.space.members()[k].range.clone();
        let track = Track {
            robots: vec![self.space.members()[k].id],
            start: self.start[range.clone()].to_vec(),
            range,
            pieces: pieces.to_vec(),
        };
        self.check(earlier, &track)
    }

    fn check(&self, earlier: &[Track], track: &Track) -> Result<Option<String>> {
        let mut tracks = earlier.to_vec();
        tracks.push(track.clone());
        for member in self.space.members() {
            if tracks.iter().all(|t| !t.robots.contains(&member.id)) {
                tracks.push(Track {
                    robots: vec![member.id],
                    range: member.range.clone(),
                    start: self.start[member.range.clone()].to_vec(),
                    pieces: Vec::new(),
                });
            }
        }
        let found = self
            .finer
            .joint_motion_collision(&JointMotion::new(tracks))?;
        Ok(found.map(|(time, obstacle)| {
            let obstacle = obstacle.display(self.space.world()).to_string();
            format!("at {time:.4} s {obstacle}")
        }))
    }

    /// Plans in the joint space.
    pub(super) fn plan_jointly(
        &self,
        budget: &Budget,
        limits: &MotionLimits,
        search: &mut Search<'_>,
        plan: &mut PrioritizedPlan,
    ) -> Result<()> {
        let found = search.path(self.space, [self.start, self.goal], budget)?;
        plan.termination = found.termination;
        if let Some(path) = found.path {
            let time = TimeParameterization::new(limits);
            let moves = |dof: &usize| path.iter().any(|q| (q[*dof] - path[0][*dof]).abs() > 0.0);
            (0..limits.n_dofs())
                .filter(moves)
                .try_for_each(|dof| time.check_limits(dof))?;
            match self.options.motion_along(&self.finer, &path, limits)? {
                Ok(along) => {
                    plan.motion = Some(JointMotion::of_all(self.space, along)?);
                    plan.is_joint = true;
                }
                Err(reason) => {
                    plan.termination = Termination::TooThin;
                    plan.failed.push(FailedOrder {
                        order: Vec::new(),
                        reason: format!("in the joint space: {reason}"),
                    });
                }
            }
        }
        Ok(())
    }
}

/// Why a start or a goal is not free.
fn blocked_end(own: &RobotCSpace, [start, goal]: [&[f64]; 2]) -> Result<Option<String>> {
    own.with_workspace(|ws| {
        for (end, q) in [("start", start), ("goal", goal)] {
            if let Some(reason) = own.reason_with(q, ws)? {
                return Ok(Some(format!("{end}: {reason}")));
            }
        }
        Ok(None)
    })
}
