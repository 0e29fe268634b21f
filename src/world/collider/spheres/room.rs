//! Memory for configurations side by side.

use std::any::Any;
use std::fmt::Debug;

use super::model::Model;
use crate::kernel::Frames;
use crate::math::{Lanes, Level, Scalar, Simd, Work};

/// What is computed for the configurations of one block, and what is kept from block to block.
#[derive(Debug)]
pub(super) struct Room<T> {
    // of each robot
    pub(super) q: Vec<Vec<T>>,
    pub(super) frames: Vec<Frames<T>>,

    // centres, valid where the stamp is that of the block; balls by link
    pub(super) bodies: Vec<[T; 3]>,
    pub(super) links: Vec<[T; 3]>,
    pub(super) balls: Vec<[T; 3]>,
    pub(super) inner: Vec<[T; 3]>,
    pub(super) link_stamps: Vec<u64>,
    pub(super) ball_stamps: Vec<u64>,
    pub(super) inner_stamps: Vec<u64>,
    pub(super) block: u64,

    /// Links and obstacles that may meet somewhere on the way.
    pub(super) near_obstacles: Vec<(u32, u32)>,
    /// Pairs of links, in [`Model::link_pairs`], that may meet somewhere on the way.
    pub(super) near_links: Vec<u32>,
    /// Parts whose balls meet, and in which lanes.
    pub(super) suspects: Vec<(usize, usize, u32)>,

    // how far bodies move within half a gap, and pairs of bodies towards each other
    pub(super) slack: Vec<f32>,
    pub(super) pair_slack: Vec<f32>,
    /// How far coordinates move within half a gap.
    pub(super) moved: Vec<f32>,
}

/// A [`Room`] for the instructions that this process has chosen.
pub(super) trait AnyRoom: Any + Send + Sync + Debug {}

impl<const N: usize, L: Level> AnyRoom for Room<Lanes<N, L, f32>> {}

impl dyn AnyRoom {
    /// The room, by the one that knows the instructions.
    pub(super) fn of<const N: usize, L: Level>(&mut self) -> &mut Room<Lanes<N, L, f32>> {
        let room: &mut dyn Any = self;
        room.downcast_mut()
            .expect("instructions are chosen once in a process")
    }
}

pub(super) fn build(model: &Model) -> Box<dyn AnyRoom> {
    let mut room = None;
    Simd::chosen().run(Build {
        model,
        room: &mut room,
    });
    room.expect("work is done once")
}

struct Build<'a> {
    model: &'a Model,
    room: &'a mut Option<Box<dyn AnyRoom>>,
}

impl Work for Build<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let model = self.model;
        let zero = Lanes::<N, L, f32>::constant(0.0);
        let centers = |count| vec![[zero; 3]; count];
        let trees = || model.robots.iter().map(|robot| robot.robot.tree());
        *self.room = Some(Box::new(Room {
            q: trees().map(|tree| vec![zero; tree.len()]).collect(),
            frames: trees().map(Frames::new).collect(),
            bodies: centers(model.bodies.len()),
            links: centers(model.links.len()),
            balls: centers(model.balls.len()),
            inner: centers(model.inner.len()),
            link_stamps: vec![0; model.links.len()],
            ball_stamps: vec![0; model.links.len()],
            inner_stamps: vec![0; model.inner.len()],
            block: 0,
            near_obstacles: Vec::new(),
            near_links: Vec::new(),
            suspects: Vec::new(),
            slack: vec![0.0; model.bodies.len()],
            pair_slack: vec![0.0; model.pairs.len()],
            moved: Vec::new(),
        }));
    }
}
