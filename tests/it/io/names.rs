//! Names of joints and groups through saved files.

#![expect(clippy::float_cmp, reason = "the numbers are equal to the last bit")]

use kinworld::Robot;
use kinworld::io::{LoadOptions, Loader};

use super::scratch::folder;
use crate::common::files::data;

#[test]
fn names_of_joints_and_groups_survive_files() {
    let options = LoadOptions::default().with_srdf(data("srdf/arm6.srdf"));
    let arm = Loader::with_options(options).robot(data("robots/arm6.urdf"));
    let arm = arm.unwrap().value;
    for suffix in ["rob", "urdf"] {
        let file = folder().join(format!("named.{suffix}"));
        arm.save(&file).unwrap();
        let read = Robot::load(&file).unwrap().value;
        assert_eq!(
            read.dof_name(read.dof_id("axis3").unwrap()),
            "axis3",
            "{suffix}"
        );
        assert_eq!(
            read.link_of_joint("axis6").unwrap(),
            read.link_id("flange").unwrap()
        );
        if suffix == "rob" {
            let dof = read.dof_id("axis5").unwrap();
            assert_eq!(read.named_config("up", None).unwrap()[dof.index()], -0.7);
            assert_eq!(read.dofs_of(read.group("wrist").unwrap()).len(), 3);
        }
    }
}
