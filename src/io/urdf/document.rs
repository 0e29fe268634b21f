//! A URDF file as written: no defaults, no references resolved, every position kept.

use crate::geometry::Geometry;
pub(in crate::io) use crate::io::position::At;
use crate::io::position::Position;
use crate::math::Pose;

/// `<robot>`.
#[derive(Debug, Clone)]
pub(in crate::io) struct Document {
    pub(in crate::io) name: Option<String>,
    pub(in crate::io) position: Position,
    pub(in crate::io) links: Vec<Link>,
    pub(in crate::io) joints: Vec<Joint>,
    pub(in crate::io) materials: Vec<Material>,
    pub(in crate::io) klampt: Option<Klampt>,
    /// Other children (`<transmission>`, `<gazebo>`, …), verbatim.
    pub(in crate::io) extras: Vec<String>,
    /// Pose of a root that nothing holds to the world, of formats whose models are free by default.
    pub(in crate::io) free_base: Option<Pose>,
}

/// `<link>`.
#[derive(Debug, Clone)]
pub(in crate::io) struct Link {
    pub(in crate::io) name: String,
    pub(in crate::io) position: Position,
    pub(in crate::io) inertial: Option<Inertial>,
    pub(in crate::io) collision: Vec<Shape>,
    pub(in crate::io) visual: Vec<Shape>,
    /// Other children, verbatim.
    pub(in crate::io) extras: Vec<String>,
}

impl Link {
    /// True if it has neither mass nor shape.
    pub(in crate::io) fn is_bare(&self) -> bool {
        self.inertial.is_none() && self.collision.is_empty() && self.visual.is_empty()
    }
}

/// `<inertial>`.
#[derive(Debug, Clone)]
pub(in crate::io) struct Inertial {
    pub(in crate::io) position: Position,
    pub(in crate::io) origin: Origin,
    pub(in crate::io) mass: Option<f64>,
    pub(in crate::io) moment: Option<Moment>,
}

/// `<inertia>`: the six different entries of the matrix.
#[derive(Debug, Clone, Copy)]
pub(in crate::io) struct Moment {
    pub(in crate::io) xx: Option<f64>,
    pub(in crate::io) xy: Option<f64>,
    pub(in crate::io) xz: Option<f64>,
    pub(in crate::io) yy: Option<f64>,
    pub(in crate::io) yz: Option<f64>,
    pub(in crate::io) zz: Option<f64>,
}

/// `<origin>`: a translation, then roll, pitch and yaw or a quaternion.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::io) struct Origin {
    pub(in crate::io) xyz: Option<[f64; 3]>,
    pub(in crate::io) rpy: Option<[f64; 3]>,
    pub(in crate::io) quat_xyzw: Option<[f64; 4]>,
}

/// `<collision>` or `<visual>`.
#[derive(Debug, Clone)]
pub(in crate::io) struct Shape {
    pub(in crate::io) name: Option<String>,
    pub(in crate::io) origin: Origin,
    pub(in crate::io) form: Form,
    pub(in crate::io) material: Option<Material>,
    pub(in crate::io) position: Position,
}

impl Form {
    /// Returns whether it has no size at all, as placeholders have.
    pub(in crate::io) fn is_point(&self) -> bool {
        let is_zero = |size: &f64| *size == 0.0;
        match self {
            Self::Box { size } => size.iter().all(is_zero),
            Self::Sphere { radius } => is_zero(radius),
            Self::Cylinder { radius, length } | Self::Capsule { radius, length } => {
                is_zero(radius) && is_zero(length)
            }
            Self::Mesh { .. } | Self::Made(_) => false,
        }
    }
}

/// The shape inside `<geometry>`.
#[derive(Debug, Clone)]
pub(in crate::io) enum Form {
    Box {
        size: [f64; 3],
    },
    Sphere {
        radius: f64,
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    Capsule {
        radius: f64,
        length: f64,
    },
    Mesh {
        filename: At<String>,
        scale: Option<[f64; 3]>,
    },
    /// What another format has made; `None` for one that cannot be loaded.
    Made(Option<Geometry>),
}

/// `<material>`: a definition, or the name of one.
#[derive(Debug, Clone)]
pub(in crate::io) struct Material {
    pub(in crate::io) name: Option<String>,
    pub(in crate::io) color: Option<[f64; 4]>,
    pub(in crate::io) texture: Option<String>,
}

/// `<joint>`.
#[derive(Debug, Clone)]
pub(in crate::io) struct Joint {
    pub(in crate::io) name: String,
    pub(in crate::io) position: Position,
    pub(in crate::io) kind: Kind,
    pub(in crate::io) origin: Origin,
    pub(in crate::io) parent: At<String>,
    pub(in crate::io) child: At<String>,
    pub(in crate::io) axis: Option<At<[f64; 3]>>,
    pub(in crate::io) limit: Option<Limit>,
    pub(in crate::io) dynamics: Option<Dynamics>,
    pub(in crate::io) mimic: Option<Mimic>,
    /// `<safety_controller>`, `<calibration>` and whatever else there is, verbatim.
    pub(in crate::io) extras: Vec<String>,
}

/// The `type` of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::io) enum Kind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Planar,
    Floating,
    /// Known to Bullet and `urdf-rs`, not to ROS.
    Spherical,
}

/// `<limit>`.
#[derive(Debug, Clone, Copy)]
pub(in crate::io) struct Limit {
    pub(in crate::io) position: Position,
    pub(in crate::io) lower: Option<f64>,
    pub(in crate::io) upper: Option<f64>,
    pub(in crate::io) velocity: Option<f64>,
    pub(in crate::io) effort: Option<f64>,
    pub(in crate::io) acceleration: Option<f64>,
}

/// `<dynamics>`.
#[derive(Debug, Clone, Copy)]
pub(in crate::io) struct Dynamics {
    pub(in crate::io) position: Position,
    pub(in crate::io) damping: Option<f64>,
    pub(in crate::io) friction: Option<f64>,
}

/// `<mimic>`.
#[derive(Debug, Clone)]
pub(in crate::io) struct Mimic {
    pub(in crate::io) joint: At<String>,
    pub(in crate::io) multiplier: Option<f64>,
    pub(in crate::io) offset: Option<f64>,
}

/// `<klampt>`: additions of Klampt to a URDF.
#[derive(Debug, Clone)]
pub(in crate::io) struct Klampt {
    pub(in crate::io) use_vis_geom: Option<bool>,
    pub(in crate::io) flip_yz: Option<bool>,
    pub(in crate::io) freeze_root_link: Option<bool>,
    pub(in crate::io) package_root: Option<String>,
    pub(in crate::io) world_frame: Option<String>,
    pub(in crate::io) default_mass: Option<f64>,
    /// Row by row.
    pub(in crate::io) default_inertia: Option<[f64; 9]>,
    pub(in crate::io) default_acc_max: Option<f64>,
    pub(in crate::io) sensors: Option<Attached>,
    pub(in crate::io) controller: Option<Attached>,
    pub(in crate::io) links: Vec<KlamptLink>,
    pub(in crate::io) self_collision: Vec<At<Pair>>,
    pub(in crate::io) no_self_collision: Vec<At<Pair>>,
    pub(in crate::io) mounts: Vec<Mount>,
}

/// Two links by name or index.
pub(in crate::io) type Pair = (String, String);

/// XML for other programs: in the file itself, or in a file of its own.
#[derive(Debug, Clone)]
pub(in crate::io) enum Attached {
    Inline(String),
    File(At<String>),
}

/// `<klampt><link>`.
#[derive(Debug, Clone)]
pub(in crate::io) struct KlamptLink {
    pub(in crate::io) name: At<String>,
    pub(in crate::io) physical: Option<bool>,
    pub(in crate::io) acc_max: Option<f64>,
    pub(in crate::io) servo_p: Option<f64>,
    pub(in crate::io) servo_i: Option<f64>,
    pub(in crate::io) servo_d: Option<f64>,
    pub(in crate::io) dry_friction: Option<f64>,
    pub(in crate::io) viscous_friction: Option<f64>,
}

/// `<klampt><mount>`.
#[derive(Debug, Clone)]
pub(in crate::io) struct Mount {
    pub(in crate::io) position: Position,
    /// Name or index, `None` for the world.
    pub(in crate::io) link: Option<String>,
    pub(in crate::io) file: At<String>,
    /// Rotation row by row, then translation.
    pub(in crate::io) transform: Option<[f64; 12]>,
    pub(in crate::io) prefix: Option<String>,
}
