//! Sessions of random changes, beside a world of the library that changes likewise.

use kinworld::geometry::query;
use kinworld::planning::RobotCSpace;
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{EntityId, Pose, WorldModel, kinematics};
use serde_json::{Value, json};

use super::{Random, assert_near, list, rows};
use crate::common::{ask, data};

const CELL: &str = "data/worlds/cell.xml";

#[test]
fn sessions_change_as_worlds_of_the_library_do() {
    for seed in 1..=6 {
        let mut random = Random(100 + seed);
        let mut world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
        let mut cases: Vec<(Value, Value)> = Vec::new();
        for _ in 0..12 {
            let change = change(&mut world, &mut random);
            cases.push((change, json!({"ok": true})));
            cases.extend(questions(&world, &mut random));
            // the session stays as it is, though the answer is of another world
            let mut other = world.clone();
            let with = set(&mut other, &mut random);
            for (mut question, answer) in questions(&other, &mut random) {
                question["with"] = with.clone();
                cases.push((question, answer));
            }
        }
        let lines: Vec<String> = cases.iter().map(|(line, _)| line.to_string()).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let answers = ask(&[CELL], &lines);
        for ((line, expected), answer) in cases.iter().zip(&answers) {
            assert_near(answer, expected, &format!("seed {seed}: {line}"));
        }
    }
}

/// Changes the world at random, and returns the request that does the same.
fn change(world: &mut WorldModel, random: &mut Random) -> Value {
    let objects: Vec<_> = world.rigid_objects().map(|(id, _)| id).collect();
    let object = objects[random.below(objects.len())];
    let name = world.name(object).unwrap();
    match random.below(4) {
        0 if world.attachment(object).is_some() => {
            world.detach(object).unwrap();
            json!({"op": "detach", "object": name})
        }
        0 | 1 => {
            let robot = world.robot(0).unwrap();
            let link = robot.link(random.below(robot.n_links())).unwrap();
            let (entity, link) = (link.entity(), link.name().to_owned());
            world.attach(object, entity, &[]).unwrap();
            json!({"op": "attach", "object": name, "link": link})
        }
        2 if objects.len() > 2 && random.below(3) == 0 => {
            world.remove(object).unwrap();
            json!({"op": "remove", "element": name})
        }
        _ => {
            let mut change = set(world, random);
            change["op"] = json!("set");
            change
        }
    }
}

/// Moves the robot and some objects at random, and returns the fields that do the same.
fn set(world: &mut WorldModel, random: &mut Random) -> Value {
    let robot = world.robot(0).unwrap();
    let name = robot.name().to_owned();
    let q = kinematics::sample(robot.model(), random.next(), 1.0);
    world.robot_mut(0).unwrap().set_config(&q).unwrap();
    let mut fields = json!({"robots": { &name: q }, "objects": {}});
    let ids: Vec<_> = world.rigid_objects().map(|(id, _)| id).collect();
    for id in ids {
        if world.attachment(id).is_some() || random.below(2) == 0 {
            continue;
        }
        let name = world.name(id).unwrap();
        let r = kinworld::math::so3::from_rpy(random.point());
        let translation = random.point().map(|x| 0.7 * x);
        let pose = Pose::from_parts(translation.into(), r);
        world.rigid_object_mut(id).unwrap().set_pose(&pose).unwrap();
        fields["objects"][&name] =
            json!({"translation": translation, "rotation": rows!(r.matrix())});
    }
    fields
}

/// Requests about a world, with the answers of the library.
fn questions(world: &WorldModel, random: &mut Random) -> Vec<(Value, Value)> {
    let robot = world.robot(0).unwrap();
    let collider = WorldCollider::new(world, &PairFilter::default()).unwrap();
    let name = |entity: EntityId| world.name(entity).unwrap();
    let ids = world.klampt_ids();
    let mut cases = Vec::new();

    let links = robot.links().map(|link| {
        let pose = link.pose();
        json!({
            "name": link.name(),
            "joint_name": link.model().joint_name(),
            "rotation": rows!(pose.rotation.matrix()),
            "translation": list!(pose.translation.vector),
            "quaternion": kinworld::math::so3::to_wxyz(&pose.rotation),
        })
    });
    let links = links.collect::<Value>();
    cases.push((json!({"op": "fk"}), json!({"ok": true, "links": links})));

    let pairs = collider.colliding_pairs();
    let named: Vec<[String; 2]> = pairs.iter().map(|&(a, b)| [name(a), name(b)]).collect();
    let numbers: Vec<_> = pairs
        .iter()
        .map(|&(a, b)| [ids.number(a), ids.number(b)])
        .collect();
    cases.push((
        json!({"op": "collide"}),
        json!({"ok": true, "pairs": named, "ids": numbers}),
    ));

    let contacts = pairs.iter().map(|&(a, b)| {
        let (shape_a, shape_b) = (world.geometry(a).unwrap(), world.geometry(b).unwrap());
        let (x_a, x_b) = (world.pose(a).unwrap(), world.pose(b).unwrap());
        let found = query::contacts((&shape_a.geometry, &x_a), (&shape_b.geometry, &x_b), 0.0, 3);
        let found = found.unwrap().into_iter().map(|contact| {
            json!({
                "on_a": list!(contact.point_a.coords), "on_b": list!(contact.point_b.coords),
                "normal": list!(contact.normal), "depth": contact.depth,
            })
        });
        json!({
            "pair": [name(a), name(b)], "ids": [ids.number(a), ids.number(b)],
            "points": found.collect::<Value>(),
        })
    });
    let contacts = contacts.collect::<Value>();
    cases.push((
        json!({"op": "contacts", "max": 3}),
        json!({"ok": true, "contacts": contacts}),
    ));

    let objects: Vec<EntityId> = world.rigid_objects().map(|(id, _)| id.into()).collect();
    let object = objects[random.below(objects.len())];
    let found = collider.distance(object, robot.id()).unwrap();
    cases.push((
        json!({"op": "distance", "a": name(object), "b": robot.name()}),
        json!({
            "ok": true,
            "distance": found.distance,
            "on_a": found.on_a.map(|p| list!(p.coords)),
            "on_b": found.on_b.map(|p| list!(p.coords)),
        }),
    ));

    let (origin, direction) = (random.point(), random.point());
    let hit = collider
        .ray_cast(&origin.into(), &direction.into())
        .unwrap();
    let answer = match hit {
        None => json!({"ok": true, "hit": null, "point": null, "distance": null}),
        Some(found) => json!({
            "ok": true,
            "hit": name(found.entity),
            "point": list!(found.hit.point.coords),
            "distance": found.hit.distance,
        }),
    };
    cases.push((
        json!({"op": "ray", "origin": origin, "direction": direction}),
        answer,
    ));

    let space = RobotCSpace::new(world, &[robot.id()]).unwrap();
    let obstacle = space.obstacle(robot.config()).unwrap();
    let mut answer = json!({"ok": true, "free": obstacle.is_none()});
    if let Some(obstacle) = obstacle {
        answer["reason"] = json!(obstacle.display(space.world()).to_string());
    }
    cases.push((json!({"op": "free"}), answer));
    let answer = match space.clearance(robot.config()).unwrap() {
        None => {
            json!({"ok": true, "distance": null, "pair": null, "on_a": null, "on_b": null, "gradient": null})
        }
        Some(found) => json!({
            "ok": true,
            "distance": found.nearest.distance,
            "pair": [name(found.nearest.a), name(found.nearest.b)],
            "on_a": found.nearest.on_a.map(|p| list!(p.coords)),
            "on_b": found.nearest.on_b.map(|p| list!(p.coords)),
            "gradient": found.gradient,
        }),
    };
    cases.push((json!({"op": "clearance"}), answer));
    cases
}
