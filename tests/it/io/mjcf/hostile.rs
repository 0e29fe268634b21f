//! Models that are made to exhaust memory, the stack or time are refused.

use kinworld::io::{LoadLimits, LoadOptions, Loader, Source};

use super::refusal;

fn refused(files: &[(&str, String)], limits: LoadLimits) -> String {
    let source = files.iter().fold(Source::memory(), |source, (name, text)| {
        source.with_file(name, text.clone().into_bytes())
    });
    let options = LoadOptions::default().with_limits(limits);
    let mut loader = Loader::with_options(options).with_source(source);
    loader.world("m.xml").map(drop).unwrap_err().to_string()
}

#[test]
fn includes_in_a_circle_are_refused() {
    let include = |file: &str| format!("<mujoco><include file='{file}'/></mujoco>");
    let said = refused(&[("m.xml", include("m.xml"))], LoadLimits::default());
    assert!(said.contains("`m.xml` is included twice"), "{said}");
    let files = [("m.xml", include("n.xml")), ("n.xml", include("m.xml"))];
    let said = refused(&files, LoadLimits::default());
    assert!(
        said.contains("n.xml:1:18: error: include: `m.xml` is included twice"),
        "{said}"
    );
}

#[test]
fn a_long_chain_of_includes_does_not_exhaust_the_stack() {
    let names: Vec<String> = (0..900).map(|i| format!("f{i}.xml")).collect();
    let include = |i: usize| format!("<mujoco><include file='f{i}.xml'/></mujoco>");
    let mut files = vec![("m.xml", include(0))];
    files.extend(
        names
            .iter()
            .enumerate()
            .map(|(i, name)| (name.as_str(), include(i + 1))),
    );
    let said = refused(&files, LoadLimits::default());
    assert!(said.contains("nested more than 200 deep"), "{said}");
}

#[test]
fn replicas_of_replicas_are_counted() {
    let body = "<body><geom size='1'/></body>";
    let mut text = body.to_owned();
    for _ in 0..4 {
        text = format!("<replicate count='1000'>{text}</replicate>");
    }
    let text = format!("<mujoco><worldbody>{text}</worldbody></mujoco>");
    let limits = LoadLimits::default().with_elements(5000);
    let said = refused(&[("m.xml", text)], limits);
    assert!(
        said.contains("more than 5000 elements, replicas among them"),
        "{said}"
    );
    let endless = "<mujoco><worldbody><replicate count='1e300'/></worldbody></mujoco>";
    assert!(refusal(endless).contains("`count` must be a whole number from 1 to a million"));
}

#[test]
fn a_model_that_attaches_itself_is_refused() {
    let text = "<mujoco><asset><model name='a' file='m.xml'/></asset></mujoco>";
    let said = refused(&[("m.xml", text.to_owned())], LoadLimits::default());
    assert!(said.contains("`m.xml` attaches itself"), "{said}");
    // a body inside itself
    let text = "<mujoco><worldbody><body name='b'><attach body='b' prefix='p'/></body></worldbody></mujoco>";
    let said = refusal(text);
    assert!(said.contains("nested more than 200 deep"), "{said}");
    let text = "<mujoco><worldbody><body name='b'><attach body='b' prefix='p'/><attach body='b' prefix='q'/></body></worldbody></mujoco>";
    assert!(refusal(text).contains("nested more than 200 deep"));
}

#[test]
fn files_outside_of_the_folder_are_not_read() {
    let text = "<mujoco><include file='/etc/passwd'/></mujoco>";
    let said = refusal(text);
    assert!(said.contains("model.xml:1:18"), "{said}");
}
