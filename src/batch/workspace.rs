//! Memory for batches.

use std::any::Any;
use std::fmt::{Debug, Formatter};

use crate::kernel::{Aba, Crba, Frames, Rnea, Tree};
use crate::math::{Lanes as Wide, Level, Scalar, Simd, Work};
use crate::robot::Robot;

/// The memory that batches are computed in: make one per robot, and use it for every call.
///
/// It carries nothing from one call to the next. It holds room for the configurations that go through the processor
/// side by side, not for the batch. The first batch that is shared by threads makes one such room for each of them, and
/// the first with a longer list of links than the robot has, a longer one; after that no call allocates, but `rayon` where
/// it hands work to its threads.
pub struct Workspace {
    rooms: Vec<Box<dyn AnyRoom>>,
}

impl Workspace {
    /// Room for a robot of this size, or for a smaller one.
    #[must_use]
    pub fn new(robot: &Robot) -> Self {
        let mut rooms = Vec::with_capacity(1);
        Simd::chosen().run(Build {
            tree: robot.tree(),
            rooms: &mut rooms,
        });
        Self { rooms }
    }

    /// So many rooms, each for answers of `width` numbers.
    pub(super) fn rooms(&mut self, count: usize, width: usize) -> &mut [Box<dyn AnyRoom>] {
        while self.rooms.len() < count {
            let another = self.rooms[0].another();
            self.rooms.push(another);
        }
        for room in &mut self.rooms[..count] {
            room.make_room(width);
        }
        &mut self.rooms[..count]
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self {
            rooms: self.rooms.iter().map(|room| room.another()).collect(),
        }
    }
}

impl Debug for Workspace {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace")
            .field("rooms", &self.rooms.len())
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
    /// The answer.
    pub(super) out: Vec<T>,
}

/// A [`Room`] for the instructions that this process has chosen.
pub(super) trait AnyRoom: Any + Send + Sync {
    /// One more of the same size.
    fn another(&self) -> Box<dyn AnyRoom>;

    /// Makes room for an answer of `width` numbers.
    fn make_room(&mut self, width: usize);
}

impl dyn AnyRoom {
    /// The room, by the one that knows the instructions.
    pub(super) fn of<const N: usize, L: Level>(&mut self) -> &mut Room<Wide<N, L>> {
        let room: &mut dyn Any = self;
        room.downcast_mut()
            .expect("instructions are chosen once in a process")
    }
}

impl<const N: usize, L: Level> AnyRoom for Room<Wide<N, L>> {
    fn another(&self) -> Box<dyn AnyRoom> {
        Box::new(self.clone())
    }

    fn make_room(&mut self, width: usize) {
        if self.out.len() < width {
            self.out.resize(width, Wide::constant(0.0));
        }
    }
}

/// Builds the first room.
struct Build<'a> {
    tree: &'a Tree,
    rooms: &'a mut Vec<Box<dyn AnyRoom>>,
}

impl Work for Build<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let (tree, n) = (self.tree, self.tree.len());
        let zeros = |count| vec![Wide::<N, L>::constant(0.0); count];
        self.rooms.push(Box::new(Room {
            q: zeros(n),
            dq: zeros(n),
            rest: zeros(n),
            frames: Frames::new(tree),
            rnea: Rnea::new(tree),
            crba: Crba::new(tree),
            aba: Aba::new(tree),
            out: zeros(n * n.max(12)),
        }));
    }
}
