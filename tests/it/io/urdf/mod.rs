//! URDF, plain and with `<klampt>`.

#![expect(
    clippy::float_cmp,
    reason = "numbers of a file are taken over to the last digit"
)]

mod dofs;
mod drivers;
mod hostile;
#[cfg(feature = "urdf-rs")]
mod interop;
mod klampt;
mod limits;
mod shapes;
mod srdf;
mod tolerance;

use kinworld::io::{LoadOptions, Loader};
use kinworld::{Error, Loaded, Result, Robot};

use super::scratch::folder;

/// Loads a file of this text.
fn load_with(options: LoadOptions, text: &str) -> Result<Loaded<Robot>> {
    let path = folder().join("robot.urdf");
    std::fs::write(&path, text).unwrap();
    Loader::with_options(options).robot(&path)
}

/// The robot in `text`, which must load without a warning.
#[track_caller]
fn robot(text: &str) -> Robot {
    let Loaded {
        value, diagnostics, ..
    } = load_with(LoadOptions::default(), text).unwrap();
    assert_eq!(messages(&diagnostics), [""; 0]);
    value
}

/// The robot in `text`, and its warnings.
#[track_caller]
fn with_warnings(text: &str) -> (Robot, Vec<String>) {
    let Loaded {
        value, diagnostics, ..
    } = load_with(LoadOptions::default(), text).unwrap();
    let warnings = messages(&diagnostics);
    (value, warnings)
}

/// Diagnostics as `line:column: message`.
fn messages(diagnostics: &[kinworld::Diagnostic]) -> Vec<String> {
    let show = |d: &kinworld::Diagnostic| {
        let (line, column) = (d.line.unwrap_or(0), d.column.unwrap_or(0));
        format!("{line}:{column}: {}", d.message)
    };
    diagnostics.iter().map(show).collect()
}

/// `<robot>` around some links by name and other text. Each has a body, except a link that Klampt takes for the world.
fn with_links(names: &str, rest: &str) -> String {
    let link = |name: &str| match name {
        "world" | "ground" => format!("<link name=\"{name}\"/>\n"),
        name => format!("<link name=\"{name}\">{BODY}</link>\n"),
    };
    let links: String = names.split(' ').map(link).collect();
    format!("<robot name=\"r\">\n{links}{rest}</robot>")
}

/// A joint named like its child, with limits.
fn joint(kind: &str, parent: &str, child: &str, rest: &str) -> String {
    let limit = match kind {
        "fixed" | "planar" | "floating" => "",
        _ => r#"<limit lower="-1" upper="2" velocity="3" effort="4"/>"#,
    };
    named_joint(child, kind, parent, child, &format!("{limit}{rest}"))
}

fn named_joint(name: &str, kind: &str, parent: &str, child: &str, rest: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{rest}</joint>\n"
    )
}

/// A body of mass 1, which causes no warning.
const BODY: &str = r#"<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"#;

fn names(robot: &Robot) -> Vec<&str> {
    robot.links().iter().map(|link| link.name()).collect()
}

/// The message of the error, with its position but without the folder.
#[track_caller]
fn refusal(result: Result<Loaded<Robot>>) -> String {
    let Err(Error::Load(error)) = result else {
        panic!("the file loads, or fails otherwise: {result:?}");
    };
    let d = &error.diagnostic;
    format!("{}: {}", position(d), d.message)
}

fn position(d: &kinworld::Diagnostic) -> String {
    let number = |n: Option<u32>| n.map_or(String::new(), |n| format!(":{n}"));
    let file = d.path.as_deref().and_then(|path| path.file_name());
    let file = file.unwrap_or_default().to_string_lossy().into_owned();
    format!("{file}{}{}", number(d.line), number(d.column))
}
