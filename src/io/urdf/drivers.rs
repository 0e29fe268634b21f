//! Drivers: one per driven joint; joints that mimic another are driven by its driver.

use std::collections::{HashMap, HashSet};

use super::document::Joint;
use super::rules::Rules;
use crate::Diagnostic;
use crate::io::report::FileReport;
use crate::robot::{Driver, DriverKind, LinkId, Servo};

/// A driven joint and the link that it moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Driven<'d> {
    pub(super) joint: &'d Joint,
    pub(super) link: LinkId,
}

/// `q = scale · q_master + offset`, with the master's index in the list of driven joints.
#[derive(Debug, Clone, Copy)]
struct Mimicry<'d> {
    /// The joint that mimics.
    joint: &'d Joint,
    master: usize,
    scale: f64,
    offset: f64,
}

/// One driver per joint without `<mimic>`, in the order of the links, named after the child link, with the friction of all
/// joints that it moves.
pub(super) fn drivers(
    driven: &[Driven<'_>],
    rules: &Rules<'_>,
    report: FileReport<'_>,
) -> Result<Vec<Driver>, Diagnostic> {
    let followed = mimicries(driven, report)?;
    let mut followers: HashMap<usize, Vec<(LinkId, f64, f64)>> = HashMap::new();
    let mut frictions: HashMap<usize, [f64; 2]> = HashMap::new();
    for (i, follower) in driven.iter().enumerate() {
        if let Some(mimicry) = followed.get(&i) {
            let all = followers.entry(mimicry.master).or_default();
            all.push((follower.link, mimicry.scale, mimicry.offset));

            // with as much power on the driver, of which the follower moves by `scale`
            let [dry, viscous] = friction(follower.joint, report);
            let sum = frictions.entry(mimicry.master).or_default();
            sum[0] += mimicry.scale.abs() * dry;
            sum[1] += mimicry.scale * mimicry.scale * viscous;
        }
    }
    let mut drivers = Vec::new();
    for (i, &Driven { joint, link }) in driven.iter().enumerate() {
        if followed.contains_key(&i) {
            continue;
        }
        let kind = match followers.remove(&i) {
            None => DriverKind::Normal { link },
            Some(followers) => {
                let own = (link, 1.0, 0.0);
                let all = || std::iter::once(&own).chain(&followers);
                DriverKind::Affine {
                    links: all().map(|follower| follower.0).collect(),
                    scale: all().map(|follower| follower.1).collect(),
                    offset: all().map(|follower| follower.2).collect(),
                }
            }
        };
        let name = joint.child.value.as_str();
        let mut servo = servo(joint, rules, report);
        if let Some([dry, viscous]) = frictions.get(&i) {
            servo.dry_friction += dry;
            servo.viscous_friction += viscous;
        }
        drivers.push(Driver {
            servo,
            ..Driver::new(name, kind)
        });
    }
    Ok(drivers)
}

/// Dry and viscous friction of a joint, from its `<dynamics>`.
fn friction(joint: &Joint, report: FileReport<'_>) -> [f64; 2] {
    let Some(dynamics) = &joint.dynamics else {
        return [0.0; 2];
    };
    [
        ("friction", dynamics.friction),
        ("damping", dynamics.damping),
    ]
    .map(|(name, value)| {
        let value = value.unwrap_or(0.0);
        if value < 0.0 {
            let subject = format!("joint `{}`", joint.name);
            let problem = format!("`{name}` of <dynamics> is negative; 0 is used");
            report.warn(dynamics.position, &subject, problem);
        }
        value.max(0.0)
    })
}

fn servo(joint: &Joint, rules: &Rules<'_>, report: FileReport<'_>) -> Servo {
    let mut servo = Servo::default();
    if rules.klampt.is_some() {
        (servo.p, servo.d) = (100.0, 10.0);
    }
    [servo.dry_friction, servo.viscous_friction] = friction(joint, report);
    if let Some(tuning) = rules.tuning.get(joint.child.value.as_str()) {
        let tune = |field: &mut f64, name: &str, value: Option<f64>| match value {
            Some(value) if value < 0.0 => {
                let problem = format!("`{name}` of link `{}` is negative", tuning.name.value);
                let problem = format!("{problem}; it is ignored");
                report.warn(tuning.name.position, "klampt", problem);
            }
            Some(value) => *field = value,
            None => {}
        };
        tune(&mut servo.p, "servoP", tuning.servo_p);
        tune(&mut servo.i, "servoI", tuning.servo_i);
        tune(&mut servo.d, "servoD", tuning.servo_d);
        tune(&mut servo.dry_friction, "dryFriction", tuning.dry_friction);
        tune(
            &mut servo.viscous_friction,
            "viscousFriction",
            tuning.viscous_friction,
        );
    }
    servo
}

/// Master of each joint by its index, with chains resolved.
fn mimicries<'d>(
    driven: &[Driven<'d>],
    report: FileReport<'_>,
) -> Result<HashMap<usize, Mimicry<'d>>, Diagnostic> {
    let joints = driven.iter().enumerate();
    let index: HashMap<&str, usize> = joints
        .clone()
        .map(|(i, driven)| (driven.joint.name.as_str(), i))
        .collect();
    let mut followed = HashMap::new();
    for (i, &Driven { joint, .. }) in joints {
        let Some(mimic) = &joint.mimic else {
            continue;
        };
        match index.get(mimic.joint.value.as_str()) {
            Some(&master) => {
                let mimicry = Mimicry {
                    joint,
                    master,
                    scale: mimic.multiplier.unwrap_or(1.0),
                    offset: mimic.offset.unwrap_or(0.0),
                };
                followed.insert(i, mimicry);
            }
            None => {
                let problem = format!(
                    "it mimics `{}`, which is not a joint with one driven degree of freedom; it gets its own driver",
                    mimic.joint.value
                );
                report.warn(
                    mimic.joint.position,
                    &format!("joint `{}`", joint.name),
                    problem,
                );
            }
        }
    }

    // from each joint to its last master; each result is kept
    let mut resolved = HashSet::new();
    for start in 0..driven.len() {
        let mut path = Vec::new();
        let mut on_path = HashSet::new();
        let mut i = start;
        while let Some(mimicry) = followed.get(&i).filter(|_| !resolved.contains(&i)) {
            if !on_path.insert(i) {
                return Err(cycle(mimicry, &followed, report));
            }
            path.push(i);
            i = mimicry.master;
        }
        while let Some(i) = path.pop() {
            if let Some(&mimicry) = followed.get(&i)
                && let Some(&of_master) = followed.get(&mimicry.master)
            {
                let combined = Mimicry {
                    master: of_master.master,
                    scale: mimicry.scale * of_master.scale,
                    offset: mimicry.scale * of_master.offset + mimicry.offset,
                    ..mimicry
                };
                followed.insert(i, combined);
            }
            resolved.insert(i);
        }
    }
    Ok(followed)
}

fn cycle(
    first: &Mimicry<'_>,
    followed: &HashMap<usize, Mimicry<'_>>,
    report: FileReport<'_>,
) -> Diagnostic {
    const SHOWN: usize = 8;
    let joint = first.joint;
    let mut names = vec![joint.name.as_str()];
    let mut next = followed.get(&first.master);
    while let Some(mimicry) = next {
        names.push(&mimicry.joint.name);
        if std::ptr::eq(mimicry.joint, joint) || names.len() > SHOWN {
            break;
        }
        next = followed.get(&mimicry.master);
    }
    let position = joint
        .mimic
        .as_ref()
        .map_or(joint.position, |mimic| mimic.joint.position);
    let problem = format!("it mimics itself: {}", names.join(" -> "));
    report.error(position, &format!("joint `{}`", joint.name), problem)
}
