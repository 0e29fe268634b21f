//! Workspace of a collider: configurations, poses and caches.

use std::sync::Arc;

use super::memory::Memory;
use super::moved::Moved;
use super::scene::Scene;
use crate::geometry::{Aabb, Geometry};
use crate::kinematics::State;
use crate::math::{Point, Pose};
use crate::world::RobotId;
use crate::{Error, Result};

/// Configurations of the robots and poses of the rigid objects of a [`WorldCollider`](super::WorldCollider), with memory for
/// its queries.
///
/// It starts at the poses of the frozen world. Attached objects move with their links. Each thread needs its own: clone it or
/// get another from the collider. It caches separating directions and collision statistics, which speed up later queries,
/// most of all where a configuration is near the one before; no result depends on them.
///
/// Another collider refuses it: queries that return a `Result` fail, the others panic, and the message names the robots of both.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(super) scene: Arc<Scene>,
    states: Vec<State>,
    /// States that the next configurations are computed in, so that a failed call changes nothing.
    spare: Vec<State>,
    /// Robots that may differ from the frozen world.
    displaced: Vec<bool>,

    // of the moving parts; depends on the states
    pub(super) poses: Vec<Pose>,
    pub(super) boxes: Vec<Aabb>,

    /// Objects that were moved.
    pub(super) moved: Moved,

    // scratch and caches of the queries
    pub(super) candidates: Vec<Candidate>,
    /// Pairs of a static and a moving part whose boxes may overlap.
    pub(super) static_pairs: Vec<(u32, u32)>,
    pub(super) order: Vec<u32>,
    pub(super) inflated: Vec<Aabb>,
    pub(super) selected: Vec<bool>,
    pub(super) memory: Memory,
}

/// A pair that passed the broad phase, with its rank: the smallest is checked first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) rank: f64,
    pub(super) pair: (usize, usize),
}

impl Workspace {
    /// A workspace at the poses of the frozen world.
    pub(super) fn new(scene: &Arc<Scene>) -> Result<Self> {
        let n_moving = scene.parts.len() - scene.n_still();
        let nowhere = Aabb {
            min: Point::origin(),
            max: Point::origin(),
        };
        let states: Vec<_> = scene
            .robots
            .iter()
            .map(|robot| robot.state.clone())
            .collect();
        let mut ws = Self {
            scene: Arc::clone(scene),
            spare: states.clone(),
            displaced: vec![false; states.len()],
            states,
            poses: vec![Pose::identity(); n_moving],
            boxes: vec![nowhere; n_moving],
            moved: Moved::default(),
            candidates: Vec::new(),
            static_pairs: Vec::new(),
            order: Vec::new(),
            inflated: Vec::new(),
            selected: Vec::new(),
            memory: Memory::default(),
        };
        for robot in 0..ws.states.len() {
            ws.update(robot)?;
        }
        Ok(ws)
    }

    /// Sets the configuration (n) of a robot for later queries; the world and other workspaces do not change.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for a robot that was not in the world, [`Error::Length`] and [`Error::Invalid`] for a
    /// configuration that cannot be used; then nothing changes.
    pub fn set_config(&mut self, robot: RobotId, q: &[f64]) -> Result<()> {
        let robot = self.robot(robot)?;
        // no copy of the scene's pointer: threads would contend for its count
        self.spare[robot].set_config(&self.scene.robots[robot].robot, q)?;
        std::mem::swap(&mut self.states[robot], &mut self.spare[robot]);
        self.displaced[robot] = true;
        let moved = self.update(robot);
        if moved.is_err() {
            std::mem::swap(&mut self.states[robot], &mut self.spare[robot]);
            self.update(robot)?;
        }
        moved
    }

    /// Resets robots and objects to the frozen world; caches stay, since they change no result.
    pub(super) fn reset(&mut self) -> Result<()> {
        for i in 0..self.scene.robots.len() {
            if self.displaced[i] {
                let frozen = &self.scene.robots[i];
                self.spare[i].set_config(&frozen.robot, frozen.state.config())?;
                std::mem::swap(&mut self.states[i], &mut self.spare[i]);
                self.update(i)?;
                self.displaced[i] = false;
            }
        }
        self.moved.clear();
        Ok(())
    }

    /// State of a robot in this workspace.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for a robot that was not in the world.
    pub fn state(&self, robot: RobotId) -> Result<&State> {
        Ok(&self.states[self.robot(robot)?])
    }

    /// The position of a robot among those of the scene.
    #[inline]
    pub(super) fn robot(&self, id: RobotId) -> Result<usize> {
        let robots = &self.scene.robots;
        let position = robots.binary_search_by_key(&id, |robot| robot.id);
        let known = robots.iter().map(|robot| robot.robot.name());
        position.map_err(|_| Error::not_found("robot", id.to_string(), known))
    }

    /// Shape and pose of a part.
    #[inline]
    pub(super) fn placed(&self, part: usize) -> (&Geometry, &Pose) {
        let n_still = self.scene.n_still();
        let pose = match part.checked_sub(n_still) {
            None => self.moved.pose(part).unwrap_or(&self.scene.poses[part]),
            Some(link) => &self.poses[link],
        };
        (&self.scene.parts[part].geometry, pose)
    }

    /// Box of a part in the world.
    #[inline]
    pub(super) fn bounds(&self, part: usize) -> &Aabb {
        match part.checked_sub(self.scene.n_still()) {
            None => self.moved.bounds(part).unwrap_or(&self.scene.boxes[part]),
            Some(link) => &self.boxes[link],
        }
    }

    /// Updates the poses and boxes of the parts of a robot from its state.
    fn update(&mut self, robot: usize) -> Result<()> {
        let scene = &self.scene;
        let n_still = scene.n_still();
        let state = &self.states[robot];
        let robot = &scene.robots[robot];
        for part in robot.parts.clone() {
            let Some((link, x_lo)) = scene.parts[part].carrier() else {
                continue;
            };
            let mut pose = state.pose(&robot.robot, link);
            if let Some(x_lo) = x_lo {
                pose *= x_lo;
            }
            let Some(bounds) = scene.parts[part].bounds_at(&pose) else {
                let what = format!("robot `{}`", robot.robot.name());
                let problem = "the bounding box of a link or an attached object at this configuration is not finite";
                return Err(Error::invalid(what, problem));
            };
            self.poses[part - n_still] = pose;
            self.boxes[part - n_still] = bounds;
        }
        Ok(())
    }
}
