//! A few numbers of a larger space.

use super::CSpace;
use crate::{Error, Result};

/// A space in which some numbers of another one move and the rest stay where they are.
///
/// # Examples
///
/// ```
/// use kinworld::WorldModel;
/// use kinworld::planning::{Budget, CSpace, Embedded, RobotCSpace, RrtConnect};
///
/// // the arm of a robot that stands still: its base keeps its three coordinates
/// let world = WorldModel::load("data/robots/mobile_arm.rob")?.value;
/// let robot = world.robots().next().expect("the file has one").id();
/// let whole = RobotCSpace::new(&world, &[robot])?;
/// let home = whole.current();
/// let active: Vec<usize> = (3..whole.dimension()).collect();
///
/// let arm = Embedded::new(whole, home, active)?;
/// assert_eq!(arm.lift(&vec![0.1; arm.dimension()])[..4], [0.0, 0.0, 0.0, 0.1]);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Embedded<S> {
    whole: S,
    home: Vec<f64>,
    active: Vec<usize>,
}

impl<S: CSpace> Embedded<S> {
    /// The space of the numbers with the indices `active`, in their order; the others stay as in `home`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a `home` of another length than the whole space has, [`Error::Invalid`] for an index beyond
    /// it or one that is named twice.
    pub fn new(whole: S, home: Vec<f64>, active: Vec<usize>) -> Result<Self> {
        let n = whole.dimension();
        if home.len() != n {
            return Err(Error::Length {
                what: "home",
                expected: n,
                found: home.len(),
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
            return Err(Error::invalid(format!("active coordinate {i}"), problem));
        }
        Ok(Self {
            whole,
            home,
            active,
        })
    }

    /// The configuration of the whole space.
    ///
    /// # Panics
    ///
    /// If `q` does not have one number per active coordinate.
    #[must_use]
    pub fn lift(&self, q: &[f64]) -> Vec<f64> {
        assert_eq!(
            q.len(),
            self.active.len(),
            "one number per active coordinate"
        );
        let mut whole = self.home.clone();
        for (&i, &x) in self.active.iter().zip(q) {
            whole[i] = x;
        }
        whole
    }

    /// The whole space.
    #[must_use]
    pub fn whole(&self) -> &S {
        &self.whole
    }

    fn project(&self, whole: &[f64], out: &mut [f64]) {
        for (out, &i) in out.iter_mut().zip(&self.active) {
            *out = whole[i];
        }
    }
}

impl<S: CSpace> CSpace for Embedded<S> {
    fn dimension(&self) -> usize {
        self.active.len()
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        let whole = self.whole.bounds();
        self.active.iter().map(|&i| whole[i]).collect()
    }

    fn is_free(&mut self, q: &[f64]) -> bool {
        let q = self.lift(q);
        self.whole.is_free(&q)
    }

    fn are_free(&mut self, block: &[f64], free: &mut [bool]) {
        let rows = block.chunks_exact(self.active.len().max(1));
        let lifted: Vec<f64> = rows.flat_map(|q| self.lift(q)).collect();
        self.whole.are_free(&lifted, free);
    }

    fn reason(&mut self, q: &[f64]) -> Option<String> {
        let q = self.lift(q);
        self.whole.reason(&q)
    }

    fn is_edge_free(&mut self, a: &[f64], b: &[f64]) -> bool {
        let (a, b) = (self.lift(a), self.lift(b));
        self.whole.is_edge_free(&a, &b)
    }

    fn step(&self) -> f64 {
        self.whole.step()
    }

    fn sample_into(&mut self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        let mut whole = self.home.clone();
        self.whole.sample_into(uniform, &mut whole);
        self.project(&whole, out);
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.whole.distance(&self.lift(a), &self.lift(b))
    }

    fn interpolate_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) {
        let mut whole = self.home.clone();
        let (a, b) = (self.lift(a), self.lift(b));
        self.whole.interpolate_into(&a, &b, u, &mut whole);
        self.project(&whole, out);
    }

    fn picture(&self, q: &[f64], out: &mut Vec<f64>) {
        self.whole.picture(&self.lift(q), out);
    }
}
