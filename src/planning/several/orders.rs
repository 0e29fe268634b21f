//! Orders of robots.

use std::collections::BTreeSet;

use crate::math::SplitMix;

/// Orders that have been tried, and those that are next.
pub(super) struct Orders {
    tried: BTreeSet<Vec<usize>>,
    random: SplitMix,
}

/// Random orders that are drawn until one is new.
const DRAWS: usize = 50;

impl Orders {
    pub(super) fn new(n: usize, seed: u64) -> Self {
        let first = (0..n).collect();
        Self {
            tried: BTreeSet::from([first]),
            random: SplitMix::new(seed),
        }
    }

    /// The order to try after one in which the robot at `k` found no motion: with that one first, or else a random one; `None` where
    /// no more are found.
    pub(super) fn after(&mut self, order: &[usize], k: usize) -> Option<Vec<usize>> {
        let mut next = order.to_vec();
        next[..=k].rotate_right(1);
        for _ in 0..DRAWS {
            if self.tried.insert(next.clone()) {
                return Some(next);
            }
            for i in (1..next.len()).rev() {
                let j = (self.random.uniform() * (i + 1) as f64) as usize;
                next.swap(i, j.min(i));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Orders;

    #[test]
    fn each_order_comes_once_and_the_robot_that_failed_comes_first() {
        let mut orders = Orders::new(3, 7);
        let mut order = vec![0, 1, 2];
        let mut all = vec![order.clone()];
        while let Some(next) = orders.after(&order, 2) {
            all.push(next.clone());
            order = next;
        }
        assert_eq!(all[1], [2, 0, 1]);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 6);
        assert_eq!(Orders::new(1, 0).after(&[0], 0), None);
    }
}
