//! Searches: `ik`, `reachable`, `edge` and `plan`.

use kinworld::kinematics::ik::{self, Objective, Options};
use kinworld::planning::{Budget, EdgeQuery, RobotCSpace, plan};
use kinworld::{Point, WorldModel, kinematics};
use serde_json::json;

use super::{Random, assert_near};
use crate::common::{ask, data};

#[test]
fn searches_find_what_the_library_finds() {
    let world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let robot = world.robot(0).unwrap();
    let model = robot.model();
    let space = RobotCSpace::new(&world, &[robot.id()]).unwrap();
    let link = robot.link("flange").unwrap().id();
    let mut random = Random(77);
    let mut cases = Vec::new();
    for seed in 0..8_u64 {
        let [from, to, start] = [0, 1, 2].map(|_| kinematics::sample(model, random.next(), 1.0));
        let (point, position) = (random.point().map(|x| 0.1 * x), random.point());
        let goal = Objective::point(link, Point::from(point), Point::from(position));
        let options = Options::default().with_seed(seed);
        let found = ik::solve(model, std::slice::from_ref(&goal), &start, &options).unwrap();
        let target = json!({
            "op": "ik", "link": "flange", "point": point, "position": position, "q": start, "seed": seed,
        });
        let answer = json!({
            "ok": true,
            "success": found.is_success(),
            "q": found.q,
            "residual": found.error(),
        });
        cases.push((target.clone(), answer));
        let found = ik::solve(model, &[goal], &start, &options.with_restarts(2)).unwrap();
        let mut reachable = target;
        reachable["op"] = json!("reachable");
        reachable["starts"] = json!(3);
        cases.push((
            reachable,
            json!({
                "ok": true,
                "reachable": found.is_success(),
                "q": found.is_success().then(|| found.q.clone()),
                "residual": found.error(),
                "starts": found.starts,
            }),
        ));

        let contact = space.edge_collision(&from, &to, EdgeQuery::First).unwrap();
        let mut answer = json!({"ok": true, "free": contact.is_none()});
        if let Some(contact) = contact {
            let reason = contact.obstacle.display(space.world()).to_string();
            answer["reason"] = json!(reason);
            answer["t"] = json!(contact.t);
            if let Some((a, b)) = contact.obstacle.pair() {
                answer["pair"] = json!([world.name(a).unwrap(), world.name(b).unwrap()]);
            }
        }
        cases.push((json!({"op": "edge", "from": from, "to": to}), answer));

        let budget = Budget::default().seed(seed).max_iterations(300);
        let answer = match plan(&space, &from, &to, &budget) {
            Err(error) => json!({"ok": false, "error": error.to_string()}),
            Ok(found) => match found.path {
                Some(path) => json!({"ok": true, "path": path}),
                None => continue,
            },
        };
        let request =
            json!({"op": "plan", "from": from, "to": to, "seed": seed, "max_iterations": 300});
        cases.push((request, answer));
    }
    let lines: Vec<String> = cases.iter().map(|(line, _)| line.to_string()).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let answers = ask(&["data/worlds/cell.xml"], &lines);
    for ((line, expected), answer) in cases.iter().zip(&answers) {
        let mut answer = answer.clone();
        if expected["success"] == json!(false) {
            // words for people, with rounded numbers
            let reason = answer.as_object_mut().unwrap().remove("reason").unwrap();
            let reason = reason.as_str().unwrap();
            assert!(
                reason.starts_with("the target is not reached: "),
                "{reason}"
            );
        }
        assert_near(&answer, expected, &line.to_string());
    }
}
