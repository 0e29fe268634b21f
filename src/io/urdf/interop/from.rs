//! Conversion of a robot of the crate `urdf-rs` to a document.

use urdf_rs::{Geometry as Form, JointType, Pose as Placement};

use crate::io::position::Position;
use crate::io::urdf::document::{
    At, Document, Dynamics, Inertial, Joint, Kind, Limit, Link, Material, Mimic, Moment, Origin,
    Shape,
};

/// Position of a value without a file.
const NOWHERE: Position = Position { line: 1, column: 1 };

fn at<T>(value: T) -> At<T> {
    At {
        value,
        position: NOWHERE,
    }
}

/// The document of a robot of `urdf-rs`, as far as that crate keeps it.
pub(in crate::io::urdf) fn document(robot: &urdf_rs::Robot) -> Document {
    Document {
        name: Some(robot.name.clone()),
        position: NOWHERE,
        links: robot.links.iter().map(link).collect(),
        joints: robot.joints.iter().map(joint).collect(),
        materials: robot.materials.iter().map(material).collect(),
        klampt: None,
        extras: Vec::new(),
        free_base: None,
    }
}

fn link(link: &urdf_rs::Link) -> Link {
    let given = &link.inertial;
    let moment = &given.inertia;
    let some = |x: f64| Some(x);
    let collision = link
        .collision
        .iter()
        .map(|c| shape(&c.name, &c.origin, &c.geometry, None));
    let visual = link.visual.iter();
    let visual = visual.map(|v| shape(&v.name, &v.origin, &v.geometry, v.material.as_ref()));
    Link {
        name: link.name.clone(),
        position: NOWHERE,
        inertial: Some(Inertial {
            position: NOWHERE,
            origin: origin(&given.origin),
            mass: Some(given.mass.value),
            moment: Some(Moment {
                xx: some(moment.ixx),
                xy: some(moment.ixy),
                xz: some(moment.ixz),
                yy: some(moment.iyy),
                yz: some(moment.iyz),
                zz: some(moment.izz),
            }),
        }),
        collision: collision.collect(),
        visual: visual.collect(),
        extras: Vec::new(),
    }
}

fn origin(pose: &Placement) -> Origin {
    Origin {
        xyz: Some(*pose.xyz),
        rpy: Some(*pose.rpy),
        quat_xyzw: None,
    }
}

fn shape(
    name: &Option<String>,
    pose: &Placement,
    form: &Form,
    paint: Option<&urdf_rs::Material>,
) -> Shape {
    use crate::io::urdf::document::Form as Ours;
    Shape {
        name: name.clone(),
        origin: origin(pose),
        form: match form {
            Form::Box { size } => Ours::Box { size: **size },
            Form::Cylinder { radius, length } => Ours::Cylinder {
                radius: *radius,
                length: *length,
            },
            Form::Capsule { radius, length } => Ours::Capsule {
                radius: *radius,
                length: *length,
            },
            Form::Sphere { radius } => Ours::Sphere { radius: *radius },
            Form::Mesh { filename, scale } => Ours::Mesh {
                filename: at(filename.clone()),
                scale: scale.map(|scale| *scale),
            },
        },
        material: paint.map(material),
        position: NOWHERE,
    }
}

fn material(material: &urdf_rs::Material) -> Material {
    Material {
        name: Some(material.name.clone()),
        color: material.color.as_ref().map(|color| *color.rgba),
        texture: material.texture.as_ref().map(|t| t.filename.clone()),
    }
}

fn joint(joint: &urdf_rs::Joint) -> Joint {
    let kind = match joint.joint_type {
        JointType::Revolute => Kind::Revolute,
        JointType::Continuous => Kind::Continuous,
        JointType::Prismatic => Kind::Prismatic,
        JointType::Fixed => Kind::Fixed,
        JointType::Floating => Kind::Floating,
        JointType::Planar => Kind::Planar,
        JointType::Spherical => Kind::Spherical,
    };
    let given = &joint.limit;
    let is_driven = matches!(kind, Kind::Revolute | Kind::Continuous | Kind::Prismatic);
    Joint {
        name: joint.name.clone(),
        position: NOWHERE,
        kind,
        origin: origin(&joint.origin),
        parent: at(joint.parent.link.clone()),
        child: at(joint.child.link.clone()),
        axis: Some(at(*joint.axis.xyz)).filter(|_| kind != Kind::Fixed),
        limit: is_driven.then_some(Limit {
            position: NOWHERE,
            lower: Some(given.lower),
            upper: Some(given.upper),
            velocity: Some(given.velocity),
            effort: Some(given.effort),
            acceleration: Some(given.acceleration),
        }),
        dynamics: joint.dynamics.as_ref().map(|dynamics| Dynamics {
            position: NOWHERE,
            damping: Some(dynamics.damping),
            friction: Some(dynamics.friction),
        }),
        mimic: joint.mimic.as_ref().map(|mimic| Mimic {
            joint: at(mimic.joint.clone()),
            multiplier: mimic.multiplier,
            offset: mimic.offset,
        }),
        extras: Vec::new(),
    }
}
