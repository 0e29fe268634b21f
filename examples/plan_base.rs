//! Plans for the base of a mobile robot: through a door and around an obstacle behind it.
//!
//! ```sh
//! cargo run --example plan_base
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::time::Instant;

use kinworld::geometry::Primitive;
use kinworld::planning::{Budget, CSpace, EdgeQuery, EmbeddedSpace, RobotCSpace, RrtConnect};
use kinworld::robot::RobotBuilder;
use kinworld::world::Terrain;
use kinworld::{Point, Robot, WorldModel};

fn main() -> kinworld::Result<()> {
    // the base has no limits of its own: the walls of the building bound it
    let mut builder = RobotBuilder::from(&Robot::load("data/robots/mobile_arm.rob")?.value);
    for link in &mut builder.links[..2] {
        (link.limits.q_min, link.limits.q_max) = (-2.5, 2.5);
    }
    let mut world = WorldModel::new();
    let robot = world.add_robot(builder.build()?);
    let _ = world.load_element("data/terrains/table.env")?;
    for (name, low, high) in [
        ("wall left of the door", [-0.7, 0.5, 0.0], [-0.6, 2.5, 2.0]),
        (
            "wall right of the door",
            [-0.7, -2.5, 0.0],
            [-0.6, -0.4, 2.0],
        ),
        ("lintel", [-0.7, -0.4, 1.2], [-0.6, 0.5, 2.0]),
    ] {
        let wall = Primitive::aabb(Point::from(low), Point::from(high))?;
        world.add_terrain(Terrain::new(name, Some(wall.into())))?;
    }

    // the arm keeps its folded configuration, and the base moves: x, y and yaw
    let mut reference = vec![0.0; world.robot(robot)?.model().n_dofs()];
    (reference[3], reference[4], reference[5]) = (0.1, 2.0, 1.6);
    let space = RobotCSpace::new(&world, &[robot])?.with_resolution(1.0 / 256.0)?;
    let base = EmbeddedSpace::new(space, reference, vec![0, 1, 2])?;

    let (start, goal) = ([-1.8, 1.5, 0.0], [1.8, -0.2, 3.0]);
    println!(
        "the straight edge is free: {}",
        base.is_edge_free(&start, &goal)?
    );
    let began = Instant::now();
    let found = RrtConnect::new(&Budget::default()).solve(&base, &start, &goal)?;
    let path = found.path.expect("the door is wide enough");
    let time = began.elapsed().as_secs_f64();
    println!(
        "planned in {:.1} ms: {} waypoints after {} samples",
        1e3 * time,
        path.len(),
        found.iterations
    );
    for q in &path {
        println!(
            "  x {:5.2} m, y {:5.2} m, yaw {:6.1}°",
            q[0],
            q[1],
            q[2].to_degrees()
        );
    }

    // check every edge again, with all dofs of the robot and at half the step
    let exact = RobotCSpace::new(&world, &[robot])?.with_resolution(1.0 / 512.0)?;
    let began = Instant::now();
    for edge in path.windows(2) {
        let (a, b) = (base.lift(&edge[0]), base.lift(&edge[1]));
        assert_eq!(exact.edge_collision(&a, &b, EdgeQuery::First)?, None);
    }
    println!(
        "checked again in {:.1} ms",
        1e3 * began.elapsed().as_secs_f64()
    );
    Ok(())
}
