//! SRDF: disabled pairs, groups and named configurations.

use kinworld::io::{LoadLimits, LoadOptions, Loader, Srdf};
use kinworld::{Error, Loaded, Robot};

use super::{BODY, joint, with_links};
use crate::io::scratch::{file, folder, refusal};

const BALL: &str = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";

/// A robot `r` with a chain a, b, c, d of spheres.
fn chain() -> String {
    let joints: String = [("a", "b"), ("b", "c"), ("c", "d")]
        .map(|(parent, child)| joint("revolute", parent, child, ""))
        .concat();
    with_links("a b c d", &joints).replace(BODY, &format!("{BODY}{BALL}"))
}

/// That chain with an SRDF.
fn loaded(srdf: &str) -> Loaded<Robot> {
    let urdf = file("r.urdf", chain());
    loader(srdf).robot(urdf).unwrap()
}

fn loader(srdf: &str) -> Loader {
    Loader::with_options(LoadOptions::default().with_srdf(Some(file("r.srdf", srdf))))
}

fn pairs(robot: &Robot) -> Vec<String> {
    let name = |id| robot.link(id).name();
    let pairs = robot.self_collision_pairs();
    pairs
        .map(|(a, b)| format!("{}{}", name(a), name(b)))
        .collect()
}

fn said(loaded: &Loaded<Robot>) -> Vec<String> {
    super::messages(&loaded.diagnostics)
}

#[test]
fn disabled_pairs_are_not_tested_whatever_their_order() {
    let plain = loaded("<robot name=\"r\"/>");
    assert_eq!(pairs(&plain.value), ["ac", "ad", "bd"]);
    let some = loaded(
        "<robot name=\"r\"><disable_collisions link1=\"d\" link2=\"a\" reason=\"Never\"/></robot>",
    );
    assert_eq!(pairs(&some.value), ["ac", "bd"]);
    assert_eq!(said(&some), [""; 0]);
}

#[test]
fn a_link_disabled_by_default_is_tested_in_enabled_pairs_only() {
    let loaded = loaded(
        "<robot name=\"r\"><disable_default_collisions link=\"a\"/><enable_collisions link1=\"d\" link2=\"a\"/></robot>",
    );
    assert_eq!(pairs(&loaded.value), ["ad", "bd"]);
}

#[test]
fn of_several_robots_it_applies_to_those_of_its_name() {
    let folder = folder();
    let robots = ["r", "s"].map(|name| {
        let text = chain().replace("<robot name=\"r\">", &format!("<robot name=\"{name}\">"));
        std::fs::write(folder.join(format!("{name}.urdf")), text).unwrap();
        format!("<robot name=\"{name}1\" file=\"{name}.urdf\"/>")
    });
    let world = folder.join("world.xml");
    std::fs::write(&world, format!("<world>{}</world>", robots.concat())).unwrap();
    let srdf = |name: &str| {
        let pair = "<disable_collisions link1=\"a\" link2=\"d\"/>";
        format!("<robot name=\"{name}\">{pair}</robot>")
    };
    let Loaded {
        value, diagnostics, ..
    } = loader(&srdf("s")).world(&world).unwrap();
    let tested: Vec<_> = value.robots().map(|robot| pairs(robot.model())).collect();
    assert_eq!(tested[0], ["ac", "ad", "bd"]);
    assert_eq!(tested[1], ["ac", "bd"]);
    assert_eq!(super::messages(&diagnostics), [""; 0]);

    let Loaded {
        value, diagnostics, ..
    } = loader(&srdf("t")).world(&world).unwrap();
    let mut tested = value.robots().map(|robot| pairs(robot.model()).len());
    assert!(tested.all(|n| n == 3));
    let said = super::messages(&diagnostics);
    assert_eq!(
        said,
        ["0:0: is used for no robot: none has the name that it gives"]
    );
}

#[test]
fn pairs_that_it_disables_are_limited() {
    let mut options = loader("<robot name=\"r\"><disable_default_collisions link=\"a\"/></robot>");
    let limits = LoadLimits::default().with_pairs(2);
    options = Loader::with_options(options.options().clone().with_limits(limits));
    let said = refusal(options.robot(file("r.urdf", chain()))).to_string();
    assert!(
        said.ends_with("r.srdf:1:1: error: srdf: it disables more than 2 pairs"),
        "{said}"
    );
}

#[test]
fn unknown_names_are_listed_with_their_line() {
    let loaded = loaded(
        "<robot name=\"s\">\n<disable_collisions link1=\"a\" link2=\"x\"/>\n<disable_collisions link1=\"a\" link2=\"a\"/>\n<group name=\"g\"><link name=\"y\"/><joint name=\"z\"/><group name=\"h\"/></group>\n<disable_collision/>\n</robot>",
    );
    assert_eq!(
        said(&loaded),
        [
            "1:1: srdf: it is for robot `s`, and used for `r`",
            "2:1: srdf: no link is named `x`; the pair is ignored",
            "3:1: srdf: a pair names `a` twice; it is ignored",
            "4:1: srdf: group `g`: no link is named `y`",
            "4:1: srdf: group `g`: no joint is named `z`",
            "4:1: srdf: group `g`: no group is named `h`",
            "5:1: srdf: element <disable_collision> of <robot> is not known and ignored",
        ]
    );
    assert_eq!(pairs(&loaded.value), ["ac", "ad", "bd"]);
}

#[cfg(any())]
#[test]
fn groups_are_the_union_of_what_they_list() {
    let srdf = "<robot name=\"r\"><group name=\"tip\"><chain base_link=\"b\" tip_link=\"d\"/></group>\
         <group name=\"all\"><joint name=\"b\"/><group name=\"tip\"/><group name=\"all\"/></group>\
         <group name=\"back\"><chain base_link=\"d\" tip_link=\"b\"/></group>\
         <group_state name=\"up\" group=\"all\"><joint name=\"c\" value=\"0.5\"/></group_state>\
         <virtual_joint name=\"v\" type=\"fixed\" parent_frame=\"world\" child_link=\"a\"/>\
         <passive_joint name=\"d\"/><end_effector name=\"hand\" parent_link=\"c\" group=\"tip\"/></robot>";
    let robot = loaded(srdf).value;
    let srdf = Srdf::parse(&robot.properties()["srdf"]).unwrap().value;
    let names = |group| {
        let links = srdf.links_of(&robot, group).unwrap();
        links
            .iter()
            .map(|&id| robot.link(id).name())
            .collect::<String>()
    };
    assert_eq!(names("tip"), "cd");
    assert_eq!(names("all"), "bcd");
    assert_eq!(
        srdf.config_of(&robot, "all", "up").unwrap(),
        [0.0, 0.5, 0.0]
    );
    assert_eq!(srdf.passive_joints, ["d"]);
    assert_eq!(srdf.end_effectors[0].parent_link, "c");
    assert_eq!(srdf.virtual_joints[0].child_link, "a");
    let error = srdf.links_of(&robot, "back").unwrap_err();
    assert_eq!(
        error.to_string(),
        "chain: link `d` is not an ancestor of link `b`"
    );
    let error = srdf.config_of(&robot, "all", "down").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no group state named `down`; there are: up"
    );
}

#[test]
fn a_file_that_is_not_an_srdf_is_refused_with_its_position() {
    for (text, message) in [
        (
            "<world/>",
            "srdf:1:1: error: srdf: an SRDF starts with <robot>, this file with <world>",
        ),
        (
            "<robot>\n <disable_collisions link1=\"a\"/></robot>",
            "srdf:2:2: error: srdf: <disable_collisions> needs the attribute `link2`",
        ),
        (
            "<robot><group_state name=\"a\" group=\"g\"><joint name=\"j\" value=\"x\"/></group_state></robot>",
            "srdf:1:56: error: srdf: `value` of <joint>: `x` is not a number",
        ),
    ] {
        let Err(Error::Load(error)) = Srdf::parse(text) else {
            panic!("it should be refused: {text}");
        };
        assert_eq!(error.to_string(), message);
    }
}
