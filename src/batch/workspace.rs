//! Memory for batches.

use std::any::Any;
use std::fmt::{Debug, Formatter};

use crate::kernel::{Aba, Crba, Derivatives, Frames, Rnea, Tree};
use crate::math::{Lanes as Wide, Level, Number, Scalar, Simd, Work};
use crate::robot::Robot;

/// The memory that batches are computed in: make one per robot, and use it for every call.
///
/// It carries nothing from one call to the next. It holds room for the configurations that go through the processor
/// side by side, not for the batch. The first batch that is shared by threads makes one such room for each of them, the
/// first of derivatives, or with a longer list of links than the robot has, a longer one, and the first in single precision
/// a room of its own; after that no call allocates, but `rayon` where it hands work to its threads.
pub struct Workspace {
    rooms: Vec<Box<dyn AnyRoom<f64>>>,
    // none before they are asked for
    singles: Vec<Box<dyn AnyRoom<f32>>>,
}

impl Workspace {
    /// Room for a robot of this size, or for a smaller one.
    #[must_use]
    pub fn new(robot: &Robot) -> Self {
        Self {
            rooms: vec![build(robot.tree())],
            singles: Vec::new(),
        }
    }

    /// Makes room for this robot in single precision, where there is none yet.
    pub(super) fn prepare_singles(&mut self, robot: &Robot) {
        let tree = robot.tree();
        if self
            .singles
            .first()
            .is_none_or(|room| room.bodies() < tree.len())
        {
            self.singles = vec![build(tree)];
        }
    }

    /// So many rooms, each for answers of `width` numbers.
    pub(super) fn rooms<T: Precision>(
        &mut self,
        count: usize,
        width: usize,
    ) -> &mut [Box<dyn AnyRoom<T>>] {
        let rooms = T::rooms(self);
        while rooms.len() < count {
            let another = rooms[0].another();
            rooms.push(another);
        }
        for room in &mut rooms[..count] {
            room.make_room(width);
        }
        &mut rooms[..count]
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self {
            rooms: self.rooms.iter().map(|room| room.another()).collect(),
            singles: self.singles.iter().map(|room| room.another()).collect(),
        }
    }
}

impl Debug for Workspace {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace")
            .field("rooms", &self.rooms.len())
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
    /// The answer.
    pub(super) out: Vec<T>,
}

/// A number that batches are computed in.
pub(super) trait Precision: Number {
    /// The rooms for such numbers.
    fn rooms(ws: &mut Workspace) -> &mut Vec<Box<dyn AnyRoom<Self>>>;
}

impl Precision for f64 {
    fn rooms(ws: &mut Workspace) -> &mut Vec<Box<dyn AnyRoom<Self>>> {
        &mut ws.rooms
    }
}

impl Precision for f32 {
    fn rooms(ws: &mut Workspace) -> &mut Vec<Box<dyn AnyRoom<Self>>> {
        &mut ws.singles
    }
}

/// A [`Room`] for numbers `T` and the instructions that this process has chosen.
pub(super) trait AnyRoom<T>: Any + Send + Sync {
    /// One more of the same size.
    fn another(&self) -> Box<dyn AnyRoom<T>>;

    /// How many bodies a robot may have.
    fn bodies(&self) -> usize;

    /// Makes room for an answer of `width` numbers.
    fn make_room(&mut self, width: usize);
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

    fn make_room(&mut self, width: usize) {
        if self.out.len() < width {
            self.out.resize(width, Wide::constant(0.0));
        }
    }
}

/// The first room.
fn build<T: Number>(tree: &Tree) -> Box<dyn AnyRoom<T>> {
    let mut room = None;
    Simd::chosen().run(Build {
        tree,
        room: &mut room,
    });
    room.expect("work is done once")
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
            out: zeros(n * n.max(12)),
        }));
    }
}
