//! SRDF: as a text, and its groups and configurations in a robot.

#![no_main]

use kinworld::io::{LoadOptions, Loader, Source, Srdf};
use libfuzzer_sys::fuzz_target;

const ROBOT: &[u8] = include_bytes!("../../data/robots/scara.urdf");

fuzz_target!(|bytes: &[u8]| {
    let _ = Srdf::parse(&String::from_utf8_lossy(bytes));
    let source = Source::memory()
        .with_file("scara.urdf", ROBOT.to_vec())
        .with_file("scara.srdf", bytes.to_vec());
    let options = LoadOptions::default()
        .with_load_geometry(false)
        .with_srdf(Some("scara.srdf".into()));
    let _ = Loader::with_options(options)
        .with_source(source)
        .robot("scara.urdf");
});
