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

#[test]
fn groups_are_the_union_of_what_they_list() {
    let srdf = "<robot name=\"r\"><group name=\"tip\"><chain base_link=\"b\" tip_link=\"d\"/></group>\
         <group name=\"all\"><joint name=\"b\"/><group name=\"tip\"/><group name=\"all\"/></group>\
         <group name=\"back\"><chain base_link=\"d\" tip_link=\"b\"/></group>\
         <group_state name=\"up\" group=\"all\"><joint name=\"c\" value=\"0.5\"/></group_state>\
         <virtual_joint name=\"v\" type=\"fixed\" parent_frame=\"world\" child_link=\"a\"/>\
         <passive_joint name=\"d\"/><end_effector name=\"hand\" parent_link=\"c\" group=\"tip\"/></robot>";
    let loaded = loaded(srdf);
    let robot = &loaded.value;
    let names = |group| {
        let links = &robot.group(group).unwrap().links;
        let names = links.iter().map(|&id| robot.link(id).name());
        names.collect::<String>()
    };
    assert_eq!(names("tip"), "cd");
    assert_eq!(names("all"), "bcd");
    assert_eq!(names("back"), "");
    assert_eq!(
        said(&loaded),
        [
            "1:159: srdf: group `back`: link `d` is not an ancestor of link `b`; the chain is ignored"
        ]
    );
    let dofs = robot.dofs_of(robot.group("tip").unwrap());
    assert_eq!(dofs, [1, 2].map(kinworld::DofId::new));
    assert_eq!(
        robot.named_config("up", Some("all")).unwrap(),
        [0.0, 0.5, 0.0]
    );
    assert_eq!(robot.named_config("up", None).unwrap(), [0.0, 0.5, 0.0]);
    let hand = &robot.end_effectors()[0];
    assert_eq!((hand.name.as_str(), hand.group.as_str()), ("hand", "tip"));
    assert_eq!(robot.link(hand.parent).name(), "c");
    let srdf = Srdf::parse(&robot.properties()["srdf"]).unwrap().value;
    assert_eq!(srdf.passive_joints, ["d"]);
    assert_eq!(srdf.virtual_joints[0].child_link, "a");

    let error = robot.group("al").unwrap_err().to_string();
    assert_eq!(
        error,
        "no group named `al`; did you mean `all`? there are: tip, all, back"
    );
    let error = robot.named_config("down", Some("all")).unwrap_err();
    assert_eq!(error.to_string(), "no state named `down`; there are: up");
    assert!(robot.named_config("up", Some("wings")).is_err());
}

#[test]
fn sloppy_states_are_states_of_the_joints_that_they_name() {
    let loaded = loaded(
        "<robot name=\"r\">\n<group_state name=\"home\"><joint name=\"c\" value=\"0.5\"/></group_state>\n\
         <group_state name=\"rest\" group=\"g\"><joint name=\"b\" value=\"1\"/><joint name=\"e\" value=\"1\"/>\
         <joint name=\"d\" value=\"1 2\"/></group_state>\n</robot>",
    );
    let robot = &loaded.value;
    assert_eq!(robot.named_config("home", None).unwrap(), [0.0, 0.5, 0.0]);
    assert_eq!(robot.named_config("rest", None).unwrap(), [1.0, 0.0, 0.0]);
    assert_eq!(robot.named_states()[0].group, None);
    assert_eq!(
        said(&loaded),
        [
            "2:1: srdf: state `home`: it names no group; it is one of the joints that it names",
            "3:1: srdf: state `rest`: no group is named `g`; it is one of the joints that it names",
            "3:1: srdf: state `rest`: no joint is named `e`; its value is ignored",
            "3:1: srdf: state `rest`: joint `d` has 1 degrees of freedom, 2 are given; they are ignored",
        ]
    );
}

#[test]
fn states_of_one_name_are_taken_together_unless_they_contradict() {
    let state = |group: &str, name: &str, joint: &str, value: f64| {
        format!(
            "<group_state name=\"{name}\" group=\"{group}\"><joint name=\"{joint}\" value=\"{value}\"/></group_state>"
        )
    };
    let groups = "<group name=\"left\"><joint name=\"b\"/></group><group name=\"right\"><joint name=\"c\"/></group>";
    let states = [
        state("left", "home", "b", 0.25),
        state("right", "home", "c", 0.5),
        state("left", "odd", "b", 0.1),
        state("right", "odd", "b", 0.2),
    ];
    let srdf = format!("<robot name=\"r\">{groups}{}</robot>", states.concat());
    let robot = loaded(&srdf).value;
    assert_eq!(robot.named_config("home", None).unwrap(), [0.25, 0.5, 0.0]);
    assert_eq!(
        robot.named_config("home", Some("right")).unwrap(),
        [0.0, 0.5, 0.0]
    );
    let error = robot.named_config("odd", None).unwrap_err().to_string();
    assert_eq!(
        error,
        "state `odd`: groups give joint `b` different values: choose one of left, right"
    );
    assert_eq!(
        robot.named_config("odd", Some("right")).unwrap(),
        [0.2, 0.0, 0.0]
    );
}

#[test]
fn each_robot_gets_the_srdf_of_its_name_and_its_configurations() {
    let srdf = file(
        "r.srdf",
        "<robot name=\"other\"><group name=\"g\"><link name=\"b\"/></group></robot>",
    );
    let states = file("r.configs", "3 0 1 0\n3 0 0 2\n");
    let options = LoadOptions::default()
        .with_robot_srdfs(vec![("r".to_owned(), srdf.clone()), ("s".to_owned(), srdf)])
        .with_states(vec![(None, states.clone()), (Some("s".to_owned()), states)]);
    let urdf = file("r.urdf", chain());
    let robot = Loader::with_options(options).robot(urdf).unwrap().value;
    assert_eq!(robot.groups().len(), 1);
    let names = robot.named_states().iter().map(|state| state.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["0", "1"]);
    assert_eq!(robot.named_config("1", None).unwrap(), [0.0, 0.0, 2.0]);

    let wrong = file("wrong.configs", "2 0 1\n");
    let options = LoadOptions::default().with_states(vec![(None, wrong)]);
    let urdf = file("r.urdf", chain());
    let said = refusal(Loader::with_options(options).robot(urdf)).to_string();
    assert!(
        said.ends_with("configuration 0 has 2 values, robot `r` needs 3"),
        "{said}"
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
