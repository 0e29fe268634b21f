//! The fastest motion along a path.

use kinworld::planning::{GeometricPath, LimitKind, TimeParameterization};

use super::{between, limits, peaks, to_line, waypoints};
use crate::common::errors::assert_refused;
use crate::common::random::Random;

#[test]
fn a_line_is_sped_up_kept_and_braked() {
    // 2 rad at 1 rad/s with 2 rad/s²: half a second, 1.5 s, half a second
    let path = GeometricPath::polyline(&[[0.0, 0.0], [2.0, -1.0]]).unwrap();
    let both = limits(&[1.0, 9.0], &[2.0, 9.0]);
    let motion = TimeParameterization::new(&both).solve(&path).unwrap();
    assert!(
        (motion.duration() - 2.5).abs() < 1e-4,
        "{}",
        motion.duration()
    );
    assert!((motion.velocity_at(1.0)[0] - 1.0).abs() < 1e-9);
    assert!((motion.acceleration_at(0.1)[0] - 2.0).abs() < 1e-9);
    assert_eq!(motion.velocity_at(-1.0), [0.0, 0.0]);
    assert_eq!(motion.at(99.0), [2.0, -1.0]);

    // without room for the speed: 2 √(2/2)
    let free = limits(&[9.0, 9.0], &[2.0, 9.0]);
    let motion = TimeParameterization::new(&free).solve(&path).unwrap();
    assert!(
        (motion.duration() - 2.0).abs() < 1e-4,
        "{}",
        motion.duration()
    );

    // a start at 1 rad/s, which is 1/cos of the length of the path
    let moving = TimeParameterization::new(&both).with_end_speeds(1.25f64.sqrt(), 0.0);
    let motion = moving.solve(&path).unwrap();
    assert!(
        (motion.duration() - 2.25).abs() < 1e-4,
        "{}",
        motion.duration()
    );
}

#[test]
fn limits_are_held_between_the_points_of_the_grid() {
    let mut random = Random::new(7);
    for case in 0..30 {
        let points = waypoints(&mut random, 6, 2 + case % 6);
        let path = GeometricPath::spline(&points).unwrap();
        let velocity: Vec<f64> = (0..6).map(|_| between(&mut random, 0.5, 3.0)).collect();
        let acceleration: Vec<f64> = (0..6).map(|_| between(&mut random, 1.0, 10.0)).collect();
        let limits = limits(&velocity, &acceleration);
        // a coarse grid, on which the optimum at its points swings far beyond the limits between them
        let motion = TimeParameterization::new(&limits).with_intervals(24);
        let motion = motion.solve(&path).unwrap();
        assert_eq!(motion.check(&limits, None).unwrap(), None);
        let [velocity, acceleration] = peaks(&motion, &limits);
        assert!(
            velocity < 1.0 + 1e-6 && acceleration < 1.0 + 1e-4,
            "{velocity} {acceleration}"
        );
        let used = motion.utilization(&limits, None).unwrap();
        let most = used.velocity.iter().chain(&used.acceleration);
        assert!(most.copied().fold(0.0, f64::max) > 0.98);
        // its velocity is the change of its configuration
        let (time, step) = (0.37 * motion.duration(), 1e-6);
        let (before, after) = (motion.at(time - step), motion.at(time + step));
        for (v, (a, b)) in motion
            .velocity_at(time)
            .iter()
            .zip(before.iter().zip(&after))
        {
            assert!((v - (b - a) / (2.0 * step)).abs() < 1e-4);
        }
    }
}

#[test]
fn finer_grids_approach_one_duration() {
    let mut random = Random::new(8);
    for _ in 0..5 {
        let path = GeometricPath::spline(&waypoints(&mut random, 5, 6)).unwrap();
        let limits = limits(&[1.5; 5], &[4.0; 5]);
        let solve = |n| {
            let motion = TimeParameterization::new(&limits).with_intervals(n);
            motion.solve(&path).unwrap().duration()
        };
        let (usual, fine) = (solve(100), solve(4000));
        assert!((usual / fine - 1.0).abs() < 3e-3, "{usual} {fine}");
    }
}

#[test]
fn no_other_profile_is_faster() {
    // dynamic programming over a lattice of speeds: from each speed at a point to each at the next
    let mut random = Random::new(9);
    for _ in 0..3 {
        let path = GeometricPath::spline(&waypoints(&mut random, 2, 4)).unwrap();
        let (v, a) = (1.0, 2.0);
        let limits = limits(&[v; 2], &[a; 2]);
        let motion = TimeParameterization::new(&limits).solve(&path).unwrap();
        let best = lattice(&path, v, a);
        assert!(
            motion.duration() < best * 1.001,
            "{} {best}",
            motion.duration()
        );
        assert!(
            motion.duration() > best * 0.95,
            "{} {best}",
            motion.duration()
        );
    }
}

/// The least duration over a lattice of speeds, whose steps within the limits are checked at a few points only.
fn lattice(path: &GeometricPath, v: f64, a: f64) -> f64 {
    const POINTS: usize = 60;
    const SPEEDS: usize = 150;
    let length = path.length();
    let step = length / POINTS as f64;
    let top = 1.5 * v * v;
    let x = |j: usize| top * (j as f64 / SPEEDS as f64).powi(2);
    let mut best = vec![f64::INFINITY; SPEEDS + 1];
    best[0] = 0.0;
    for i in 0..POINTS {
        let at = [0.0, 0.5, 1.0].map(|share| {
            let s = (i as f64 + share) * step;
            let shift = if share > 0.9 { -1e-9 } else { 1e-9 };
            (
                share,
                path.derivative_at(s),
                path.second_derivative_at(s + shift),
            )
        });
        let allowed = |from: f64, to: f64| {
            let u = (to - from) / (2.0 * step);
            at.iter().all(|(share, slope, curvature)| {
                let x = from + share * (to - from);
                slope.iter().zip(curvature).all(|(p, r)| {
                    p * p * x <= v * v * 1.0001 && (p * u + r * x).abs() <= a * 1.0001
                })
            })
        };
        let mut next = vec![f64::INFINITY; SPEEDS + 1];
        for (j, time) in best.iter().enumerate().filter(|(_, time)| time.is_finite()) {
            for (k, next) in next.iter_mut().enumerate() {
                let speeds = x(j).sqrt() + x(k).sqrt();
                if speeds > 0.0 && allowed(x(j), x(k)) {
                    *next = next.min(time + 2.0 * step / speeds);
                }
            }
        }
        best = next;
    }
    best[0]
}

#[test]
fn blends_leave_the_lines_by_the_deviation_at_most() {
    let mut random = Random::new(10);
    let mut rounded = 0;
    for _ in 0..20 {
        let points = waypoints(&mut random, 3, 6);
        let path = GeometricPath::blended(&points, 0.05).unwrap();
        if !path.corners().is_empty() {
            // one of its corners nearly turns back
            continue;
        }
        rounded += 1;
        let mut farthest = 0.0_f64;
        for k in 0..=2000 {
            let q = path.at(path.length() * f64::from(k) / 2000.0);
            let nearest = points
                .windows(2)
                .map(|ends| to_line(&q, &ends[0], &ends[1]));
            farthest = farthest.max(nearest.fold(f64::INFINITY, f64::min));
        }
        assert!(farthest < 0.05 && farthest > 0.01, "{farthest}");
        assert_eq!(path.at(0.0), points[0]);
        let limits = limits(&[1.0; 3], &[3.0; 3]);
        let motion = TimeParameterization::new(&limits).solve(&path).unwrap();
        assert_eq!(motion.check(&limits, None).unwrap(), None);
        // blends are faster than stops
        let sharp = GeometricPath::polyline(&points).unwrap();
        assert_eq!(sharp.corners().len(), 4);
        let stopping = TimeParameterization::new(&limits).solve(&sharp).unwrap();
        assert!(motion.duration() < stopping.duration());
        assert_eq!(stopping.check(&limits, None).unwrap(), None);
    }
    assert!(rounded > 15, "{rounded}");
}

#[test]
fn a_violation_is_the_first_one() {
    let path = GeometricPath::polyline(&[[0.0], [1.0]]).unwrap();
    let wide = limits(&[9.0], &[4.0]);
    let motion = TimeParameterization::new(&wide).solve(&path).unwrap();
    // 4 rad/s² reach 1 rad/s after a quarter of a second
    let narrow = limits(&[1.0], &[4.0]);
    let found = motion.check(&narrow, None).unwrap().unwrap();
    assert_eq!((found.dof, found.kind), (0, LimitKind::Velocity));
    assert!((found.time - 0.25).abs() < 0.01, "{}", found.time);
    assert!(
        found
            .to_string()
            .starts_with("velocity of degree of freedom 0 is 1.0"),
        "{found}"
    );
    let jerk = wide.with_jerk(&[100.0]).unwrap();
    let found = motion.check(&jerk, None).unwrap().unwrap();
    assert_eq!(found.kind, LimitKind::Jerk);
}

#[test]
fn paths_and_grids_that_are_none_are_refused() {
    let same = [[1.0, 2.0], [1.0, 2.0]];
    assert_refused(
        GeometricPath::polyline(&same),
        "a path: needs two waypoints that differ",
    );
    assert_refused(
        GeometricPath::spline::<Vec<f64>>(&[]),
        "a path: needs two waypoints that differ",
    );
    let uneven = [vec![0.0], vec![1.0, 2.0]];
    assert_refused(
        GeometricPath::polyline(&uneven),
        "a waypoint needs 1 values, got 2",
    );
    assert_refused(
        GeometricPath::blended(&[[0.0], [1.0]], f64::NAN),
        "the deviation of blends: NaN is not a number from 0 on, of rad or m",
    );
    assert_refused(
        GeometricPath::hermite(&[0.0, 0.0], &[[0.0], [1.0]], &[[0.0], [0.0]]),
        "the parameters of a path: do not increase from 0 to 0",
    );
    let path = GeometricPath::polyline(&[[0.0], [1.0]]).unwrap();
    let limits = limits(&[1.0], &[1.0]);
    let fast = TimeParameterization::new(&limits).with_end_speeds(0.9, 0.0);
    assert!(fast.solve(&path).is_ok());
    let short = GeometricPath::polyline(&[[0.0], [0.1]]).unwrap();
    assert_refused(
        fast.solve(&short),
        "a path: the speed at its start, 0.9, cannot be braked or kept",
    );
    assert_refused(
        TimeParameterization::new(&limits)
            .with_intervals(usize::MAX)
            .solve(&path),
        "the grid of a path: 18446744073709551615 intervals are asked for, most are 1000000",
    );
}

#[test]
fn milestones_are_those_of_the_motion() {
    let path = GeometricPath::spline(&[[0.0, 0.0], [1.0, 0.3], [0.4, 1.0]]).unwrap();
    let limits = limits(&[1.0; 2], &[2.0; 2]);
    let motion = TimeParameterization::new(&limits).solve(&path).unwrap();
    let trajectory = motion.discretized(0.01).unwrap();
    assert_eq!(trajectory.end_time(), motion.duration());
    assert_eq!(trajectory.at(0.5), motion.at(0.5));
    assert!(motion.discretized(0.0).is_err() && motion.discretized(1e-12).is_err());
}
