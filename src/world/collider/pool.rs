//! Workspaces that wait for the next question.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Workspace, WorldCollider};
use crate::Result;
use crate::world::{EntityId, RobotId};

/// Workspaces that nobody uses, as many as were ever in use at once, all as the world was frozen.
#[derive(Debug, Default)]
pub(super) struct Pool {
    idle: Mutex<Vec<Workspace>>,
}

impl WorldCollider {
    /// Lends a workspace with robots and objects where they were when the world was frozen, and takes it back.
    ///
    /// For those who have no place to keep one: any number of threads may ask at once, each gets its own, and what happens
    /// in it is gone afterwards. After the first few questions nothing is allocated. To take one from the pool and to put
    /// all robots and objects back that were moved costs some hundred nanoseconds and more, so a loop better keeps a
    /// [`workspace`](Self::workspace) of its own.
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
    /// let apart = collider.with_workspace(|ws| {
    ///     ws.set_config(arm, &[0.5; 6])?;
    ///     collider.distance_with(arm, ball, ws)
    /// })?;
    /// assert_ne!(apart.distance, collider.distance(arm, ball)?.distance);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_workspace<R>(&self, question: impl FnOnce(&mut Workspace) -> R) -> R {
        let idle = self.pool.lock().pop();
        let mut ws = idle.unwrap_or_else(|| self.workspace());
        let answer = question(&mut ws);
        // the caller may have swapped it for one of another collider
        if Arc::ptr_eq(&self.scene, &ws.scene) && ws.reset().is_ok() {
            self.pool.lock().push(ws);
        }
        answer
    }

    /// Some colliding pair with a link of a robot or with what it holds, with the robot in a configuration (n) and all else
    /// where it was when the world was frozen; `None` where there is none.
    ///
    /// For planners that ask from many threads and have no place for a workspace. Limits are not asked about:
    /// [`RobotCSpace`](crate::planning::RobotCSpace) does.
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
    ///     .expect("the table is in the way");
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
    /// The workspaces. A thread that panicked with the lock cannot have left half a workspace.
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
