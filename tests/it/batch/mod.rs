//! Many configurations at once.

mod answers;
mod derivatives;
mod forced;
mod motions;
mod refused;
mod row_major;
mod samples;
mod single_precision;
mod without_allocation;

use kinworld::Robot;

use crate::common::files::data;

fn load(name: &str) -> Robot {
    let path = data("robots").join(name).with_extension("urdf");
    Robot::load(path).expect("a robot of data/").value
}
