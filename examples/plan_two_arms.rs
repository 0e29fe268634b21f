//! Plans for two arms that change sides at one table at the same time.
//!
//! ```sh
//! cargo run --example plan_two_arms
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::f64::consts::PI;
use std::time::Instant;

use kinworld::planning::{Budget, EdgeQuery, MaskOptions, RobotCSpace, SelfCollisionMask, plan};
use kinworld::robot::RobotBuilder;
use kinworld::{Pose, Robot, Vector, WorldModel};

fn main() -> kinworld::Result<()> {
    // pairs of links that never collide need no test
    let arm = Robot::load("data/robots/arm6.urdf")?.value;
    let options = MaskOptions::default().with_samples(2000);
    let mask = SelfCollisionMask::learn(&arm, &options)?;
    println!(
        "self-collision: {} of {} pairs need a test; without the others at most {:.2} % of all configurations are misjudged",
        mask.tested().count(),
        mask.pairs().len(),
        100.0 * mask.missed_bound(0.95)?
    );
    let arm = mask.apply(&arm)?;

    // one arm at each end of the table, facing each other
    let mut world = WorldModel::new();
    let near = world.add_robot(arm.clone());
    let mut opposite = RobotBuilder::from(&arm);
    let root = &mut opposite.links[0];
    root.placement = Pose::new(Vector::new(1.3, 0.0, 0.0), Vector::z() * PI) * root.placement;
    let far = world.add_robot(opposite.build()?);
    let _ = world.load_element("data/terrains/table.env")?;
    let space = RobotCSpace::new(&world, &[near, far])?;

    // both arms bend over the table, on its left or on its right
    let bent = |yaw: f64| [yaw, 0.9, -0.5, 0.0, 0.4, 0.0];
    let both = |a: f64, b: f64| [bent(a), bent(b)].concat();
    let (start, goal) = (both(0.6, 0.6), both(-0.6, -0.6));
    let collision = space
        .edge_collision(&start, &goal, EdgeQuery::First)?
        .expect("the arms collide with each other");
    println!("straight edge: {}", collision.obstacle.display(&world));

    let began = Instant::now();
    let found = plan(&space, &start, &goal, &Budget::default())?;
    let path = found.path.expect("one arm can pass the other");
    let time = began.elapsed().as_secs_f64();
    println!(
        "planned in {:.1} ms: {} waypoints after {} samples",
        1e3 * time,
        path.len(),
        found.iterations
    );

    // check every edge again, at an eighth of the step
    let exact = RobotCSpace::new(&world, &[near, far])?.with_resolution(1.0 / 256.0)?;
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
