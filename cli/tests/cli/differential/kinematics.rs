//! Kinematics and dynamics of each robot.

use kinworld::math::Motion;
use kinworld::wrench::{self, Frames, Site};
use kinworld::{LinkId, Point, Robot, State, Vector, WorldModel, dynamics, kinematics};
use serde_json::{Value, json};

use super::{Random, assert_near, expected, list, rows};
use crate::common::{ask, data};

const ROBOTS: [&str; 12] = [
    "arm3r.urdf",
    "arm4r.urdf",
    "arm6.rob",
    "arm6.urdf",
    "drone.urdf",
    "gripper.rob",
    "mobile_arm.rob",
    "planar3R.rob",
    "puma560.urdf",
    "quadruped.rob",
    "scara.urdf",
    "snake30.urdf",
];

#[test]
fn kinematics_and_dynamics_are_those_of_the_library() {
    for (seed, name) in (1..).zip(ROBOTS) {
        let world = WorldModel::load(data("robots").join(name)).unwrap().value;
        let robot = world.robot(0).unwrap();
        let mut random = Random(seed);
        let mut cases = Vec::new();
        for _ in 0..4 {
            cases.extend(cases_of(robot.model(), robot.state().clone(), &mut random));
        }
        let lines: Vec<String> = cases.iter().map(|(line, _)| line.to_string()).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let answers = ask(&[&format!("data/robots/{name}")], &lines);
        for ((line, expected), answer) in cases.iter().zip(&answers) {
            assert_near(answer, expected, &format!("{name}: {line}"));
        }
    }
}

/// Requests about one random motion, with the answers of the library.
fn cases_of(robot: &Robot, mut state: State, random: &mut Random) -> Vec<(Value, Value)> {
    let n = robot.n_dofs();
    let q = kinematics::sample(robot, random.next(), 1.0);
    let (dq, ddq, tau) = (random.reals(n), random.reals(n), random.reals(n));
    state.set_config(robot, &q).unwrap();
    state.set_velocity(robot, &dq).unwrap();
    let link = LinkId::new(random.below(robot.links().len()));
    let reference = LinkId::new(random.below(robot.links().len()));
    let p = random.point();
    let point = Point::from(p);
    let (l, r) = (link.index(), reference.index());
    let name = robot.link(link).name();
    let gravity = Vector::new(0.0, 0.0, -9.81);

    let mut cases: Vec<(Value, kinworld::Result<Value>)> = Vec::new();
    let links = robot.links().iter().enumerate().map(|(i, link)| {
        let pose = state.pose(robot, LinkId::new(i));
        json!({
            "name": link.name(),
            "joint_name": link.joint_name(),
            "rotation": rows!(pose.rotation.matrix()),
            "translation": list!(pose.translation.vector),
            "quaternion": kinworld::math::so3::to_wxyz(&pose.rotation),
        })
    });
    let links = links.collect::<Value>();
    cases.push((json!({"op": "fk", "q": q}), Ok(json!({ "links": links }))));
    let jacobian = rows!(kinematics::jacobian(robot, &state, link, &point));
    cases.push((
        json!({"op": "jacobian", "q": q, "link": name, "point": p}),
        Ok(json!({ "jacobian": jacobian })),
    ));

    // a frame, observed from the world and from another link
    let flat = |v: Motion| [list!(v.angular), list!(v.linear)].concat();
    let pose = state.pose(robot, link);
    let velocity = Motion {
        angular: kinematics::angular_velocity(robot, &state, link),
        linear: kinematics::point_velocity(robot, &state, link, &point),
    };
    cases.push((
        json!({"op": "frame", "q": q, "dq": dq, "link": l, "point": p}),
        Ok(json!({
            "rotation": rows!(pose.rotation.matrix()),
            "translation": list!((pose * point).coords),
            "jacobian": jacobian,
            "velocity": flat(velocity),
        })),
    ));
    let pose = kinematics::relative_pose(robot, &state, link, reference);
    let velocity = kinematics::relative_velocity(robot, &state, link, &point, reference);
    let jacobian = kinematics::relative_jacobian(robot, &state, link, &point, reference);
    cases.push((
        json!({"op": "frame", "q": q, "dq": dq, "link": l, "point": p, "reference": r}),
        Ok(json!({
            "rotation": rows!(pose.rotation.matrix()),
            "translation": list!((pose * point).coords),
            "jacobian": rows!(jacobian),
            "velocity": flat(velocity),
        })),
    ));

    // centres of mass
    cases.push((
        json!({"op": "com", "q": q, "dq": dq}),
        Ok(json!({
            "mass": kinematics::total_mass(robot),
            "com": list!(kinematics::com(robot, &state).coords),
            "jacobian": rows!(kinematics::com_jacobian(robot, &state)),
            "velocity": list!(kinematics::com_velocity(robot, &state)),
        })),
    ));
    let com = robot.link(link).inertia().com;
    let pose = state.pose(robot, link);
    cases.push((
        json!({"op": "com", "q": q, "link": name}),
        Ok(json!({
            "mass": robot.link(link).inertia().mass,
            "com": list!((pose * com).coords),
            "rotation": rows!(pose.rotation.matrix()),
            "jacobian": rows!(kinematics::jacobian(robot, &state, link, &com)),
        })),
    ));

    // dynamics
    let terms = |tau: Option<Vec<f64>>, ddq: Option<Vec<f64>>| {
        let mut answer = json!({
            "mass_matrix": rows!(dynamics::mass_matrix(robot, &state)),
            "coriolis": dynamics::coriolis_forces(robot, &state),
            "gravity_forces": dynamics::gravity_forces(robot, &state, &gravity),
        });
        for (name, values) in [("tau", tau), ("ddq", ddq)] {
            if let Some(values) = values {
                answer[name] = json!(values);
            }
        }
        answer
    };
    let inverse = dynamics::inverse_dynamics(robot, &state, &gravity, &ddq);
    cases.push((
        json!({"op": "dynamics", "q": q, "dq": dq, "ddq": ddq}),
        inverse.map(|tau| terms(Some(tau), None)),
    ));
    let forward = dynamics::forward_dynamics(robot, &state, &gravity, &tau);
    cases.push((
        json!({"op": "dynamics", "q": q, "dq": dq, "tau": tau}),
        forward.map(|ddq| terms(None, Some(ddq))),
    ));
    let frames = Frames::new(robot, &state, &ddq).unwrap();
    let balance = wrench::balance(&frames, link, &Site::link(reference), &gravity, &[]);
    const PARTS: [&str; 9] = [
        "dynamic",
        "joint",
        "gravity",
        "tip",
        "external",
        "dalembert",
        "euler",
        "centrifugal",
        "coriolis",
    ];
    cases.push((
        json!({"op": "wrench", "q": q, "dq": dq, "ddq": ddq, "link": l, "observer": r}),
        balance.map(|balance| {
            let wrenches = balance.rows();
            let wrenches = wrenches.map(|(_, wrench)| json!(<[f64; 6]>::from(wrench.wrench)));
            PARTS.into_iter().map(str::to_owned).zip(wrenches).collect()
        }),
    ));

    // the configuration space
    let other = kinematics::sample(robot, random.next(), 1.0);
    let middle = kinematics::interpolate(robot, &q, &other, 0.3);
    cases.push((
        json!({"op": "interpolate", "from": q, "to": other, "u": 0.3}),
        middle.map(|q| json!({ "q": q })),
    ));
    let distance = kinematics::distance(robot, &q, &other);
    cases.push((
        json!({"op": "config_distance", "from": q, "to": other}),
        distance.map(|distance| json!({ "distance": distance })),
    ));
    let each = |(request, result)| (request, expected(result));
    cases.into_iter().map(each).collect()
}

/// Answers in a batch are those of single requests, to the last bit.
#[test]
fn a_batch_is_as_many_requests() {
    let path = data("robots").join("arm6.urdf");
    let world = WorldModel::load(path).unwrap().value;
    let model = world.robot(0).unwrap().model();
    let qs: Vec<Vec<f64>> = (0..5).map(|i| kinematics::sample(model, i, 1.0)).collect();
    let dqs: Vec<Vec<f64>> = qs
        .iter()
        .map(|q| q.iter().map(|x| 0.3 * x).collect())
        .collect();
    let requests = [
        json!({"op": "fk"}),
        json!({"op": "jacobian", "link": 3, "point": [0.1, 0, 0.2]}),
        json!({"op": "frame", "link": "flange", "reference": 1}),
        json!({"op": "com"}),
        json!({"op": "dynamics", "tau": [1, 2, 3, 4, 5, 6]}),
        json!({"op": "collide"}),
        json!({"op": "contacts"}),
        json!({"op": "free"}),
        json!({"op": "clearance"}),
        json!({"op": "distance", "a": "arm6[flange]", "b": "arm6[shoulder]"}),
        json!({"op": "ik", "link": 5, "position": [0.4, 0.1, 0.5]}),
    ];
    for request in requests {
        let moves = ["frame", "com", "dynamics"].contains(&request["op"].as_str().unwrap());
        let with = |q: Value, dq: Value| {
            let mut request = request.clone();
            request["q"] = q;
            if moves {
                request["dq"] = dq;
            }
            request.to_string()
        };
        let pairs = qs.iter().zip(&dqs);
        let mut lines: Vec<String> = pairs.map(|(q, dq)| with(json!(q), json!(dq))).collect();
        lines.push(with(json!(qs), json!(dqs)));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut answers = ask(&["data/robots/arm6.urdf"], &lines);
        let batch = answers.pop().unwrap();
        assert_eq!(batch["ok"], true, "{batch}");
        for (one, of_batch) in answers.iter().zip(batch["answers"].as_array().unwrap()) {
            let mut of_batch = of_batch.clone();
            of_batch["ok"] = json!(true);
            assert_eq!(&of_batch, one, "{request}");
        }
        assert_eq!(batch["answers"].as_array().unwrap().len(), 5);
    }
}
