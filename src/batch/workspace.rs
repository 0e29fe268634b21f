//! Workspace of batches.

use std::any::Any;
use std::fmt::{Debug, Formatter};

use crate::kernel::{Aba, Crba, Derivatives, Frames, Rnea, Tree};
use crate::math::{Block, Lanes as Wide, Level, Number, Scalar, Simd, Work};
use crate::robot::Robot;

/// Scratch memory of batches: make one per robot, and use it for every call.
///
/// It keeps no results between calls. It holds memory for the configurations that are computed at once, not for the batch.
/// The first batch that is shared by threads allocates memory for each of them, the first of derivatives, or with a longer
/// list of links than the robot has, more for results, and the first in single precision memory of its own; after that no
/// call allocates, except `rayon` where it schedules threads.
pub struct Workspace {
    slots: Vec<Slot<f64>>,
    // empty before the first use
    single_precision: Vec<Slot<f32>>,
    pub(super) row_major: bool,
}

/// Memory of a thread.
pub(super) struct Slot<T> {
    pub(super) scratch: Box<dyn AnyScratch<T>>,
    /// For results that are reordered afterwards: a block for each number.
    pub(super) output: Vec<Block>,
}

impl<T: Number> Clone for Slot<T> {
    fn clone(&self) -> Self {
        Self {
            scratch: self.scratch.boxed_clone(),
            output: self.output.clone(),
        }
    }
}

impl Workspace {
    /// Memory for a robot of this size, or for a smaller one.
    #[must_use]
    pub fn new(robot: &Robot) -> Self {
        Self {
            slots: vec![build(robot.tree())],
            single_precision: Vec::new(),
            row_major: false,
        }
    }

    /// Has functions that write slices store Jacobians and derivatives row after row, as C and NumPy have matrices, instead
    /// of column after column; neither costs more.
    #[must_use]
    pub fn with_row_major(mut self) -> Self {
        self.row_major = true;
        self
    }

    /// Allocates memory for this robot in single precision, where there is none yet.
    pub(super) fn prepare_single_precision(&mut self, robot: &Robot) {
        let tree = robot.tree();
        if self
            .single_precision
            .first()
            .is_none_or(|slot| slot.scratch.bodies() < tree.len())
        {
            self.single_precision = vec![build(tree)];
        }
    }

    /// `count` slots, each for results of `width` numbers.
    pub(super) fn slots<T: Precision>(&mut self, count: usize, width: usize) -> &mut [Slot<T>] {
        let slots = T::slots(self);
        while slots.len() < count {
            let boxed_clone = slots[0].clone();
            slots.push(boxed_clone);
        }
        for slot in &mut slots[..count] {
            if slot.output.len() < width {
                slot.output.resize(width, Block::ZERO);
            }
        }
        &mut slots[..count]
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self {
            slots: self.slots.clone(),
            single_precision: self.single_precision.clone(),
            row_major: self.row_major,
        }
    }
}

impl Debug for Workspace {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace")
            .field("slots", &self.slots.len())
            .field("single_precision", &self.single_precision.len())
            .field("row_major", &self.row_major)
            .finish()
    }
}

/// Scratch memory of a thread, for configurations in lanes `T`.
#[derive(Clone)]
pub(super) struct Scratch<T> {
    pub(super) q: Vec<T>,
    pub(super) dq: Vec<T>,
    /// Accelerations or torques.
    pub(super) input: Vec<T>,
    pub(super) frames: Frames<T>,
    pub(super) rnea: Rnea<T>,
    pub(super) crba: Crba<T>,
    pub(super) aba: Aba<T>,
    pub(super) derivatives: Derivatives<T>,
    /// Generalised forces at zero acceleration.
    pub(super) forces: Vec<T>,
}

/// A number that batches are computed in.
pub(super) trait Precision: Number {
    /// The slots for such numbers.
    fn slots(ws: &mut Workspace) -> &mut Vec<Slot<Self>>;
}

impl Precision for f64 {
    fn slots(ws: &mut Workspace) -> &mut Vec<Slot<Self>> {
        &mut ws.slots
    }
}

impl Precision for f32 {
    fn slots(ws: &mut Workspace) -> &mut Vec<Slot<Self>> {
        &mut ws.single_precision
    }
}

/// A [`Scratch`] for numbers `T` and the instructions that this process has chosen.
pub(super) trait AnyScratch<T>: Any + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyScratch<T>>;

    /// Number of bodies that a robot may have.
    fn bodies(&self) -> usize;
}

impl<T: Number> dyn AnyScratch<T> {
    /// The scratch memory, for a caller with the chosen instructions.
    pub(super) fn downcast<const N: usize, L: Level>(&mut self) -> &mut Scratch<Wide<N, L, T>> {
        let scratch: &mut dyn Any = self;
        scratch
            .downcast_mut()
            .expect("instructions are chosen once in a process")
    }
}

impl<const N: usize, L: Level, T: Number> AnyScratch<T> for Scratch<Wide<N, L, T>> {
    fn boxed_clone(&self) -> Box<dyn AnyScratch<T>> {
        Box::new(self.clone())
    }

    fn bodies(&self) -> usize {
        self.q.len()
    }
}

/// Allocates the first slot.
fn build<T: Number>(tree: &Tree) -> Slot<T> {
    let mut scratch = None;
    Simd::chosen().run(Build {
        tree,
        scratch: &mut scratch,
    });
    Slot {
        scratch: scratch.expect("work is done once"),
        output: vec![Block::ZERO; tree.len() * tree.len().max(12)],
    }
}

struct Build<'a, T> {
    tree: &'a Tree,
    scratch: &'a mut Option<Box<dyn AnyScratch<T>>>,
}

impl<T: Number> Work for Build<'_, T> {
    const SINGLE: bool = T::SINGLE;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let (tree, n) = (self.tree, self.tree.len());
        let zeros = |count| vec![Wide::<N, L, T>::constant(0.0); count];
        *self.scratch = Some(Box::new(Scratch {
            q: zeros(n),
            dq: zeros(n),
            input: zeros(n),
            frames: Frames::new(tree),
            rnea: Rnea::new(tree),
            crba: Crba::new(tree),
            aba: Aba::new(tree),
            derivatives: Derivatives::new(tree),
            forces: zeros(n),
        }));
    }
}
