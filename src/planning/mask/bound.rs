//! Confidence bounds on a probability.

/// Upper bound on a probability after `k` successes in `n` trials, exceeded with probability `risk`: the upper end of the
/// Clopper–Pearson interval.
pub(super) fn upper(k: usize, n: usize, risk: f64) -> f64 {
    if k >= n {
        return 1.0;
    }
    if k == 0 {
        return -f64::exp_m1(risk.ln() / n as f64);
    }
    // the probability of so few decreases with p
    let (mut low, mut high) = (k as f64 / n as f64, 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if at_most(k, n, middle) > risk {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Binomial probability of `k` or fewer of `n`, each with probability `p` between 0 and 1.
fn at_most(k: usize, n: usize, p: f64) -> f64 {
    let (log_p, log_q) = (p.ln(), f64::ln_1p(-p));
    // by logarithms, for single terms may underflow
    let mut log_choose = 0.0;
    let mut sum = 0.0;
    for i in 0..=k {
        if i > 0 {
            log_choose += ((n - i + 1) as f64 / i as f64).ln();
        }
        sum += f64::exp(log_choose + i as f64 * log_p + (n - i) as f64 * log_q);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::upper;

    #[test]
    fn bounds_are_those_of_the_tables() {
        // Hahn and Meeker (1991), one-sided 95 %: 1 of 10, 5 of 20; and the rule of three
        for (k, n, expected) in [
            (1, 10, 0.3942),
            (5, 20, 0.4556),
            (0, 1000, 0.002991),
            (3, 3, 1.0),
        ] {
            let found = upper(k, n, 0.05);
            assert!((found - expected).abs() < 1e-4, "{k} of {n}: {found}");
        }
        assert!(upper(4000, 10_000, 0.05) > 0.4 && upper(4000, 10_000, 0.05) < 0.41);
    }
}
