//! Handles, names and Klampt's numbers.

use kinworld::world::{EntityId, RigidObject, Terrain, WorldModel};
use kinworld::{Error, LinkId};

use super::{is_invalid, string_of_balls};

/// Two terrains, two objects, an arm of three links and one of two, added in a mixed order.
fn mixed_world() -> WorldModel {
    let mut world = WorldModel::new();
    world.add_robot(string_of_balls("long", 3));
    world.add_terrain(Terrain::new("floor", None)).unwrap();
    world.add_rigid_object(RigidObject::new("cup")).unwrap();
    world.add_robot(string_of_balls("short", 2));
    world.add_terrain(Terrain::new("wall", None)).unwrap();
    world.add_rigid_object(RigidObject::new("can")).unwrap();
    world
}

fn numbered_names(world: &WorldModel) -> Vec<String> {
    let ids = world.klampt_ids();
    (0..ids.len())
        .map(|number| ids.name(number).unwrap())
        .collect()
}

#[test]
fn klampt_numbers_run_over_terrains_objects_and_robots_with_their_links() {
    let mut world = mixed_world();
    let robots = [
        "long",
        "long[ball0]",
        "long[ball1]",
        "long[ball2]",
        "short",
        "short[ball0]",
        "short[ball1]",
    ];
    let all = ["floor", "wall", "cup", "can"].iter().chain(&robots);
    assert_eq!(numbered_names(&world), all.copied().collect::<Vec<_>>());

    let floor = world.terrain_id("floor").unwrap();
    let cup = world.rigid_object_id("cup").unwrap();
    world.remove(floor).unwrap();
    world.remove(cup).unwrap();
    let rest = ["wall", "can"].iter().chain(&robots);
    assert_eq!(numbered_names(&world), rest.copied().collect::<Vec<_>>());
}

#[test]
fn klampt_numbers_lead_there_and_back() {
    let world = mixed_world();
    let ids = world.klampt_ids();
    for (number, entity) in ids.iter().enumerate() {
        assert_eq!(ids.number(entity), Some(number));
        assert_eq!(ids.entity(number), Some(entity));
        assert_eq!(world.entity(&ids.name(number).unwrap()).unwrap(), entity);
    }
    assert_eq!(ids.iter().count(), ids.len());
    assert_eq!(ids.entity(ids.len()), None);
    assert_eq!(ids.name(usize::MAX), None);
    let robot = world.robot("short").unwrap().id();
    assert_eq!(ids.number((robot, LinkId::new(2))), None);
    assert!(WorldModel::new().klampt_ids().is_empty());
}

#[test]
fn a_removal_changes_no_other_handle_and_frees_none() {
    let mut world = mixed_world();
    let (floor, wall) = (world.terrain_id(0).unwrap(), world.terrain_id(1).unwrap());
    let short = world.robot("short").unwrap().id();
    world.remove(floor).unwrap();
    assert_eq!(world.terrain(wall).unwrap().name, "wall");
    assert_eq!(world.robot(short).unwrap().name(), "short");
    assert_eq!(world.terrain_id(0).unwrap(), wall);

    let again = world.add_terrain(Terrain::new("floor", None)).unwrap();
    assert_ne!(again, floor);
    assert!(matches!(world.terrain(floor), Err(Error::NotFound { .. })));
    assert_eq!(world.klampt_ids().number(floor), None);
    assert!(matches!(world.remove(floor), Err(Error::NotFound { .. })));
}

#[test]
fn unknown_names_list_the_known_ones() {
    let mut world = mixed_world();
    let message = |error: Error| error.to_string();
    assert_eq!(
        message(world.robot("shirt").unwrap_err()),
        "no robot named `shirt`; did you mean `short`? there are: long, short"
    );
    assert_eq!(
        message(world.robot_mut(2).unwrap_err()),
        "no robot named `2`; there are: long, short"
    );
    assert_eq!(
        message(world.rigid_object("cap").unwrap_err()),
        "no rigid object named `cap`; did you mean `cup`? there are: cup, can"
    );
    assert_eq!(
        message(world.terrain("flour").unwrap_err()),
        "no terrain named `flour`; did you mean `floor`? there are: floor, wall"
    );
    assert_eq!(
        message(world.robot("short").unwrap().link("ball2").unwrap_err()),
        "no link named `ball2`; did you mean `ball0`? there are: ball0, ball1"
    );
    assert_eq!(
        message(world.entity("long[ball3]").unwrap_err()),
        "no element named `long[ball3]`; there are: floor, wall, cup, can, long, short"
    );
}

#[test]
fn of_repeated_names_the_first_is_found() {
    let mut world = WorldModel::new();
    let object = world.add_rigid_object(RigidObject::new("x")).unwrap();
    world.add_rigid_object(RigidObject::new("x")).unwrap();
    let terrain = world.add_terrain(Terrain::new("x", None)).unwrap();
    let robot = world.add_robot(string_of_balls("x", 1));
    let second = world.add_robot(string_of_balls("x", 2));

    assert_eq!(world.rigid_object_id("x").unwrap(), object);
    assert_eq!(world.robot("x").unwrap().id(), robot);
    assert_eq!(world.entity("x").unwrap(), terrain.into());
    // the first `x` has no such link, the second has
    assert_eq!(
        world.entity("x[ball1]").unwrap(),
        EntityId::Link(second, LinkId::new(1))
    );
}

#[test]
fn a_new_name_is_the_worlds_and_leaves_the_model_alone() {
    let mut world = mixed_world();
    let robot = world.robot("long").unwrap().id();
    world.rename(robot, "arm[left]").unwrap();
    assert_eq!(world.robot("arm[left]").unwrap().model().name(), "long");
    let link = world.entity("arm[left][ball2]").unwrap();
    assert_eq!(link, EntityId::Link(robot, LinkId::new(2)));
    assert!(matches!(world.entity("long"), Err(Error::NotFound { .. })));
    assert!(is_invalid(world.rename(link, "tip"), "cannot be renamed"));
    assert!(is_invalid(world.remove(link), "cannot be removed"));
}

#[test]
fn another_robot_takes_the_place_and_the_configuration_where_it_fits() {
    let mut world = mixed_world();
    let id = world.robot("short").unwrap().id();
    world
        .robot_mut(id)
        .unwrap()
        .set_config(&[0.5, -0.5])
        .unwrap();

    let old = world.replace_robot(id, string_of_balls("twin", 2)).unwrap();
    assert_eq!(old.name(), "short");
    let twin = world.robot(id).unwrap();
    assert_eq!((twin.name(), twin.config()), ("short", &[0.5, -0.5][..]));

    world
        .replace_robot(id, string_of_balls("triplet", 3))
        .unwrap();
    assert_eq!(world.robot(id).unwrap().config(), [0.0; 3]);
}
