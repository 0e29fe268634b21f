//! Two arms at one table change sides at the same time.
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
    // pairs of links that never meet need no test
    let arm = Robot::load("data/robots/arm6.urdf")?.value;
    let options = MaskOptions::default().with_samples(2000);
    let mask = SelfCollisionMask::learn(&arm, &options)?;
    println!(
        "self-collision: {} of {} pairs need a test; the others would tell of at most {:.2} % of all configurations",
        mask.tested().count(),
        mask.pairs().len(),
        100.0 * mask.missed_bound(0.95)?
    );
    let arm = mask.apply(&arm)?;

    // one at each end of the table, face to face
    let mut world = WorldModel::new();
    let near = world.add_robot(arm.clone());
    let mut opposite = RobotBuilder::from(&arm);
    let root = &mut opposite.links[0];
    root.placement = Pose::new(Vector::new(1.3, 0.0, 0.0), Vector::z() * PI) * root.placement;
    let far = world.add_robot(opposite.build()?);
    let _ = world.load_element("data/terrains/table.env")?;
    let space = RobotCSpace::new(&world, &[near, far])?;

    // both lean over the table, on its left or on its right
    let lean = |yaw: f64| [yaw, 0.9, -0.5, 0.0, 0.4, 0.0];
    let both = |a: f64, b: f64| [lean(a), lean(b)].concat();
    let (start, goal) = (both(0.6, 0.6), both(-0.6, -0.6));
    let contact = space
        .edge_collision(&start, &goal, EdgeQuery::First)?
        .expect("they would meet half-way");
    println!("straight: {}", contact.obstacle.display(&world));

    let began = Instant::now();
    let found = plan(&space, &start, &goal, &Budget::default())?;
    let path = found.path.expect("one of them makes way");
    let time = began.elapsed().as_secs_f64();
    println!(
        "planned in {:.1} ms: {} corners after {} samples",
        1e3 * time,
        path.len(),
        found.iterations
    );

    // every edge again, at a step an eighth as large
    let exact = RobotCSpace::new(&world, &[near, far])?.with_resolution(1.0 / 256.0)?;
    let began = Instant::now();
    for edge in path.windows(2) {
        assert_eq!(
            exact.edge_collision(&edge[0], &edge[1], EdgeQuery::First)?,
            None
        );
    }
    println!("checked in {:.1} ms", 1e3 * began.elapsed().as_secs_f64());
    Ok(())
}
