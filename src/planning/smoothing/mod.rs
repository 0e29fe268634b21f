//! Smooth curves along paths: cubic B-splines that are short, bend evenly and keep a distance from obstacles.
//!
//! Control points begin on the path. A descent moves them with the exact gradients of distances, as in CHOMP (Zucker et al.,
//! "CHOMP: Covariant Hamiltonian Optimization for Motion Planning", IJRR 2013), here with steps of Gauss and Newton. Then each piece
//! of the curve is proved to be free as a whole; control points of those that are not go back towards the path.

mod b_spline;
mod banded;
mod descent;
mod model;

use std::collections::HashMap;

use self::b_spline::{BSpline, FEWEST, SUPPORT};
use self::descent::Descent;
use super::edge::Certainty;
use super::time::{distance, distinct};
use super::{
    CSpace, GeometricPath, RobotCSpace, SmoothTrajectory, TimeParameterization, Workspace,
};
use crate::{Error, Result};

/// Length of a piece of a curve, at first, rad or m.
const PIECE: f64 = 0.12;

/// Most pieces of a curve, and of a robot with many degrees of freedom most pairs of numbers of its control points, for memory.
const MOST: usize = 1000;
const MOST_PAIRS: usize = 4_000_000;

/// How often pieces are halved whose control points on the path make no free curve.
const HALVINGS: usize = 2;

/// How often pieces that are not proved to be free are looked at more closely before they go back towards the path.
const REFINEMENTS: usize = 2;

/// Shares of the curve that is shortest, in turn, where pieces are not free; the rest is the path.
const SHARES: [f64; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];

/// Margins that are tried for a motion that is not free.
const TRIES: usize = 4;

/// Ratio of the resolution of a space to that of the proof where something is near.
const FINER: f64 = 16.0;

/// Distance, m, below which a proof takes longer than samples do.
const LEAST_DISTANCE: f64 = 2e-3;

/// Least margin, m: what is nearer has no proof.
const LEAST_MARGIN: f64 = 5e-3;

/// How far an arc may leave its chord, m, for both to be proved at once.
const BEND: f64 = 1e-3;

/// How a path is made [smooth](RobotCSpace::smoothed).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Smoothing {
    /// Distance, m, that the curve keeps from obstacles where it can; it aims at 5 mm at least, for what is nearer has no proof.
    pub margin: f64,
    /// Length, rad or m, along which the curve takes a bend. A small one gives shorter curves with sharper bends.
    pub bending_length: f64,
    /// Most steps of the descent.
    pub max_iterations: usize,
}

impl Default for Smoothing {
    fn default() -> Self {
        Self {
            margin: 0.01,
            bending_length: 2.0,
            max_iterations: 10,
        }
    }
}

impl Smoothing {
    /// Sets the distance that the curve keeps from obstacles where it can, m, from 0 on.
    #[must_use]
    pub fn with_margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// Sets the length along which the curve takes a bend, rad or m, from 0 on.
    #[must_use]
    pub fn with_bending_length(mut self, length: f64) -> Self {
        self.bending_length = length;
        self
    }

    /// Sets the most steps of the descent.
    #[must_use]
    pub fn with_max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    pub(super) fn check(&self) -> Result<()> {
        for (what, value) in [
            ("the margin of smoothing", self.margin),
            ("the bending length of smoothing", self.bending_length),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                let problem = format!("{value} is not a number from 0 on");
                return Err(Error::invalid(what, problem));
            }
        }
        Ok(())
    }
}

impl RobotCSpace {
    /// A smooth curve beside the straight lines of a path, with two continuous derivatives: a cubic B-spline that is short, bends
    /// evenly, and keeps a distance from obstacles. Its ends are those of the path; it passes near the other waypoints or cuts
    /// them.
    ///
    /// All of the curve is proved to be free as [`plan`](super::plan) does it, with samples no farther apart than a sixteenth of the
    /// [resolution](Self::resolution) where something is near. Where that fails, the curve goes back towards the path. `None`
    /// where no such curve is free: [rounded](Self::rounded) corners stay nearer to the path. What is as near at an end of the
    /// path is passed there, in the first and the last piece, as samples have it. In a space where several axes of a joint
    /// turn at once, samples decide everywhere; free rotations of three angles stay.
    ///
    /// # Errors
    ///
    /// As [`GeometricPath::polyline`], and [`Error::Invalid`] for options that are negative or not finite, and for a path on which
    /// a free rotation of three angles changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{Budget, MotionLimits, RobotCSpace, Smoothing, TimeParameterization, plan};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?;
    /// let space = RobotCSpace::new(&world, &[arm.id()])?;
    /// let goal = [1.5, 0.4, 0.4, 0.0, 0.5, 0.0];
    /// let found = plan(&space, arm.config(), &goal, &Budget::default())?;
    ///
    /// let waypoints = found.path.expect("there is a path");
    /// let path = space.smoothed(&waypoints, &Smoothing::default())?.expect("nothing is near");
    /// assert!(path.corners().is_empty());
    /// let limits = MotionLimits::of(arm.model()).with_acceleration(&[5.0; 6])?;
    /// let motion = TimeParameterization::new(&limits).solve(&path)?;
    /// assert_eq!(space.motion_collision(&motion)?, None);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn smoothed<Q: AsRef<[f64]>>(
        &self,
        waypoints: &[Q],
        smoothing: &Smoothing,
    ) -> Result<Option<GeometricPath>> {
        smoothing.check()?;
        // refuses what is no path
        GeometricPath::polyline(waypoints)?;
        let points = self.unrolled(waypoints)?;
        let points = distinct(&points)?;
        let lengths = points.windows(2).map(|ends| distance(ends[0], ends[1]));
        let length: f64 = lengths.sum();
        let finest = self.clone().with_resolution(self.resolution() / FINER)?;
        let most = (MOST_PAIRS / self.n_dofs().pow(2).max(1)).clamp(FEWEST, MOST);
        let mut pieces = ((length / PIECE).ceil() as usize).clamp(FEWEST, most);
        for _ in 0..=HALVINGS {
            let first = BSpline::along(&points, pieces);
            let curve = self.with_workspace(|ws| {
                let mut curve = first.clone();
                let h = length / pieces as f64;
                let mut descent = Descent::new(self, smoothing, h, &first, ws)?;
                if !descent.run(&mut curve, &first, ws)? {
                    return Ok(None);
                }
                for _ in 0..REFINEMENTS {
                    let open = finest.open_pieces(&curve, ws)?;
                    if open.is_empty() {
                        return Ok(Some(curve));
                    }
                    descent.refine(&open);
                    if !descent.run(&mut curve, &first, ws)? {
                        break;
                    }
                }
                finest.proved(&first, &curve, ws)
            })?;
            if let Some(curve) = curve {
                return curve.to_path().map(Some);
            }
            if 2 * pieces > most {
                break;
            }
            pieces *= 2;
        }
        Ok(None)
    }

    /// The motion along a [smooth](Self::smoothed) curve beside a path that is free at the [resolution](Self::resolution).
    ///
    /// An average for limits of jerk leaves the curve a little: where that is not free, the margin is doubled up to three times. `None`
    /// where it is not free even so, and where there is no such curve: the motion [along](Self::motion_along) the lines with
    /// rounded corners stays nearer to the path.
    ///
    /// # Errors
    ///
    /// As [`smoothed`](Self::smoothed) and [`TimeParameterization::solve`].
    pub fn smooth_motion_along<Q: AsRef<[f64]>>(
        &self,
        waypoints: &[Q],
        smoothing: &Smoothing,
        time: &TimeParameterization<'_>,
    ) -> Result<Option<SmoothTrajectory>> {
        let mut smoothing = *smoothing;
        for _ in 0..TRIES {
            let Some(path) = self.smoothed(waypoints, &smoothing)? else {
                return Ok(None);
            };
            let motion = time.solve(&path)?;
            if self.motion_collision(&motion)?.is_none() {
                return Ok(Some(motion));
            }
            smoothing.margin = 2.0 * smoothing.margin.max(LEAST_MARGIN);
        }
        Ok(None)
    }

    /// The pieces of a curve that are not proved to be free.
    fn open_pieces(&self, curve: &BSpline, ws: &mut Workspace) -> Result<Vec<usize>> {
        let mut open = Vec::new();
        for piece in 0..curve.pieces() {
            if !self.is_piece_free(curve, piece, ws)? {
                open.push(piece);
            }
        }
        Ok(open)
    }

    /// The curve nearest to `curve`, of those between it and `first`, of which each piece is proved to be free.
    fn proved(
        &self,
        first: &BSpline,
        curve: &BSpline,
        ws: &mut Workspace,
    ) -> Result<Option<BSpline>> {
        let pieces = first.pieces();
        let mut steps = vec![0; pieces + 1];
        // of each piece, by the steps of its control points
        let mut known: HashMap<(usize, [usize; SUPPORT]), bool> = HashMap::new();
        let mut found = curve.clone();
        loop {
            let mut back = Vec::new();
            for piece in 0..pieces {
                let support = piece.saturating_sub(1)..(piece + 3).min(pieces + 1);
                let mut key = [0; SUPPORT];
                support
                    .clone()
                    .zip(&mut key)
                    .for_each(|(j, k)| *k = steps[j]);
                let is_free = match known.get(&(piece, key)) {
                    Some(is_free) => *is_free,
                    None => {
                        let is_free = self.is_piece_free(&found, piece, ws)?;
                        known.insert((piece, key), is_free);
                        is_free
                    }
                };
                if !is_free {
                    back.push(support);
                }
            }
            if back.is_empty() {
                return Ok(Some(found));
            }
            // once for all pieces that are not free
            let mut moves = vec![false; pieces + 1];
            for support in back {
                let is_last = |j: usize| steps[j] + 1 == SHARES.len();
                if support.clone().all(is_last) {
                    return Ok(None);
                }
                support.for_each(|j| moves[j] = !is_last(j));
            }
            for (step, moves) in steps.iter_mut().zip(moves) {
                *step += usize::from(moves);
            }
            for (j, step) in steps.iter().enumerate() {
                let share = SHARES[*step];
                let ends = first.point(j).iter().zip(curve.point(j));
                let moved: Vec<f64> = ends.map(|(a, b)| a + share * (b - a)).collect();
                found.point_mut(j).copy_from_slice(&moved);
            }
        }
    }

    fn is_piece_free(&self, curve: &BSpline, piece: usize, ws: &mut Workspace) -> Result<bool> {
        if !self.snapshot.is_steady {
            return self.is_sampled_piece_free(curve, piece, ws);
        }
        // an end may touch something
        let is_end = piece == 0 || piece + 1 == curve.pieces();
        let certainty = Certainty {
            least_distance: LEAST_DISTANCE,
            near_ends: is_end,
        };
        let [a, _, bend] = curve.chord(piece, [0.0, 1.0]);
        let arcs = (self.travel(&a, &bend)? / BEND)
            .sqrt()
            .ceil()
            .clamp(1.0, 64.0);
        for k in 0..arcs as usize {
            let part = [k, k + 1].map(|k| k as f64 / arcs);
            let [a, b, bend] = curve.chord(piece, part);
            if !self.is_bent_edge_surely_free_with([&a, &b], &bend, certainty, ws)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a piece is free at samples of which no number moves further than the resolution from one to the next.
    fn is_sampled_piece_free(
        &self,
        curve: &BSpline,
        piece: usize,
        ws: &mut Workspace,
    ) -> Result<bool> {
        let [a, b, bend] = curve.chord(piece, [0.0, 1.0]);
        // the derivative leaves that of the edge by four bends at most
        let moves = a.iter().zip(&b).zip(&bend);
        let moves = moves.map(|((a, b), bend)| (a - b).abs() + 4.0 * bend);
        let most = moves.fold(0.0, f64::max);
        let count = (most / self.resolution()).ceil().max(1.0);
        let mut q = a;
        for k in 0..=count as usize {
            curve.at(curve.weights(piece, k as f64 / count), &mut q);
            if !self.is_free_with(&q, ws)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
