//! Control points that make a curve short and even, and keep its distance from obstacles.
//!
//! Minimises, over the inner control points `c_j` of a spline with pieces of length `h`,
//!
//! ```text
//! Σ |c_j − c_{j−1}|² / h  +  b² Σ |c_{j−1} − 2 c_j + c_{j+1}|² / h³  +  w h Σ max(0, margin − d)²
//! ```
//!
//! with the bending length `b` and the distances `d` of all near pairs at samples of the curve. Each step is one of Gauss and
//! Newton with the gradients of these distances: the system has a band of four control points. Pairs that were too far to be
//! seen are added where a step would make them overlap.

use super::b_spline::{BSpline, SUPPORT, Weights};
use super::model::{Model, Row};
use super::{LEAST_MARGIN, Smoothing};
use crate::planning::{CSpace, RobotCSpace, Workspace};
use crate::world::WorldDistance;
use crate::{Result, kinematics};

/// The weight of distances: some tenths of a millimetre are lost where the path would be a radian shorter.
const WEIGHT: f64 = 1e5;

/// How far a control point moves in a step at most, rad or m.
const STEP: f64 = 0.1;

/// Pairs count up to this distance beyond the margin, m, where control points move by a radian or a metre: about what bodies move
/// then, usually and at most.
const USUAL: f64 = 0.3;
const FARTHEST: f64 = 2.0;

/// A step that moves no control point further is the last one, rad or m.
const LAST: f64 = 5e-3;

/// How often a step is taken again with the pairs that it would make overlap.
const REPEATS: usize = 3;

/// How often control points are taken back half of a step until samples are free.
const HALVINGS: usize = 4;

/// Samples of a piece that is looked at more closely.
const SAMPLES: usize = 4;

/// By how much the margin grows from an end on that is nearer to something, m/rad.
const RISE: f64 = 0.1;

/// A place on the curve where distances are kept.
#[derive(Debug, Clone, Copy)]
struct Sample {
    piece: usize,
    /// From 0 to 1 on the piece.
    u: f64,
    /// Length of the curve that it stands for.
    length: f64,
}

/// Distances along a curve.
struct Near {
    rows: Vec<Row>,
    /// Samples where something overlaps.
    overlapping: Vec<usize>,
}

/// A step of the descent.
struct Step {
    curve: BSpline,
    near: Near,
    /// How far it moves a control point at most, rad or m.
    most: f64,
}

/// A descent in a space.
pub(super) struct Descent<'a> {
    space: &'a RobotCSpace,
    max_iterations: usize,
    model: Model,
    bounds: Vec<[f64; 2]>,
    /// Length of a piece.
    h: f64,
    samples: Vec<Sample>,
    /// How far a control point moves in the next step at most, rad or m.
    most: f64,
    /// Distance that is aimed at, m, and at each end, where it may be less.
    margin: f64,
    ends: [f64; 2],
    pairs: Vec<WorldDistance>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(
        space: &'a RobotCSpace,
        options: &Smoothing,
        h: f64,
        spline: &BSpline,
        ws: &mut Workspace,
    ) -> Result<Self> {
        let margin = options.margin.max(LEAST_MARGIN);
        let second = options.bending_length.powi(2) / h.powi(3);
        let inner = 1..spline.pieces();
        let mut active: Vec<usize> = space.active().map(|id| id.index()).collect();
        for member in space.members() {
            // three angles are no coordinates to descend along
            let first = member.range.start;
            let angles = kinematics::dofs_of_rotations(&member.robot).map(|dof| first + dof);
            let angles: Vec<usize> = angles.collect();
            active.retain(|dof| !angles.contains(dof));
        }
        let mut descent = Self {
            space,
            max_iterations: options.max_iterations,
            model: Model {
                active,
                differences: [1.0 / h, second],
            },
            bounds: space.bounds(),
            h,
            samples: inner
                .map(|piece| Sample {
                    piece,
                    u: 0.0,
                    length: h,
                })
                .collect(),
            most: STEP,
            margin,
            ends: [margin; 2],
            pairs: Vec::new(),
        };
        for (k, j) in [0, spline.pieces()].into_iter().enumerate() {
            descent.list_near(spline.point(j), margin, ws)?;
            for nearest in &descent.pairs {
                let distance = nearest.distance - descent.margin_of(nearest);
                descent.ends[k] = descent.ends[k].min(distance);
            }
        }
        Ok(descent)
    }

    /// Moves the control points. Where the curve overlaps something, they first go back towards those of `free`; returns whether
    /// that helps.
    pub(super) fn run(
        &mut self,
        spline: &mut BSpline,
        free: &BSpline,
        ws: &mut Workspace,
    ) -> Result<bool> {
        let mut near = self.near(spline, ws)?;
        self.go_back(spline, free, &mut near, ws)?;
        if !near.overlapping.is_empty() {
            return Ok(false);
        }
        for _ in 0..self.max_iterations {
            let Some(step) = self.step(spline, &mut near.rows, ws)? else {
                break;
            };
            *spline = step.curve;
            near = step.near;
            self.most = STEP.min(2.0 * step.most);
            if step.most < LAST {
                break;
            }
        }
        Ok(true)
    }

    /// A step to a curve that is free at its samples; `None` where there is none.
    fn step(
        &mut self,
        spline: &BSpline,
        rows: &mut Vec<Row>,
        ws: &mut Workspace,
    ) -> Result<Option<Step>> {
        for repeat in 0.. {
            let Some((mut curve, most)) = self.moved(spline, rows)? else {
                break;
            };
            let mut near = self.near(&curve, ws)?;
            if repeat == REPEATS {
                self.go_back(&mut curve, spline, &mut near, ws)?;
            }
            if near.overlapping.is_empty() {
                return Ok(Some(Step { curve, near, most }));
            }
            if repeat == REPEATS {
                break;
            }
            // what a step may make overlap
            let within = self.margin + FARTHEST * self.most;
            rows.retain(|row| !near.overlapping.contains(&row.sample));
            for &sample in &near.overlapping {
                self.add_near(spline, sample, within, rows, ws)?;
            }
        }
        Ok(None)
    }

    /// Takes control points halfway back to those of another curve, some times, where a curve overlaps something.
    fn go_back(
        &mut self,
        moved: &mut BSpline,
        back: &BSpline,
        near: &mut Near,
        ws: &mut Workspace,
    ) -> Result<()> {
        for _ in 0..HALVINGS {
            if near.overlapping.is_empty() {
                break;
            }
            for &sample in &near.overlapping {
                let Weights { first, .. } = self.weights(moved, sample);
                for j in first..first + SUPPORT {
                    let both = moved.point_mut(j).iter_mut().zip(back.point(j));
                    both.for_each(|(x, back)| *x = 0.5 * (*x + back));
                }
            }
            *near = self.near(moved, ws)?;
        }
        Ok(())
    }

    /// Looks more closely at pieces from here on.
    pub(super) fn refine(&mut self, pieces: &[usize]) {
        let is_coarse = |sample: &Sample| !pieces.contains(&sample.piece);
        self.samples.retain(is_coarse);
        for &piece in pieces {
            let parts = (0..SAMPLES).map(|k| Sample {
                piece,
                u: k as f64 / SAMPLES as f64,
                length: self.h / SAMPLES as f64,
            });
            // the start stays
            let moves = |sample: &Sample| sample.piece > 0 || sample.u > 0.0;
            self.samples.extend(parts.filter(moves));
        }
        self.most = STEP;
    }

    fn weights(&self, spline: &BSpline, sample: usize) -> Weights {
        let Sample { piece, u, .. } = self.samples[sample];
        spline.weights(piece, u)
    }

    fn list_near(&mut self, q: &[f64], within: f64, ws: &mut Workspace) -> Result<()> {
        let (space, poses) = (self.space, &mut ws.poses.world);
        space.set_robots(q, poses)?;
        let collider = &space.snapshot.collider;
        collider.near_pairs_with(&space.ids(), within, poses, &mut self.pairs)
    }

    /// The distance at which a pair collides.
    fn margin_of(&self, pair: &WorldDistance) -> f64 {
        let collider = &self.space.snapshot.collider;
        collider.margin(pair.a, pair.b).unwrap_or(0.0)
    }

    /// The near pairs of a curve.
    fn near(&mut self, spline: &BSpline, ws: &mut Workspace) -> Result<Near> {
        let (mut rows, mut overlapping) = (Vec::new(), Vec::new());
        let within = self.margin + USUAL * self.most;
        for sample in 0..self.samples.len() {
            if !self.add_near(spline, sample, within, &mut rows, ws)? {
                overlapping.push(sample);
            }
        }
        Ok(Near { rows, overlapping })
    }

    /// Adds the near pairs at a sample; returns whether none overlaps.
    fn add_near(
        &mut self,
        spline: &BSpline,
        sample: usize,
        within: f64,
        rows: &mut Vec<Row>,
        ws: &mut Workspace,
    ) -> Result<bool> {
        let weights = self.weights(spline, sample);
        let Sample { piece, u, length } = self.samples[sample];
        let [mut q, mut gradient] = [(); 2].map(|()| vec![0.0; spline.n_dofs()]);
        spline.at(weights, &mut q);
        self.list_near(&q, within, ws)?;
        // near an end as much as there, and more and more behind it
        let at = piece as f64 + u;
        let [at, rest] = [at, spline.pieces() as f64 - at].map(|count| count * self.h);
        let kept = (self.ends[0] + at * RISE).min(self.ends[1] + rest * RISE);
        let kept = self.margin.min(kept);
        let mut is_free = true;
        for pair in &self.pairs {
            let distance = pair.distance - self.margin_of(pair);
            gradient.fill(0.0);
            let poses = &ws.poses.world;
            if !self.space.add_gradient(pair, poses, &mut gradient)? || distance <= 0.0 {
                is_free = false;
                continue;
            }
            let of_active = self.model.active.iter().map(|&dof| gradient[dof]);
            let gradient: Vec<f64> = of_active.collect();
            // of links that nothing moves against each other there is none
            if gradient.iter().any(|x| *x != 0.0) {
                rows.push(Row {
                    sample,
                    weights,
                    excess: distance - kept,
                    gradient,
                    weight: WEIGHT * length,
                });
            }
        }
        Ok(is_free)
    }

    /// The curve after a step, and how far it moves a control point at most; `None` where there is no step.
    fn moved(&self, spline: &BSpline, rows: &[Row]) -> Result<Option<(BSpline, f64)>> {
        // free rotations stay, so that there may be nothing that moves
        if self.model.active.is_empty() {
            return Ok(None);
        }
        let Some(change) = self.model.step(spline, rows) else {
            return Ok(None);
        };
        let most = change.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let share = (self.most / most).min(1.0);
        let mut moved = spline.clone();
        let width = self.model.active.len();
        for j in 1..spline.pieces() {
            let change = &change[(j - 1) * width..][..width];
            let point = moved.point_mut(j);
            for (&dof, change) in self.model.active.iter().zip(change) {
                let [low, high] = self.bounds[dof];
                point[dof] = (point[dof] + share * change).min(high).max(low);
            }
            for member in self.space.members() {
                let q = &mut point[member.range.clone()];
                member.coupling.restore(&member.robot, q)?;
            }
        }
        Ok(Some((moved, share * most)))
    }
}
