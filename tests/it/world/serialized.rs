//! Worlds as data: what is read again is what was written.

use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{EntityId, Pose, WorldModel};

use crate::common::files::data;

/// The cell, with the crate in the hand of the arm, where it may touch the table.
fn cell() -> WorldModel {
    let mut world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let robot = world.robots().next().unwrap().id();
    let n = world.robot(robot).unwrap().config().len();
    world
        .robot_mut(robot)
        .unwrap()
        .set_config(&vec![0.25; n])
        .unwrap();
    let link = world.robot(robot).unwrap().links().last().unwrap().id();
    let object = world.rigid_objects().next().unwrap().0;
    let terrain = EntityId::from(world.terrains().next().unwrap().0);
    let pose = Pose::translation(0.0, 0.1, 0.2);
    world
        .grasp(object, (robot, link), &pose, &[terrain, robot.into()])
        .unwrap();
    world.rename(robot, "renamed".to_owned()).unwrap();
    world.ignore_pair((robot, link), terrain).unwrap();
    world
}

fn colliding(world: &WorldModel) -> Vec<[String; 2]> {
    let collider = WorldCollider::new(world, &PairFilter::default()).unwrap();
    let pairs = collider.colliding_pairs().into_iter();
    let name = |id| world.name(id).unwrap();
    pairs.map(|(a, b)| [name(a), name(b)]).collect()
}

#[test]
fn a_world_round_trips_through_json() {
    let mut world = cell();
    // a handle that is not the place of its element
    let removed = world.terrains().last().unwrap().0;
    world.remove(removed).unwrap();
    let json = serde_json::to_string(&world).unwrap();
    // surfaces are rigid unless a file says otherwise
    assert!(json.contains("\"stiffness\":\"inf\""));
    let again: WorldModel = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), json);
    assert_eq!(colliding(&again), colliding(&world));
    assert_eq!(again.ignored_pairs().count(), 1);
    let poses = |world: &WorldModel| -> Vec<(String, Pose)> {
        let objects = world.rigid_objects();
        objects.map(|(_, o)| (o.name.clone(), o.pose)).collect()
    };
    assert_eq!(poses(&again), poses(&world));
    let (robot, other) = (
        world.robot("renamed").unwrap(),
        again.robot("renamed").unwrap(),
    );
    assert_eq!(robot.config(), other.config());
    let held = |world: &WorldModel| -> Vec<Vec<String>> {
        let all = world.attachments();
        all.map(|(_, a)| a.touch().map(|id| world.name(id).unwrap()).collect())
            .collect()
    };
    assert_eq!(held(&again), held(&world));
}

#[test]
fn a_world_that_names_what_is_not_there_is_refused() {
    let json = serde_json::to_string(&cell()).unwrap();
    let wrong = [
        ("\"object\":0", "\"object\":9", "names element 9"),
        ("{\"Terrain\":0}", "{\"Terrain\":7}", "names element 7"),
        ("\"robot\":0", "\"robot\":3", "names element 3"),
        (
            "\"config\":[0.25,",
            "\"config\":[",
            "configuration needs 6 values, got 5",
        ),
    ];
    for (right, wrong, expected) in wrong {
        assert!(json.contains(right), "{right}");
        let text = json.replacen(right, wrong, 1);
        let message = serde_json::from_str::<WorldModel>(&text)
            .unwrap_err()
            .to_string();
        assert!(message.contains(expected), "{message}");
    }
}
