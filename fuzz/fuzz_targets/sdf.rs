//! Worlds and models in SDF, with a model to include.

#![no_main]

use kinworld::io::Source;
use kinworld_fuzz::read_from;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let part =
        b"<sdf version='1.9'><model name='part'><link name='a'/><frame name='f'/></model></sdf>";
    let source = Source::memory()
        .with_file("x.sdf", bytes.to_vec())
        .with_file("part.sdf", part.to_vec());
    read_from(source, "x.sdf", |loader, path| loader.world(path));
});
