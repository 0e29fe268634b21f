//! Shapes as binary glTF.

#![no_main]

use kinworld_fuzz::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    read("x.glb", bytes, |loader, path| loader.geometry(path));
});
