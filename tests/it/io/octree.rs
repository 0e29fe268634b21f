//! Files of octrees.

use kinworld::geometry::{Octree, PointCloud};
use kinworld::io::{LoadLimits, LoadOptions, Loader};
use kinworld::{Geometry, Point, Pose};

use super::scratch::folder;

/// A map with occupied and free cubes of several sizes.
fn seen() -> Octree {
    let row =
        |i: i32| (0..20).map(move |j| Point::new(1.0, 0.1 * f64::from(i), 0.1 * f64::from(j)));
    let wall = PointCloud::new((0..20).flat_map(row).collect()).unwrap();
    let mut map = Octree::new(0.1).unwrap();
    for _ in 0..5 {
        map.insert_scan(&Point::origin(), &wall, 10.0).unwrap();
    }
    map
}

/// A file with these bits behind its header.
fn file(header: &str, bits: &[u16]) -> Vec<u8> {
    let mut bytes = format!("# Octomap OcTree binary file\n{header}data\n").into_bytes();
    bytes.extend(bits.iter().flat_map(|bits| bits.to_le_bytes()));
    bytes
}

#[test]
fn files_hold_what_is_occupied_and_free() {
    let folder = folder();
    let path = folder.join("map.bt");
    // child 0 free, child 7 divided, of which child 1 is occupied and child 6 free
    std::fs::write(
        &path,
        file(
            "id OcTree\nsize 5\nres 0.5\n",
            &[0b11_00_00_00_00_00_00_01, 0b00_01_00_00_00_00_10_00],
        ),
    )
    .unwrap();
    let map = Octree::load(&path).unwrap().value;
    assert_eq!(map.n_nodes(), 5);
    let leaves: Vec<_> = map
        .leaves()
        .map(|leaf| (leaf.center, leaf.size, leaf.is_occupied()))
        .collect();
    // the map has edges of 32,768 m
    assert_eq!(
        leaves,
        [
            (Point::new(-8192.0, -8192.0, -8192.0), 16384.0, false),
            (Point::new(12288.0, 4096.0, 4096.0), 8192.0, true),
            (Point::new(4096.0, 12288.0, 12288.0), 8192.0, false),
        ]
    );
    // as a shape
    let shape = Geometry::load(&path).unwrap().value;
    let bounds = shape.aabb(&Pose::identity()).unwrap();
    let corners = [
        Point::new(8192.0, 0.0, 0.0),
        Point::new(16384.0, 8192.0, 8192.0),
    ];
    for (ours, theirs) in [bounds.min, bounds.max].iter().zip(corners) {
        assert!((ours - theirs).norm() < 1e-9, "{ours} {theirs}");
    }

    // what was written reads back
    let ours = seen();
    ours.save(&path).unwrap();
    let read = Octree::load(&path).unwrap().value;
    assert!((read.resolution() - 0.1).abs() < 1e-15);
    let known = |map: &Octree, point: &Point| map.probability(point).map(|p| p >= 0.5);
    let mut sides = [0; 2];
    for leaf in ours.leaves() {
        assert_eq!(known(&read, &leaf.center), Some(leaf.is_occupied()));
        sides[usize::from(leaf.is_occupied())] += 1;
    }
    assert!(sides[0] > 100 && sides[1] > 50, "{sides:?}");
    let volume = |map: &Octree| map.leaves().map(|leaf| leaf.size.powi(3)).sum::<f64>();
    assert!((volume(&read) - volume(&ours)).abs() < 1e-9);
    let again = folder.join("again.bt");
    read.save(&again).unwrap();
    assert_eq!(Octree::load(&again).unwrap().value, read);
    let none = Octree::new(0.2).unwrap();
    none.save(&path).unwrap();
    assert_eq!(Octree::load(&path).unwrap().value, none);
}

#[test]
fn bad_files_are_refused_with_their_reason() {
    let folder = folder();
    let path = folder.join("map.bt");
    let fine = "id OcTree\nres 0.1\n";
    for (bytes, wanted) in [
        (
            b"# Octomap OcTree file\n".to_vec(),
            "map.bt:1:1: error: its first line is not",
        ),
        (
            b"# Octomap OcTree binary file\nres 0.1\n".to_vec(),
            "no line `data`",
        ),
        (file("id OcTree\n", &[]), "no line `res"),
        (
            file("res -1\n", &[]),
            "map.bt:2:1: error: `res -1`: an octree",
        ),
        (
            file("res 1e99\n", &[0b10_10_10_10_10_10_10_10]),
            "map.bt:2:1: error: `res 1e99`: an octree",
        ),
        (
            file("id ColorOcTree\nres 1\n", &[]),
            "an OcTree was expected",
        ),
        (file(fine, &[0b11]), "ends before"),
        (file(fine, &[0b10, 0]), "behind its last cube"),
        (file(fine, &[0b11; 40]), "divides cubes of the finest size"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let error = Octree::load(&path).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
        assert!(
            Geometry::load(&path)
                .unwrap_err()
                .to_string()
                .contains(wanted)
        );
    }
    std::fs::write(&path, file(fine, &[0b1111, 0b10, 0b10])).unwrap();
    let limits = LoadLimits::default().with_vertices(20);
    let mut loader = Loader::with_options(LoadOptions::default().with_limits(limits));
    let error = loader.octree(&path).unwrap_err().to_string();
    assert!(error.contains("more cubes than the limit of 20"), "{error}");
    // a box counts as eight vertices
    std::fs::write(&path, file(fine, &[0b10_10_10])).unwrap();
    assert!(loader.octree(&path).is_ok());
    let error = loader.geometry(&path).unwrap_err().to_string();
    assert!(error.contains("has 3 occupied cubes"), "{error}");
}
