//! What a planner asks of a space.

use super::edge::{MOST_STEPS, coarse_to_fine};

/// A space of configurations: points with a metric, some of them free.
///
/// What planners ask for, ours and those of other crates. Configurations are slices of [`dimension`](Self::dimension)
/// numbers; an implementation may panic on others. Checks take `&mut self`, so that a space can own their memory.
///
/// # Examples
///
/// ```
/// use kinworld::planning::{Budget, CSpace, RrtConnect};
///
/// /// The unit square with a wall that leaves a gap at the top.
/// struct Square;
///
/// impl CSpace for Square {
///     fn dimension(&self) -> usize {
///         2
///     }
///     fn bounds(&self) -> Vec<[f64; 2]> {
///         vec![[0.0, 1.0]; 2]
///     }
///     fn is_free(&mut self, q: &[f64]) -> bool {
///         !(0.4..0.6).contains(&q[0]) || q[1] > 0.9
///     }
/// }
///
/// let found = RrtConnect::new(&Budget::default()).solve(&mut Square, &[0.1, 0.1], &[0.9, 0.1])?;
/// let path = found.path.expect("there is a gap");
/// assert!(path.iter().any(|q| q[1] > 0.9));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub trait CSpace {
    /// Numbers per configuration.
    fn dimension(&self) -> usize;

    /// The least and the largest value of each number, infinite where there is none.
    fn bounds(&self) -> Vec<[f64; 2]>;

    /// Whether a configuration may be taken.
    fn is_free(&mut self, q: &[f64]) -> bool;

    /// Why a configuration may not be taken, for people; `None` where it may.
    fn reason(&mut self, q: &[f64]) -> Option<String> {
        (!self.is_free(q)).then(|| "is not free".to_owned())
    }

    /// Whether each row of `block` is free.
    fn are_free(&mut self, block: &[f64], free: &mut [bool]) {
        for (q, free) in block.chunks_exact(self.dimension().max(1)).zip(free) {
            *free = self.is_free(q);
        }
    }

    /// Whether the way from `a` to `b` is free, both ends included: by default, whether samples on it are that lie
    /// no more than [`step`](Self::step) apart. A way of more than ten million samples is not.
    fn is_edge_free(&mut self, a: &[f64], b: &[f64]) -> bool {
        let steps = (self.distance(a, b) / self.step()).ceil();
        if steps.is_nan() || steps > MOST_STEPS {
            return false;
        }
        let steps = steps.max(1.0) as usize;
        let mut q = a.to_vec();
        coarse_to_fine(steps).all(|i| {
            self.interpolate_into(a, b, i as f64 / steps as f64, &mut q);
            self.is_free(&q)
        })
    }

    /// The distance of the samples that stand for an edge, in the metric of the space.
    fn step(&self) -> f64 {
        1.0 / 32.0
    }

    /// Draws a configuration within the bounds, from numbers drawn uniformly in `[0, 1)`.
    ///
    /// By default every number is uniform between its bounds, or between −1 and 1 beyond a bound that is missing.
    fn sample_into(&mut self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
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
        &mut self,
        center: &[f64],
        radius: f64,
        uniform: &mut dyn FnMut() -> f64,
        out: &mut [f64],
    ) {
        let mut there = vec![0.0; self.dimension()];
        self.sample_into(uniform, &mut there);
        let distance = self.distance(center, &there);

        // volume grows with the power of the dimension
        let reach = radius * uniform().powf(1.0 / self.dimension().max(1) as f64);
        let u = if distance > reach {
            reach / distance
        } else {
            1.0
        };
        self.interpolate_into(center, &there, u, out);
    }

    /// How far two configurations are apart; Euclid's distance by default.
    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let squares = a.iter().zip(b).map(|(a, b)| (b - a) * (b - a));
        squares.sum::<f64>().sqrt()
    }

    /// The configuration on the way from `a` (`u = 0`) to `b` (`u = 1`); the straight line by default.
    fn interpolate_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) {
        for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
            *out = a + u * (b - a);
        }
    }

    /// Appends to `out` a point of Euclid's space that stands for `q` when neighbours are looked for: near points for
    /// near configurations. By default the configuration itself; an angle gives its cosine and sine.
    fn picture(&self, q: &[f64], out: &mut Vec<f64>) {
        out.extend_from_slice(q);
    }
}
