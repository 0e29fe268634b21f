//! Plans the motion of an arm from one side of a table to the other.
//!
//! ```sh
//! cargo run --example plan_path
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::time::Instant;

use kinworld::planning::{Budget, EdgeQuery, RobotCSpace, RobotTrajectory, Trajectory, plan};
use kinworld::{Robot, WorldModel};

fn main() -> kinworld::Result<()> {
    let mut world = WorldModel::new();
    let arm = world.add_robot(Robot::load("data/robots/arm6.urdf")?.value);
    for file in ["data/terrains/table.env", "data/objects/crate.obj"] {
        let _ = world.load_element(file)?;
    }
    let space = RobotCSpace::new(&world, &[arm])?;

    // on the straight edge the arm collides with the table
    let left = [-1.5, 1.0, 0.4, 0.0, 0.5, 0.0];
    let right = [1.5, 1.0, 0.4, 0.0, 0.5, 0.0];
    let collision = space
        .edge_collision(&left, &right, EdgeQuery::First)?
        .expect("there is an obstacle");
    println!(
        "straight edge: {} at {:.2} of it",
        collision.obstacle.display(&world),
        collision.t
    );
    assert!(
        collision
            .obstacle
            .display(&world)
            .to_string()
            .contains("`table`")
    );

    let began = Instant::now();
    let found = plan(&space, &left, &right, &Budget::default())?;
    let path = found.path.expect("there is a path above the table");
    println!(
        "planned in {:.1} ms: {} waypoints",
        1e3 * began.elapsed().as_secs_f64(),
        path.len()
    );

    // check the path again, at an eighth of the step
    let fine = space.clone().with_resolution(1.0 / 256.0)?;
    for edge in path.windows(2) {
        assert_eq!(
            fine.edge_collision(&edge[0], &edge[1], EdgeQuery::First)?,
            None
        );
    }

    // a trajectory, with a waypoint per second
    let trajectory = Trajectory::from_path(path)?;
    let robot = world.robot(arm)?;
    let moving = RobotTrajectory::new(robot.model(), &trajectory)?;
    let mut least = f64::INFINITY;
    for tick in 0..=100 {
        let time = trajectory.duration() * f64::from(tick) / 100.0;
        let clearance = space
            .clearance(&moving.at(time)?)?
            .expect("there is a table");
        least = least.min(clearance.nearest.distance);
    }
    println!(
        "it takes {} s; the least clearance is {:.1} mm",
        trajectory.duration(),
        1e3 * least
    );
    assert!(least > 0.0);
    Ok(())
}
