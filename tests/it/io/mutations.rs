//! Good files with something broken in them: they load or are refused, and never anything else.

use std::path::Path;

use kinworld::Result;
use kinworld::io::{LoadLimits, LoadOptions, Loader};

use super::scratch::folder;
use crate::common::files::data;

/// What takes the place of a word.
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

/// A small generator (splitmix64): the same files every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((x ^ (x >> 31)) % (n.max(1) as u64)).expect("below n")
    }

    /// The bytes with one word replaced, one byte changed, or the end cut off.
    fn broken(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut broken = bytes.to_vec();
        let at = self.below(bytes.len());
        match self.below(4) {
            0 => broken.truncate(at),
            1 => broken[at] ^= 1 << self.below(8),
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
fn broken_files_load_or_are_refused_and_nothing_else() {
    type Load = fn(&mut Loader, &Path) -> Result<()>;
    let robot: Load = |loader, path| loader.robot(path).map(drop);
    let object: Load = |loader, path| loader.rigid_object(path).map(drop);
    let terrain: Load = |loader, path| loader.terrain(path).map(drop);
    let geometry: Load = |loader, path| loader.geometry(path).map(drop);
    let good: [(&str, usize, Load); 11] = [
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
    ];
    let limits = LoadLimits {
        mounts: 4,
        ..LoadLimits::default()
    };
    let mut dice = Dice(2);
    for (path, times, load) in good {
        let bytes = std::fs::read(data(path)).unwrap();
        let suffix = Path::new(path).extension().unwrap().to_string_lossy();
        let target = folder().join(format!("self.{suffix}"));
        let mut loader = Loader::with_options(LoadOptions {
            limits,
            load_geometry: path.starts_with("meshes") || path.starts_with("formats"),
            ..LoadOptions::default()
        });
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
