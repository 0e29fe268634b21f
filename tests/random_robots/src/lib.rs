//! Random robots, and the configuration of property tests.
//!
//! A package of its own because it is compiled once and optimised, where tests are not: strategies are boxed, so that no test
//! compiles them again.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use kinworld::math::{Inertia, so3};
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{LinkId, Point, Pose, Robot, RobotBuilder, Vector};
use nalgebra::Matrix3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Configuration of a property test with this many cases, the same ones in every run.
///
/// Where `KINWORLD_FULL` is set, there are at least a thousand, from a seed that is new in each run and printed;
/// `KINWORLD_SEED` repeats a run.
pub fn cases(cases: u32) -> ProptestConfig {
    seeded(FIXED_SEED, cases)
}

/// [`cases`] with a seed of its own where `KINWORLD_FULL` is not set.
pub fn seeded(seed: u64, cases: u32) -> ProptestConfig {
    let is_full = std::env::var_os("KINWORLD_FULL").is_some();
    let cases = if is_full { cases.max(1000) } else { cases };
    let seed = if is_full { drawn_seed() } else { seed };
    ProptestConfig {
        cases,
        // some tests keep one robot in five
        max_global_rejects: 16 * cases.max(64),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..ProptestConfig::default()
    }
}

const FIXED_SEED: u64 = 20_240_229;

/// The seed of this run: `KINWORLD_SEED`, or one from the clock.
fn drawn_seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| {
        let given = std::env::var("KINWORLD_SEED").ok();
        let seed = match given {
            Some(seed) => seed.parse().expect("KINWORLD_SEED is a number"),
            None => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(FIXED_SEED, |since| since.as_nanos() as u64),
        };
        show(seed);
        seed
    })
}

#[expect(
    clippy::print_stderr,
    reason = "a seed that is drawn has to be shown: the only place where a test prints"
)]
fn show(seed: u64) {
    eprintln!("property tests: KINWORLD_SEED={seed}");
}

/// A robot of 1 to 60 links: a chain, a star or anything between; revolute, prismatic and fixed links with axes in any
/// direction and of any length, zero included; half of the links have an armature.
pub fn any_robot() -> BoxedStrategy<Robot> {
    let axis = prop_oneof![5 => any_axis(), 1 => Just(Vector::zeros())];
    robot_of(any_link(axis, 0.0)).boxed()
}

/// Such a robot in which every link has a mass and a size, and every axis a length.
pub fn any_heavy_robot() -> BoxedStrategy<Robot> {
    let axis = any_axis().prop_map(|axis| axis + axis.normalize() * 0.2);
    robot_of(any_link(axis, 0.1)).boxed()
}

fn robot_of(
    link: impl Strategy<Value = (LinkSpec, prop::sample::Index)>,
) -> impl Strategy<Value = Robot> {
    let shape = prop_oneof![Just(Shape::Chain), Just(Shape::Star), Just(Shape::Any)];
    (shape, prop::collection::vec(link, 1..=60)).prop_map(|(shape, links)| {
        let mut robot = RobotBuilder::new("any");
        for (i, (mut link, parent)) in links.into_iter().enumerate() {
            link.parent = match shape {
                Shape::Chain => i.checked_sub(1),
                Shape::Star => (i > 0).then_some(0),
                // the world is as likely as each link before
                Shape::Any => parent.index(i + 1).checked_sub(1),
            }
            .map(LinkId::new);
            link.name = format!("link{i}");
            robot.add_link(link);
        }
        robot.build().expect("a robot of proper links")
    })
}

/// A robot with its configuration, velocity, acceleration, one of its links and a point on that.
pub fn any_moving_robot() -> BoxedStrategy<Moving> {
    moving(any_robot()).boxed()
}

/// [`any_heavy_robot`], moving.
pub fn any_moving_heavy_robot() -> BoxedStrategy<Moving> {
    moving(any_heavy_robot()).boxed()
}

fn moving(robot: impl Strategy<Value = Robot>) -> impl Strategy<Value = Moving> {
    let parts = robot.prop_flat_map(|robot| {
        let n = robot.n_dofs();
        let list = || prop::collection::vec(-3.0..3.0, n);
        (Just(robot), list(), list(), list())
    });
    (parts, any::<prop::sample::Index>(), any_vector(1.0)).prop_map(
        |((robot, q, dq, ddq), link, p)| Moving {
            link: LinkId::new(link.index(robot.links().len())),
            point: Point::from(p),
            robot,
            q,
            dq,
            ddq,
        },
    )
}

/// See [`any_moving_robot`].
#[derive(Debug)]
pub struct Moving {
    /// The robot.
    pub robot: Robot,
    /// Its configuration.
    pub q: Vec<f64>,
    /// Its velocity.
    pub dq: Vec<f64>,
    /// Its acceleration.
    pub ddq: Vec<f64>,
    /// One of its links.
    pub link: LinkId,
    /// A point on that link, in its frame.
    pub point: Point,
}

/// A vector with entries up to `size`.
pub fn any_vector(size: f64) -> BoxedStrategy<Vector> {
    prop::array::uniform3(-size..size)
        .prop_map(Vector::from)
        .boxed()
}

/// A pose within about a metre of the origin.
pub fn any_pose() -> BoxedStrategy<Pose> {
    let parts = (any_vector(0.5), any_vector(2.0));
    let pose = parts.prop_map(|(t, w)| {
        let rotation = so3::from_rotation_vector(&w);
        Pose::from_parts(t.into(), rotation)
    });
    pose.boxed()
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    Chain,
    Star,
    Any,
}

/// Any direction, those of the frame now and then.
fn any_axis() -> impl Strategy<Value = Vector> {
    prop_oneof![
        4 => any_vector(1.2),
        1 => prop::sample::select(vec![Vector::x(), -Vector::x(), -Vector::y(), Vector::z(), -Vector::z()]),
    ]
}

/// A link without a parent, and the index of one to choose. It has at least this mass in kg, and half this size in metres.
fn any_link(
    axis: impl Strategy<Value = Vector>,
    least: f64,
) -> impl Strategy<Value = (LinkSpec, prop::sample::Index)> {
    let motion = (0..5, axis).prop_map(|(kind, axis)| match kind {
        0 => LinkMotion::Fixed,
        1 => LinkMotion::Prismatic(axis),
        _ => LinkMotion::Revolute(axis),
    });
    let parts = (least..3.0, any_vector(0.3), any_vector(0.2));
    let inertia = parts.prop_map(move |(mass, com, extent)| {
        // a solid box
        let extent = extent.map(|x| x.abs() + 0.25 * least);
        let [x, y, z] = [extent.x, extent.y, extent.z].map(|x| x * x * mass / 3.0);
        Inertia {
            mass,
            com: Point::from(com),
            moment: Matrix3::from_diagonal(&Vector::new(y + z, z + x, x + y)),
        }
    });
    let armature = prop_oneof![Just(0.0), 0.0..0.5];
    let parent = any::<prop::sample::Index>();
    let parts = (motion, any_pose(), inertia, armature, parent);
    parts.prop_map(|(motion, placement, inertia, armature, parent)| {
        let mut link = LinkSpec::new("link", None, motion);
        link.placement = placement;
        link.inertia = inertia;
        link.armature = armature;
        (link, parent)
    })
}
