//! Drivers as actuators, and as joints that follow others.

use std::collections::{HashMap, HashSet};

use super::layout::{Layout, PartKind};
use super::{Writer, bounded};
use crate::io::save::{Drives, Tag};
use crate::io::text::number;
use crate::robot::{Robot, RobotBuilder};

impl Writer<'_> {
    /// Converts the drivers of a robot.
    pub(super) fn drives(&mut self, robot: &Robot, spec: &RobotBuilder, layout: &Layout) -> Drives {
        let parts = layout.bodies.iter().flat_map(|body| &body.parts);
        let scalars: HashSet<usize> = parts
            .filter(|part| matches!(part.kind, PartKind::Hinge | PartKind::Slide))
            .map(super::layout::Part::link)
            .collect();
        let drives = Drives::new(robot, &scalars, &mut self.losses);
        let turning = robot.drivers().iter();
        for driver in turning.filter(|driver| driver.rotor.reflected() != 0.0) {
            let what = "rotors become the armature of their joints";
            self.losses.add(what, &driver.name);
        }
        let mut undriven: Vec<usize> = scalars.difference(&drives.driven).copied().collect();
        undriven.sort_unstable();
        for link in undriven.into_iter().filter_map(|link| spec.links.get(link)) {
            if drives.motors.is_empty() {
                self.losses
                    .add("joints without a driver get one each", &link.name);
            } else if link.limits.tau_max > 0.0 {
                let what = "joints without a driver lose their limits of force";
                self.losses.add(what, &link.name);
            }
        }
        drives
    }

    /// Writes actuators and equalities; `names` are those of the joints.
    pub(super) fn couplings(
        &mut self,
        drives: &Drives,
        spec: &RobotBuilder,
        names: &HashMap<usize, String>,
    ) {
        let initial = |link: usize| spec.links.get(link).map_or(0.0, |link| link.initial);
        for follower in &drives.followers {
            let (Some(joint), Some(master)) =
                (names.get(&follower.link), names.get(&follower.master))
            else {
                continue;
            };
            let scale = follower.scale;
            // MuJoCo counts from the reference values
            let offset =
                follower.offset - initial(follower.link) + scale * initial(follower.master);
            let tag = Tag::new("joint")
                .word("joint1", joint)
                .word("joint2", master)
                .numbers("polycoef", &[offset, scale, 0.0, 0.0, 0.0]);
            self.equalities += &format!("    {}", tag.closed());
        }
        for motor in &drives.motors {
            let Some(joint) = names.get(&motor.link) else {
                continue;
            };
            let name = self.names.actuators.unique(&motor.name, joint);
            if name != motor.name {
                self.losses
                    .add("drivers of the same name are numbered", &motor.name);
            }
            let most = spec
                .links
                .get(motor.link)
                .map_or(f64::INFINITY, |link| link.limits.tau_max);
            let kind = match (motor.p != 0.0, motor.d != 0.0) {
                (true, _) => "position",
                (false, true) => "velocity",
                _ => "motor",
            };
            let tag = Tag::new(kind).word("name", &name).word("joint", joint);
            let tag = match kind {
                "position" => tag.numbers("kp", &[motor.p]).nonzero("kv", motor.d),
                "velocity" => tag.numbers("kv", &[motor.d]),
                _ => tag,
            };
            let range = format!("{} {}", bounded(-most), number(most));
            let tag = match (most, kind) {
                (f64::INFINITY, _) => tag,
                // a range has to have a width
                (0.0, _) => tag.word("gear", "0").word("ctrlrange", "-1 1"),
                (_, "motor") => tag.word("ctrlrange", &range),
                _ => tag.word("forcerange", &range),
            };
            self.actuators += &format!("    {}", tag.closed());
        }
    }
}
