//! Limits of degrees of freedom that are numbers on their own.

use super::robot_cspace::Member;
use crate::kinematics::{self, LARGEST};

/// Lower and upper limit of each degree of freedom. Where there is no limit it is the largest number of a configuration, so that
/// whatever is between them is one.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    low: Vec<f64>,
    high: Vec<f64>,
    /// Limits in single precision: what is between them is between the others, also before it was rounded.
    surely: [Vec<f32>; 2],
    /// Whether there is a limit on either side of each.
    is_bounded: bool,
}

impl Limits {
    /// The limits of some robots, if each of their degrees of freedom is a number on its own, as in most arms.
    ///
    /// Of those that are `fixed` the limits are their value.
    pub(super) fn plain(members: &[Member], fixed: &[Option<f64>]) -> Option<Self> {
        let is_plain =
            |member: &Member| member.coupling.is_empty() && kinematics::is_plain(&member.robot);
        if !members.iter().all(is_plain) {
            return None;
        }
        let limits = || members.iter().flat_map(|member| member.robot.limits());
        let mut low: Vec<f64> = limits().map(|limits| limits.q_min.max(-LARGEST)).collect();
        let mut high: Vec<f64> = limits().map(|limits| limits.q_max.min(LARGEST)).collect();
        for ((low, high), fixed) in low.iter_mut().zip(&mut high).zip(fixed) {
            if let Some(at) = *fixed {
                (*low, *high) = (low.max(at), high.min(at));
            }
        }
        let surely = [
            low.iter().map(|&x| single_above(x)).collect(),
            high.iter().map(|&x| -single_above(-x)).collect(),
        ];
        let is_bounded = low.iter().all(|&x| x > -LARGEST) && high.iter().all(|&x| x < LARGEST);
        Some(Self {
            low,
            high,
            surely,
            is_bounded,
        })
    }

    /// Draws a number between the limits of each degree of freedom, as [`kinematics::sample_into`] does; `false`, and nothing is
    /// drawn, where there are not two limits of each.
    #[inline]
    pub(super) fn sample_into(&self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) -> bool {
        if !self.is_bounded {
            return false;
        }
        // all numbers first: after each call registers are read from memory again
        out.fill_with(uniform);
        for (q, (&low, &high)) in out.iter_mut().zip(self.low.iter().zip(&self.high)) {
            let x = kinematics::between(low, high, *q);
            let x = if x < high { x } else { high };
            *q = if x > low { x } else { low };
        }
        true
    }

    /// Returns whether all numbers are within the limits.
    #[inline]
    pub(super) fn contain(&self, q: &[f64]) -> bool {
        // all of them without a branch, several at once
        let ends = self.low.iter().zip(&self.high);
        let all = q.iter().zip(ends);
        all.fold(true, |all, (q, (low, high))| all & (low <= q) & (q <= high))
    }

    /// Returns whether both ends of an edge are configurations within the limits, and writes the change between them in one pass
    /// over their numbers.
    #[inline]
    pub(super) fn contain_edge(&self, a: &[f64], b: &[f64], change: &mut Vec<f64>) -> bool {
        let n = self.low.len();
        if a.len() != n || b.len() != n {
            return false;
        }
        change.resize(n, 0.0);
        let (low, high, change) = (&self.low[..n], &self.high[..n], &mut change[..n]);
        let mut all = true;
        for i in 0..n {
            let (a, b) = (a[i], b[i]);
            change[i] = b - a;
            all &= (low[i] <= a) & (a <= high[i]) & (low[i] <= b) & (b <= high[i]);
        }
        all
    }

    /// Lower and upper limits in single precision.
    pub(super) fn surely(&self) -> [&[f32]; 2] {
        let [low, high] = &self.surely;
        [low, high]
    }
}

/// The least single-precision number that is not below `x`.
fn single_above(x: f64) -> f32 {
    let single = x as f32;
    if f64::from(single) < x {
        single.next_up()
    } else {
        single
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix;

    #[test]
    fn an_edge_is_contained_as_its_ends_are() {
        let limits = Limits {
            low: vec![-1.0, -LARGEST],
            high: vec![2.0, LARGEST],
            surely: [Vec::new(), Vec::new()],
            is_bounded: false,
        };
        let numbers = [-1.1, -1.0, 0.0, 2.0, 2.1, 1e200, f64::INFINITY, f64::NAN];
        let mut change = Vec::new();
        for a in numbers {
            for b in numbers {
                for (a, b) in [([a, b], [0.5, 0.5]), ([0.5, 0.5], [a, b])] {
                    let wanted = limits.contain(&a) && limits.contain(&b);
                    assert_eq!(limits.contain_edge(&a, &b, &mut change), wanted);
                    if wanted {
                        assert_eq!(change, [b[0] - a[0], b[1] - a[1]]);
                    }
                }
            }
        }
        assert!(!limits.contain(&[0.0, 1e200]));
        assert!(!limits.contain_edge(&[0.0], &[0.0, 0.0], &mut change));
        assert!(!limits.contain_edge(&[0.0, 0.0], &[0.0], &mut change));
    }

    #[test]
    fn what_is_surely_within_was_so_before_it_was_rounded() {
        let mut random = SplitMix::new(5);
        let mut ends = vec![0.0, f64::MIN, f64::MAX, 1e-300, -1e-300, 1e300];
        ends.extend((0..1000).map(|_| 20.0 * random.uniform() - 10.0));
        for end in ends {
            let above = single_above(end);
            assert!(f64::from(above) >= end);
            assert!(f64::from(above.next_down()) < end);
            // the numbers around the end, and around where rounding jumps
            let near = f64::from(above);
            for x in [end, end.next_up(), end.next_down(), near, near.next_up()] {
                assert!(x as f32 <= above || x >= end, "{x:?} {end:?}");
            }
        }
    }
}
