//! A recorded motion as CSV, and a path.

#![no_main]

use std::sync::LazyLock;

use kinworld::Robot;
use kinworld_fuzz::read;
use libfuzzer_sys::fuzz_target;

static ARM: LazyLock<Robot> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/robots/planar3R.rob");
    Robot::load(path).expect("it loads").value
});

fuzz_target!(|bytes: &[u8]| {
    read("x.csv", bytes, |loader, path| {
        loader
            .recording(&ARM, path)
            .map(|recording| recording.value.instants().count())
    });
    read("x.path", bytes, |loader, path| {
        let path = loader.trajectory(path)?.value;
        let middle = path.start_time() + 0.5 * path.duration();
        let _ = (
            path.at(middle),
            path.velocity_at(middle),
            path.split(middle),
        );
        Ok(())
    });
});
