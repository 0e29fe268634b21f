//! `<klampt>`: pairs, mounts, properties, and settings that end with their file.

use kinworld::io::Loader;
use kinworld::{Robot, State};

use super::{BODY, folder, joint, messages, names, robot, with_warnings};

/// A chain of five links with a sphere each, attached to the world.
fn snake(klampt: &str) -> String {
    let ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let mut text = String::from("<robot name=\"snake\"><link name=\"world\"/>\n");
    let mut parent = "world";
    for name in ["a", "b", "c", "d", "e"] {
        text += &format!("<link name=\"{name}\">{BODY}{ball}</link>\n");
        text += &joint("revolute", parent, name, "");
        parent = name;
    }
    text + klampt + "</robot>"
}

fn pairs(robot: &Robot) -> Vec<String> {
    let name = |id| robot.link(id).name();
    robot
        .self_collision_pairs()
        .map(|(a, b)| format!("{}{}", name(a), name(b)))
        .collect()
}

#[test]
fn pairs_are_named_by_link_index_or_group() {
    let all = ["ac", "ad", "ae", "bd", "be", "ce"];
    let cases: [(&str, &[&str]); 7] = [
        ("<klampt/>", &all),
        (
            r#"<klampt><noselfcollision pairs="a c  e b"/></klampt>"#,
            &["ad", "ae", "bd", "ce"],
        ),
        (
            r#"<klampt><noselfcollision pairs="0 2 4 1"/></klampt>"#,
            &["ad", "ae", "bd", "ce"],
        ),
        (
            r#"<klampt><noselfcollision group1="a b" group2="a d e"/></klampt>"#,
            &["ac", "ce"],
        ),
        (
            r#"<klampt><selfcollision pairs='a b "d" e'/></klampt>"#,
            &["ab", "de"],
        ),
        (
            r#"<klampt><selfcollision group1="e" group2="a b e"/></klampt>"#,
            &["ae", "be"],
        ),
        (
            r#"<klampt><selfcollision group1="e" group2="a b"/><noselfcollision pairs="b e"/></klampt>"#,
            &["ae"],
        ),
    ];
    for (klampt, expected) in cases {
        assert_eq!(pairs(&robot(&snake(klampt))), expected, "{klampt}");
    }
}

#[test]
fn robots_are_mounted_with_a_prefix_and_named_in_pairs() {
    let folder = folder();
    let ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let hand = format!(
        "<robot name=\"hand\"><link name=\"palm\">{BODY}{ball}</link><link name=\"finger\">{BODY}{ball}</link>{}</robot>",
        joint("revolute", "palm", "finger", r#"<origin xyz="0 0 1"/>"#)
    );
    std::fs::write(folder.join("hand.urdf"), hand).unwrap();
    let klampt = r#"<klampt>
        <mount link="e" file="hand.urdf" transform="0 -1 0 1 0 0 0 0 1  5 0 0" prefix="left"/>
        <noselfcollision group1="a b c d" group2="left:palm left:finger"/></klampt>"#;
    let path = folder.join("snake.urdf");
    std::fs::write(&path, snake(klampt)).unwrap();
    let loaded = Loader::new().robot(&path).unwrap();
    assert_eq!(messages(&loaded.diagnostics), [""; 0]);
    let robot = loaded.value;
    assert_eq!(names(&robot)[5..], ["left:palm", "left:finger"]);
    assert_eq!(robot.n_dofs(), 6);
    let expected = ["ac", "ad", "ae", "bd", "be", "ce", "eleft:finger"];
    assert_eq!(pairs(&robot), expected);

    // the palm is rotated by 90° about z and translated by 5 along x
    let state = State::new(&robot);
    let palm = state.pose(&robot, robot.link_id("left:palm").unwrap());
    assert_eq!(
        palm.translation.vector,
        kinworld::Vector::new(5.0, 0.0, 0.0)
    );
    assert_eq!(palm.rotation * kinworld::Vector::x(), kinworld::Vector::y());
}

#[test]
fn a_shape_may_be_mounted_on_a_link() {
    let folder = folder();
    std::fs::write(
        folder.join("tip.off"),
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    )
    .unwrap();
    let klampt =
        r#"<klampt><mount link="4" file="tip.off" transform="1 0 0 0 1 0 0 0 1  0 0 7"/></klampt>"#;
    let path = folder.join("snake.urdf");
    std::fs::write(&path, snake(klampt)).unwrap();
    let robot = Loader::new().robot(&path).unwrap().value;
    let shapes = robot.links()[4].collision();
    assert_eq!(shapes.len(), 2);
    assert_eq!(shapes[1].placement.translation.vector.z, 7.0);

    // it is also visual, as in a .rob
    let seen = robot.links()[4].visual().last().unwrap();
    assert_eq!(seen.geometry, shapes[1].geometry);
}

#[test]
fn sensors_and_unknown_elements_are_kept_as_data() {
    let text = snake(
        "<transmission name=\"t\"><type>x</type></transmission>\n<gazebo/><klampt><sensors><imu rate=\"5\"/></sensors></klampt>",
    );
    let text = text.replace(
        "<link name=\"world\"/>",
        "<link name=\"world\"><gazebo>1</gazebo></link>",
    );
    let text = text.replace(
        "name=\"a\" type=\"revolute\">",
        "name=\"a\" type=\"revolute\"><calibration rising=\"1\"/>",
    );
    let robot = robot(&text);
    let property = |key: &str| robot.properties().get(key).map(String::as_str);
    assert_eq!(
        property("sensors"),
        Some("<sensors><imu rate=\"5\"/></sensors>")
    );
    let extra = "<transmission name=\"t\"><type>x</type></transmission>\n<gazebo/>";
    assert_eq!(property("urdf.extra"), Some(extra));
    assert_eq!(
        property("urdf.link_extra.world"),
        Some("<gazebo>1</gazebo>")
    );
    assert_eq!(
        property("urdf.joint_extra.a"),
        Some("<calibration rising=\"1\"/>")
    );
}

#[test]
fn sensors_may_be_in_a_separate_file() {
    let folder = folder();
    std::fs::write(folder.join("imu.xml"), "<sensors/>").unwrap();
    let path = folder.join("snake.urdf");
    std::fs::write(&path, snake("<klampt sensors=\"imu.xml\"/>")).unwrap();
    let robot = Loader::new().robot(&path).unwrap().value;
    assert_eq!(robot.properties()["sensors"], "<sensors/>");
}

#[test]
fn misspelt_and_misplaced_settings_are_reported() {
    let klampt = "<klampt\n  defaultAccMax=\"4\"\n  freeze_root=\"1\">\n<link name=\"nobody\"/>\n<sensor/>\n<noselfcollision pairs=\"a c b\"/></klampt>";
    let (robot, warnings) = with_warnings(&snake(klampt));
    assert_eq!(robot.limits()[0].a_max, 10.0);
    let expected = [
        "13:3: klampt: `defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`",
        "14:3: robot: attribute `freeze_root` of <klampt> is not known and ignored",
        "15:7: klampt: no link is named `nobody`; <link> is ignored",
        "16:1: robot: element <sensor> of <klampt> is not known and ignored",
        "17:18: klampt: `pairs` of <noselfcollision>: `b` has no partner; it is ignored",
    ];
    assert_eq!(warnings, expected);
}

#[test]
fn nothing_leaks_from_one_file_into_the_next() {
    let folder = folder();
    let seen = "<visual><geometry><sphere radius=\"1\"/></geometry></visual>";
    let link = format!("<link name=\"a\">{BODY}{seen}</link>");
    let special =
        "<klampt use_vis_geom=\"1\" flip_yz=\"1\" package_root=\".\" default_mass=\"9\"/>";
    let write = |name: &str, rest: &str| {
        let path = folder.join(name);
        std::fs::write(&path, format!("<robot name=\"r\">{link}{rest}</robot>")).unwrap();
        path
    };
    let (first, second) = (write("first.urdf", special), write("second.urdf", ""));
    let mut loader = Loader::new();
    let first = loader.robot(first).unwrap().value;
    let second = loader.robot(second).unwrap().value;
    assert_eq!(first.links()[5].collision().len(), 1);
    assert_eq!(second.links()[0].collision().len(), 0);
    assert_eq!(second.n_dofs(), 0);
}
