//! Configuration spaces of some degrees of freedom of an ambient space.

use super::cspace::check_block;
use super::{CSpace, Scene};
use crate::{Error, Result, kinematics};

/// The space of some degrees of freedom of an ambient space; the others keep their reference values.
///
/// # Examples
///
/// ```
/// use kinworld::WorldModel;
/// use kinworld::planning::{CSpace, EmbeddedSpace, RobotCSpace};
///
/// // the arm of a mobile robot: its base keeps its three degrees of freedom
/// let world = WorldModel::load("data/robots/mobile_arm.rob")?.value;
/// let robot = world.robots().next().expect("the file has one").id();
/// let ambient = RobotCSpace::new(&world, &[robot])?;
/// let reference = ambient.current();
/// let active: Vec<usize> = (3..ambient.n_dofs()).collect();
///
/// let arm = EmbeddedSpace::new(ambient, reference, active)?;
/// assert_eq!(arm.lift(&vec![0.1; arm.n_dofs()])[..4], [0.0, 0.0, 0.0, 0.1]);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "EmbeddedCSpace")]
#[derive(Debug, Clone)]
pub struct EmbeddedSpace<S> {
    ambient: S,
    reference: Vec<f64>,
    active: Vec<usize>,
}

impl<S: CSpace> EmbeddedSpace<S> {
    /// The space of the degrees of freedom with the indices `active`, in their order; the others stay as in `reference`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a `reference` that is no configuration of the ambient space, [`Error::Invalid`] for an index
    /// beyond it or one that is named twice.
    pub fn new(ambient: S, reference: Vec<f64>, active: Vec<usize>) -> Result<Self> {
        let n = ambient.n_dofs();
        if reference.len() != n {
            return Err(Error::Length {
                what: "the reference of an embedded space",
                expected: n,
                found: reference.len(),
            });
        }
        for (k, i) in active.iter().enumerate() {
            let problem = if *i >= n {
                "is beyond the space"
            } else if active[..k].contains(i) {
                "is named twice"
            } else {
                continue;
            };
            return Err(Error::invalid(format!("active dof {i}"), problem));
        }
        Ok(Self {
            ambient,
            reference,
            active,
        })
    }

    /// The configuration of the ambient space.
    ///
    /// # Panics
    ///
    /// If `q` does not have one number per active degree of freedom.
    #[must_use]
    pub fn lift(&self, q: &[f64]) -> Vec<f64> {
        assert_eq!(
            q.len(),
            self.active.len(),
            "one number per active degree of freedom"
        );
        let mut lifted = self.reference.clone();
        for (&i, &x) in self.active.iter().zip(q) {
            lifted[i] = x;
        }
        lifted
    }

    /// The ambient space.
    #[must_use]
    pub fn ambient(&self) -> &S {
        &self.ambient
    }

    /// [`lift`](Self::lift) of finite numbers, one per active degree of freedom.
    fn checked_lift(&self, q: &[f64]) -> Result<Vec<f64>> {
        kinematics::check_values("configuration", self.active.len(), q)?;
        Ok(self.lift(q))
    }

    fn project(&self, lifted: &[f64], out: &mut [f64]) {
        for (out, &i) in out.iter_mut().zip(&self.active) {
            *out = lifted[i];
        }
    }
}

impl<S: CSpace> CSpace for EmbeddedSpace<S> {
    type Workspace = S::Workspace;

    fn workspace(&self) -> S::Workspace {
        self.ambient.workspace()
    }

    fn with_workspace<R>(&self, query: impl FnOnce(&mut S::Workspace) -> R) -> R {
        self.ambient.with_workspace(query)
    }

    fn n_dofs(&self) -> usize {
        self.active.len()
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        let bounds = self.ambient.bounds();
        self.active.iter().map(|&i| bounds[i]).collect()
    }

    fn is_free_with(&self, q: &[f64], ws: &mut S::Workspace) -> Result<bool> {
        self.ambient.is_free_with(&self.checked_lift(q)?, ws)
    }

    fn are_free_with(&self, block: &[f64], free: &mut [bool], ws: &mut S::Workspace) -> Result<()> {
        let n = self.active.len();
        check_block(n, block, free)?;
        let rows = (0..free.len()).map(|i| &block[i * n..(i + 1) * n]);
        let lifted: Vec<f64> = rows.flat_map(|q| self.lift(q)).collect();
        self.ambient.are_free_with(&lifted, free, ws)
    }

    fn reason_with(&self, q: &[f64], ws: &mut S::Workspace) -> Result<Option<String>> {
        self.ambient.reason_with(&self.checked_lift(q)?, ws)
    }

    fn is_edge_free_with(&self, a: &[f64], b: &[f64], ws: &mut S::Workspace) -> Result<bool> {
        let (a, b) = (self.checked_lift(a)?, self.checked_lift(b)?);
        self.ambient.is_edge_free_with(&a, &b, ws)
    }

    fn free_share_with(
        &self,
        a: &[f64],
        b: &[f64],
        shares: &[f64],
        ws: &mut S::Workspace,
    ) -> Result<f64> {
        let (a, b) = (self.checked_lift(a)?, self.checked_lift(b)?);
        self.ambient.free_share_with(&a, &b, shares, ws)
    }

    fn step(&self) -> f64 {
        self.ambient.step()
    }

    fn sample_into(&self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        let mut lifted = self.reference.clone();
        self.ambient.sample_into(uniform, &mut lifted);
        self.project(&lifted, out);
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.ambient.distance(&self.lift(a), &self.lift(b))
    }

    fn interpolate_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) {
        let mut lifted = self.reference.clone();
        let (a, b) = (self.lift(a), self.lift(b));
        self.ambient.interpolate_into(&a, &b, u, &mut lifted);
        self.project(&lifted, out);
    }

    fn scene(&self) -> Option<Scene<'_>> {
        self.ambient.scene().map(Scene::with_other_edges)
    }

    fn embed_into(&self, q: &[f64], out: &mut Vec<f64>) {
        self.ambient.embed_into(&self.lift(q), out);
    }
}
