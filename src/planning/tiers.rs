//! Balls before shapes: most configurations need no closer look.

use super::RobotCSpace;
use super::edge::MOST_STEPS;
use super::robot_cspace::{Member, ROUNDING};
use crate::robot::{JointKind, Robot};
use crate::world::{Bounds, RobotId, SphereChecker, Verdict, Workspace, WorldCollider};
use crate::{Error, Result, kinematics};

/// Which tier decided how many questions: configurations, and whole ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tiers {
    /// Free, because the balls around all links are.
    pub outer: u64,
    /// Not free, because balls inside of links collide.
    pub inner: u64,
    /// Either, by the shapes themselves.
    pub exact: u64,
}

/// Balls for the robots of a space.
#[derive(Debug, Clone)]
pub(super) struct Balls {
    checker: SphereChecker,
    tiers: Tiers,
    /// Whether every coordinate goes steadily along a way, and stays within its limits between two that are.
    is_steady: bool,
    // memory
    change: Vec<f64>,
    rows: Vec<f64>,
    which: Vec<usize>,
    verdicts: Vec<Verdict>,
}

impl Balls {
    pub(super) fn new(
        collider: &WorldCollider,
        ws: &Workspace,
        members: &[Member],
        most: Option<usize>,
    ) -> Result<Option<Self>> {
        let ids: Vec<RobotId> = members.iter().map(|member| member.id).collect();
        let checker = SphereChecker::new(collider, ws, &ids, most)?;
        Ok(checker.map(|checker| Self {
            checker,
            tiers: Tiers::default(),
            is_steady: members.iter().all(is_steady),
            change: Vec::new(),
            rows: Vec::new(),
            which: Vec::new(),
            verdicts: Vec::new(),
        }))
    }

    /// Takes what the robots must not meet from where `ws` has it now.
    pub(super) fn set_obstacles(&mut self, collider: &WorldCollider, ws: &Workspace) {
        self.checker.set_obstacles(collider, ws);
    }
}

/// Whether the coordinates of a robot go steadily, and stay within their limits between two that are.
pub(super) fn is_steady(member: &Member) -> bool {
    let robot: &Robot = &member.robot;
    let limits = |link| {
        let dof = robot.link(link).dof()?;
        Some(&robot.limits()[dof.index()])
    };
    let is_free = |link| {
        limits(link)
            .is_none_or(|limits| limits.q_min == -f64::INFINITY && limits.q_max == f64::INFINITY)
    };
    robot.joints().iter().all(|joint| match joint.kind {
        JointKind::Floating | JointKind::BallAndSocket => false,
        JointKind::Spin => member.coupling.is_empty() && joint.links.iter().all(|&l| is_free(l)),
        JointKind::FloatingPlanar => {
            member.coupling.is_empty() && joint.links.get(2).is_none_or(|&l| is_free(l))
        }
        _ => true,
    })
}

impl RobotCSpace {
    /// With balls around and inside of links, at most `most` of each for a link, that decide where they can; the answers stay
    /// those of the shapes.
    ///
    /// To find the balls takes a while, some milliseconds for each link of a robot with fine meshes.
    ///
    /// # Errors
    ///
    /// As [`outer_spheres`](crate::geometry::Geometry::outer_spheres).
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{CSpace, RobotCSpace};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?.id();
    /// let mut space = RobotCSpace::new(&world, &[arm])?.with_tiers(8)?;
    ///
    /// assert!(space.is_free(&[0.0; 6]));
    /// let tiers = space.tiers();
    /// assert_eq!(tiers.outer + tiers.inner + tiers.exact, 1);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_tiers(mut self, most: usize) -> Result<Self> {
        let balls = Balls::new(&self.collider, &self.ws, self.members(), Some(most))?;
        self.balls = balls;
        Ok(self)
    }

    /// Which tier decided how many questions of [`is_free`](super::CSpace::is_free), [`are_free`](super::CSpace::are_free) and
    /// [`is_edge_free`](super::CSpace::is_edge_free) so far; zeros without balls.
    #[must_use]
    pub fn tiers(&self) -> Tiers {
        self.balls
            .as_ref()
            .map_or_else(Tiers::default, |balls| balls.tiers)
    }

    /// Whether the way from `a` to `b` is free at so many equal steps, both ends included, whatever the
    /// [resolution](Self::with_resolution).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for what is not a configuration, and for no step or more than ten million.
    pub fn is_free_in_steps(&mut self, a: &[f64], b: &[f64], steps: usize) -> Result<bool> {
        if steps == 0 || steps as f64 > MOST_STEPS {
            let problem = format!("must be from 1 to {MOST_STEPS}, got {steps}");
            return Err(Error::invalid("the number of steps of a way", problem));
        }
        self.check(a)?;
        self.check(b)?;
        if let Some(mut balls) = self.balls.take_if(|balls| balls.is_steady) {
            let free = self.is_free_with(&mut balls, a, b, Some(steps));
            self.balls = Some(balls);
            return free;
        }
        self.is_free_on(a, b, steps)
    }

    /// Whether the way from `a` to `b` is free, both ends included, at this resolution.
    pub(super) fn is_way_free(&mut self, a: &[f64], b: &[f64]) -> Result<bool> {
        if let Some(mut balls) = self.balls.take_if(|balls| balls.is_steady) {
            let free = self
                .check(a)
                .and_then(|()| self.check(b))
                .and_then(|()| self.is_free_with(&mut balls, a, b, None));
            self.balls = Some(balls);
            return free;
        }
        let steps = self.steps(a, b)?;
        self.is_free_on(a, b, steps)
    }

    /// The same by balls, `a` and `b` being configurations.
    fn is_free_with(
        &mut self,
        balls: &mut Balls,
        a: &[f64],
        b: &[f64],
        steps: Option<usize>,
    ) -> Result<bool> {
        if !self.is_within(a)? || !self.is_within(b)? {
            return Ok(false);
        }
        self.changes_into(a, b, &mut balls.change)?;
        let steps = match steps {
            Some(steps) => steps,
            None => self.steps_of(balls.change.iter().fold(0.0, |m, x| x.abs().max(m)))?,
        };
        let (mut is_asked, mut trouble) = (false, None);
        let ask = |step: usize, pairs: &[(usize, usize)]| {
            is_asked = true;
            let hit = self
                .put_step(a, b, step, steps)
                .and_then(|()| self.any_hit(pairs));
            hit.unwrap_or_else(|error| {
                trouble = Some(error);
                true
            })
        };
        let free = balls.checker.is_edge_free(a, &balls.change, steps, ask);
        let tier = match (is_asked, free) {
            (true, _) => &mut balls.tiers.exact,
            (false, true) => &mut balls.tiers.outer,
            (false, false) => &mut balls.tiers.inner,
        };
        *tier += 1;
        trouble.map_or(Ok(free), Err)
    }

    /// The steps of a way that balls do not decide to be free; `None` where they cannot tell.
    pub(super) fn suspects(
        &mut self,
        a: &[f64],
        b: &[f64],
        steps: usize,
    ) -> Result<Option<Vec<usize>>> {
        if !self.is_within(a)? || !self.is_within(b)? {
            return Ok(None);
        }
        let Some(mut balls) = self.balls.take_if(|balls| balls.is_steady) else {
            return Ok(None);
        };
        let mut suspects = Vec::new();
        let outcome = self.changes_into(a, b, &mut balls.change);
        if outcome.is_ok() {
            balls
                .checker
                .unresolved_steps(a, &balls.change, steps, &mut suspects);
        }
        self.balls = Some(balls);
        outcome.map(|()| Some(suspects))
    }

    /// Whether each row is a free configuration.
    pub(super) fn judge(&mut self, block: &[f64], free: &mut [bool]) {
        let width = self.n_coordinates().max(1);
        let rows = block.chunks_exact(width);
        let Some(mut balls) = self.balls.take() else {
            for (q, free) in rows.zip(free) {
                *free = matches!(self.is_clear(q), Ok(true));
            }
            return;
        };
        // rows out of limits are not free; where limits are plain the lanes see to them, else what is left goes side by side
        free.fill(false);
        balls.which.clear();
        balls.rows.clear();
        let plain = self.plain.clone();
        let count = free.len().min(rows.len());
        let rows = if plain.is_some() {
            balls.which.extend(0..count);
            &block[..count * width]
        } else {
            for (k, q) in rows.take(count).enumerate() {
                if self.check(q).is_ok() && self.is_within(q).unwrap_or(false) {
                    balls.rows.extend_from_slice(q);
                    balls.which.push(k);
                }
            }
            &balls.rows
        };
        let row = |k: usize| &rows[k * width..(k + 1) * width];
        let exactly = |k: usize| plain.as_ref().is_none_or(|limits| limits.hold(row(k)));
        let bounds = plain.as_ref().map(|limits| Bounds {
            surely: limits.surely(),
            exactly: &exactly,
        });
        balls.verdicts.clear();
        balls.verdicts.resize(balls.which.len(), Verdict::Free);
        let ask = |k: usize, pairs: &[(usize, usize)]| {
            let hit = self.put(row(k));
            hit.and_then(|()| self.any_hit(pairs)).unwrap_or(true)
        };
        balls.checker.judge(rows, bounds, ask, &mut balls.verdicts);
        for (&k, verdict) in balls.which.iter().zip(&balls.verdicts) {
            free[k] = verdict.is_free();
            let tier = match verdict {
                Verdict::Beyond => continue,
                Verdict::Free => &mut balls.tiers.outer,
                Verdict::Collides => &mut balls.tiers.inner,
                Verdict::Asked { .. } => &mut balls.tiers.exact,
            };
            *tier += 1;
        }
        self.balls = Some(balls);
    }

    /// Whether a configuration is within limits, and its coordinates are where their drivers have them.
    fn is_within(&self, q: &[f64]) -> Result<bool> {
        if let Some(limits) = &self.plain {
            return Ok(limits.hold(q));
        }
        for member in self.members() {
            let (robot, q) = (&member.robot, &q[member.range.clone()]);
            if kinematics::first_beyond_limits(robot, q, 0.0)?.is_some()
                || member.coupling.broken(robot, q)?.is_some()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What each coordinate goes from `a` to `b`.
    fn changes_into(&self, a: &[f64], b: &[f64], out: &mut Vec<f64>) -> Result<()> {
        if self.plain.is_some() {
            out.clear();
            out.extend(a.iter().zip(b).map(|(a, b)| b - a));
            return Ok(());
        }
        out.resize(self.n_coordinates(), 0.0);
        for Member { robot, range, .. } in self.members() {
            let (a, b) = (&a[range.clone()], &b[range.clone()]);
            kinematics::difference_into(robot, a, b, &mut out[range.clone()])?;
        }
        Ok(())
    }

    /// Puts the robots at a step of a way.
    pub(super) fn put_step(
        &mut self,
        a: &[f64],
        b: &[f64],
        step: usize,
        steps: usize,
    ) -> Result<()> {
        if step == 0 || step == steps {
            return self.put(if step == 0 { a } else { b });
        }
        let mut q = std::mem::take(&mut self.between);
        let outcome = self.between_into(a, b, step as f64 / steps as f64, &mut q);
        let outcome = outcome.and_then(|()| self.put(&q));
        self.between = q;
        outcome
    }

    /// Whether one of these pairs collides where the robots are; of all that count, without pairs.
    fn any_hit(&mut self, pairs: &[(usize, usize)]) -> Result<bool> {
        if !pairs.is_empty() {
            return Ok(self.collider.any_collides_with(pairs, &mut self.ws));
        }
        self.collides()
    }

    /// Whether each way is free, as [`is_edge_free`](super::CSpace::is_edge_free) tells; with the feature `parallel` the
    /// threads of `rayon` share them. What they find does not depend on how many these are.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for what is not a configuration, and for a way that is too long for the
    /// resolution.
    pub fn are_edges_free(&self, edges: &[(&[f64], &[f64])]) -> Result<Vec<bool>> {
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            let each = edges.par_iter().with_min_len(16);
            let free = each.map_init(|| self.clone(), |space, &(a, b)| space.is_way_free(a, b));
            free.collect()
        }
        #[cfg(not(feature = "parallel"))]
        {
            let mut space = self.clone();
            let free = edges.iter().map(|&(a, b)| space.is_way_free(a, b));
            free.collect()
        }
    }
}

/// What interpolation leaves of the limits is within [`ROUNDING`], which the slack of single precision covers.
const _: () = assert!(ROUNDING <= 1e-6);
