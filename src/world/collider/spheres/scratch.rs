//! Scratch memory of the sphere tests.

use std::any::Any;
use std::fmt::Debug;

use super::model::Model;
use super::shortlist::Shortlist;
use crate::kernel::Frames;
use crate::math::{Lanes, Level, Scalar, Simd, Work};

/// Results for the configurations of one block, and what later blocks use again.
#[derive(Debug)]
pub(super) struct Scratch<T> {
    // of each robot
    pub(super) q: Vec<Vec<T>>,
    pub(super) frames: Vec<Frames<T>>,

    // centres in the world, valid where the stamp is that of the block
    pub(super) bodies: Vec<[T; 3]>,
    pub(super) links: Vec<[T; 3]>,
    pub(super) spheres: Vec<[T; 3]>,
    pub(super) inner: Vec<[T; 3]>,
    pub(super) link_stamps: Vec<u64>,
    // stamps of all spheres of a link, and of single spheres
    pub(super) sphere_stamps: Vec<u64>,
    pub(super) single_stamps: Vec<u64>,
    pub(super) inner_stamps: Vec<u64>,
    pub(super) block: u64,

    /// The link and the obstacle that blocked an edge last, and the pair of links, while it blocks each edge: they are checked first.
    pub(super) last_obstacle: Option<[usize; 2]>,
    pub(super) last_links: Option<usize>,
    /// The bodies and how often they blocked an edge, nearly in this order.
    pub(super) order: Vec<(u32, u64)>,

    /// For each body, the extents of its centre over all lanes, and a bit for each obstacle whose box it may overlap, in groups of one per lane.
    pub(super) ends: Vec<[f32; 6]>,
    pub(super) overlaps: Vec<u32>,
    /// Pairs that may collide somewhere on the edge.
    pub(super) shortlist: Shortlist,
    /// Parts whose spheres overlap, and the lanes in which they do.
    pub(super) candidates: Vec<(usize, usize, u32)>,

    /// Displacement bounds between blocks of bodies, then of pairs of bodies, m.
    pub(super) slack: Vec<f32>,
}

/// A [`Scratch`] whose number of lanes and instruction set are chosen at run time.
pub(super) trait AnyScratch: Any + Send + Sync + Debug {}

impl<const N: usize, L: Level> AnyScratch for Scratch<Lanes<N, L, f32>> {}

impl dyn AnyScratch {
    /// The scratch memory with its lanes.
    pub(super) fn of<const N: usize, L: Level>(&mut self) -> &mut Scratch<Lanes<N, L, f32>> {
        let scratch: &mut dyn Any = self;
        scratch
            .downcast_mut()
            .expect("the instruction set is chosen once per process")
    }
}

pub(super) fn build(model: &Model) -> Box<dyn AnyScratch> {
    let mut scratch = None;
    Simd::chosen().run(Build {
        model,
        scratch: &mut scratch,
    });
    scratch.expect("the closure runs exactly once")
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
            last_obstacle: None,
            last_links: None,
            order: (0..model.bodies.len() as u32)
                .map(|body| (body, 0))
                .collect(),
            ends: vec![[0.0; 6]; model.bodies.len()],
            overlaps: vec![0; model.bodies.len() * model.obstacles.list.len().div_ceil(N)],
            shortlist: Shortlist::default(),
            candidates: Vec::new(),
            slack: vec![0.0; (model.bodies.len() + model.pairs.len()).next_multiple_of(16)],
        }));
    }
}
