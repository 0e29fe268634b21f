//! Drops the rigid objects of a world onto its terrains, by rapier.
//!
//! ```sh
//! cargo run --release -p kinworld-rapier
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::geometry::interop;
use kinworld::math::Inertia;
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{GRAVITY, Pose, Vector, WorldModel};
use rapier3d_f64::prelude::{
    ColliderBuilder, MassProperties, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle,
};

/// Seconds between two steps.
const STEP: f64 = 1.0 / 240.0;

fn main() -> kinworld::Result<()> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    let mut world = WorldModel::new();
    for file in [
        "terrains/floor.env",
        "terrains/table.env",
        "objects/crate.obj",
        "objects/ball.obj",
    ] {
        let _ = world.load_element(format!("{data}/{file}"))?;
    }

    // half a metre above the table, side by side
    for (name, at) in [("crate", [0.6, -0.15, 0.8]), ("ball", [0.7, 0.15, 0.8])] {
        let mut object = world.rigid_object_mut(name)?;
        object.set_pose(&Pose::translation(at[0], at[1], at[2]))?;
    }

    let mut physics = PhysicsWorld::new();
    physics.gravity = glam(&GRAVITY);
    physics.integration_parameters.dt = STEP;
    for (_, terrain) in world.terrains() {
        let Some(geometry) = &terrain.geometry else {
            continue;
        };
        let friction = terrain.friction.first().copied().unwrap_or(0.5);
        for (x, shape) in interop::to_parts(geometry)? {
            let collider = ColliderBuilder::new(shape).position(x).friction(friction);
            physics.insert_collider(collider, None);
        }
    }
    let mut bodies: Vec<(_, RigidBodyHandle)> = Vec::new();
    for (id, object) in world.rigid_objects() {
        // the mass is that of the file, not that of the shape
        let body = RigidBodyBuilder::dynamic()
            .pose(interop::to_pose(&object.pose))
            .additional_mass_properties(mass_properties(&object.inertia));
        let body = physics.insert_body(body);
        if let Some(geometry) = &object.geometry {
            for (x, shape) in interop::to_parts(geometry)? {
                let collider = ColliderBuilder::new(shape)
                    .position(x)
                    .friction(object.contact.friction)
                    .density(0.0);
                physics.insert_collider(collider, Some(body));
            }
        }
        bodies.push((id, body));
    }

    for step in 0..=480 {
        if step % 60 == 0 {
            let heights = bodies
                .iter()
                .map(|(_, body)| physics.bodies[*body].position().translation.z);
            let heights: Vec<String> = heights.map(|z| format!("{z:.3} m")).collect();
            println!(
                "t = {:.2} s: {}",
                f64::from(step) * STEP,
                heights.join(", ")
            );
        }
        physics.step();
    }

    // back into our world, where both lie on the table
    for (id, body) in bodies {
        let pose = interop::from_pose(physics.bodies[body].position());
        world.rigid_object_mut(id)?.set_pose(&pose)?;
    }
    let collider = WorldCollider::new(&world, &PairFilter::default())?;
    let table = world.terrain_id("table")?;
    for name in ["crate", "ball"] {
        let gap = collider
            .distance(world.rigid_object_id(name)?, table)?
            .distance;
        println!("{name} is {:.1} mm from the table", 1e3 * gap);
        assert!(gap < 5e-3);
    }
    Ok(())
}

fn mass_properties(inertia: &Inertia) -> MassProperties {
    let columns = [0, 1, 2].map(|k| glam(&inertia.moment.column(k).into_owned()));
    let moment = rapier3d_f64::math::Matrix::from_cols(columns[0], columns[1], columns[2]);
    MassProperties::with_inertia_matrix(glam(&inertia.com.coords), inertia.mass, moment)
}

fn glam(v: &Vector) -> rapier3d_f64::math::Vector {
    rapier3d_f64::math::Vector::new(v.x, v.y, v.z)
}

#[cfg(test)]
mod tests {
    #[test]
    fn objects_come_to_rest_on_the_table() {
        super::main().unwrap();
    }
}
