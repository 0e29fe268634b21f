//! Octrees of occupancy, beside a dense grid.

use std::collections::HashMap;

use kinworld::geometry::{Octree, PointCloud, Primitive, Shape, query};
use kinworld::{Geometry, Point, Pose, Vector};

use crate::common::errors::is_invalid;
use crate::common::random::SplitMix;

/// Cubes of 0.1 m.
const SIZE: f64 = 0.1;
/// Cubes on each side of the origin that the tests look at.
const HALF: i32 = 12;

fn center(cube: [i32; 3]) -> Point {
    Point::from(cube.map(|k| (f64::from(k) + 0.5) * SIZE))
}

fn cubes() -> impl Iterator<Item = [i32; 3]> {
    let range = -HALF..HALF;
    let of = move |x| {
        let range = -HALF..HALF;
        range.flat_map(move |y| (-HALF..HALF).map(move |z| [x, y, z]))
    };
    range.flat_map(of)
}

/// Length of the part of a segment in a cube.
fn inside(from: &Point, to: &Point, cube: [i32; 3]) -> f64 {
    let ray = to - from;
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        let sides = [0, 1].map(|k| (f64::from(cube[axis] + k) * SIZE - from[axis]) / ray[axis]);
        first = first.max(sides[0].min(sides[1]));
        last = last.min(sides[0].max(sides[1]));
    }
    (last - first).max(0.0) * ray.norm()
}

fn cube_of(point: &Point) -> [i32; 3] {
    [0, 1, 2].map(|i: usize| (point[i] / SIZE).floor() as i32)
}

fn log_odds(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

#[test]
fn scans_change_an_octree_as_a_dense_grid() {
    let mut random = SplitMix::new(5);
    let mut somewhere =
        |reach: f64| Point::from([(); 3].map(|()| reach * (2.0 * random.uniform() - 1.0)));
    let mut map = Octree::new(SIZE).unwrap();
    let mut dense: HashMap<[i32; 3], f64> = HashMap::new();
    for scan in 0..12 {
        let origin = somewhere(0.3);
        let points: Vec<Point> = (0..8).map(|_| somewhere(1.1)).collect();
        let range = if scan % 3 == 0 { 0.7 } else { f64::INFINITY };
        let (mut hit, mut passed) = (Vec::new(), Vec::new());
        for point in &points {
            let length = (point - origin).norm();
            let end = match length > range {
                true => origin + (point - origin) * (range / length),
                false => *point,
            };
            if length <= range {
                hit.push(cube_of(&end));
            }
            let on_ray = |cube: &[i32; 3]| inside(&origin, &end, *cube) > 1e-9;
            passed.extend(cubes().filter(|cube| *cube != cube_of(&end) && on_ray(cube)));
        }
        passed.retain(|cube| !hit.contains(cube));
        let mut changes: HashMap<[i32; 3], f64> = hit.into_iter().map(|cube| (cube, 0.7)).collect();
        changes.extend(passed.into_iter().map(|cube| (cube, 0.4)));
        // the same points again and again reach the bounds of the odds
        for _ in 0..1 + scan % 4 * 3 {
            let cloud = PointCloud::new(points.clone()).unwrap();
            map.insert_scan(&origin, &cloud, range).unwrap();
            for (cube, p) in &changes {
                let odds = dense.entry(*cube).or_insert(0.0);
                *odds = (*odds + log_odds(*p)).clamp(log_odds(0.1192), log_odds(0.971));
            }
        }
    }
    assert!(dense.len() > 300, "{}", dense.len());
    let mut occupied = 0;
    for cube in cubes() {
        let expected = dense.get(&cube).map(|odds| 1.0 - 1.0 / (1.0 + odds.exp()));
        match (map.probability(&center(cube)), expected) {
            (None, None) => {}
            (Some(ours), Some(theirs)) => {
                assert!((ours - theirs).abs() < 1e-6, "{cube:?}: {ours} {theirs}");
                occupied += usize::from(ours >= 0.5);
            }
            (ours, theirs) => panic!("{cube:?}: {ours:?} {theirs:?}"),
        }
    }
    assert!(occupied > 30, "{occupied}");
    let volume: f64 = map.leaves().map(|leaf| leaf.size.powi(3)).sum();
    assert!((volume / SIZE.powi(3) - dense.len() as f64).abs() < 1e-6);
}

/// A cube of 4³ cubes that is as occupied as a map can say.
fn block() -> Octree {
    let range = 0..4;
    let of = |x: i32| (0..4).flat_map(move |y| (0..4).map(move |z| center([x, y, z])));
    let points: Vec<Point> = range.flat_map(of).collect();
    let mut map = Octree::new(SIZE).unwrap();
    let cloud = PointCloud::new(points).unwrap();
    for _ in 0..6 {
        map.insert_scan(&Point::new(-0.95, 0.25, 0.25), &cloud, 10.0)
            .unwrap();
    }
    map
}

#[test]
fn eight_equal_cubes_are_one() {
    let map = block();
    let occupied: Vec<_> = map.leaves().filter(|leaf| leaf.is_occupied()).collect();
    assert_eq!(occupied.len(), 1);
    assert!((occupied[0].size - 0.4).abs() < 1e-12);
    assert!((occupied[0].center - Point::new(0.2, 0.2, 0.2)).norm() < 1e-12);
    assert!((occupied[0].probability - 0.971).abs() < 1e-6);

    // and are divided again where one of them changes
    let mut map = map;
    let through = PointCloud::new(vec![Point::new(0.95, 0.25, 0.25)]).unwrap();
    map.insert_scan(&Point::new(-0.95, 0.25, 0.25), &through, 10.0)
        .unwrap();
    let occupied = map.leaves().filter(|leaf| leaf.is_occupied());
    assert!(occupied.count() > 8);
    assert!((map.probability(&Point::new(0.25, 0.25, 0.25)).unwrap() - 0.957).abs() < 1e-3);
}

fn apart(shape: &Geometry, pose: &Pose, map: &Geometry) -> f64 {
    query::distance((shape, pose), (map, &Pose::identity()))
        .unwrap()
        .distance
}

#[test]
fn boxes_and_clouds_are_the_occupied_cubes() {
    let mut map = block();
    let scan = PointCloud::new(vec![
        Point::new(-0.5, -0.35, 0.6),
        Point::new(0.1, 0.9, -0.7),
    ])
    .unwrap();
    map.insert_scan(&Point::new(-0.95, -0.25, 0.25), &scan, 10.0)
        .unwrap();
    let (boxes, cloud) = (map.boxes(), map.cloud().unwrap());
    let sphere: Geometry = Primitive::sphere(Point::origin(), 0.05).unwrap().into();
    let mut random = SplitMix::new(9);
    for _ in 0..200 {
        let at = Vector::from([(); 3].map(|()| 3.0 * random.uniform() - 1.5));
        let pose = Pose::translation(at.x, at.y, at.z);
        let to_boxes = apart(&sphere, &pose, &boxes);
        let expected = map.leaves().filter(|leaf| leaf.is_occupied()).map(|leaf| {
            let beside = (at - leaf.center.coords).abs().add_scalar(-0.5 * leaf.size);
            (beside.map(|x| x.max(0.0)).norm() - 0.05).max(0.0)
        });
        let expected = expected.fold(f64::INFINITY, f64::min);
        assert!((to_boxes - expected).abs() < 1e-9, "{to_boxes} {expected}");
        let to_cloud = apart(&sphere, &pose, &cloud);
        assert!(to_cloud <= to_boxes + 1e-9 && to_cloud >= to_boxes - 0.37 * SIZE - 1e-9);
    }
    assert!(
        apart(
            &sphere,
            &Pose::identity(),
            &Octree::new(1.0).unwrap().boxes()
        )
        .is_infinite()
    );
}

#[test]
fn what_cannot_be_inserted_changes_nothing() {
    for resolution in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e96] {
        assert!(is_invalid(&Octree::new(resolution)), "{resolution}");
    }
    // the largest map has boxes
    assert!(
        matches!(Octree::new(1e95).unwrap().boxes().shape(), Shape::Group(members) if members.is_empty())
    );
    let mut map = block();
    let before = map.clone();
    let cloud = |points: &[[f64; 3]]| {
        PointCloud::new(points.iter().map(|p| Point::from(*p)).collect()).unwrap()
    };
    let near = cloud(&[[0.5, 0.5, 0.5]]);
    assert!(is_invalid(&map.insert_scan(&Point::origin(), &near, 0.0)));
    assert!(is_invalid(&map.insert_scan(
        &Point::origin(),
        &near,
        f64::NAN
    )));
    assert!(is_invalid(&map.insert_scan(
        &Point::new(f64::NAN, 0.0, 0.0),
        &near,
        1.0
    )));
    let far = cloud(&[[0.5, 0.5, 0.5], [4000.0, 0.0, 0.0]]);
    assert!(is_invalid(&map.insert_scan(
        &Point::origin(),
        &far,
        f64::INFINITY
    )));
    assert_eq!(map, before);
    map.insert_scan(&Point::origin(), &far, 1.0).unwrap();
    assert_eq!(map.probability(&Point::new(4000.0, 0.0, 0.0)), None);
}
