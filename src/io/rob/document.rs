//! Contents of a `.rob`: every word with its position, without defaults.

use crate::io::position::Position;
use crate::io::words::Word;

/// A value and its position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Item<T> {
    pub(super) value: T,
    pub(super) position: Position,
}

/// The values of a keyword, from all lines that begin with it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct List<T> {
    /// The keyword as the file first spells it.
    pub(super) keyword: Option<Item<String>>,
    pub(super) items: Vec<Item<T>>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            keyword: None,
            items: Vec::new(),
        }
    }
}

impl<T> List<T> {
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The position of its start.
    pub(super) fn position(&self) -> Position {
        self.keyword
            .as_ref()
            .map(|k| k.position)
            .unwrap_or_default()
    }
}

impl<T: Copy> List<T> {
    /// Value `i`; a list of one value holds for all.
    pub(super) fn get_or_only(&self, i: usize) -> Option<Item<T>> {
        match self.items.as_slice() {
            [only] => Some(*only),
            items => items.get(i).copied(),
        }
    }

    /// Value `i`.
    pub(super) fn get(&self, i: usize) -> Option<T> {
        self.items.get(i).map(|item| item.value)
    }
}

/// A number in degrees or in the unit of the degree of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quantity {
    pub(super) value: f64,
    pub(super) is_degrees: bool,
}

/// `joint TYPE LINK [BASE]`
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct JointLine<'a> {
    pub(super) kind: Word<'a>,
    pub(super) link: Word<'a>,
    pub(super) base: Option<Word<'a>>,
}

/// `driver TYPE …`
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DriverLine<'a> {
    pub(super) position: Position,
    pub(super) kind: DriverWords<'a>,
}

/// The words after `driver`.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DriverWords<'a> {
    Normal(Word<'a>),
    Affine {
        links: Vec<Word<'a>>,
        scale: Vec<f64>,
        offset: Vec<f64>,
        /// Smallest and largest position, velocity and torque.
        limits: [[f64; 2]; 3],
    },
    Translation(Word<'a>, Word<'a>),
    Rotation(Word<'a>, Word<'a>),
}

/// `mount LINK FILE [12 numbers] [as NAME]`
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MountLine<'a> {
    pub(super) link: Word<'a>,
    pub(super) file: Word<'a>,
    pub(super) transform: Option<Item<[f64; 12]>>,
    pub(super) prefix: Option<&'a str>,
}

/// `property KEY VALUE`
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PropertyLine<'a> {
    pub(super) key: Word<'a>,
    /// The rest of each line, or the text in quotes.
    pub(super) value: Vec<Word<'a>>,
}

/// The contents of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Document<'a> {
    pub(super) links: List<&'a str>,
    pub(super) parents: List<i64>,
    /// True for each prismatic link.
    pub(super) joint_type: List<bool>,
    /// Rows of a rotation, then a translation.
    pub(super) t_parent: List<[f64; 12]>,
    pub(super) axis: List<[f64; 3]>,
    pub(super) alpha: List<f64>,
    pub(super) a: List<f64>,
    pub(super) d: List<f64>,
    pub(super) theta: List<f64>,
    pub(super) translation: Option<Item<[f64; 3]>>,
    pub(super) rotation: Option<Item<[f64; 9]>>,
    pub(super) scale: Option<Item<f64>>,

    pub(super) q: List<Quantity>,
    pub(super) q_min: List<Quantity>,
    pub(super) q_max: List<Quantity>,
    pub(super) vel_min: List<Quantity>,
    pub(super) vel_max: List<Quantity>,
    pub(super) acc_max: List<Quantity>,
    pub(super) torque_max: List<Quantity>,
    pub(super) power_max: List<Quantity>,
    pub(super) auto_torque: Option<Item<f64>>,

    pub(super) mass: List<f64>,
    pub(super) com: List<[f64; 3]>,
    /// Rows; also of a diagonal matrix.
    pub(super) inertia: List<[f64; 9]>,
    /// The surface fraction.
    pub(super) auto_mass: Option<Item<Option<f64>>>,

    pub(super) geometry: List<&'a str>,
    pub(super) geom_scale: List<f64>,
    pub(super) geom_margin: List<f64>,
    /// A link and the rows of a 4 × 4 matrix.
    pub(super) geom_transforms: Vec<(Word<'a>, [f64; 16])>,
    pub(super) self_collision: List<[Word<'a>; 2]>,
    pub(super) no_self_collision: List<[Word<'a>; 2]>,

    pub(super) joints: Vec<JointLine<'a>>,
    pub(super) drivers: Vec<DriverLine<'a>>,
    pub(super) driver_names: List<&'a str>,
    pub(super) servo_p: List<f64>,
    pub(super) servo_i: List<f64>,
    pub(super) servo_d: List<f64>,
    pub(super) dry_friction: List<f64>,
    pub(super) viscous_friction: List<f64>,

    pub(super) mounts: Vec<MountLine<'a>>,
    pub(super) properties: Vec<PropertyLine<'a>>,
}
