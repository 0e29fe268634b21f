//! Loads a robot, a rigid object and terrains into one world and lists its elements.
//!
//! ```sh
//! cargo run --example load_world
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::WorldModel;

fn main() -> kinworld::Result<()> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let files = [
        "terrains/floor.env",
        "terrains/table.env",
        "objects/crate.obj",
        "robots/arm6.rob",
    ];
    let mut world = WorldModel::new();
    for file in files {
        // diagnostics are returned, not printed
        let loaded = world.load_element(format!("{data}/{file}"))?;
        assert!(loaded.diagnostics.is_empty());
    }

    println!("{:>2}  {:<17}  origin in the world", "id", "name");
    let ids = world.klampt_ids();
    for (number, entity) in ids.iter().enumerate() {
        let origin = match world.pose(entity) {
            Some(pose) => format!("{:.3?}", pose.translation.vector.data.0[0]),
            None => "a robot: see its links".to_owned(),
        };
        println!("{number:>2}  {:<17}  {origin}", world.name(entity)?);
    }
    // two terrains, one rigid object, one robot and its six links
    assert_eq!(ids.len(), 2 + 1 + 1 + 6);
    assert_eq!(ids.name(4).as_deref(), Some("arm6[shoulder]"));

    let arm = world.robot("arm6")?;
    let (mass, flange) = (arm.mass(), arm.link("flange")?.pose().translation.vector);
    println!(
        "{} weighs {mass} kg; its flange is at x = {:.2} m",
        arm.name(),
        flange.x
    );
    assert!((mass - (12.0 + 10.0 + 8.0 + 5.0 + 2.0 + 0.5)).abs() < 1e-12);
    assert!((flange.x - (0.05 + 0.1 + 0.35 + 0.08)).abs() < 1e-15);

    // an unknown name gives the known ones
    let error = world.robot("arm7").expect_err("there is no such robot");
    println!("{error}");
    let message = "no robot named `arm7`; did you mean `arm6`? there are: arm6";
    assert_eq!(error.to_string(), message);
    Ok(())
}
