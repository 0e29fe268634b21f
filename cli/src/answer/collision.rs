//! Collisions and distances: `collide`, `distance`, `ray`.

use kinworld::EntityId;
use serde_json::{Value, json};

use super::Answer;
use crate::json::{number, numbers};
use crate::missing;
use crate::request::{Key, Posture, Refusal};
use crate::session::Session;
use crate::table::{self, Table, count};

/// All pairs that collide, each once.
#[derive(Debug)]
pub(crate) struct Collide {
    pairs: Vec<[Element; 2]>,
    /// Link to which the answer is restricted.
    link: Option<Element>,
    /// Names of elements without geometry.
    missing: Vec<String>,
}

/// Element of a colliding pair.
#[derive(Debug)]
struct Element {
    name: String,
    /// Klampt id.
    id: usize,
}

impl Collide {
    /// Tests every enabled pair of the world.
    pub(crate) fn of(session: &Session, posture: &Posture) -> Result<Self, Refusal> {
        let mut workspace = session.workspace(posture)?;
        let mut pairs = Vec::new();
        let collider = session.collider()?;
        collider.colliding_pairs_with(&mut workspace, &mut pairs);

        let ids = session.world.klampt_ids();
        let element = |entity: EntityId| -> Result<Element, Refusal> {
            let name = session.world.name(entity)?;
            let id = ids.number(entity).unwrap_or_default();
            Ok(Element { name, id })
        };
        let pairs = pairs
            .into_iter()
            .map(|(a, b)| Ok([element(a)?, element(b)?]));
        Ok(Self {
            pairs: pairs.collect::<Result<_, Refusal>>()?,
            link: None,
            missing: session.missing()?,
        })
    }

    /// Restricts the answer to the pairs of one link, if given.
    pub(crate) fn showing(
        mut self,
        session: &Session,
        posture: &Posture,
        key: Option<&Key>,
    ) -> Result<Self, Refusal> {
        if let Some(key) = key {
            let robot = session.robot(posture.robot.as_ref())?;
            let entity = EntityId::Link(robot.id(), session.link(robot, key)?.id());
            let name = session.world.name(entity)?;
            let id = session.world.klampt_ids().number(entity);
            let id = id.unwrap_or_default();
            self.link = Some(Element { name, id });
        }
        Ok(self)
    }
}

impl Collide {
    /// The pairs that are shown.
    fn shown(&self) -> impl Iterator<Item = &[Element; 2]> {
        self.pairs.iter().filter(|pair| {
            let link = self.link.as_ref();
            link.is_none_or(|link| pair.iter().any(|element| element.id == link.id))
        })
    }
}

impl Answer for Collide {
    fn json(&self) -> Value {
        let names = |[a, b]: &[Element; 2]| json!([a.name, b.name]);
        let ids = |[a, b]: &[Element; 2]| json!([a.id, b.id]);
        let answer = json!({
            "pairs": self.shown().map(names).collect::<Value>(),
            "ids": self.shown().map(ids).collect::<Value>(),
        });
        missing::with(answer, &self.missing)
    }

    fn text(&self) -> String {
        self.table() + &missing::line(&self.missing)
    }
}

impl Collide {
    fn table(&self) -> String {
        let shown: Vec<_> = self.shown().collect();
        if shown.is_empty() {
            return match &self.link {
                None => "no collisions\n".to_owned(),
                Some(link) => format!("no collisions with {}\n", link.name),
            };
        }
        let mut table = Table::new([
            table::numbers("id"),
            table::words("element"),
            table::numbers("id"),
            table::words("collides with"),
        ]);
        for [a, b] in &shown {
            let cells = [a, b].map(|element| [element.id.to_string(), element.name.clone()]);
            table.row(cells.into_iter().flatten());
        }
        format!("{}\n{table}", count(shown.len(), "colliding pair"))
    }
}

/// Distance of two elements, of a robot by its nearest link: 0, without points, where they overlap, as an element does with
/// itself.
pub(super) fn distance(
    session: &Session,
    posture: &Posture,
    a: &Key,
    b: &Key,
) -> Result<Value, Refusal> {
    let mut workspace = session.workspace(posture)?;
    let (a, b) = (with_geometry(session, a)?, with_geometry(session, b)?);
    let found = session.collider()?.distance_with(a, b, &mut workspace)?;
    let answer = json!({
        "distance": number(found.distance),
        "on_a": found.on_a.map(|p| numbers(&p.coords)),
        "on_b": found.on_b.map(|p| numbers(&p.coords)),
        "normal": super::distance::normal(&found).map(|normal| numbers(&normal)),
        "pair": [session.world.name(found.a)?, session.world.name(found.b)?],
    });
    Ok(missing::with(answer, &session.missing()?))
}

/// First hit of a ray.
pub(super) fn ray(
    session: &Session,
    posture: &Posture,
    origin: [f64; 3],
    direction: [f64; 3],
) -> Result<Value, Refusal> {
    let mut workspace = session.workspace(posture)?;
    let collider = session.collider()?;
    let found = collider.ray_cast_with(&origin.into(), &direction.into(), &mut workspace)?;
    let Some(found) = found else {
        let none = json!({ "hit": null, "point": null, "distance": null, "normal": null });
        return Ok(missing::with(none, &session.missing()?));
    };
    let answer = json!({
        "hit": session.world.name(found.entity)?,
        "point": numbers(&found.hit.point.coords),
        "distance": number(found.hit.distance),
        "normal": numbers(&found.hit.normal),
    });
    Ok(missing::with(answer, &session.missing()?))
}

/// Element of a key, if it has collision geometry.
fn with_geometry(session: &Session, key: &Key) -> Result<EntityId, Refusal> {
    let world = &session.world;
    let entity = session.entity(key)?;
    let has_shape = match entity {
        EntityId::Robot(id) => world
            .robot(id)?
            .links()
            .any(|link| link.geometry().is_some()),
        _ => world.geometry(entity).is_some(),
    };
    if has_shape {
        return Ok(entity);
    }
    let name = world.name(entity)?;
    Err(Refusal(format!("`{name}` has no collision geometry")))
}
