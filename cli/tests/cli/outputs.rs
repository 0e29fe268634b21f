//! Files that commands write: no other is replaced, and none is half written.

use std::path::{Path, PathBuf};

use crate::common::{Run, bytes_below, data, folder, run};

/// An arm of one link, whose mesh is scaled as it is read.
const ARM: &str =
    "links a\ntparent 1 0 0 0 1 0 0 0 1 0 0 0\ngeometry \"arm_files/link0.off\"\ngeomscale 0.1\n";

fn convert(from: &Path, to: &Path, more: &[&str]) -> Run {
    let paths = [from, to].map(|path| path.display().to_string());
    run(&[&["convert", &paths[0], &paths[1]], more].concat())
}

/// `arm.rob` and its mesh in a fresh folder.
fn arm(name: &str) -> PathBuf {
    let root = folder(name);
    std::fs::create_dir(root.join("arm_files")).unwrap();
    std::fs::copy(data("meshes/cube.off"), root.join("arm_files/link0.off")).unwrap();
    std::fs::write(root.join("arm.rob"), ARM).unwrap();
    root
}

#[test]
fn a_mesh_that_was_read_is_kept() {
    let root = arm("kept_mesh");
    let before = bytes_below(&root);
    for _ in 0..3 {
        let run = convert(&root.join("arm.rob"), &root.join("arm.xml"), &[]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(
            run.stderr
                .contains("its other files are in `arm_xml_files`: it did not write `arm_files`"),
            "{}",
            run.stderr
        );
        let after = bytes_below(&root);
        assert!(before.iter().all(|(path, bytes)| after[path] == *bytes));
        let mesh = std::fs::read_to_string(root.join("arm_xml_files/a.off")).unwrap();
        let size = |text: &str| -> f64 {
            let numbers = text
                .split_whitespace()
                .filter_map(|w| w.parse::<f64>().ok());
            numbers.skip(3).take(3).fold(0.0, |a, x| x.abs().max(a))
        };
        let original = std::fs::read_to_string(root.join("arm_files/link0.off")).unwrap();
        assert!(
            (size(&mesh) - 0.1 * size(&original)).abs() < 1e-12,
            "{mesh}"
        );
    }
    assert!(!root.join("arm_xml_files_2").exists());
}

#[test]
fn a_neighbour_of_the_same_name_is_kept() {
    let root = folder("kept_neighbour");
    let other = convert(&data("robots/arm6.urdf"), &root.join("cell.rob"), &[]);
    assert_eq!(other.code, 0, "{}", other.stderr);
    let before = bytes_below(&root);
    assert!(before.len() > 3, "{before:?}");
    let run = convert(&data("robots/gripper.urdf"), &root.join("cell.xml"), &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("`cell_xml_files`"), "{}", run.stderr);
    let after = bytes_below(&root);
    assert!(before.iter().all(|(path, bytes)| after[path] == *bytes));
    assert!(after.len() > before.len());
}

#[test]
fn a_file_that_was_read_is_replaced_only_on_demand() {
    let root = arm("on_demand");
    let before = bytes_below(&root);
    let mesh = root.join("arm_files/link0.off");
    let refused = convert(&root.join("arm.rob"), &mesh, &[]);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .stderr
            .contains("would be overwritten by what is made of it"),
        "{}",
        refused.stderr
    );
    assert_eq!(bytes_below(&root), before);
    let forced = convert(&root.join("arm.rob"), &mesh, &["--force"]);
    assert_eq!(forced.code, 0, "{}", forced.stderr);
    assert_ne!(std::fs::read(&mesh).unwrap(), before[&mesh]);
}

#[test]
fn force_uses_the_folder_of_another_document() {
    let root = arm("forced_folder");
    let run = convert(&root.join("arm.rob"), &root.join("arm.xml"), &["--force"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(root.join("arm_files/a.off").exists());
    assert!(!root.join("arm_xml_files").exists());
    assert!(root.join("arm_files/link0.off").exists(), "of another name");
}
