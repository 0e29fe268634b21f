//! Conversion of a robot to that of the crate `urdf-rs`.

use std::collections::{HashMap, HashSet};

use urdf_rs::{Geometry as Form, JointType, Pose as Placement};

use crate::geometry::{PrimitiveKind, Shape as Solid};
use crate::math::{Pose, Rotation, Vector, so3};
use crate::robot::{DriverKind, Element, JointKind, LinkId, LinkMotion, Robot};
use crate::{Diagnostic, Loaded};

/// Converts a robot to the types of `urdf-rs`, with warnings about what these cannot hold.
pub(in crate::io::urdf) fn robot(robot: &Robot) -> Loaded<urdf_rs::Robot> {
    let mut lost = Vec::new();
    let mut out = urdf_rs::Robot {
        name: robot.name().to_owned(),
        version: None,
        links: Vec::new(),
        joints: Vec::new(),
        materials: Vec::new(),
    };
    let names = unique_names(robot);
    let name = |link: LinkId| names.get(link.index()).cloned().unwrap_or_default();

    // one root that does not move: the world, unless the robot has one
    let roots = || robot.links().iter().filter(|link| link.parent().is_none());
    let is_fixed = |link: &crate::robot::Link| {
        link.motion().is_fixed() && *link.placement() == Pose::identity()
    };
    let brings_root = roots().count() == 1 && roots().all(is_fixed);
    let world = (1..).map(|i| {
        if i == 1 {
            "world".to_owned()
        } else {
            format!("world{i}")
        }
    });
    let world = world
        .into_iter()
        .find(|world| !names.contains(world))
        .unwrap_or_default();
    if !brings_root {
        out.links.push(empty_link(&world));
    }
    let followers = followers(robot, &mut lost);
    for (i, link) in robot.links().iter().enumerate() {
        let id = LinkId::new(i);
        out.links.push(urdf_rs::Link {
            name: name(id),
            inertial: inertial(link.inertia()),
            visual: shapes(link.visual(), link.name(), &mut lost)
                .map(|(element, origin, geometry)| urdf_rs::Visual {
                    name: (!element.name.is_empty()).then(|| element.name.clone()),
                    origin,
                    geometry,
                    material: element.appearance.as_ref().map(|look| urdf_rs::Material {
                        name: look.name.clone(),
                        color: look.color.map(|rgba| urdf_rs::Color {
                            rgba: urdf_rs::Vec4(rgba),
                        }),
                        texture: look
                            .texture
                            .clone()
                            .map(|filename| urdf_rs::Texture { filename }),
                    }),
                })
                .collect(),
            collision: shapes(link.collision(), link.name(), &mut lost)
                .map(|(element, origin, geometry)| urdf_rs::Collision {
                    name: (!element.name.is_empty()).then(|| element.name.clone()),
                    origin,
                    geometry,
                })
                .collect(),
        });
        let parent = match link.parent() {
            Some(parent) => name(parent),
            None if brings_root => continue,
            None => world.clone(),
        };
        let mut joint = joint_of(robot, id, &mut lost);
        joint.parent.link = parent;
        joint.child.link = name(id);
        joint.mimic = followers
            .get(&id)
            .map(|&(master, multiplier, offset)| urdf_rs::Mimic {
                joint: joint_name(robot, master),
                multiplier: Some(multiplier),
                offset: Some(offset),
            });
        out.joints.push(joint);
    }
    Loaded {
        value: out,
        diagnostics: lost,
    }
}

/// The names of the links, numbered where they repeat.
fn unique_names(robot: &Robot) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = robot.links().iter().map(|link| {
        let mut name = link.name().to_owned();
        let mut n = 1;
        while !seen.insert(name.clone()) {
            n += 1;
            name = format!("{}_{n}", link.name());
        }
        name
    });
    names.collect()
}

fn empty_link(name: &str) -> urdf_rs::Link {
    urdf_rs::Link {
        name: name.to_owned(),
        inertial: urdf_rs::Inertial::default(),
        visual: Vec::new(),
        collision: Vec::new(),
    }
}

fn inertial(inertia: &crate::math::Inertia) -> urdf_rs::Inertial {
    let m = &inertia.moment;
    urdf_rs::Inertial {
        origin: Placement {
            xyz: urdf_rs::Vec3(inertia.com.coords.into()),
            rpy: urdf_rs::Vec3::default(),
        },
        mass: urdf_rs::Mass {
            value: inertia.mass,
        },
        inertia: urdf_rs::Inertia {
            ixx: m.m11,
            ixy: m.m12,
            ixz: m.m13,
            iyy: m.m22,
            iyz: m.m23,
            izz: m.m33,
        },
    }
}

/// The primitive shapes; meshes no longer have a file name.
fn shapes<'r>(
    elements: &'r [Element],
    link: &str,
    lost: &mut Vec<Diagnostic>,
) -> impl Iterator<Item = (&'r Element, Placement, Form)> + use<'r> {
    let mut kept = Vec::new();
    for element in elements {
        match form(element) {
            Some((pose, form)) => kept.push((element, placement(&pose), form)),
            None => {
                let message = format!(
                    "link `{link}`: a shape other than box, sphere, cylinder and capsule is left out"
                );
                lost.push(Diagnostic::warning(message).about(format!("link `{link}`")));
            }
        }
    }
    kept.into_iter()
}

fn form(element: &Element) -> Option<(Pose, Form)> {
    let Solid::Primitive(primitive) = element.geometry.shape() else {
        return None;
    };
    let moved = |center: Vector, axis: Vector| {
        let turn = Rotation::rotation_between(&Vector::z(), &axis);
        let turn = turn.unwrap_or_else(|| Rotation::new(Vector::x() * std::f64::consts::PI));
        element.placement * Pose::from_parts(center.into(), turn)
    };
    Some(match primitive.kind() {
        PrimitiveKind::Aabb(around) => (
            moved(around.center().coords, Vector::z()),
            Form::Box {
                size: urdf_rs::Vec3((around.max - around.min).into()),
            },
        ),
        PrimitiveKind::Box { pose, size } => (
            element.placement * pose,
            Form::Box {
                size: urdf_rs::Vec3((*size).into()),
            },
        ),
        PrimitiveKind::Capsule { a, b, radius } => {
            let along = b - a;
            let axis = if along.norm() > 0.0 {
                along
            } else {
                Vector::z()
            };
            let form = Form::Capsule {
                radius: *radius,
                length: along.norm(),
            };
            (moved(nalgebra::center(a, b).coords, axis), form)
        }
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        } => (
            moved(center.coords, *axis),
            Form::Cylinder {
                radius: *radius,
                length: *height,
            },
        ),
        PrimitiveKind::Sphere { center, radius } => (
            moved(center.coords, Vector::z()),
            Form::Sphere { radius: *radius },
        ),
        _ => return None,
    })
}

fn placement(pose: &Pose) -> Placement {
    Placement {
        xyz: urdf_rs::Vec3(pose.translation.vector.into()),
        rpy: urdf_rs::Vec3(so3::to_rpy(&pose.rotation)),
    }
}

fn joint_name(robot: &Robot, link: LinkId) -> String {
    let link = robot.link(link);
    let named = link.joint_name().map(str::to_owned);
    named.unwrap_or_else(|| format!("{}_joint", link.name()))
}

fn joint_of(robot: &Robot, id: LinkId, lost: &mut Vec<Diagnostic>) -> urdf_rs::Joint {
    let link = robot.link(id);
    let kind = robot.joint_of(id).map(|joint| joint.kind);
    let (joint_type, axis) = match (link.motion(), kind) {
        (LinkMotion::Fixed, _) | (_, Some(JointKind::Weld)) => (JointType::Fixed, Vector::x()),
        (LinkMotion::Revolute(axis), Some(JointKind::Spin)) => (JointType::Continuous, *axis),
        (LinkMotion::Revolute(axis), _) => (JointType::Revolute, *axis),
        (LinkMotion::Prismatic(axis), _) => (JointType::Prismatic, *axis),
    };
    let length = axis.norm();
    if (length - 1.0).abs() > 1e-9 {
        let label = format!("link `{}`", link.name());
        let message =
            format!("{label}: the length of its axis ({length}) is lost: URDF has unit axes");
        lost.push(Diagnostic::warning(message).about(label));
    }
    let limits = link.dof().and_then(|dof| robot.limits().get(dof.index()));
    let limit = match limits {
        Some(limits) if joint_type != JointType::Fixed => urdf_rs::JointLimit {
            lower: limits.q_min,
            upper: limits.q_max,
            effort: limits.tau_max,
            velocity: limits.v_max,
            acceleration: limits.a_max,
            ..urdf_rs::JointLimit::default()
        },
        _ => urdf_rs::JointLimit::default(),
    };
    let drives = |kind: &DriverKind| kind.links().first() == Some(&id);
    let servo = robot.drivers().iter().find(|driver| drives(&driver.kind));
    urdf_rs::Joint {
        name: joint_name(robot, id),
        joint_type,
        origin: placement(link.placement()),
        parent: urdf_rs::LinkName::default(),
        child: urdf_rs::LinkName::default(),
        axis: urdf_rs::Axis {
            xyz: urdf_rs::Vec3(if length > 0.0 {
                (axis / length).into()
            } else {
                [1.0, 0.0, 0.0]
            }),
        },
        limit,
        calibration: None,
        dynamics: servo
            .map(|driver| &driver.servo)
            .filter(|servo| servo.dry_friction != 0.0 || servo.viscous_friction != 0.0)
            .map(|servo| urdf_rs::Dynamics {
                damping: servo.viscous_friction,
                friction: servo.dry_friction,
            }),
        mimic: None,
        safety_controller: None,
    }
}

/// The links that mimic another one: `q = multiplier · q_master + offset`.
fn followers(robot: &Robot, lost: &mut Vec<Diagnostic>) -> HashMap<LinkId, (LinkId, f64, f64)> {
    let mut followers = HashMap::new();
    for driver in robot.drivers() {
        let DriverKind::Affine {
            links,
            scale,
            offset,
        } = &driver.kind
        else {
            continue;
        };
        let mut all = links.iter().zip(scale).zip(offset);
        let Some(((&master, &of_master), &from)) = all.next() else {
            continue;
        };
        if of_master == 0.0 {
            let message = format!(
                "driver `{}`: its first link does not move, so that none can mimic it",
                driver.name
            );
            lost.push(Diagnostic::warning(message));
            continue;
        }
        for ((&link, &scale), &offset) in all {
            let multiplier = scale / of_master;
            followers.insert(link, (master, multiplier, offset - multiplier * from));
        }
    }
    followers
}
