//! Motions of robots and objects at common times, and their collisions.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::arrows::{self, Arrows};
use super::pack::Pack;
use crate::kinematics::Samples;
use crate::math::{Pose, so3};
use crate::world::{EntityId, RigidObjectId, RobotId, RobotRef, WorldCollider, WorldModel};
use crate::{Error, Result};

/// What moves, and when.
#[derive(Debug, Clone, Default)]
pub(super) struct Motion {
    pub(super) times: Vec<f64>,
    robots: BTreeMap<RobotId, Vec<Vec<f64>>>,
    objects: BTreeMap<RigidObjectId, Vec<Pose>>,
    /// Pairs of bodies that collide, for each time; empty where that is not known.
    collisions: Vec<Vec<[usize; 2]>>,
    /// Where they touch, and how deep.
    pub(super) contacts: Arrows,
}

impl Motion {
    pub(super) fn add_robot(&mut self, robot: RobotRef<'_>, samples: &Samples) -> Result<()> {
        self.set_times(&samples.times)?;
        let n = robot.model().n_dofs();
        let all = [
            ("configuration", Some(&samples.q)),
            ("velocity", samples.dq.as_ref()),
            ("acceleration", samples.ddq.as_ref()),
        ];
        for (what, rows) in all {
            let Some(rows) = rows else {
                continue;
            };
            if rows.len() != samples.times.len() {
                let problem = format!("{} rows for {} times", rows.len(), samples.times.len());
                return Err(Error::invalid(format!("{what} of a motion"), problem));
            }
            for row in rows {
                if row.len() != n {
                    return Err(Error::Length {
                        what: "a row of a motion",
                        expected: n,
                        found: row.len(),
                    });
                }
                if row.iter().any(|x| !x.is_finite()) {
                    let what = format!("{what} of a motion");
                    return Err(Error::invalid(what, "a number is not finite"));
                }
            }
        }
        self.robots.insert(robot.id(), samples.q.clone());
        Ok(())
    }

    pub(super) fn add_object(
        &mut self,
        object: RigidObjectId,
        times: &[f64],
        poses: &[Pose],
    ) -> Result<()> {
        if poses.len() != times.len() {
            let problem = format!("{} poses for {} times", poses.len(), times.len());
            return Err(Error::invalid("motion of an object", problem));
        }
        self.set_times(times)?;
        self.objects.insert(object, poses.to_vec());
        Ok(())
    }

    fn set_times(&mut self, times: &[f64]) -> Result<()> {
        let refuse = |problem: &str| Err(Error::invalid("times of a motion", problem));
        if times.is_empty() || times.iter().any(|t| !t.is_finite()) {
            return refuse("there are none, or one is not finite");
        }
        if times.windows(2).any(|pair| pair[0] >= pair[1]) {
            return refuse("they do not increase");
        }
        let is_same = self.times.iter().map(|t| t.to_bits());
        if self.times.is_empty() {
            self.times = times.to_vec();
            // those as loaded
            self.contacts.clear();
        } else if !is_same.eq(times.iter().map(|t| t.to_bits())) {
            return refuse("they are not those of the other motions of the page");
        }
        Ok(())
    }

    /// Finds the collisions at all times; without times, where they touch as loaded.
    pub(super) fn collide(
        &mut self,
        world: &WorldModel,
        collider: &WorldCollider,
        order: &HashMap<EntityId, usize>,
    ) -> Result<()> {
        let mut ws = collider.workspace();
        let mut found = Vec::new();
        self.collisions.clear();
        self.contacts.clear();
        if self.times.is_empty() {
            collider.colliding_pairs_with(&mut ws, &mut found);
            self.contacts.push(arrows::contacts(world, &ws, &found)?);
        }
        for i in 0..self.times.len() {
            for (robot, rows) in &self.robots {
                ws.set_config(*robot, &rows[i])?;
            }
            for (object, poses) in &self.objects {
                ws.set_pose(*object, &poses[i])?;
            }
            found.clear();
            collider.colliding_pairs_with(&mut ws, &mut found);
            self.collisions.push(pairs(order, found.iter().copied()));
            self.contacts.push(arrows::contacts(world, &ws, &found)?);
        }
        Ok(())
    }

    /// As data: columns of numbers go to `pack`.
    pub(super) fn json(
        &self,
        order: &HashMap<EntityId, usize>,
        robots: &[RobotId],
        pack: &mut Pack,
    ) -> Value {
        if self.times.is_empty() {
            return Value::Null;
        }
        let of_robot = |pack: &mut Pack, rows: &[Vec<f64>]| {
            let n = rows.first().map_or(0, Vec::len);
            let columns = (0..n).flat_map(|k| rows.iter().map(move |row| row[k]));
            pack.singles(columns)
        };
        let all: Vec<Value> = robots
            .iter()
            .map(|robot| {
                self.robots
                    .get(robot)
                    .map_or(Value::Null, |rows| of_robot(pack, rows).into())
            })
            .collect();
        let mut objects = Vec::new();
        for (object, poses) in &self.objects {
            let Some(body) = order.get(&EntityId::from(*object)) else {
                continue;
            };
            let numbers = poses.iter().flat_map(|pose| {
                let [w, x, y, z] = so3::to_wxyz(&pose.rotation);
                let t = &pose.translation.vector;
                [t.x, t.y, t.z, w, x, y, z]
            });
            objects.push(json!({ "body": body, "poses": pack.singles(numbers) }));
        }
        // only what changes
        let mut collisions: Vec<Value> = Vec::new();
        let mut last: Option<&Vec<[usize; 2]>> = None;
        for (i, pairs) in self.collisions.iter().enumerate() {
            if last != Some(pairs) {
                collisions.push(json!([i, pairs]));
                last = Some(pairs);
            }
        }
        json!({
            "n": self.times.len(),
            "times": pack.doubles(self.times.iter().copied()),
            "robots": all,
            "objects": objects,
            "collisions": (!self.collisions.is_empty()).then_some(collisions),
        })
    }
}

/// Pairs of elements by their positions among the bodies of a page, in order.
pub(super) fn pairs(
    order: &HashMap<EntityId, usize>,
    found: impl IntoIterator<Item = (EntityId, EntityId)>,
) -> Vec<[usize; 2]> {
    let pair = |(a, b): (EntityId, EntityId)| Some([*order.get(&a)?, *order.get(&b)?]);
    let mut pairs: Vec<[usize; 2]> = found.into_iter().filter_map(pair).collect();
    pairs.sort_unstable();
    pairs
}
