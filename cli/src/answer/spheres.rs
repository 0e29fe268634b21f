//! Sphere covers of links: `spherize`, `spheres`.

use kinworld::geometry::Sphere;
use kinworld::world::{SpherizeOptions, Spherized};
use serde_json::{Value, json};

use super::Answer;
use crate::json::{number, numbers};
use crate::missing;
use crate::request::{Key, Refusal};
use crate::session::{SPHERES, Session};
use crate::table::{self, Table, words};

/// Sphere covers of each link.
pub(crate) struct SphereCover(pub(crate) Spherized);

impl SphereCover {
    /// Covers of a robot of a session; links without the geometry that they should have are named.
    pub(crate) fn of(
        session: &Session,
        robot: Option<&Key>,
        max: Option<usize>,
    ) -> Result<Self, Refusal> {
        let robot = session.robot(robot)?;
        let max = max.unwrap_or(SPHERES);
        if max == 0 || max > MOST {
            return Err(Refusal(format!("`max` must be from 1 to {MOST}")));
        }
        let options = SpherizeOptions::from(max).with_allow_missing_geometry(true);
        Ok(Self(robot.model().spherized(options)?))
    }
}

/// Maximum number of spheres per link that a request may ask for.
const MOST: usize = 256;

impl Answer for SphereCover {
    fn json(&self) -> Value {
        let list = |spheres: &[Sphere]| -> Vec<Value> {
            let sphere = |s: &Sphere| json!({"center": numbers(&s.center.coords), "radius": number(s.radius)});
            spheres.iter().map(sphere).collect()
        };
        let links = self.0.robot.links().iter().zip(&self.0.outer);
        let links = links.zip(&self.0.inner).map(|((link, outer), inner)| {
            json!({
                "name": link.name(),
                "outer": list(&outer.spheres),
                "overshoot": number(outer.overshoot),
                "inner": list(inner),
            })
        });
        let answer = json!({"robot": self.0.robot.name(), "links": links.collect::<Vec<_>>()});
        missing::with(answer, &missing::links(&self.0.robot))
    }

    fn text(&self) -> String {
        let mut table = Table::new([
            words("link"),
            table::numbers("spheres"),
            table::numbers("overshoot [m]"),
            table::numbers("inner spheres"),
        ]);
        let links = self.0.robot.links().iter().zip(&self.0.outer);
        for ((link, outer), inner) in links.zip(&self.0.inner) {
            if !outer.spheres.is_empty() {
                table.row([
                    link.name().to_owned(),
                    outer.spheres.len().to_string(),
                    format!("{:.4}", outer.overshoot),
                    inner.len().to_string(),
                ]);
            }
        }
        format!("{table}{}", missing::line(&missing::links(&self.0.robot)))
    }
}
