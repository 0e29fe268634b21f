//! Models of MuJoCo, with a part to include.

#![no_main]

use kinworld::io::Source;
use kinworld_fuzz::read_from;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let part = b"<mujocoinclude><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset></mujocoinclude>";
    let source = Source::memory()
        .with_file("x.mjcf", bytes.to_vec())
        .with_file("part.xml", part.to_vec());
    read_from(source, "x.mjcf", |loader, path| loader.world(path));
});
