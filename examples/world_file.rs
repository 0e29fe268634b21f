//! Loads a world file, moves its arm, saves it under another name and loads it again.
//!
//! ```sh
//! cargo run --example world_file
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::WorldModel;
use kinworld::world::{PairFilter, WorldCollider};

fn main() -> kinworld::Result<()> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let mut world = WorldModel::load(format!("{data}/worlds/cell.xml"))?.value;
    println!(
        "{} robots, {} rigid objects, {} terrains",
        world.n_robots(),
        world.n_rigid_objects(),
        world.n_terrains()
    );
    assert_eq!(world.n_rigid_objects(), 5);

    // the file takes the configuration of the arm from arm.config
    assert_eq!(
        world.robot("arm")?.config(),
        [0.3, 0.4, -0.5, 0.2, 0.6, -0.1]
    );
    let collider = WorldCollider::new(&world, &PairFilter::default())?;
    let nearest = collider.distance(world.entity("arm")?, world.entity("disc")?)?;
    println!(
        "{:.4} m from {} to the disc",
        nearest.distance,
        world.name(nearest.a)?
    );

    // elements that the library does not use are kept, and written back
    let bar = world.rigid_object("bar")?;
    assert_eq!(
        bar.properties["xml.children"],
        "<display color=\"0 0.6 0.3\"/>"
    );

    world.robot_mut("arm")?.set_config(&[0.0; 6])?;
    let path = std::env::temp_dir().join("kinworld_example_cell.xml");
    for warning in world.save(&path)? {
        println!("{warning}");
    }
    let again = WorldModel::load(&path)?.value;
    assert_eq!(again.poses(), world.poses());
    println!("saved and loaded: the same poses, bit for bit");
    Ok(())
}
