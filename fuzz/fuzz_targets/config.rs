//! Configurations.

#![no_main]

use kinworld_fuzz::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    read("x.configs", bytes, |loader, path| {
        loader.configurations(path)
    });
});
