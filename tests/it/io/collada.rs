//! COLLADA: scenes, transformations, primitives and materials, with numbers checked by hand.

use kinworld::geometry::{Mesh, Shape};
use kinworld::{Geometry, Point};

use super::scratch::{file, refusal};
use crate::common::files::data;

/// A triangle with vertices on the axes.
const SOURCE: &str = r##"<source id="s"><float_array id="a" count="9">1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" count="3" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>"##;

const TRIANGLE: &str = r##"<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>"##;

const INSTANCE: &str = r##"<instance_geometry url="#g"/>"##;

fn document(asset: &str, mesh: &str, nodes: &str) -> String {
    format!(
        r##"<?xml version="1.0"?><COLLADA>{asset}
<library_geometries><geometry id="g"><mesh>{mesh}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="all">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#all"/></scene></COLLADA>"##
    )
}

#[track_caller]
fn load(text: &str) -> (Mesh, Vec<String>) {
    let loaded = Geometry::load(file("x.dae", text)).unwrap_or_else(|error| panic!("{error}"));
    let said = loaded.diagnostics.iter().map(|d| d.message.clone());
    let Shape::Mesh(mesh) = loaded.value.shape() else {
        panic!("a COLLADA is a mesh");
    };
    (mesh.clone(), said.collect())
}

#[track_caller]
fn node(transforms: &str) -> Vec<[f64; 3]> {
    let nodes = format!("<node>{transforms}{INSTANCE}</node>");
    let (mesh, said) = load(&document("", &format!("{SOURCE}{TRIANGLE}"), &nodes));
    assert!(said.is_empty(), "{said:?}");
    let rounded = |x: f64| (x * 1e9).round() / 1e9 + 0.0;
    let corners = mesh.triangle_vertices().flatten();
    corners.map(|p| [p.x, p.y, p.z].map(rounded)).collect()
}

#[test]
fn transformation_elements_follow_the_specification() {
    for (transforms, expected) in [
        ("", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "<translate>1 2 3</translate>",
            [[2.0, 2.0, 3.0], [1.0, 3.0, 3.0], [1.0, 2.0, 4.0]],
        ),
        (
            "<scale>2 3 4</scale>",
            [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]],
        ),
        // x to y, y to −x
        (
            "<rotate>0 0 2 90</rotate>",
            [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        ),
        // row by row: x to z, y to x, z to y
        (
            "<matrix>0 1 0 5  0 0 1 6  1 0 0 7  0 0 0 1</matrix>",
            [[5.0, 6.0, 8.0], [6.0, 6.0, 7.0], [5.0, 7.0, 7.0]],
        ),
        // from (5, 0, 0) to the origin, z up: its z is x, its x is y, its y is z
        (
            "<lookat>5 0 0  0 0 0  0 0 1</lookat>",
            [[5.0, 1.0, 0.0], [5.0, 0.0, 1.0], [6.0, 0.0, 0.0]],
        ),
        // shear: 1 m along y shifts by 1 m along x
        (
            "<skew>45  0 1 0  1 0 0</skew>",
            [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        ),
        // the first is the outermost
        (
            "<translate>1 0 0</translate><scale>2 2 2</scale>",
            [[3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, 0.0, 2.0]],
        ),
    ] {
        assert_eq!(node(transforms), expected, "{transforms}");
    }
}

#[test]
fn a_mirrored_node_reverses_its_triangles() {
    let corners = node("<scale>-1 1 1</scale>");
    assert_eq!(
        corners,
        [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    );
}

#[test]
fn the_unit_is_applied_to_all_lengths_and_the_up_axis_is_not() {
    let asset = r#"<asset><unit name="mm" meter="0.001"/><up_axis>Y_UP</up_axis></asset>"#;
    let nodes = format!("<node><translate>1000 0 0</translate>{INSTANCE}</node>");
    let (mesh, _) = load(&document(asset, &format!("{SOURCE}{TRIANGLE}"), &nodes));
    let expected = [
        Point::new(1.001, 0.0, 0.0),
        Point::new(1.0, 0.001, 0.0),
        Point::new(1.0, 0.0, 0.001),
    ];
    for (p, q) in mesh.vertices().iter().zip(expected) {
        assert!((p - q).norm() < 1e-15, "{p} {q}");
    }
}

#[test]
fn nodes_are_nested_and_instanced() {
    let text = document(
        "",
        &format!("{SOURCE}{TRIANGLE}"),
        &format!(
            r##"<node><translate>10 0 0</translate>
            <node><translate>0 10 0</translate>{INSTANCE}</node>
            <instance_node url="#lamp"/><instance_node url="#none"/></node>"##
        ),
    );
    let lamp = format!(
        "<library_nodes><node id=\"lamp\"><translate>0 0 10</translate>{INSTANCE}</node></library_nodes><scene>"
    );
    let (mesh, said) = load(&text.replace("<scene>", &lamp));
    let first: Vec<Point> = mesh.triangle_vertices().map(|[a, ..]| a).collect();
    assert_eq!(
        first,
        [Point::new(11.0, 10.0, 0.0), Point::new(11.0, 0.0, 10.0)]
    );
    assert_eq!(
        said,
        ["there is no <node> of id `none`; it is left out of the scene"]
    );
}

#[test]
fn a_skin_keeps_its_bind_shape() {
    let nodes = r##"<node><translate>1 0 0</translate><instance_controller url="#c"/></node>"##;
    let text = document("", &format!("{SOURCE}{TRIANGLE}"), nodes);
    let controllers = r##"<library_controllers><controller id="c"><skin source="#g">
        <bind_shape_matrix>2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1</bind_shape_matrix></skin></controller></library_controllers><scene>"##;
    let (mesh, _) = load(&text.replace("<scene>", controllers));
    assert_eq!(mesh.vertices()[0], Point::new(3.0, 0.0, 0.0));
    assert_eq!(mesh.vertices()[1], Point::new(1.0, 2.0, 0.0));
}

/// Six vertices of a flat L of area 3 in the plane z = 0.
const L: &str = r##"<source id="s"><float_array count="18">0 0 0  2 0 0  2 1 0  1 1 0  1 2 0  0 2 0</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>"##;

#[test]
fn all_primitives_make_triangles() {
    let input = r##"<input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#n" offset="0"/>"##;
    let cases = [
        ("triangles", "<p>9 0 9 1 9 3  9 1 9 2 9 3</p>", 2, 1.5),
        ("tristrips", "<p>9 0 9 1 9 3 9 2</p>", 2, 1.5),
        ("trifans", "<p>9 0 9 1 9 2 9 3 9 4 9 5</p>", 4, 3.0),
        (
            "polylist",
            "<vcount>6</vcount><p>9 0 9 1 9 2 9 3 9 4 9 5</p>",
            4,
            3.0,
        ),
        (
            "polylist",
            "<vcount>6</vcount><p>9 3 9 4 9 5 9 0 9 1 9 2</p>",
            4,
            3.0,
        ),
        (
            "polylist",
            "<vcount>4 3</vcount><p>9 0 9 1 9 2 9 3 9 3 9 4 9 5</p>",
            3,
            2.0,
        ),
        (
            "polygons",
            "<p>9 1 9 2 9 3 9 4 9 5 9 0</p><p>9 0 9 1 9 2</p>",
            5,
            4.0,
        ),
    ];
    for (name, content, n, area) in cases {
        let mesh = format!("{L}<{name} count=\"1\">{input}{content}</{name}>");
        let (mesh, said) = load(&document("", &mesh, &format!("<node>{INSTANCE}</node>")));
        assert!(said.is_empty(), "{said:?}");
        assert_eq!(mesh.triangles().len(), n, "{name}");
        let up: f64 = mesh
            .triangle_vertices()
            .map(|[a, b, c]| (b - a).cross(&(c - a)).z / 2.0)
            .sum();
        assert!((up - area).abs() < 1e-12, "{name}: {up}");
    }
}

#[test]
fn skipped_elements_are_reported() {
    let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    for (primitive, expected) in [
        (
            format!("<lines>{input}<p>0 1</p></lines>"),
            "<lines> is ignored: only faces are read",
        ),
        (
            format!("<polygons>{input}<ph><p>0 1 2</p><h>0 1 2</h></ph></polygons>"),
            "the holes of a polygon are filled",
        ),
        (
            format!("<triangles>{input}<p>0 1 2 0</p></triangles>"),
            "the indices of <triangles> end inside a triangle",
        ),
        (
            format!("<polylist>{input}<vcount>3</vcount><p>0 1 2 0</p></polylist>"),
            "<polylist> has 1 vertices more than <vcount> says",
        ),
    ] {
        let mesh = format!("{SOURCE}{TRIANGLE}{primitive}");
        let (_, said) = load(&document("", &mesh, &format!("<node>{INSTANCE}</node>")));
        assert_eq!(said, [expected]);
    }
}

#[test]
fn materials_are_bound_by_the_instance() {
    let shown = data("formats/lamp.dae");
    let loaded = Geometry::load(shown).unwrap();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let mesh = loaded.value.to_mesh().unwrap();
    let materials = mesh.materials().expect("materials");
    let names: Vec<_> = materials
        .materials
        .iter()
        .map(|m| m.name.as_str())
        .collect();
    assert_eq!(names, ["Brass", "Shade"]);
    assert_eq!(materials.materials[0].color, Some([0.8, 0.6, 0.2, 1.0]));
    assert_eq!(materials.materials[1].texture.as_deref(), Some("shade.png"));
    // a foot of 4 triangles, and a shade of 2 that is instanced twice
    assert_eq!(mesh.triangles().len(), 8);
    assert_eq!(materials.material_of(3).unwrap().name, "Brass");
    assert_eq!(materials.material_of(4).unwrap().name, "Shade");
    assert_eq!(materials.material_of(7).unwrap().name, "Shade");
}

#[test]
fn nested_instances_are_limited() {
    let mut nodes = format!("<node id=\"n0\">{INSTANCE}</node>");
    for i in 1..40 {
        let before = format!("<instance_node url=\"#n{}\"/>", i - 1);
        nodes.push_str(&format!("<node id=\"n{i}\">{before}{before}</node>"));
    }
    let text = document("", &format!("{SOURCE}{TRIANGLE}"), &nodes);
    let error = refusal(Geometry::load(file("x.dae", text)));
    assert_eq!(
        error.diagnostic.message,
        "the scene has more than a million nodes"
    );
}
