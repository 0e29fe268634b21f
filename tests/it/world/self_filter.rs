//! Points of a robot out of what its sensors see.

use kinworld::geometry::{Geometry, PointCloud, Primitive, query};
use kinworld::{Error, Point, Pose, Vector, WorldModel};

use crate::common::files::data;
use crate::common::random::Random;

#[test]
fn what_is_left_is_farther_than_the_margin_from_every_link_and_from_what_is_held() {
    let mut world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let arm = world.robot("arm").unwrap().id();
    let config = [0.4, 0.7, -0.9, 0.3, 0.5, 0.1];
    world.robot_mut(arm).unwrap().set_config(&config).unwrap();
    let flange = world.robot(arm).unwrap().link("flange").unwrap();
    let (hand, x_wh) = (flange.entity(), flange.pose());
    let ball = world.rigid_object_id("ball").unwrap();
    world
        .rigid_object_mut(ball)
        .unwrap()
        .set_pose(&x_wh)
        .unwrap();
    world.attach(ball, hand, &[]).unwrap();

    // around the links, and everywhere
    let mut random = Random::new(11);
    let shapes: Vec<(Geometry, Pose)> = {
        let robot = world.robot(arm).unwrap();
        let links = robot
            .links()
            .filter_map(|link| Some((link.geometry()?, link.pose())));
        let links = links.map(|(placed, pose)| (placed.geometry.clone(), pose));
        let held = world.rigid_object(ball).unwrap();
        let held = (held.geometry.clone().unwrap(), world.pose(ball).unwrap());
        links.chain([held]).collect()
    };
    assert!(shapes.len() > 5);
    let mut points = Vec::new();
    for (_, pose) in &shapes {
        let center = Point::from(pose.translation.vector);
        points.extend((0..60).map(|_| center + random.vector() * 0.15));
    }
    points.extend((0..200).map(|_| Point::from(random.vector() * 2.0)));
    let x_wc = Pose::new(Vector::new(0.3, -1.0, 0.8), Vector::new(0.2, 0.7, -1.3));
    let local: Vec<Point> = points
        .iter()
        .map(|p| x_wc.inverse_transform_point(p))
        .collect();
    let numbers = (0..local.len()).map(|i| i as f64).collect();
    let cloud = PointCloud::new(local.clone()).unwrap();
    let cloud = cloud.with_property("number", numbers).unwrap();

    for margin in [0.0, 0.01, 0.1] {
        let rest = world.without_robots(&cloud, &x_wc, &[arm], margin).unwrap();
        let kept: Vec<usize> = rest
            .property("number")
            .unwrap()
            .iter()
            .map(|x| *x as usize)
            .collect();
        let is_apart = |p: &Point| {
            let p = x_wc * p;
            let point = Geometry::from(Primitive::point(p).unwrap());
            shapes.iter().all(|(shape, pose)| {
                let here = Pose::identity();
                query::distance((shape, pose), (&point, &here))
                    .unwrap()
                    .distance
                    > margin
            })
        };
        let expected: Vec<usize> = (0..local.len()).filter(|&i| is_apart(&local[i])).collect();
        assert_eq!(kept, expected, "{margin}");
        assert!(kept.iter().zip(rest.points()).all(|(&i, p)| local[i] == *p));
        if margin > 0.0 {
            assert!(
                kept.len() > 200 && kept.len() + 20 < local.len(),
                "{} {margin}",
                kept.len()
            );
        }
    }

    // without robots all is left; what cannot be is an error
    let all = world.without_robots(&cloud, &x_wc, &[], 0.1).unwrap();
    assert_eq!(all, cloud);
    for margin in [-0.1, f64::NAN, f64::INFINITY] {
        let error = world
            .without_robots(&cloud, &x_wc, &[arm], margin)
            .unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error}");
    }
    let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
    assert!(world.without_robots(&cloud, &nowhere, &[arm], 0.0).is_err());
    world.remove(arm).unwrap();
    let error = world
        .without_robots(&cloud, &x_wc, &[arm], 0.0)
        .unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
}
