//! Configuration spaces on the manifold of a constraint.

use super::edge::coarse_to_fine;
use super::{CSpace, Constraint, Scene};
use crate::{Error, Result, kinematics};

/// The configurations of an ambient space that satisfy a [`Constraint`]: a hand that keeps a cup upright, or stays on a line.
///
/// | | |
/// |---|---|
/// | free | satisfies the constraint, and is free in the ambient space |
/// | sample | one of the ambient space, projected |
/// | distance | that of the ambient space |
/// | edge | that of the ambient space, projected: `q(u) = P(a + u (b − a))` |
///
/// An edge is split into [steps](Self::with_step). It is free where every step can be projected and is free, the segments
/// between them are free in the ambient space, and no segment is longer than twice what it was before projection: an edge
/// that jumps from one part of the manifold to another is none. Between its steps a path is a straight line of the ambient
/// space, off the manifold by the square of the step. [`discretized`](Self::discretized) puts the steps into a path.
///
/// Planners in projected spaces: Berenson et al. (2009), "Manipulation planning on constraint manifolds"; Kingston, Moll and
/// Kavraki (2019), "Exploring implicit spaces for constrained sampling-based planning". Klampt's
/// `ClosedLoopRobotCSpace` is such a space.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::{Objective, RotationGoal};
/// use kinworld::planning::{Budget, CSpace, ConstrainedSpace, Constraint, RobotConstraint};
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
/// let space = ConstrainedSpace::new(space, keep);
///
/// let near = |q: [f64; 6]| space.project(&q).expect("an upright hand is near");
/// let (start, goal) = (near([0.0, -0.2, 0.3, 0.0, -1.6, 0.0]), near([1.5, 0.3, 0.0, 0.0, -1.8, 1.0]));
/// let found = RrtConnect::new(&Budget::default()).solve(&space, &start, &goal)?;
/// for q in space.discretized(&found.path.expect("nothing is in the way"))? {
///     assert!(space.constraint().error(&q) <= 1e-6);
/// }
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "ClosedLoopRobotCSpace")]
#[doc(alias = "ProjectedStateSpace")]
#[derive(Debug, Clone)]
pub struct ConstrainedSpace<S, C> {
    ambient: S,
    constraint: C,
    step: f64,
}

impl<S: CSpace, C: Constraint> ConstrainedSpace<S, C> {
    /// The part of an ambient space that satisfies a constraint, with the steps of that space.
    #[must_use]
    pub fn new(ambient: S, constraint: C) -> Self {
        let step = ambient.step();
        Self {
            ambient,
            constraint,
            step,
        }
    }

    /// With other steps: the distance of two samples of an edge before they are projected, in the metric of the space.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a number that is not positive and finite.
    pub fn with_step(self, step: f64) -> Result<Self> {
        if !(step > 0.0 && step.is_finite()) {
            let problem = format!("{step} is not a positive length");
            return Err(Error::invalid("the step of an edge", problem));
        }
        Ok(Self { step, ..self })
    }

    /// The ambient space.
    #[must_use]
    pub fn ambient(&self) -> &S {
        &self.ambient
    }

    /// The constraint that all configurations satisfy.
    #[must_use]
    pub fn constraint(&self) -> &C {
        &self.constraint
    }

    /// A configuration near `q` that satisfies the constraint; `None` where none is found, or `q` is no configuration.
    #[must_use]
    pub fn project(&self, q: &[f64]) -> Option<Vec<f64>> {
        (q.len() == self.n_dofs()).then(|| self.constraint.project(q))?
    }

    /// A path with all its steps, so that straight lines between its points keep to the manifold.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a waypoint that is no configuration, [`Error::Invalid`] for an edge that does not keep to the manifold:
    /// one that this space would not call free.
    pub fn discretized(&self, path: &[Vec<f64>]) -> Result<Vec<Vec<f64>>> {
        for q in path {
            if q.len() != self.n_dofs() {
                return Err(Error::Length {
                    what: "a waypoint of a path",
                    expected: self.n_dofs(),
                    found: q.len(),
                });
            }
        }
        let mut all: Vec<Vec<f64>> = path.first().cloned().into_iter().collect();
        for (i, edge) in path.windows(2).enumerate() {
            let (a, b) = (&edge[0], &edge[1]);
            let n = self.n_steps(a, b)?;
            let points = (0..=n).map(|i| self.point(a, b, i, n));
            let points = points.collect::<Option<Vec<_>>>();
            let Some(points) = points.filter(|points| self.is_connected(points)) else {
                let problem = "cannot be followed on the manifold";
                return Err(Error::invalid(format!("edge {i} of a path"), problem));
            };
            all.extend(points.into_iter().skip(1));
        }
        Ok(all)
    }

    /// Number of steps of the edge from `a` to `b`.
    fn n_steps(&self, a: &[f64], b: &[f64]) -> Result<usize> {
        let steps = (self.ambient.distance(a, b) / self.step).ceil();
        if steps.is_nan() || steps > MAX_STEPS {
            let problem = format!("takes {steps} steps on the manifold; choose longer ones");
            return Err(Error::invalid(
                "the edge between two configurations",
                problem,
            ));
        }
        Ok(steps.max(1.0) as usize)
    }

    /// Step `i` of `n`; the ends are taken as they are.
    fn point(&self, a: &[f64], b: &[f64], i: usize, n: usize) -> Option<Vec<f64>> {
        if i == 0 || i == n {
            let end = if i == 0 { a } else { b };
            return Some(end.to_vec());
        }
        let mut q = a.to_vec();
        let u = i as f64 / n as f64;
        self.ambient.interpolate_into(a, b, u, &mut q);
        self.constraint.project(&q)
    }

    /// Returns whether no segment between these points of an edge is much longer than before projection.
    fn is_connected(&self, points: &[Vec<f64>]) -> bool {
        let [a, .., b] = points else { return false };
        let straight = self.ambient.distance(a, b) / (points.len() - 1) as f64;
        let most = MAX_RATIO * straight;
        points
            .windows(2)
            .all(|segment| self.ambient.distance(&segment[0], &segment[1]) <= most)
    }

    fn satisfies(&self, q: &[f64]) -> bool {
        self.constraint.error(q) <= self.constraint.tolerance()
    }
}

impl<S: CSpace, C: Constraint> CSpace for ConstrainedSpace<S, C> {
    type Workspace = S::Workspace;

    fn workspace(&self) -> S::Workspace {
        self.ambient.workspace()
    }

    fn with_workspace<R>(&self, query: impl FnOnce(&mut S::Workspace) -> R) -> R {
        self.ambient.with_workspace(query)
    }

    fn n_dofs(&self) -> usize {
        self.ambient.n_dofs()
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        self.ambient.bounds()
    }

    fn is_free_with(&self, q: &[f64], ws: &mut S::Workspace) -> Result<bool> {
        kinematics::check_values("configuration", self.n_dofs(), q)?;
        Ok(self.satisfies(q) && self.ambient.is_free_with(q, ws)?)
    }

    fn reason_with(&self, q: &[f64], ws: &mut S::Workspace) -> Result<Option<String>> {
        kinematics::check_values("configuration", self.n_dofs(), q)?;
        match self.constraint.reason(q) {
            None => self.ambient.reason_with(q, ws),
            reason => Ok(reason),
        }
    }

    fn are_free_with(&self, block: &[f64], free: &mut [bool], ws: &mut S::Workspace) -> Result<()> {
        self.ambient.are_free_with(block, free, ws)?;
        for (q, free) in block.chunks_exact(self.n_dofs().max(1)).zip(free) {
            *free = *free && self.satisfies(q);
        }
        Ok(())
    }

    fn is_edge_free_with(&self, a: &[f64], b: &[f64], ws: &mut S::Workspace) -> Result<bool> {
        for q in [a, b] {
            kinematics::check_values("configuration", self.n_dofs(), q)?;
        }
        let n = self.n_steps(a, b)?;
        if !(self.satisfies(a) && self.satisfies(b)) {
            return Ok(false);
        }
        let mut points = vec![Vec::new(); n + 1];
        for i in coarse_to_fine(n) {
            match self.point(a, b, i, n) {
                Some(q) if self.ambient.is_free_with(&q, ws)? => points[i] = q,
                _ => return Ok(false),
            }
        }

        // of a segment that is no longer than a step of the ambient space, the ends are enough
        for segment in points.windows(2) {
            let (a, b) = (&segment[0], &segment[1]);
            if self.ambient.distance(a, b) > self.ambient.step()
                && !self.ambient.is_edge_free_with(a, b, ws)?
            {
                return Ok(false);
            }
        }
        Ok(self.is_connected(&points))
    }

    fn step(&self) -> f64 {
        self.step
    }

    /// One that cannot be projected, after some tries, is left as it was drawn: trees still grow towards it.
    fn sample_into(&self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        for _ in 0..TRIES {
            self.ambient.sample_into(uniform, out);
            if let Some(q) = self.constraint.project(out) {
                out.copy_from_slice(&q);
                return;
            }
        }
    }

    /// The center, where projection leads too far from it for every sample that is drawn.
    fn sample_near_into(
        &self,
        center: &[f64],
        radius: f64,
        uniform: &mut dyn FnMut() -> f64,
        out: &mut [f64],
    ) {
        for _ in 0..TRIES {
            self.ambient.sample_near_into(center, radius, uniform, out);
            if let Some(q) = self.constraint.project(out)
                && self.ambient.distance(center, &q) <= radius
            {
                out.copy_from_slice(&q);
                return;
            }
        }
        out.copy_from_slice(center);
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.ambient.distance(a, b)
    }

    /// Where projection fails, a point of the edge of the ambient space, which is not free.
    fn interpolate_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) {
        self.ambient.interpolate_into(a, b, u, out);
        if 0.0 < u
            && u < 1.0
            && let Some(q) = self.constraint.project(out)
        {
            out.copy_from_slice(&q);
        }
    }

    fn scene(&self) -> Option<Scene<'_>> {
        self.ambient.scene().map(Scene::with_other_edges)
    }

    fn embed_into(&self, q: &[f64], out: &mut Vec<f64>) {
        self.ambient.embed_into(q, out);
    }
}

/// Number of samples that are drawn for one that can be projected.
const TRIES: usize = 10;
/// Largest ratio of the length of a segment to that before projection.
const MAX_RATIO: f64 = 2.0;
/// The most steps of one edge.
const MAX_STEPS: f64 = 1e5;
