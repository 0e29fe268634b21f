//! Masks written into existing files.

use std::path::{Path, PathBuf};

use kinworld::Robot;
use kinworld::io::{LoadOptions, Loader, Srdf};
use kinworld::planning::{MaskOptions, PairClass, SelfCollisionMask};

use super::scratch::{folder, refusal};
use crate::common::files::{data, files_below};

/// The robots of `data/` with their meshes in a fresh folder, and one of them.
fn copied(file: &str) -> PathBuf {
    let folder = folder();
    for part in ["robots", "meshes"] {
        for path in files_below(&data(part)) {
            let to = folder.join(path.strip_prefix(data("")).unwrap());
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(&path, &to).unwrap();
        }
    }
    folder.join(file)
}

fn learn(robot: &Robot) -> SelfCollisionMask {
    let options = MaskOptions::default()
        .with_allow_missing_geometry(true)
        .with_samples(300)
        .with_seed(2);
    SelfCollisionMask::learn(robot, &options).unwrap()
}

fn robot(path: &Path, srdf: Option<&Path>) -> Robot {
    let options = LoadOptions::default().with_srdf(srdf.map(Path::to_path_buf));
    let mut loader = Loader::with_options(options);
    loader.robot(path).unwrap().value
}

/// Returns whether a robot tests exactly the pairs of a mask.
fn has(robot: &Robot, mask: &SelfCollisionMask) -> bool {
    robot.self_collision_pairs().eq(mask.tested())
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn robots_read_back_with_the_pairs_of_their_mask() {
    for file in [
        "robots/arm6.rob",
        "robots/gripper.rob",
        "robots/mobile_arm.rob",
        "robots/quadruped.rob",
        "robots/planar3R.rob",
        "robots/scara.urdf",
        "robots/drone.urdf",
    ] {
        let path = copied(file);
        let before = robot(&path, None);
        let mask = learn(&before);
        let (old, suffix) = (text(&path), path.extension().unwrap());
        let output = path.with_file_name("masked").with_extension(suffix);
        Loader::new().save_mask(&mask, &path, &output).unwrap();
        let after = robot(&output, None);
        assert!(has(&after, &mask), "{file}");

        // the rest is unchanged
        let new = text(&output);
        if suffix == "rob" {
            assert!(new.starts_with(old.trim_end()), "{file}");
        }
        let ours = |line: &&str| line.contains("not tested") || line.contains("noselfcollision");
        let rest = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !ours(line) && !line.is_empty());
            lines.map(str::to_owned).collect()
        };
        assert_eq!(rest(&new), rest(&old), "{file}");
        assert_eq!(after.dofs(), before.dofs());

        // into the file itself, twice: the second time adds nothing
        Loader::new().save_mask(&mask, &path, &path).unwrap();
        assert_eq!(text(&path), new);
        Loader::new()
            .save_mask(&learn(&after), &path, &path)
            .unwrap();
        let again = text(&path);
        if learn(&after).tested().eq(mask.tested()) {
            assert_eq!(again, new);
        }
    }
}

#[test]
fn an_srdf_gets_all_pairs_and_keeps_its_contents() {
    for file in ["robots/arm6.urdf", "robots/gripper.rob", "robots/ur5.urdf"] {
        let path = copied(file);
        let before = robot(&path, None);
        let mask = learn(&before);
        let srdf = path.with_extension("srdf");
        Loader::new().save_mask(&mask, &path, &srdf).unwrap();
        let read = Srdf::load(&srdf).unwrap();
        assert!(read.diagnostics.is_empty());
        assert_eq!(read.value.name, before.name());
        assert!(has(&robot(&path, Some(&srdf)), &mask), "{file}");

        // with reasons, adjacent links included, since other programs have no default
        for pair in mask
            .pairs()
            .iter()
            .filter(|pair| !mask.is_tested(pair.class))
        {
            let names = [pair.links.0, pair.links.1].map(|id| before.link(id).name().to_owned());
            let found = read
                .value
                .disabled
                .iter()
                .find(|found| found.links == names);
            let reason = found.and_then(|pair| pair.reason.as_deref());
            assert_eq!(reason, Some(pair.class.name()), "{names:?}");
        }
        let once = text(&srdf);
        Loader::new().save_mask(&mask, &path, &srdf).unwrap();
        assert_eq!(text(&srdf), once);
    }

    // an existing file
    let path = copied("robots/arm6.urdf");
    let mask = learn(&robot(&path, None));
    for (old, gap) in [
        (
            "<?xml version=\"1.0\"?>\n<robot name=\"arm6\">\n  <!-- by hand -->\n  <group name=\"wrist\"><link name=\"flange\"/></group>\n  <disable_collisions link1=\"shoulder\" link2=\"wrist\" reason=\"User\"/>\n</robot>\n<!-- end -->\n",
            true,
        ),
        ("<robot name=\"arm6\"/>", false),
        (
            "<robot name=\"arm6\"><group name=\"all\"><link name=\"flange\"/></group></robot>",
            false,
        ),
    ] {
        let srdf = path.with_extension("srdf");
        std::fs::write(&srdf, old).unwrap();
        let given = robot(&path, Some(&srdf));
        Loader::new().save_mask(&mask, &path, &srdf).unwrap();
        let after = robot(&path, Some(&srdf));
        let both = given
            .self_collision_pairs()
            .filter(|pair| mask.tested().any(|tested| tested == *pair));
        assert!(after.self_collision_pairs().eq(both), "{old}");
        let new = text(&srdf);
        if gap {
            let (head, tail) = old.split_once("</robot>").unwrap();
            assert!(
                new.starts_with(head) && new.ends_with(&format!("</robot>{tail}")),
                "{new}"
            );
            assert_eq!(Srdf::load(&srdf).unwrap().value.groups.len(), 1);
        }
    }
}

#[test]
fn ambiguous_names_are_written_as_indices() {
    let path = folder().join("odd.rob");
    let old = "links \"0\" \"b c\" d e   # no end of line\nparents -1 0 1 2\naxis 0 0 1 0 0 1 0 0 1 0 0 1\nmass 1 1 1 1\n\
               geometry \"a.off\" \"a.off\" \"a.off\" \"a.off\"\ntparent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 9 0 0 \
               1 0 0 0 1 0 0 0 1 9 0 0  1 0 0 0 1 0 0 0 1 9 0 0\nqmin -1 -1 -1 -1\nqmax 1 1 1 1";
    std::fs::write(&path, old).unwrap();
    let off = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
    std::fs::write(path.with_file_name("a.off"), off).unwrap();
    let before = robot(&path, None);
    let mask = learn(&before);
    assert!(mask.count(PairClass::Never) > 1);
    Loader::new().save_mask(&mask, &path, &path).unwrap();
    assert!(has(&robot(&path, None), &mask));
    let new = text(&path);
    assert!(new.starts_with(&format!("{old}\n")), "{new}");
    assert!(
        new.contains("noselfcollision 0 d ") && new.contains("noselfcollision \"b c\" e "),
        "{new}"
    );
}

#[test]
fn a_mask_that_would_not_read_back_is_not_written() {
    let path = copied("robots/arm6.rob");
    let mask = learn(&robot(&path, None));
    let save = |file: &Path, output: &Path| refusal(Loader::new().save_mask(&mask, file, output));

    // mesh names are relative to the file
    let elsewhere = folder().join("arm6.rob");
    let error = save(&path, &elsewhere);
    assert!(!elsewhere.exists(), "{}", error.diagnostic.message);
    assert_eq!(files_below(elsewhere.parent().unwrap()), [] as [PathBuf; 0]);

    let urdf = copied("robots/arm6.urdf");
    let old = text(&urdf);
    let error = save(&urdf, &urdf);
    assert!(
        error.diagnostic.message.contains("no <klampt>"),
        "{}",
        error.diagnostic.message
    );
    assert!(error.diagnostic.help.as_deref().unwrap().contains(".srdf"));
    assert_eq!(text(&urdf), old);

    let error = save(&urdf, &path);
    assert!(
        error.diagnostic.message.contains("another kind of file"),
        "{}",
        error.diagnostic.message
    );
    let error = save(&urdf, &urdf.with_extension("txt"));
    assert!(error.diagnostic.message.contains("cannot hold a mask"));
    assert!(
        save(&urdf.with_file_name("none.urdf"), &urdf)
            .diagnostic
            .message
            .contains("no such file")
    );
    let latin = path.with_file_name("latin.rob");
    let rob = std::fs::read(&path).unwrap();
    std::fs::write(&latin, [&rob, &b"\n# na\xefve\n"[..]].concat()).unwrap();
    assert!(save(&latin, &latin).diagnostic.message.contains("UTF-8"));
}
