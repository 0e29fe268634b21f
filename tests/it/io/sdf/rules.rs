//! What the elements of an SDF become.

use kinworld::geometry::query;
use kinworld::io::{Base, LoadOptions, Loader, Source};
use kinworld::robot::LoopKind;
use kinworld::{Point, Pose, Robot, State, WorldModel, kinematics};

use super::super::scratch::folder;
use super::{refusal, warnings, world};
use crate::common::files::data;

fn yard() -> WorldModel {
    WorldModel::load(data("sdf/yard.sdf")).unwrap().value
}

#[test]
fn models_become_robots_objects_and_terrains() {
    let world = yard();
    let names: Vec<&str> = world.robots().map(|robot| robot.name()).collect();
    assert_eq!(names, ["frame_of_gate"]);
    let names: Vec<&str> = world
        .rigid_objects()
        .map(|(_, object)| object.name.as_str())
        .collect();
    assert_eq!(names, ["loose_post", "crate"]);
    let names: Vec<&str> = world
        .terrains()
        .map(|(_, terrain)| terrain.name.as_str())
        .collect();
    assert_eq!(names, ["ground", "fixed_post"]);
    assert_eq!(world.terrain("fixed_post").unwrap().friction, [0.7]);
}

#[test]
fn inertia_of_shapes_has_their_density() {
    let world = yard();
    let post = world.rigid_object("loose_post").unwrap();
    let mass = 500.0 * std::f64::consts::PI * 0.05 * 0.05;
    assert!((post.inertia.mass - mass).abs() < 1e-12);
    // of a cylinder
    let across = mass * (3.0 * 0.05 * 0.05 + 1.0) / 12.0;
    assert!((post.inertia.moment[(0, 0)] - across).abs() < 1e-12);
    assert!(post.inertia.com.coords.norm() < 1e-12);
}

#[test]
fn a_placement_frame_is_where_the_pose_says() {
    let world = yard();
    let post = world.rigid_object("loose_post").unwrap();
    let top = post.pose * Point::new(0.0, 0.0, 0.5);
    assert!((top - Point::new(0.0, 2.0, 1.5)).norm() < 1e-12, "{top}");
}

#[test]
fn free_models_float_and_start_at_their_pose() {
    let robot = Robot::load(data("sdf/old.sdf")).unwrap().value;
    assert_eq!(robot.n_dofs(), 8);
    let world = WorldModel::load(data("sdf/old.sdf")).unwrap().value;
    let q = world.robot(0).unwrap().config().to_vec();
    assert!(
        (q[2] - 1.1).abs() < 1e-12 && (q[3] - 0.8).abs() < 1e-12,
        "{q:?}"
    );
    let fixed = LoadOptions::default().with_base(Base::Fixed);
    let fixed = Loader::with_options(fixed)
        .world(data("sdf/old.sdf"))
        .unwrap()
        .value;
    let links = |world: &WorldModel| {
        let robot = world.robot(0).unwrap();
        let named = |name| robot.link(name).unwrap().pose().translation.vector;
        [named("base"), named("arm"), named("hand")]
    };
    assert_eq!(fixed.robot(0).unwrap().config().len(), 2);
    for (a, b) in links(&world).into_iter().zip(links(&fixed)) {
        assert!((a - b).norm() < 1e-12);
    }
}

/// A model of links `a`, `b`, `c` in a row with these joints.
fn row(joints: &str) -> String {
    let links: String = ["a", "b", "c"]
        .iter()
        .enumerate()
        .map(|(i, name)| format!("<link name='{name}'><pose>{i} 0 0 0 0 0</pose></link>"))
        .collect();
    format!("<sdf version='1.9'><model name='m'>{links}{joints}</model></sdf>")
}

fn hinge(name: &str, parent: &str, child: &str) -> String {
    format!(
        "<joint name='{name}' type='revolute'><parent>{parent}</parent><child>{child}</child><axis><xyz>0 0 1</xyz></axis></joint>"
    )
}

#[test]
fn a_joint_that_closes_a_loop_becomes_a_closure() {
    let text = row(&(hinge("ab", "a", "b") + &hinge("bc", "b", "c") + &hinge("ac", "a", "c")));
    let mut world = world(&text).unwrap().value;
    let robot = world.robot(0).unwrap().model().clone();
    assert_eq!(robot.n_dofs(), 6 + 2);
    let [closure] = robot.loop_closures() else {
        panic!("one loop");
    };
    assert_eq!(
        (closure.name.as_str(), closure.kind),
        ("ac", LoopKind::Revolute)
    );

    // the first joint of a link holds it; closed as the file has it, and wherever c is not moved in a
    let mut state = State::new(&robot);
    let errors = kinematics::loop_errors(&robot, &state);
    assert_eq!(errors.len(), 5);
    assert!(errors.iter().all(|e| e.abs() < 1e-15), "{errors:?}");
    let mut q = robot.initial_config().to_vec();
    q[6] = 0.4;
    state.set_config(&robot, &q).unwrap();
    let open = kinematics::loop_errors(&robot, &state);
    assert!(open.iter().any(|e| e.abs() > 0.1), "{open:?}");

    // a prismatic one locks motions that no closure has
    let text = text.replace("name='ac' type='revolute'", "name='ac' type='prismatic'");
    let said = warnings(&text);
    let message = "joint `m::ac`: it closes a loop, and is left out";
    assert!(said.iter().any(|said| said.contains(message)), "{said:?}");
    world.robot_mut(0).unwrap().set_config(&q).unwrap();
}

#[test]
fn springs_are_those_of_the_links_that_joints_move() {
    let spring = "<xyz>0 0 1</xyz><dynamics><spring_stiffness>4</spring_stiffness><spring_reference>0.5</spring_reference></dynamics>";
    let text = row(&hinge("ab", "a", "b").replace("<xyz>0 0 1</xyz>", spring));
    let robot = world(&text)
        .unwrap()
        .value
        .robot(0)
        .unwrap()
        .model()
        .clone();
    let mut state = State::new(&robot);
    let mut q = robot.initial_config().to_vec();
    q[6] = 0.75;
    state.set_config(&robot, &q).unwrap();
    let forces = kinworld::dynamics::spring_forces(&robot, &state).unwrap();
    assert_eq!(forces, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0]);
}

#[test]
fn a_link_with_two_parents_hangs_on_one_and_holds_the_other() {
    // a → c ← b: b is moved about the same axis by the same angle, seen from c
    let text = row(&(hinge("ac", "a", "c") + &hinge("bc", "b", "c")));
    let mut world = world(&text).unwrap().value;
    let mut q = world.robot(0).unwrap().config().to_vec();
    assert_eq!(q.len(), 8);
    q[7] = 0.5;
    world.robot_mut(0).unwrap().set_config(&q).unwrap();
    let robot = world.robot(0).unwrap();
    let [b, c] = ["b", "c"].map(|name| robot.link(name).unwrap().pose());
    let turn = b.rotation.inverse() * c.rotation;
    assert!((turn.matrix()[(1, 0)] - 0.5_f64.sin()).abs() < 1e-12);
    // the origin of c stays in b, where the joint is
    let seen = b.inverse() * Point::from(c.translation.vector);
    assert!((seen - Point::new(1.0, 0.0, 0.0)).norm() < 1e-12, "{seen}");
}

#[test]
fn parts_that_no_joint_connects_are_elements_of_their_own() {
    let world = world(&row(&hinge("ab", "a", "b"))).unwrap().value;
    assert_eq!(world.robot(0).unwrap().name(), "m::a");
    assert_eq!(world.rigid_objects().next().unwrap().1.name, "m::c");
}

#[test]
fn names_that_do_not_exist_get_advice() {
    let said = refusal(&row(&hinge("ab", "a", "bb")));
    assert!(
        said.contains("no link, joint, frame or model is named `bb`"),
        "{said}"
    );
    let text = "<sdf version='1.9'><model name='m'><link name='a'><pose relative_to='f'/></link><frame name='f'><pose relative_to='a'/></frame></model></sdf>";
    assert!(
        refusal(text).contains("its pose refers to itself"),
        "{}",
        refusal(text)
    );
}

#[test]
fn what_is_left_out_is_said_once() {
    let plugin = "<plugin name='p' filename='x.so'/>";
    let text = format!(
        "<sdf version='1.9'><model name='m'><link name='a'/>{plugin}{plugin}<strange/></model></sdf>"
    );
    let said = warnings(&text);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("<plugin> of <model> is for a simulator and left out (2 times)"),
        "{said:?}"
    );
    assert!(
        said[1].contains("<strange> of <model> is not known and left out"),
        "{said:?}"
    );
}

#[test]
fn includes_in_a_circle_and_bombs_of_includes_are_refused() {
    let include = |uri: &str| format!("<include><uri>{uri}</uri></include>");
    let model = |inside: &str| {
        format!("<sdf version='1.9'><model name='m'><link name='a'/>{inside}</model></sdf>")
    };
    let load = |files: &[(&str, String)]| {
        let source = files.iter().fold(Source::memory(), |source, (name, text)| {
            source.with_file(name, text.clone().into_bytes())
        });
        let mut loader = Loader::new().with_source(source);
        loader.world("a.sdf").map(drop).unwrap_err().to_string()
    };
    let said = load(&[
        ("a.sdf", model(&include("b.sdf"))),
        ("b.sdf", model(&include("a.sdf"))),
    ]);
    assert!(said.contains("`a.sdf` includes itself"), "{said}");
    // 3^20 files, if they were read
    let names: Vec<String> = (0..20)
        .map(|i| format!("{}.sdf", (b'a' + i) as char))
        .collect();
    let files: Vec<(&str, String)> = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let next = names.get(i + 1).map_or(String::new(), |next| {
                (0..3)
                    .map(|k| format!("<include><uri>{next}</uri><name>n{k}</name></include>"))
                    .collect()
            });
            (name.as_str(), model(&next))
        })
        .collect();
    assert!(load(&files).contains("more than 1000 files are included"));
}

#[test]
fn files_outside_of_the_folder_are_not_read() {
    let root = folder();
    std::fs::create_dir_all(root.join("a/b")).unwrap();
    let model = "<sdf version='1.9'><model name='m'><link name='a'/></model></sdf>";
    std::fs::write(root.join("outside.sdf"), model).unwrap();
    let include = "<sdf version='1.9'><world name='w'><include><uri>../../outside.sdf</uri></include></world></sdf>";
    let world = root.join("a/b/world.sdf");
    std::fs::write(&world, include).unwrap();
    let said = WorldModel::load(&world).map(drop).unwrap_err().to_string();
    assert!(
        said.contains("is outside the folders whose files this file may name"),
        "{said}"
    );
    // a caller may allow it
    let options = LoadOptions::default().with_roots(vec![root.clone()]);
    assert!(Loader::with_options(options).world(&world).is_ok());
}

#[test]
fn gravity_of_another_place_is_a_property_with_a_warning() {
    let of = |z: &str| {
        let model = "<model name='m'><link name='a'/></model>";
        format!(
            "<sdf version='1.9'><world name='w'><gravity>0 0 {z}</gravity>{model}</world></sdf>"
        )
    };
    let moon = world(&of("-1.62")).unwrap();
    assert_eq!(moon.value.properties()["sdf.gravity"], "0 0 -1.62");
    assert!(warnings(&of("-1.62"))[0].contains("<gravity> is kept as a property"));
    assert!(warnings(&of("-9.8")).is_empty());
}

#[test]
fn a_long_chain_of_frames_is_read_in_time_that_grows_with_it() {
    // each frame in the one before: a walk to the root from each would take 10⁹ steps
    let n = 50_000;
    let mut text = String::from("<sdf version='1.9'><model name='m'><link name='a'/>");
    for i in 0..n {
        let before = match i {
            0 => "a".to_owned(),
            _ => format!("f{}", i - 1),
        };
        text += &format!(
            "<frame name='f{i}'><pose relative_to='{before}'>0.001 0 0 0 0 0</pose></frame>"
        );
    }
    text += &format!(
        "<link name='b'><pose relative_to='f{}'/></link></model></sdf>",
        n - 1
    );
    let world = world(&text).unwrap().value;
    let b = world
        .rigid_objects()
        .find(|(_, object)| object.name == "m::b");
    let x = b.expect("a loose link").1.pose.translation.vector.x;
    assert!((x - 50.0).abs() < 1e-6, "{x}");
}

#[test]
fn a_cone_is_a_hull_inside_it() {
    let text = "<sdf version='1.11'><model name='m'><static>true</static><link name='a'><collision name='c'>
<geometry><cone><radius>2</radius><length>3</length></cone></geometry></collision></link></model></sdf>";
    let world = world(text).unwrap().value;
    let cone = world.terrain("m").unwrap().geometry.as_ref().unwrap();
    // of a cone: 3/10 m r², a quarter of the height above the base
    let solid = cone.mass_properties(5.0, 0.0).unwrap();
    assert!((solid.com - Point::new(0.0, 0.0, -0.75)).norm() < 1e-12);
    let about_z = solid.moment.m33 / (0.3 * 5.0 * 4.0);
    assert!((about_z - 1.0).abs() < 4e-3 && about_z < 1.0, "{about_z}");
    let message = "a <cone> is a convex hull with 64 sides";
    assert!(warnings(text).iter().any(|said| said.contains(message)));
}

/// A static model with one shape.
fn shaped(geometry: &str) -> String {
    format!(
        "<sdf version='1.9'><model name='m'><static>true</static><link name='a'><collision name='c'>\
         <geometry>{geometry}</geometry></collision></link></model></sdf>"
    )
}

#[test]
fn polygons_are_extruded() {
    // an L, clockwise and closed
    let corners = ["0 0", "0 3", "1 3", "1 1", "2 1", "2 0", "0 0"];
    let points: String = corners
        .iter()
        .map(|p| format!("<point>{p}</point>"))
        .collect();
    let bar = "<polyline><point>3 0</point><point>4 0</point><point>4 1</point><point>3 1</point></polyline>";
    for (others, n_warnings) in [
        ("", 0),
        (bar, 0),
        (&bar.replace('3', "0.1").replace('4', "0.2"), 1),
    ] {
        let text = shaped(&format!(
            "<polyline>{points}<height>0.5</height></polyline>{others}"
        ));
        let loaded = world(&text).unwrap();
        let (id, _) = loaded.value.terrains().next().unwrap();
        let (shape, here) = (loaded.value.geometry(id).unwrap(), Pose::identity());
        let holds = |x: f64, y: f64, z: f64| {
            let at = (&shape.geometry, &here);
            query::contains_point(at, &Point::new(x, y, z)).unwrap()
        };
        for (x, y) in [(0.5, 2.5), (0.5, 0.5), (1.5, 0.5)] {
            assert!(holds(x, y, 0.25) && !holds(x, y, 0.51) && !holds(x, y, -0.01));
        }
        assert!(!holds(1.5, 1.5, 0.25) && !holds(-0.1, 1.0, 0.25) && !holds(2.5, 0.5, 0.25));
        // without <height> 1 m
        assert_eq!(holds(3.5, 0.5, 0.9), others == bar);
        let said = warnings(&text);
        assert_eq!(said.len(), n_warnings, "{said:?}");
        assert!(
            said.iter().all(|line| line.contains("is no hole here")),
            "{said:?}"
        );
    }
    // so many that it is not looked for whether one is inside another
    let far = |k: usize| {
        let x = 10 * k;
        format!(
            "<polyline><point>{x} 0</point><point>{} 0</point><point>{x} 1</point></polyline>",
            x + 1
        )
    };
    let many: String = (0..3000).map(far).collect();
    let said = warnings(&shaped(&many));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("is no hole here"), "{said:?}");

    // closed and counted from outside: its mass is that of its volume
    let loaded = world(&shaped(&format!(
        "<polyline>{points}<height>0.5</height></polyline>"
    )))
    .unwrap();
    let (id, _) = loaded.value.terrains().next().unwrap();
    let shape = loaded.value.geometry(id).unwrap();
    let com = shape.geometry.mass_properties(1.0, 0.0).unwrap().com;
    // 3 m² about (0.5, 1.5) and 1 m² about (1.5, 0.5)
    assert!((com - Point::new(0.75, 1.25, 0.25)).norm() < 1e-9, "{com}");
}

#[cfg(feature = "heightmap")]
#[test]
fn an_image_of_heights_is_a_solid() {
    let image = std::fs::read(data("formats/hill.png")).unwrap();
    let load = |geometry: &str| {
        let source = Source::memory()
            .with_file("model.sdf", shaped(geometry).into_bytes())
            .with_file("hill.png", image.clone())
            .with_file("dem.tif", b"II*".to_vec());
        Loader::new().with_source(source).world("model.sdf")
    };
    let loaded =
        load("<heightmap><uri>hill.png</uri><size>4 2 5</size><pos>1 0 0.5</pos></heightmap>");
    let loaded = loaded.unwrap();
    assert!(loaded.diagnostics.is_empty());
    let (id, _) = loaded.value.terrains().next().unwrap();
    let (shape, here) = (loaded.value.geometry(id).unwrap(), Pose::identity());
    let height = |x: f64, y: f64| {
        let down = -kinworld::Vector::z();
        let at = (&shape.geometry, &here);
        let hit = query::ray_cast(at, &Point::new(x, y, 20.0), &down, 100.0).unwrap();
        hit.map(|hit| hit.point.z)
    };
    // the rows of the image are at +y and -y: 0 to 0.4 and 0.6 to 1 of the height
    for (x, y, expected) in [
        (-0.999, 0.999, 0.5),
        (1.0, 0.999, 1.5),
        (2.999, 0.999, 2.5),
        (-0.999, -0.999, 3.5),
        (1.0, -0.999, 4.5),
        (2.999, -0.999, 5.5),
    ] {
        let found = height(x, y).unwrap();
        assert!((found - expected).abs() < 0.01, "{x} {y}: {found}");
    }
    assert!(height(-1.01, 0.0).is_none() && height(1.0, 1.01).is_none());
    let at = (&shape.geometry, &here);
    for (z, inside) in [(-9.4, true), (-9.6, false)] {
        assert_eq!(
            query::contains_point(at, &Point::new(1.0, 0.0, z)).unwrap(),
            inside
        );
    }

    for (uri, problem) in [
        ("dem.tif", "height map dem.tif: is not a PNG or JPEG image"),
        ("none.png", "`none.png`"),
    ] {
        let loaded = load(&format!(
            "<heightmap><uri>{uri}</uri><texture/></heightmap>"
        ))
        .unwrap();
        let said: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
        assert!(
            said.iter()
                .any(|line| line.contains(problem) && line.contains("it is left out")),
            "{said:?}"
        );
        assert!(
            said.iter().any(|line| line.contains("<texture>")),
            "{said:?}"
        );
    }
}
