//! The straight way between two configurations, by samples.

use super::{Obstacle, RobotCSpace};
use crate::{Error, Result};

/// Where a way meets its first obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// How far along the way, from 0 to 1.
    pub t: f64,
    /// What is there.
    pub obstacle: Obstacle,
}

/// The most samples on one edge: beyond, its resolution is a mistake.
pub(super) const MOST_STEPS: f64 = 1e7;

/// The numbers from 0 to `n`, the ends first and then the middle of what is left: what is in the way shows early.
pub(super) fn coarse_to_fine(n: usize) -> impl Iterator<Item = usize> {
    let strides = std::iter::successors(Some(n.next_power_of_two()), |s| (*s > 2).then_some(s / 2));
    let between = strides.flat_map(move |stride| (stride / 2..n).step_by(stride.max(1)));
    [0, n].into_iter().chain(between.filter(|i| *i > 0))
}

impl RobotCSpace {
    /// The first obstacle on the way from `a` to `b`, among samples of which no joint moves further than the
    /// [resolution](Self::with_resolution) from one to the next; `None` where all are free.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for what is not a configuration, and for a way that is too long for the
    /// resolution (more than ten million samples).
    pub fn first_contact(&mut self, a: &[f64], b: &[f64]) -> Result<Option<Contact>> {
        let steps = self.steps(a, b)?;
        if let Some(suspects) = self.suspects(a, b, steps)? {
            return self.first_of(a, b, steps, &suspects);
        }
        for i in 0..=steps {
            if let Some(obstacle) = self.at_step(a, b, i, steps)? {
                let t = i as f64 / steps as f64;
                return Ok(Some(Contact { t, obstacle }));
            }
        }
        Ok(None)
    }

    /// Some obstacle on the way from `a` to `b`, among the same samples as those of
    /// [`first_contact`](Self::first_contact), the one that is found with the least work; `None` where all are free.
    ///
    /// # Errors
    ///
    /// As [`first_contact`](Self::first_contact).
    pub fn any_contact(&mut self, a: &[f64], b: &[f64]) -> Result<Option<Contact>> {
        let steps = self.steps(a, b)?;
        for i in coarse_to_fine(steps) {
            if let Some(obstacle) = self.at_step(a, b, i, steps)? {
                let t = i as f64 / steps as f64;
                return Ok(Some(Contact { t, obstacle }));
            }
        }
        Ok(None)
    }

    /// The first obstacle at these steps of a way.
    fn first_of(
        &mut self,
        a: &[f64],
        b: &[f64],
        steps: usize,
        which: &[usize],
    ) -> Result<Option<Contact>> {
        for &i in which {
            if let Some(obstacle) = self.at_step(a, b, i, steps)? {
                let t = i as f64 / steps as f64;
                return Ok(Some(Contact { t, obstacle }));
            }
        }
        Ok(None)
    }

    /// How many steps the way from `a` to `b` has, at least one.
    pub(super) fn steps(&self, a: &[f64], b: &[f64]) -> Result<usize> {
        self.steps_of(self.largest_change(a, b)?)
    }

    /// How many steps a way has on which no joint changes more than this.
    pub(super) fn steps_of(&self, change: f64) -> Result<usize> {
        let steps = (change / self.resolution()).ceil();
        if steps > MOST_STEPS {
            let problem = format!(
                "takes {steps} samples at a resolution of {}; choose a coarser one",
                self.resolution()
            );
            return Err(Error::invalid(
                "the way between two configurations",
                problem,
            ));
        }
        Ok(steps.max(1.0) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::coarse_to_fine;

    #[test]
    fn every_step_comes_once_and_the_middle_comes_early() {
        for n in 1..70 {
            let mut order: Vec<usize> = coarse_to_fine(n).collect();
            assert_eq!(order[..2], [0, n]);
            order.sort_unstable();
            assert!(order.into_iter().eq(0..=n), "{n}");
        }
        assert_eq!(
            coarse_to_fine(8).collect::<Vec<_>>(),
            [0, 8, 4, 2, 6, 1, 3, 5, 7]
        );
    }
}
