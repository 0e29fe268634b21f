//! Objects in hands.

use kinworld::kinematics::State;
use kinworld::math::Rotation;
use kinworld::robot::{Element, RobotBuilder};
use kinworld::world::{EntityId, PairFilter, RigidObjectId, RobotId, WorldCollider, WorldModel};
use kinworld::{Error, LinkId, Pose, Vector};

use super::{ball, block, is_invalid, object, string_of_balls, terrain};
use crate::common::random::Random;

/// A string of five balls above a floor, cups beside it, and another string.
struct Scene {
    world: WorldModel,
    arm: RobotId,
    cup: RigidObjectId,
}

/// Where the cup is in the last ball.
fn in_hand() -> Pose {
    Pose::new(Vector::new(0.35, 0.1, 0.05), Vector::new(0.2, -0.4, 0.9))
}

impl Scene {
    fn new() -> Self {
        let mut world = WorldModel::new();
        let floor = block([-9.0, -9.0, -1.0], [9.0, 9.0, -0.31]);
        world.add_terrain(terrain("floor", floor)).unwrap();
        let post = block([1.5, 1.0, -0.3], [1.9, 1.4, 0.5]);
        world.add_terrain(terrain("post", post)).unwrap();
        let arm = world.add_robot(string_of_balls("arm", 5));
        let shape = block([-0.2, -0.1, -0.1], [0.3, 0.1, 0.15]);
        let shape = shape.with_margin(0.01).unwrap();
        // the first is held, so that what stands still has larger handles
        let cup = world.add_rigid_object(object("cup", shape, [2.0, 2.0, 2.0]));
        let cup = cup.unwrap();
        for (name, at) in [("can", [2.0, -1.0, 0.0]), ("tin", [-1.0, 0.5, 0.1])] {
            world.add_rigid_object(object(name, ball(0.3), at)).unwrap();
        }
        let mut other = RobotBuilder::from(&string_of_balls("other", 2));
        other.links[0].placement = Pose::translation(0.0, -2.5, 0.0);
        world.add_robot(other.build().unwrap());
        Self { world, arm, cup }
    }

    fn tip(&self) -> EntityId {
        EntityId::Link(self.arm, LinkId::new(4))
    }

    /// With the cup in the hand.
    fn held() -> Self {
        let mut scene = Self::new();
        let finger = EntityId::Link(scene.arm, LinkId::new(3));
        let (cup, tip) = (scene.cup, scene.tip());
        scene.world.grasp(cup, tip, &in_hand(), &[finger]).unwrap();
        scene
    }

    /// With the cup as a part of the link's shape.
    fn grown() -> Self {
        let mut scene = Self::new();
        let shape = scene
            .world
            .rigid_object(scene.cup)
            .unwrap()
            .geometry
            .clone();
        let shape = shape.unwrap();
        let mut builder = RobotBuilder::from(&**scene.world.robot(scene.arm).unwrap().model());
        builder.links[4]
            .collision
            .push(Element::placed(shape, in_hand()));
        let grown = builder.build().unwrap();
        scene.world.replace_robot(scene.arm, grown).unwrap();
        scene.world.remove(scene.cup).unwrap();
        scene
    }

    fn collider(&self) -> WorldCollider {
        WorldCollider::new(&self.world, &PairFilter::default()).unwrap()
    }
}

fn random(random: &mut Random, n: usize) -> Vec<f64> {
    (0..n).map(|_| 2.4 * random.unit()).collect()
}

#[test]
fn a_held_object_moves_with_its_link() {
    let mut scene = Scene::held();
    let mut numbers = Random::new(1);
    for _ in 0..20 {
        let (q, dq) = (random(&mut numbers, 5), random(&mut numbers, 5));
        let mut arm = scene.world.robot_mut(scene.arm).unwrap();
        arm.set_config(&q).unwrap();
        arm.set_velocity(&dq).unwrap();
        let expected = scene.world.pose(scene.tip()).unwrap() * in_hand();
        let cup = scene.world.rigid_object(scene.cup).unwrap();
        assert_eq!(cup.pose, expected);

        // against differences of the pose
        let h = 1e-6;
        let moved = |sign: f64| {
            let mut world = scene.world.clone();
            let there: Vec<f64> = q.iter().zip(&dq).map(|(q, dq)| q + sign * h * dq).collect();
            world
                .robot_mut(scene.arm)
                .unwrap()
                .set_config(&there)
                .unwrap();
            world.rigid_object(scene.cup).unwrap().pose
        };
        let (before, after) = (moved(-1.0), moved(1.0));
        let linear = (after.translation.vector - before.translation.vector) / (2.0 * h);
        // the axis of a small turn, from what is not symmetric in its matrix
        let turn: Rotation = after.rotation * before.rotation.inverse();
        let r = turn.matrix();
        let axis = Vector::new(
            r[(2, 1)] - r[(1, 2)],
            r[(0, 2)] - r[(2, 0)],
            r[(1, 0)] - r[(0, 1)],
        );
        let angular = 0.5 * axis / (2.0 * h);
        assert!((linear - cup.velocity).norm() < 1e-7, "{linear}");
        assert!((angular - cup.angular_velocity).norm() < 1e-7, "{angular}");
    }
}

#[test]
fn attaching_and_detaching_leave_an_object_where_it_is() {
    let mut scene = Scene::new();
    let numbers: Vec<_> = scene.world.klampt_ids().iter().collect();
    let before = scene.world.rigid_object(scene.cup).unwrap().pose;
    let (cup, tip) = (scene.cup, scene.tip());
    scene.world.attach("cup", tip, &[]).unwrap();
    assert_eq!(scene.world.rigid_object(cup).unwrap().pose, before);
    assert_eq!(scene.world.carrier(cup), Some((scene.arm, LinkId::new(4))));

    let mut arm = scene.world.robot_mut(scene.arm).unwrap();
    arm.set_config(&[0.1, 0.2, 0.3, 0.4, 0.5]).unwrap();
    let there = scene.world.rigid_object(cup).unwrap().pose;
    assert_ne!(there, before);
    let held = scene.world.detach(cup).unwrap();
    assert_eq!((held.robot(), held.link()), (scene.arm, LinkId::new(4)));
    let mut arm = scene.world.robot_mut(scene.arm).unwrap();
    arm.set_config(&[0.0; 5]).unwrap();
    assert_eq!(scene.world.rigid_object(cup).unwrap().pose, there);
    assert_eq!(scene.world.carrier(cup), None);

    // it is a rigid object all the time, with the same number
    assert_eq!(scene.world.klampt_ids().iter().collect::<Vec<_>>(), numbers);
}

#[test]
fn the_pairs_of_a_held_object_are_those_of_the_rule() {
    let mut scene = Scene::held();
    let floor = scene.world.entity("floor").unwrap();
    let other = scene.world.entity("other").unwrap();
    for touch in [
        vec![],
        vec![floor],
        vec![floor, other],
        vec![scene.arm.into()],
    ] {
        let (cup, tip) = (scene.cup, scene.tip());
        scene.world.grasp(cup, tip, &in_hand(), &touch).unwrap();
        let may_touch = |entity: EntityId| {
            let robot = entity.robot().map(EntityId::Robot);
            entity == tip || touch.contains(&entity) || robot.is_some_and(|r| touch.contains(&r))
        };
        let collider = scene.collider();
        for entity in collider.elements() {
            let expected = entity != cup.into() && !may_touch(entity);
            assert_eq!(collider.is_enabled(cup, entity), expected, "{entity}");
            assert_eq!(collider.is_enabled(entity, cup), expected, "{entity}");
        }
        let without = PairFilter::default().ignore(cup);
        let without = WorldCollider::new(&scene.world, &without).unwrap();
        assert!(
            without
                .pairs()
                .all(|(a, b)| a != cup.into() && b != cup.into())
        );

        // lists keep Klampt's order, held or not
        let numbers = |entity| scene.world.klampt_ids().number(entity).unwrap();
        assert!(collider.elements().map(numbers).is_sorted());
        assert!(collider.pairs().is_sorted() && collider.pairs().all(|(a, b)| a < b));
        let n = collider.elements().len();
        let enabled = |(a, b): (EntityId, EntityId)| collider.is_enabled(a, b);
        let all: Vec<_> = collider.elements().collect();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let pairs = pairs
            .map(|(i, j)| (all[i], all[j]))
            .filter(|&pair| enabled(pair));
        assert!(collider.pairs().eq(pairs));
    }
}

/// Pairs in which the cup counts as the link that holds it, each once.
fn as_link(
    pairs: &[(EntityId, EntityId)],
    cup: EntityId,
    tip: EntityId,
) -> Vec<(EntityId, EntityId)> {
    let link = |entity| if entity == cup { tip } else { entity };
    let mut pairs: Vec<_> = pairs
        .iter()
        .map(|&(a, b)| (link(a), link(b)))
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

#[test]
fn a_held_object_collides_as_a_part_of_the_links_shape_would() {
    let (held, grown) = (Scene::held(), Scene::grown());
    let (cup, tip) = (EntityId::from(held.cup), held.tip());
    let (ours, theirs) = (held.collider(), grown.collider());
    let (mut ws, mut other) = (ours.workspace(), theirs.workspace());
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    let mut numbers = Random::new(7);
    let mut tally = [0; 3];
    for _ in 0..400 {
        let q = random(&mut numbers, 5);
        ws.set_config(held.arm, &q).unwrap();
        other.set_config(grown.arm, &q).unwrap();
        ours.colliding_pairs_with(&mut ws, &mut found);
        theirs.colliding_pairs_with(&mut other, &mut expected);
        assert!(found.is_sorted() && found.iter().all(|(a, b)| a < b));
        tally[0] += usize::from(expected.is_empty());
        tally[1] += usize::from(found.iter().any(|pair| pair.0 == cup || pair.1 == cup));
        tally[2] += usize::from(
            found
                .iter()
                .any(|&(a, b)| a == cup && b.robot() == tip.robot()),
        );
        assert_eq!(as_link(&found, cup, tip), expected, "{q:?}");

        let first = ours.first_collision_with(&mut ws);
        assert_eq!(first.is_some(), !found.is_empty());
        assert!(first.is_none_or(|pair| found.contains(&pair)));
        let first = ours.robot_collision_with(held.arm, &mut ws).unwrap();
        let of_arm = |entity: EntityId| entity == cup || entity.robot() == Some(held.arm);
        let has = found.iter().any(|&(a, b)| of_arm(a) || of_arm(b));
        assert_eq!(first.is_some(), has, "{q:?}");

        let near = ours.clearance_with(&[held.arm], &mut ws).unwrap().unwrap();
        let expected = theirs.clearance_with(&[grown.arm], &mut other).unwrap();
        let expected = expected.unwrap();
        assert!((near.distance - expected.distance).abs() < 1e-9, "{q:?}");
        let near = ours.distance_with(cup, "post".of(&held), &mut ws).unwrap();
        let link = ours.distance_with(tip, "post".of(&held), &mut ws).unwrap();
        let grown_link = theirs.distance_with(tip, "post".of(&grown), &mut other);
        let expected = grown_link.unwrap().distance;
        assert!((near.distance.min(link.distance) - expected).abs() < 1e-9);
    }
    assert!(tally.iter().all(|&count| count > 4), "{tally:?}");
}

/// An element by its name.
trait Named {
    fn of(self, scene: &Scene) -> EntityId;
}

impl Named for &str {
    fn of(self, scene: &Scene) -> EntityId {
        scene.world.entity(self).unwrap()
    }
}

#[test]
fn a_frozen_world_keeps_what_was_held() {
    let mut scene = Scene::held();
    let collider = scene.collider();
    scene.world.detach(scene.cup).unwrap();
    let mut ws = collider.workspace();
    ws.set_config(scene.arm, &[1.0, 0.3, -0.2, 0.4, 0.1])
        .unwrap();
    let mut arm = scene.world.robot_mut(scene.arm).unwrap();
    arm.set_config(&[1.0, 0.3, -0.2, 0.4, 0.1]).unwrap();
    let tip = scene.world.pose(scene.tip()).unwrap();
    let from = tip * in_hand() * kinworld::Point::new(0.05, 0.0, 3.0);
    let down = tip * in_hand() * Vector::new(0.0, 0.0, -1.0);
    // a ray that comes from above the cup in its own frame
    let hit = collider
        .ray_cast_with(&from, &down, &mut ws)
        .unwrap()
        .unwrap();
    assert_eq!(hit.entity, scene.cup.into());
    assert!((hit.hit.distance - 2.85).abs() < 1e-9);
}

#[test]
fn what_cannot_be_held_is_refused_and_changes_nothing() {
    let mut scene = Scene::held();
    let before = scene.world.attachment(scene.cup).cloned();
    let (cup, tip, arm) = (scene.cup, scene.tip(), EntityId::from(scene.arm));
    let world = &mut scene.world;
    assert!(is_invalid(
        world.attach(cup, arm, &[]),
        "robot `arm`: is no link"
    ));
    let beyond = EntityId::Link(scene.arm, LinkId::new(9));
    assert!(matches!(
        world.attach(cup, beyond, &[]),
        Err(Error::NotFound { .. })
    ));
    assert!(matches!(
        world.attach(cup, tip, &[beyond]),
        Err(Error::NotFound { .. })
    ));
    assert!(matches!(
        world.attach("mug", tip, &[]),
        Err(Error::NotFound { .. })
    ));
    let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
    assert!(is_invalid(
        world.grasp(cup, tip, &nowhere, &[]),
        "`cup` in `arm[ball4]`"
    ));
    assert!(is_invalid(world.detach("can"), "is not attached to a link"));
    let mut object = world.rigid_object_mut(cup).unwrap();
    assert!(is_invalid(
        object.set_pose(&Pose::identity()),
        "`arm[ball4]`"
    ));
    let still = Vector::zeros();
    assert!(is_invalid(
        object.set_velocity(&still, &still),
        "`arm[ball4]`"
    ));
    assert_eq!(world.attachment(cup).cloned(), before);
    assert_eq!(
        world.rigid_object(cup).unwrap().pose,
        world.pose(tip).unwrap() * in_hand()
    );
}

#[test]
fn attachments_follow_what_happens_to_the_world() {
    // another robot in the place of the holder: links are found by their names
    let mut scene = Scene::held();
    let (cup, tip) = (scene.cup, scene.tip());
    let arm = scene.world.robot(scene.arm).unwrap().model().clone();
    let mut longer = RobotBuilder::from(&*arm);
    longer.links[4].placement = Pose::translation(1.5, 0.0, 0.0);
    scene
        .world
        .replace_robot(scene.arm, longer.build().unwrap())
        .unwrap();
    let expected = scene.world.pose(tip).unwrap() * in_hand();
    assert_eq!(scene.world.rigid_object(cup).unwrap().pose, expected);
    let shorter = scene
        .world
        .replace_robot(scene.arm, string_of_balls("short", 3));
    assert!(is_invalid(
        shorter,
        "has no link `ball4`, to which `cup` is attached"
    ));
    let fewer = scene.world.with_hulls().unwrap();
    assert_eq!(fewer.attachment(cup), scene.world.attachment(cup));

    // saved poses: the hand wins
    let poses = Scene::new().world.poses();
    scene.world.set_poses(&poses).unwrap();
    let expected = scene.world.pose(tip).unwrap() * in_hand();
    assert_eq!(scene.world.rigid_object(cup).unwrap().pose, expected);

    // one world into another: new handles, the same hold
    let mut both = Scene::held().world;
    let added = both.append(scene.world.clone());
    assert_eq!(both.attachments().len(), 2);
    let (there, held) = both.attachments().nth(1).unwrap();
    assert!(added.contains(&there.into()) && added.contains(&held.robot().into()));
    let finger = EntityId::Link(held.robot(), LinkId::new(3));
    assert!(held.touch().eq([finger]));
    let q = [0.3; 5];
    both.robot_mut(held.robot())
        .unwrap()
        .set_config(&q)
        .unwrap();
    let (there, held) = both.attachments().nth(1).unwrap();
    let model = both.robot(held.robot()).unwrap().model().clone();
    let mut state = State::new(&model);
    state.set_config(&model, &q).unwrap();
    let expected = state.pose(&model, LinkId::new(4)) * in_hand();
    assert_eq!(both.rigid_object(there).unwrap().pose, expected);

    // what leaves the world leaves the rules, and hands
    let finger = scene.world.entity("post").unwrap();
    scene.world.attach(cup, tip, &[finger]).unwrap();
    scene.world.remove(finger).unwrap();
    assert_eq!(scene.world.attachment(cup).unwrap().touch().count(), 0);
    scene.world.remove(scene.arm).unwrap();
    assert_eq!(scene.world.attachments().len(), 0);
    assert!(scene.world.rigid_object(cup).is_ok());
}
