//! Hulls built while a file loads, against hulls built afterwards.

use kinworld::WorldModel;
use kinworld::geometry::{Geometry, Shape};
use kinworld::io::{LoadOptions, Loader};

use crate::common::files::data;

fn loader() -> Loader {
    Loader::with_options(LoadOptions::default().with_hulls(true))
}

/// The collision shapes of all links and objects, and the visual shapes of links.
fn shapes(world: &WorldModel) -> [Vec<Geometry>; 2] {
    let links = || world.robots().flat_map(|robot| robot.model().links());
    let collision = links().flat_map(|link| link.collision());
    let objects = world.rigid_objects();
    let objects = objects.filter_map(|(_, object)| object.geometry.clone());
    let drawn = links().flat_map(|link| link.visual());
    [
        collision
            .map(|element| element.geometry.clone())
            .chain(objects)
            .collect(),
        drawn.map(|element| element.geometry.clone()).collect(),
    ]
}

fn count(shapes: &[Geometry], is: fn(&Shape) -> bool) -> usize {
    let each = shapes.iter().map(|geometry| match geometry.shape() {
        Shape::Group(members) => members.iter().filter(|(_, m)| is(m.shape())).count(),
        shape => usize::from(is(shape)),
    });
    each.sum()
}

#[test]
fn hulls_of_a_file_are_those_of_its_world() {
    let mut n_hulls = 0;
    let files = [
        "robots/panda.urdf",
        "robots/arm6.rob",
        "worlds/cell.xml",
        "objects/bracket.obj",
    ];
    for file in files {
        let file = data(file);
        let plain = WorldModel::load(&file).unwrap().value;
        let [collision, drawn] = shapes(&loader().world(&file).unwrap().value);
        let [expected, _] = shapes(&plain.with_hulls().unwrap());
        assert_eq!(collision, expected);
        assert_eq!(drawn, shapes(&plain)[1]);
        n_hulls += count(&collision, |shape| matches!(shape, Shape::Hull(_)));
        assert_eq!(
            count(&collision, |shape| matches!(shape, Shape::Mesh(_))),
            0
        );

        // the same file again, added to an existing world
        let mut world = WorldModel::new();
        let added = loader().add_file(&mut world, &file).unwrap().value;
        assert!(!added.is_empty());
        assert_eq!(shapes(&world), [collision, drawn]);
    }
    assert!(n_hulls > 5, "only {n_hulls} hulls");
}

#[test]
fn the_text_of_a_robot_gets_hulls_too() {
    let file = data("robots/panda.urdf");
    let text = std::fs::read_to_string(&file).unwrap();
    let robot = loader().urdf(&text, file.parent().unwrap()).unwrap().value;
    let mut world = WorldModel::new();
    world.add_robot(robot);
    assert_eq!(
        shapes(&world),
        shapes(&loader().world(&file).unwrap().value)
    );
}
