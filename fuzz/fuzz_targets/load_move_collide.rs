//! A URDF or a `.rob` that loads is moved, looked over, and tested for collision.

#![no_main]

use kinworld::WorldModel;
use kinworld_fuzz::{exercise, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let name = if bytes.trim_ascii_start().starts_with(b"<") {
        "x.urdf"
    } else {
        "x.rob"
    };
    read(name, bytes, |loader, path| {
        let mut world = WorldModel::new();
        world.add_robot(loader.robot(path)?.value);
        exercise(world);
        Ok(())
    });
});
