//! Hostile files.

use kinworld::State;
use kinworld::io::LoadOptions;

use super::{joint, load_with, refusal, with_links, with_warnings};

/// The refusal of a file.
fn refused(text: &str) -> String {
    refusal(load_with(LoadOptions::default(), text))
}

#[test]
fn long_chains_load_and_move() {
    let n = 5000;
    let names: Vec<String> = (0..=n).map(|i| format!("l{i}")).collect();
    let origin = r#"<origin xyz="1 0 0"/>"#;
    let joints: String = names
        .windows(2)
        .map(|w| joint("revolute", &w[0], &w[1], origin))
        .collect();
    let (robot, _) = with_warnings(&with_links(&names.join(" "), &joints));
    assert_eq!(robot.n_dofs(), n);
    let state = State::new(&robot);
    let tip = state.pose(&robot, robot.link_id(&format!("l{n}")).unwrap());
    assert_eq!(tip.translation.vector.x, n as f64);
}

#[test]
fn wide_stars_load() {
    let n = 10_000;
    let names: Vec<String> = (0..=n).map(|i| format!("l{i}")).collect();
    let joints: String = names[1..]
        .iter()
        .map(|name| joint("continuous", "l0", name, ""))
        .collect();
    let (robot, _) = with_warnings(&with_links(&names.join(" "), &joints));
    assert_eq!((robot.links().len(), robot.n_dofs()), (n + 1, n));
    // by joint name: l1, l10, l100, …
    assert_eq!(robot.links()[3].name(), "l100");
}

#[test]
fn chains_of_mimics_may_be_long() {
    let n = 5000;
    let names: Vec<String> = (0..=n).map(|i| format!("l{i}")).collect();
    let follower = |i: usize| {
        let mimic = format!("<mimic joint=\"l{}\" multiplier=\"-1\"/>", i + 1);
        joint("revolute", "l0", &names[i], &mimic)
    };
    let joints: String = (1..n).map(follower).collect();
    let joints = joints + &joint("revolute", "l0", &names[n], "");
    let (robot, _) = with_warnings(&with_links(&names.join(" "), &joints));
    assert_eq!(robot.drivers().len(), 1);
    assert_eq!(robot.drivers()[0].kind.links().len(), n);
}

#[test]
fn deep_nesting_is_refused() {
    let n = 100_000;
    let text = format!("<robot>{}{}</robot>", "<a>".repeat(n), "</a>".repeat(n));
    assert_eq!(
        refused(&text),
        "robot.urdf:1:605: elements are nested more than 200 deep"
    );
    let unclosed = "<a>".repeat(n);
    assert_eq!(
        refused(&unclosed),
        "robot.urdf:1:601: elements are nested more than 200 deep"
    );
}

#[test]
fn floods_of_elements_are_refused() {
    let text = format!("<robot>{}</robot>", "<a/>".repeat(1_000_001));
    let expected = "more than 1000000 elements";
    assert!(refused(&text).ends_with(expected));
}

#[test]
fn huge_attributes_and_many_of_them_are_read() {
    let long = "x".repeat(5_000_000);
    let (robot, _) = with_warnings(&format!(
        "<robot name=\"r\"><link name=\"{long}\"/></robot>"
    ));
    assert_eq!(robot.links()[0].name().len(), long.len());
    let many: String = (0..100_000).map(|i| format!(" a{i}=\"\"")).collect();
    let (robot, said) = with_warnings(&format!(
        "<robot name=\"r\"><link name=\"a\"{many}/></robot>"
    ));
    assert_eq!((robot.links().len(), said.len()), (1, 0));
    let number = format!("1{}", "0".repeat(1_000_000));
    let text = format!(
        "<robot name=\"r\"><link name=\"a\"/><material><color rgba=\"{number}\"/></material></robot>"
    );
    let expected = format!(
        "robot.urdf:1:50: robot: `rgba` of <color>: `1{}…` is not a finite number",
        "0".repeat(39)
    );
    assert_eq!(refused(&text), expected);
}

#[test]
fn entity_expansion_is_refused() {
    let bomb = r#"<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><robot name="&b;"/>"#;
    assert!(refused(bomb).contains("document type declarations"));
}

#[test]
fn groups_of_billions_of_pairs_are_refused() {
    let file = |groups: &[usize]| {
        let groups = groups.iter().map(|n| {
            let many = "a ".repeat(*n);
            format!("<noselfcollision group1=\"{many}\" group2=\"{many}\"/>")
        });
        let groups: String = groups.collect();
        format!("<robot name=\"r\"><link name=\"a\"/><klampt>{groups}</klampt></robot>")
    };
    assert!(load_with(LoadOptions::default(), &file(&[900])).is_ok());
    for too_many in [&[100_000][..], &[900, 900]] {
        let expected = "the file names more than 1000000 pairs of links";
        assert!(refused(&file(too_many)).ends_with(expected));
    }
}

#[test]
fn every_prefix_of_a_file_is_refused_or_loads_without_a_panic() {
    let path = crate::common::files::data("robots/scara.urdf");
    let text = std::fs::read_to_string(path).unwrap();
    let options = LoadOptions::default().with_load_geometry(false);
    let cuts = (0..text.len()).filter(|&i| text.is_char_boundary(i));
    let mut loaded = 0;
    for cut in cuts.step_by(7) {
        loaded += usize::from(load_with(options.clone(), &text[..cut]).is_ok());
    }
    // only the end of the last line is missing
    assert!(loaded <= 1, "{loaded} truncated files load");
}
