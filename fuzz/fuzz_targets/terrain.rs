//! Terrains as `.env`.

#![no_main]

use kinworld_fuzz::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    read("x.env", bytes, |loader, path| loader.terrain(path));
});
