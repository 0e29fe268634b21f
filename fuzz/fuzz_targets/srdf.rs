//! SRDF: as a text, and its groups and configurations in a robot.

#![no_main]

use std::sync::OnceLock;

use kinworld::Robot;
use kinworld::io::Srdf;
use libfuzzer_sys::fuzz_target;

const ROBOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/robots/scara.urdf");

fuzz_target!(|bytes: &[u8]| {
    static SCARA: OnceLock<Robot> = OnceLock::new();
    let robot = SCARA.get_or_init(|| Robot::load(ROBOT).expect("it is well-formed").value);
    let Ok(srdf) = Srdf::parse(&String::from_utf8_lossy(bytes)) else { return };
    let srdf = srdf.value;
    for group in &srdf.groups {
        let _ = srdf.links_of(robot, &group.name);
    }
    for state in &srdf.states {
        let _ = srdf.config_of(robot, &state.group, &state.name);
    }
});
