//! Height maps: what stands before the first byte of zero is the JSON, what follows it the image `hill.png`.

#![no_main]

use kinworld::io::Source;
use kinworld_fuzz::read_from;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let end = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    let (json, image) = bytes.split_at(end);
    let image = image.get(1..).unwrap_or_default();
    let source = Source::memory()
        .with_file("x.json", json.to_vec())
        .with_file("hill.png", image.to_vec());
    read_from(source, "x.json", |loader, path| loader.geometry(path));
});
