//! Xacro: the results of ROS's `xacro`, errors that name file and macro, and limits on runaway files.

use std::collections::BTreeMap;

use kinworld::io::{LoadOptions, Loader};
use kinworld::{LoadError, Robot};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::scratch::{file, folder, refusal};
use crate::common::files::data;

/// The error of a file with this body.
#[track_caller]
fn refused(body: &str) -> LoadError {
    refusal(Loader::new().xacro(file("x.xacro", robot(body))))
}

fn robot(body: &str) -> String {
    format!("<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">{body}</robot>")
}

/// Elements in order, each with its attributes sorted, and trimmed texts.
fn shape(xml: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut reader = Reader::from_str(xml);
    let mut shape = Vec::new();
    let attributes = |tag: &BytesStart<'_>| {
        let all = tag.attributes().map(|attribute| attribute.unwrap());
        all.map(|a| {
            let value = a.normalized_value(quick_xml::XmlVersion::Implicit1_0);
            (a.key.as_ref().to_owned(), value.unwrap().into_owned())
        })
        .collect()
    };
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return shape,
            Event::Start(tag) | Event::Empty(tag) => {
                shape.push((tag.name().as_ref().to_owned(), attributes(&tag)));
            }
            Event::Text(text) if !text.trim().is_empty() => {
                shape.push((format!("text {}", text.trim()), BTreeMap::new()));
            }
            _ => {}
        }
    }
}

#[test]
fn files_expand_as_in_ros() {
    for name in ["arm", "language"] {
        let suffix = if name == "arm" { "urdf.xacro" } else { "xacro" };
        let ours = Loader::new()
            .xacro(data(&format!("xacro/{name}.{suffix}")))
            .unwrap()
            .value;
        let theirs = std::fs::read_to_string(data(&format!("golden/xacro/{name}.urdf"))).unwrap();
        let (ours, theirs) = (shape(&ours), shape(&theirs));
        assert_eq!(ours.len(), theirs.len(), "{name}");
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{name}");
        }
    }
}

#[test]
fn a_robot_loads_from_xacro_as_from_its_expansion() {
    let arm = Robot::load(data("xacro/arm.urdf.xacro")).unwrap();
    let theirs = Robot::load(data("golden/xacro/arm.urdf")).unwrap();
    let names = |robot: &Robot| {
        robot
            .links()
            .iter()
            .map(|l| l.name().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&arm.value), names(&theirs.value));
    assert_eq!(arm.value.limits(), theirs.value.limits());
    let masses = |robot: &Robot| {
        robot
            .links()
            .iter()
            .map(|l| l.inertia().mass.to_bits())
            .collect::<Vec<_>>()
    };
    assert_eq!(masses(&arm.value), masses(&theirs.value));
}

#[test]
fn arguments_come_from_the_options() {
    let options = LoadOptions::default().with_xacro_args(
        [("prefix", "left_"), ("hand", "0"), ("n", "2")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .to_vec(),
    );
    let arm = Loader::with_options(options)
        .robot(data("xacro/arm.urdf.xacro"))
        .unwrap()
        .value;
    let names: Vec<&str> = arm.links().iter().map(|link| link.name()).collect();
    assert_eq!(
        names,
        ["left_foot", "left_link0", "left_link1", "left_flange"]
    );
}

#[test]
fn an_error_names_its_position_and_the_calls_of_macros() {
    let folder = folder();
    let macros = "<robot>\n<xacro:macro name=\"body\" params=\"mass\">\n  <link name=\"a\"><inertial>\n    <mass value=\"${mass}\"/>\n  </inertial></link>\n</xacro:macro>\n<xacro:macro name=\"two\" params=\"\"><xacro:body mass=\"x\"/></xacro:macro></robot>";
    std::fs::write(folder.join("macros.xacro"), macros).unwrap();
    let main = robot("\n<xacro:include filename=\"macros.xacro\"/>\n  <xacro:two/>\n");
    let path = folder.join("r.urdf.xacro");
    std::fs::write(&path, main).unwrap();
    let error = refusal(Robot::load(&path)).diagnostic;
    let root = format!("{}/", folder.display());
    assert_eq!(
        error.to_string().replace(&root, ""),
        "macros.xacro:4:5: error: link `a`: `value` of <mass>: `x` is not a number"
    );
    assert_eq!(
        error.help.unwrap_or_default().replace(&root, ""),
        "in macro `body` called at macros.xacro:7:35, in macro `two` called at r.urdf.xacro:3:3"
    );
}

#[test]
fn every_error_has_a_help() {
    for (body, message) in [
        ("<a b=\"${x}\"/>", "`x` is not defined in `${x}`"),
        ("<a b=\"${1 +}\"/>", "it ends too early in `${1 +}`"),
        ("<a b=\"${1\"/>", "`${1` lacks its `}`"),
        (
            "<a b=\"${'a' + 1}\"/>",
            "`+` cannot stand between a text and a whole number in `${'a' + 1}`",
        ),
        ("<a b=\"${1 / 0}\"/>", "division by zero in `${1 / 0}`"),
        (
            "<a b=\"${[1][3]}\"/>",
            "there is no item 3; there are 1 in `${[1][3]}`",
        ),
        (
            "<a b=\"${__import__('os')}\"/>",
            "`__import__` is not defined in `${__import__('os')}`",
        ),
        (
            "<a b=\"${open('/etc/passwd')}\"/>",
            "`open` is not defined in `${open('/etc/passwd')}`",
        ),
        (
            "<a b=\"$(env HOME)\"/>",
            "`$(env HOME)` is refused: a file does not read the environment; make it an argument, `$(arg HOME)`",
        ),
        (
            "<a b=\"$(anon x)\"/>",
            "`$(anon x)` is not known; known are $(arg NAME), $(find PACKAGE) and $(dirname)",
        ),
        (
            "<xacro:if value=\"maybe\"/>",
            "`maybe` is neither true nor false",
        ),
        ("<xacro:nothing/>", "no macro is named `nothing`"),
        (
            "<xacro:macro name=\"m\" params=\"a b\"/><xacro:m a=\"1\"/>",
            "macro `m` needs values for b",
        ),
        (
            "<xacro:macro name=\"m\" params=\"a\"/><xacro:m c=\"1\"/>",
            "macro `m` has no parameter `c`",
        ),
        (
            "<xacro:macro name=\"m\" params=\"*a\"/><xacro:m/>",
            "macro `m` needs an element inside for its parameter `*a`",
        ),
        (
            "<xacro:macro name=\"m\"/><xacro:m><a/></xacro:m>",
            "macro `m` has no parameter for the <a> inside",
        ),
        (
            "<xacro:insert_block name=\"b\"/>",
            "there is no block `b` here",
        ),
        (
            "<xacro:property name=\"1a\" value=\"1\"/>",
            "`1a` is not a name for a property",
        ),
        (
            "<xacro:property name=\"a\" value=\"${b}\"/><xacro:property name=\"b\" value=\"${a}\"/><c d=\"${a}\"/>",
            "the property `a` is defined by itself in `${a}` (of the property `b`)",
        ),
    ] {
        assert_eq!(refused(body).diagnostic.message, message, "{body}");
    }
    let missing = refused("<xacro:include filename=\"none.xacro\"/>").diagnostic;
    assert!(
        missing
            .message
            .starts_with("`none.xacro` cannot be found; tried "),
        "{}",
        missing.message
    );
    let missing = refused("<a b=\"$(find no_such_package)\"/>").diagnostic;
    assert!(
        missing.message.contains("--package no_such_package=DIR"),
        "{}",
        missing.message
    );
    let missing = refused("<a b=\"$(arg x)\"/>").diagnostic;
    assert!(
        missing.message.contains("--xacro-arg x=VALUE"),
        "{}",
        missing.message
    );
}

#[test]
fn runaway_files_are_stopped_early() {
    let doubled: String = (1..40)
        .map(|i| {
            format!(
                "<xacro:property name=\"p{i}\" value=\"${{p{0}}}${{p{0}}}\"/>",
                i - 1
            )
        })
        .collect();
    let chain: String = (1..5000)
        .map(|i| format!("<xacro:property name=\"p{i}\" value=\"${{p{}}}\"/>", i - 1))
        .collect();
    let nested =
        "<xacro:property name=\"p\" value=\"${[p, 1]}\" lazy_eval=\"false\"/>".repeat(2000);
    let shared = "<xacro:property name=\"p\" value=\"${[p, p]}\" lazy_eval=\"false\"/>".repeat(40);
    let start = "<xacro:property name=\"p\" value=\"${[1]}\"/>";
    let fork = "<xacro:macro name=\"m\" params=\"n\"><xacro:if value=\"${n > 0}\"><xacro:m n=\"${n - 1}\"/><xacro:m n=\"${n - 1}\"/></xacro:if><a/></xacro:macro><xacro:m n=\"40\"/>";
    let cases = [
        (
            "<xacro:macro name=\"m\"><xacro:m/></xacro:macro><xacro:m/>".to_owned(),
            "nested more than 200 deep",
        ),
        (
            format!("<xacro:property name=\"p0\" value=\"lol\"/>{doubled}<a b=\"${{p39}}\"/>"),
            "a text of more than 1048576 bytes",
        ),
        (
            format!("<xacro:property name=\"p0\" value=\"x\"/>{chain}<a b=\"${{p4999}}\"/>"),
            "properties depend on one another more than 60 deep",
        ),
        (
            format!(
                "<a b=\"${{{}1{}}}\"/>",
                "(".repeat(100_000),
                ")".repeat(100_000)
            ),
            "it has more than 4000 words",
        ),
        (
            format!("<a b=\"${{{}1{}}}\"/>", "(".repeat(1000), ")".repeat(1000)),
            "brackets are nested more than 50 deep",
        ),
        (
            format!("<a b=\"${{1{}}}\"/>", "+1".repeat(1900)),
            "it branches more than 100 deep",
        ),
        (
            format!("<a b=\"${{{}1}}\"/>", "-".repeat(3000)),
            "more than 50 signs in a row",
        ),
        (
            "<a b=\"${'x' * 10**12}\"/>".to_owned(),
            "it gets longer than 1048576",
        ),
        ("<a b=\"${9**9**9}\"/>".to_owned(), "is too large"),
        (
            "<a b=\"${len([x for x in range(1000000) if [y for y in range(1000)]])}\"/>".to_owned(),
            "take more than 2000000 steps",
        ),
        (
            format!("{start}{nested}"),
            "lists are nested more than 50 deep",
        ),
        (
            format!("{start}{shared}"),
            "a list of more than 1048576 items",
        ),
        (fork.to_owned(), "more than 2000000 steps"),
    ];
    for (body, message) in cases {
        let said = refused(&body).diagnostic.message;
        assert!(said.contains(message), "{said}");
    }
    let folder = folder();
    let path = folder.join("self.xacro");
    std::fs::write(&path, robot("<xacro:include filename=\"self.xacro\"/>")).unwrap();
    let said = refusal(Loader::new().xacro(&path)).diagnostic.message;
    assert!(said.contains("nested more than 200 deep"), "{said}");
}

#[test]
fn arguments_that_no_file_asks_for_are_warned_of() {
    let warnings = |given: &[&str]| {
        let args = given
            .iter()
            .map(|name| ((*name).to_owned(), "1".to_owned()));
        let options = LoadOptions::default().with_xacro_args(args.collect());
        let loaded = Loader::with_options(options)
            .xacro(data("xacro/arm.urdf.xacro"))
            .unwrap();
        let said = loaded.diagnostics.into_iter().map(|said| said.message);
        said.collect::<Vec<_>>()
    };
    assert_eq!(
        warnings(&["prefix", "prefx", "n"]),
        [
            "xacro: no argument named `prefx`; did you mean `prefix`? there are: hand, n, prefix; it changes nothing"
        ]
    );
    assert_eq!(warnings(&["prefix", "n", "hand"]), [""; 0]);

    // an argument that is used without a declaration is known too
    let file = folder().join("used.xacro");
    std::fs::write(
        &file,
        "<robot name=\"$(arg name)\"><link name=\"a\"/></robot>",
    )
    .unwrap();
    let args = vec![("name".to_owned(), "it".to_owned())];
    let options = LoadOptions::default().with_xacro_args(args);
    let loaded = Loader::with_options(options).xacro(&file).unwrap();
    assert_eq!(loaded.diagnostics.len(), 0);
}
