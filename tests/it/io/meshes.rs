//! Meshes: against Klampt, against other readers of the same files, and variants of each format.

use std::path::{Path, PathBuf};

use kinworld::geometry::{Mesh, Shape};
use kinworld::{Geometry, Loaded, Point};

use super::scratch::{file, refusal};
use crate::common::files::data;

#[test]
fn stl_files_read_as_by_another_reader() {
    let paths = with_suffix(&data("meshes"), "stl");
    assert!(paths.len() >= 2);
    compare_stl(&paths);
}

/// Compares the triangles of STL files with those that another reader finds.
pub(crate) fn compare_stl(paths: &[PathBuf]) {
    for path in paths {
        let mut bytes = std::fs::File::open(path).unwrap();
        let Ok(theirs) = stl_io::read_stl(&mut bytes) else {
            // one of them is an empty header
            refusal(Geometry::load(path));
            continue;
        };
        let ours = mesh(path);
        assert_eq!(
            ours.triangles().len(),
            theirs.faces.len(),
            "{}",
            path.display()
        );
        for (ours, face) in ours.triangle_vertices().zip(&theirs.faces) {
            for (p, &v) in ours.iter().zip(&face.vertices) {
                let q = theirs.vertices[v];
                assert!((0..3).all(|k| (p[k] - f64::from(q[k])).abs() <= 1e-6 * p[k].abs()));
            }
        }
    }
}

#[test]
fn wavefront_files_read_as_by_another_reader() {
    let notched = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 3 0\n\
        vt 0 0\nvn 0 0 1\no square\nusemtl red\ns off\nf 1/1/1 2/1/1 3/1/1 4/1/1\n\
        g roof # with a comment\nf -3//1 -2//1 -1//1\nf 1 3 5\n";
    let mut paths = with_suffix(&data("meshes"), "obj");
    paths.push(file("square.obj", notched));
    for path in paths {
        let options = tobj::LoadOptions {
            triangulate: true,
            ..tobj::LoadOptions::default()
        };
        let (models, _) = tobj::load_obj(&path, &options).unwrap();
        let theirs: Vec<Point> = models
            .iter()
            .flat_map(|model| {
                let p = &model.mesh.positions;
                let at = |&i: &u32| {
                    let i = 3 * i as usize;
                    Point::new(p[i].into(), p[i + 1].into(), p[i + 2].into())
                };
                model.mesh.indices.iter().map(at).collect::<Vec<_>>()
            })
            .collect();
        let ours: Vec<Point> = mesh(&path).triangle_vertices().flatten().collect();
        assert_eq!(ours.len(), theirs.len(), "{}", path.display());
        let distances = ours.iter().zip(&theirs).map(|(p, q)| (p - q).norm());
        assert!(distances.fold(0.0, f64::max) < 1e-6, "{}", path.display());
    }
}

#[test]
fn a_wavefront_face_may_continue_after_a_backslash() {
    let corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    let joined = mesh(&file(
        "x.obj",
        format!("{corners}f 1 2 \\\r\n 3 \\\n4 # no more\n"),
    ));
    assert_eq!(joined.triangles(), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn off_files_may_carry_comments_colours_and_counts_on_the_first_line() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let square = square.map(|[x, y]| Point::new(x, y, 0.0));
    for text in [
        "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
        "OFF 4 1 0\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n4 0 1 2 3",
        "\u{feff}OFF # square\n# counts\n4 1 4\n\n0 0 0 # corner\n1 0 0\n1 1 0\n0 1 0\n\n4  0 1 2 3  255 0 0\n",
        "COFF\n4 1 0\n0 0 0 1 0 0 1\n1 0 0 1 0 0 1\n1 1 0 1 0 0 1\n0 1 0 1 0 0 1\n4 0 1 2 3 0.5 0.5 0.5\n",
        "NOFF\n4 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n4 0 1 2 3\n",
    ] {
        let Loaded {
            value, diagnostics, ..
        } = Geometry::load(file("square.off", text)).unwrap();
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let Shape::Mesh(mesh) = value.shape() else {
            panic!("an OFF is a mesh");
        };
        assert_eq!(mesh.vertices(), square, "{text}");
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3]], "{text}");
    }
}

#[test]
fn binary_stl_may_begin_with_solid_and_a_suffix_may_be_upper_case() {
    let mut bytes = b"solid as binary files begin, too".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(2_u32.to_le_bytes());
    for z in [0.0_f32, 0.5] {
        for x in [0.0, 0.0, 1.0, 0.0, 0.0, z, 1.0, 0.0, z, 0.0, 1.0, z] {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0, 0]);
    }
    let mesh = mesh(&file("TWO.STL", &bytes));
    assert_eq!(mesh.triangles().len(), 2);
    assert_eq!(mesh.vertices()[5], Point::new(0.0, 1.0, 0.5));

    // one byte fewer contradicts the count
    let short = refusal(Geometry::load(file("short.stl", &bytes[..bytes.len() - 1])));
    assert!(
        short.to_string().contains("after 1 of 2 triangles"),
        "{short}"
    );
}

#[test]
fn primitives_other_than_faces_are_skipped_with_a_warning() {
    let off = "OFF\n3 3 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n1 0\nmore\n";
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nf 1 2 3\np 1\n";
    for (name, text, expected) in [
        (
            "x.off",
            off,
            &[
                "6:1: warning: points and lines are ignored: a face has at least 3 vertices",
                "9:1: warning: the file goes on after its 3 faces",
            ][..],
        ),
        (
            "x.obj",
            obj,
            &["4:1: warning: `l` and similar statements are ignored: only faces are read"][..],
        ),
    ] {
        let loaded = Geometry::load(file(name, text)).unwrap();
        assert_eq!(loaded.value.n_triangles(), 1, "{name}");
        let said: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), expected.len(), "{said:?}");
        for (said, expected) in said.iter().zip(expected) {
            assert!(said.ends_with(expected), "{said}");
        }
    }
}

#[test]
fn a_mesh_of_unknown_suffix_is_detected_by_its_content() {
    let square = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    for (name, text) in [
        ("mesh", square),
        ("mesh.dat", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        (
            "a.b",
            "solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendsolid\n",
        ),
    ] {
        assert_eq!(mesh(&file(name, text)).triangles().len(), 1, "{name}");
    }
}

#[track_caller]
pub(crate) fn mesh(path: &Path) -> Mesh {
    let geometry = Geometry::load(path)
        .unwrap_or_else(|error| panic!("{error}"))
        .value;
    match geometry.shape() {
        Shape::Mesh(mesh) => mesh.clone(),
        other => panic!("{}: {other:?}", path.display()),
    }
}

/// All files below a folder with this suffix, whatever its case.
pub(crate) fn with_suffix(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(with_suffix(&path, suffix));
        } else if path
            .extension()
            .is_some_and(|s| s.eq_ignore_ascii_case(suffix))
        {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_library_without_materials_gets_a_warning() {
    let mesh = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let path = file("m.obj", mesh);
    for (text, n) in [
        ("hello world\n", 1),
        ("# nothing\n\n", 0),
        ("newmtl a\n", 0),
    ] {
        std::fs::write(path.with_file_name("m.mtl"), text).unwrap();
        let said = Geometry::load(&path).unwrap().diagnostics;
        assert_eq!(said.len(), n, "{said:?}");
        let problem = "it has no `newmtl`";
        assert!(said.iter().all(|said| said.message.contains(problem)));
    }
}

#[test]
fn an_accessor_without_its_array_gets_a_warning() {
    let dae = std::fs::read_to_string(data("formats/lamp.dae")).unwrap();
    let broken = dae.replace("<accessor source=\"#", "<accessor source=\"#nowhere-");
    assert_ne!(broken, dae);
    let said = Geometry::load(file("lamp.dae", broken))
        .unwrap()
        .diagnostics;
    let problem = "is read instead";
    assert!(
        said.iter().any(|said| said.message.contains(problem)),
        "{said:?}"
    );
}
