//! Where the robots and objects of a frozen world are during a query.

use std::sync::Arc;

use super::memory::Memory;
use super::moved::Moved;
use super::scene::Scene;
use crate::geometry::{Aabb, Geometry};
use crate::kinematics::State;
use crate::math::{Point, Pose};
use crate::world::RobotId;
use crate::{Error, Result};

/// Configurations of the robots of a [`WorldCollider`](super::WorldCollider), which take along what they hold, poses of its
/// rigid objects, and memory for its queries.
///
/// It starts with robots and objects where they were when the world was frozen. Each thread needs its own; clone it or ask the
/// collider for another. It remembers what makes the next answers come sooner, most of all where one configuration is near the
/// one before; no answer depends on that.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(super) scene: Arc<Scene>,
    states: Vec<State>,
    /// Where the next configuration is tried first.
    spare: Vec<State>,
    /// Which robots may be elsewhere than when the world was frozen.
    away: Vec<bool>,

    // of the parts that move; depends on the states
    pub(super) poses: Vec<Pose>,
    pub(super) boxes: Vec<Aabb>,

    /// Objects that are elsewhere.
    pub(super) moved: Moved,

    // memory of the queries
    pub(super) candidates: Vec<Candidate>,
    /// What stands still, and what moves and may meet it as far as boxes tell.
    pub(super) met: Vec<(u32, u32)>,
    pub(super) order: Vec<u32>,
    pub(super) grown: Vec<Aabb>,
    pub(super) asked: Vec<bool>,
    pub(super) memory: Memory,
}

/// A pair whose boxes ask for a closer look, and how urgent that is: the smallest rank first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) rank: f64,
    pub(super) pair: (usize, usize),
}

impl Workspace {
    /// The robots where they were.
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
            away: vec![false; states.len()],
            states,
            poses: vec![Pose::identity(); n_moving],
            boxes: vec![nowhere; n_moving],
            moved: Moved::default(),
            candidates: Vec::new(),
            met: Vec::new(),
            order: Vec::new(),
            grown: Vec::new(),
            asked: Vec::new(),
            memory: Memory::default(),
        };
        for robot in 0..ws.states.len() {
            ws.update(robot)?;
        }
        Ok(ws)
    }

    /// Puts a robot elsewhere for the queries to come; the world and other workspaces see nothing of it.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for a robot that was not in the world, [`Error::Length`] and [`Error::Invalid`] for a
    /// configuration that cannot be used; then nothing changes.
    pub fn set_config(&mut self, robot: RobotId, q: &[f64]) -> Result<()> {
        let robot = self.robot(robot)?;
        let scene = Arc::clone(&self.scene);
        self.spare[robot].set_config(&scene.robots[robot].robot, q)?;
        std::mem::swap(&mut self.states[robot], &mut self.spare[robot]);
        self.away[robot] = true;
        let moved = self.update(robot);
        if moved.is_err() {
            std::mem::swap(&mut self.states[robot], &mut self.spare[robot]);
            self.update(robot)?;
        }
        moved
    }

    /// Puts robots and objects back to where they were when the world was frozen; what queries remember changes no answer.
    pub(super) fn reset(&mut self) -> Result<()> {
        let scene = Arc::clone(&self.scene);
        for (i, robot) in scene.robots.iter().enumerate() {
            if self.away[i] {
                self.spare[i].set_config(&robot.robot, robot.state.config())?;
                std::mem::swap(&mut self.states[i], &mut self.spare[i]);
                self.update(i)?;
                self.away[i] = false;
            }
        }
        self.moved.clear();
        Ok(())
    }

    /// Where a robot is in this workspace.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for a robot that was not in the world.
    pub fn state(&self, robot: RobotId) -> Result<&State> {
        Ok(&self.states[self.robot(robot)?])
    }

    /// The position of a robot among those of the scene.
    pub(super) fn robot(&self, id: RobotId) -> Result<usize> {
        let robots = &self.scene.robots;
        let position = robots.binary_search_by_key(&id, |robot| robot.id);
        let known = robots.iter().map(|robot| robot.robot.name());
        position.map_err(|_| Error::not_found("robot", id.to_string(), known))
    }

    /// A part where it is.
    pub(super) fn placed(&self, part: usize) -> (&Geometry, &Pose) {
        let n_still = self.scene.n_still();
        let pose = match part.checked_sub(n_still) {
            None => self.moved.pose(part).unwrap_or(&self.scene.poses[part]),
            Some(link) => &self.poses[link],
        };
        (&self.scene.parts[part].geometry, pose)
    }

    /// The box around a part where it is.
    pub(super) fn bounds(&self, part: usize) -> &Aabb {
        match part.checked_sub(self.scene.n_still()) {
            None => self.moved.bounds(part).unwrap_or(&self.scene.boxes[part]),
            Some(link) => &self.boxes[link],
        }
    }

    /// Moves the shapes of a robot to where its state has them.
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
                let problem = "its configuration puts a link or what it holds out of the numbers";
                return Err(Error::invalid(what, problem));
            };
            self.poses[part - n_still] = pose;
            self.boxes[part - n_still] = bounds;
        }
        Ok(())
    }
}
