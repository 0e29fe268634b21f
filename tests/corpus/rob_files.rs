//! Every `.rob` of the corpus: which load, with exactly which warnings.

use std::path::Path;

use kinworld::{Error, Robot};

use crate::folders::corpus;

/// Remarks by file, without the folder before it; a file that is not here loads without any.
const REMARKS: [(&str, &[&str]); 6] = [
    (
        "3pointhand.rob",
        &[
            "3pointhand.rob:26:7: warning: the links of a floatingplanar joint should move as tx ty rz, \
             these move as tx ty tz",
            "3pointhand.rob:31:7: warning: the links of a floatingplanar joint should move as tx ty rz, \
             these move as tx ty tz",
            "3pointhand.rob:36:7: warning: the links of a floatingplanar joint should move as tx ty rz, \
             these move as tx ty tz",
        ],
    ),
    (
        "AL5D.rob",
        &[
            "AL5D.rob:16:54: warning: link 6 is prismatic, but `velMaxDeg` takes its value for degrees: \
             read as 0.048869219055841226",
            "AL5D.rob:17:54: warning: link 6 is prismatic, but `accMaxDeg` takes its value for degrees: \
             read as 0.10122909661567112",
        ],
    ),
    (
        "athlete.rob",
        &[
            "athlete.rob:247:1: warning: `servoI` is part of the `servoP` list from line 241, because the \
             line before ends with a backslash; it and what follows are ignored",
        ],
    ),
    ("tx90l.rob", &[STRAY_BACKSLASH]),
    ("tx90pr2.rob", &[STRAY_BACKSLASH]),
    ("tx90robotiq.rob", &[STRAY_BACKSLASH]),
];

const STRAY_BACKSLASH: &str = ":9:1: warning: `parents` is part of the `TParent` list from line 2, because the line \
     before ends with a backslash; it and what follows are ignored";

/// What Klampt refuses as well, with the message and the advice.
const REFUSED: [(&str, &str, &str); 3] = [
    (
        "3cylinderhand.rob",
        "3cylinderhand.rob:26:16: error: a floating joint groups 6 links, but between the world and link 2 there are 3",
        "three links are a `ballandsocket` or a `floatingplanar` joint, or three `normal` ones",
    ),
    (
        "blank.rob",
        "blank.rob:24:1: error: `axes` is not a keyword of .rob files",
        "did you mean `axis`?",
    ),
    (
        "sphere.rob",
        "sphere.rob:19:16: error: a floating joint groups 6 links, but between the world and link 2 there are 3",
        "three links are a `ballandsocket` or a `floatingplanar` joint, or three `normal` ones",
    ),
];

pub(crate) fn every_rob_loads_with_exactly_the_warnings_listed() {
    let root = corpus();
    let mut loaded = 0;
    for path in robots(&root) {
        let name = path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        if REFUSED.iter().any(|(refused, ..)| *refused == name) {
            continue;
        }
        let robot = Robot::load(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let listed = REMARKS.iter().find(|(listed, _)| *listed == name);
        let listed = listed.map_or(&[][..], |(_, warnings)| warnings);
        let said: Vec<String> = robot.diagnostics.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), listed.len(), "{name}: {said:#?}");
        for (said, listed) in said.iter().zip(listed) {
            assert!(said.ends_with(listed), "{name}: {said}");
        }
        loaded += 1;
    }
    assert!(loaded >= 30, "the corpus has lost its robots");
}

pub(crate) fn robots_that_klampt_refuses_say_what_is_wrong_and_what_to_do() {
    let root = corpus();
    for (name, message, help) in REFUSED {
        let Err(Error::Load(error)) = Robot::load(root.join("robots").join(name)) else {
            panic!("{name} should be refused");
        };
        assert!(error.to_string().ends_with(message), "{error}");
        assert_eq!(error.diagnostic.help.as_deref(), Some(help), "{name}");
    }
}

fn robots(root: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(root.join("robots")).expect("robots of the corpus");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut robots: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "rob"))
        .collect();
    robots.sort();
    robots
}
