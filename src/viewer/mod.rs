//! Pages that show a world: one HTML file that opens anywhere, without a network. Layer 6.
//!
//! A [`Page`] holds the shapes of a world, its robots with their joints, and what was computed about it: motions, collisions,
//! curves and diagnostics. The page moves robots by itself, in any browser of the last years. See the [guide](crate::guide::viewer).

mod arrows;
mod bodies;
mod columns;
mod document;
#[cfg(feature = "live")]
mod live;
mod motion;
mod notes;
mod pack;
mod plot;
mod quantize;
mod robots;

pub use plot::Plot;

use crate::kinematics::Samples;
use crate::math::{Point, Pose, Vector};
use crate::world::{RigidObjectId, RobotId, WorldCollider, WorldModel};
use crate::{Diagnostic, Result};
use arrows::Arrows;
use motion::Motion;

/// A page that shows a world.
///
/// ```
/// use kinworld::WorldModel;
/// use kinworld::kinematics::Samples;
/// use kinworld::viewer::Page;
///
/// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
/// let world = WorldModel::load(format!("{data}/robots/planar3R.rob"))?.value;
/// let robot = world.robots().next().expect("it has one").id();
/// let motion = Samples::new(vec![0.0, 1.0], vec![vec![0.0; 3], vec![1.0; 3]]);
/// let page = Page::new(&world).with_title("planar arm").with_motion(robot, &motion)?;
///
/// let html = page.html()?;
/// assert!(html.starts_with("<!doctype html>"));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Page<'a> {
    world: &'a WorldModel,
    title: String,
    motion: Motion,
    plots: Vec<Plot>,
    forces: Arrows,
    notes: Vec<notes::Note>,
    /// Pairs of elements that collide as loaded, once that is known.
    collisions: Option<Vec<[usize; 2]>>,
    has_collision_shapes: bool,
    /// Whether missing geometry is free space to the library in the page, if that is in it.
    #[cfg(feature = "live")]
    live: Option<bool>,
}

impl<'a> Page<'a> {
    /// A page of a world as it is.
    pub fn new(world: &'a WorldModel) -> Self {
        let names = world.robots().map(|robot| robot.name());
        let objects = world.rigid_objects().map(|(_, object)| &*object.name);
        let terrains = world.terrains().map(|(_, terrain)| &*terrain.name);
        let first = names.chain(objects).chain(terrains).next();
        Self {
            world,
            title: first.unwrap_or("empty world").to_owned(),
            motion: Motion::default(),
            plots: Vec::new(),
            forces: Arrows::default(),
            notes: Vec::new(),
            collisions: None,
            has_collision_shapes: true,
            #[cfg(feature = "live")]
            live: None,
        }
    }

    /// The same with another title: plain text.
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The same with or without the shapes that collide, which may be a third of the file. With them by default.
    pub fn with_collision_shapes(mut self, have: bool) -> Self {
        self.has_collision_shapes = have;
        self
    }

    /// The same with a motion of a robot to play, and its curves. Between two samples the page interpolates each joint on a
    /// straight line, or the short way round where it has no limits.
    ///
    /// Several robots and objects may move, at the same times.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) or [`Error::Length`](crate::Error::Length) where there is not one row of n
    /// finite numbers per time, the times do not increase or are not those of the other motions,
    /// and [`Error::NotFound`](crate::Error::NotFound) for a robot of another world.
    pub fn with_motion(mut self, robot: RobotId, samples: &Samples) -> Result<Self> {
        let of = self.world.robot(robot)?;
        self.motion.add_robot(of, samples)?;
        let is_one = self.world.robots().count() == 1;
        self.plots.extend(plot::of_samples(of, samples, is_one));
        Ok(self)
    }

    /// The same with a motion of a rigid object: its pose in the world at each time.
    ///
    /// # Errors
    ///
    /// As [`with_motion`](Self::with_motion).
    pub fn with_object_motion(
        mut self,
        object: RigidObjectId,
        times: &[f64],
        poses: &[Pose],
    ) -> Result<Self> {
        self.world.rigid_object(object)?;
        self.motion.add_object(object, times, poses)?;
        Ok(self)
    }

    /// The same with the collisions and contact points of the world as loaded and of every sample of its motions, which are added before this.
    ///
    /// The collider is one of this world; it decides which pairs count.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::set_config`](crate::world::Workspace::set_config).
    pub fn with_collisions(mut self, collider: &WorldCollider) -> Result<Self> {
        let order = bodies::order(self.world);
        self.collisions = Some(motion::pairs(&order, collider.colliding_pairs()));
        self.motion.collide(self.world, collider, &order)?;
        Ok(self)
    }

    /// The same with forces at points of the world, N and m: one list for each time of its motions, or a single one where
    /// nothing moves. The longest arrow is a third of what is seen.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite, and for more or fewer lists than before.
    pub fn with_forces(mut self, forces: &[Vec<(Point, Vector)>]) -> Result<Self> {
        self.forces.add(forces)?;
        Ok(self)
    }

    /// The same with curves over the time of its motion.
    pub fn with_plot(mut self, plot: Plot) -> Self {
        self.plots.push(plot);
        self
    }

    /// The same with diagnostics, beside the elements that they name.
    pub fn with_diagnostics(mut self, diagnostics: &[Diagnostic]) -> Self {
        let notes = diagnostics.iter().map(|item| notes::Note::of(item, ""));
        self.notes.extend(notes);
        self
    }

    /// The same with a diagnostic beside the element that it names, and an excerpt of its file: lines of plain text.
    pub fn with_excerpt(mut self, diagnostic: &Diagnostic, excerpt: &str) -> Self {
        self.notes.push(notes::Note::of(diagnostic, excerpt));
        self
    }

    /// The same with a line of text that the page shows first, such as an answer.
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.notes.push(notes::Note::plain(text));
        self
    }

    /// The same with the library in it, 1.2 MB: it answers what collides, distances, inverse kinematics and plans as `kinworld query`
    /// does, with no server.
    ///
    /// Geometry that is missing counts as free space if that is allowed; else questions about it are refused.
    #[cfg(feature = "live")]
    pub fn with_live(mut self, allow_missing_geometry: bool) -> Self {
        self.live = Some(allow_missing_geometry);
        self
    }

    /// The page: HTML that loads nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a plot whose curves do not have one value per time, and for forces that do not
    /// have one list per time.
    pub fn html(&self) -> Result<String> {
        let data = document::of(self)?;
        #[cfg(feature = "live")]
        if let Some(allowed) = self.live {
            let world = live::world(self.world, allowed)?;
            return Ok(document::local(&data, &live::module(), &world));
        }
        Ok(document::html(&data))
    }

    /// The data of the page as JSON: what [`html`](Self::html) holds, and a [`live_page`] asks its server for.
    ///
    /// # Errors
    ///
    /// As [`html`](Self::html).
    pub fn data(&self) -> Result<String> {
        Ok(document::of(self)?.to_string())
    }
}

/// The page of a live view: HTML that asks the server at `host`, such as `127.0.0.1:8080`, for its data and for a WebSocket
/// that answers as `kinworld query`, and nobody else.
pub fn live_page(host: &str) -> String {
    document::live(host)
}
