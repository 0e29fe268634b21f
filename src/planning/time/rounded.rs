//! Paths and motions in the space of robots: rounded corners that are free, and checks along a motion.

use super::blend;
use super::parameterization::TimeParameterization;
use super::path::GeometricPath;
use super::smooth::SmoothTrajectory;
use crate::planning::edge::Certainty;
use crate::planning::robot_cspace::ROUNDING;
use crate::planning::rrt_connect::bounded;
use crate::planning::{CSpace, Obstacle, RobotCSpace, Workspace};
use crate::{Error, Result, kinematics};

/// Arcs of a blend, each checked with the chord that is near it.
const ARCS: usize = 8;
const OUTWARDS: [usize; ARCS] = [3, 4, 2, 5, 1, 6, 0, 7];

/// Ratio of the resolution of a space to that of the check of a blend where something is near.
const FINER: f64 = 16.0;

/// A blend need not pass by what is near.
const CERTAIN: Certainty = Certainty {
    least_distance: 2e-3,
    near_ends: false,
};

/// How often a blend that is not free is halved before its corner stays.
const HALVINGS: usize = 6;

/// Deviations that are tried for a motion that is not free.
const TRIES: i32 = 5;

/// Relative slack of the comparison of two interpolations.
const SAME: f64 = 1e-9;

/// Most milestones of a check.
const MOST: f64 = 1e7;

impl RobotCSpace {
    /// The straight lines of a path with rounded corners that are free: parabolas that leave the lines by `deviation` at most, rad or m.
    ///
    /// Where it is not proved that all of a rounded corner is free, with samples no farther apart than a sixteenth of the
    /// [resolution](Self::resolution), it is halved up to six times, and else stays: a motion stops there. The lines themselves are taken as free. Spin joints take the shorter rotation, so that their values may leave
    /// ±π.
    ///
    /// # Errors
    ///
    /// As [`GeometricPath::blended`], and [`Error::Invalid`] for a path on which a free rotation of three angles changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{Budget, MotionLimits, RobotCSpace, TimeParameterization, plan};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?;
    /// let space = RobotCSpace::new(&world, &[arm.id()])?;
    /// let goal = [1.5, 0.4, 0.4, 0.0, 0.5, 0.0];
    /// let found = plan(&space, arm.config(), &goal, &Budget::default())?;
    ///
    /// let path = space.rounded(&found.path.expect("there is a path"), 0.05)?;
    /// let limits = MotionLimits::of(arm.model()).with_acceleration(&[5.0; 6])?;
    /// let motion = TimeParameterization::new(&limits).solve(&path)?;
    /// assert_eq!(space.motion_collision(&motion)?, None);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn rounded<Q: AsRef<[f64]>>(
        &self,
        waypoints: &[Q],
        deviation: f64,
    ) -> Result<GeometricPath> {
        // refuses what is no path, and a deviation that is no number
        GeometricPath::blended(waypoints, deviation)?;
        let points = self.unrolled(waypoints)?;
        let points = blend::distinct(&points)?;
        let mut deviations = vec![deviation; points.len()];
        let finest = self.clone().with_resolution(self.resolution() / FINER)?;
        self.with_workspace(|ws| {
            for i in 1..points.len() - 1 {
                let around = [points[i - 1], points[i], points[i + 1]];
                deviations[i] = finest.free_deviation(&around, deviation, ws)?;
            }
            Ok::<(), Error>(())
        })?;
        blend::blended(&points, |i| deviations[i])
    }

    /// The motion along the straight lines of a path, with corners [rounded](Self::rounded) by `deviation` at most, that is
    /// free at the [resolution](Self::resolution).
    ///
    /// An average for limits of jerk leaves the lines a little more: where that is not free, the deviation is halved up to four
    /// times, and at last the motion stops at the corners.
    ///
    /// # Errors
    ///
    /// As [`rounded`](Self::rounded) and [`TimeParameterization::solve`], and [`Error::Invalid`] with time and obstacle where the
    /// motion is not free even so.
    pub fn motion_along<Q: AsRef<[f64]>>(
        &self,
        waypoints: &[Q],
        deviation: f64,
        time: &TimeParameterization<'_>,
    ) -> Result<SmoothTrajectory> {
        let halved = (0..TRIES).map(|i| deviation * 0.5_f64.powi(i));
        let mut found = None;
        for deviation in halved.chain([0.0]) {
            let path = self.rounded(waypoints, deviation)?;
            let motion = time.solve(&path)?;
            match self.motion_collision(&motion)? {
                None => return Ok(motion),
                collision => found = collision,
            }
        }
        let problem = found.map_or_else(String::new, |(at, obstacle)| {
            let obstacle = obstacle.display(self.world()).to_string();
            format!(
                "is not free at {at:.4} s of its motion: {obstacle}; plan it at a finer resolution"
            )
        });
        Err(Error::invalid("the path", problem))
    }

    /// The largest deviation of which the blend is free, among a few; 0 for none.
    fn free_deviation(
        &self,
        around: &[&[f64]; 3],
        deviation: f64,
        ws: &mut Workspace,
    ) -> Result<f64> {
        let mut deviation = deviation;
        for _ in 0..=HALVINGS {
            let path = blend::blended(around, |_| deviation)?;
            let [_, from, to, _] = path.breaks() else {
                // no blend: a path that goes on straight, or turns back
                return Ok(deviation);
            };
            let at = |k: usize| path.at(from + (to - from) * k as f64 / (2 * ARCS) as f64);
            let ends: Vec<Vec<f64>> = (0..=2 * ARCS).map(at).collect();
            let mut is_free = true;
            // those in the middle, which are the farthest from the lines, before the others
            for arc in OUTWARDS {
                let arc = [0, 1, 2].map(|k| &ends[2 * arc + k][..]);
                is_free = is_free && self.is_arc_surely_free_with(arc, CERTAIN, ws)?;
            }
            if is_free {
                return Ok(deviation);
            }
            deviation *= 0.5;
        }
        Ok(0.0)
    }

    /// Waypoints whose numbers change as the joints move: no spin joint jumps by a turn.
    pub(in crate::planning) fn unrolled<Q: AsRef<[f64]>>(
        &self,
        waypoints: &[Q],
    ) -> Result<Vec<Vec<f64>>> {
        let mut out: Vec<Vec<f64>> = waypoints.iter().map(|q| q.as_ref().to_vec()).collect();
        for k in 1..out.len() {
            self.check_values(&out[k])?;
            for member in self.members() {
                let (robot, range) = (&member.robot, member.range.clone());
                if kinematics::is_plain(robot) {
                    continue;
                }
                let before = out[k - 1][range.clone()].to_vec();
                let here = &out[k][range.clone()];
                let change = kinematics::difference(robot, &before, here)?;
                let half: Vec<f64> = before
                    .iter()
                    .zip(&change)
                    .map(|(a, d)| a + 0.5 * d)
                    .collect();
                let middle = kinematics::interpolate(robot, &before, here, 0.5)?;
                let size = 1.0 + change.iter().map(|x| x.abs()).fold(0.0, f64::max);
                if kinematics::distance(robot, &half, &middle)? > SAME * size {
                    let problem = "a free rotation changes along it, whose three angles make no smooth path: plan with it fixed";
                    return Err(Error::invalid(
                        format!("path of `{}`", robot.name()),
                        problem,
                    ));
                }
                for (dof, (a, d)) in range.zip(before.iter().zip(&change)) {
                    out[k][dof] = a + d;
                }
            }
        }
        Ok(out)
    }

    /// The first time, s, at which a motion is not free, and the reason: at its ends, and so often between them that no joint moves
    /// further than the [resolution](Self::resolution) from one time to the next.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a motion of another number of degrees of freedom, and [`Error::Invalid`] for one that needs more than ten million
    /// checks.
    pub fn motion_collision(&self, motion: &SmoothTrajectory) -> Result<Option<(f64, Obstacle)>> {
        kinematics::check_length("a motion", self.n_dofs(), &motion.at(0.0))?;
        self.first_collision(motion.knots(), |time| motion.at(time))
    }

    /// The first time at which the configurations `at` times are not free, and the reason, among [`sample_times`].
    pub(in crate::planning) fn first_collision(
        &self,
        knots: &[f64],
        at: impl Fn(f64) -> Vec<f64>,
    ) -> Result<Option<(f64, Obstacle)>> {
        let times = sample_times(knots, &at, self.resolution())?;
        // what a motion adds up may be beyond a limit by its rounding
        let bounds = self.bounds();
        let at = |time| bounded(&at(time), &bounds, ROUNDING);
        let mut free = [false; BLOCK];
        let mut rows = Vec::new();
        self.with_workspace(|ws| {
            for times in times.chunks(BLOCK) {
                rows.clear();
                times.iter().for_each(|&time| rows.extend(at(time)));
                let free = &mut free[..times.len()];
                self.are_free_with(&rows, free, ws)?;
                // a space may have no degrees of freedom
                let n = self.n_dofs();
                for (i, time) in times.iter().enumerate().filter(|(i, _)| !free[*i]) {
                    if let Some(obstacle) = self.obstacle_with(&rows[i * n..][..n], ws)? {
                        return Ok(Some((*time, obstacle)));
                    }
                }
            }
            Ok(None)
        })
    }
}

/// Times of a motion from its first knot to its last, so many that no number moves further than the resolution from one to the
/// next: knots that are nearer are left out, and where they are farther apart there are times between them.
pub(in crate::planning) fn sample_times(
    knots: &[f64],
    at: impl Fn(f64) -> Vec<f64>,
    resolution: f64,
) -> Result<Vec<f64>> {
    let mut times = vec![knots[0]];
    let mut before = at(knots[0]);
    // how far a number may have moved since the last of the times
    let mut moved = 0.0;
    for ends in knots.windows(2) {
        let after = at(ends[1]);
        let middle = at(0.5 * (ends[0] + ends[1]));
        let moves = UNEVENNESS * fastest(&before, &middle, &after);
        before = after;
        if moved + moves <= resolution {
            moved += moves;
            continue;
        }
        // what is not a number is sampled, too, and refused there
        let count = (moves / resolution).ceil().max(1.0);
        if times.len() as f64 + count > MOST {
            let problem = "is too long for the resolution of the space";
            return Err(Error::invalid("a motion", problem));
        }
        if moved != 0.0 {
            times.push(ends[0]);
        }
        let step = (ends[1] - ends[0]) / count;
        times.extend((1..count as usize).map(|k| ends[0] + k as f64 * step));
        // from the last of these times to the end of the interval
        moved = moves / count;
    }
    times.push(knots[knots.len() - 1]);
    Ok(times)
}

/// Configurations that are checked at once.
const BLOCK: usize = 32;

/// The largest rate of a number, per interval, of the parabola through what it is at the beginning, in the middle and at the end.
fn fastest(from: &[f64], middle: &[f64], to: &[f64]) -> f64 {
    let halves = from.iter().zip(middle).zip(to);
    halves.fold(0.0, |most, ((from, middle), to)| {
        let (first, second) = (middle - from, to - middle);
        let ends = [3.0 * first - second, 3.0 * second - first];
        ends.map(f64::abs).into_iter().fold(most, f64::max)
    })
}

/// Ratio of the largest rate within an interval to that of the parabola.
const UNEVENNESS: f64 = 1.4;

#[cfg(test)]
mod tests {
    use super::sample_times;
    use crate::math::SplitMix;
    use crate::planning::{GeometricPath, MotionLimits, TimeParameterization};

    /// The number of samples between knots, of which no step of a number is longer than the resolution.
    fn count(knots: &[f64], at: impl Fn(f64) -> Vec<f64>, resolution: f64) -> usize {
        let times = sample_times(knots, &at, resolution).unwrap();
        for ends in times.windows(2) {
            let [before, after] = [at(ends[0]), at(ends[1])];
            let steps = before.iter().zip(&after).map(|(a, b)| (a - b).abs());
            let most = steps.fold(0.0, f64::max);
            assert!(most <= resolution, "{ends:?}: {most}");
        }
        times.len()
    }

    #[test]
    fn no_number_moves_further_than_the_resolution_between_two_samples() {
        let knots: Vec<f64> = (0..=1000).map(|i| f64::from(i) / 1000.0).collect();
        let fewer = count(&knots, |t| vec![0.5 - t, 0.3 * t], 0.01);
        // knots that are nearer than the resolution are left out
        assert!((140..150).contains(&fewer), "{fewer}");
        let count = |at: fn(f64) -> [f64; 2]| count(&[0.0, 1.0], |time| at(time).to_vec(), 0.01);
        // at one rate, four in ten more than are needed
        assert_eq!(count(|t| [0.5 - t, 0.3 * t]), 141);
        // from rest, and where a number turns back
        assert!(count(|t| [t * t, 0.0]) < 285);
        assert!(count(|t| [0.0, (t - 0.5) * (t - 0.5)]) < 145);
        count(|t| [t * t * t, (t - 0.3) * (t - 0.3)]);
        count(|t| [t - t * t * t, 0.0]);
        // at rest
        assert_eq!(count(|_| [1.0, 2.0]), 2);
    }

    #[test]
    fn nor_along_motions() {
        let mut random = SplitMix::new(3);
        for k in 0..40 {
            let waypoint = |_| [(); 3].map(|()| 4.0 * random.uniform() - 2.0);
            let waypoints: Vec<[f64; 3]> = (0..5).map(waypoint).collect();
            let path = match k % 3 {
                0 => GeometricPath::blended(&waypoints, 0.2),
                1 => GeometricPath::spline(&waypoints),
                _ => GeometricPath::polyline(&waypoints),
            };
            let limits = MotionLimits::new(3).with_velocity(&[2.0, 0.5, 3.0]);
            let mut limits = limits
                .unwrap()
                .with_acceleration(&[8.0, 3.0, 20.0])
                .unwrap();
            if k % 2 == 0 {
                limits = limits.with_jerk(&[[20.0, 1e3][k % 4 / 2]; 3]).unwrap();
            }
            let time = TimeParameterization::new(&limits);
            // intervals that are much longer than the resolution, too
            let time = time.with_intervals([40, 100, 400][k % 7 % 3]);
            let motion = time.solve(&path.unwrap()).unwrap();
            for resolution in [0.1, 0.01, 0.002] {
                count(motion.knots(), |time| motion.at(time), resolution);
            }
        }
    }
}
