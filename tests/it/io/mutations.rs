//! Mutated files: they load or are refused, and never panic.

use std::path::Path;

use kinworld::io::{LoadLimits, LoadOptions, Loader, Srdf};
use kinworld::{Result, State};

use super::scratch::folder;
use crate::common::files::{data, files_below};
use crate::common::random::SplitMix;

/// Replacements of a word.
const WORDS: [&[u8]; 16] = [
    b"",
    b"-1",
    b"0",
    b"1e308",
    b"-1e-320",
    b"nan",
    b"inf",
    b"99999999999999999999",
    b"4294967295",
    b"\"",
    b"\\",
    b"#",
    b"\n",
    b"mount 0 self.rob",
    b"\xff\xfe",
    b"x",
];

/// Random numbers of a fixed seed.
struct Dice(SplitMix);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.0.bits() % (n.max(1) as u64)).expect("below n")
    }

    /// The bytes with one word, number or name replaced, one byte changed, or the end cut off.
    fn broken(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut broken = bytes.to_vec();
        if bytes.is_empty() {
            return broken;
        }
        let at = self.below(bytes.len());
        match self.below(6) {
            0 => broken.truncate(at),
            1 => broken[at] ^= 1 << self.below(8),
            // a number or a name in quotes or between tags
            2 | 3 => {
                let is_part = |b: &u8| b.is_ascii_alphanumeric() || b"+-._".contains(b);
                let start = at - bytes[..at].iter().rev().take_while(|b| is_part(b)).count();
                let end = at + bytes[at..].iter().take_while(|b| is_part(b)).count();
                let word = WORDS[self.below(WORDS.len())];
                broken.splice(start..end, word.iter().copied());
            }
            _ => {
                let is_word = |b: &u8| !b.is_ascii_whitespace();
                let start = at - bytes[..at].iter().rev().take_while(|b| is_word(b)).count();
                let end = at + bytes[at..].iter().take_while(|b| is_word(b)).count();
                let word = WORDS[self.below(WORDS.len())];
                broken.splice(start..end, word.iter().copied());
            }
        }
        broken
    }
}

#[test]
fn mutated_files_load_or_are_refused() {
    type Load = fn(&mut Loader, &Path) -> Result<()>;
    let robot: Load = |loader, path| loader.robot(path).map(drop);
    let object: Load = |loader, path| loader.rigid_object(path).map(drop);
    let terrain: Load = |loader, path| loader.terrain(path).map(drop);
    let geometry: Load = |loader, path| loader.geometry(path).map(drop);
    let good: &[(&str, usize, Load)] = &[
        ("robots/quadruped.rob", 100, robot),
        ("robots/gripper.rob", 100, robot),
        ("robots/mobile_arm.rob", 100, robot),
        ("robots/arm6.urdf", 100, robot),
        ("robots/gripper.urdf", 100, robot),
        ("objects/crate.obj", 40, object),
        ("terrains/hills.env", 40, terrain),
        ("meshes/cube.off", 60, geometry),
        ("meshes/ball.obj", 60, geometry),
        ("meshes/can.stl", 60, geometry),
        ("formats/lamp.dae", 200, geometry),
        ("formats/wedge_ascii.ply", 200, geometry),
        ("formats/wedge_binary_big_endian.ply", 200, geometry),
        ("formats/wedge.tri", 100, geometry),
        ("formats/box.geom", 100, geometry),
        ("formats/cloud_ascii.pcd", 200, geometry),
        ("formats/cloud_binary_compressed.pcd", 200, geometry),
        ("formats/wedge_data.gltf", 300, geometry),
        ("formats/wedge.glb", 300, geometry),
    ];
    let limits = LoadLimits::default().with_mounts(4);
    let mut dice = Dice(SplitMix::new(2));
    for &(path, times, load) in good {
        let bytes = std::fs::read(data(path)).unwrap();
        let suffix = Path::new(path).extension().unwrap().to_string_lossy();
        let target = folder().join(format!("self.{suffix}"));
        let mut loader = Loader::with_options(
            LoadOptions::default()
                .with_limits(limits)
                .with_load_geometry(path.starts_with("meshes") || path.starts_with("formats")),
        );
        let (mut loaded, mut refused) = (0, 0);
        for _ in 0..times {
            std::fs::write(&target, dice.broken(&bytes)).unwrap();
            // meshes are remembered by path
            loader = Loader::with_options(loader.options().clone());
            match load(&mut loader, &target) {
                Ok(()) => loaded += 1,
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().contains("error: "), "{error}");
                }
            }
        }
        assert!(
            loaded > 0 && refused > 0,
            "{path}: {loaded} loaded, {refused} refused"
        );
    }
}

/// Reads a file as the kind of its original; robots are also moved and tested.
fn read(path: &Path, original: &Path) -> Result<()> {
    // large counts are checked against the length of a file; the other ones are only slow
    let limits = LoadLimits::default().with_mounts(4).with_links(2000);
    let mut loader = Loader::with_options(LoadOptions::default().with_limits(limits));
    let suffix = path.extension().unwrap_or_default().to_string_lossy();
    match &*suffix {
        "rob" | "urdf" | "xacro" => {
            let robot = loader.robot(path)?.value;
            let state = State::new(&robot);
            let _ = kinworld::world::self_collisions(&robot, &state);
            Ok(())
        }
        "obj" if original.starts_with(data("malformed/mesh")) => loader.geometry(path).map(drop),
        "obj" => loader.rigid_object(path).map(drop),
        "env" => loader.terrain(path).map(drop),
        "xml" | "sdf" | "world" => loader.world(path).map(drop),
        "config" | "configs" => loader.configurations(path).map(drop),
        "srdf" => Srdf::load(path).map(drop),
        _ => loader.geometry(path).map(drop),
    }
}

#[test]
fn every_file_of_the_project_can_be_mutated_without_a_panic() {
    /// Files that are not input: documentation, scripts, numbers.
    const OTHERS: [&str; 7] = ["error", "json", "md", "mtl", "png", "py", "txt"];
    let times = if std::env::var_os("KINWORLD_FULL").is_some() {
        100
    } else {
        4
    };
    let mut files = files_below(&data("."));
    files.retain(|path| {
        let suffix = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        !OTHERS.contains(&suffix.as_str()) && path.metadata().is_ok_and(|file| file.len() < 100_000)
    });
    assert!(files.len() > 300, "{} files", files.len());
    let mut dice = Dice(SplitMix::new(7));
    let folder = folder();
    for original in files {
        let bytes = std::fs::read(&original).unwrap();
        let target = folder.join(original.file_name().unwrap());
        for _ in 0..times {
            // several mutations of one file
            let mut broken = dice.broken(&bytes);
            for _ in 0..dice.below(3) {
                broken = dice.broken(&broken);
            }
            std::fs::write(&target, broken).unwrap();
            if let Err(error) = read(&target, &original) {
                assert!(
                    error.to_string().contains("error: "),
                    "{}: {error}",
                    original.display()
                );
            }
        }
        std::fs::remove_file(&target).unwrap();
    }
}
