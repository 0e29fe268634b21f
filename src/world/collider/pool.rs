//! Pool of workspaces for the plain query methods.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Workspace, WorldCollider};
use crate::Result;
use crate::world::{EntityId, RobotId};

/// Idle workspaces at the poses of the frozen world, as many as were ever in use at once.
#[derive(Debug, Default)]
pub(super) struct Pool {
    idle: Mutex<Vec<Workspace>>,
}

impl WorldCollider {
    /// Runs a closure with a workspace from a pool, at the poses of the frozen world.
    ///
    /// For callers that cannot keep a workspace: any number of threads may call it at once, each gets its own, and changes to
    /// it are discarded afterwards. After the first few calls nothing is allocated. Taking one from the pool and resetting
    /// the robots and objects that were moved costs some hundred nanoseconds or more, so loops better keep a
    /// [`workspace`](Self::workspace) of their own.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::world::{PairFilter, WorldCollider};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let (arm, ball) = (world.robot("arm")?.id(), world.rigid_object_id("ball")?);
    /// let collider = WorldCollider::new(&world, &PairFilter::default())?;
    ///
    /// let moved = collider.with_workspace(|ws| {
    ///     ws.set_config(arm, &[0.5; 6])?;
    ///     collider.distance_with(arm, ball, ws)
    /// })?;
    /// assert_ne!(moved.distance, collider.distance(arm, ball)?.distance);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_workspace<R>(&self, query: impl FnOnce(&mut Workspace) -> R) -> R {
        let idle = self.pool.lock().pop();
        let mut ws = idle.unwrap_or_else(|| self.workspace());
        let answer = query(&mut ws);
        // the closure may have swapped it for one of another collider
        if Arc::ptr_eq(&self.scene, &ws.scene) && ws.reset().is_ok() {
            self.pool.lock().push(ws);
        }
        answer
    }

    /// Some colliding pair with a link of a robot or with an object attached to it, at a configuration (n) of the robot and
    /// with all else as in the frozen world; `None` where there is none.
    ///
    /// For planners that query from many threads and cannot keep a workspace. Joint limits are not checked:
    /// [`RobotCSpace`](crate::planning::RobotCSpace) does that.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for a robot that was not in the world,
    /// [`Error::Length`](crate::Error::Length) and [`Error::Invalid`](crate::Error::Invalid) for a configuration that
    /// cannot be used.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::world::{PairFilter, WorldCollider};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?.id();
    /// let collider = WorldCollider::new(&world, &PairFilter::default())?;
    /// assert!(collider.robot_collision_at(arm, &[0.0; 6])?.is_none());
    ///
    /// let (table, link) = collider
    ///     .robot_collision_at(arm, &[0.0, 1.6, 0.0, 0.0, 0.0, 0.0])?
    ///     .expect("the arm hits the table");
    /// assert_eq!((table.robot(), link.robot()), (None, Some(arm)));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn robot_collision_at(
        &self,
        robot: RobotId,
        q: &[f64],
    ) -> Result<Option<(EntityId, EntityId)>> {
        self.with_workspace(|ws| {
            ws.set_config(robot, q)?;
            self.robot_collision_with(robot, ws)
        })
    }
}

impl Pool {
    /// The idle workspaces. A poisoned lock is safe to use: workspaces are pushed and popped as a whole.
    fn lock(&self) -> MutexGuard<'_, Vec<Workspace>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn a_thread_that_panics_leaves_the_pool_open() {
        let pool = Pool::default();
        let panicked = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let _held = pool.lock();
                panic!("on purpose");
            });
            thread.join().is_err()
        });
        assert!(panicked && pool.idle.is_poisoned());
        assert!(pool.lock().pop().is_none());
    }
}
