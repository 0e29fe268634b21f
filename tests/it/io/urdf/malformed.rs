//! Every file under `data/malformed/urdf/` is refused with the message beside it.

use kinworld::Robot;

use super::refusal;
use crate::common::files;

#[test]
fn malformed_files_are_refused_with_the_message_beside_them() {
    let folder = files::data("malformed/urdf");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "urdf"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 60, "{} files", paths.len());
    let folder = format!("{}/", folder.display());
    for path in paths {
        let said = refusal(Robot::load(&path)).replace(&folder, "");
        let beside = path.with_extension("urdf.error");
        let expected = std::fs::read_to_string(&beside)
            .unwrap_or_else(|error| panic!("{}: {error}; it says\n{said}", beside.display()));
        assert_eq!(said, expected.trim_end());
    }
}
