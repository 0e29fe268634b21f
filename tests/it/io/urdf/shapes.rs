//! Shapes of links: poses, sizes, colours.

use kinworld::io::Loader;
use kinworld::robot::Element;
use kinworld::{Point, Robot};

use super::{BODY, folder, messages, names, robot, with_warnings};

/// A tetrahedron with edges 1, 2 and 3 along x, y and z.
const CORNER_OFF: &str =
    "OFF\n4 4 0\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

/// A robot of one link, beside the file `corner.off`.
fn one_link(content: &str, rest: &str) -> (Robot, Vec<String>) {
    let folder = folder();
    std::fs::write(folder.join("corner.off"), CORNER_OFF).unwrap();
    let text =
        format!("<robot name=\"r\"><link name=\"a\">{BODY}\n{content}</link>\n{rest}</robot>");
    let path = folder.join("robot.urdf");
    std::fs::write(&path, text).unwrap();
    let loaded = Loader::new().robot(&path).unwrap();
    let warnings = messages(&loaded.diagnostics);
    (loaded.value, warnings)
}

/// The corners of the box around a shape, in the link frame.
fn extent(element: &Element) -> (Point, Point) {
    let aabb = element
        .geometry
        .aabb(&element.placement)
        .expect("a shape that is somewhere");
    (aabb.min, aabb.max)
}

#[track_caller]
fn assert_extent(element: &Element, min: [f64; 3], max: [f64; 3]) {
    let (ours_min, ours_max) = extent(element);
    let error = (ours_min - Point::from(min))
        .amax()
        .max((ours_max - Point::from(max)).amax());
    assert!(error < 1e-12, "{ours_min} to {ours_max}");
}

fn collision(geometry: &str) -> String {
    format!("<collision><origin xyz=\"10 0 0\"/><geometry>{geometry}</geometry></collision>\n")
}

#[test]
fn every_element_of_a_link_counts() {
    let shapes = [
        r#"<box size="2 4 6"/>"#,
        r#"<sphere radius="0.5"/>"#,
        r#"<cylinder radius="0.5" length="3"/>"#,
        r#"<capsule radius="0.5" length="3"/>"#,
        r#"<mesh filename="corner.off"/>"#,
        r#"<mesh filename="corner.off" scale="2 -1 0.5"/>"#,
    ];
    let content: String = shapes.iter().map(|shape| collision(shape)).collect();
    let (robot, warnings) = one_link(&content, "");
    assert_eq!(warnings, [""; 0]);
    let elements = robot.links()[0].collision();
    let expected = [
        ([9.0, -2.0, -3.0], [11.0, 2.0, 3.0]),
        ([9.5, -0.5, -0.5], [10.5, 0.5, 0.5]),
        ([9.5, -0.5, -1.5], [10.5, 0.5, 1.5]),
        ([9.5, -0.5, -2.0], [10.5, 0.5, 2.0]),
        ([10.0, 0.0, 0.0], [11.0, 2.0, 3.0]),
        ([10.0, -2.0, 0.0], [12.0, 0.0, 1.5]),
    ];
    assert_eq!(elements.len(), expected.len());
    for (element, (min, max)) in elements.iter().zip(expected) {
        assert_extent(element, min, max);
    }
    let element = Element::new(robot.links()[0].shape().unwrap().clone());
    assert_extent(&element, [9.0, -2.0, -3.0], [12.0, 2.0, 3.0]);
}

#[test]
fn an_origin_rotates_a_shape_before_it_translates_it() {
    let content = r#"<collision name="arm"><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>
        <geometry><mesh filename="corner.off" scale="3 1 1"/></geometry></collision>"#;
    let (robot, _) = one_link(content, "");
    let element = &robot.links()[0].collision()[0];
    assert_eq!(element.name, "arm");
    // scaled to 3 × 2 × 3, rotated so that x points along y
    assert_extent(element, [-1.0, 0.0, 0.0], [1.0, 3.0, 3.0]);
}

#[test]
fn a_quaternion_may_replace_roll_pitch_and_yaw() {
    // of any length, also if its square overflows
    for length in ["0.5", "1e-200", "1e200"] {
        let content = format!(
            r#"<collision><origin quat_xyzw="0 0 {length} {length}"/>
            <geometry><mesh filename="corner.off"/></geometry></collision>"#
        );
        let (robot, _) = one_link(&content, "");
        let element = &robot.links()[0].collision()[0];
        assert_extent(element, [-2.0, 0.0, 0.0], [0.0, 1.0, 3.0]);
    }
}

#[test]
fn klampt_may_flip_meshes_and_use_the_visual_ones() {
    let content = r#"<visual><geometry><mesh filename="corner.off" scale="1 1 2"/></geometry></visual>
        <collision><geometry><box size="1 1 1"/></geometry></collision>"#;
    let (robot, _) = one_link(content, r#"<klampt flip_yz="1" use_vis_geom="true"/>"#);
    let link = robot.links().last().unwrap();
    // (x, y, z) -> (x, -z, y), then the scale
    assert_extent(&link.collision()[0], [0.0, -3.0, 0.0], [1.0, 0.0, 4.0]);
    assert_eq!(link.collision().len(), 1);
    let (robot, _) = one_link(content, "<klampt/>");
    assert_extent(
        &robot.links().last().unwrap().collision()[0],
        [-0.5; 3],
        [0.5; 3],
    );
}

#[test]
fn materials_are_found_by_name_wherever_they_are_defined() {
    let visual = |material: &str| {
        format!("<visual><geometry><sphere radius=\"1\"/></geometry>{material}</visual>\n")
    };
    let content = visual(r#"<material name="red"/>"#)
        + &visual(r#"<material name="blue"><color rgba="0 0 1 0.5"/></material>"#)
        + &visual(r#"<material name="blue"/>"#)
        + &visual(r#"<material name="wood"/>"#)
        + &visual("")
        + r#"<collision><geometry><sphere radius="1"/></geometry></collision>"#;
    let globals = r#"<material name="red"><color rgba="1 0 0 1"/></material>
        <material name="wood"><texture filename="package://p/wood.png"/></material>"#;
    let (robot, warnings) = one_link(&content, globals);
    assert_eq!(warnings, [""; 0]);
    let visual = robot.links()[0].visual();
    let appearance = |i: usize| visual[i].appearance.as_ref().expect("a material");
    assert_eq!(appearance(0).color, Some([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(
        (appearance(0).name.as_str(), &appearance(0).texture),
        ("red", &None)
    );
    assert_eq!(appearance(1).color, Some([0.0, 0.0, 1.0, 0.5]));
    assert_eq!(appearance(2).color, appearance(1).color);
    assert_eq!(
        appearance(3).texture.as_deref(),
        Some("package://p/wood.png")
    );
    assert!(visual[4].appearance.is_none());
}

#[test]
fn a_mesh_that_is_missing_is_a_warning_that_lists_every_path_tried() {
    let content = collision(r#"<mesh filename="package://ghosts/a.off"/>"#)
        + &collision(r#"<mesh filename="b.off"/>"#)
        + &collision(r#"<mesh filename="b.off"/>"#);
    let (robot, warnings) = one_link(&content, "");
    assert!(robot.links()[0].collision().is_empty());
    assert_eq!(warnings.len(), 2, "one for each file: {warnings:?}");
    assert!(
        warnings[0].starts_with("2:50: link `a`: mesh `package://ghosts/a.off` cannot be found")
    );
    assert!(warnings[1].starts_with("3:50: link `a`: mesh `b.off` cannot be found; tried "));
    assert!(
        warnings[1].contains("/b.off; it is left out"),
        "{warnings:?}"
    );
}

#[test]
fn without_geometry_nothing_is_looked_for_and_nothing_collides() {
    let options = kinworld::io::LoadOptions::default().with_load_geometry(false);
    let content =
        collision(r#"<mesh filename="nowhere.off"/>"#) + &collision(r#"<sphere radius="1"/>"#);
    let text = format!("<robot name=\"r\"><link name=\"a\">{BODY}{content}</link></robot>");
    let loaded = super::load_with(options, &text).unwrap();
    assert!(loaded.value.links()[0].shape().is_none());
    assert_eq!(messages(&loaded.diagnostics), [""; 0]);
}

#[test]
fn links_with_only_visual_shapes_are_listed_once() {
    let visual = "<visual><geometry><sphere radius=\"1\"/></geometry></visual>";
    let links: String = ["a", "b"]
        .iter()
        .map(|name| format!("<link name=\"{name}\">{BODY}{visual}</link>"))
        .collect();
    let joint = super::joint("fixed", "a", "b", "");
    let text = format!("<robot name=\"r\">{links}{joint}</robot>");
    let (robot, warnings) = with_warnings(&text);
    assert_eq!(
        warnings,
        ["1:1: robot: links with <visual> and no <collision> never collide: a, b"]
    );
    assert!(robot.links().iter().all(|link| link.shape().is_none()));

    let (robot, warnings) =
        with_warnings(&text.replace("</robot>", "<klampt use_vis_geom=\"1\"/></robot>"));
    assert_eq!(warnings, [""; 0]);
    assert!(
        robot.links()[5..].iter().all(|link| link.shape().is_some()),
        "{:?}",
        names(&robot)
    );
}

#[test]
fn plain_files_test_all_pairs_that_are_neither_adjacent_nor_rigid() {
    let ball = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
    let links: String = ["a", "b", "c", "d"]
        .iter()
        .map(|name| format!("<link name=\"{name}\">{BODY}{ball}</link>"))
        .collect();
    // a and b fixed to each other, then c and d
    let joints = super::joint("fixed", "a", "b", "")
        + &super::joint("revolute", "b", "c", "")
        + &super::joint("revolute", "c", "d", "");
    let robot = robot(&format!("<robot name=\"r\">{links}{joints}</robot>"));
    let pairs: Vec<(usize, usize)> = robot
        .self_collision_pairs()
        .map(|(a, b)| (a.index(), b.index()))
        .collect();
    assert_eq!(pairs, [(0, 2), (0, 3), (1, 3)]);
}
