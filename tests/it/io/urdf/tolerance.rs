//! Mistakes of real files that still load, each with a warning at its position.

use super::{BODY, joint, names, with_links, with_warnings};

/// A file, its links, and its warnings.
struct Case {
    text: String,
    links: &'static [&'static str],
    warnings: &'static [&'static str],
}

fn one_link(content: &str) -> String {
    format!("<robot name=\"r\">\n<link name=\"a\">\n{content}\n</link>\n</robot>")
}

#[test]
fn mistakes_of_real_files_are_warnings() {
    let cases = [
        Case {
            text: format!(
                "<robot name=\"r\">\n<link name=\"a\">{BODY}</link>\n<klampt>\n  <link name=\"a\"/>\n<klampt/>\n</robot>"
            ),
            links: &["base0", "base1", "base2", "base3", "base4", "a"],
            warnings: &["5:1: `<klampt>` is never closed; `<klampt/>` is taken as `</klampt>`"],
        },
        Case {
            text: format!(
                "\n<!-- late -->\n<?xml version=\"1.0\"?>\n<robot name=\"r\"><link name=\"a\">{BODY}</link></robot>"
            ),
            links: &["a"],
            warnings: &[
                "3:1: the XML declaration `<?xml …?>` is not at the very start of the file",
            ],
        },
        Case {
            text: format!("<robot><link name=\"a\">{BODY}</link></robot>"),
            links: &["a"],
            warnings: &["1:1: robot: <robot> has no name; it is named `robot` after the file"],
        },
        Case {
            text: one_link(
                r#"<inertial><mass value="1"/><inertia ixx="-1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"#,
            ),
            links: &["a"],
            warnings: &["2:1: link `a`: its inertia has a negative principal moment (-1.000e0)"],
        },
        Case {
            text: one_link(
                r#"<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/></inertial>"#,
            ),
            links: &["a"],
            warnings: &[
                "2:1: link `a`: its principal moments of inertia violate the triangle inequality",
            ],
        },
        Case {
            text: one_link("<inertial><origin xyz=\"1 0 0\"/></inertial>"),
            links: &["a"],
            warnings: &[
                "3:1: link `a`: <inertial> has no <mass>; 0 is used",
                "3:1: link `a`: <inertial> has no <inertia>; a point mass is used",
            ],
        },
        Case {
            text: one_link(&format!(
                "{BODY}\n<collision><geometry/></collision>\n<collision/>\n<collision><geometry><cone/></geometry></collision>\n<collision><geometry><box size=\"1 1 0\"/></geometry></collision>"
            )),
            links: &["a"],
            warnings: &[
                "4:12: link `a`: an empty <geometry>; it is ignored",
                "5:1: link `a`: <collision> without <geometry>; it is ignored",
                "6:12: link `a`: unknown shape <cone>; it is ignored",
                "7:1: link `a`: a size of its box is 0; the box is ignored",
            ],
        },
        Case {
            text: one_link(&format!(
                "{BODY}<collision><geometry><sphere radius=\"1\"/></geometry></collision><visual><geometry><sphere radius=\"1\"/></geometry>\n<material name=\"m\"><texture/></material></visual>"
            )),
            links: &["a"],
            warnings: &["4:20: link `a`: a <texture> without a file name; it is ignored"],
        },
        Case {
            text: with_links(
                "a b",
                &joint(
                    "revolute",
                    "a",
                    "b",
                    "\n<axis xyz=\"0 0 1\"/>\n<axis xyz=\"0 1 0\"/>",
                ),
            ),
            links: &["a", "b"],
            warnings: &["6:1: joint `b`: a second <axis>; it is ignored, the first one counts"],
        },
        Case {
            text: format!(
                "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><link name=\"c\">{BODY}</link>{}{}</robot>",
                joint("revolute", "a", "b", ""),
                joint("revolute", "a", "c", "")
            ),
            links: &["a", "b", "c"],
            warnings: &[
                "1:1: robot: degrees of freedom that move no mass, so that their dynamics are singular: b",
            ],
        },
        Case {
            text: with_links(
                "a b",
                &named("<limit lower=\"1\" upper=\"-1\" velocity=\"-1\" effort=\"1\"/>"),
            ),
            links: &["a", "b"],
            warnings: &[
                "3:1: link `b`: its lower limit 1 is above its upper limit -1",
                "4:68: joint `b`: `velocity` of <limit> is negative; its magnitude is used",
            ],
        },
        Case {
            text: with_links("a b", &joint("fixed", "a", "b", "<mimic joint=\"b\"/>")),
            links: &["a", "b"],
            warnings: &[
                "4:1: joint `b`: only a joint with one driven degree of freedom can <mimic>; it is ignored",
            ],
        },
        Case {
            text: with_links(
                "a b",
                &joint("revolute", "a", "b", "<dynamics friction=\"-1\"/>"),
            ),
            links: &["a", "b"],
            warnings: &["4:121: joint `b`: `friction` of <dynamics> is negative; 0 is used"],
        },
        Case {
            text: with_links("a b", "<weight/>\n<weight/>\n")
                .replace("</robot>", &(joint("fixed", "a", "b", "") + "</robot>")),
            links: &["a", "b"],
            warnings: &[
                "4:1: robot: element <weight> of <robot> is not known and ignored (2 times)",
            ],
        },
        Case {
            text: with_links(
                "a b",
                &joint("fixed", "a", "b", "<origin xyz=\"1 2 3\" rpy=\"0, 0 0\"/>"),
            ),
            links: &["a", "b"],
            warnings: &["4:85: joint `b`: `rpy` of <origin>: the comma of `0,` is ignored"],
        },
        Case {
            text: with_links("a b", &joint("spherical", "a", "b", "")).replace(
                "<limit lower=\"-1\" upper=\"2\" velocity=\"3\" effort=\"4\"/>",
                "",
            ),
            links: &["a", "b_rz", "b_ry", "b"],
            warnings: &[
                "4:17: joint `b`: type `spherical` is not of ROS; three angles about z, y and x",
            ],
        },
        Case {
            text: format!(
                "<robot name=\"r\"><link name=\"world\">{BODY}</link><link name=\"a\">{BODY}</link>{}<klampt/></robot>",
                joint("fixed", "world", "a", "")
            ),
            links: &["a"],
            warnings: &[
                "1:17: link `world`: it is the world itself; its mass and shapes are ignored",
            ],
        },
    ];
    for Case {
        text,
        links,
        warnings,
    } in &cases
    {
        let (robot, said) = with_warnings(text);
        assert_eq!(names(&robot), *links, "{text}");
        assert_eq!(said, *warnings, "{text}");
    }
}

fn named(limit: &str) -> String {
    super::named_joint("b", "revolute", "a", "b", limit)
}

#[test]
fn entities_comments_and_windows_lines_are_read() {
    let text = format!(
        "\u{feff}<?xml version='1.0'?>\r\n<robot name='a &amp; &#x62;'>\r\n<!-- <link/> --><link name='\u{e4}&lt;1'>{BODY}<![CDATA[<link>]]>\r\n</link>\r\n</robot>\r\n<!-- end -->\r\n"
    );
    let (robot, said) = with_warnings(&text);
    assert_eq!(robot.name(), "a & b");
    assert_eq!(names(&robot), ["\u{e4}<1"]);
    assert_eq!(said, [""; 0]);
}

#[test]
fn columns_count_characters_and_not_bytes() {
    let text = "<robot name=\"r\"><link name=\"\u{e4}\u{20ac}\u{1f916}\" /><klampt use_vis_geom=\"?\"/></robot>";
    let refused = super::refusal(super::load_with(kinworld::io::LoadOptions::default(), text));
    assert!(refused.starts_with("robot.urdf:1:44: klampt:"), "{refused}");
}

#[test]
fn a_place_of_four_numbers_is_refused() {
    for (name, place) in [("xyz", "xyz=\"1 2 3 4\""), ("rpy", "rpy=\"1 2 3 4\"")] {
        let origin = format!("<origin {place}/>");
        let joint = joint("fixed", "a", "b", &origin) + "</robot>";
        let text = with_links("a b", "").replace("</robot>", &joint);
        let options = kinworld::io::LoadOptions::default();
        let refused = super::refusal(super::load_with(options, &text));
        let problem = format!("`{name}` of <origin> needs 3 numbers, got 4");
        assert!(refused.contains(&problem), "{refused}");
    }
}
