//! An arm takes a can out of one bin and puts it into another one.
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

    // on the can, 2 mm over its lid, and higher; a sucker would do the rest
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

    // 6 cm up, to the other bin, 6 cm down; from here on with the can in the hand
    let raised = reach(&world, arm, &over(-0.2, 0.06), &grasp)?;
    let above = reach(&world, arm, &over(0.2, 0.06), &raised)?;
    let place = reach(&world, arm, &over(0.2, 0.0), &above)?;
    let space = RobotCSpace::new(&world, &[arm])?;
    let contact = space.edge_collision(&raised, &above, EdgeQuery::First)?;
    let contact = contact.expect("walls are in the way");
    println!("straight: {}", contact.obstacle.display(&world));
    let began = Instant::now();
    let found = plan(&space, &raised, &above, &Budget::default())?;
    let between = found.path.expect("there is a way above the walls");
    println!(
        "planned in {:.1} ms: {} corners after {} samples",
        1e3 * began.elapsed().as_secs_f64(),
        between.len(),
        found.iterations
    );
    let path = [vec![grasp], between, vec![place.clone()]].concat();

    // every edge again, at a step an eighth as large
    let exact = RobotCSpace::new(&world, &[arm])?.with_resolution(1.0 / 256.0)?;
    let began = Instant::now();
    for edge in path.windows(2) {
        assert_eq!(
            exact.edge_collision(&edge[0], &edge[1], EdgeQuery::First)?,
            None
        );
    }
    println!("checked in {:.1} ms", 1e3 * began.elapsed().as_secs_f64());

    // the can stays where it is put down
    world.robot_mut(arm)?.set_config(&place)?;
    world.detach(can)?;
    world.robot_mut(arm)?.set_config(&[0.0; 6])?;
    let there = world.rigid_object(can)?.pose.translation.vector;
    println!(
        "the can stands at {:.3}, {:.3}, {:.3}",
        there.x, there.y, there.z
    );
    assert!((there - Vector::new(0.62, 0.2, 0.2002)).norm() < 1e-6);
    Ok(())
}

/// A free configuration with the flange at a pose, near another one if there is one.
fn reach(
    world: &WorldModel,
    arm: RobotId,
    x_wl: &Pose,
    near: &[f64],
) -> kinworld::Result<Vec<f64>> {
    let robot = world.robot(arm)?.model();
    let space = RobotCSpace::new(world, &[arm])?;
    let goal = Objective::pose(robot.link_id("flange")?, x_wl);
    let found = ik::solve_global(robot, &[goal], near, &Options::default(), |q| {
        space.is_free(q).is_ok_and(|free| free)
    })?;
    assert!(found.is_success(), "out of reach");
    Ok(found.q)
}

/// Four walls, 10 cm high, around a place on the table, which is their floor.
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
