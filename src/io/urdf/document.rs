//! A URDF file as written: no defaults, no references resolved, every position kept.

pub(super) use crate::io::position::At;
use crate::io::position::Position;

/// `<robot>`.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) name: Option<String>,
    pub(super) position: Position,
    pub(super) links: Vec<Link>,
    pub(super) joints: Vec<Joint>,
    pub(super) materials: Vec<Material>,
    pub(super) klampt: Option<Klampt>,
    /// Other children (`<transmission>`, `<gazebo>`, …), verbatim.
    pub(super) extras: Vec<String>,
}

/// `<link>`.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) inertial: Option<Inertial>,
    pub(super) collision: Vec<Shape>,
    pub(super) visual: Vec<Shape>,
    /// Other children, verbatim.
    pub(super) extras: Vec<String>,
}

impl Link {
    /// True if it has neither mass nor shape.
    pub(super) fn is_bare(&self) -> bool {
        self.inertial.is_none() && self.collision.is_empty() && self.visual.is_empty()
    }
}

/// `<inertial>`.
#[derive(Debug, Clone)]
pub(super) struct Inertial {
    pub(super) position: Position,
    pub(super) origin: Origin,
    pub(super) mass: Option<f64>,
    pub(super) moment: Option<Moment>,
}

/// `<inertia>`: the six different entries of the matrix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub(super) xx: Option<f64>,
    pub(super) xy: Option<f64>,
    pub(super) xz: Option<f64>,
    pub(super) yy: Option<f64>,
    pub(super) yz: Option<f64>,
    pub(super) zz: Option<f64>,
}

/// `<origin>`: a translation, then roll, pitch and yaw or a quaternion.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Origin {
    pub(super) xyz: Option<[f64; 3]>,
    pub(super) rpy: Option<[f64; 3]>,
    pub(super) quat_xyzw: Option<[f64; 4]>,
}

/// `<collision>` or `<visual>`.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) name: Option<String>,
    pub(super) origin: Origin,
    pub(super) form: Form,
    pub(super) material: Option<Material>,
    pub(super) position: Position,
}

impl Form {
    /// Returns whether it has no size at all, as placeholders have.
    pub(super) fn is_point(&self) -> bool {
        let is_zero = |size: &f64| *size == 0.0;
        match self {
            Self::Box { size } => size.iter().all(is_zero),
            Self::Sphere { radius } => is_zero(radius),
            Self::Cylinder { radius, length } | Self::Capsule { radius, length } => {
                is_zero(radius) && is_zero(length)
            }
            Self::Mesh { .. } => false,
        }
    }
}

/// The shape inside `<geometry>`.
#[derive(Debug, Clone)]
pub(super) enum Form {
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
}

/// `<material>`: a definition, or the name of one.
#[derive(Debug, Clone)]
pub(super) struct Material {
    pub(super) name: Option<String>,
    pub(super) color: Option<[f64; 4]>,
    pub(super) texture: Option<String>,
}

/// `<joint>`.
#[derive(Debug, Clone)]
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) kind: Kind,
    pub(super) origin: Origin,
    pub(super) parent: At<String>,
    pub(super) child: At<String>,
    pub(super) axis: Option<At<[f64; 3]>>,
    pub(super) limit: Option<Limit>,
    pub(super) dynamics: Option<Dynamics>,
    pub(super) mimic: Option<Mimic>,
    /// `<safety_controller>`, `<calibration>` and whatever else there is, verbatim.
    pub(super) extras: Vec<String>,
}

/// The `type` of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
pub(super) struct Limit {
    pub(super) position: Position,
    pub(super) lower: Option<f64>,
    pub(super) upper: Option<f64>,
    pub(super) velocity: Option<f64>,
    pub(super) effort: Option<f64>,
    pub(super) acceleration: Option<f64>,
}

/// `<dynamics>`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dynamics {
    pub(super) position: Position,
    pub(super) damping: Option<f64>,
    pub(super) friction: Option<f64>,
}

/// `<mimic>`.
#[derive(Debug, Clone)]
pub(super) struct Mimic {
    pub(super) joint: At<String>,
    pub(super) multiplier: Option<f64>,
    pub(super) offset: Option<f64>,
}

/// `<klampt>`: additions of Klampt to a URDF.
#[derive(Debug, Clone)]
pub(super) struct Klampt {
    pub(super) use_vis_geom: Option<bool>,
    pub(super) flip_yz: Option<bool>,
    pub(super) freeze_root_link: Option<bool>,
    pub(super) package_root: Option<String>,
    pub(super) world_frame: Option<String>,
    pub(super) default_mass: Option<f64>,
    /// Row by row.
    pub(super) default_inertia: Option<[f64; 9]>,
    pub(super) default_acc_max: Option<f64>,
    pub(super) sensors: Option<Attached>,
    pub(super) controller: Option<Attached>,
    pub(super) links: Vec<KlamptLink>,
    pub(super) self_collision: Vec<At<Pair>>,
    pub(super) no_self_collision: Vec<At<Pair>>,
    pub(super) mounts: Vec<Mount>,
}

/// Two links by name or index.
pub(super) type Pair = (String, String);

/// XML for other programs: in the file itself, or in a file of its own.
#[derive(Debug, Clone)]
pub(super) enum Attached {
    Inline(String),
    File(At<String>),
}

/// `<klampt><link>`.
#[derive(Debug, Clone)]
pub(super) struct KlamptLink {
    pub(super) name: At<String>,
    pub(super) physical: Option<bool>,
    pub(super) acc_max: Option<f64>,
    pub(super) servo_p: Option<f64>,
    pub(super) servo_i: Option<f64>,
    pub(super) servo_d: Option<f64>,
    pub(super) dry_friction: Option<f64>,
    pub(super) viscous_friction: Option<f64>,
}

/// `<klampt><mount>`.
#[derive(Debug, Clone)]
pub(super) struct Mount {
    pub(super) position: Position,
    /// Name or index, `None` for the world.
    pub(super) link: Option<String>,
    pub(super) file: At<String>,
    /// Rotation row by row, then translation.
    pub(super) transform: Option<[f64; 12]>,
    pub(super) prefix: Option<String>,
}
