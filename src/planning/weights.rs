//! Metric weights of degrees of freedom.

use super::robot_cspace::Member;
use super::{CSpace, RobotCSpace};
use crate::{Error, Result, kinematics};

impl RobotCSpace {
    /// With a weighted metric: the distance of two configurations is the square root of the sum of squares, each of a change
    /// times the weight of its degree of freedom. Of the three of a free rotation the last one's weight counts.
    ///
    /// Planners look for neighbours and measure their steps in this metric: one step moves a degree of freedom by the
    /// [range](super::Budget::range) over its weight at most. That makes no path the shortest one: RRT-Connect goes
    /// around an obstacle where it first gets through, and may move a degree of freedom with a large weight far, in many
    /// steps. Checks and the resolution of edges stay as they are.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for another number of weights than of degrees of freedom, [`Error::Invalid`] for one that is not a number
    /// above 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{CSpace, RobotCSpace};
    ///
    /// let world = WorldModel::load("data/robots/planar3R.rob")?.value;
    /// let robot = world.robots().next().expect("the file has one").id();
    /// let space = RobotCSpace::new(&world, &[robot])?.with_weights(&[3.0, 2.0, 1.0])?;
    /// assert_eq!(space.distance(&[0.0; 3], &[0.1, 0.2, 0.0]), 0.5);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_weights(mut self, weights: &[f64]) -> Result<Self> {
        kinematics::check_values("metric weights", self.n_dofs(), weights)?;
        if let Some(i) = weights.iter().position(|&w| w <= 0.0) {
            let problem = format!("must be above 0, got {}", weights[i]);
            return Err(Error::invalid(format!("metric weight {i}"), problem));
        }
        self.weights = Some(weights.into());
        Ok(self)
    }

    /// The weights of the degrees of freedom from `first` on.
    fn weight(&self, first: usize) -> impl Fn(usize) -> f64 + '_ {
        move |i| self.weights.as_ref().map_or(1.0, |w| w[first + i])
    }

    pub(super) fn weighted_distance(&self, a: &[f64], b: &[f64]) -> f64 {
        if self.snapshot.plain.is_some() {
            let changes = a.iter().zip(b).map(|(a, b)| b - a);
            let squares: f64 = match &self.weights {
                None => changes.map(|x| x * x).sum(),
                Some(weights) => changes
                    .zip(weights.iter())
                    .map(|(x, w)| (w * x) * (w * x))
                    .sum(),
            };
            return squares.sqrt();
        }
        let squares = self.members().iter().map(|Member { robot, range, .. }| {
            let (a, b) = (&a[range.clone()], &b[range.clone()]);
            kinematics::weighted_distance(robot, self.weight(range.start), a, b).powi(2)
        });
        squares.sum::<f64>().sqrt()
    }

    pub(super) fn weighted_embedding(&self, q: &[f64], out: &mut Vec<f64>) {
        if self.snapshot.plain.is_some() && self.weights.is_none() {
            out.extend_from_slice(q);
            return;
        }
        for Member { robot, range, .. } in self.members() {
            kinematics::embed(robot, self.weight(range.start), &q[range.clone()], out);
        }
    }
}
