//! Rigid objects, and Wavefront meshes: both are `.obj`.

#![no_main]

use kinworld_fuzz::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    read("x.obj", bytes, |loader, path| loader.rigid_object(path));
});
