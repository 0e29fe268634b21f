//! Collisions, distances and ray casts of an arm in its cell.
//!
//! ```sh
//! cargo run --example collision
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{Point, Vector, WorldModel};

fn main() -> kinworld::Result<()> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let mut world = WorldModel::load(format!("{data}/robots/arm6.rob"))?.value;
    for file in [
        "terrains/floor.env",
        "terrains/table.env",
        "objects/crate.obj",
        "objects/ball.obj",
    ] {
        let loaded = world.load_element(format!("{data}/{file}"))?;
        assert!(loaded.diagnostics.is_empty());
    }
    let arm = world.robot("arm6")?.id();
    let ball = world.rigid_object_id("ball")?;

    // freeze the world once; each thread moves robots in a workspace of its own
    let collider = WorldCollider::new(&world, &PairFilter::default())?;
    let mut ws = collider.workspace();
    assert_eq!(collider.first_collision_with(&mut ws), None);

    // distance from the arm to the ball, and the nearest link; the number is Klampt's
    let nearest = collider.distance_with(arm, ball, &mut ws)?;
    println!(
        "upright: no collision; {:.4} m from {} to the ball",
        nearest.distance,
        world.name(nearest.a)?
    );
    assert!((nearest.distance - 0.580_041_392).abs() < 1e-6);
    assert_eq!(world.name(nearest.a)?, "arm6[flange]");

    // bent over, it collides with the table and the crate on it; Klampt finds the same pairs
    ws.set_config(arm, &[0.5, 1.0, 0.0, 0.0, 0.0, 0.0])?;
    let mut pairs = Vec::new();
    collider.colliding_pairs_with(&mut ws, &mut pairs);
    let mut names = Vec::new();
    for (a, b) in pairs {
        names.push(format!("{} and {}", world.name(a)?, world.name(b)?));
    }
    println!("bent over: {}", names.join(", "));
    assert_eq!(
        names,
        [
            "table and arm6[wrist]",
            "table and arm6[flange]",
            "crate and arm6[forearm]"
        ]
    );

    // the world itself is unchanged: a ray straight down beside the arm hits the table, 20 cm above the floor
    let origin = Point::new(0.7, -0.4, 1.0);
    let hit = collider
        .ray_cast(&origin, &-Vector::z())?
        .expect("there is a table");
    println!(
        "a ray hits the {} after {:.3} m",
        world.name(hit.entity)?,
        hit.hit.distance
    );
    assert_eq!(world.name(hit.entity)?, "table");
    assert!((hit.hit.distance - 0.8).abs() < 1e-6);
    Ok(())
}
