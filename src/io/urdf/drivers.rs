//! Motors: one per driven joint; joints that mimic another are driven by its motor.

use std::collections::{HashMap, HashSet};

use super::document::Joint;
use super::notes::Notes;
use super::rules::Rules;
use crate::Diagnostic;
use crate::robot::{Driver, DriverKind, LinkId, Servo};

/// A joint with a motor, and the link that it moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Driven<'d> {
    pub(super) joint: &'d Joint,
    pub(super) link: LinkId,
}

/// `q = scale · q_master + offset`, with the master's position in the list of driven joints.
#[derive(Debug, Clone, Copy)]
struct Mimicry {
    master: usize,
    scale: f64,
    offset: f64,
}

/// One driver per joint that follows no other, in the order of the links, named after the child link.
pub(super) fn drivers(
    driven: &[Driven<'_>],
    rules: &Rules<'_>,
    notes: &mut Notes,
) -> Result<Vec<Driver>, Diagnostic> {
    let mut followers: Vec<Vec<(LinkId, f64, f64)>> = vec![Vec::new(); driven.len()];
    let mut is_follower = vec![false; driven.len()];
    for (i, mimicry) in mimicries(driven, notes)?.into_iter().enumerate() {
        if let Some(Mimicry {
            master,
            scale,
            offset,
        }) = mimicry
        {
            followers[master].push((driven[i].link, scale, offset));
            is_follower[i] = true;
        }
    }
    let mut drivers = Vec::new();
    for (i, &Driven { joint, link }) in driven.iter().enumerate() {
        if is_follower[i] {
            continue;
        }
        let kind = if followers[i].is_empty() {
            DriverKind::Normal { link }
        } else {
            let mut all = vec![(link, 1.0, 0.0)];
            all.append(&mut followers[i]);
            DriverKind::Affine {
                links: all.iter().map(|follower| follower.0).collect(),
                scale: all.iter().map(|follower| follower.1).collect(),
                offset: all.iter().map(|follower| follower.2).collect(),
            }
        };
        let name = joint.child.value.as_str();
        drivers.push(Driver {
            servo: servo(joint, rules, notes),
            ..Driver::new(name, kind)
        });
    }
    Ok(drivers)
}

fn servo(joint: &Joint, rules: &Rules<'_>, notes: &mut Notes) -> Servo {
    let mut servo = Servo::default();
    if rules.klampt.is_some() {
        (servo.p, servo.d) = (100.0, 10.0);
    }
    if let Some(dynamics) = &joint.dynamics {
        let mut friction = |name: &str, value: Option<f64>| {
            let value = value.unwrap_or(0.0);
            if value < 0.0 {
                let subject = format!("joint `{}`", joint.name);
                let problem = format!("`{name}` of <dynamics> is negative; 0 is used");
                notes.warn(dynamics.place, &subject, problem);
            }
            value.max(0.0)
        };
        servo.dry_friction = friction("friction", dynamics.friction);
        servo.viscous_friction = friction("damping", dynamics.damping);
    }
    if let Some(tuning) = rules.tuning.get(joint.child.value.as_str()) {
        let mut tune = |field: &mut f64, name: &str, value: Option<f64>| match value {
            Some(value) if value < 0.0 => {
                let problem = format!("`{name}` of link `{}` is negative", tuning.name.value);
                let problem = format!("{problem}; it is ignored");
                notes.warn(tuning.name.place, "klampt", problem);
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

/// Whom each joint follows in the end; chains are resolved.
fn mimicries(driven: &[Driven<'_>], notes: &mut Notes) -> Result<Vec<Option<Mimicry>>, Diagnostic> {
    let index: HashMap<&str, usize> = (0..driven.len())
        .map(|i| (driven[i].joint.name.as_str(), i))
        .collect();
    let mut followed = vec![None; driven.len()];
    for (i, Driven { joint, .. }) in driven.iter().enumerate() {
        let Some(mimic) = &joint.mimic else {
            continue;
        };
        match index.get(mimic.joint.value.as_str()) {
            Some(&master) => {
                followed[i] = Some(Mimicry {
                    master,
                    scale: mimic.multiplier.unwrap_or(1.0),
                    offset: mimic.offset.unwrap_or(0.0),
                });
            }
            None => {
                let problem = format!(
                    "it mimics `{}`, which is no joint with one driven coordinate; it gets its own driver",
                    mimic.joint.value
                );
                notes.warn(
                    mimic.joint.place,
                    &format!("joint `{}`", joint.name),
                    problem,
                );
            }
        }
    }

    // from each joint to its master's master and so on; what is resolved once stays so
    let mut is_resolved = vec![false; driven.len()];
    for start in 0..driven.len() {
        let mut path = Vec::new();
        let mut on_path = HashSet::new();
        let mut i = start;
        while let (false, Some(mimicry)) = (is_resolved[i], followed[i]) {
            if !on_path.insert(i) {
                return Err(cycle(driven, &followed, i, notes));
            }
            path.push(i);
            i = mimicry.master;
        }
        while let Some(i) = path.pop() {
            if let Some(mimicry) = followed[i]
                && let Some(of_master) = followed[mimicry.master]
            {
                followed[i] = Some(Mimicry {
                    master: of_master.master,
                    scale: mimicry.scale * of_master.scale,
                    offset: mimicry.scale * of_master.offset + mimicry.offset,
                });
            }
            is_resolved[i] = true;
        }
    }
    Ok(followed)
}

fn cycle(
    driven: &[Driven<'_>],
    followed: &[Option<Mimicry>],
    start: usize,
    notes: &Notes,
) -> Diagnostic {
    const SHOWN: usize = 8;
    let mut names = vec![driven[start].joint.name.as_str()];
    let mut next = followed[start];
    while let Some(Mimicry { master, .. }) = next {
        names.push(&driven[master].joint.name);
        if master == start || names.len() > SHOWN {
            break;
        }
        next = followed[master];
    }
    let joint = driven[start].joint;
    let place = joint
        .mimic
        .as_ref()
        .map_or(joint.place, |mimic| mimic.joint.place);
    let problem = format!("it mimics itself: {}", names.join(" -> "));
    notes.error(place, &format!("joint `{}`", joint.name), problem)
}
