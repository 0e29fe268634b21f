//! Pages: their data is that of the world, and nothing in it is markup.

mod poses;

use kinworld::kinematics::Samples;
use kinworld::viewer::{Page, Plot, live_page};
use kinworld::world::{PairFilter, RigidObject, WorldCollider};
use kinworld::{Diagnostic, Error, Geometry, Point, Pose, WorldModel};
use serde_json::{Value, json};

use crate::common::files::{data, files_below};

/// The data in a page.
fn data_of(page: &Page<'_>) -> Value {
    let html = page.html().unwrap();
    let (_, rest) = html
        .split_once("<script type=\"application/json\" id=\"data\">")
        .unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    assert!(!data.contains('<'));
    serde_json::from_str(data).unwrap()
}

#[test]
fn a_page_is_one_file_with_a_strict_policy_and_the_licences_of_its_parts() {
    let world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let html = Page::new(&world).html().unwrap();
    assert!(html.starts_with("<!doctype html>"));
    assert!(html.contains("content=\"default-src 'none'; script-src 'sha256-"));
    assert!(!html.contains("unsafe"));
    // everything is inside
    for mark in [" src=", "<link", "@import", "url("] {
        let head = html.split("<script").next().unwrap();
        assert!(!head.contains(mark), "{mark}");
    }
    assert!(html.contains("three.js authors") && html.contains("Leon Sorokin"));
    assert!(html.len() < 800_000, "{}", html.len());
}

#[test]
fn names_and_titles_cannot_end_their_element() {
    let evil = "</script><script>alert(1)</script><!--";
    let mut world = WorldModel::new();
    world.add_rigid_object(RigidObject::new(evil)).unwrap();
    let page = Page::new(&world).with_text(evil);
    let data = data_of(&page);
    assert_eq!(data["title"], evil);
    assert_eq!(data["objects"][0]["name"], evil);
    assert_eq!(data["notes"][0]["text"], evil);
    assert_eq!(page.html().unwrap().matches("<script").count(), 2);
}

#[test]
fn a_live_page_has_no_data_and_talks_to_its_server_only() {
    let world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let page = Page::new(&world);
    let alone: Value = serde_json::from_str(&page.data().unwrap()).unwrap();
    assert_eq!(alone, data_of(&page));

    let html = live_page("127.0.0.1:8080");
    assert!(!html.contains("application/json"));
    assert!(html.contains("connect-src http://127.0.0.1:8080 ws://127.0.0.1:8080; base-uri"));
    assert!(html.contains("content=\"default-src 'none'; script-src 'sha256-"));
    assert!(!html.contains("unsafe-") && !html.contains("@@"));
    // a host cannot widen the policy, nor end its attribute
    let wide = live_page("a:1; script-src *\"><script>");
    assert!(
        wide.contains("connect-src http://a:1script-srcscript ws://a:1script-srcscript; base-uri")
    );
    assert_eq!(
        wide.matches("<script").count(),
        html.matches("<script").count()
    );
}

#[test]
fn every_file_of_the_project_has_a_page() {
    let mut n = 0;
    for folder in [
        "robots", "worlds", "objects", "terrains", "meshes", "formats",
    ] {
        for file in files_below(&data(folder)) {
            let Ok(loaded) = WorldModel::load(&file) else {
                continue;
            };
            let world = loaded.value;
            let data = data_of(&Page::new(&world));
            let n_links: usize = world.robots().map(|robot| robot.n_links()).sum();
            let n_bodies = n_links + world.n_rigid_objects() + world.n_terrains();
            assert_eq!(data["shapes"].as_array().unwrap().len(), n_bodies);
            n += 1;
        }
    }
    assert!(n > 30, "{n}");
}

#[test]
fn a_shape_that_two_links_share_is_sent_once() {
    let ball = Geometry::load(data("meshes/ball.obj")).unwrap().value;
    let mut world = WorldModel::new();
    for name in ["a", "b"] {
        let mut object = RigidObject::new(name);
        object.geometry = Some(ball.clone());
        world.add_rigid_object(object).unwrap();
    }
    let data = data_of(&Page::new(&world));
    assert_eq!(data["meshes"].as_array().unwrap().len(), 1);
    assert_eq!(
        data["shapes"][1]["visual"],
        json!([{"mesh": 0, "material": 0}])
    );
}

#[test]
fn collisions_of_a_motion_are_those_of_the_collider() {
    let mut world = WorldModel::load(data("robots/planar3R.rob")).unwrap().value;
    let mut ball = RigidObject::new("ball");
    ball.geometry = Some(
        kinworld::geometry::Primitive::sphere(Point::origin(), 0.2)
            .unwrap()
            .into(),
    );
    ball.pose = Pose::translation(2.5, 0.0, 1.0);
    world.add_rigid_object(ball).unwrap();
    let robot = world.robots().next().unwrap().id();
    let rows: Vec<Vec<f64>> = (0..20)
        .map(|i| vec![0.05 * f64::from(i), 0.0, 0.0])
        .collect();
    let times: Vec<f64> = (0..20).map(f64::from).collect();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let page = Page::new(&world)
        .with_motion(robot, &Samples::new(times, rows.clone()))
        .unwrap()
        .with_collisions(&collider)
        .unwrap();
    let data = data_of(&page);
    assert_eq!(data["collisions"], json!([]));
    let changes = data["motion"]["collisions"].as_array().unwrap().clone();
    let mut ws = collider.workspace();
    let mut n_hits = 0;
    for (i, q) in rows.iter().enumerate() {
        ws.set_config(robot, q).unwrap();
        let mut pairs = Vec::new();
        collider.colliding_pairs_with(&mut ws, &mut pairs);
        let shown = changes
            .iter()
            .rev()
            .find(|change| change[0].as_u64().unwrap() <= i as u64);
        let shown = shown.unwrap()[1].as_array().unwrap();
        assert_eq!(shown.len(), pairs.len(), "{i}");
        n_hits += pairs.len();
    }
    assert!(n_hits > 2);
    assert!(changes.len() < 20);
}

#[test]
fn motions_and_plots_that_do_not_fit_are_refused() {
    let world = WorldModel::load(data("robots/planar3R.rob")).unwrap().value;
    let robot = world.robots().next().unwrap().id();
    let with = |times: &[f64], rows: &[Vec<f64>]| {
        Page::new(&world)
            .with_motion(robot, &Samples::new(times.to_vec(), rows.to_vec()))
            .map(|_| ())
    };
    let row = vec![0.0; 3];
    assert!(matches!(with(&[], &[]), Err(Error::Invalid { .. })));
    assert!(matches!(
        with(&[0.0, 0.0], &[row.clone(), row.clone()]),
        Err(Error::Invalid { .. })
    ));
    assert!(matches!(
        with(&[0.0], &[row.clone(), row.clone()]),
        Err(Error::Invalid { .. })
    ));
    assert!(matches!(
        with(&[0.0], &[vec![0.0; 2]]),
        Err(Error::Length { .. })
    ));
    assert!(matches!(
        with(&[0.0], &[vec![f64::NAN; 3]]),
        Err(Error::Invalid { .. })
    ));
    let page = Page::new(&world)
        .with_motion(robot, &Samples::new(vec![0.0], vec![row]))
        .unwrap();
    let page = page.with_plot(Plot::new("force", "N").with_curve("x", vec![1.0, 2.0]));
    assert!(matches!(page.html(), Err(Error::Invalid { .. })));
}

#[test]
fn diagnostics_keep_place_and_help() {
    let world = WorldModel::new();
    let said = Diagnostic::warning("`elbow` is odd")
        .at("arm.urdf", 3, 7)
        .help("look at it");
    let data = data_of(&Page::new(&world).with_diagnostics(&[said]));
    let note = &data["notes"][0];
    assert_eq!(
        (&note["severity"], &note["place"], &note["help"]),
        (
            &json!("warning"),
            &json!("arm.urdf:3:7"),
            &json!("look at it")
        )
    );
}

#[cfg(feature = "live")]
#[test]
fn a_live_page_has_the_library_and_asks_nobody() {
    let world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let page = Page::new(&world).with_live(false);
    let html = page.html().unwrap();
    let (head, _) = html.split_once("<title>").unwrap();
    assert!(head.contains("content=\"default-src 'none'; script-src 'wasm-unsafe-eval' 'sha256-"));
    assert!(!head.contains("connect-src") && !html.contains("KINWORLD@"));
    for id in ["data", "module", "world"] {
        assert_eq!(html.matches(&format!("id=\"{id}\">")).count(), 1, "{id}");
    }
    assert!(html.len() < 3_000_000, "{}", html.len());
    // those of a server have none of it
    assert!(!live_page("127.0.0.1:80").contains("KINWORLD@"));
}

#[test]
fn contact_points_and_forces_are_those_of_the_library() {
    use kinworld::Vector;
    use kinworld::geometry::{Primitive, query};
    let mut world = WorldModel::new();
    let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    for (name, x) in [("a", 0.0), ("b", 0.75)] {
        let mut object = RigidObject::new(name);
        object.geometry = Some(ball.clone());
        object.pose = Pose::translation(x, 0.0, 0.0);
        world.add_rigid_object(object).unwrap();
    }
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let page = Page::new(&world).with_collisions(&collider).unwrap();
    let force = vec![(Point::new(1.0, 2.0, 3.0), Vector::new(0.0, 0.0, -9.81))];
    let page = page.with_forces(std::slice::from_ref(&force)).unwrap();
    let value = data_of(&page);
    assert_eq!(value["contacts"]["starts"], json!([0, 1]));
    assert_eq!(value["forces"]["starts"], json!([0, 1]));
    let (here, there) = (Pose::identity(), Pose::translation(0.75, 0.0, 0.0));
    let found = query::contacts((&ball, &here), (&ball, &there), 0.0, 8).unwrap();
    assert!((found[0].depth - 0.25).abs() < 1e-12);

    // one list per time, and finite numbers
    let object = world.rigid_objects().next().unwrap().0;
    let still = [Pose::identity(), Pose::identity()];
    let moving = Page::new(&world)
        .with_object_motion(object, &[0.0, 1.0], &still)
        .unwrap();
    let short = moving
        .clone()
        .with_forces(std::slice::from_ref(&force))
        .unwrap();
    let message = short.html().unwrap_err().to_string();
    assert!(message.contains("1 lists for 2 times"), "{message}");
    assert!(
        moving
            .clone()
            .with_forces(&[force.clone(), Vec::new()])
            .unwrap()
            .html()
            .is_ok()
    );
    let endless = vec![(Point::origin(), Vector::new(f64::NAN, 0.0, 0.0))];
    let message = moving.with_forces(&[endless]).unwrap_err().to_string();
    assert!(message.contains("not finite"), "{message}");
}

#[test]
fn an_excerpt_is_text_beside_its_diagnostic() {
    let world = WorldModel::new();
    let item = Diagnostic::warning("odd");
    let page = Page::new(&world).with_excerpt(&item, "  3 | <a>\n    | ^\n");
    assert_eq!(
        data_of(&page)["notes"][0]["excerpt"],
        "  3 | <a>\n    | ^\n"
    );
}
