//! Shared by the fuzz targets: bytes become a file in memory, the file is read, and whatever comes of it must not panic.

use std::path::Path;

use kinworld::io::{LoadLimits, LoadOptions, Loader, Source};
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{Result, WorldModel};

/// Reads bytes as the only file of a source.
pub fn read<T>(name: &str, bytes: &[u8], load: impl FnOnce(&mut Loader, &Path) -> Result<T>) {
    read_from(Source::memory().with_file(name, bytes.to_vec()), name, load);
}

/// Reads a file of a source.
pub fn read_from<T>(
    source: Source,
    name: &str,
    load: impl FnOnce(&mut Loader, &Path) -> Result<T>,
) {
    // small limits find the same mistakes sooner
    let limits = LoadLimits::default()
        .with_file_size(1 << 20)
        .with_links(200)
        .with_mounts(4)
        .with_elements(10_000)
        .with_vertices(1 << 16);
    let options = LoadOptions::default().with_limits(limits);
    let mut loader = Loader::with_options(options).with_source(source);
    let _ = load(&mut loader, Path::new(name));
}

/// Moves every robot of a world, and asks what collides.
pub fn exercise(mut world: WorldModel) {
    let names: Vec<_> = world.robots().map(|robot| robot.id()).collect();
    for id in names {
        let Ok(mut robot) = world.robot_mut(id) else {
            continue;
        };
        let n = robot.view().config().len();
        let q: Vec<f64> = (0..n).map(|i| 0.1 * (i + 1) as f64).collect();
        robot
            .set_config(&q)
            .expect("a finite configuration of the right length");
        let _ = robot.view().com();
        let _ = robot.view().sample(1, 1.0);
    }
    let _ = world.lint();
    if let Ok(collider) = WorldCollider::new(&world, &PairFilter::default()) {
        let _ = collider.colliding_pairs();
    }
}
