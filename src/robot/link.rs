//! Links: placement, motion, inertia and shapes.

use nalgebra::Translation3 as Translation;

use crate::MissingGeometry;
use crate::geometry::{Appearance, Geometry};
use crate::math::{Inertia, Pose, Rotation, Vector};

/// Index of a link in [`Robot::links`](super::Robot::links).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkId(u32);

/// Index of a degree of freedom in a configuration.
///
/// It differs from the [`LinkId`], which also counts links without a degree of freedom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DofId(u32);

/// Index of a joint in [`Robot::joints`](super::Robot::joints).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointId(u32);

macro_rules! id_from_index {
    ($id:ident) => {
        impl $id {
            /// The id at this index.
            ///
            /// # Panics
            ///
            /// If `index` is 2³² or more.
            #[must_use]
            #[inline]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 links"))
            }

            /// The index.
            #[must_use]
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
id_from_index!(LinkId);
id_from_index!(DofId);
id_from_index!(JointId);

/// Motion of a link relative to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LinkMotion {
    /// None: the link has no degree of freedom.
    Fixed,
    /// Rotation by `q · |axis|` about `axis`, in the link frame.
    Revolute(Vector),
    /// Translation by `q · axis`, in the link frame.
    Prismatic(Vector),
}

impl LinkMotion {
    /// The axis in the link frame, with its given length; `None` for a fixed link.
    #[must_use]
    #[inline]
    pub fn axis(&self) -> Option<Vector> {
        match *self {
            Self::Fixed => None,
            Self::Revolute(axis) | Self::Prismatic(axis) => Some(axis),
        }
    }

    /// Pose of the link at `q` relative to its pose at 0.
    #[must_use]
    pub fn pose(&self, q: f64) -> Pose {
        match *self {
            Self::Fixed => Pose::identity(),
            Self::Revolute(axis) => {
                Pose::from_parts(Translation::identity(), Rotation::new(axis * q))
            }
            Self::Prismatic(axis) => Pose::from_parts((axis * q).into(), Rotation::identity()),
        }
    }

    /// Returns whether the link has no degree of freedom.
    #[must_use]
    #[inline]
    pub fn is_fixed(&self) -> bool {
        matches!(self, Self::Fixed)
    }

    /// Name: `revolute`, `prismatic` or `fixed`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute(_) => "revolute",
            Self::Prismatic(_) => "prismatic",
        }
    }
}

/// Spring of a degree of freedom: the force `−stiffness · (q − rest)`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct JointSpring {
    /// Stiffness, N·m/rad or N/m.
    pub stiffness: f64,
    /// Value at which it exerts no force, rad or m.
    pub rest: f64,
}

impl JointSpring {
    /// Spring of a stiffness, N·m/rad or N/m, that rests at a value, rad or m.
    #[must_use]
    pub fn new(stiffness: f64, rest: f64) -> Self {
        Self { stiffness, rest }
    }
}

/// A shape of a link: a geometry with a pose in the link frame.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Element {
    /// The name in the file, often empty.
    pub name: String,
    /// The pose of the geometry in the link frame.
    pub placement: Pose,
    /// The shape.
    pub geometry: Geometry,
    /// Colour and texture, kept as data.
    pub appearance: Option<Appearance>,
}

impl Element {
    /// A nameless shape at the origin of the link.
    #[must_use]
    #[inline]
    pub fn new(geometry: Geometry) -> Self {
        Self::placed(geometry, Pose::identity())
    }

    /// A nameless shape with a pose in the link frame.
    #[must_use]
    pub fn placed(geometry: Geometry, placement: Pose) -> Self {
        Self {
            name: String::new(),
            placement,
            geometry,
            appearance: None,
        }
    }
}

/// A rigid body of a robot, with its placement and motion in the parent.
///
/// Its pose in the world is `x_wl = x_wp · placement · motion(q)`.
#[derive(Debug, Clone)]
pub struct Link {
    pub(super) name: String,
    pub(super) joint: String,
    pub(super) parent: Option<LinkId>,
    pub(super) placement: Pose,
    pub(super) motion: LinkMotion,
    pub(super) dof: Option<DofId>,
    pub(super) inertia: Inertia,
    pub(super) spring: Option<JointSpring>,
    pub(super) collision: Vec<Element>,
    pub(super) visual: Vec<Element>,
    pub(super) shape: Option<Geometry>,
    pub(super) missing_geometry: Option<MissingGeometry>,
}

impl Link {
    /// The name, which need not be unique.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name that the file gives the joint between the link and its parent, fixed or not.
    ///
    /// `None` where it gives none: at the root, between the links of a chain, and everywhere in a `.rob`.
    #[must_use]
    pub fn joint_name(&self) -> Option<&str> {
        (!self.joint.is_empty()).then_some(self.joint.as_str())
    }

    /// The parent, `None` for the world.
    #[must_use]
    #[inline]
    pub fn parent(&self) -> Option<LinkId> {
        self.parent
    }

    /// The pose of the link in its parent at q = 0 (Klampt's `T0_Parent`).
    #[must_use]
    #[inline]
    #[doc(alias = "jointPlacements")]
    #[doc(alias = "T0_Parent")]
    #[doc(alias = "body_pos")]
    pub fn placement(&self) -> &Pose {
        &self.placement
    }

    /// The motion relative to the parent.
    #[must_use]
    #[inline]
    pub fn motion(&self) -> &LinkMotion {
        &self.motion
    }

    /// The degree of freedom that moves the link, `None` for a fixed one.
    #[must_use]
    #[inline]
    pub fn dof(&self) -> Option<DofId> {
        self.dof
    }

    /// Mass, centre of mass and moment of inertia of this link alone, in the link frame.
    #[must_use]
    #[inline]
    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    /// Spring of its degree of freedom; see [`spring_forces`](crate::dynamics::spring_forces).
    #[must_use]
    #[inline]
    pub fn spring(&self) -> Option<JointSpring> {
        self.spring
    }

    /// Collision shapes.
    #[must_use]
    #[inline]
    pub fn collision(&self) -> &[Element] {
        &self.collision
    }

    /// Visual shapes.
    #[must_use]
    #[inline]
    pub fn visual(&self) -> &[Element] {
        &self.visual
    }

    /// All collision elements as one geometry in the link frame, `None` where there are none.
    #[must_use]
    #[inline]
    pub fn shape(&self) -> Option<&Geometry> {
        self.shape.as_ref()
    }

    /// Reason why the link lacks collision geometry that it should have; `None` where it is complete.
    ///
    /// A link without any shape is complete on its own: [`Robot::missing_geometry`](super::Robot::missing_geometry) also
    /// knows whether all links of the robot are like that.
    #[must_use]
    pub fn missing_geometry(&self) -> Option<MissingGeometry> {
        self.missing_geometry
            .or_else(|| lack_of(&self.collision, &self.visual))
    }
}

/// What a link with these shapes lacks.
pub(super) fn lack_of(collision: &[Element], visual: &[Element]) -> Option<MissingGeometry> {
    if collision.is_empty() {
        return (!visual.is_empty()).then_some(MissingGeometry::VisualOnly);
    }
    let is_empty = |element: &Element| element.geometry.aabb(&Pose::identity()).is_none();
    let some_empty = collision.iter().any(is_empty);
    some_empty.then_some(MissingGeometry::Empty)
}
