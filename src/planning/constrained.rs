//! A space in which configurations satisfy a constraint.

use super::edge::coarse_to_fine;
use super::{CSpace, Constraint};
use crate::{Error, Result};

/// The configurations of a space that satisfy a [`Constraint`]: a hand that keeps a cup upright, or stays on a line.
///
/// | | |
/// |---|---|
/// | free | satisfies the constraint, and is free in the space |
/// | sample | one of the space, projected |
/// | distance | that of the space |
/// | way | what projection makes of that of the space: `q(u) = P(a + u (b − a))` |
///
/// A way is walked in [steps](Self::with_step). It is free where every step can be projected and is free, the pieces between them
/// are free in the space, and no piece is longer than twice what it was before projection: a way that jumps from one
/// part of the manifold to another is none. Between its steps a path is a straight line of the space, off the manifold by the
/// square of the step. [`discretized`](Self::discretized) puts the steps into a path for those who follow it.
///
/// Planners in projected spaces: Berenson et al. (2009), "Manipulation planning on constraint manifolds"; Kingston, Moll and
/// Kavraki (2019), "Exploring implicit spaces for constrained sampling-based planning". Klampt's
/// `ClosedLoopRobotCSpace` is such a space.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::{Objective, RotationGoal};
/// use kinworld::planning::{Budget, CSpace, Constrained, Constraint, RobotConstraint};
/// use kinworld::planning::{RobotCSpace, RrtConnect};
/// use kinworld::{Vector, WorldModel};
///
/// let world = WorldModel::load("data/robots/arm6.urdf")?.value;
/// let arm = world.robot("arm6")?;
/// let hand = arm.model().link_id("flange")?;
///
/// // the cup in the hand stays upright, whichever way round
/// let upright = RotationGoal::Axis { d_link: Vector::z(), target: Vector::z() };
/// let space = RobotCSpace::new(&world, &[arm.id()])?;
/// let keep = RobotConstraint::new(&space, arm.id(), &[Objective::rotation(hand, upright)])?;
/// let mut space = Constrained::new(space, keep);
///
/// let near = |q: [f64; 6]| space.project(&q).expect("an upright hand is near");
/// let (start, goal) = (near([0.0, -0.2, 0.3, 0.0, -1.6, 0.0]), near([1.5, 0.3, 0.0, 0.0, -1.8, 1.0]));
/// let found = RrtConnect::new(&Budget::default()).solve(&mut space, &start, &goal)?;
/// for q in space.discretized(&found.path.expect("nothing is in the way"))? {
///     assert!(space.constraint().error(&q) <= 1e-6);
/// }
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Constrained<S, C> {
    space: S,
    constraint: C,
    step: f64,
}

impl<S: CSpace, C: Constraint> Constrained<S, C> {
    /// What of a space satisfies a constraint, with the steps of the space.
    #[must_use]
    pub fn new(space: S, constraint: C) -> Self {
        let step = space.step();
        Self {
            space,
            constraint,
            step,
        }
    }

    /// With other steps: how far two samples of a way are apart before they are projected, in the metric of the space.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a number that is not positive and finite.
    pub fn with_step(self, step: f64) -> Result<Self> {
        if !(step > 0.0 && step.is_finite()) {
            let problem = format!("{step} is not a positive length");
            return Err(Error::invalid("the step of a way", problem));
        }
        Ok(Self { step, ..self })
    }

    /// The space that it is a part of.
    #[must_use]
    pub fn whole(&self) -> &S {
        &self.space
    }

    /// What its configurations satisfy.
    #[must_use]
    pub fn constraint(&self) -> &C {
        &self.constraint
    }

    /// A configuration near `q` that satisfies the constraint; `None` where none is found, or `q` is no configuration.
    #[must_use]
    pub fn project(&self, q: &[f64]) -> Option<Vec<f64>> {
        (q.len() == self.dimension()).then(|| self.constraint.project(q))?
    }

    /// A path with all its steps, so that straight lines between its points keep to the manifold.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a corner that is no configuration, [`Error::Invalid`] for an edge that does not keep to the manifold:
    /// one that this space would not call free.
    pub fn discretized(&self, path: &[Vec<f64>]) -> Result<Vec<Vec<f64>>> {
        for q in path {
            if q.len() != self.dimension() {
                return Err(Error::Length {
                    what: "a corner of a path",
                    expected: self.dimension(),
                    found: q.len(),
                });
            }
        }
        let mut all: Vec<Vec<f64>> = path.first().cloned().into_iter().collect();
        for (i, edge) in path.windows(2).enumerate() {
            let (a, b) = (&edge[0], &edge[1]);
            let way = self.n_steps(a, b).and_then(|n| {
                let points = (0..=n).map(|i| self.point(a, b, i, n));
                points.collect::<Option<Vec<_>>>()
            });
            let Some(way) = way.filter(|way| self.is_connected(way)) else {
                let problem = "cannot be followed on the manifold";
                return Err(Error::invalid(format!("edge {i} of a path"), problem));
            };
            all.extend(way.into_iter().skip(1));
        }
        Ok(all)
    }

    /// How many steps the way from `a` to `b` has.
    fn n_steps(&self, a: &[f64], b: &[f64]) -> Option<usize> {
        let steps = (self.space.distance(a, b) / self.step).ceil();
        (steps <= MOST_STEPS).then_some(steps.max(1.0) as usize)
    }

    /// Step `i` of `n`; the ends are taken as they are.
    fn point(&self, a: &[f64], b: &[f64], i: usize, n: usize) -> Option<Vec<f64>> {
        if i == 0 || i == n {
            let end = if i == 0 { a } else { b };
            return Some(end.to_vec());
        }
        let mut q = a.to_vec();
        let u = i as f64 / n as f64;
        self.space.interpolate_into(a, b, u, &mut q);
        self.constraint.project(&q)
    }

    /// Whether no piece of a way is much longer than it was.
    fn is_connected(&self, way: &[Vec<f64>]) -> bool {
        let [a, .., b] = way else { return false };
        let straight = self.space.distance(a, b) / (way.len() - 1) as f64;
        let most = STRETCH * straight;
        way.windows(2)
            .all(|piece| self.space.distance(&piece[0], &piece[1]) <= most)
    }

    fn satisfies(&self, q: &[f64]) -> bool {
        self.constraint.error(q) <= self.constraint.tolerance()
    }
}

impl<S: CSpace, C: Constraint> CSpace for Constrained<S, C> {
    fn dimension(&self) -> usize {
        self.space.dimension()
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        self.space.bounds()
    }

    fn is_free(&mut self, q: &[f64]) -> bool {
        self.satisfies(q) && self.space.is_free(q)
    }

    fn reason(&mut self, q: &[f64]) -> Option<String> {
        let off = self.constraint.reason(q);
        off.or_else(|| self.space.reason(q))
    }

    fn are_free(&mut self, block: &[f64], free: &mut [bool]) {
        self.space.are_free(block, free);
        for (q, free) in block.chunks_exact(self.dimension().max(1)).zip(free) {
            *free = *free && self.satisfies(q);
        }
    }

    fn is_edge_free(&mut self, a: &[f64], b: &[f64]) -> bool {
        let Some(n) = self.n_steps(a, b) else {
            return false;
        };
        if !(self.satisfies(a) && self.satisfies(b)) {
            return false;
        }
        let mut way = vec![Vec::new(); n + 1];
        for i in coarse_to_fine(n) {
            match self.point(a, b, i, n) {
                Some(q) if self.space.is_free(&q) => way[i] = q,
                _ => return false,
            }
        }

        // of a piece that is no longer than a step of the space, the ends are enough
        let space = &mut self.space;
        let mut is_piece_free = |piece: &[Vec<f64>]| {
            let (a, b) = (&piece[0], &piece[1]);
            space.distance(a, b) <= space.step() || space.is_edge_free(a, b)
        };
        let pieces_are_free = way.windows(2).all(&mut is_piece_free);
        pieces_are_free && self.is_connected(&way)
    }

    fn step(&self) -> f64 {
        self.step
    }

    /// One that cannot be projected, after some tries, is left as it was drawn: trees still grow towards it.
    fn sample_into(&mut self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        for _ in 0..TRIES {
            self.space.sample_into(uniform, out);
            if let Some(q) = self.constraint.project(out) {
                out.copy_from_slice(&q);
                return;
            }
        }
    }

    /// The center, where projection leads too far from every sample that is drawn.
    fn sample_near_into(
        &mut self,
        center: &[f64],
        radius: f64,
        uniform: &mut dyn FnMut() -> f64,
        out: &mut [f64],
    ) {
        for _ in 0..TRIES {
            self.space.sample_near_into(center, radius, uniform, out);
            if let Some(q) = self.constraint.project(out)
                && self.space.distance(center, &q) <= radius
            {
                out.copy_from_slice(&q);
                return;
            }
        }
        out.copy_from_slice(center);
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.space.distance(a, b)
    }

    /// Where projection fails, the straight way, which is not free.
    fn interpolate_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) {
        self.space.interpolate_into(a, b, u, out);
        if 0.0 < u
            && u < 1.0
            && let Some(q) = self.constraint.project(out)
        {
            out.copy_from_slice(&q);
        }
    }

    fn picture(&self, q: &[f64], out: &mut Vec<f64>) {
        self.space.picture(q, out);
    }
}

/// How many samples are drawn for one that can be projected.
const TRIES: usize = 10;
/// How much longer projection may make a piece of a way.
const STRETCH: f64 = 2.0;
/// The most steps of one way.
const MOST_STEPS: f64 = 1e5;
