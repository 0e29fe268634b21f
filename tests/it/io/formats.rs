//! One wedge in every mesh format, one cloud in every PCD encoding, one height map: `data/formats/`.

use kinworld::geometry::{Mesh, PointCloud, PrimitiveKind, Shape};
use kinworld::{Geometry, Loaded, Point, Vector};

use super::scratch::{file, folder, refusal};
use crate::common::files::{data, files_below};

#[track_caller]
fn load(name: &str) -> (Geometry, Vec<String>) {
    let path = data("formats").join(name);
    let Loaded {
        value, diagnostics, ..
    } = Geometry::load(path).unwrap_or_else(|e| panic!("{e}"));
    let said = diagnostics.iter().map(|d| d.message.clone());
    (value, said.collect())
}

#[track_caller]
fn mesh(name: &str) -> Mesh {
    let (shape, said) = load(name);
    assert!(said.is_empty(), "{name}: {said:?}");
    match shape.shape() {
        Shape::Mesh(mesh) => mesh.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

/// Volume and bounding box of a closed mesh.
fn facts(mesh: &Mesh) -> (f64, [[f64; 3]; 2]) {
    let volume: f64 = mesh
        .triangle_vertices()
        .map(|[a, b, c]| a.coords.dot(&b.coords.cross(&c.coords)) / 6.0)
        .sum();
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in mesh.vertices() {
        for k in 0..3 {
            min[k] = min[k].min(p[k]);
            max[k] = max[k].max(p[k]);
        }
    }
    (volume, [min, max])
}

#[test]
fn the_wedge_is_the_same_in_every_format() {
    for name in [
        "wedge.obj",
        "wedge.tri",
        "wedge_ascii.ply",
        "wedge_binary_little_endian.ply",
        "wedge_binary_big_endian.ply",
    ] {
        let mesh = mesh(name);
        assert_eq!(mesh.triangles().len(), 8, "{name}");
        assert!(mesh.is_closed(), "{name}");
        let (volume, corners) = facts(&mesh);
        assert!((volume - 1.0).abs() < 1e-12, "{name}: {volume}");
        assert_eq!(corners, [[0.0; 3], [2.0, 1.0, 1.0]], "{name}");
    }
}

#[test]
fn a_gltf_is_rotated_from_y_up_to_z_up_for_every_kind_of_buffer() {
    let shapes = ["wedge.glb", "wedge.gltf", "wedge_data.gltf"].map(mesh);
    for mesh in &shapes {
        // one wedge on the table, its mirror image below
        assert_eq!(mesh.triangles().len(), 16);
        assert!(mesh.is_closed());
        let (volume, corners) = facts(mesh);
        assert!((volume - 2.0).abs() < 1e-12, "{volume}");
        assert_eq!(corners, [[0.0; 3], [2.0, 1.0, 2.0]]);
        let materials = mesh.materials().expect("a material");
        assert_eq!(materials.materials.len(), 1);
        let clay = materials.material_of(15).expect("all of it");
        assert_eq!(clay.name, "clay");
        // 0.75, 0.5, 0.25 of the light, as a screen shows them
        let expected = [0.880_825, 0.735_357, 0.537_099, 1.0];
        let color = clay.color.expect("it has one");
        assert!(
            color
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-6),
            "{color:?}"
        );
    }
    assert_eq!(shapes[0], shapes[1]);
    assert_eq!(shapes[0], shapes[2]);
}

#[test]
fn materials_of_a_wavefront_file_are_read() {
    let wedge = mesh("wedge.obj");
    let materials = wedge.materials().unwrap();
    let names: Vec<_> = (0..8)
        .map(|i| materials.material_of(i).unwrap().name.as_str())
        .collect();
    let blue = "light blue";
    assert_eq!(
        names,
        ["wood", "wood", blue, blue, blue, blue, "wood", "wood"]
    );
    let [wood, blue] = &materials.materials[..] else {
        panic!("{:?}", materials.materials);
    };
    assert_eq!(wood.color, Some([0.5, 0.25, 0.125, 1.0]));
    assert_eq!(wood.texture.as_deref(), Some("wood.png"));
    assert_eq!(blue.color, Some([0.5, 0.75, 1.0, 0.75]));
}

#[test]
fn a_wavefront_file_loads_without_missing_materials() {
    let text = "mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
    let loaded = Geometry::load(file("x.obj", text)).unwrap();
    let said = loaded.diagnostics[0].to_string();
    assert!(
        said.contains(":1:8: warning: materials `none.mtl` cannot be found; tried "),
        "{said}"
    );
    assert!(said.ends_with("; their colours are unknown"), "{said}");
    let mesh = loaded.value.to_mesh().unwrap();
    assert_eq!(
        mesh.materials().unwrap().material_of(0).unwrap().name,
        "red"
    );
}

#[test]
fn colours_of_vertices_are_kept() {
    let expected = [
        [1.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 1.0],
        [0.2, 0.4, 0.6, 1.0],
    ];
    for name in ["wedge_ascii.ply", "wedge_binary_big_endian.ply"] {
        let mesh = mesh(name);
        let colors = &mesh.materials().unwrap().vertex_colors;
        assert_eq!([colors[0], colors[1], colors[5]], expected, "{name}");
    }
    let triangle = "3 0 1 2\n";
    for (text, what) in [
        (
            format!("COFF\n3 1 0\n0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 0 51 102 153\n{triangle}"),
            "bytes",
        ),
        (
            format!("COFF\n3 1 0\n0 0 0 1.0 0 0 1\n1 0 0 0 1 0 1\n0 1 0 0.2 0.4 0.6 1\n{triangle}"),
            "parts",
        ),
        (
            format!(
                "CNOFF\n3 1 0\n0 0 0 0 0 1 1 0 0 1\n1 0 0 0 0 1 0 1 0 1\n0 1 0 0 0 1 .2 .4 .6 1\n{triangle}"
            ),
            "normals",
        ),
    ] {
        let mesh = Geometry::load(file("x.off", text))
            .unwrap()
            .value
            .to_mesh()
            .unwrap();
        assert_eq!(mesh.materials().unwrap().vertex_colors, expected, "{what}");
    }
    let text = "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0.2 0.4 0.6\nf 1 2 3\n";
    let mesh = Geometry::load(file("x.obj", text))
        .unwrap()
        .value
        .to_mesh()
        .unwrap();
    assert_eq!(mesh.materials().unwrap().vertex_colors, expected);
}

#[test]
fn a_cloud_is_the_same_in_every_encoding() {
    let clouds = ["ascii", "binary", "binary_compressed"].map(|data| {
        let (shape, said) = load(&format!("cloud_{data}.pcd"));
        assert_eq!(
            said,
            ["1 of 4 points are not a number and left out"],
            "{data}"
        );
        match shape.shape() {
            Shape::Cloud(cloud) => cloud.clone(),
            other => panic!("{other:?}"),
        }
    });
    let [cloud, ..]: &[PointCloud; 3] = &clouds;
    let points = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 1.0, 0.25]].map(Point::from);
    assert_eq!(cloud.points(), points);
    let names: Vec<_> = cloud.property_names().collect();
    assert_eq!(names, ["intensity", "n_0", "n_1", "rgb"]);
    assert_eq!(cloud.property("intensity"), Some(&[1.0, 2.0, 65535.0][..]));
    assert_eq!(cloud.property("n_1"), Some(&[1.0, 0.0, 0.5][..]));
    let colors = [0x00FF_0000, 0x0000_FF00, 0x0000_00FF].map(f64::from);
    assert_eq!(cloud.property("rgb"), Some(&colors[..]));
    assert_eq!(clouds[0], clouds[1]);
    assert_eq!(clouds[0], clouds[2]);
}

#[test]
fn a_ply_without_faces_is_a_cloud() {
    let text = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n\
                property float quality\nend_header\n1 2 3 0.5\n4 5 6 nan\n";
    let loaded = Geometry::load(file("x.ply", text)).unwrap().value;
    let Shape::Cloud(cloud) = loaded.shape() else {
        panic!("{loaded:?}");
    };
    assert_eq!(cloud.points()[1], Point::new(4.0, 5.0, 6.0));
    let quality = cloud.property("quality").unwrap();
    assert_eq!(quality[..1], [0.5][..]);
    assert!(quality[1].is_nan());
}

#[test]
fn strips_in_a_ply_end_at_negative_indices() {
    let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
                element tristrips 1\nproperty list int int vertex_indices\nend_header\n\
                0 0 0\n1 0 0\n0 1 0\n1 1 0\n8 0 1 2 3 -1 0 1 3\n";
    let mesh = Geometry::load(file("x.ply", text))
        .unwrap()
        .value
        .to_mesh()
        .unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 2], [2, 1, 3], [0, 1, 3]]);
}

#[test]
fn primitives_of_a_geom_have_klampts_poses() {
    let kind = |name: &str| match load(name).0.shape() {
        Shape::Primitive(primitive) => primitive.kind().clone(),
        other => panic!("{name}: {other:?}"),
    };
    // from the corner (1, 0, 0): 2 along y, 4 along −x, 6 along z
    let PrimitiveKind::Box { pose, size } = kind("box.geom") else {
        panic!("a box");
    };
    assert_eq!(size, Vector::new(2.0, 4.0, 6.0));
    assert_eq!(pose.translation.vector, Vector::new(-1.0, 1.0, 3.0));
    assert_eq!(pose * Vector::x(), Vector::y());
    // on its base, with an axis of any length
    let PrimitiveKind::Cylinder {
        center,
        axis,
        radius,
        height,
    } = kind("cylinder.geom")
    else {
        panic!("a cylinder");
    };
    assert_eq!((center, axis), (Point::new(0.0, 0.0, 2.5), Vector::z()));
    assert_eq!((radius, height), (0.5, 3.0));
    let PrimitiveKind::Polygon { vertices } = kind("polygon.geom") else {
        panic!("a polygon");
    };
    assert_eq!(vertices.len(), 4);
    assert_eq!(mesh("triangle.geom").triangles(), [[0, 1, 2]]);
}

#[test]
fn blocks_of_a_tri_are_one_mesh() {
    let block = "3\n0 0 0\n1 0 0\n0 1 0\n1\n0 1 2\n";
    let mesh = Geometry::load(file("x.tri", block.repeat(2)))
        .unwrap()
        .value
        .to_mesh()
        .unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 2], [3, 4, 5]]);
}

#[cfg(feature = "heightmap")]
#[test]
fn a_height_map_lies_on_a_centred_grid_with_the_top_row_at_plus_y() {
    let hill = mesh("hill.json");
    // pixels by columns, from the top; black is 1 m, white 2 m, and the steps between them are fifths
    let expected = [
        [-2.0, 0.5, 1.0],
        [-2.0, -0.5, 1.6],
        [0.0, 0.5, 1.2],
        [0.0, -0.5, 1.8],
        [2.0, 0.5, 1.4],
        [2.0, -0.5, 2.0],
    ];
    for (p, q) in hill.vertices().iter().zip(expected.map(Point::from)) {
        assert!((p - q).norm() < 1e-15, "{p} {q}");
    }
    assert_eq!(hill.triangles().len(), 4);
    assert!(
        hill.triangle_vertices()
            .all(|[a, b, c]| (b - a).cross(&(c - a)).z > 0.0)
    );
    let colors = &hill.materials().unwrap().vertex_colors;
    assert_eq!(colors[1..2], [[0.6, 0.6, 0.6, 1.0]]);
}

#[cfg(feature = "heightmap")]
#[test]
fn depths_are_seen_from_the_camera() {
    let depths = mesh("depths.json");
    // a field of view of 90°: at depth d the edge is d away; the camera's z is our x, its x our −y, its y our −z
    let expected = [
        [1.0, 1.0, 4.0],
        [1.6, 1.6, 1.4],
        [1.2, 0.0, 4.2],
        [1.8, 0.0, 1.2],
        [1.4, -1.4, 4.4],
        [2.0, -2.0, 1.0],
    ];
    for (p, q) in depths.vertices().iter().zip(expected.map(Point::from)) {
        assert!((p - q).norm() < 1e-12, "{p} {q}");
    }
}

#[test]
fn remote_buffers_are_refused() {
    let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"URI"}]}"#;
    for (uri, expected) in [
        ("https://example.org/a.bin", "`https://` is not supported"),
        ("none.bin", "`none.bin` cannot be found"),
        (
            "data:text/plain,abc",
            "is a data address, but not valid base64",
        ),
        (".", "is a folder, not a file"),
    ] {
        let error = refusal(Geometry::load(file("x.gltf", text.replace("URI", uri))));
        let said = error.to_string();
        assert!(
            said.contains("buffers/0/uri: ") && said.contains(expected),
            "{said}"
        );
    }
}

#[test]
fn every_format_is_detected_by_its_content() {
    for name in ["lamp.dae", "wedge_binary_big_endian.ply", "wedge.glb"] {
        let copy = folder().join("shape.dat");
        std::fs::copy(data("formats").join(name), &copy).unwrap();
        let known = Geometry::load(&copy).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(known.value, load(name).0, "{name}");
    }
}

#[test]
fn every_file_of_the_folder_is_loaded_by_a_test() {
    let n = files_below(&data("formats")).len();
    assert_eq!(n, 22, "a new file needs a test");
}

#[test]
fn a_cloud_of_too_many_columns_is_refused_where_no_counts_are_given() {
    let columns = |word: &str, n: usize| [" ", word].concat().repeat(n);
    let header = |n: usize| {
        let (fields, sizes, types) = (columns("a", n), columns("4", n), columns("F", n));
        format!(
            "FIELDS x y z{fields}\nSIZE 4 4 4{sizes}\nTYPE F F F{types}\nPOINTS 1\nDATA ascii\n"
        )
    };
    let said = refusal(Geometry::load(file("x.pcd", header(100_000)))).to_string();
    assert!(said.contains(":1:"), "{said}");
    assert!(
        said.ends_with("error: a point has 100000 numbers or more"),
        "{said}"
    );
}
