//! Robots as URDF.

#![no_main]

use kinworld_fuzz::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    read("x.urdf", bytes, |loader, path| loader.robot(path));
});
