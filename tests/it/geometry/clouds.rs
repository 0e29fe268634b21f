//! Clouds with fewer points.

use std::collections::HashSet;

use kinworld::geometry::PointCloud;
use kinworld::{Error, Point, Vector};

use crate::common::random::Random;

#[test]
fn a_thinned_cloud_keeps_a_point_within_its_spacing_of_each_that_it_leaves_out() {
    let mut random = Random::new(3);
    let mut points: Vec<Point> = (0..3000).map(|_| random.vector().into()).collect();
    points.extend((0..3000).map(|_| Point::new(1.0, 0.0, 0.2) + random.vector() * 0.05));
    points.extend((0..40).map(|i| Point::new(0.05 * f64::from(i), 0.0, 1e4)));
    points.extend([Point::new(-7.0, 0.1, 0.0); 5]);
    let numbers = (0..points.len()).map(|i| i as f64).collect();
    let cloud = PointCloud::new(points.clone()).unwrap();
    let cloud = cloud.with_property("number", numbers).unwrap();
    let min = [0, 1, 2].map(|k| points.iter().fold(f64::INFINITY, |m, p| m.min(p[k])));
    let mut last = points.len();
    for spacing in [1e-4, 0.01, 0.1, 0.3, 1.0, 1e5] {
        let thin = cloud.thinned(spacing).unwrap();
        let numbers = thin.property("number").unwrap();
        for (p, number) in thin.points().iter().zip(numbers) {
            assert_eq!(*p, points[*number as usize]);
        }
        assert!(numbers.is_sorted(), "in the order of the cloud");
        let mut along = thin.points().to_vec();
        along.sort_by(|a, b| a.x.total_cmp(&b.x));
        for p in &points {
            let first = along.partition_point(|x| x.x < p.x - spacing);
            let mut near = along[first..].iter().take_while(|x| x.x <= p.x + spacing);
            assert!(near.any(|x| (x - p).norm() <= spacing), "{p} {spacing}");
        }
        // one of each cell that has any, whichever of the three tables of cells counts them
        let cells: HashSet<[i64; 3]> = points
            .iter()
            .map(|p| [0, 1, 2].map(|k| ((p[k] - min[k]) / (0.577 * spacing)).floor() as i64))
            .collect();
        assert_eq!(thin.points().len(), cells.len(), "{spacing}");
        last = thin.points().len();
    }
    assert_eq!(last, 1);
    assert_eq!(
        cloud.thinned(1e-4).unwrap().points().len(),
        points.len() - 4
    );

    // a square has no more points than its cells, of which it is fifty long
    let pixel =
        |i: usize| Point::from(Vector::new((i % 300) as f64, (i / 300) as f64, 0.0) / 300.0);
    let square = PointCloud::new((0..90_000).map(pixel).collect()).unwrap();
    let cells = (1.0 / (0.577 * 0.035) + 1.0_f64).powi(2);
    let thin = square.thinned(0.035).unwrap().points().len() as f64;
    assert!(thin <= cells && thin > 0.8 * cells, "{thin} {cells}");

    let empty = PointCloud::new(Vec::new()).unwrap();
    assert!(empty.thinned(0.1).unwrap().points().is_empty());
    for spacing in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300] {
        let error = cloud.thinned(spacing).unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{spacing}");
        assert!(
            error.to_string().contains("the spacing of points"),
            "{error}"
        );
    }
}
