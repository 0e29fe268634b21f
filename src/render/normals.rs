//! Normals at the corners of triangles: smooth, but not across sharp edges.

use std::collections::HashMap;

use super::vector::{add, cross, dot, single, sub, unit};
use crate::scene::SceneMesh;
use crate::threads;

/// Cosine of the sharpest angle that still counts as round: 38°.
const ROUND: f32 = 0.788;
/// Most triangles at a vertex that are compared with each other.
const MOST: usize = 400;

/// The normals of the corners of each triangle of each mesh, in its frame.
pub(super) fn of_all(meshes: &[SceneMesh]) -> Vec<Vec<[[f32; 3]; 3]>> {
    threads::map(meshes, &|_, mesh| of_mesh(mesh))
}

fn of_mesh(mesh: &SceneMesh) -> Vec<[[f32; 3]; 3]> {
    let triangles = mesh.mesh.triangle_vertices();
    let triangles: Vec<_> = triangles.map(|t| t.map(|p| single(&p.coords))).collect();
    of(&triangles)
}

/// The normals of the corners of triangles, by area.
fn of(triangles: &[[[f32; 3]; 3]]) -> Vec<[[f32; 3]; 3]> {
    let areas: Vec<[f32; 3]> = triangles
        .iter()
        .map(|[a, b, c]| cross(sub(*b, *a), sub(*c, *a)))
        .collect();
    let units: Vec<[f32; 3]> = areas.iter().map(|area| unit(*area)).collect();
    // triangles at each place
    let mut known: HashMap<[u32; 3], u32> = HashMap::with_capacity(triangles.len());
    let mut at: Vec<Vec<u32>> = Vec::new();
    let mut places = Vec::with_capacity(triangles.len());
    for (i, corners) in triangles.iter().enumerate() {
        // adding zero makes -0 and 0 the same key
        let place = corners.map(|p| {
            *known
                .entry(p.map(|x| (x + 0.0).to_bits()))
                .or_insert_with(|| {
                    at.push(Vec::new());
                    (at.len() - 1) as u32
                })
        });
        for place in place {
            at[place as usize].push(i as u32);
        }
        places.push(place);
    }
    let of_corner = |i: usize, place: u32| {
        let others = &at[place as usize];
        if others.len() > MOST {
            return units[i];
        }
        let mut sum = [0.0; 3];
        for &other in others {
            if dot(units[i], units[other as usize]) >= ROUND {
                sum = add(sum, areas[other as usize]);
            }
        }
        match dot(sum, sum) > 0.0 {
            true => unit(sum),
            false => units[i],
        }
    };
    let corners = places.iter().enumerate();
    corners
        .map(|(i, place)| place.map(|place| of_corner(i, place)))
        .collect()
}
