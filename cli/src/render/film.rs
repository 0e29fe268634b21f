//! Pictures of a motion.

use kinworld::WorldModel;
use kinworld::kinematics::Samples;
use kinworld::planning::{RobotTrajectory, Trajectory};
use kinworld::render::{Camera, RenderOptions, animation, picture};
use kinworld::world::RobotId;

use crate::progress::Progress;
use crate::request::Refusal;
use crate::session::Session;

/// A motion of a robot, frame by frame.
#[derive(Debug)]
pub(super) struct Film<'a> {
    session: &'a Session,
    robot: RobotId,
    motion: Trajectory,
    n_frames: usize,
    fps: f64,
}

/// Most frames.
const MOST: usize = 3000;

impl<'a> Film<'a> {
    pub(super) fn new(
        session: &'a Session,
        robot: RobotId,
        motion: &Samples,
        fps: f64,
    ) -> Result<Self, Refusal> {
        let motion = Trajectory::new(motion.times.clone(), motion.q.clone())?;
        let n = (motion.duration() * fps).round();
        if !(fps > 0.0 && n < MOST as f64) {
            let problem = format!(
                "{n} frames of {} s at {fps} per second; there can be {MOST}",
                motion.duration()
            );
            return Err(Refusal(problem));
        }
        Ok(Self {
            session,
            robot,
            n_frames: n as usize + 1,
            motion,
            fps,
        })
    }

    fn config(&self, time: f64) -> kinworld::Result<Vec<f64>> {
        let robot = self.session.world.robot(self.robot)?;
        RobotTrajectory::new(robot.model(), &self.motion)?.at(time)
    }

    fn world(&self, q: &[f64]) -> kinworld::Result<WorldModel> {
        let mut world = self.session.world.clone();
        world.robot_mut(self.robot)?.set_config(q)?;
        Ok(world)
    }

    /// A camera that sees all places that the motion comes to.
    pub(super) fn camera(&self, size: [usize; 2]) -> Result<Camera, Refusal> {
        const PLACES: usize = 8;
        let at = |time: f64| self.config(time).and_then(|q| self.world(&q));
        let mut all = at(self.motion.start_time())?;
        for k in 1..=PLACES {
            let part = self.motion.duration() * k as f64 / PLACES as f64;
            all.append(at(self.motion.start_time() + part)?);
        }
        Ok(Camera::of_world(&all, size))
    }

    /// The frames as an animated PNG; with `collisions` those that collide are red.
    pub(super) fn draw(&self, camera: &Camera, collisions: bool) -> Result<Vec<u8>, Refusal> {
        let mut workspace = match collisions {
            true => Some((self.session.collider()?, self.session.current_workspace()?)),
            false => None,
        };
        let mut progress = Progress::new("drawing");
        let drawn = animation(camera.size, self.n_frames, self.fps, |i| {
            let part = i as f64 / self.n_frames as f64;
            progress.show(part, || format!("{i} of {} frames", self.n_frames));
            let q = self.config(self.motion.start_time() + i as f64 / self.fps)?;
            let mut options = RenderOptions::default();
            if let Some((collider, workspace)) = &mut workspace {
                let mut pairs = Vec::new();
                workspace.set_config(self.robot, &q)?;
                collider.colliding_pairs_with(workspace, &mut pairs);
                options = options.with_red(pairs.into_iter().flat_map(|(a, b)| [a, b]));
            }
            picture(&self.world(&q)?, camera, &options)
        });
        Ok(drawn?)
    }
}
