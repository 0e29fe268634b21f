//! Meshes that are written, read and written again: the same shape, and the same bytes.

use std::path::Path;

use kinworld::geometry::{
    Appearance, ConvexHull, MaterialRange, Mesh, MeshMaterials, PointCloud, Primitive, Shape,
};
use kinworld::{Error, Geometry, Point, Pose, Result, Vector};

use super::scratch::folder;
use crate::common::files::{data, files_below};

#[test]
fn meshes_survive_being_written_and_read_to_the_last_bit() {
    for suffix in ["off", "obj", "ply", "stl"] {
        let meshes = match suffix {
            "stl" => vec![awkward(true)],
            _ => vec![awkward(false), with_materials()],
        };
        for mesh in meshes {
            let (first, second) = round_trips(&mesh.clone().into(), suffix);
            let Shape::Mesh(read) = first.shape() else {
                panic!("{suffix}: {first:?}");
            };
            if suffix == "stl" {
                let corners: Vec<_> = mesh.triangle_vertices().collect();
                assert_eq!(read.triangle_vertices().collect::<Vec<_>>(), corners);
            } else {
                let bits = |m: &Mesh| -> Vec<[u64; 3]> {
                    let of = |p: &Point| [p.x, p.y, p.z].map(f64::to_bits);
                    m.vertices().iter().map(of).collect()
                };
                assert_eq!(bits(read), bits(&mesh), "{suffix}");
                assert_eq!(read.triangles(), mesh.triangles(), "{suffix}");
            }
            assert_eq!(first, second, "{suffix}");
        }
    }
}

#[test]
fn every_mesh_of_the_project_survives_being_written() {
    let mut n = 0;
    for path in files_below(&data("meshes")) {
        let Ok(loaded) = Geometry::load(&path) else {
            panic!("{} should load", path.display());
        };
        if !matches!(loaded.value.shape(), Shape::Mesh(_)) {
            continue;
        }
        for suffix in ["off", "obj", "ply"] {
            let (first, second) = round_trips(&loaded.value, suffix);
            assert_eq!(first, second);
            assert_eq!(
                first.to_mesh().unwrap().triangles(),
                loaded.value.to_mesh().unwrap().triangles()
            );
        }
        n += 1;
    }
    assert!(n > 20, "only {n} meshes");
}

#[test]
fn a_wavefront_file_keeps_materials_with_their_names_and_textures() {
    let (read, _) = round_trips(&with_materials().into(), "obj");
    let read = read.to_mesh().unwrap();
    let materials = read.materials().expect("it has materials");
    assert_eq!(materials.material_of(0).unwrap().name, "signal red");
    assert_eq!(
        materials.material_of(0).unwrap().color,
        Some([1.0, 0.1, 0.0, 0.75])
    );
    assert_eq!(materials.material_of(1), None);
    assert_eq!(
        materials.material_of(2).unwrap().texture.as_deref(),
        Some("wood grain.png")
    );
    assert_eq!(
        materials.vertex_colors,
        with_materials().materials().unwrap().vertex_colors
    );
}

#[test]
fn off_and_ply_keep_colours_of_vertices_and_triangles() {
    for suffix in ["off", "ply"] {
        let (read, _) = round_trips(&with_materials().into(), suffix);
        let read = read.to_mesh().unwrap();
        let materials = read.materials().expect("it has materials");
        assert_eq!(
            materials.material_of(0).unwrap().color,
            Some([1.0, 0.1, 0.0, 0.75]),
            "{suffix}"
        );
        assert_eq!(
            materials.vertex_colors,
            with_materials().materials().unwrap().vertex_colors
        );
    }
}

#[test]
fn losses_of_a_format_are_reported() {
    let hull = ConvexHull::new(awkward(true).vertices()).unwrap();
    let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.1).unwrap());
    let pair = Geometry::group(vec![
        (Pose::translation(1.0, 0.0, 0.0), ball.clone()),
        (Pose::identity(), ball.clone().with_margin(0.01).unwrap()),
    ]);
    let rounded = "coordinates are rounded to single precision";
    let names = "of materials only the colours are kept: no names, no textures";
    let cases: [(Geometry, &str, &[&str]); 9] = [
        (awkward(false).into(), "off", &[]),
        (
            Geometry::from(awkward(true)).with_solid(true),
            "off",
            &["that the mesh is solid is not kept"],
        ),
        (
            hull.into(),
            "ply",
            &["the convex hull is written as a mesh"],
        ),
        (pair, "obj", &["a group of 2 shapes is written as one mesh"]),
        (
            ball.with_margin(0.02).unwrap(),
            "off",
            &[
                "the margin of 0.02 m is not kept",
                "the sphere is written as a mesh",
            ],
        ),
        (awkward(false).into(), "stl", &[rounded]),
        (
            with_materials().into(),
            "stl",
            &[rounded, "materials and colours are not kept"],
        ),
        (with_materials().into(), "off", &[names]),
        (
            with_materials().into(),
            "ply",
            &[names, "triangles without a colour become white"],
        ),
    ];
    for (shape, suffix, expected) in cases {
        let path = folder().join(format!("x.{suffix}"));
        let lost = shape.save(&path).unwrap();
        let said: Vec<_> = lost.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(said, expected, "{suffix}");
        assert!(lost.iter().all(|d| d.path.as_deref() == Some(&path)));
    }
}

#[test]
fn a_cloud_keeps_its_properties_in_a_ply() {
    let points = vec![Point::new(0.1, 1e-300, -0.0), Point::new(1.0, 2.0, 3.0)];
    let cloud = PointCloud::new(points)
        .and_then(|cloud| cloud.with_property("intensity", vec![0.3, f64::NAN]))
        .and_then(|cloud| cloud.with_property("rgb", vec![65280.0, 255.0]))
        .unwrap();
    let (read, _) = round_trips(&cloud.into(), "ply");
    let Shape::Cloud(read) = read.shape() else {
        panic!("{read:?}");
    };
    assert_eq!(read.points()[0], Point::new(0.1, 1e-300, 0.0));
    assert_eq!(read.property("rgb"), Some(&[65280.0, 255.0][..]));
    assert!(read.property("intensity").unwrap()[1].is_nan());
}

#[test]
fn shapes_that_cannot_be_written_are_refused_and_leave_no_file() {
    let folder = folder();
    let cloud = Geometry::from(PointCloud::new(vec![Point::origin()]).unwrap());
    let far = vec![
        Point::origin(),
        Point::new(1e39, 0.0, 0.0),
        Point::new(0.0, 1.0, 0.0),
    ];
    let far = Geometry::from(Mesh::new(far, vec![[0, 1, 2]]).unwrap());
    let point = Geometry::from(Primitive::point(Point::origin()).unwrap());
    for (shape, name, expected) in [
        (&cloud, "a.stl", "error: a .stl cannot hold a point cloud"),
        (
            &far,
            "a.stl",
            "error: 1000000000000000000000000000000000000000 is beyond the range of STL",
        ),
        (&far, "a.dae", "error: meshes are not written as .dae"),
        (&far, "a", "error: meshes are not written as ."),
        (
            &point,
            "a.off",
            "error: point: has no surface to make triangles of",
        ),
    ] {
        let said = refusal(shape.save(folder.join(name)));
        assert!(said.ends_with(expected), "{said}");
    }
    let said = refusal(far.save(folder.join("none/a.off")));
    assert!(said.contains("cannot be written: no folder `"), "{said}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    std::fs::create_dir(folder.join("b.off")).unwrap();
    let said = refusal(far.save(folder.join("b.off")));
    assert!(said.ends_with("is a folder, not a file"), "{said}");
}

/// A mesh with numbers that reveal lost digits and signs; in single precision on demand.
fn awkward(is_single: bool) -> Mesh {
    let single = [0.1_f32, 1.0e-7, -16_777_216.0, 0.333_333_34].map(f64::from);
    let double = [0.1, 1e-300, -123_456_789.123_456_78, 1.0 / 3.0];
    let [a, b, c, d] = if is_single { single } else { double };
    let vertices = vec![
        Point::new(a, b, c),
        Point::new(d, a, 0.0),
        Point::new(-0.0, d, d),
        Point::new(c, d, b),
    ];
    Mesh::new(vertices, vec![[0, 1, 2], [0, 2, 3], [3, 1, 0]]).unwrap()
}

/// Three triangles: red, without a material and wooden; vertices of four colours, one of them not representable in bytes.
fn with_materials() -> Mesh {
    let red = Appearance {
        name: "signal red".to_owned(),
        color: Some([1.0, 0.1, 0.0, 0.75]),
        texture: None,
    };
    let wood = Appearance {
        name: "wood".to_owned(),
        color: Some([0.5, 0.25, 0.125, 1.0]),
        texture: Some("wood grain.png".to_owned()),
    };
    let run = |triangles, material| MaterialRange {
        triangles,
        material,
    };
    let byte = |b: f32| b / 255.0;
    awkward(false)
        .with_materials(MeshMaterials {
            materials: vec![red, wood],
            ranges: vec![run(0..1, 0), run(2..3, 1)],
            vertex_colors: vec![
                [1.0, 0.0, 0.0, 1.0],
                [byte(10.0), byte(20.0), byte(30.0), 1.0],
                [0.123, 0.0, 0.0, 1.0],
                [0.0, 0.0, 1.0, 1.0],
            ],
        })
        .unwrap()
}

/// Writes and reads a shape twice, and asserts that both files have the same bytes.
#[track_caller]
fn round_trips(shape: &Geometry, suffix: &str) -> (Geometry, Geometry) {
    let folder = folder();
    let [a, b] = ["a", "b"].map(|place| {
        let folder = folder.join(place);
        std::fs::create_dir(&folder).unwrap();
        folder.join(format!("x.{suffix}"))
    });
    shape.save(&a).unwrap();
    let first = read(&a);
    let lost = first.save(&b).unwrap();
    let names = |d: &kinworld::Diagnostic| d.message.starts_with("of materials");
    assert!(lost.iter().all(names) || lost.is_empty(), "{lost:?}");
    assert_eq!(
        std::fs::read(&a).unwrap(),
        std::fs::read(&b).unwrap(),
        "{suffix}"
    );
    let beside = [&a, &b].map(|path| std::fs::read(path.with_extension("mtl")).ok());
    assert_eq!(beside[0], beside[1]);
    (first, read(&b))
}

#[track_caller]
fn read(path: &Path) -> Geometry {
    let loaded = Geometry::load(path).unwrap_or_else(|error| panic!("{error}"));
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    loaded.value
}

#[track_caller]
fn refusal<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result {
        Err(Error::Load(error)) => error.to_string(),
        other => panic!("it should be refused: {other:?}"),
    }
}

#[test]
fn a_mesh_with_inconsistent_materials_is_refused() {
    let run = |triangles, material| MaterialRange {
        triangles,
        material,
    };
    let materials = || vec![Appearance::default()];
    for (ranges, expected) in [
        (
            vec![run(0..4, 0)],
            "materials of a mesh: names triangle 3 of 3",
        ),
        (
            vec![run(0..1, 1)],
            "materials of a mesh: names material 1 of 1",
        ),
        (
            vec![run(1..2, 0), run(0..1, 0)],
            "materials of a mesh: ranges of triangles must be in order and not empty",
        ),
    ] {
        let materials = MeshMaterials {
            materials: materials(),
            ranges,
            vertex_colors: Vec::new(),
        };
        let error = awkward(true).with_materials(materials).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let materials = MeshMaterials {
        vertex_colors: vec![[1.0; 4]; 3],
        ..MeshMaterials::default()
    };
    let error = awkward(true).with_materials(materials).unwrap_err();
    assert_eq!(
        error.to_string(),
        "materials of a mesh: 3 colours for 4 vertices"
    );
}

#[test]
fn materials_are_kept_when_meshes_are_transformed_and_merged() {
    let mesh = with_materials();
    let rotated = mesh.scaled([-1.0, 1.0, 1.0]).unwrap();
    assert_eq!(rotated.materials(), mesh.materials());
    let pose = Pose::from_parts(Vector::x().into(), kinworld::Rotation::identity());
    let plain = awkward(true);
    let merged = Mesh::merged([(&pose, &plain), (&pose, &mesh), (&pose, &mesh)]).unwrap();
    let materials = merged.materials().unwrap();
    assert_eq!(materials.materials.len(), 2);
    let names: Vec<_> = (0..9)
        .map(|i| materials.material_of(i).map_or("", |m| m.name.as_str()))
        .collect();
    let expected = [
        "",
        "",
        "",
        "signal red",
        "",
        "wood",
        "signal red",
        "",
        "wood",
    ];
    assert_eq!(names, expected);
    assert_eq!(materials.vertex_colors.len(), 12);
    assert_eq!(materials.vertex_colors[..4], [[1.0; 4]; 4]);
    assert_eq!(
        materials.vertex_colors[8..],
        mesh.materials().unwrap().vertex_colors
    );
}
