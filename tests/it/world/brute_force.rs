//! The collider against every pair of shapes, one by one, in random worlds.

use std::ops::Range;

use kinworld::geometry::{Geometry, Mesh, Primitive, Shape, query};
use kinworld::kinematics::State;
use kinworld::math::Rotation;
use kinworld::robot::{JointKind, LinkMotion, RobotBuilder};
use kinworld::world::{EntityId, PairFilter, WorldCollider, WorldModel};
use kinworld::{LinkId, Point, Pose, Robot, Vector};

use crate::common::random::SplitMix;

use super::{names, object, shaped_link, terrain};

/// Pseudorandom numbers.
pub(super) struct Random(SplitMix);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    pub(super) fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }

    pub(super) fn between(&mut self, range: Range<f64>) -> f64 {
        range.start + (range.end - range.start) * self.uniform()
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.uniform() * n as f64) as usize
    }

    pub(super) fn vector(&mut self, size: f64) -> Vector {
        Vector::from_fn(|_, _| self.between(-size..size))
    }

    pub(super) fn pose(&mut self, size: f64) -> Pose {
        Pose::from_parts(self.vector(size).into(), Rotation::new(self.vector(3.0)))
    }

    pub(super) fn shape(&mut self, size: f64) -> Geometry {
        let primitive = match self.below(4) {
            0 => Primitive::sphere(Point::from(self.vector(0.2)), self.between(0.1..size)),
            1 => Primitive::cuboid(
                self.pose(0.2),
                Vector::from_fn(|_, _| self.between(0.1..size)),
            ),
            2 => Primitive::capsule(self.vector(size).into(), self.vector(size).into(), 0.1),
            _ => {
                let corners = (0..4).map(|_| self.vector(size).into()).collect();
                let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
                return Mesh::new(corners, faces).unwrap().into();
            }
        };
        let margin = if self.below(3) == 0 { 0.05 } else { 0.0 };
        Geometry::from(primitive.unwrap())
            .with_margin(margin)
            .unwrap()
    }

    /// A random tree with welds, fixed links and links without a shape.
    fn robot(&mut self, name: &str, n_links: usize) -> Robot {
        let mut builder = RobotBuilder::new(name);
        for i in 0..n_links {
            let parent = (i > 0 && self.below(8) > 0).then(|| self.below(i));
            let motion = match self.below(5) {
                0 => LinkMotion::Fixed,
                1 => LinkMotion::Prismatic(self.vector(1.0)),
                _ => LinkMotion::Revolute(self.vector(1.0)),
            };
            let mut link = shaped_link(&format!("l{i}"), parent, motion, self.shape(0.4));
            link.placement = self.pose(0.6);
            // a robot of no shape at all is refused
            if self.below(5) == 0 && n_links > 1 {
                link.collision.clear();
            }
            let moves = !motion.is_fixed();
            let id = builder.add_link(link);
            if moves {
                let kind = if self.below(4) == 0 {
                    JointKind::Weld
                } else {
                    JointKind::Normal
                };
                builder.add_joint(kind, id, None);
            }
        }
        builder.build().unwrap()
    }

    pub(super) fn world(&mut self, n_objects: usize) -> WorldModel {
        let mut world = WorldModel::new();
        for i in 0..4 {
            world
                .add_terrain(terrain(&format!("t{i}"), self.shape(1.0)))
                .unwrap();
        }
        for i in 0..n_objects {
            let mut body = object(&format!("o{i}"), self.shape(0.4), [0.0; 3]);
            body.pose = self.pose(0.3 * (n_objects as f64).cbrt());
            world.add_rigid_object(body).unwrap();
        }
        for (i, n_links) in [7, 1, 5].into_iter().enumerate() {
            world.add_robot(self.robot(&format!("r{i}"), n_links));
        }
        world
    }

    pub(super) fn config(&mut self, robot: &Robot) -> Vec<f64> {
        (0..robot.n_dofs())
            .map(|_| self.between(-2.0..2.0))
            .collect()
    }
}

/// Whether only what is written about pairs in the documentation lets this pair count.
pub(super) fn is_enabled(world: &WorldModel, a: EntityId, b: EntityId) -> bool {
    match (a, b) {
        (EntityId::Terrain(_), EntityId::Terrain(_)) => false,
        (EntityId::Terrain(t), EntityId::Link(r, l)) => {
            let robot = world.robot(r).unwrap().model();
            let still = |l: LinkId| {
                robot.link(l).dof().is_none()
                    || robot
                        .joint_of(l)
                        .is_some_and(|joint| joint.kind == JointKind::Weld)
            };
            let parents = std::iter::successors(Some(l), |&l| robot.link(l).parent());
            let is_base = robot.link(l).parent().is_none() || parents.into_iter().all(still);
            let shape = robot.link(l).shape().unwrap();
            let initial = State::new(robot).pose(robot, l);
            let ground = world.geometry(t).unwrap();
            !(is_base
                && query::collides((shape, &initial), (&ground.geometry, &ground.pose)).unwrap())
        }
        (EntityId::Link(r, i), EntityId::Link(s, j)) if r == s => {
            world.robot(r).unwrap().model().self_collision_enabled(i, j)
        }
        _ => true,
    }
}

pub(super) fn shaped(world: &WorldModel) -> Vec<EntityId> {
    let ids = world.klampt_ids();
    ids.iter()
        .filter(|&entity| world.geometry(entity).is_some())
        .collect()
}

pub(super) fn brute_force_pairs(world: &WorldModel) -> Vec<(EntityId, EntityId)> {
    let entities = shaped(world);
    let mut pairs = Vec::new();
    for (i, &a) in entities.iter().enumerate() {
        for &b in &entities[i + 1..] {
            let [x, y] = [a, b].map(|entity| world.geometry(entity).unwrap());
            if is_enabled(world, a, b)
                && query::collides((&x.geometry, &x.pose), (&y.geometry, &y.pose)).unwrap()
            {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

#[test]
fn the_colliding_pairs_are_those_that_a_look_at_every_pair_finds() {
    let mut n_pairs = 0;
    for seed in 0..24 {
        let mut random = Random::new(seed);
        let mut world = random.world(12);
        let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
        let mut ws = collider.workspace();
        let mut pairs = Vec::new();
        for _ in 0..6 {
            let ids: Vec<_> = world.robots().map(|robot| robot.id()).collect();
            for &id in &ids {
                let q = random.config(world.robot(id).unwrap().model());
                world.robot_mut(id).unwrap().set_config(&q).unwrap();
                ws.set_config(id, &q).unwrap();
            }
            let expected = brute_force_pairs(&world);
            n_pairs += expected.len();
            collider.colliding_pairs_with(&mut ws, &mut pairs);
            assert_eq!(
                names(&world, &pairs),
                names(&world, &expected),
                "world {seed}"
            );

            // the same world frozen now says the same
            let now = WorldCollider::new(&world, &PairFilter::default()).unwrap();
            assert_eq!(now.colliding_pairs(), expected);

            // a first hit is one of them, and there is none only where they are none
            let first = collider.first_collision_with(&mut ws);
            assert!(first.map_or(expected.is_empty(), |pair| expected.contains(&pair)));
            for id in ids {
                let of_robot = |pair: &(EntityId, EntityId)| {
                    [pair.0, pair.1].iter().any(|e| e.robot() == Some(id))
                };
                let hit = collider.robot_collision_with(id, &mut ws).unwrap();
                let any = expected.iter().any(of_robot);
                assert!(hit.map_or(!any, |pair| of_robot(&pair) && expected.contains(&pair)));
                assert_eq!(collider.robot_collides_with(id, &mut ws).unwrap(), any);
            }
        }
    }
    assert!(
        n_pairs > 1000,
        "only {n_pairs} pairs: the worlds are too empty to show anything"
    );
}

/// The margin of a shape; a link's shape is a group of one.
fn margin(geometry: &Geometry) -> f64 {
    match geometry.shape() {
        Shape::Group(members) => members[0].1.margin(),
        _ => geometry.margin(),
    }
}

#[test]
fn a_distance_to_a_robot_is_that_to_its_nearest_link() {
    let mut n_apart = 0;
    for seed in 100..110 {
        let world = Random::new(seed).world(10);
        let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
        let links = |entity: EntityId| match entity {
            EntityId::Robot(id) => {
                let links = world.robot(id).unwrap().links();
                links
                    .filter(|link| link.geometry().is_some())
                    .map(|link| link.entity())
                    .collect()
            }
            other => vec![other],
        };
        let entities = || world.klampt_ids().iter().collect::<Vec<_>>();
        for a in entities() {
            for b in entities() {
                let mut best = f64::INFINITY;
                for x in links(a) {
                    for y in links(b) {
                        let (Some(x), Some(y)) = (world.geometry(x), world.geometry(y)) else {
                            continue;
                        };
                        let found = query::distance((&x.geometry, &x.pose), (&y.geometry, &y.pose))
                            .unwrap();
                        best = best.min(found.distance);
                    }
                }
                let Ok(answer) = collider.distance(a, b) else {
                    assert!(best.is_infinite());
                    continue;
                };
                assert!(answer.distance.total_cmp(&best).is_eq());
                assert_eq!(answer.on_a.is_some(), best > 0.0);
                assert_eq!(answer.on_b.is_some(), best > 0.0);
                n_apart += usize::from(best > 0.0);
                // the points are on the elements that are named: as far apart as the margins and the distance say
                if let (Some(on_a), Some(on_b)) = (answer.on_a, answer.on_b) {
                    let margin = |entity| margin(&world.geometry(entity).unwrap().geometry);
                    assert!(links(a).contains(&answer.a) && links(b).contains(&answer.b));
                    let gap = best + margin(answer.a) + margin(answer.b);
                    assert!(((on_a - on_b).norm() - gap).abs() < 1e-9);
                }
            }
        }
    }
    assert!(n_apart > 500, "only {n_apart} pairs are apart");
}

#[test]
fn the_nearest_pairs_are_the_first_of_all() {
    let mut n_apart = 0;
    for seed in 150..160 {
        let mut random = Random::new(seed);
        let world = random.world(12);
        let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
        let mut ws = collider.workspace();
        let mut nearest = Vec::new();
        for turn in 0..3 {
            if turn > 0 {
                for robot in world.robots() {
                    let q = random.config(robot.model());
                    ws.set_config(robot.id(), &q).unwrap();
                }
                let (id, _) = world.rigid_objects().next().unwrap();
                ws.set_pose(id, &random.pose(1.0)).unwrap();
            }
            let pairs: Vec<_> = collider.pairs().collect();
            let mut all: Vec<f64> = Vec::new();
            for &(a, b) in &pairs {
                all.push(collider.distance_with(a, b, &mut ws).unwrap().distance);
            }
            all.sort_unstable_by(f64::total_cmp);
            let n_zero = all.iter().filter(|distance| **distance == 0.0).count();
            for n in [0, 1, n_zero, n_zero + 1, n_zero + 20, all.len() - 1, 1000] {
                collider.nearest_pairs_with(n, &mut ws, &mut nearest);
                let distances: Vec<f64> = nearest.iter().map(|found| found.distance).collect();
                assert_eq!(distances, all[..n.min(all.len())], "{seed} {turn} {n}");
                for two in nearest.windows(2) {
                    let is_tie = two[0].distance.total_cmp(&two[1].distance).is_eq();
                    assert!(!is_tie || (two[0].a, two[0].b) < (two[1].a, two[1].b));
                }
                let mut seen: Vec<_> = nearest.iter().map(|found| (found.a, found.b)).collect();
                for found in &nearest {
                    assert!(pairs.contains(&(found.a, found.b)), "{found:?}");
                    let other = collider.distance_with(found.a, found.b, &mut ws).unwrap();
                    assert_eq!((found.on_a, found.on_b), (other.on_a, other.on_b));
                }
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), nearest.len(), "a pair is listed twice");
            }
            n_apart += all.len() - n_zero;
            if turn == 0 {
                collider.nearest_pairs_with(7, &mut ws, &mut nearest);
                assert_eq!(collider.nearest_pairs(7), nearest);
            }
        }
    }
    assert!(n_apart > 1000, "only {n_apart} pairs are apart");
}

#[test]
fn a_ray_meets_what_is_nearest_of_all() {
    let (mut n_hits, mut n_misses) = (0, 0);
    for seed in 200..220 {
        let mut random = Random::new(seed);
        let world = random.world(20);
        let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
        let mut ws = collider.workspace();
        for _ in 0..50 {
            let (origin, direction) = (Point::from(random.vector(2.0)), random.vector(5.0));
            let hits = shaped(&world).into_iter().filter_map(|entity| {
                let x = world.geometry(entity).unwrap();
                let hit =
                    query::ray_cast((&x.geometry, &x.pose), &origin, &direction, f64::INFINITY);
                Some((entity, hit.unwrap()?))
            });
            let nearest = hits.min_by(|a, b| a.1.distance.total_cmp(&b.1.distance));
            let found = collider
                .ray_cast_with(&origin, &direction, &mut ws)
                .unwrap();
            assert_eq!(found.map(|found| (found.entity, found.hit)), nearest);
            n_hits += usize::from(nearest.is_some());
            n_misses += usize::from(nearest.is_none());
        }
    }
    assert!(
        n_hits > 100 && n_misses > 100,
        "{n_hits} hits, {n_misses} misses"
    );
}

#[test]
fn a_robot_collides_with_itself_where_the_collider_says_so() {
    let mut n_pairs = 0;
    for seed in 300..340 {
        let mut random = Random::new(seed);
        let mut world = WorldModel::new();
        let id = world.add_robot(random.robot("alone", 9));
        let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
        let mut ws = collider.workspace();
        let q = random.config(world.robot(id).unwrap().model());
        world.robot_mut(id).unwrap().set_config(&q).unwrap();
        ws.set_config(id, &q).unwrap();
        let mut pairs = Vec::new();
        collider.colliding_pairs_with(&mut ws, &mut pairs);
        let own = world.robot(id).unwrap().self_collisions().unwrap();
        let own: Vec<_> = own
            .iter()
            .map(|&(a, b)| ((id, a).into(), (id, b).into()))
            .collect();
        assert_eq!(pairs, own);
        n_pairs += pairs.len();
        let state = world.robot(id).unwrap().state().clone();
        assert_eq!(ws.state(id).unwrap().config(), state.config());
    }
    assert!(n_pairs > 30, "only {n_pairs} pairs");
}

/// More links than the collider lists pairs for, and more objects than one leaf of its tree holds.
#[test]
fn a_crowd_is_judged_as_a_few_are() {
    let mut random = Random::new(400);
    let mut world = WorldModel::new();
    for i in 0..300 {
        let mut body = object(&format!("o{i}"), random.shape(0.4), [0.0; 3]);
        body.pose = random.pose(2.5);
        world.add_rigid_object(body).unwrap();
    }
    let mut builder = RobotBuilder::new("swarm");
    for i in 0..450 {
        let mut link = shaped_link(
            &format!("l{i}"),
            None,
            LinkMotion::Prismatic(random.vector(1.0)),
            random.shape(0.3),
        );
        link.placement = random.pose(2.5);
        builder.add_link(link);
    }
    let swarm = world.add_robot(builder.build().unwrap());
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    for _ in 0..3 {
        let q = random.config(world.robot(swarm).unwrap().model());
        world.robot_mut(swarm).unwrap().set_config(&q).unwrap();
        ws.set_config(swarm, &q).unwrap();
        let mut pairs = Vec::new();
        collider.colliding_pairs_with(&mut ws, &mut pairs);
        let expected = brute_force_pairs(&world);
        assert_eq!(names(&world, &pairs), names(&world, &expected));
        assert!(pairs.len() > 300, "only {} pairs", pairs.len());
    }
}
