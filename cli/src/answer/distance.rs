//! The nearest pairs, and the tables of `distance` and `ray`.

use kinworld::Vector;
use kinworld::world::WorldDistance;
use serde_json::{Value, json};

use super::{Answer, collision};
use crate::json::{number, numbers};
use crate::request::{Key, Posture, Refusal};
use crate::session::Session;
use crate::table::{self, Table, real};

/// Distance of two elements.
#[derive(Debug)]
pub(crate) struct Distance(Value);

impl Distance {
    pub(crate) fn of(
        session: &Session,
        posture: &Posture,
        a: &Key,
        b: &Key,
    ) -> Result<Self, Refusal> {
        collision::distance(session, posture, a, b).map(Self)
    }
}

impl Answer for Distance {
    fn json(&self) -> Value {
        self.0.clone()
    }

    fn text(&self) -> String {
        table([&self.0])
    }
}

/// Enabled pairs of a world with the least distance, nearest first.
#[derive(Debug)]
pub(crate) struct Nearest(Vec<Value>);

impl Nearest {
    /// Measures every enabled pair, and keeps at most `n`.
    pub(crate) fn of(session: &Session, posture: &Posture, n: usize) -> Result<Self, Refusal> {
        let mut workspace = session.workspace(posture)?;
        let collider = session.collider()?;
        let mut nearest: Vec<WorldDistance> = Vec::new();
        for (a, b) in collider.pairs() {
            let found = collider.distance_with(a, b, &mut workspace)?;
            let at = nearest.partition_point(|other| other.distance <= found.distance);
            if at < n {
                nearest.truncate(n - 1);
                nearest.insert(at, found);
            }
        }
        let pair = |found: &WorldDistance| -> Result<Value, Refusal> {
            Ok(json!({
                "pair": [session.world.name(found.a)?, session.world.name(found.b)?],
                "distance": number(found.distance),
                "on_a": found.on_a.map(|p| numbers(&p.coords)),
                "on_b": found.on_b.map(|p| numbers(&p.coords)),
                "normal": normal(found).map(|normal| numbers(&normal)),
            }))
        };
        Ok(Self(nearest.iter().map(pair).collect::<Result<_, _>>()?))
    }
}

impl Answer for Nearest {
    fn json(&self) -> Value {
        json!({ "pairs": self.0 })
    }

    fn text(&self) -> String {
        if self.0.is_empty() {
            return "no pair of elements with collision geometry is enabled\n".to_owned();
        }
        table(&self.0)
    }
}

/// First hit of a ray.
#[derive(Debug)]
pub(crate) struct Ray(Value);

impl Ray {
    pub(crate) fn of(
        session: &Session,
        posture: &Posture,
        origin: [f64; 3],
        direction: [f64; 3],
    ) -> Result<Self, Refusal> {
        collision::ray(session, posture, origin, direction).map(Self)
    }
}

impl Answer for Ray {
    fn json(&self) -> Value {
        self.0.clone()
    }

    fn text(&self) -> String {
        let Some(hit) = self.0["hit"].as_str() else {
            return "no hit\n".to_owned();
        };
        let mut table = Table::new([
            table::words("hit"),
            table::numbers("distance [m]"),
            table::numbers("point [m]"),
            table::numbers("normal"),
        ]);
        table.row([
            hit.to_owned(),
            cell(&self.0["distance"]),
            cell(&self.0["point"]),
            cell(&self.0["normal"]),
        ]);
        table.to_string()
    }
}

/// Unit vector from the nearest point of the first element to that of the second, where they are apart.
pub(super) fn normal(found: &WorldDistance) -> Option<Vector> {
    let (on_a, on_b) = (found.on_a?, found.on_b?);
    (on_b - on_a).try_normalize(0.0)
}

/// A row per pair.
fn table<'a>(pairs: impl IntoIterator<Item = &'a Value>) -> String {
    let mut table = Table::new([
        table::words("a"),
        table::words("b"),
        table::numbers("distance [m]"),
        table::numbers("on a [m]"),
        table::numbers("on b [m]"),
        table::numbers("normal"),
    ]);
    for pair in pairs {
        let name = |i: usize| pair["pair"][i].as_str().unwrap_or_default().to_owned();
        table.row([
            name(0),
            name(1),
            cell(&pair["distance"]),
            cell(&pair["on_a"]),
            cell(&pair["on_b"]),
            cell(&pair["normal"]),
        ]);
    }
    table.to_string()
}

/// A number, or numbers with commas; a dash for null.
fn cell(value: &Value) -> String {
    match value {
        Value::Array(list) => list.iter().map(cell).collect::<Vec<_>>().join(","),
        Value::String(word) => word.clone(),
        value => value.as_f64().map_or_else(|| "-".to_owned(), real),
    }
}
