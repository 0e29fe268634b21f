//! Renders an arm in its cell with ray casts; colliding elements are red.
//!
//! ```sh
//! cargo run --example picture -- arm6_cell.ppm
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::collections::BTreeSet;

use kinworld::world::{PairFilter, WorldCollider, WorldRayHit};
use kinworld::{EntityId, Point, Vector, WorldModel};

/// Size of the picture in pixels, and of a pixel in metres.
const WIDTH: usize = 640;
const HEIGHT: usize = 520;
const PIXEL: f64 = 0.0035;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let scene = std::fs::read_to_string(format!("{data}/scenes/arm6_cell.txt"))?;
    let mut world = WorldModel::new();
    for line in scene.lines().filter(|line| !line.starts_with('#')) {
        let loaded = world.load_element(format!("{data}/scenes/{line}"))?;
        assert!(loaded.diagnostics.is_empty());
    }
    let mut arm = world.robot_mut("arm6")?;
    arm.set_config(&[0.5, 1.0, 0.0, 0.0, 0.0, 0.0])?;

    let collider = WorldCollider::new(&world, &PairFilter::default())?;
    let pairs = collider.colliding_pairs();
    let red: BTreeSet<EntityId> = pairs.into_iter().flat_map(|(a, b)| [a, b]).collect();
    println!("{} elements collide", red.len());
    assert_eq!(red.len(), 5, "the table, the crate and three links");

    // parallel rays, along the direction of view
    let ahead = Vector::new(-1.0, 1.3, -0.9).normalize();
    let right = ahead.cross(&Vector::z()).normalize();
    let up = right.cross(&ahead);
    let center = Point::new(0.38, 0.16, 0.46) - ahead * 10.0;
    let mut ws = collider.workspace();
    let mut pixels = Vec::with_capacity(3 * WIDTH * HEIGHT);
    let mut n_hits = 0;
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            // four rays per pixel, against aliasing
            let mut color = Vector::zeros();
            for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                let x = column as f64 + dx - WIDTH as f64 / 2.0;
                let y = HEIGHT as f64 / 2.0 - row as f64 - dy;
                let origin = center + (right * x + up * y) * PIXEL;
                let hit = collider.ray_cast_with(&origin, &ahead, &mut ws)?;
                n_hits += usize::from(hit.is_some());
                color += shade(hit.as_ref(), &ahead, &red) / 4.0;
            }
            pixels.extend(color.iter().map(|channel| channel.round() as u8));
        }
    }
    println!("{n_hits} of {} rays hit an element", 4 * WIDTH * HEIGHT);
    assert!(n_hits > WIDTH * HEIGHT);

    if let Some(path) = std::env::args().nth(1) {
        let mut file = format!("P6\n{WIDTH} {HEIGHT}\n255\n").into_bytes();
        file.extend(pixels);
        std::fs::write(path, file)?;
    }
    Ok(())
}

/// Colour of a ray hit: red, green and blue from 0 to 255.
fn shade(hit: Option<&WorldRayHit>, ahead: &Vector, red: &BTreeSet<EntityId>) -> Vector {
    let Some(WorldRayHit { entity, hit, .. }) = hit else {
        return Vector::repeat(255.0);
    };
    let base = match entity {
        entity if red.contains(entity) => Vector::new(224.0, 82.0, 68.0),
        EntityId::Terrain(_) => Vector::new(214.0, 209.0, 198.0),
        EntityId::RigidObject(_) => Vector::new(126.0, 172.0, 116.0),
        _ => Vector::new(102.0, 142.0, 196.0),
    };

    // the normal that faces the viewer
    let normal = hit.normal * -hit.normal.dot(ahead).signum();
    let light = Vector::new(0.45, -0.6, 1.4).normalize();
    base * (0.55 + 0.45 * normal.dot(&light).max(0.0))
}
