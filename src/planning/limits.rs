//! Limits of coordinates that are numbers on their own.

use super::robot_cspace::Member;
use crate::kinematics;

/// The lowest and the highest number of each coordinate. Where there is no limit it is the largest that there is, so that
/// whatever is between them is finite.
#[derive(Debug)]
pub(super) struct Limits {
    low: Vec<f64>,
    high: Vec<f64>,
    /// A single-precision number between these is one between the others, also before it was rounded.
    surely: [Vec<f32>; 2],
}

impl Limits {
    /// Those of some robots, if each of their coordinates is a number on its own: what all joints of most arms are.
    pub(super) fn plain(members: &[Member]) -> Option<Self> {
        let is_plain =
            |member: &Member| member.coupling.is_empty() && kinematics::is_plain(&member.robot);
        if !members.iter().all(is_plain) {
            return None;
        }
        let limits = || members.iter().flat_map(|member| member.robot.limits());
        let low: Vec<f64> = limits().map(|limits| limits.q_min.max(f64::MIN)).collect();
        let high: Vec<f64> = limits().map(|limits| limits.q_max.min(f64::MAX)).collect();
        let surely = [
            low.iter().map(|&x| single_above(x)).collect(),
            high.iter().map(|&x| -single_above(-x)).collect(),
        ];
        Some(Self { low, high, surely })
    }

    /// Whether all numbers are within them.
    #[inline]
    pub(super) fn hold(&self, q: &[f64]) -> bool {
        // all of them without a branch, several at once
        let ends = self.low.iter().zip(&self.high);
        let all = q.iter().zip(ends);
        all.fold(true, |all, (q, (low, high))| all & (low <= q) & (q <= high))
    }

    pub(super) fn surely(&self) -> [&[f32]; 2] {
        let [low, high] = &self.surely;
        [low, high]
    }
}

/// The least number of four bytes that is not below one.
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
