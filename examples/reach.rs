//! Inverse kinematics for a point behind a ball: the nearest solution collides, another one does not.
//!
//! ```sh
//! cargo run --example reach
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::kinematics::ik::{self, Objective, Options};
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{Point, WorldModel};

fn main() -> kinworld::Result<()> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let mut world = WorldModel::load(format!("{data}/robots/planar3R.rob"))?.value;
    let _ball = world.load_element(format!("{data}/objects/ball.obj"))?;
    let collider = WorldCollider::new(&world, &PairFilter::default())?;
    let robot = world.robot("planar3R")?;
    let arm = robot.model();

    // the tip of the last link, behind the ball
    let (tip, target) = (Point::new(1.0, 0.0, 0.0), Point::new(0.8, 0.0, 2.1));
    let goal = [Objective::point(arm.link_id("link2")?, tip, target)];
    let options = Options::default();

    // the solution near the start, regardless of collisions
    let start = [0.3, 0.9, 0.9];
    let nearest = ik::solve(arm, &goal, &start, &options)?;
    let mut workspace = collider.workspace();
    workspace.set_config(robot.id(), &nearest.q)?;
    println!("nearest: {:.3?}", nearest.q);
    let collision = collider.first_collision_with(&mut workspace);
    println!("  collides: {}", collision.is_some());
    assert!(nearest.is_success() && collision.is_some());

    // the same goal, with restarts until no link collides
    let free = ik::solve_global(arm, &goal, &start, &options, |q| {
        let placed = workspace.set_config(robot.id(), q);
        placed.is_ok() && collider.first_collision_with(&mut workspace).is_none()
    })?;
    println!(
        "collision-free: {:.3?}, after {} starts",
        free.q, free.starts
    );
    assert!(free.is_success() && free.position_error < 1e-9);
    workspace.set_config(robot.id(), &free.q)?;
    assert_eq!(collider.first_collision_with(&mut workspace), None);

    // an unreachable goal gives the nearest configuration; three links of 1 m reach 3 m
    let far = Objective::point(arm.link_id("link2")?, tip, Point::new(0.0, 0.0, 4.0));
    let nearest = ik::solve(arm, &[far], &start, &options)?;
    println!(
        "unreachable: position error {:.4} m",
        nearest.position_error
    );
    assert!(!nearest.is_success() && (nearest.position_error - 1.0).abs() < 1e-6);
    Ok(())
}
