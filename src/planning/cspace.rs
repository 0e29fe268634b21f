//! The trait of configuration spaces that planners work in.

use super::Scene;
use super::edge::{MAX_STEPS, coarse_to_fine};
use crate::{Error, Result};

/// A configuration space: points with a metric, some of them free.
///
/// Planners, ours and those of other crates, work in any such space. Configurations are slices of [`n_dofs`](Self::n_dofs)
/// numbers. A space is a description: checks take `&self`, and their scratch memory is a [`Workspace`](Self::Workspace). Each
/// check comes in two forms: the one that ends in `_with` takes the workspace of the caller, the short one borrows one from
/// the [space](Self::with_workspace).
///
/// A check fails on what is no configuration. “Not free” is an answer and never an error.
///
/// # Examples
///
/// ```
/// use kinworld::Result;
/// use kinworld::planning::{Budget, CSpace, RrtConnect};
///
/// /// The unit square with a wall that leaves a gap at the top.
/// struct Square;
///
/// impl CSpace for Square {
///     type Workspace = ();
///
///     fn workspace(&self) {}
///     fn n_dofs(&self) -> usize {
///         2
///     }
///     fn bounds(&self) -> Vec<[f64; 2]> {
///         vec![[0.0, 1.0]; 2]
///     }
///     fn is_free_with(&self, q: &[f64], _: &mut ()) -> Result<bool> {
///         Ok(!(0.4..0.6).contains(&q[0]) || q[1] > 0.9)
///     }
/// }
///
/// assert!(!Square.is_free(&[0.5, 0.5])?);
/// let found = RrtConnect::new(&Budget::default()).solve(&Square, &[0.1, 0.1], &[0.9, 0.1])?;
/// let path = found.path.expect("there is a gap");
/// assert!(path.iter().any(|q| q[1] > 0.9));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "StateSpace")]
#[doc(alias = "StateValidityChecker")]
pub trait CSpace {
    /// Scratch memory of the checks, one per thread; `()` for a space that needs none.
    type Workspace;

    /// A new workspace.
    fn workspace(&self) -> Self::Workspace;

    /// Runs `query` in a workspace that the space lends: by default a new one, in a space with a pool one from there.
    fn with_workspace<R>(&self, query: impl FnOnce(&mut Self::Workspace) -> R) -> R
    where
        Self: Sized,
    {
        query(&mut self.workspace())
    }

    /// Number of degrees of freedom: numbers per configuration.
    fn n_dofs(&self) -> usize;

    /// Lower and upper bound of each number, infinite where there is none.
    fn bounds(&self) -> Vec<[f64; 2]>;

    /// Returns whether a configuration is free.
    ///
    /// # Errors
    ///
    /// For what is not a configuration.
    #[doc(alias = "feasible")]
    #[doc(alias = "isValid")]
    fn is_free_with(&self, q: &[f64], ws: &mut Self::Workspace) -> Result<bool>;

    /// [`is_free_with`](Self::is_free_with) in a workspace that the space lends.
    ///
    /// # Errors
    ///
    /// As [`is_free_with`](Self::is_free_with).
    fn is_free(&self, q: &[f64]) -> Result<bool>
    where
        Self: Sized,
    {
        self.with_workspace(|ws| self.is_free_with(q, ws))
    }

    /// The reason why a configuration is not free, for people; `None` where it is free.
    ///
    /// # Errors
    ///
    /// As [`is_free_with`](Self::is_free_with).
    fn reason_with(&self, q: &[f64], ws: &mut Self::Workspace) -> Result<Option<String>> {
        Ok((!self.is_free_with(q, ws)?).then(|| "is not free".to_owned()))
    }

    /// Checks each row of `block` and writes into `free` whether it is free.
    ///
    /// # Errors
    ///
    /// As [`is_free_with`](Self::is_free_with), and [`Error::Length`] where `block` does not have one row per entry of `free`;
    /// then `free` has no meaning.
    fn are_free_with(
        &self,
        block: &[f64],
        free: &mut [bool],
        ws: &mut Self::Workspace,
    ) -> Result<()> {
        check_block(self.n_dofs(), block, free)?;
        let n = self.n_dofs();
        for (i, free) in free.iter_mut().enumerate() {
            *free = self.is_free_with(&block[i * n..(i + 1) * n], ws)?;
        }
        Ok(())
    }

    /// [`are_free_with`](Self::are_free_with) in a workspace that the space lends.
    ///
    /// # Errors
    ///
    /// As [`are_free_with`](Self::are_free_with).
    fn are_free(&self, block: &[f64], free: &mut [bool]) -> Result<()>
    where
        Self: Sized,
    {
        self.with_workspace(|ws| self.are_free_with(block, free, ws))
    }

    /// Returns whether the edge from `a` to `b` is free, both ends included: by default, whether samples on it are that lie
    /// no more than [`step`](Self::step) apart.
    ///
    /// # Errors
    ///
    /// As [`is_free_with`](Self::is_free_with), and [`Error::Invalid`] for an edge of more than ten million samples.
    #[doc(alias = "visible")]
    #[doc(alias = "checkMotion")]
    fn is_edge_free_with(&self, a: &[f64], b: &[f64], ws: &mut Self::Workspace) -> Result<bool> {
        let steps = (self.distance(a, b) / self.step()).ceil();
        if steps.is_nan() || steps > MAX_STEPS {
            return Err(too_many_steps(steps));
        }
        let steps = steps.max(1.0) as usize;
        let mut q = a.to_vec();
        for i in coarse_to_fine(steps) {
            self.interpolate_into(a, b, i as f64 / steps as f64, &mut q);
            if !self.is_free_with(&q, ws)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// [`is_edge_free_with`](Self::is_edge_free_with) in a workspace that the space lends.
    ///
    /// # Errors
    ///
    /// As [`is_edge_free_with`](Self::is_edge_free_with).
    fn is_edge_free(&self, a: &[f64], b: &[f64]) -> Result<bool>
    where
        Self: Sized,
    {
        self.with_workspace(|ws| self.is_edge_free_with(a, b, ws))
    }

    /// How much of the edge from `a` to `b` is free, from `a` on: 1 for [all of it](Self::is_edge_free_with), or else the first of
    /// `shares`, which descend, up to which it is; 0 where none is. A planner goes on from there.
    ///
    /// By default each part is an edge of its own. A space with samples at equal steps can take the last step in each part for its
    /// end, so that their samples are those of the edge.
    ///
    /// # Errors
    ///
    /// As [`is_edge_free_with`](Self::is_edge_free_with), and [`Error::Invalid`] for a share that is not between 0 and 1.
    fn free_share_with(
        &self,
        a: &[f64],
        b: &[f64],
        shares: &[f64],
        ws: &mut Self::Workspace,
    ) -> Result<f64> {
        check_shares(shares)?;
        if self.is_edge_free_with(a, b, ws)? {
            return Ok(1.0);
        }
        let mut end = b.to_vec();
        for share in shares {
            self.interpolate_into(a, b, *share, &mut end);
            if self.is_edge_free_with(a, &end, ws)? {
                return Ok(*share);
            }
        }
        Ok(0.0)
    }

    /// [`free_share_with`](Self::free_share_with) in a workspace that the space lends.
    ///
    /// # Errors
    ///
    /// As [`free_share_with`](Self::free_share_with).
    fn free_share(&self, a: &[f64], b: &[f64], shares: &[f64]) -> Result<f64>
    where
        Self: Sized,
    {
        self.with_workspace(|ws| self.free_share_with(a, b, shares, ws))
    }

    /// Distance between the samples of an edge, in the metric of the space.
    fn step(&self) -> f64 {
        1.0 / 32.0
    }

    /// Draws a configuration within the bounds, from numbers drawn uniformly in `[0, 1)`.
    ///
    /// By default every number is uniform between its bounds, or within 2 of the one bound that it has, or between −1 and 1.
    fn sample_into(&self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        for (x, [low, high]) in out.iter_mut().zip(self.bounds()) {
            let (low, high) = match (low.is_finite(), high.is_finite()) {
                (true, true) => (low, high),
                (true, false) => (low, low + 2.0),
                (false, true) => (high - 2.0, high),
                (false, false) => (-1.0, 1.0),
            };
            let u = uniform();
            *x = low * (1.0 - u) + high * u;
        }
    }

    /// Draws a configuration no further from `center` than `radius`, within the bounds.
    fn sample_near_into(
        &self,
        center: &[f64],
        radius: f64,
        uniform: &mut dyn FnMut() -> f64,
        out: &mut [f64],
    ) {
        let mut sample = vec![0.0; self.n_dofs()];
        self.sample_into(uniform, &mut sample);
        let distance = self.distance(center, &sample);

        // the volume of a ball grows with the power of the dimension
        let longest = radius * uniform().powf(1.0 / self.n_dofs().max(1) as f64);
        let u = if distance > longest {
            longest / distance
        } else {
            1.0
        };
        self.interpolate_into(center, &sample, u, out);
    }

    /// Distance between two configurations; Euclidean by default.
    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let squares = a.iter().zip(b).map(|(a, b)| (b - a) * (b - a));
        squares.sum::<f64>().sqrt()
    }

    /// The configuration at `u` on the edge from `a` (`u = 0`) to `b` (`u = 1`); on the straight line by default.
    fn interpolate_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) {
        for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
            *out = a + u * (b - a);
        }
    }

    /// The world that the answers of this space depend on, from which a [`RoadMap`](super::RoadMap) finds out what moved; `None`, the
    /// default, for a space whose answers never change.
    fn scene(&self) -> Option<Scene<'_>> {
        None
    }

    /// Nearest-neighbour embedding: appends to `out` a point of a Euclidean space, near points for near configurations. By
    /// default the configuration itself; an angle gives its cosine and sine.
    fn embed_into(&self, q: &[f64], out: &mut Vec<f64>) {
        out.extend_from_slice(q);
    }
}

/// Checks that a block has a row of `n_dofs` numbers for each entry of `free`.
pub(super) fn check_block(n_dofs: usize, block: &[f64], free: &[bool]) -> Result<()> {
    let expected = n_dofs * free.len();
    if block.len() != expected {
        return Err(Error::Length {
            what: "a block of configurations",
            expected,
            found: block.len(),
        });
    }
    Ok(())
}

/// Refuses parts of an edge that are not between nothing and all of it.
pub(super) fn check_shares(shares: &[f64]) -> Result<()> {
    match shares.iter().find(|share| !(0.0..=1.0).contains(*share)) {
        None => Ok(()),
        Some(share) => {
            let problem = format!("must be from 0 to 1, got {share}");
            Err(Error::invalid("a share of an edge", problem))
        }
    }
}

/// The error of an edge with more samples than [`MAX_STEPS`].
fn too_many_steps(steps: f64) -> Error {
    let problem = format!("takes {steps} samples; choose a longer step");
    Error::invalid("the edge between two configurations", problem)
}
