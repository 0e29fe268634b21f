//! Pictures: depths and elements as geometry says, colours as light does.

mod sensor;

use kinworld::geometry::{Mesh, Primitive};
use kinworld::render::{Camera, RenderOptions, picture};
use kinworld::robot::{Element, LinkMotion, LinkSpec};
use kinworld::world::{PairFilter, RigidObject, WorldCollider};
use kinworld::{Error, Geometry, Point, Pose, RobotBuilder, Rotation, Vector, WorldModel};

use crate::common::files::data;

fn with(shapes: &[(&str, Geometry, Pose)]) -> WorldModel {
    let mut world = WorldModel::new();
    for (name, shape, pose) in shapes {
        let mut object = RigidObject::new(*name);
        object.geometry = Some(shape.clone());
        object.pose = *pose;
        world.add_rigid_object(object).unwrap();
    }
    world
}

fn cuboid(x: f64, y: f64, z: f64) -> Geometry {
    Primitive::cuboid(Pose::identity(), Vector::new(x, y, z))
        .unwrap()
        .into()
}

/// The ray of the centre of a pixel: origin, and direction of length 1 along the optical axis.
fn ray(camera: &Camera, x: usize, y: usize) -> (Point, Vector) {
    let [u, v] = [
        x as f64 + 0.5 - camera.center[0],
        y as f64 + 0.5 - camera.center[1],
    ];
    let direction = Vector::new(u / camera.focal[0], v / camera.focal[1], 1.0);
    (
        camera.pose.translation.vector.into(),
        camera.pose.rotation * direction,
    )
}

#[test]
fn depths_of_a_box_are_those_of_its_planes() {
    let turned = Pose::from_parts(
        Vector::new(0.3, -0.2, 0.4).into(),
        Rotation::new(Vector::new(0.3, 0.5, -0.4)),
    );
    let world = with(&[("box", cuboid(0.6, 0.8, 1.0), turned)]);
    let camera = Camera::looking_at(
        Point::new(2.0, -2.5, 1.6),
        Point::new(0.3, -0.2, 0.4),
        [160, 120],
        0.7,
    );
    let seen = picture(&world, &camera, &RenderOptions::default()).unwrap();
    let (mut n_hits, mut n_apart) = (0, 0);
    for y in 0..120 {
        for x in 0..160 {
            let (origin, direction) = ray(&camera, x, y);
            let (o, d) = (turned.inverse() * origin, turned.inverse() * direction);
            let (mut low, mut high) = (0.0_f64, f64::INFINITY);
            for (k, half) in [0.3, 0.4, 0.5].into_iter().enumerate() {
                let (a, b) = ((-half - o[k]) / d[k], (half - o[k]) / d[k]);
                (low, high) = (low.max(a.min(b)), high.min(a.max(b)));
            }
            let depth = f64::from(seen.depth()[y * 160 + x]);
            if (low <= high) != depth.is_finite() {
                // a ray along an edge
                n_apart += 1;
            } else if low <= high {
                assert!((depth - low).abs() < 2e-5 * low, "{x} {y}: {depth} {low}");
                n_hits += 1;
            }
        }
    }
    assert!(n_hits > 2000 && n_apart < 5, "{n_hits} {n_apart}");
}

#[test]
fn a_sphere_is_round_and_shaded_like_one() {
    let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    let world = with(&[("ball", ball, Pose::translation(0.0, 0.0, 1.0))]);
    let camera = Camera::looking_at(
        Point::new(4.0, 0.0, 1.0),
        Point::new(0.0, 0.0, 1.0),
        [200, 200],
        0.4,
    );
    let seen = picture(&world, &camera, &RenderOptions::default()).unwrap();
    for y in 0..200 {
        for x in 0..200 {
            let (origin, direction) = ray(&camera, x, y);
            let to = Point::new(0.0, 0.0, 1.0) - origin;
            let along = to.dot(&direction) / direction.norm();
            let miss = (to.norm_squared() - along * along).max(0.0).sqrt();
            let depth = f64::from(seen.depth()[y * 200 + x]);
            // the triangles lie a little inside
            if miss < 0.49 {
                let expected = (along - (0.25 - miss * miss).sqrt()) / direction.norm();
                assert!(
                    (depth - expected).abs() < 0.02,
                    "{x} {y}: {depth} {expected}"
                );
            } else if miss > 0.5 {
                assert!(depth.is_infinite());
            }
        }
    }
    // light comes from above, and smoothly so: no step from triangle to triangle
    let bright = |x: usize, y: usize| i32::from(seen.rgb()[3 * (y * 200 + x) + 1]);
    assert!(bright(100, 55) > bright(100, 145) + 30);
    for y in 45..150 {
        assert!((bright(100, y) - bright(100, y + 1)).abs() < 14, "{y}");
    }
}

#[test]
fn elements_are_those_that_rays_of_the_collider_meet() {
    let mut world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let mut builder = RobotBuilder::new("post");
    let mut link = LinkSpec::new("pole", None, LinkMotion::Fixed);
    link.collision.push(Element::new(cuboid(0.1, 0.1, 1.5)));
    builder.add_link(link);
    world.add_robot(builder.build().unwrap());
    let camera = Camera::of_world(&world, [120, 90]);
    let seen = picture(&world, &camera, &RenderOptions::default()).unwrap();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let (mut n, mut n_apart) = (0, 0);
    let mut kinds = std::collections::BTreeSet::new();
    for y in (0..90).step_by(2) {
        for x in 0..120 {
            let (origin, direction) = ray(&camera, x, y);
            let hit = collider.ray_cast(&origin, &direction).unwrap();
            let expected = hit.map(|hit| hit.entity);
            n += usize::from(expected.is_some());
            kinds.extend(expected.map(|entity| entity.kind()));
            n_apart += usize::from(expected != seen.entity(x, y));
        }
    }
    assert!(n > 500, "{n}");
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    // round shapes have triangles here
    assert!(n_apart * 50 < n, "{n_apart} of {n}");
}

/// Enough triangles for a tree that is built on several threads: the rays of the collider have another one.
#[test]
fn depths_of_a_mesh_of_many_triangles_are_those_of_rays() {
    const N: u32 = 120;
    let height = |i: u32, k: u32| 0.1 * (f64::from(i) * 0.21).sin() * (f64::from(k) * 0.13).cos();
    let vertices = (0..=N).flat_map(|i| {
        (0..=N).map(move |k| Point::new(f64::from(i) * 0.01, f64::from(k) * 0.01, height(i, k)))
    });
    let triangles = (0..N).flat_map(|i| {
        (0..N).flat_map(move |k| {
            let a = i * (N + 1) + k;
            [[a, a + N + 1, a + 1], [a + 1, a + N + 1, a + N + 2]]
        })
    });
    let mesh = Mesh::new(vertices.collect(), triangles.collect()).unwrap();
    let world = with(&[
        ("waves", mesh.clone().into(), Pose::identity()),
        ("others", mesh.into(), Pose::translation(0.3, 0.4, -0.5)),
    ]);
    let camera = Camera::of_world(&world, [160, 120]);
    let seen = picture(&world, &camera, &RenderOptions::default()).unwrap();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let (mut n_hits, mut n_apart) = (0, 0);
    for y in 0..120 {
        for x in 0..160 {
            let (origin, direction) = ray(&camera, x, y);
            let hit = collider.ray_cast(&origin, &direction).unwrap();
            let depth = f64::from(seen.depth()[y * 160 + x]);
            let is_same = match &hit {
                Some(hit) => {
                    let expected = (hit.hit.point - origin).norm() / direction.norm();
                    seen.entity(x, y) == Some(hit.entity) && (depth - expected).abs() < 1e-4
                }
                None => depth.is_infinite(),
            };
            n_hits += usize::from(hit.is_some());
            n_apart += usize::from(!is_same);
        }
    }
    assert!(n_hits > 5000, "{n_hits}");
    // single precision decides at silhouettes
    assert!(n_apart * 200 < n_hits, "{n_apart} of {n_hits}");
}

#[test]
fn a_shadow_lies_on_the_ground_and_nowhere_without_them() {
    let world = with(&[(
        "box",
        cuboid(0.4, 0.4, 0.4),
        Pose::translation(0.0, 0.0, 0.5),
    )]);
    let camera = Camera::looking_at(Point::new(0.0, -3.0, 2.0), Point::origin(), [120, 120], 0.8);
    let darkest = |options: &RenderOptions| {
        let seen = picture(&world, &camera, options).unwrap();
        let ground = seen.segmentation().iter().zip(seen.rgb().chunks(3));
        let ground = ground.filter(|(id, _)| **id == 0).map(|(_, rgb)| rgb[0]);
        ground.min().unwrap()
    };
    let options = RenderOptions::default();
    assert!(darkest(&options) < 200);
    let plain = options.with_shadows(false).with_smooth_edges(false);
    assert_eq!(darkest(&plain), 243);
}

#[test]
fn edges_are_smooth_and_colliding_elements_red() {
    let world = with(&[("box", cuboid(0.4, 0.4, 0.4), Pose::identity())]);
    let camera = Camera::looking_at(Point::new(2.0, 0.3, 0.2), Point::origin(), [80, 80], 0.5);
    let colors = |options: &RenderOptions| {
        let seen = picture(&world, &camera, options).unwrap();
        let mut all: Vec<[u8; 3]> = seen.rgb().chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let plain = RenderOptions::default().with_shadows(false);
    let rough = colors(&plain.clone().with_smooth_edges(false));
    let smooth = colors(&plain);
    assert!(
        rough.len() < smooth.len(),
        "{} {}",
        rough.len(),
        smooth.len()
    );
    let id = world.rigid_objects().next().unwrap().0;
    let red = colors(&plain.with_red([id.into()]));
    assert!(
        red.iter()
            .any(|[r, g, b]| *r > 150 && *r > 2 * g && *r > 2 * b)
    );
}

#[test]
fn what_is_behind_glass_is_seen() {
    let mut builder = RobotBuilder::new("window");
    let mut link = LinkSpec::new("pane", None, LinkMotion::Fixed);
    let mut pane = Element::placed(cuboid(0.02, 2.0, 2.0), Pose::translation(1.0, 0.0, 0.0));
    let glass = kinworld::geometry::Appearance {
        color: Some([0.0, 0.0, 1.0, 0.3]),
        ..Default::default()
    };
    pane.appearance = Some(glass);
    link.visual.push(pane);
    builder.add_link(link);
    let mut world = with(&[("box", cuboid(0.5, 0.5, 0.5), Pose::identity())]);
    world.add_robot(builder.build().unwrap());
    let camera = Camera::looking_at(Point::new(3.0, 0.0, 0.0), Point::origin(), [9, 9], 0.5);
    let seen = picture(&world, &camera, &RenderOptions::default()).unwrap();
    // the pane is the first, and the green of the box still comes through
    assert_eq!(seen.entity(4, 4).map(|entity| entity.kind()), Some("link"));
    let pixel = &seen.rgb()[3 * 40..3 * 41];
    assert!(pixel[1] > 30 && pixel[2] > pixel[1], "{pixel:?}");
    assert_eq!(seen.entity(9, 0), None);
}

#[test]
fn cameras_that_see_nothing_are_refused() {
    let world = WorldModel::new();
    let at = |size: [usize; 2], angle: f64| {
        let camera = Camera::looking_at(Point::new(1.0, 0.0, 0.0), Point::origin(), size, angle);
        picture(&world, &camera, &RenderOptions::default()).map(|_| ())
    };
    assert_eq!(at([3, 2], 0.5), Ok(()));
    for (size, angle) in [
        ([0, 2], 0.5),
        ([3, 100_000], 0.5),
        ([3, 2], 0.0),
        ([3, 2], f64::NAN),
        ([3, 2], 4.0),
    ] {
        assert!(
            matches!(at(size, angle), Err(Error::Invalid { .. })),
            "{size:?} {angle}"
        );
    }
}

#[cfg(feature = "render")]
#[test]
fn pictures_are_png_of_8_and_16_bits() {
    let world = with(&[("box", cuboid(0.4, 0.4, 0.4), Pose::identity())]);
    let seen = picture(
        &world,
        &Camera::of_world(&world, [33, 21]),
        &RenderOptions::default(),
    )
    .unwrap();
    for (bytes, bits, color) in [
        (seen.to_png(), 8, 2),
        (seen.depth_to_png(), 16, 0),
        (seen.segmentation_to_png(), 16, 0),
    ] {
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
        assert_eq!(bytes[16..26], [0, 0, 0, 33, 0, 0, 0, 21, bits, color]);
    }
}

#[test]
fn a_large_ground_does_not_make_what_stands_on_it_small() {
    let on_ground = |width: f64| {
        let mut world = with(&[(
            "box",
            cuboid(0.4, 0.4, 0.4),
            Pose::translation(0.0, 0.0, 0.2),
        )]);
        let ground = cuboid(width, width, 10.0);
        let moved = Geometry::group(vec![(Pose::translation(0.0, 0.0, -5.0), ground)]);
        let terrain = kinworld::world::Terrain::new("ground", Some(moved));
        world.add_terrain(terrain).unwrap();
        let camera = Camera::of_world(&world, [90, 60]);
        let seen = picture(&world, &camera, &RenderOptions::default()).unwrap();
        let object = world.rigid_objects().next().unwrap().0;
        let is_box = |i: usize| seen.entity(i % 90, i / 90) == Some(object.into());
        (0..90 * 60).filter(|i| is_box(*i)).count()
    };
    assert!(on_ground(200.0) > 500, "{}", on_ground(200.0));
    // a table is a part of the picture
    assert!(on_ground(3.0) < 500, "{}", on_ground(3.0));
}
