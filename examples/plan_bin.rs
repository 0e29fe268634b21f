//! Pick and place: an arm moves a can from one bin to another.
//!
//! ```sh
//! cargo run --example plan_bin
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::time::Instant;

use kinworld::geometry::{Geometry, Primitive};
use kinworld::kinematics::ik::{self, Objective, Options};
use kinworld::planning::{Budget, CSpace, EdgeQuery, RobotCSpace, plan};
use kinworld::world::{RobotId, Terrain};
use kinworld::{Pose, Robot, Vector, WorldModel};

fn main() -> kinworld::Result<()> {
    let mut world = WorldModel::new();
    let arm = world.add_robot(Robot::load("data/robots/arm6.urdf")?.value);
    for file in ["terrains/table.env", "objects/can.obj"] {
        let _ = world.load_element(format!("data/{file}"))?;
    }
    for (name, y) in [("left bin", 0.2), ("right bin", -0.2)] {
        world.add_terrain(Terrain::new(name, Some(walls(0.62, y)?)))?;
    }
    let can = world.rigid_object_id("can")?;
    let hand = world.robot(arm)?.link("flange")?.entity();

    // flange poses 2 mm above the lid, for a suction gripper, and higher
    let over = |y: f64, lift: f64| {
        let down = Vector::x() * std::f64::consts::PI;
        Pose::new(Vector::new(0.62, y, 0.3522 + lift), down)
    };
    let grasp = reach(
        &world,
        arm,
        &over(-0.2, 0.0),
        &[0.0, 0.6, 0.6, 0.0, 0.8, 0.0],
    )?;
    world.robot_mut(arm)?.set_config(&grasp)?;
    world.attach(can, hand, &[])?;

    // 6 cm up, to the other bin, 6 cm down; from here on the can is attached
    let raised = reach(&world, arm, &over(-0.2, 0.06), &grasp)?;
    let above = reach(&world, arm, &over(0.2, 0.06), &raised)?;
    let placing = reach(&world, arm, &over(0.2, 0.0), &above)?;
    let space = RobotCSpace::new(&world, &[arm])?;
    let collision = space.edge_collision(&raised, &above, EdgeQuery::First)?;
    let collision = collision.expect("the walls are between");
    println!("straight edge: {}", collision.obstacle.display(&world));
    let began = Instant::now();
    let found = plan(&space, &raised, &above, &Budget::default())?;
    let between = found.path.expect("there is a path above the walls");
    println!(
        "planned in {:.1} ms: {} waypoints after {} samples",
        1e3 * began.elapsed().as_secs_f64(),
        between.len(),
        found.iterations
    );
    let path = [vec![grasp], between, vec![placing.clone()]].concat();

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

    // detached, the can keeps its pose
    world.robot_mut(arm)?.set_config(&placing)?;
    world.detach(can)?;
    world.robot_mut(arm)?.set_config(&[0.0; 6])?;
    let position = world.rigid_object(can)?.pose.translation.vector;
    println!(
        "the can is at {:.3}, {:.3}, {:.3}",
        position.x, position.y, position.z
    );
    assert!((position - Vector::new(0.62, 0.2, 0.2002)).norm() < 1e-6);
    Ok(())
}

/// A collision-free configuration with the flange at a pose, found from a start.
fn reach(
    world: &WorldModel,
    arm: RobotId,
    x_wl: &Pose,
    start: &[f64],
) -> kinworld::Result<Vec<f64>> {
    let robot = world.robot(arm)?.model();
    let space = RobotCSpace::new(world, &[arm])?;
    let goal = Objective::pose(robot.link_id("flange")?, x_wl);
    let found = ik::solve_global(robot, &[goal], start, &Options::default(), |q| {
        space.is_free(q).is_ok_and(|free| free)
    })?;
    assert!(found.is_success(), "unreachable");
    Ok(found.q)
}

/// Four walls, 10 cm high, around a point on the table.
fn walls(x: f64, y: f64) -> kinworld::Result<Geometry> {
    let sides =
        [(0.13, 0.0), (-0.13, 0.0), (0.0, 0.13), (0.0, -0.13)].map(|(dx, dy): (f64, f64)| {
            let size = Vector::new(0.27 - 2.0 * dx.abs(), 0.27 - 2.0 * dy.abs(), 0.1);
            let at = Pose::translation(x + dx, y + dy, 0.25);
            Ok((at, Primitive::cuboid(Pose::identity(), size)?.into()))
        });
    let sides = sides.into_iter().collect::<kinworld::Result<_>>()?;
    Ok(Geometry::group(sides))
}
