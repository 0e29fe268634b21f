//! Memory for batches.

use std::any::Any;
use std::fmt::{Debug, Formatter};

use crate::kernel::{Aba, Crba, Derivatives, Frames, Rnea, Tree};
use crate::math::{Block, Lanes as Wide, Level, Number, Scalar, Simd, Work};
use crate::robot::Robot;

/// The memory that batches are computed in: make one per robot, and use it for every call.
///
/// It carries nothing from one call to the next. It holds room for the configurations that go through the processor
/// side by side, not for the batch. The first batch that is shared by threads makes one such room for each of them, the
/// first of derivatives, or with a longer list of links than the robot has, a longer one, and the first in single precision
/// a room of its own; after that no call allocates, but `rayon` where it hands work to its threads.
pub struct Workspace {
    places: Vec<Place<f64>>,
    // none before they are asked for
    singles: Vec<Place<f32>>,
}

/// Where a thread computes.
pub(super) struct Place<T> {
    pub(super) room: Box<dyn AnyRoom<T>>,
    /// For answers that are then put in order: a block for each number.
    pub(super) answer: Vec<Block>,
}

impl<T: Number> Clone for Place<T> {
    fn clone(&self) -> Self {
        Self {
            room: self.room.another(),
            answer: self.answer.clone(),
        }
    }
}

impl Workspace {
    /// Room for a robot of this size, or for a smaller one.
    #[must_use]
    pub fn new(robot: &Robot) -> Self {
        Self {
            places: vec![build(robot.tree())],
            singles: Vec::new(),
        }
    }

    /// Makes room for this robot in single precision, where there is none yet.
    pub(super) fn prepare_singles(&mut self, robot: &Robot) {
        let tree = robot.tree();
        if self
            .singles
            .first()
            .is_none_or(|place| place.room.bodies() < tree.len())
        {
            self.singles = vec![build(tree)];
        }
    }

    /// So many places, each for answers of `width` numbers.
    pub(super) fn places<T: Precision>(&mut self, count: usize, width: usize) -> &mut [Place<T>] {
        let places = T::places(self);
        while places.len() < count {
            let another = places[0].clone();
            places.push(another);
        }
        for place in &mut places[..count] {
            if place.answer.len() < width {
                place.answer.resize(width, Block::ZERO);
            }
        }
        &mut places[..count]
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self {
            places: self.places.clone(),
            singles: self.singles.clone(),
        }
    }
}

impl Debug for Workspace {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace")
            .field("places", &self.places.len())
            .field("singles", &self.singles.len())
            .finish()
    }
}

/// What a thread computes in, for configurations in lanes `T`.
#[derive(Clone)]
pub(super) struct Room<T> {
    pub(super) q: Vec<T>,
    pub(super) dq: Vec<T>,
    /// Accelerations or torques.
    pub(super) rest: Vec<T>,
    pub(super) frames: Frames<T>,
    pub(super) rnea: Rnea<T>,
    pub(super) crba: Crba<T>,
    pub(super) aba: Aba<T>,
    pub(super) derivatives: Derivatives<T>,
}

/// A number that batches are computed in.
pub(super) trait Precision: Number {
    /// The places for such numbers.
    fn places(ws: &mut Workspace) -> &mut Vec<Place<Self>>;
}

impl Precision for f64 {
    fn places(ws: &mut Workspace) -> &mut Vec<Place<Self>> {
        &mut ws.places
    }
}

impl Precision for f32 {
    fn places(ws: &mut Workspace) -> &mut Vec<Place<Self>> {
        &mut ws.singles
    }
}

/// A [`Room`] for numbers `T` and the instructions that this process has chosen.
pub(super) trait AnyRoom<T>: Any + Send + Sync {
    /// One more of the same size.
    fn another(&self) -> Box<dyn AnyRoom<T>>;

    /// How many bodies a robot may have.
    fn bodies(&self) -> usize;
}

impl<T: Number> dyn AnyRoom<T> {
    /// The room, by the one that knows the instructions.
    pub(super) fn of<const N: usize, L: Level>(&mut self) -> &mut Room<Wide<N, L, T>> {
        let room: &mut dyn Any = self;
        room.downcast_mut()
            .expect("instructions are chosen once in a process")
    }
}

impl<const N: usize, L: Level, T: Number> AnyRoom<T> for Room<Wide<N, L, T>> {
    fn another(&self) -> Box<dyn AnyRoom<T>> {
        Box::new(self.clone())
    }

    fn bodies(&self) -> usize {
        self.q.len()
    }
}

/// The first place.
fn build<T: Number>(tree: &Tree) -> Place<T> {
    let mut room = None;
    Simd::chosen().run(Build {
        tree,
        room: &mut room,
    });
    Place {
        room: room.expect("work is done once"),
        answer: vec![Block::ZERO; tree.len() * tree.len().max(12)],
    }
}

struct Build<'a, T> {
    tree: &'a Tree,
    room: &'a mut Option<Box<dyn AnyRoom<T>>>,
}

impl<T: Number> Work for Build<'_, T> {
    const SINGLE: bool = T::SINGLE;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let (tree, n) = (self.tree, self.tree.len());
        let zeros = |count| vec![Wide::<N, L, T>::constant(0.0); count];
        *self.room = Some(Box::new(Room {
            q: zeros(n),
            dq: zeros(n),
            rest: zeros(n),
            frames: Frames::new(tree),
            rnea: Rnea::new(tree),
            crba: Crba::new(tree),
            aba: Aba::new(tree),
            derivatives: Derivatives::new(tree),
        }));
    }
}
