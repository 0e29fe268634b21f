//! Robots as `.rob`.

#![no_main]

use kinworld_fuzz::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    read("x.rob", bytes, |loader, path| loader.robot(path));
});
