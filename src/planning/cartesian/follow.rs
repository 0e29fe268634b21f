//! Configurations of a robot along Cartesian paths of its links.

use super::CartesianPath;
use super::together::Together;
use crate::kinematics::State;
use crate::kinematics::ik::{Objective, Options, Solver};
use crate::math::se3;
use crate::planning::GeometricPath;
use crate::planning::{CSpace, EdgeQuery, RobotCSpace};
use crate::robot::Robot;
use crate::{Error, Result};

/// A path of a robot whose link follows a Cartesian path, as far as it can.
///
/// The parameter of [`path`](Self::path) is that of the Cartesian path, so that a [path
/// speed](crate::planning::TimeParameterization::with_path_speed) bounds the speed of the link.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Followed {
    /// The configurations; `None` where not even the first step can be made.
    pub path: Option<GeometricPath>,
    /// Parameter up to which it was followed.
    pub reached: f64,
    /// Where and why it ends early.
    pub stop: Option<Stop>,
    /// Largest distance of a link from its Cartesian path, with 1 m equal to 1 rad, in the middle of the steps.
    pub deviation: f64,
}

/// Where and why a Cartesian path cannot be followed further.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Stop {
    /// Parameter of the first step that fails.
    pub at: f64,
    /// The reason.
    pub reason: String,
}

/// Largest change of a degree of freedom in a step, as a multiple of the length of the step times this, rad or m per m: more is a jump
/// to another branch of solutions.
const STEEPEST: f64 = 50.0;

/// Distance from the beginning of the path at which a start is refused, m or rad.
const AWAY: f64 = 1e-4;

/// Most steps.
const MOST: f64 = 1e6;

impl RobotCSpace {
    /// Follows a Cartesian path from a configuration, in steps of at most `step` m (or 5 rad per m of it): each configuration is the nearest
    /// solution of inverse kinematics to the one before, and the edge to it is free.
    ///
    /// Between the steps runs a cubic spline in configurations, whose distance from the Cartesian path is
    /// [measured](Followed::deviation); where two pieces meet without a [blend](CartesianPath::with_blend) a motion stops. The space
    /// is one of a single robot; degrees of freedom that are not [active](Self::with_active) stay.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a space of several robots, a start that is not free or not where the path begins, a path
    /// without pieces, and a step that is not positive or makes more than a million; as [`Solver::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::planning::{CartesianPath, MotionLimits, RobotCSpace, TimeParameterization};
    /// use kinworld::{Vector, WorldModel};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?;
    /// let space = RobotCSpace::new(&world, &[arm.id()])?;
    /// let hand = arm.link("flange")?;
    ///
    /// let up = CartesianPath::new(hand.id(), &hand.pose()).moved(&Vector::new(0.0, 0.0, 0.05))?;
    /// let followed = space.follow(&up, arm.config(), 0.005)?;
    /// assert_eq!(followed.stop, None);
    /// let limits = MotionLimits::of(arm.model()).with_acceleration(&[5.0; 6])?;
    /// let motion = TimeParameterization::new(&limits).with_path_speed(0.1);
    /// let motion = motion.solve(&followed.path.expect("it moves"))?;
    /// assert!(motion.duration() > 0.5);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn follow(&self, path: &CartesianPath, start: &[f64], step: f64) -> Result<Followed> {
        self.follow_together(std::slice::from_ref(path), start, step)
    }

    /// Follows Cartesian paths of several links of one robot that begin and end together, as [`follow`](Self::follow) does: hands that
    /// carry a thing, or one that works while the other holds still.
    ///
    /// The parameter is that of the longest path, the others advance in proportion; a path without pieces keeps its link where it
    /// is. A motion stops where the path of any link does. The [deviation](Followed::deviation) is the largest of all links.
    ///
    /// # Errors
    ///
    /// As [`follow`](Self::follow), and [`Error::Invalid`] for two paths of one link, and where no path has a piece.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::planning::{CartesianPath, RobotCSpace};
    /// use kinworld::{Pose, Robot, RobotBuilder, State, Vector, WorldModel};
    ///
    /// // two arms, 60 cm apart, lift what they hold by 5 cm
    /// let arm = RobotBuilder::from(&Robot::load("data/robots/arm6.urdf")?.value);
    /// let mut both = RobotBuilder::new("both");
    /// both.mount(None, &arm, &Pose::translation(0.0, 0.3, 0.0), Some("left"))?;
    /// both.mount(None, &arm, &Pose::translation(0.0, -0.3, 0.0), Some("right"))?;
    /// let both = both.build()?;
    /// let start = [0.0, 0.5, 1.0, 0.0, 0.5, 0.0, 0.0, 0.5, 1.0, 0.0, 0.5, 0.0];
    /// let mut state = State::new(&both);
    /// state.set_config(&both, &start)?;
    /// let lifted = |hand: &str| -> kinworld::Result<CartesianPath> {
    ///     let hand = both.link_id(hand)?;
    ///     CartesianPath::new(hand, &state.pose(&both, hand)).moved(&Vector::new(0.0, 0.0, 0.05))
    /// };
    /// let paths = [lifted("left:flange")?, lifted("right:flange")?];
    ///
    /// let mut world = WorldModel::new();
    /// let id = world.add_robot(both.clone());
    /// let followed = RobotCSpace::new(&world, &[id])?.follow_together(&paths, &start, 0.005)?;
    /// assert_eq!(followed.stop, None);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn follow_together(
        &self,
        paths: &[CartesianPath],
        start: &[f64],
        step: f64,
    ) -> Result<Followed> {
        let [member] = self.members() else {
            let problem = "is one of several robots: a Cartesian path is followed by one";
            return Err(Error::invalid("the space", problem));
        };
        let robot = &member.robot;
        let together = Together::new(robot, paths)?;
        let count = together.length / step;
        if !(step > 0.0 && count <= MOST) {
            let problem = format!(
                "{step} m is not positive, or too short for {} m",
                together.length
            );
            return Err(Error::invalid("the step along a Cartesian path", problem));
        }
        if let Some(obstacle) = self.obstacle(start)? {
            let problem = obstacle.display(self.world()).to_string();
            return Err(Error::invalid("start", problem));
        }
        let options = Options {
            restarts: 0,
            active: Some(self.active().collect()),
            ..Options::default()
        };
        // refuses a link that the robot does not have
        let mut solver = Solver::new(robot, &together.goals(0.0), &options)?
            .with_max_deviation(STEEPEST * step)?;
        let mut state = State::new(robot);
        state.set_config(robot, start)?;
        for path in paths {
            let away = se3::distance(&state.pose(robot, path.link()), &path.at(0.0));
            if away.is_nan() || away > AWAY {
                let link = robot.link(path.link()).name();
                let problem =
                    format!("has `{link}` {away:.2e} m and rad from where the path begins");
                return Err(Error::invalid("start", problem));
            }
        }

        // one list of parameters and configurations from stop to stop, the first and last shared
        let mut pieces: Vec<(Vec<f64>, Vec<Vec<f64>>)> = Vec::new();
        let mut q = start.to_vec();
        let (mut from, mut stop) = (0.0, None);
        'all: for end in together.stops() {
            let steps = ((end - from) / step).ceil().max(2.0);
            let mut piece = (vec![from], vec![q.clone()]);
            for k in 1..=steps as usize {
                let s = from + (end - from) * k as f64 / steps;
                let reason = self.step_to(robot, &mut solver, &together.goals(s), &mut q)?;
                if let Some(reason) = reason {
                    stop = Some(Stop { at: s, reason });
                    pieces.push(piece);
                    break 'all;
                }
                piece.0.push(s);
                piece.1.push(q.clone());
            }
            pieces.push(piece);
            from = end;
        }
        pieces.retain(|(s, _)| s.len() > 1);
        let followed = joined(&pieces)?;
        let mut deviation = 0.0;
        if let Some(of_robot) = &followed {
            for pair in of_robot.breaks().windows(2) {
                let middle = 0.5 * (pair[0] + pair[1]);
                state.set_config(robot, &of_robot.at(middle))?;
                deviation = f64::max(deviation, together.deviation(robot, &state, middle));
            }
        }
        let reached = pieces.last().and_then(|(s, _)| s.last().copied());
        Ok(Followed {
            path: followed,
            reached: reached.unwrap_or(0.0),
            stop,
            deviation,
        })
    }

    /// Moves a configuration on to goals; why they cannot be reached.
    fn step_to(
        &self,
        robot: &Robot,
        solver: &mut Solver<'_>,
        goals: &[Objective],
        q: &mut Vec<f64>,
    ) -> Result<Option<String>> {
        for (index, goal) in goals.iter().enumerate() {
            solver.set_goal(index, goal)?;
        }
        let found = solver.solve(q)?;
        if !found.is_success() {
            let limits = found.active_limits.iter();
            let limits: Vec<String> = limits
                .map(|limit| format!("`{}`", robot.dof_name(limit.dof)))
                .collect();
            let at_limits = match limits.len() {
                0 => String::new(),
                _ => format!("; at their limits are the joints {}", limits.join(", ")),
            };
            let who = match goals.len() {
                1 => "the link does",
                _ => "the links do",
            };
            return Ok(Some(format!(
                "{who} not get there: the nearest configuration is off by {:.1e} m and {:.1e} rad{at_limits}",
                found.position_error, found.rotation_error
            )));
        }
        let blocked = self.edge_collision(q, &found.q, EdgeQuery::First)?;
        if let Some(blocked) = blocked {
            return Ok(Some(blocked.obstacle.display(self.world()).to_string()));
        }
        if !self.is_free(&found.q)? {
            return Ok(Some("it is not free".to_owned()));
        }
        *q = found.q;
        Ok(None)
    }
}

/// The pieces as one path: in each the natural spline, whose derivatives at the ends may differ from those of the next.
fn joined(pieces: &[(Vec<f64>, Vec<Vec<f64>>)]) -> Result<Option<GeometricPath>> {
    let Some((_, first)) = pieces.first() else {
        return Ok(None);
    };
    let n = first[0].len();
    let (mut breaks, mut coefficients) = (vec![pieces[0].0[0]], Vec::new());
    for (s, q) in pieces {
        let spline = GeometricPath::spline_at(s, q)?;
        breaks.extend_from_slice(&s[1..]);
        coefficients.extend_from_slice(spline.coefficients());
    }
    GeometricPath::polynomials(n, 3, breaks, coefficients).map(Some)
}
