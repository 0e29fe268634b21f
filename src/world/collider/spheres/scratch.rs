//! Memory for configurations side by side.

use std::any::Any;
use std::fmt::Debug;

use super::model::Model;
use super::shortlist::Shortlist;
use crate::kernel::Frames;
use crate::math::{Lanes, Level, Scalar, Simd, Work};

/// What is computed for the configurations of one block, and what is kept from block to block.
#[derive(Debug)]
pub(super) struct Scratch<T> {
    // of each robot
    pub(super) q: Vec<Vec<T>>,
    pub(super) frames: Vec<Frames<T>>,

    // centres, valid where the stamp is that of the block; spheres by link
    pub(super) bodies: Vec<[T; 3]>,
    pub(super) links: Vec<[T; 3]>,
    pub(super) spheres: Vec<[T; 3]>,
    pub(super) inner: Vec<[T; 3]>,
    pub(super) link_stamps: Vec<u64>,
    // of all spheres of a link, and of single spheres
    pub(super) sphere_stamps: Vec<u64>,
    pub(super) single_stamps: Vec<u64>,
    pub(super) inner_stamps: Vec<u64>,
    pub(super) block: u64,

    /// Of each body, a bit for each obstacle whose box it may meet, in groups of as many as there are lanes.
    pub(super) overlaps: Vec<u32>,
    /// What may meet somewhere on the way.
    pub(super) shortlist: Shortlist,
    /// Parts whose spheres meet, and in which lanes.
    pub(super) candidates: Vec<(usize, usize, u32)>,

    /// How far bodies move within half a gap, and pairs of bodies towards each other.
    pub(super) slack: Vec<f32>,
}

/// A [`Scratch`] for the instructions that this process has chosen.
pub(super) trait AnyScratch: Any + Send + Sync + Debug {}

impl<const N: usize, L: Level> AnyScratch for Scratch<Lanes<N, L, f32>> {}

impl dyn AnyScratch {
    /// The scratch, by the one that knows the instructions.
    pub(super) fn of<const N: usize, L: Level>(&mut self) -> &mut Scratch<Lanes<N, L, f32>> {
        let scratch: &mut dyn Any = self;
        scratch
            .downcast_mut()
            .expect("instructions are chosen once in a process")
    }
}

pub(super) fn build(model: &Model) -> Box<dyn AnyScratch> {
    let mut scratch = None;
    Simd::chosen().run(Build {
        model,
        scratch: &mut scratch,
    });
    scratch.expect("work is done once")
}

struct Build<'a> {
    model: &'a Model,
    scratch: &'a mut Option<Box<dyn AnyScratch>>,
}

impl Work for Build<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let model = self.model;
        let zero = Lanes::<N, L, f32>::constant(0.0);
        let centers = |count| vec![[zero; 3]; count];
        let trees = || model.robots.iter().map(|robot| robot.robot.tree());
        *self.scratch = Some(Box::new(Scratch {
            q: trees().map(|tree| vec![zero; tree.len()]).collect(),
            frames: trees().map(Frames::new).collect(),
            bodies: centers(model.bodies.len()),
            links: centers(model.links.len()),
            spheres: centers(model.spheres.len()),
            inner: centers(model.inner.len()),
            link_stamps: vec![0; model.links.len()],
            sphere_stamps: vec![0; model.links.len()],
            single_stamps: vec![0; model.spheres.len()],
            inner_stamps: vec![0; model.inner.len()],
            block: 0,
            overlaps: vec![0; model.bodies.len() * model.obstacles.list.len().div_ceil(N)],
            shortlist: Shortlist::default(),
            candidates: Vec::new(),
            slack: vec![0.0; (model.bodies.len() + model.pairs.len()).next_multiple_of(16)],
        }));
    }
}
