//! Contact points of colliding pairs: `contacts`.

use kinworld::geometry::{Geometry, query};
use kinworld::world::Workspace;
use kinworld::{EntityId, Pose};
use serde_json::{Value, json};

use crate::json::{number, numbers};
use crate::missing;
use crate::request::{Posture, Refusal};
use crate::session::Session;

/// Points, normal and depth of each colliding pair; none for a shape that is inside of a solid one, away from its surface.
pub(super) fn contacts(
    session: &Session,
    posture: &Posture,
    max: Option<usize>,
) -> Result<Value, Refusal> {
    let world = &session.world;
    let mut workspace = session.workspace(posture)?;
    let mut pairs = Vec::new();
    let collider = session.collider()?;
    collider.colliding_pairs_with(&mut workspace, &mut pairs);

    let ids = world.klampt_ids();
    let mut all = Vec::new();
    for (a, b) in pairs {
        let (shape_a, x_a) = placed(session, &workspace, a)?;
        let (shape_b, x_b) = placed(session, &workspace, b)?;
        let found = query::contacts(
            (&shape_a, &x_a),
            (&shape_b, &x_b),
            0.0,
            max.unwrap_or(MOST_POINTS),
        )?;
        let points = found.iter().map(|contact| {
            json!({
                "on_a": numbers(&contact.point_a.coords),
                "on_b": numbers(&contact.point_b.coords),
                "normal": numbers(&contact.normal),
                "depth": number(contact.depth),
            })
        });
        all.push(json!({
            "pair": [world.name(a)?, world.name(b)?],
            "ids": [ids.number(a), ids.number(b)],
            "points": points.collect::<Value>(),
        }));
    }
    Ok(missing::with(
        json!({ "contacts": all }),
        &session.missing()?,
    ))
}

/// Geometry of an element, and its pose in a workspace.
fn placed(
    session: &Session,
    workspace: &Workspace,
    entity: EntityId,
) -> Result<(Geometry, Pose), Refusal> {
    let world = &session.world;
    let missing = || Refusal("a pair without collision geometry".to_owned());
    let shape = world.geometry(entity).ok_or_else(missing)?;
    let pose = match entity {
        EntityId::RigidObject(id) => workspace.pose(id)?,
        EntityId::Link(robot, link) => {
            let model = world.robot(robot)?.model();
            workspace.state(robot)?.pose(model, link)
        }
        _ => Pose::identity(),
    };
    Ok((shape.geometry, pose))
}

/// Default maximum number of points of a pair.
const MOST_POINTS: usize = 16;
