//! Drivers from actuators, equalities of joints, and fixed tendons.

use std::collections::{HashMap, HashSet};

use super::Loaded;
use super::actuators::{Motor, Transmission, motors};
use super::couplings::{Couplings, Follower, couplings, tendons};
use super::model::JointType;
use super::notes::Notes;
use super::robot::{Assembly, Placed};
use crate::Diagnostic;
use crate::robot::{Driver, DriverKind, LinkId, Rotor};

/// Gives a robot the drivers of its joints, and these the limits of their motors.
pub(super) fn apply(
    assembly: &mut Assembly,
    loaded: &Loaded,
    notes: &mut Notes<'_>,
) -> Result<(), Diagnostic> {
    let scalars: HashMap<String, usize> = assembly
        .joints
        .iter()
        .enumerate()
        .filter(|(_, placed)| is_scalar(placed) && !placed.joint.name.is_empty())
        .map(|(k, placed)| (placed.joint.name.clone(), k))
        .collect();
    let tendons = tendons(loaded, notes)?;
    let Couplings { followers, held } = couplings(assembly, &scalars, &tendons, loaded, notes)?;
    let mut motors = motors(loaded, notes)?;
    let has_motors = !motors.is_empty();
    let mut drivers = tendon_drivers(
        assembly,
        &scalars,
        &followers,
        (&tendons, &mut motors),
        notes,
    )?;
    let in_tendons: HashSet<LinkId> = drivers
        .iter()
        .flat_map(|driver| driver.kind.links().to_vec())
        .collect();
    let mut limits = Vec::new();
    for (k, placed) in assembly.joints.iter().enumerate() {
        let Some(&link) = placed.links.first().filter(|_| is_scalar(placed)) else {
            continue;
        };
        if in_tendons.contains(&link) || followers.contains_key(&k) {
            continue;
        }
        if let Some(value) = held.get(&k) {
            let kind = DriverKind::Affine {
                links: vec![link],
                scale: vec![0.0],
                offset: vec![*value],
            };
            drivers.push(Driver::new(placed.joint.name.clone(), kind));
            continue;
        }
        let moved: Vec<(&Placed, &Follower)> = followers
            .iter()
            .filter(|(_, follower)| follower.master == k)
            .filter_map(|(j, follower)| Some((assembly.joints.get(*j)?, follower)))
            .collect();
        let own: Vec<&Motor> = motors
            .iter()
            .filter(|motor| motor.drives(&placed.joint.name))
            .collect();
        let rubs = placed.joint.damping > 0.0 || placed.joint.frictionloss > 0.0;
        if has_motors {
            let most: f64 = own.iter().map(|motor| motor.most).sum();
            limits.push((link, most));
        }
        if has_motors && own.is_empty() && moved.is_empty() && !rubs {
            continue;
        }
        drivers.push(driver(assembly, placed, link, &own, moved));
    }
    for motor in &motors {
        if let Transmission::Joint(name) = &motor.on
            && !scalars.contains_key(name)
            && assembly
                .joints
                .iter()
                .any(|placed| placed.joint.name == *name)
        {
            let what = "actuators of ball and free joints are left out";
            notes.leave_out(what, motor.place);
        }
    }
    for (link, most) in limits {
        if let Some(spec) = assembly.robot.links.get_mut(link.index()) {
            spec.limits.tau_max = spec.limits.tau_max.min(most);
        }
    }
    assembly.robot.drivers = Some(drivers);
    Ok(())
}

fn is_scalar(placed: &Placed) -> bool {
    matches!(placed.joint.kind, JointType::Slide | JointType::Hinge)
}

/// The driver of a joint and of those that follow it.
fn driver(
    assembly: &Assembly,
    placed: &Placed,
    link: LinkId,
    motors: &[&Motor],
    mut moved: Vec<(&Placed, &Follower)>,
) -> Driver {
    moved.sort_by_key(|(placed, _)| placed.links.first().copied());
    let kind = match moved.as_slice() {
        [] => DriverKind::Normal { link },
        moved => {
            let (mut links, mut scale, mut offset) = (vec![link], vec![1.0], vec![0.0]);
            for (placed, follower) in moved {
                links.extend(placed.links.first().copied());
                scale.push(follower.scale);
                offset.push(follower.offset);
            }
            DriverKind::Affine {
                links,
                scale,
                offset,
            }
        }
    };
    let spec = assembly.robot.links.get(link.index());
    let first = motors.first().map(|motor| motor.name.clone());
    let name = first
        .filter(|name| !name.is_empty())
        .or_else(|| Some(placed.joint.name.clone()).filter(|name| !name.is_empty()))
        .or_else(|| spec.map(|spec| spec.name.clone()));
    let mut driver = Driver::new(name.unwrap_or_default(), kind);
    driver.servo.dry_friction = placed.joint.frictionloss;
    driver.servo.viscous_friction = placed.joint.damping;
    for (placed, follower) in moved {
        // with as much power on the driver, of which the follower moves by `scale`
        driver.servo.dry_friction += follower.scale.abs() * placed.joint.frictionloss;
        driver.servo.viscous_friction += follower.scale.powi(2) * placed.joint.damping;
    }
    let mut reflected = 0.0;
    for motor in motors {
        let square = motor.gear * motor.gear;
        driver.servo.p += square * motor.kp;
        driver.servo.d += square * motor.kv;
        driver.servo.viscous_friction += square * motor.damping;
        reflected += square * motor.armature;
    }
    driver.rotor = Rotor::new(reflected, 1.0);
    driver
}

/// Joints and their coefficients in a fixed tendon.
type Terms = Vec<(String, f64)>;

/// The drivers of fixed tendons that actuators pull: the joints move by their coefficients.
fn tendon_drivers(
    assembly: &Assembly,
    scalars: &HashMap<String, usize>,
    followers: &HashMap<usize, Follower>,
    (tendons, motors): (&HashMap<String, Terms>, &mut Vec<Motor>),
    notes: &mut Notes<'_>,
) -> Result<Vec<Driver>, Diagnostic> {
    let mut drivers: Vec<Driver> = Vec::new();
    let mut taken: HashSet<usize> = followers.keys().copied().collect();
    taken.extend(followers.values().map(|follower| follower.master));
    let by_joint = motors.iter().filter_map(|motor| match &motor.on {
        Transmission::Joint(name) => scalars.get(name).copied(),
        Transmission::Tendon(_) => None,
    });
    taken.extend(by_joint);
    for motor in motors.iter() {
        let Transmission::Tendon(name) = &motor.on else {
            continue;
        };
        let Some(tendon) = tendons.get(name) else {
            notes.leave_out("actuators of spatial tendons are left out", motor.place);
            continue;
        };
        let joints: Vec<Option<usize>> = tendon
            .iter()
            .map(|(joint, _)| scalars.get(joint).copied())
            .collect();
        if joints.iter().all(Option::is_none) {
            // of another robot
            continue;
        }
        let joints: Option<Vec<usize>> = joints.into_iter().collect();
        let joints = joints.filter(|joints| joints.iter().all(|k| !taken.contains(k)));
        let square: f64 = tendon
            .iter()
            .map(|(_, coefficient)| coefficient.powi(2))
            .sum();
        let Some(joints) = joints.filter(|_| square > 0.0) else {
            let what = "an actuator of a tendon whose joints have drivers already is left out";
            notes.leave_out(what, motor.place);
            continue;
        };
        taken.extend(joints.iter().copied());
        let links = joints.iter().filter_map(|k| {
            let placed = assembly.joints.get(*k)?;
            placed.links.first().copied()
        });
        let kind = DriverKind::Affine {
            links: links.collect(),
            // the length of the tendon is the value of the driver
            scale: tendon.iter().map(|(_, c)| c / square).collect(),
            offset: vec![0.0; joints.len()],
        };
        let gear = motor.gear * motor.gear;
        let mut driver = Driver::new(motor.name.clone(), kind);
        driver.servo.p = gear * motor.kp;
        driver.servo.d = gear * motor.kv;
        drivers.push(driver);
    }
    motors.retain(|motor| matches!(motor.on, Transmission::Joint(_)));
    Ok(drivers)
}
