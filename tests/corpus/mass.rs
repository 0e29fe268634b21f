//! Masses of meshes against Klampt's estimates.

use std::fs;

use kinworld::geometry::{Geometry, Mesh};
use kinworld::{Point, Pose};
use serde_json::Value;

use crate::common::numbers::{assert_close, list, numbers, word};
use crate::folders::{corpus, refs};

pub(crate) fn meshes_weigh_what_klampt_says() {
    let (refs, corpus) = (refs("misc.json"), corpus());
    let mut compared = 0;
    for entry in list(&refs["meshes"]) {
        let file = word(&entry["file"]);
        let Ok(text) = fs::read_to_string(corpus.join(file)) else {
            continue;
        };
        let Some(mesh) = read_off(&text) else {
            continue;
        };
        let geometry = Geometry::from(mesh);
        for (key, fraction) in [
            ("mass_estimate_surface_0", 0.0),
            ("mass_estimate_surface_1", 1.0),
        ] {
            let theirs: &Value = &entry[key];
            if theirs.is_null() {
                continue;
            }
            let ours = geometry.mass_properties(1.0, fraction).unwrap();
            let (com, moment) = (numbers(&theirs["com"]), numbers(&theirs["inertia"]));
            let size = moment.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            // an open mesh has no inside: klampt's centre can then lie far from it, where ours stays on the surface
            let bounds = geometry.aabb(&Pose::identity()).unwrap();
            if !bounds.contains(&Point::from_slice(&com)) {
                continue;
            }
            let what = format!("{file}, {key}");
            assert_close(&what, ours.com.coords.as_slice(), &com, 1e-6 * size.sqrt());
            assert_close(&what, ours.moment.as_slice(), &moment, 1e-6 * size);
            compared += 1;
        }
    }
    assert!(compared >= 40, "only {compared} mass estimates");
}

/// The triangles of a plain OFF file, polygons as fans.
fn read_off(text: &str) -> Option<Mesh> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let mut words = lines.flat_map(str::split_whitespace);
    (words.next()? == "OFF").then_some(())?;
    let mut count = || words.next()?.parse::<usize>().ok();
    let (n_vertices, n_faces, _) = (count()?, count()?, count()?);
    // klampt keeps single precision
    let mut coordinate = || Some(f64::from(words.next()?.parse::<f32>().ok()?));
    let mut vertices = Vec::new();
    for _ in 0..n_vertices {
        vertices.push(Point::new(coordinate()?, coordinate()?, coordinate()?));
    }
    let mut triangles = Vec::new();
    let mut index = || words.next()?.parse::<u32>().ok();
    for _ in 0..n_faces {
        let n = index()?;
        let corners = (0..n).map(|_| index()).collect::<Option<Vec<_>>>()?;
        triangles.extend((2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]]));
    }
    Mesh::new(vertices, triangles).ok()
}
