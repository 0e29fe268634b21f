//! The URDFs among Klampt's example robots: which warnings they get.

use kinworld::{Diagnostic, Robot};

use crate::common::files;

#[test]
fn every_urdf_of_the_corpus_loads_with_the_warnings_listed() {
    let Some(corpus) = files::corpus() else {
        return;
    };
    let cases: [(&str, &[&str]); 6] = [
        (
            "human_hand.urdf",
            &["346:3: `<klampt>` is never closed; `<klampt/>` is taken as `</klampt>`"],
        ),
        ("kinova_gen3_7dof.urdf", &[MISSPELT]),
        ("kinova_with_robotiq_85.urdf", &[MISSPELT]),
        ("mirobot.urdf", &[MISSPELT]),
        ("mirobot_vacuum.urdf", &[MISSPELT]),
        ("robotiq_140.urdf", &[]),
    ];
    for (file, expected) in cases {
        let path = corpus.join("robots").join(file);
        let loaded = Robot::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let of_this_file = |d: &&Diagnostic| d.path.as_deref() == Some(path.as_path());
        let said: Vec<_> = loaded
            .diagnostics
            .iter()
            .filter(of_this_file)
            .cloned()
            .collect();
        let said = super::messages(&said);
        assert_eq!(said.len(), expected.len(), "{file}: {said:?}");
        for (said, expected) in said.iter().zip(expected) {
            assert!(said.ends_with(expected), "{file}: {said}");
        }
    }
    files::report(&format!("urdf: {} files of the corpus", cases.len()));
}

const MISSPELT: &str =
    "klampt: `defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`";
