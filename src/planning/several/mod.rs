//! Several robots: prioritized planning of their motions on one clock.

mod motion;
mod one;
mod options;
mod orders;
mod robots;
mod swept;
mod timing;

use std::collections::BTreeMap;

pub use motion::JointMotion;
pub use options::{FailedOrder, PrioritizedOptions, PrioritizedPlan, Separation};

use self::motion::Track;
use self::orders::Orders;
use self::robots::{Robots, Search, Stop};
use super::robot_cspace::Member;
use super::rrt_connect::check_end;
use super::{CSpace, MotionLimits, Obstacle, RobotCSpace, Termination, TimeParameterization};
use crate::{Result, kinematics};

/// Plans motions of several robots one after the other: each avoids those that were planned before it.
///
/// Prioritized planning (Erdmann and Lozano-Pérez 1987) searches in the space of one robot at a time, which is smaller than the joint
/// space by all others, and misses motions for which one has to make room for another in between. `start` and `goal` are
/// configurations of all robots of the space, `limits` [those](MotionLimits::joined) of all. Robots that have been planned stay at their goals
/// when they have arrived, those that are still to be planned stay at their starts until then.
///
/// | [`Separation`] | a robot |
/// |---|---|
/// | `Timed` | follows a path that is free of all that rests, and waits on it for those before it: its path is split at up to seven stops, and it goes from stop to stop, at rest there, so that it arrives early |
/// | `SweptVolumes` | follows a path around the volumes that those before it sweep, and never waits |
///
/// Where a robot finds no path because one before it has arrived there, it looks for one that it can follow before that.
/// Where it finds none, another order is tried: that in which it comes first, and then random ones. Where no order works the
/// robots are planned in the joint space, as by [`plan`](super::plan), and move all at once;
/// [`is_joint`](PrioritizedPlan::is_joint) says so.
///
/// With [`smoothing`](PrioritizedOptions::smoothing) each piece of a motion follows a smooth curve beside its path where one is free;
/// [`rounded`](PrioritizedPlan::rounded) lists the robots that have lines with rounded corners instead.
///
/// Motions are checked along their times, with all robots in the world, at a quarter of the
/// [resolution](RobotCSpace::with_resolution), and where that fails they are no result. Limits of torque do not count. Equal seeds
/// give equal motions. `observer` is called with the number of samples, and returns whether to go on.
///
/// # Errors
///
/// As [`plan`](super::plan): a start or a goal that is not free, where robots collide with one another too, says why.
/// [`Error::Length`](crate::Error::Length) for limits with another number of degrees of freedom;
/// [`Error::Invalid`](crate::Error::Invalid) for what moves without limits of velocity and acceleration, and for options that are
/// not above 0.
///
/// # Examples
///
/// ```
/// use kinworld::planning::{MotionLimits, PrioritizedOptions, RobotCSpace, plan_prioritized};
/// use kinworld::robot::RobotBuilder;
/// use kinworld::{Pose, Robot, Vector, WorldModel};
///
/// // two arms that face each other across 1.3 m
/// let arm = Robot::load("data/robots/arm6.urdf")?.value;
/// let mut opposite = RobotBuilder::from(&arm);
/// let turned = Pose::new(Vector::new(1.3, 0.0, 0.0), Vector::z() * std::f64::consts::PI);
/// opposite.links[0].placement = turned * opposite.links[0].placement;
/// let mut world = WorldModel::new();
/// let robots = [world.add_robot(arm.clone()), world.add_robot(opposite.build()?)];
/// let space = RobotCSpace::new(&world, &robots)?;
///
/// // one leaves the side to which the other comes
/// let bent = |yaw: f64| [yaw, 0.9, -0.5, 0.0, 0.4, 0.0];
/// let start = [bent(0.6), [0.0; 6]].concat();
/// let goal = [bent(-0.6), bent(-0.6)].concat();
/// let one = MotionLimits::of(&arm).with_acceleration(&[5.0; 6])?;
/// let limits = MotionLimits::joined(&[one.clone(), one]);
/// let options = PrioritizedOptions::default();
/// let found = plan_prioritized(&space, &start, &goal, &limits, &options, |_| true)?;
///
/// let motion = found.motion.expect("the side is free in time");
/// assert_eq!(found.order, robots);
/// assert_eq!(space.joint_motion_collision(&motion)?, None);
/// assert_eq!(motion.check(&limits)?, None);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn plan_prioritized(
    space: &RobotCSpace,
    start: &[f64],
    goal: &[f64],
    limits: &MotionLimits,
    options: &PrioritizedOptions,
    mut observer: impl FnMut(usize) -> bool,
) -> Result<PrioritizedPlan> {
    prioritized(space, [start, goal], limits, options, &mut observer)
}

/// [`plan_prioritized`].
fn prioritized(
    space: &RobotCSpace,
    [start, goal]: [&[f64]; 2],
    limits: &MotionLimits,
    options: &PrioritizedOptions,
    observer: &mut dyn FnMut(usize) -> bool,
) -> Result<PrioritizedPlan> {
    kinematics::check_length("limits of a motion", space.n_dofs(), limits.velocity())?;
    options.check()?;
    space.with_workspace(|ws| {
        check_end(space, ws, "start", start)?;
        check_end(space, ws, "goal", goal)
    })?;
    let time = TimeParameterization::new(limits);
    for dof in space.active().map(|dof| dof.index()) {
        let has = |member: &&Member| member.range.contains(&dof);
        let range = space.members().iter().find(has).map(|m| m.range.clone());
        if range.is_some_and(|range| start[range.clone()] != goal[range]) {
            time.check_limits(dof)?;
        }
    }
    let mut search = Search::new(options.budget.max_time, observer);
    let robots = Robots::new(space, start, goal, limits, options)?;
    let mut plan = PrioritizedPlan {
        motion: None,
        order: Vec::new(),
        is_joint: false,
        rounded: Vec::new(),
        failed: Vec::new(),
        termination: Termination::Iterations,
        iterations: 0,
    };
    let ids = space.ids();
    let mut orders = Orders::new(ids.len(), options.budget.seed);

    // what was found for each robot after those before it: the same in all orders that begin so
    let mut known: BTreeMap<Vec<usize>, std::result::Result<Track, String>> = BTreeMap::new();
    let mut next = Some((0..ids.len()).collect::<Vec<usize>>());
    let mut tried = 0;
    while let Some(order) = next.filter(|_| tried < options.max_orders) {
        tried += 1;
        let mut tracks: Vec<Track> = Vec::new();
        let mut failed = None;
        for k in 0..order.len() {
            let prefix = order[..=k].to_vec();
            if !known.contains_key(&prefix) {
                match robots.plan(&order[..=k], &tracks, &mut search)? {
                    Ok(found) => known.insert(prefix.clone(), found),
                    Err(Stop(termination)) => {
                        plan.termination = termination;
                        plan.iterations = search.drawn;
                        return Ok(plan);
                    }
                };
            }
            match &known[&prefix] {
                Ok(track) => tracks.push(track.clone()),
                Err(reason) => {
                    failed = Some((k, reason.clone()));
                    break;
                }
            }
        }
        let Some((k, reason)) = failed else {
            plan.order = order.iter().map(|&i| ids[i]).collect();
            plan.motion = Some(JointMotion::new(tracks));
            plan.termination = Termination::Found;
            return Ok(plan.finished(options, search.drawn));
        };
        let order_of_failure: Vec<_> = order[..=k].iter().map(|&i| ids[i]).collect();
        let is_new = plan.failed.iter().all(|f| f.order != order_of_failure);
        if is_new {
            plan.failed.push(FailedOrder {
                order: order_of_failure,
                reason,
            });
        }
        next = orders.after(&order, k);
    }
    if let Some(joint) = &options.joint {
        robots.plan_jointly(joint, limits, &mut search, &mut plan)?;
    }
    Ok(plan.finished(options, search.drawn))
}

impl RobotCSpace {
    /// The first time, s, at which a motion of all robots of the space is not free, and the reason: at its
    /// [knots](JointMotion::knots), and so often between them that no joint moves further than the
    /// [resolution](Self::resolution). Configurations are checked in blocks, with a [sphere pre-filter](Self::with_sphere_prefilter)
    /// several at once.
    ///
    /// # Errors
    ///
    /// As [`motion_collision`](Self::motion_collision).
    pub fn joint_motion_collision(&self, motion: &JointMotion) -> Result<Option<(f64, Obstacle)>> {
        kinematics::check_length("a motion", self.n_dofs(), &motion.at(0.0))?;
        self.first_collision(&motion.knots(), |time| motion.at(time))
    }
}
