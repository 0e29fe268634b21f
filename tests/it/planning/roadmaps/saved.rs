//! Road maps in files.

use kinworld::io::{Loader, Source};
use kinworld::planning::{Budget, CSpace, EdgeState, RoadMap, RobotCSpace};
use kinworld::{Error, Pose};

use super::{assert_states, content};
use crate::planning::{cell, random_free, space};

/// A map with edges of all states, and its space at the resolution of its edges.
fn known() -> (RoadMap, RobotCSpace) {
    let space = cell().with_resolution(0.125).unwrap();
    let mut map = RoadMap::new(&space).with_seed(u64::MAX - 3);
    map.grow(&space, 24).unwrap();
    let most = map.edges().len() - 10;
    map.check_edges(&space, |checked| checked < most).unwrap();
    (map, space)
}

/// The text of a map in a file.
fn text(map: &RoadMap, name: &str) -> String {
    let path = std::env::temp_dir().join(format!("kinworld_it_{name}_{}.json", std::process::id()));
    map.save(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    text
}

/// The map in a text.
fn read(space: &impl CSpace, text: &str) -> Result<RoadMap, Error> {
    let source = Source::memory().with_file("map.json", text.as_bytes().to_vec());
    let loaded = Loader::new()
        .with_source(source)
        .road_map(space, "map.json");
    loaded.map(|loaded| {
        assert!(loaded.diagnostics.is_empty());
        loaded.value
    })
}

#[test]
fn a_map_that_was_saved_is_the_same_again() {
    let (mut map, mut space) = known();
    let saved = text(&map, "roundtrip");
    let mut back = read(&space, &saved).unwrap();
    let states = |map: &RoadMap| {
        map.edges()
            .iter()
            .map(|edge| edge.state)
            .collect::<Vec<_>>()
    };
    assert_eq!(states(&back), states(&map));
    for state in [EdgeState::Unknown, EdgeState::Free, EdgeState::Blocked] {
        assert!(states(&map).contains(&state), "{state:?}");
    }
    assert_eq!(text(&back, "again"), saved);

    // measured where it is used first, and grown as if it had not been saved
    back.repair(&space).unwrap();
    assert_eq!(content(&back), content(&map));
    assert!(
        states(&back)
            .iter()
            .all(|state| *state == EdgeState::Unknown)
    );
    for map in [&mut map, &mut back] {
        map.grow(&space, 20).unwrap();
    }
    assert_eq!(content(&back), content(&map));
    let (a, b) = (random_free(&space, 1), random_free(&space, 2));
    let budget = Budget::default().shortcuts(0);
    let [one, other] = [&mut map, &mut back].map(|map| map.solve(&space, &a, &b, &budget).unwrap());
    assert_eq!(one, other);

    // the scene is another one now
    let ball = space.world().rigid_object_id("ball").unwrap();
    space
        .set_pose(ball, &Pose::translation(0.4, 0.1, 0.4))
        .unwrap();
    let mut later = read(&space, &text(&map, "later")).unwrap();
    later.solve(&space, &a, &b, &budget).unwrap();
    assert_states(&later, &space);
}

#[test]
fn states_hold_where_the_caller_says_so_at_the_same_resolution() {
    let (map, space) = known();
    let known = map
        .edges()
        .iter()
        .filter(|edge| edge.state != EdgeState::Unknown);
    let known = known.count();
    let saved = text(&map, "trusted");
    let kept = |space: &RobotCSpace| {
        let mut back = read(space, &saved).unwrap();
        back.trust_states();
        let kept = back.repair(space).unwrap().kept;
        assert_states(&back, space);
        kept
    };
    assert!(known > 10);
    assert_eq!(kept(&space), known);
    let finer = space.clone().with_resolution(0.05).unwrap();
    assert_eq!(kept(&finer), 0);

    // trust is forgotten, too
    let mut back = read(&space, &saved).unwrap();
    back.trust_states();
    back.forget();
    assert_eq!(back.repair(&space).unwrap().kept, 0);
}

#[test]
fn a_map_of_other_robots_is_refused() {
    let (map, space_) = known();
    let saved = text(&map, "other");
    let message = |space: &RobotCSpace| read(space, &saved).unwrap_err().to_string();
    let found = message(&space(&["robots/planar3R.rob"]));
    assert!(
        found.starts_with(
            "map.json: error: a road map: is of 6 degrees of freedom of `arm6`, not of 3"
        ),
        "{found}"
    );
    let one = [kinworld::DofId::new(1)];
    let found = message(&space_.clone().with_active(&one).unwrap());
    assert!(found.contains("has the range [-"), "{found}");
}

#[test]
fn what_is_no_map_is_refused_with_its_place() {
    let (map, space) = known();
    let saved = text(&map, "malformed");
    let first = saved.find("\"milestones\": [\n[").unwrap() + "\"milestones\": [\n[".len();
    let number = &saved[first..first + saved[first..].find(',').unwrap()];
    let cases: &[(&str, &str, &str)] = &[
        ("{\"kinworld", "{\"klampt", "is no road map"),
        (
            "map\": 1",
            "map\": 2",
            "kinworld_road_map: is a form that is not known; 1 is",
        ),
        (
            "map\": 1",
            "map\": -1",
            "kinworld_road_map: must be a whole number from 0 up",
        ),
        ("map\": 1,", "map\": 1", "the JSON is broken"),
        ("\"seed\"", "\"seeds\"", "`seed` is missing"),
        ("\"edges\"", "\"edge\"", "`edges` is missing"),
        (
            "\"states\": \"",
            "\"states\": \"+",
            "edges, and what is known of",
        ),
        (
            "\"states\": \"",
            "\"states\": \"x",
            "states: `x` is none of `?`, `+` and `-`",
        ),
        ("\"edges\": [\n[", "\"edges\": [\n[99999", "joins 99999"),
        (
            "\"edges\": [\n[",
            "\"edges\": [\n[0.5",
            "edges/0: must be a list of 2 whole numbers",
        ),
        (
            "\"step\": 0.125",
            "\"step\": 0",
            "has samples on edges at a distance of 0",
        ),
        (
            "\"step\": 0.125",
            "\"step\": \"a\"",
            "step: must be a number",
        ),
        (
            "\"bounds\": [\n[",
            "\"bounds\": [\n[9e9, 1], [",
            "number 0 of a configuration",
        ),
        (
            "\"bounds\": [\n[",
            "\"bounds\": [\nfalse, [",
            "bounds/0: must be a list of 2 numbers or nulls",
        ),
        (
            "\"dofs\": [",
            "\"dofs\": [7, ",
            "robots/0/dofs/0: must be text",
        ),
        (number, "1e999", "the JSON is broken"),
        (number, "null", "milestones/0: must be a list of numbers"),
        (
            &format!("{number}, "),
            "",
            "milestone 0: a configuration needs 6 values, got 5",
        ),
    ];
    for (old, new, expected) in cases {
        assert!(saved.contains(old), "{old}");
        let broken = saved.replacen(old, new, 1);
        let found = read(&space, &broken).unwrap_err().to_string();
        assert!(
            found.starts_with("map.json:") && found.contains(expected),
            "{old}: {found}"
        );
    }
    // any part of a file ends in a message
    for length in (0..saved.len()).step_by(97) {
        assert!(read(&space, &saved[..length]).is_err());
    }
}

#[cfg(feature = "serde")]
#[test]
fn maps_are_serialised_and_validated() {
    let (map, space) = known();
    let json = serde_json::to_value(&map).unwrap();
    let mut back: RoadMap = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(text(&back, "serde"), text(&map, "serde2"));
    back.repair(&space).unwrap();
    assert_eq!(content(&back), content(&map));
    let mut bad = json;
    bad["edges"][0] = serde_json::json!([0, 0]);
    let error = serde_json::from_value::<RoadMap>(bad).unwrap_err();
    assert!(
        error.to_string().contains("edge 0 joins 0 and 0"),
        "{error}"
    );
}
