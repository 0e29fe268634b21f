//! The nearest of points that come one by one: a k-d tree (Bentley 1975), filled in the order in which they come.

/// Points of Euclid's space, each with the number of its turn.
#[derive(Debug, Clone)]
pub(super) struct Neighbours {
    dimension: usize,
    /// Row after row.
    points: Vec<f64>,
    /// Of each point: those with a smaller and with a larger or equal number on the axis of its depth.
    children: Vec<[Option<u32>; 2]>,
}

impl Neighbours {
    pub(super) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            points: Vec::new(),
            children: Vec::new(),
        }
    }

    pub(super) fn insert(&mut self, point: &[f64]) {
        let new = self.children.len();
        let mut at = (new > 0).then_some(0);
        let mut axis = 0;
        while let Some(node) = at {
            let side = usize::from(point.get(axis) >= self.point(node).get(axis));
            at = self.children[node][side].map(|child| child as usize);
            if at.is_none() {
                let child = u32::try_from(new).expect("fewer than 2^32 points fit into memory");
                self.children[node][side] = Some(child);
            }
            axis = self.next(axis);
        }
        self.points.extend_from_slice(point);
        self.children.push([None; 2]);
    }

    /// The number of the point that is nearest; `None` where there is none.
    pub(super) fn nearest(&self, point: &[f64]) -> Option<usize> {
        let mut best = (f64::INFINITY, None);
        // what is left to look at: a node, its axis, and the least square of the distance to its side
        let mut left = vec![(0, 0, 0.0)];
        if self.children.is_empty() {
            return None;
        }
        while let Some((node, axis, least)) = left.pop() {
            if least >= best.0 {
                continue;
            }
            let here = self.point(node);
            let square = here.iter().zip(point).map(|(a, b)| (a - b) * (a - b)).sum();
            if square < best.0 {
                best = (square, Some(node));
            }
            let across = match (point.get(axis), here.get(axis)) {
                (Some(a), Some(b)) => a - b,
                _ => 0.0,
            };
            let near = usize::from(across >= 0.0);
            let next = self.next(axis);
            for (side, least) in [(1 - near, least.max(across * across)), (near, least)] {
                if let Some(child) = self.children[node][side] {
                    left.push((child as usize, next, least));
                }
            }
        }
        best.1
    }

    fn point(&self, node: usize) -> &[f64] {
        &self.points[node * self.dimension..][..self.dimension]
    }

    fn next(&self, axis: usize) -> usize {
        if axis + 1 < self.dimension {
            axis + 1
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Neighbours;
    use crate::math::SplitMix;

    #[test]
    fn the_nearest_is_that_of_a_search_through_all() {
        let mut random = SplitMix::new(3);
        for dimension in [1, 2, 7] {
            let mut tree = Neighbours::new(dimension);
            let mut all: Vec<Vec<f64>> = Vec::new();
            for _ in 0..300 {
                let mut draw = || {
                    (0..dimension)
                        .map(|_| random.uniform())
                        .collect::<Vec<f64>>()
                };
                let (asked, new) = (draw(), draw());
                let square = |p: &[f64]| -> f64 {
                    p.iter().zip(&asked).map(|(a, b)| (a - b) * (a - b)).sum()
                };
                let expected = all.iter().map(|p| square(p)).fold(f64::INFINITY, f64::min);
                let found = tree
                    .nearest(&asked)
                    .map_or(f64::INFINITY, |i| square(&all[i]));
                assert_eq!(found.to_bits(), expected.to_bits());
                tree.insert(&new);
                all.push(new);
            }
        }
    }

    #[test]
    fn points_without_numbers_are_all_the_same() {
        let mut tree = Neighbours::new(0);
        assert_eq!(tree.nearest(&[]), None);
        tree.insert(&[]);
        tree.insert(&[]);
        assert_eq!(tree.nearest(&[]), Some(0));
    }
}
