//! Plans the motion of an arm from one board of a shelf to another.
//!
//! ```sh
//! cargo run --example plan_shelves
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::time::Instant;

use kinworld::kinematics::ik::{self, Objective, Options};
use kinworld::planning::{Budget, CSpace, EdgeQuery, RobotCSpace, plan};
use kinworld::{Pose, Robot, Vector, WorldModel};

fn main() -> kinworld::Result<()> {
    let mut world = WorldModel::new();
    let arm = world.add_robot(Robot::load("data/robots/arm6.rob")?.value);
    for file in [
        "terrains/pedestal.env",
        "terrains/shelf.env",
        "objects/bracket.obj",
    ] {
        let _ = world.load_element(format!("data/{file}"))?;
    }
    let space = RobotCSpace::new(&world, &[arm])?;

    // the z axis of the flange points into the shelf, above its second and its third board
    let robot = world.robot(arm)?.model().clone();
    let flange = robot.link_id("flange")?;
    let into = Vector::new(-std::f64::consts::FRAC_PI_2, 0.0, 0.0);
    let reach = |x: f64, z: f64| {
        let goal = Objective::pose(flange, &Pose::new(Vector::new(x, 0.74, z), into));
        let (start, options) = ([0.0, 0.4, 0.4, 0.0, 0.5, 0.0], Options::default());
        let found = ik::solve_global(&robot, &[goal], &start, &options, |q| {
            space.is_free(q).is_ok_and(|free| free)
        })?;
        assert!(found.is_success(), "{x} {z} is unreachable");
        Ok::<_, kinworld::Error>(found.q)
    };
    let began = Instant::now();
    let (low, high) = (reach(0.1, 0.55)?, reach(0.4, 0.83)?);
    println!(
        "start and goal found in {:.1} ms",
        1e3 * began.elapsed().as_secs_f64()
    );

    let collision = space
        .edge_collision(&low, &high, EdgeQuery::First)?
        .expect("a board is between them");
    println!("straight edge: {}", collision.obstacle.display(&world));

    let began = Instant::now();
    let found = plan(&space, &low, &high, &Budget::default())?;
    let path = found.path.expect("there is a path around the board");
    let time = began.elapsed().as_secs_f64();
    println!(
        "planned in {:.1} ms: {} waypoints after {} samples",
        1e3 * time,
        path.len(),
        found.iterations
    );

    // check every edge again, at an eighth of the step
    let exact = RobotCSpace::new(&world, &[arm])?.with_resolution(1.0 / 256.0)?;
    let began = Instant::now();
    for edge in path.windows(2) {
        assert_eq!(
            exact.edge_collision(&edge[0], &edge[1], EdgeQuery::First)?,
            None
        );
    }
    println!(
        "checked again in {:.1} ms",
        1e3 * began.elapsed().as_secs_f64()
    );
    Ok(())
}
