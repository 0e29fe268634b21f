//! The index beside brute force in double precision.

use super::PointIndex;
use crate::geometry::Aabb;
use crate::math::{Lanes, Level, Point, Simd, SplitMix, Vector, Work};

/// Positions in lanes, and what the index answers about them.
struct Ask<'a> {
    index: &'a PointIndex,
    positions: &'a [[f32; 3]],
    limit: f32,
    /// For each position, whether a point may be near, and whether one is.
    out: &'a mut Vec<[bool; 2]>,
}

impl Work for Ask<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        for block in self.positions.chunks(N) {
            let last = block.len() - 1;
            let p = [0, 1, 2].map(|k| {
                Lanes::<N, L, f32>::new(std::array::from_fn(|lane| block[lane.min(last)][k]))
            });
            let all = u32::MAX >> (32 - block.len());
            let near = self.index.near(&p, self.limit);
            let within = self.index.within(&p, self.limit, all);
            let bit = |mask: u32, lane: usize| mask >> lane & 1 == 1;
            let lanes = 0..block.len();
            self.out
                .extend(lanes.map(|lane| [bit(near, lane), bit(within, lane)]));
        }
    }
}

/// Asks about positions around points, at random and beside them, with limits from tiny to more than all, on every set of
/// instructions; returns the share of positions for which the cheap test finds out what the other does.
fn check(name: &str, points: &[Point], random: &mut SplitMix) -> f64 {
    let bounds = Aabb::around(points.iter().copied()).expect("there are points");
    let index = PointIndex::new(points, bounds).expect("they are near each other");
    let center = index.bounds().center();
    let half = index.bounds().half_size();
    let extent = half.norm().max(0.1);
    let mut signed = || 2.0 * random.uniform() - 1.0;
    let mut positions = Vec::new();
    for i in 0..150 {
        let scale = [1.0, 0.1, 3.0][i % 3] * extent;
        let offset = Vector::new(signed(), signed(), signed()) * scale;
        let from = if i % 2 == 0 {
            Vector::zeros()
        } else {
            points[i * 7919 % points.len()] - center
        };
        positions.push((from + offset).cast::<f32>().into());
    }
    let nearest: Vec<f64> = positions
        .iter()
        .map(|p: &[f32; 3]| {
            let p = center + Vector::from(p.map(f64::from));
            let squares = points.iter().map(|x| (x - p).norm_squared());
            squares.fold(f64::INFINITY, f64::min).sqrt()
        })
        .collect();
    let (mut settled, mut all) = (0, 0_u32);
    for share in [0.003, 0.03, 0.1, 0.4, 1.0, 10.0] {
        let limit = (share * extent) as f32;
        let slop = 1e-6 * (extent + f64::from(limit));
        for simd in Simd::available() {
            let mut out = Vec::new();
            simd.run(Ask {
                index: &index,
                positions: &positions,
                limit,
                out: &mut out,
            });
            for (i, [near, within]) in out.into_iter().enumerate() {
                let distance = nearest[i];
                if (distance - f64::from(limit)).abs() > slop {
                    let expected = distance < f64::from(limit);
                    assert_eq!(within, expected, "{name}: {distance} {limit}");
                    assert!(near || !expected, "{name}: {distance} {limit}");
                }
                settled += u32::from(near == within);
                all += 1;
            }
        }
    }
    f64::from(settled) / f64::from(all)
}

#[test]
fn within_a_distance_are_the_positions_that_brute_force_finds() {
    let mut random = SplitMix::new(25);
    let mut uniform = |n: usize, size: [f64; 3]| -> Vec<Point> {
        let mut number = |size: f64| size * (random.uniform() - 0.5);
        let point = |_| Point::from(size.map(&mut number));
        (0..n).map(point).collect()
    };
    let pixels = |i: usize, j: usize| {
        let depth = if (20..40).contains(&i) && j > 30 {
            0.9
        } else {
            1.4
        };
        Point::new(i as f64 / 60.0 - 0.5, j as f64 / 60.0 - 0.5, 1.0) * depth
    };
    let mut clusters = Vec::new();
    for center in uniform(12, [4.0, 2.0, 1.0]) {
        let near = uniform(100, [0.02, 0.1, 0.05]);
        clusters.extend(near.iter().map(|p| center + p.coords));
    }
    let mut outlier = uniform(500, [0.5; 3]);
    outlier.push(Point::new(900.0, 3.0, -20.0));
    let far = |p: &Point| p + Vector::new(3e5, -2e5, 50.0);
    let kinds = [
        ("one", vec![Point::new(0.3, -2.0, 7.0)]),
        ("equal", vec![Point::new(0.3, -2.0, 7.0); 40]),
        ("two", uniform(2, [1.0; 3])),
        ("seventeen", uniform(17, [1.0; 3])),
        ("a box", uniform(3000, [1.0, 2.0, 0.5])),
        ("a plane", uniform(3000, [1.0, 2.0, 0.0])),
        ("a line", uniform(1000, [0.0, 0.0, 3.0])),
        (
            "an image",
            (0..3600).map(|i| pixels(i / 60, i % 60)).collect(),
        ),
        ("clusters", clusters),
        ("an outlier", outlier),
        ("far away", uniform(300, [1.0; 3]).iter().map(far).collect()),
        ("tiny", uniform(300, [1e-20; 3])),
        ("huge", uniform(300, [1e11; 3])),
    ];
    let mut random = SplitMix::new(26);
    for (name, points) in &kinds {
        let settled = check(name, points, &mut random);
        assert!(settled > 0.7, "{name}: {settled}");
    }
}

#[test]
fn what_single_precision_cannot_tell_apart_has_no_index() {
    let (min, max) = (Point::origin(), Point::new(1e20, 0.0, 0.0));
    assert!(PointIndex::new(&[min, max], Aabb { min, max }).is_none());
}
