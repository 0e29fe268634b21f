//! Drivers in the form of formats that have one motor per joint, and joints that follow others.

use std::collections::{HashMap, HashSet};

use super::Losses;
use crate::robot::{Driver, DriverKind, Robot, Servo};

/// What drivers say of joints of one degree of freedom, which are named by their links.
#[derive(Debug, Default)]
pub(crate) struct Drives {
    /// Dry and viscous friction.
    friction: HashMap<usize, [f64; 2]>,
    /// Inertia of rotors.
    rotors: HashMap<usize, f64>,
    pub(crate) followers: Vec<Follower>,
    pub(crate) motors: Vec<Motor>,
    pub(crate) driven: HashSet<usize>,
}

/// `q = scale · q_master + offset`
#[derive(Debug)]
pub(crate) struct Follower {
    pub(crate) link: usize,
    pub(crate) master: usize,
    pub(crate) scale: f64,
    pub(crate) offset: f64,
}

/// A motor of a joint, with gains on its value.
#[derive(Debug)]
pub(crate) struct Motor {
    pub(crate) name: String,
    pub(crate) link: usize,
    pub(crate) p: f64,
    pub(crate) d: f64,
}

impl Drives {
    /// Converts the drivers of a robot, of which these links have a joint of one degree of freedom.
    pub(crate) fn new(robot: &Robot, scalars: &HashSet<usize>, losses: &mut Losses) -> Self {
        let mut drives = Self::default();
        for driver in robot.drivers() {
            let links: Vec<usize> = driver.kind.links().iter().map(|id| id.index()).collect();
            let is_known = links.iter().all(|link| scalars.contains(link));
            let is_of_base = matches!(
                driver.kind,
                DriverKind::Translation { .. } | DriverKind::Rotation { .. }
            );
            if !is_known || is_of_base {
                losses.add("drivers of welds and of bases are not kept", &driver.name);
                continue;
            }
            warn_of(robot, driver, losses);
            drives.add(driver, &links, losses);
        }
        drives
    }

    /// Dry and viscous friction of a joint.
    pub(crate) fn friction(&self, link: usize) -> [f64; 2] {
        self.friction.get(&link).copied().unwrap_or_default()
    }

    /// Inertia that drivers add to a joint.
    pub(crate) fn rotor(&self, link: usize) -> f64 {
        self.rotors.get(&link).copied().unwrap_or(0.0)
    }

    /// Returns whether a motor acts on a joint.
    pub(crate) fn has_motor(&self, link: usize) -> bool {
        self.motors.iter().any(|motor| motor.link == link)
    }

    fn add(&mut self, driver: &Driver, links: &[usize], losses: &mut Losses) {
        let Servo {
            p,
            d,
            dry_friction,
            viscous_friction,
            ..
        } = driver.servo;
        let Some(&master) = links.first() else {
            return;
        };
        self.driven.extend(links.iter().copied());
        let mut s = 1.0_f64;
        if let DriverKind::Affine { scale, offset, .. } = &driver.kind {
            let (Some(&first), Some(&o)) = (scale.first(), offset.first()) else {
                return;
            };
            if first == 0.0 {
                let what = "drivers that do not move their first link become one per link";
                losses.add(what, &driver.name);
                self.motors.extend(links.iter().map(|&link| Motor {
                    name: driver.name.clone(),
                    link,
                    p: 0.0,
                    d: 0.0,
                }));
                return;
            }
            if (first - 1.0).abs() > 0.0 || o != 0.0 {
                let what = "the value of a driver becomes that of its first link";
                losses.add(what, &driver.name);
                s = first;
            }
            for ((&link, scale), offset) in links.iter().zip(scale).zip(offset).skip(1) {
                // the first link holds the driver's value u = (q − o) / s
                let (scale, offset) = match (first, o) {
                    (1.0, 0.0) => (*scale, *offset),
                    _ => (scale / first, offset - scale * o / first),
                };
                self.followers.push(Follower {
                    link,
                    master,
                    scale,
                    offset,
                });
            }
        }
        // the same power on another value
        let square = s * s;
        let friction = [dry_friction / s.abs(), viscous_friction / square];
        self.friction.insert(master, friction);
        if driver.rotor.reflected() != 0.0 {
            let inertia = driver.rotor.reflected() / square;
            self.rotors.insert(master, inertia);
        }
        self.motors.push(Motor {
            name: driver.name.clone(),
            link: master,
            p: p / square,
            d: d / square,
        });
    }
}

fn warn_of(robot: &Robot, driver: &Driver, losses: &mut Losses) {
    let derived = robot.driver_limits(&Driver {
        limits: None,
        ..driver.clone()
    });
    if driver.limits.is_some_and(|own| own != derived) {
        let what = "limits of drivers are not kept, only those of joints";
        losses.add(what, &driver.name);
    }
    if driver.servo.i != 0.0 {
        losses.add("integral gains are not kept", &driver.name);
    }
}
