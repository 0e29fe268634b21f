//! Every file under `data/malformed/` is refused with exactly the message and the help beside it.

use std::path::Path;

use kinworld::io::{Loader, Srdf};
use kinworld::{Error, Result};

use crate::common::files;

type Load = fn(&Path) -> Result<()>;

#[test]
fn malformed_files_are_refused_with_the_message_beside_them() {
    let load: &[(&str, usize, Load)] = &[
        ("rob", 72, |path| Loader::new().robot(path).map(drop)),
        ("urdf", 65, |path| Loader::new().robot(path).map(drop)),
        ("object", 19, |path| {
            Loader::new().rigid_object(path).map(drop)
        }),
        ("terrain", 6, |path| Loader::new().terrain(path).map(drop)),
        ("srdf", 10, |path| Srdf::load(path).map(drop)),
        ("mjcf", 44, |path| Loader::new().world(path).map(drop)),
        ("sdf", 52, |path| Loader::new().world(path).map(drop)),
        ("world", 23, |path| Loader::new().world(path).map(drop)),
        ("config", 7, |path| {
            Loader::new().configurations(path).map(drop)
        }),
        #[cfg(feature = "xacro")]
        ("xacro", 32, |path| Loader::new().robot(path).map(drop)),
        ("mesh", 180, |path| Loader::new().geometry(path).map(drop)),
        #[cfg(feature = "heightmap")]
        ("heightmap", 13, |path| {
            Loader::new().geometry(path).map(drop)
        }),
    ];
    let mut wrong = Vec::new();
    for &(folder, at_least, load) in load {
        let entries = std::fs::read_dir(files::data("malformed").join(folder)).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| {
            path.is_file() && path.extension().is_none_or(|suffix| suffix != "error")
        });
        paths.sort();
        assert!(
            paths.len() >= at_least,
            "{folder} has {} files",
            paths.len()
        );
        for path in paths {
            let said = refusal(load(&path));
            let beside = format!("{}.error", path.display());
            let expected = std::fs::read_to_string(&beside).unwrap_or_default();
            if said != expected {
                wrong.push(format!("{beside}\n  says   {said}  wanted {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The displayed error, with its help on a second line, and paths relative to the project.
fn refusal(result: Result<()>) -> String {
    let error = match result {
        Ok(()) => return "it loads\n".to_owned(),
        Err(Error::Load(error)) => error,
        Err(other) => return format!("another kind of error: {other}\n"),
    };
    let help = error.diagnostic.help.as_deref();
    let help = help.map_or_else(String::new, |help| format!("help: {help}\n"));
    let root = format!("{}/", files::root().display());
    format!("{error}\n{help}").replace(&root, "")
}
