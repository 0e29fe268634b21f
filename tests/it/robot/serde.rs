//! Serialisation of robots.

use kinworld::Robot;
use kinworld::robot::Limits;

use super::{chain, cube};

#[test]
fn a_robot_round_trips_through_json() {
    let mut builder = chain(&["a", "b"]);
    builder.links[0].limits = Limits::position(-1.0, f64::INFINITY);
    builder.links[1].collision.push(cube());
    let robot = builder.build().unwrap();
    let json = serde_json::to_string(&robot).unwrap();
    assert!(json.contains("\"inf\""));
    let again: Robot = serde_json::from_str(&json).unwrap();
    assert_eq!(again.limits(), robot.limits());
    assert_eq!(serde_json::to_string(&again).unwrap(), json);
}

#[test]
fn invalid_json_is_refused_as_by_build() {
    let robot = chain(&["a"]).build().unwrap();
    let json = serde_json::to_string(&robot)
        .unwrap()
        .replace("\"mass\":1.0", "\"mass\":-1.0");
    let message = serde_json::from_str::<Robot>(&json)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("link `a`: its mass is negative"),
        "{message}"
    );
}
