//! Height maps: what stands before the first byte of zero is the JSON, what follows it the image `hill.png`.

#![no_main]

use kinworld_fuzz::{read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (json, image) = bytes.split_at(end);
    write("hill.png", image.get(1..).unwrap_or_default());
    read("x.json", json, |loader, path| loader.geometry(path));
});
