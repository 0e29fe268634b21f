//! Which pairs of links need no test.

use serde_json::json;

use crate::common::{run, scratch};

/// Two arms on a post that pass each other at the same height, and a lamp far above.
const ARMS: &str = r#"<robot name="arms">
  <link name="post"/>
  <link name="left"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="right"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="lamp"><collision><origin xyz="0 0 3"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <joint name="l" type="revolute"><parent link="post"/><child link="left"/><axis xyz="0 0 1"/>
    <origin rpy="0 0 1"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="r" type="revolute"><parent link="post"/><child link="right"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="f" type="fixed"><parent link="post"/><child link="lamp"/></joint>
</robot>"#;

#[test]
fn pairs_are_printed_and_written() {
    let arms = scratch("acm/arms.urdf", ARMS);
    let answer = run(&["acm", &arms, "--samples", "500", "--seed", "4", "--json"]).json();
    let classes: Vec<_> = answer["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| &pair["class"])
        .collect();
    assert_eq!(classes, ["Never", "Never", "Sometimes"]);
    assert_eq!(answer["pairs"][2]["links"], json!(["left", "right"]));
    assert_eq!(
        (&answer["samples"], &answer["checked"]),
        (&json!(500), &json!(250))
    );
    // no missed pair: the rule of three
    assert_eq!(answer["missed"], json!(0));
    let bound = answer["missed_bound"].as_f64().unwrap();
    assert!((bound - (1.0 - 0.05_f64.powf(1.0 / 250.0))).abs() < 1e-12);
    let table = run(&["acm", &arms, "--samples", "500", "--seed", "4"]);
    assert!(
        table.stdout.contains(
            "tested: 0 Default, 1 Sometimes; disabled: 0 Adjacent, 0 Always, 2 Never, 0 User"
        ),
        "{}",
        table.stdout
    );
    assert!(
        table
            .stdout
            .contains("at 95 % confidence, at most 1.191 % of all configurations do"),
        "{}",
        table.stdout
    );

    let srdf = scratch(
        "acm/arms.srdf",
        "<robot name=\"arms\"><!-- mine --></robot>\n",
    );
    let wrote = run(&["acm", &arms, "--samples", "500", "--output", &srdf]);
    assert_eq!(wrote.code, 0, "{}", wrote.stderr);
    let text = std::fs::read_to_string(&srdf).unwrap();
    assert!(
        text.contains("<!-- mine -->")
            && text.contains("link1=\"lamp\" link2=\"left\" reason=\"Never\""),
        "{text}"
    );
    let again = run(&["acm", &arms, "--samples", "500", "--srdf", &srdf, "--json"]).json();
    assert_eq!(again["pairs"][0]["class"], json!("User"));
}

#[test]
fn invalid_outputs_and_samples_are_errors() {
    let arms = scratch("acm/refused.urdf", ARMS);
    for (args, words) in [
        (&["--output", &arms][..], "has no <klampt>"),
        (&["--output", "arms.off"], "cannot hold a mask"),
    ] {
        let refused = run(&[&["acm", &arms, "--samples", "100"], args].concat());
        assert_eq!(refused.code, 1, "{}", refused.stderr);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    let few = run(&["acm", &arms, "--samples", "1"]);
    assert_eq!(few.code, 1);
    let said = "must be from 2 to 10000000, got 1";
    assert!(few.stderr.contains(said), "{}", few.stderr);
}
