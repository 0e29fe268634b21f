//! Cameras with carriers, ranges and noise.

use kinworld::geometry::Primitive;
use kinworld::render::{Camera, CameraSensor, RenderOptions, picture};
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{EntityId, Geometry, Point, Pose, Rotation, Vector, WorldModel};

use super::{cuboid, with};
use crate::common::errors::assert_refused;
use crate::common::files::data;

/// A camera in its own frame, with a wide view.
fn lens() -> Camera {
    Camera::new(Pose::identity(), [80, 60], 1.2)
}

/// A camera at the origin that looks along +z, before two plates at depths 1 and 3.
fn plates() -> (WorldModel, Camera) {
    let plate = |size: f64, z: f64| {
        (
            cuboid(size, size, 0.2),
            Pose::translation(0.0, 0.0, z + 0.1),
        )
    };
    let [(front, at_front), (back, at_back)] = [plate(0.5, 1.0), plate(9.0, 3.0)];
    (
        with(&[("front", front, at_front), ("back", back, at_back)]),
        lens(),
    )
}

#[test]
fn a_camera_on_a_link_sees_what_one_at_its_pose_sees() {
    let mut world = WorldModel::load(data("robots/arm6.urdf")).unwrap().value;
    let _ = world.load_element(data("terrains/table.env")).unwrap();
    let link = world.robot("arm6").unwrap().link("wrist").unwrap().entity();
    let mount = Pose::from_parts(
        Vector::new(0.02, -0.05, 0.1).into(),
        Rotation::new(Vector::new(1.4, -0.3, 0.6)),
    );
    let mut camera = lens().with_range(0.15, 10.0);
    camera.pose = mount;
    let mut sensor = CameraSensor::on(link, camera);
    let mut depths = Vec::new();
    for q in [[0.0; 6], [0.3, 0.9, -0.2, 0.4, 0.8, 0.1]] {
        world.robot_mut("arm6").unwrap().set_config(&q).unwrap();
        let mut fixed = camera;
        fixed.pose = world.pose(link).unwrap() * mount;
        let seen = sensor.observe(&world).unwrap();
        assert_eq!(
            seen,
            picture(&world, &fixed, &RenderOptions::default()).unwrap()
        );
        assert_eq!(seen, CameraSensor::new(fixed).observe(&world).unwrap());
        depths.push(seen.depth().to_vec());
    }
    assert_ne!(depths[0], depths[1]);
    assert!(depths.concat().iter().any(|depth| depth.is_finite()));
}

#[test]
fn depths_out_of_range_are_not_seen() {
    let (world, camera) = plates();
    let options = RenderOptions::default();
    let at_center = |camera: &Camera| {
        let seen = picture(&world, camera, &options).unwrap();
        let entity = seen
            .entity(40, 30)
            .map(|entity| world.name(entity).unwrap().to_owned());
        (seen.depth()[30 * 80 + 40], entity)
    };
    let (depth, name) = at_center(&camera);
    assert!((depth - 1.0).abs() < 1e-6);
    assert_eq!(name.as_deref(), Some("front"));
    let (depth, name) = at_center(&camera.with_range(1.5, 5.0));
    assert!((depth - 3.0).abs() < 1e-6, "{depth}");
    assert_eq!(name.as_deref(), Some("back"));
    assert_eq!(
        at_center(&camera.with_range(1.5, 2.5)),
        (f32::INFINITY, None)
    );
}

#[test]
fn noise_has_the_deviation_that_was_asked_for() {
    let (world, camera) = plates();
    let truth = picture(&world, &camera, &RenderOptions::default()).unwrap();
    let sensor = || {
        CameraSensor::new(camera)
            .with_depth_noise(0.002, 0.001, 5)
            .unwrap()
    };
    let mut first = sensor();
    for expected in [(1.0_f32, 0.003), (3.0, 0.011)] {
        let mut errors = Vec::new();
        for _ in 0..8 {
            let seen = first.observe(&world).unwrap();
            assert_eq!(seen.segmentation(), truth.segmentation());
            let both = seen.depth().iter().zip(truth.depth());
            let at_depth = both.filter(|(_, truth)| (**truth - expected.0).abs() < 1e-3);
            errors.extend(at_depth.map(|(seen, truth)| f64::from(seen - truth)));
        }
        let n = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / n;
        let deviation = (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / n).sqrt();
        // within five standard deviations of these two estimates
        assert!(n > 1000.0, "{n}");
        assert!(mean.abs() < 5.0 * expected.1 / n.sqrt(), "{mean}");
        assert!(
            (deviation / expected.1 - 1.0).abs() < 5.0 / (2.0 * n).sqrt(),
            "{deviation}"
        );
    }

    // pictures differ, and equal seeds give equal pictures
    let (mut a, mut b) = (sensor(), sensor());
    let of_a = [a.observe(&world).unwrap(), a.observe(&world).unwrap()];
    assert_eq!(
        of_a,
        [b.observe(&world).unwrap(), b.observe(&world).unwrap()]
    );
    assert_ne!(of_a[0], of_a[1]);
}

#[test]
fn points_of_depths_lie_on_what_is_seen() {
    let mut world = WorldModel::load(data("robots/arm6.urdf")).unwrap().value;
    let _ = world.load_element(data("terrains/table.env")).unwrap();
    let camera = Camera::of_world(&world, [60, 40]);
    let seen = picture(&world, &camera, &RenderOptions::default()).unwrap();
    let probe = world
        .add_rigid_object({
            let mut probe = kinworld::world::RigidObject::new("probe");
            let shape = Primitive::sphere(Point::origin(), 1e-6).unwrap();
            probe.geometry = Some(Geometry::from(shape));
            probe
        })
        .unwrap();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    let mut n = 0;
    for y in (0..40).step_by(3) {
        for x in (0..60).step_by(3) {
            let Some(entity) = seen.entity(x, y) else {
                continue;
            };
            let depth = f64::from(seen.depth()[y * 60 + x]);
            let at = [x as f64 + 0.5, y as f64 + 0.5];
            let p = camera.unproject(at, depth);
            let (back, z) = camera.project(&p).unwrap();
            assert!((z - depth).abs() < 1e-12 && (back[0] - at[0]).abs() < 1e-9);
            ws.set_pose(probe, &Pose::from(p.coords)).unwrap();
            let distance = collider
                .distance_with(EntityId::RigidObject(probe), entity, &mut ws)
                .unwrap();
            // round shapes are drawn with flat sides
            assert!(
                distance.distance.abs() < 2e-3,
                "{x} {y}: {}",
                distance.distance
            );
            n += 1;
        }
    }
    assert!(n > 30, "{n}");
    assert_eq!(
        camera.project(&(camera.pose * Point::new(0.1, 0.0, -1.0))),
        None
    );
}

#[test]
fn cameras_without_a_pose_or_a_range_are_refused() {
    let mut world = WorldModel::load(data("robots/arm6.urdf")).unwrap().value;
    let robot = world.robot("arm6").unwrap().id();
    let mut sensor = CameraSensor::on(robot, lens());
    assert_refused(
        sensor.observe(&world),
        "a link or an object carries a camera",
    );
    let link = world.robot(robot).unwrap().link("wrist").unwrap().entity();
    let mut sensor = CameraSensor::on(link, lens());
    world.remove(robot).unwrap();
    assert_refused(sensor.observe(&world), "has no pose in this world");
    for (near, far) in [
        (-1.0, 2.0),
        (2.0, 2.0),
        (f64::NAN, 2.0),
        (0.0, f64::NAN),
        (f64::INFINITY, f64::INFINITY),
    ] {
        let camera = lens().with_range(near, far);
        assert_refused(
            picture(&world, &camera, &RenderOptions::default()),
            "sees depths from",
        );
    }
    assert_refused(
        CameraSensor::new(lens()).with_depth_noise(-1e-3, 0.0, 1),
        "deviations of depths",
    );
}
