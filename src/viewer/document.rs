//! The data of a page, and its text.

use serde_json::{Value, json};

use super::pack::Pack;
use super::{Page, bodies, columns, quantize, robots};
use crate::Result;
use crate::math::Pose;
use crate::scene::{Body, Detail, Scene};
use crate::world::{EntityId, RobotId, WorldModel};

/// The page around its data: made of `viewer/src` by `npm run build` in `viewer`.
const PAGE: &str = include_str!("../../viewer/dist/page.html");
/// Where the data goes.
const PLACE: &str = "@@KINWORLD@DATA@@";
/// The page of a live view.
const LIVE: &str = include_str!("../../viewer/dist/live.html");
/// Where the server goes that it may talk to.
const SERVER: &str = "@@KINWORLD@SERVER@@";
/// Where the data goes of a live page that has the library in it.
const LOCAL: &str = "@@KINWORLD@LOCAL@@";
/// Whom a live page may talk to.
#[cfg(feature = "live")]
const CONNECT: &str = "connect-src @@KINWORLD@SERVER@@; ";

/// All data of a page.
pub(super) fn of(page: &Page<'_>) -> Result<Value> {
    let world = page.world;
    let scene = Scene::new(world, Detail::Fine, page.has_collision_shapes);
    let order = bodies::order(world);
    let mut pack = Pack::default();
    let meshes: Value = scene
        .meshes
        .iter()
        .map(|mesh| quantize::mesh(mesh, &mut pack))
        .collect();
    let materials = scene.materials.iter();
    let ids: Vec<RobotId> = world.robots().map(|robot| robot.id()).collect();
    let mut first = 0;
    let mut all = Vec::new();
    for robot in world.robots() {
        all.push(robots::robot(robot, first));
        first += robot.n_links();
    }
    let motion = page.motion.json(&order, &ids, &mut pack);
    let n_times = page.motion.times.len();
    let contacts = page.motion.contacts.json(n_times, &mut pack)?;
    let forces = page.forces.json(n_times, &mut pack)?;
    let plots = columns::json(&page.plots, page.motion.times.len(), &mut pack)?;
    let others = scene
        .bodies
        .iter()
        .filter_map(|body| object(world, body, &ids));
    let data = json!({
        "version": 1,
        "title": page.title,
        "generator": concat!("kinworld ", env!("CARGO_PKG_VERSION")),
        "materials": materials.map(|material| json!(material.color)).collect::<Value>(),
        "meshes": meshes,
        "robots": all,
        "objects": others.collect::<Value>(),
        "shapes": scene.bodies.iter().map(bodies::shapes).collect::<Value>(),
        "motion": motion,
        "plots": plots,
        "contacts": contacts,
        "forces": forces,
        "collisions": page.collisions,
        "notes": page.notes.iter().map(|note| note.json()).collect::<Value>(),
        "left_out": scene.left_out,
        "buffer": pack.base64(),
    });
    Ok(data)
}

/// A rigid object or a terrain as data; nothing for a link.
fn object(world: &WorldModel, body: &Body, robots: &[RobotId]) -> Option<Value> {
    let id = match body.entity {
        EntityId::RigidObject(id) => id,
        EntityId::Terrain(_) => return Some(json!({ "name": body.name, "kind": "terrain" })),
        EntityId::Robot(_) | EntityId::Link(..) => return None,
    };
    let object = world.rigid_object(id).ok()?;
    let mut value = json!({
        "name": body.name,
        "kind": "rigid object",
        "inertia": bodies::inertia(&object.inertia),
    });
    if object.pose != Pose::identity() {
        value["pose"] = bodies::pose(&object.pose);
    }
    if let Some(attachment) = world.attachment(id) {
        let robot = robots.iter().position(|id| *id == attachment.robot());
        value["attached"] = json!({
            "robot": robot,
            "link": attachment.link().index(),
            "placement": bodies::pose(attachment.pose_in_link()),
        });
    }
    Some(value)
}

/// The page of data, which cannot end its element: no `<` is left in it.
pub(super) fn html(data: &Value) -> String {
    let data = data.to_string().replace('<', "\\u003c");
    let (before, after) = PAGE.split_once(PLACE).unwrap_or((PAGE, ""));
    [before, &data, after].concat()
}

/// The live page of data that has the library in it.
#[cfg(feature = "live")]
pub(super) fn local(data: &Value, module: &str, world: &str) -> String {
    let data = data.to_string().replace('<', "\\u003c");
    let parts = format!(
        "<script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script type=\"text/plain\" id=\"module\">{module}</script>\n\
         <script type=\"text/plain\" id=\"world\">{world}</script>"
    );
    // it asks nobody, and runs the module
    let page =
        LIVE.replacen(CONNECT, "", 1)
            .replacen("script-src ", "script-src 'wasm-unsafe-eval' ", 1);
    let (before, after) = page.split_once(LOCAL).unwrap_or((&page, ""));
    [before, &parts, after].concat()
}

/// The live page of a server.
pub(super) fn live(host: &str) -> String {
    // nothing but a host and a port ends up in the policy
    let is_of_host = |c: &char| c.is_ascii_alphanumeric() || ".:-[]".contains(*c);
    let host: String = host.chars().filter(is_of_host).collect();
    LIVE.replace(SERVER, &format!("http://{host} ws://{host}"))
        .replacen(LOCAL, "", 1)
}
