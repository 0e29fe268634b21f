//! Shapes that files name and loaders do not find.

use kinworld::io::{LoadOptions, Loader, Source};
use kinworld::world::{PairFilter, WorldCollider, WorldModel};
use kinworld::{MissingGeometry, Robot};

/// A link with this content, and another that carries nothing.
fn robot(link: &str, options: LoadOptions) -> Robot {
    let text = format!(
        r#"<robot name="r"><link name="a">{link}</link><link name="tip"/>
        <joint name="j" type="fixed"><parent link="a"/><child link="tip"/></joint></robot>"#
    );
    let source =
        Source::memory().with_file("/m/ball.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    let mut loader = Loader::with_options(options).with_source(source);
    loader.urdf(&text, "/m").unwrap().value
}

fn missing(link: &str, options: LoadOptions) -> Option<MissingGeometry> {
    let robot = robot(link, options);
    assert_eq!(robot.links()[1].missing_geometry(), None);
    robot.links()[0].missing_geometry()
}

const BALL: &str = r#"<geometry><mesh filename="ball.off"/></geometry>"#;
const GONE: &str = r#"<geometry><mesh filename="package://nowhere/gone.stl"/></geometry>"#;
const PLATE: &str = r#"<geometry><box size="1 1 0"/></geometry>"#;
const MARK: &str = r#"<geometry><sphere radius="0"/></geometry>"#;

#[test]
fn links_know_what_they_lack() {
    use MissingGeometry::{LeftOut, NotLoaded, VisualOnly};
    let plain = LoadOptions::default;
    let visual = || plain().with_use_visual(true);
    let bare = || plain().with_load_geometry(false);
    for (seen, solid, expected, with_visual, not_loaded) in [
        ("", "", None, None, None),
        ("", BALL, None, None, Some(NotLoaded)),
        (BALL, "", Some(VisualOnly), None, Some(NotLoaded)),
        (BALL, BALL, None, None, Some(NotLoaded)),
        ("", GONE, Some(LeftOut), Some(LeftOut), Some(NotLoaded)),
        (BALL, GONE, Some(LeftOut), None, Some(NotLoaded)),
        (GONE, GONE, Some(LeftOut), Some(LeftOut), Some(NotLoaded)),
        (GONE, "", Some(VisualOnly), Some(LeftOut), Some(NotLoaded)),
        // a plate without thickness cannot be a box; a mark of no size is nothing
        ("", PLATE, Some(LeftOut), Some(LeftOut), Some(NotLoaded)),
        ("", MARK, None, None, Some(NotLoaded)),
        (MARK, "", None, None, Some(NotLoaded)),
    ] {
        let wrapped = |tag: &str, shape: &str| match shape {
            "" => String::new(),
            shape => format!("<{tag}>{shape}</{tag}>"),
        };
        let link = wrapped("visual", seen) + &wrapped("collision", solid);
        assert_eq!(missing(&link, plain()), expected, "{link}");
        assert_eq!(missing(&link, visual()), with_visual, "{link}");
        assert_eq!(missing(&link, bare()), not_loaded, "{link}");
    }
}

#[test]
fn visual_shapes_stand_in_for_collision_shapes() {
    let options = LoadOptions::default().with_use_visual(true);
    let link = format!("<visual>{BALL}</visual><collision>{GONE}</collision>");
    let found = robot(&link, options.clone());
    assert_eq!(found.links()[0].collision().len(), 1);
    // what is there stays alone
    let link =
        format!("<visual>{BALL}</visual><visual>{BALL}</visual><collision>{BALL}</collision>");
    assert_eq!(robot(&link, options).links()[0].collision().len(), 1);
}

#[test]
fn worlds_objects_and_terrains_know_that_nothing_was_loaded() {
    for file in ["worlds/cell.xml", "robots/arm6.rob", "robots/gripper.rob"] {
        let path = crate::common::files::data(file);
        let mut loader = Loader::with_options(LoadOptions::default().with_load_geometry(false));
        let mut world = WorldModel::new();
        drop(loader.add_file(&mut world, &path).unwrap());
        let missing = world.missing_geometry();
        assert!(!missing.is_empty(), "{file}");
        assert!(
            missing
                .iter()
                .all(|(_, why)| *why == MissingGeometry::NotLoaded),
            "{file}"
        );
        let refused = WorldCollider::new(&world, &PairFilter::default());
        let said = refused.unwrap_err().to_string();
        assert!(
            said.contains("not loaded") && said.contains("allow_missing_geometry"),
            "{said}"
        );

        let whole = WorldModel::load(&path).unwrap().value;
        assert_eq!(whole.missing_geometry(), [], "{file}");
        // all that has a shape lacks it now
        let shaped = WorldCollider::new(&whole, &PairFilter::default()).unwrap();
        assert_eq!(missing.len(), shaped.elements().len(), "{file}");
    }
}

#[test]
fn self_collisions_refuse_what_is_missing_unless_that_is_accepted() {
    use kinworld::world::{SelfCollisionOptions, self_collisions, self_collisions_with};
    use kinworld::{Error, State};

    let cube = "<origin xyz='0.5 0 0'/><geometry><box size='0.2 0.2 0.2'/></geometry>";
    let urdf = |right: &str| {
        let text = format!(
            "<robot name='arms'><link name='post'/><link name='left'><collision>{cube}</collision></link>\
             <link name='right'><{right}>{cube}</{right}></link>\
             <joint name='l' type='continuous'><parent link='post'/><child link='left'/></joint>\
             <joint name='r' type='continuous'><parent link='post'/><child link='right'/></joint></robot>"
        );
        let path = super::scratch::file(&format!("arms_{right}.urdf"), &text);
        Robot::load(path).unwrap().value
    };
    let (whole, lacking) = (urdf("collision"), urdf("visual"));
    let pair = self_collisions(&whole, &State::new(&whole)).unwrap();
    assert_eq!(pair.len(), 1);

    let state = State::new(&lacking);
    let refused = self_collisions(&lacking, &state).unwrap_err();
    let Error::MissingGeometry { elements, .. } = &refused else {
        panic!("{refused}");
    };
    assert_eq!(
        elements[..],
        [("right".to_owned(), MissingGeometry::VisualOnly)]
    );
    let accepting = SelfCollisionOptions::default().with_allow_missing_geometry(true);
    assert_eq!(
        self_collisions_with(&lacking, &state, accepting).unwrap(),
        []
    );

    let mut world = WorldModel::new();
    let id = world.add_robot(lacking);
    let robot = world.robot(id).unwrap();
    assert!(robot.self_collisions().is_err() && robot.self_collides().is_err());
    assert_eq!(robot.self_collisions_with(accepting).unwrap(), []);
}
