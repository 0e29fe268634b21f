//! What the fuzz targets share: bytes become a file, the file is read, and whatever comes of it must not panic.

use std::path::PathBuf;

use kinworld::io::{LoadLimits, LoadOptions, Loader};
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{Result, WorldModel};

/// Reads bytes as a file of this name, in a folder of this process that holds nothing else.
pub fn read<T>(name: &str, bytes: &[u8], load: impl FnOnce(&mut Loader, PathBuf) -> Result<T>) {
    let path = write(name, bytes);
    // small limits find the same mistakes sooner
    let limits = LoadLimits {
        file_size: 1 << 20,
        links: 200,
        mounts: 4,
        elements: 10_000,
        vertices: 1 << 16,
        ..LoadLimits::default()
    };
    let mut loader = Loader::with_options(LoadOptions {
        limits,
        ..LoadOptions::default()
    });
    let _ = load(&mut loader, path);
}

/// Writes a file into the folder of this process.
pub fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kinworld-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder to write to");
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file to write");
    path
}

/// Moves every robot of a world, and asks what collides.
pub fn exercise(mut world: WorldModel) {
    let names: Vec<_> = world.robots().map(|robot| robot.id()).collect();
    for id in names {
        let Ok(mut robot) = world.robot_mut(id) else { continue };
        let n = robot.view().config().len();
        let q: Vec<f64> = (0..n).map(|i| 0.1 * (i + 1) as f64).collect();
        robot.set_config(&q).expect("a finite configuration of the right length");
        let _ = robot.view().com();
        let _ = robot.view().sample(1, 1.0);
    }
    let _ = world.lint();
    if let Ok(collider) = WorldCollider::new(&world, &PairFilter::default()) {
        let _ = collider.colliding_pairs();
    }
}
