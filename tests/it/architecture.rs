//! The house keeps its order: floors, file sizes, walls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::files::root;

/// The floor of each room; a room imports only from lower floors or from the rooms in brackets beside it.
const FLOORS: &[(&str, u32, &[&str])] = &[
    ("error", 0, &["missing"]),
    ("guide", 0, &[]),
    ("math", 0, &[]),
    ("missing", 0, &[]),
    ("threads", 0, &[]),
    ("geometry", 1, &[]),
    ("kernel", 1, &[]),
    ("robot", 2, &[]),
    ("batch", 3, &["dynamics", "kinematics"]),
    ("contact", 3, &["dynamics", "kinematics"]),
    ("dynamics", 3, &["kinematics"]),
    ("kinematics", 3, &[]),
    ("world", 4, &[]),
    ("wrench", 3, &["kinematics"]),
    ("sim", 5, &[]),
    ("planning", 5, &[]),
    ("scene", 5, &[]),
    ("render", 5, &["scene"]),
    ("viewer", 5, &["scene"]),
    ("io", 5, &["planning", "scene"]),
    ("prelude", 6, &[]),
];
/// Where the processor is asked what it can do, and told to.
const DISPATCH: &[&str] = &[
    "src/math/simd/block.rs",
    "src/math/simd/dispatch.rs",
    "src/math/simd/level.rs",
    "src/math/simd/number.rs",
    "src/math/simd/x86/",
];
/// Lines in a source file: two ideas hide in a longer one.
const LONGEST_FILE: usize = 500;

#[test]
fn rooms_import_only_from_lower_floors() {
    let floors: BTreeMap<&str, (u32, &[&str])> = FLOORS
        .iter()
        .map(|&(room, floor, beside)| (room, (floor, beside)))
        .collect();
    let homes = reexports();
    for (room, path, text) in library() {
        let (floor, beside) = floors
            .get(room.as_str())
            .unwrap_or_else(|| panic!("room `{room}` has no floor in this test"));
        assert!(
            !code_lines(&text).any(|line| line.contains("super::super")),
            "{}: a path that leaves its folder begins with `crate`",
            path.display()
        );
        for import in imported_rooms(&text, is_root_of_room(&path)) {
            let import = homes.get(&import).unwrap_or(&import).clone();
            let Some((other, _)) = floors.get(import.as_str()) else {
                continue;
            };
            let is_allowed = import == room
                || import == "error"
                || other < floor
                || beside.contains(&import.as_str());
            assert!(
                is_allowed,
                "{}: `{room}` (floor {floor}) imports `{import}` (floor {other})",
                path.display()
            );
        }
    }
}

#[test]
fn third_parties_stay_behind_their_walls() {
    let walls: &[(&str, &[&str])] = &[
        ("clarabel", &["src/contact/program.rs"]),
        ("oxmpl", &["src/planning/adapter.rs", "src/planning/mod.rs"]),
        ("rand_core", &["src/planning/adapter.rs"]),
        ("parry3d_f64", &["src/geometry/"]),
        ("glamx", &["src/geometry/"]),
        ("quick_xml", &["src/io/"]),
        ("rayon", &["src/threads.rs"]),
        ("flate2", &["src/viewer/pack.rs"]),
        ("rmp_serde", &["src/viewer/live.rs"]),
        ("fs", &["src/io/output/", "src/io/source.rs"]),
        ("OpenOptions", &["src/io/output/"]),
        ("is_x86_feature_detected", DISPATCH),
        ("unsafe", DISPATCH),
        ("unsafe_code", DISPATCH),
    ];
    for (_, path, text) in library() {
        let name = path.display().to_string();
        for (word, homes) in walls {
            let is_home = homes.iter().any(|home| name.starts_with(home));
            // a word of the content policy of pages
            let mut lines = code_lines(&text).map(|line| line.replace("'wasm-unsafe-eval'", ""));
            let is_used = lines.any(|line| words(&line).any(|used| used == *word));
            assert!(
                is_home || !is_used,
                "{name} names `{word}`, which lives in {homes:?}"
            );
        }
    }
}

#[test]
fn no_file_is_longer_than_one_idea() {
    for folder in ["src", "cli", "tests", "benches", "examples"] {
        for path in rust_files(&root().join(folder)) {
            let lines = read(&path).lines().count();
            assert!(
                lines <= LONGEST_FILE,
                "{} has {lines} lines",
                path.display()
            );
        }
    }
}

#[test]
fn nothing_unfinished_is_left_behind() {
    let marks = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("#[", "ignore]"),
        concat!("FIX", "ME"),
        concat!("TO", "DO"),
        concat!("db", "g!("),
    ];
    for folder in ["src", "cli", "tests", "benches", "examples"] {
        for path in rust_files(&root().join(folder)) {
            let text = read(&path);
            for mark in marks {
                assert!(!text.contains(mark), "{} holds `{mark}`", path.display());
            }
        }
    }
}

/// `.ci/run` builds shared dependencies once for both.
#[test]
fn the_bindings_have_the_dependencies_of_the_library() {
    let [ours, theirs] =
        ["Cargo.lock", "python/Cargo.lock"].map(|file| locked(&read(&root().join(file))));
    let shared = theirs.iter().filter(|(name, _)| ours.contains_key(*name));
    assert!(shared.clone().count() > 100);
    for (name, versions) in shared {
        for version in versions {
            let compatible = ours[name]
                .iter()
                .find(|other| series(other) == series(version));
            assert!(
                compatible.is_none_or(|other| other == version),
                "{name}: {version} for the bindings, {compatible:?} for the library: `cargo update {name} --precise …` in one of them"
            );
        }
    }
}

/// What compatible versions begin with: `1` or `0.2`.
fn series(version: &str) -> &str {
    let first = version.split('.').take_while(|part| *part == "0").count();
    let end = version.match_indices('.').nth(first);
    end.map_or(version, |(at, _)| &version[..at])
}

/// The versions of each package in a lock file.
fn locked(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut packages = BTreeMap::<_, BTreeSet<_>>::new();
    let mut name = "";
    for line in text.lines() {
        let Some((key, value)) = line.split_once(" = ") else {
            continue;
        };
        let value = value.trim_matches('"');
        match key {
            "name" => name = value,
            "version" if !name.is_empty() => {
                let versions = packages.entry(name.to_owned()).or_default();
                versions.insert(value.to_owned());
            }
            _ => {}
        }
    }
    packages
}

/// Room, path relative to the root, and text of every file of the library except `lib.rs`.
fn library() -> Vec<(String, PathBuf, String)> {
    let source = root().join("src");
    let files = rust_files(&source)
        .into_iter()
        .filter(|path| !path.ends_with("lib.rs"));
    let entry = |path: PathBuf| {
        let inside = path.strip_prefix(&source).expect("it was found below src");
        let first = inside
            .components()
            .next()
            .expect("a file has a name")
            .as_os_str()
            .to_string_lossy();
        let room = first.trim_end_matches(".rs").to_owned();
        let text = read(&path);
        (
            room,
            path.strip_prefix(root())
                .expect("it was found below the root")
                .to_path_buf(),
            text,
        )
    };
    files.map(entry).collect()
}

/// Whether `super` of a file is the library: `src/room.rs` and `src/room/mod.rs`.
fn is_root_of_room(path: &Path) -> bool {
    let depth = path.components().count();
    depth == 2 || (depth == 3 && path.ends_with("mod.rs"))
}

/// The rooms in `use crate::room…`, `use crate::{room…, …}` and `crate::room::` anywhere in code; in the root of a room
/// `super` says the same as `crate`.
fn imported_rooms(text: &str, is_root: bool) -> Vec<String> {
    let word = |s: &str| words(s).next().unwrap_or_default().to_owned();
    let mut code: String = code_lines(text).collect::<Vec<_>>().join("\n");
    if is_root {
        code = code.replace("super::", "crate::");
    }
    let mut rooms: Vec<String> = code.split("crate::").skip(1).map(word).collect();
    for group in code.split("crate::{").skip(1) {
        let inside = group.split(';').next().unwrap_or_default();
        rooms.extend(inside.split(',').map(|part| word(part.trim())));
    }
    rooms
}

/// The room behind each name that `lib.rs` re-exports.
fn reexports() -> BTreeMap<String, String> {
    let text = read(&root().join("src/lib.rs"));
    let mut homes = BTreeMap::new();
    for statement in text.split("pub use ").skip(1) {
        let Some((room, names)) = statement
            .split(';')
            .next()
            .and_then(|use_| use_.split_once("::"))
        else {
            continue;
        };
        for name in names
            .split(|c: char| !c.is_alphanumeric())
            .filter(|name| !name.is_empty())
        {
            homes.insert(name.to_owned(), room.to_owned());
        }
    }
    assert_eq!(
        homes.get("Robot").map(String::as_str),
        Some("robot"),
        "lib.rs re-exports `Robot`"
    );
    homes
}

/// The names in a text: what stands between blanks and signs.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Lines that are not comments.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
