//! The nearest pairs, and the tables of `distance` and `ray`.

use kinworld::Vector;
use kinworld::world::WorldDistance;
use serde_json::{Value, json};

use super::{Answer, collision};
use crate::json::{number, numbers};
use crate::missing;
use crate::request::{Key, Posture, Refusal};
use crate::session::Session;
use crate::table::{self, Table, real};

/// Distance of two elements.
#[derive(Debug)]
pub(crate) struct Distance {
    answer: Value,
    /// Names of elements without geometry.
    missing: Vec<String>,
}

impl Distance {
    pub(crate) fn of(
        session: &Session,
        posture: &Posture,
        a: &Key,
        b: &Key,
    ) -> Result<Self, Refusal> {
        Ok(Self {
            answer: collision::distance(session, posture, a, b)?,
            missing: session.missing()?,
        })
    }
}

impl Answer for Distance {
    fn json(&self) -> Value {
        self.answer.clone()
    }

    fn text(&self) -> String {
        table([&self.answer]) + &missing::line(&self.missing)
    }
}

/// Enabled pairs of a world with the least distance, nearest first.
#[derive(Debug)]
pub(crate) struct Nearest {
    pairs: Vec<Value>,
    /// Names of elements without geometry.
    missing: Vec<String>,
}

impl Nearest {
    /// The `n` nearest pairs, or all if there are fewer.
    pub(crate) fn of(session: &Session, posture: &Posture, n: usize) -> Result<Self, Refusal> {
        let mut workspace = session.workspace(posture)?;
        let collider = session.collider()?;
        let mut nearest = Vec::new();
        collider.nearest_pairs_with(n, &mut workspace, &mut nearest);
        let pair = |found: &WorldDistance| -> Result<Value, Refusal> {
            Ok(json!({
                "pair": [session.world.name(found.a)?, session.world.name(found.b)?],
                "distance": number(found.distance),
                "on_a": found.on_a.map(|p| numbers(&p.coords)),
                "on_b": found.on_b.map(|p| numbers(&p.coords)),
                "normal": normal(found).map(|normal| numbers(&normal)),
            }))
        };
        Ok(Self {
            pairs: nearest.iter().map(pair).collect::<Result<_, _>>()?,
            missing: session.missing()?,
        })
    }
}

impl Answer for Nearest {
    fn json(&self) -> Value {
        missing::with(json!({ "pairs": self.pairs }), &self.missing)
    }

    fn text(&self) -> String {
        let pairs = match self.pairs.as_slice() {
            [] => "no pair of elements with collision geometry is enabled\n".to_owned(),
            pairs => table(pairs),
        };
        pairs + &missing::line(&self.missing)
    }
}

/// First hit of a ray.
#[derive(Debug)]
pub(crate) struct Ray {
    answer: Value,
    /// Names of elements without geometry.
    missing: Vec<String>,
}

impl Ray {
    pub(crate) fn of(
        session: &Session,
        posture: &Posture,
        origin: [f64; 3],
        direction: [f64; 3],
    ) -> Result<Self, Refusal> {
        Ok(Self {
            answer: collision::ray(session, posture, origin, direction)?,
            missing: session.missing()?,
        })
    }
}

impl Answer for Ray {
    fn json(&self) -> Value {
        self.answer.clone()
    }

    fn text(&self) -> String {
        let missing = missing::line(&self.missing);
        let Some(hit) = self.answer["hit"].as_str() else {
            return "no hit\n".to_owned() + &missing;
        };
        let mut table = Table::new([
            table::words("hit"),
            table::numbers("distance [m]"),
            table::numbers("point [m]"),
            table::numbers("normal"),
        ]);
        table.row([
            hit.to_owned(),
            cell(&self.answer["distance"]),
            cell(&self.answer["point"]),
            cell(&self.answer["normal"]),
        ]);
        table.to_string() + &missing
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
