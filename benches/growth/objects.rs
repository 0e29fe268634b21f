//! Worlds of many rigid objects: all of them move, or one.

use std::hint::black_box;

use kinworld::geometry::{Geometry, Primitive};
use kinworld::world::{PairFilter, RigidObject, RigidObjectId, Workspace, WorldCollider};
use kinworld::{EntityId, Pose, WorldModel};

use super::{print_head, print_row, time};

const SIZES: [usize; 4] = [10, 100, 1000, 10_000];

/// Prints the table.
pub(super) fn print() {
    print_head("objects", &SIZES);
    let mut rows: [Vec<f64>; 4] = Default::default();
    for n in SIZES {
        let scene = Scene::new(n);
        rows[0].push(time(|| {
            black_box(
                WorldCollider::new(&scene.world, &PairFilter::default()).expect("a collider"),
            );
        }));
        let collider =
            WorldCollider::new(&scene.world, &PairFilter::default()).expect("a collider");
        let (mut ws, mut pairs) = (collider.workspace(), Vec::new());
        let mut round = 0;
        rows[1].push(time(|| {
            round += 1;
            scene.move_all(&mut ws, round);
            collider.colliding_pairs_with(&mut ws, &mut pairs);
        }));
        rows[2].push(time(|| {
            round += 1;
            scene.move_one(&mut ws, 0, round);
            collider.colliding_pairs_with(&mut ws, &mut pairs);
        }));
        rows[3].push(time(|| {
            round += 1;
            scene.move_one(&mut ws, round % n, round);
            collider.colliding_pairs_with(&mut ws, &mut pairs);
        }));
        check(&scene, &collider, &mut ws);
    }
    let names = [
        "freeze the world",
        "all move, colliding pairs",
        "one moves, colliding pairs",
        "one after the other moves, colliding pairs",
    ];
    for (name, times) in names.iter().zip(&rows) {
        print_row(name, &SIZES, times);
    }
}

/// Small boxes and balls in a cube whose volume grows with their number, so that a few of a hundred collide.
struct Scene {
    world: WorldModel,
    ids: Vec<RigidObjectId>,
    side: f64,
}

impl Scene {
    fn new(n: usize) -> Self {
        let shapes = [
            Primitive::cuboid(Pose::identity(), [0.1, 0.08, 0.05].into()),
            Primitive::sphere([0.0; 3].into(), 0.05),
        ];
        let shapes = shapes.map(|shape| Geometry::from(shape.expect("a shape")));
        let mut world = WorldModel::new();
        let mut ids = vec![];
        for i in 0..n {
            let mut object = RigidObject::new(format!("object {i}"));
            object.geometry = Some(shapes[i % 2].clone());
            ids.push(world.add_rigid_object(object).expect("an object"));
        }
        let side = 0.3 * (n as f64).cbrt();
        let mut scene = Self { world, ids, side };
        for i in 0..n {
            let pose = scene.pose(i, 0);
            let mut object = scene
                .world
                .rigid_object_mut(scene.ids[i])
                .expect("an object");
            object.set_pose(&pose).expect("a pose");
        }
        scene
    }

    /// Some pose of an object in a round, without pattern.
    fn pose(&self, i: usize, round: usize) -> Pose {
        let mut x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (round as u64).wrapping_mul(0xd129_0f37_c0a5_2b5d);
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 11) as f64 / (1_u64 << 53) as f64
        };
        next();
        Pose::translation(next() * self.side, next() * self.side, next() * self.side)
    }

    fn move_all(&self, ws: &mut Workspace, round: usize) {
        for i in 0..self.ids.len() {
            self.move_one(ws, i, round);
        }
    }

    fn move_one(&self, ws: &mut Workspace, i: usize, round: usize) {
        ws.set_pose(self.ids[i], &self.pose(i, round))
            .expect("a pose");
    }
}

/// Compares with the world frozen anew at the same poses.
fn check(scene: &Scene, collider: &WorldCollider, ws: &mut Workspace) {
    let mut world = scene.world.clone();
    for &id in &scene.ids {
        let pose = ws.pose(id).expect("a pose");
        let mut object = world.rigid_object_mut(id).expect("an object");
        object.set_pose(&pose).expect("a pose");
    }
    let mut pairs: Vec<(EntityId, EntityId)> = vec![];
    collider.colliding_pairs_with(ws, &mut pairs);
    let now = WorldCollider::new(&world, &PairFilter::default()).expect("a collider");
    assert_eq!(pairs, now.colliding_pairs());
}
