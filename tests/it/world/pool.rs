//! Questions without a workspace of one's own.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kinworld::world::{
    EntityId, PairFilter, RigidObjectId, RobotId, Workspace, WorldCollider, WorldDistance,
    WorldModel,
};
use kinworld::{Error, Point, Pose, Vector};

use super::brute_force::Random;
use super::{ball, is_invalid, object, string_of_balls};
use crate::common::allocations::allocations;
use crate::without_allocation::settled;

/// What is asked about one robot in one configuration, with an object somewhere.
struct Question {
    robot: RobotId,
    q: Vec<f64>,
    object: RigidObjectId,
    pose: Pose,
}

/// Everything that a question has for an answer, numbers as bits.
#[derive(Debug, PartialEq)]
struct Answer {
    at: Option<(EntityId, EntityId)>,
    first: Option<(EntityId, EntityId)>,
    pairs: Vec<(EntityId, EntityId)>,
    apart: u64,
    clearance: Option<u64>,
    home: (Option<(EntityId, EntityId)>, u64),
}

fn questions(world: &WorldModel, random: &mut Random) -> Vec<Question> {
    let robots: Vec<_> = world.robots().map(|robot| robot.id()).collect();
    let objects: Vec<_> = world.rigid_objects().map(|(id, _)| id).collect();
    let mut ask = || {
        let robot = robots[random.below(robots.len())];
        let q = random.config(world.robot(robot).unwrap().model());
        let object = objects[random.below(objects.len())];
        let pose = random.pose(1.0);
        Question {
            robot,
            q,
            object,
            pose,
        }
    };
    (0..40).map(|_| ask()).collect()
}

/// Answers in a workspace where everything is as it was frozen.
fn answer_with(
    collider: &WorldCollider,
    ws: &mut Workspace,
    question: &Question,
) -> kinworld::Result<Answer> {
    let Question {
        robot,
        q,
        object,
        pose,
    } = question;
    // some robots have no shape
    let bits = |found: kinworld::Result<WorldDistance>| found.map_or(0, |f| f.distance.to_bits());
    let home = (
        collider.first_collision_with(ws),
        bits(collider.distance_with(*robot, *object, ws)),
    );
    ws.set_config(*robot, q)?;
    let at = collider.robot_collision_with(*robot, ws)?;
    ws.set_pose(*object, pose)?;
    let mut pairs = Vec::new();
    collider.colliding_pairs_with(ws, &mut pairs);
    let apart = bits(collider.distance_with(*robot, *object, ws));
    let clearance = collider.clearance_with(&[*robot], ws)?;
    Ok(Answer {
        at,
        first: collider.first_collision_with(ws),
        pairs,
        apart,
        clearance: clearance.map(|found| found.distance.to_bits()),
        home,
    })
}

/// The same without a workspace of one's own.
fn answer(collider: &WorldCollider, question: &Question) -> kinworld::Result<Answer> {
    let Question {
        robot, q, object, ..
    } = question;
    let lent = collider.with_workspace(|ws| answer_with(collider, ws, question))?;
    let apart = collider.distance(*robot, *object);
    let apart = apart.map_or(0, |found| found.distance.to_bits());
    Ok(Answer {
        at: collider.robot_collision_at(*robot, q)?,
        home: (collider.first_collision(), apart),
        ..lent
    })
}

#[test]
fn eight_threads_get_what_one_gets_bit_by_bit() {
    for (seed, n_objects) in [(700, 6), (701, 30)] {
        let mut random = Random::new(seed);
        let world = random.world(n_objects);
        let questions = questions(&world, &mut random);
        let freeze = || WorldCollider::new(&world, &PairFilter::default()).unwrap();

        // the first road: a new collider's new workspace each time
        let alone = freeze();
        let expected: Vec<_> = (questions.iter())
            .map(|question| answer_with(&alone, &mut alone.workspace(), question).unwrap())
            .collect();
        assert!(expected.iter().any(|answer| answer.at.is_some()));

        let shared = freeze();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (shared, questions, expected) = (&shared, &questions, &expected);
                scope.spawn(move || {
                    // each begins elsewhere
                    for i in (0..questions.len()).map(|i| (5 * thread + i) % questions.len()) {
                        let answer = answer(shared, &questions[i]).unwrap();
                        assert_eq!(answer, expected[i], "question {i} of thread {thread}");
                    }
                });
            }
        });
    }
}

/// More links than pairs are listed for: what one question leaves in a workspace changes no answer to the next.
#[test]
fn a_lent_workspace_remembers_nothing() {
    let mut random = Random::new(710);
    let mut world = WorldModel::new();
    let mut builder = kinworld::robot::RobotBuilder::new("swarm");
    for i in 0..410 {
        let slide = kinworld::robot::LinkMotion::Prismatic(random.vector(1.0));
        let mut link = super::shaped_link(&format!("l{i}"), None, slide, ball(0.1));
        link.placement = random.pose(1.5);
        builder.add_link(link);
    }
    let swarm = world.add_robot(builder.build().unwrap());
    let cup = world
        .add_rigid_object(object("cup", ball(0.2), [0.5, 0.0, 0.0]))
        .unwrap();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let model = world.robot(swarm).unwrap().model();
    let configs: Vec<_> = (0..6).map(|_| random.config(model)).collect();
    let expected: Vec<_> = (configs.iter())
        .map(|q| {
            let mut ws = collider.workspace();
            ws.set_config(swarm, q).unwrap();
            collider.robot_collision_with(swarm, &mut ws).unwrap()
        })
        .collect();
    let home = collider.first_collision_with(&mut collider.workspace());
    for i in [3, 1, 4, 1, 5, 0, 2] {
        let found = collider.robot_collision_at(swarm, &configs[i]).unwrap();
        assert_eq!(found, expected[i]);
        assert_eq!(collider.first_collision(), home);
        collider.with_workspace(|ws| {
            assert_eq!(ws.state(swarm).unwrap().config(), vec![0.0; 410]);
            assert_eq!(ws.pose(cup).unwrap(), Pose::translation(0.5, 0.0, 0.0));
            ws.set_pose(cup, &Pose::identity()).unwrap();
        });
    }
}

#[test]
fn questions_without_a_workspace_allocate_none() {
    let mut random = Random::new(720);
    let world = random.world(12);
    let robot = world.robots().next().unwrap();
    let (id, q) = (robot.id(), random.config(robot.model()));
    let cup = world.rigid_objects().next().unwrap().0;
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    settled("questions from the pool", || {
        assert!(collider.first_collision().is_some());
        collider.robot_collision_at(id, &q).unwrap();
        assert!(collider.distance(id, cup).is_ok());
        collider.ray_cast(&Point::origin(), &Vector::x()).unwrap();
        collider.with_workspace(|ws| ws.set_pose(cup, &Pose::identity()).unwrap());
    });

    // nothing but the list itself, once there is room
    let mut pairs = collider.colliding_pairs();
    assert!(!pairs.is_empty());
    let asked = allocations(|| pairs = collider.colliding_pairs());
    let mut again = Vec::with_capacity(pairs.len());
    let mut ws = collider.workspace();
    collider.colliding_pairs_with(&mut ws, &mut again);
    assert_eq!(pairs, again);
    let mut list: Vec<(EntityId, EntityId)> = Vec::new();
    let of_list = allocations(|| list.extend(pairs.iter().filter(|_| true)));
    assert!(asked <= of_list + 1, "{asked} against {of_list}");
}

#[test]
fn what_goes_wrong_in_a_lent_workspace_stays_there() {
    let mut world = WorldModel::new();
    let arm = world.add_robot(string_of_balls("arm", 4));
    let cup = world
        .add_rigid_object(object("cup", ball(0.2), [0.0, 2.0, 0.0]))
        .unwrap();
    let gone = world.add_robot(string_of_balls("gone", 1));
    world.remove(gone).unwrap();
    let freeze = || WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let collider = freeze();
    let up = [std::f64::consts::FRAC_PI_2, 0.0, 0.0, 0.0];

    assert!(matches!(
        collider.robot_collision_at(arm, &[0.0; 3]),
        Err(Error::Length { expected: 4, .. })
    ));
    assert!(is_invalid(
        collider.robot_collision_at(arm, &[f64::NAN; 4]),
        "finite"
    ));
    assert!(matches!(
        collider.robot_collision_at(gone, &[0.0]),
        Err(Error::NotFound { .. })
    ));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        collider.with_workspace(|ws| {
            ws.set_config(arm, &up).unwrap();
            panic!("on purpose");
        })
    }));
    assert!(panicked.is_err());

    // a workspace of another collider, and a question within a question
    collider.with_workspace(|ws| *ws = freeze().workspace());
    collider.with_workspace(|ws| {
        ws.set_config(arm, &up).unwrap();
        assert_eq!(collider.first_collision(), None);
        let hit = collider.robot_collision_with(arm, ws).unwrap();
        assert!(hit.is_some_and(|(a, b)| a == cup.into() && b.robot() == Some(arm)));
    });
    assert_eq!(collider.first_collision(), None);
    assert!(collider.robot_collision_at(arm, &up).unwrap().is_some());
}
