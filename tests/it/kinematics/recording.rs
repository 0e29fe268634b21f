//! Recorded motions and their spline derivatives.

use kinworld::kinematics::{Recording, Samples};
use kinworld::robot::{JointKind, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{Robot, Vector};

/// A cart with a spinning wheel.
fn cart() -> Robot {
    let mut cart = RobotBuilder::new("cart");
    let body = cart.add_link(LinkSpec::new(
        "body",
        None,
        LinkMotion::Prismatic(Vector::x()),
    ));
    let axle = LinkMotion::Revolute(Vector::y());
    let wheel = cart.add_link(LinkSpec::new("wheel", Some(body), axle));
    cart.add_joint(JointKind::Spin, wheel, None);
    cart.build().unwrap()
}

/// The cart swings and its wheel keeps rotating, `n` samples over 2 s, angles between 0 and 2π.
fn motion(n: usize) -> (Vec<f64>, [Vec<Vec<f64>>; 3]) {
    let times: Vec<f64> = (0..n).map(|k| 2.0 * k as f64 / (n - 1) as f64).collect();
    let (w, k) = (3.0_f64, 40.0);
    let q = |t: &f64| {
        vec![
            (w * t).sin(),
            (k * t + t * t).rem_euclid(std::f64::consts::TAU),
        ]
    };
    let dq = |t: &f64| vec![w * (w * t).cos(), k + 2.0 * t];
    let ddq = |t: &f64| vec![-w * w * (w * t).sin(), 2.0];
    let rows = |row: &dyn Fn(&f64) -> Vec<f64>| times.iter().map(row).collect::<Vec<_>>();
    let all = [rows(&q), rows(&dq), rows(&ddq)];
    (times, all)
}

#[test]
fn missing_derivatives_come_from_splines() {
    let cart = cart();
    let (times, [q, dq, ddq]) = motion(201);
    for known in [None, Some(dq.clone())] {
        let mut samples = Samples::new(times.clone(), q.clone());
        samples.dq = known;
        let recording = Recording::new(&cart, samples).unwrap();
        assert_eq!(recording.len(), times.len());
        for (k, instant) in recording.instants().enumerate() {
            for i in 0..2 {
                assert!((instant.dq[i] - dq[k][i]).abs() < 1e-6, "{k} {i}");
                assert!((instant.ddq[i] - ddq[k][i]).abs() < 1e-4, "{k} {i}");
            }
            assert_eq!(instant.q, q[k]);
        }
    }
}

#[test]
fn recorded_derivatives_are_kept() {
    let (times, [q, dq, ddq]) = motion(5);
    let half = |rows: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
        let row = |row: Vec<f64>| row.into_iter().map(|x| x / 2.0).collect();
        rows.into_iter().map(row).collect()
    };
    let (dq, ddq) = (half(dq), half(ddq));
    let samples = Samples::new(times, q)
        .with_velocities(dq.clone())
        .with_accelerations(ddq.clone());
    let recording = Recording::new(&cart(), samples).unwrap();
    for (k, instant) in recording.instants().enumerate() {
        assert_eq!((instant.dq, instant.ddq), (&dq[k][..], &ddq[k][..]));
    }
}

#[test]
fn the_derivatives_are_those_of_scipy() {
    // make_interp_spline(t, q, k=5), first and second derivatives, of SciPy 1.17.1
    let times = vec![0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 0.8, 1.0];
    let q = [0.3, -0.1, 0.7, 0.2, 1.1, -0.4, 0.0, 0.6];
    let first = [
        -69.73291005191568,
        22.754476614075507,
        -10.69361177335793,
        -7.669564865972813,
        3.898663041112262,
        2.6209104327268067,
        13.256999239507643,
        -62.02187993785212,
    ];
    let second = [
        2344.586363245394,
        -18.6442257362895,
        -45.64676542479624,
        147.70646501661625,
        -149.34952708254372,
        211.841085957929,
        196.52401342340318,
        -1489.061332496744,
    ];
    let q = q.map(|x| vec![x, 0.0]).to_vec();
    let samples = Samples::new(times, q);
    let recording = Recording::new(&cart(), samples).unwrap();
    for (k, instant) in recording.instants().enumerate() {
        let (v, a): (f64, f64) = (first[k], second[k]);
        assert!((instant.dq[0] - v).abs() <= 1e-9 * v.abs(), "{k}");
        assert!((instant.ddq[0] - a).abs() <= 1e-9 * a.abs(), "{k}");
    }
}

#[test]
fn invalid_recordings_are_refused() {
    let cart = cart();
    let row = || vec![0.0, 0.0];
    let refused = |samples: Samples| Recording::new(&cart, samples).unwrap_err().to_string();
    let of = |times: &[f64], rows: usize| Samples::new(times.to_vec(), vec![row(); rows]);
    let cases = [
        (of(&[0.0, 1.0], 1), "a recording needs 2 values, got 1"),
        (
            of(&[0.0, 0.0], 2),
            "times of a recording: 0 does not come after 0",
        ),
        (
            of(&[1.0, 0.0], 2),
            "times of a recording: 0 does not come after 1",
        ),
        (
            of(&[0.0, f64::NAN], 2),
            "times of a recording: value 1 is NaN, it must be finite",
        ),
        (of(&[0.0], 1), "a single sample needs a velocity"),
    ];
    for (samples, message) in cases {
        let said = refused(samples);
        assert!(said.contains(message), "{said}");
    }
    let mut short = of(&[0.0, 1.0], 2);
    short.q[1] = vec![0.0];
    assert_eq!(refused(short), "configuration needs 2 values, got 1");
    let mut broken = of(&[0.0, 1.0], 2);
    broken.dq = Some(vec![row(), vec![0.0, f64::INFINITY]]);
    assert!(refused(broken).contains("velocity: value 1"));
    let mut close = of(&[0.0, 1e-320, 1.0], 3);
    close.q[1] = vec![1e100, 0.0];
    assert!(refused(close).contains("too close"));

    // no samples: a motion without instants
    let nothing = Recording::new(&cart, Samples::default()).unwrap();
    assert!(nothing.is_empty());
}
