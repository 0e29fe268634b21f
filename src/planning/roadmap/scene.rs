//! What the answers of a space depend on, and what of it changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::geometry::Aabb;
use crate::math::Pose;
use crate::planning::{CSpace, RobotCSpace};
use crate::robot::DofId;
use crate::world::RigidObjectId;
use crate::{Error, Result};

/// The world that the answers of a [`CSpace`] depend on: what keeps answers, as a [`RoadMap`](super::RoadMap) does, finds out from
/// it what moved.
///
/// # Examples
///
/// ```
/// use kinworld::planning::{CSpace, RobotCSpace, Scene};
///
/// /// A space of robots with a metric of its own.
/// struct Hasty(RobotCSpace);
///
/// impl CSpace for Hasty {
///     // …
/// #    type Workspace = kinworld::planning::Workspace;
/// #    fn workspace(&self) -> kinworld::planning::Workspace { self.0.workspace() }
/// #    fn n_dofs(&self) -> usize { self.0.n_dofs() }
/// #    fn bounds(&self) -> Vec<[f64; 2]> { self.0.bounds() }
/// #    fn is_free_with(&self, q: &[f64], ws: &mut Self::Workspace) -> kinworld::Result<bool> { self.0.is_free_with(q, ws) }
///     fn scene(&self) -> Option<Scene<'_>> {
///         Some(Scene::of(&self.0))
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    pub(super) space: &'a RobotCSpace,
    /// Whether edges are those of the space of robots.
    has_its_edges: bool,
}

impl<'a> Scene<'a> {
    /// The scene of a space whose configurations and edges are those of this one.
    #[must_use]
    pub fn of(space: &'a RobotCSpace) -> Self {
        Self {
            space,
            has_its_edges: true,
        }
    }

    /// The scene of a space with other configurations or other edges: where something moved, no answer about an edge is kept.
    #[must_use]
    pub fn with_other_edges(self) -> Self {
        Self {
            has_its_edges: false,
            ..self
        }
    }
}

/// A scene as it was when answers were kept.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// Distance of the samples of edges.
    step: f64,
    world: Option<World>,
}

#[derive(Debug, Clone)]
struct World {
    has_its_edges: bool,
    /// The space, whatever moved in it since, and its version.
    family: Arc<str>,
    version: Arc<()>,
    resolution: f64,
    weights: Option<Arc<[f64]>>,
    poses: BTreeMap<RigidObjectId, Pose>,
}

/// Which answers may have changed.
#[derive(Debug)]
pub(super) enum Changes {
    None,
    /// Those near what moved: the boxes around it where it was, and where it is.
    Near {
        before: Vec<Aabb>,
        after: Vec<Aabb>,
    },
    All,
}

impl Seen {
    pub(super) fn of(space: &impl CSpace) -> Self {
        let world = space.scene().map(|scene| {
            let Scene {
                space,
                has_its_edges,
            } = scene;
            let (family, version) = space.snapshot.initial.identity();
            let objects = space.world().rigid_objects();
            World {
                has_its_edges,
                family: Arc::clone(family),
                version: Arc::clone(version),
                resolution: space.resolution(),
                weights: space.weights.clone(),
                poses: objects.map(|(id, object)| (id, object.pose)).collect(),
            }
        });
        let step = space.step();
        Self { step, world }
    }

    /// Returns whether a space is the one that was seen, and nothing changed since.
    pub(super) fn is_current(&self, space: &impl CSpace) -> bool {
        let is_same = match (&self.world, space.scene()) {
            (None, None) => true,
            (Some(world), Some(scene)) => {
                let version = scene.space.snapshot.initial.identity().1;
                Arc::ptr_eq(&world.version, version)
                    && world.has_its_edges == scene.has_its_edges
                    && is_same(world.resolution, scene.space.resolution())
                    && world.weights == scene.space.weights
            }
            _ => false,
        };
        is_same && self::is_same(self.step, space.step())
    }

    /// Distance of the samples of edges.
    pub(super) fn step(&self) -> f64 {
        self.step
    }

    /// Returns whether the lengths of edges are the same in both.
    pub(super) fn has_metric_of(&self, other: &Self) -> bool {
        let weights = |seen: &Self| seen.world.as_ref().and_then(|world| world.weights.clone());
        weights(self) == weights(other)
    }

    /// What changed from this to `now`, which is that of a space.
    pub(super) fn changes(&self, now: &Self, space: &impl CSpace) -> Result<Changes> {
        let (before, now, scene) = match (&self.world, &now.world, space.scene()) {
            _ if !is_same(self.step, now.step) => return Ok(Changes::All),
            (None, None, _) => return Ok(Changes::None),
            (Some(before), Some(now), Some(scene)) => (before, now, scene),
            _ => return Ok(Changes::All),
        };
        if !Arc::ptr_eq(&before.family, &now.family)
            || before.has_its_edges != now.has_its_edges
            || !is_same(before.resolution, now.resolution)
            || before.poses.len() != now.poses.len()
        {
            return Ok(Changes::All);
        }
        let mut boxes = [Vec::new(), Vec::new()];
        for (id, pose) in &now.poses {
            let Some(old) = before.poses.get(id) else {
                return Ok(Changes::All);
            };
            if old != pose {
                for (boxes, pose) in boxes.iter_mut().zip([old, pose]) {
                    let collider = &scene.space.snapshot.collider;
                    boxes.push(collider.object_box(*id, pose)?);
                }
            }
        }
        let [before, after] = boxes;
        Ok(match before.len() {
            0 => Changes::None,
            _ if !scene.has_its_edges => Changes::All,
            _ => Changes::Near { before, after },
        })
    }
}

fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

/// What a map belongs to: another space refuses it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Owner {
    /// Names of the robots, each with those of its degrees of freedom; empty for a space without robots.
    pub(crate) robots: Vec<(String, Vec<String>)>,
    /// Lower and upper bound of each number of a configuration, `None` where there is none.
    pub(crate) bounds: Vec<[Option<f64>; 2]>,
}

impl Owner {
    pub(super) fn of(space: &impl CSpace) -> Self {
        let robots = space.scene().map_or_else(Vec::new, |scene| {
            let members = scene.space.members().iter();
            let names = members.map(|member| {
                let dofs = (0..member.robot.n_dofs()).map(DofId::new);
                let dofs = dofs.map(|dof| member.robot.dof_name(dof).to_owned());
                (member.robot.name().to_owned(), dofs.collect())
            });
            names.collect()
        });
        let bounds = space.bounds().into_iter();
        let bounds = bounds.map(|ends| ends.map(|x| x.is_finite().then_some(x)));
        Self {
            robots,
            bounds: bounds.collect(),
        }
    }

    /// Checks that a space is one that a map with this owner is for.
    pub(super) fn check(&self, space: &impl CSpace) -> Result<()> {
        let refuse = |problem: String| Err(Error::invalid("a road map", problem));
        let n = space.n_dofs();
        if self.bounds.len() != n {
            let found = self.bounds.len();
            let problem = format!(
                "is of {found} degrees of freedom{}, not of {n}",
                self.name()
            );
            return refuse(problem);
        }
        let other = Self::of(space);
        if self.robots != other.robots {
            let problem = format!("is{}, not{}", self.name(), other.name());
            return refuse(if self.name() == other.name() {
                format!("{problem} with other joints")
            } else {
                problem
            });
        }
        match (0..n).find(|&i| self.bounds[i] != other.bounds[i]) {
            Some(i) => {
                let range = |owner: &Self| {
                    let [low, high] = owner.bounds[i];
                    let (low, high) = (
                        low.unwrap_or(f64::NEG_INFINITY),
                        high.unwrap_or(f64::INFINITY),
                    );
                    format!("[{low}, {high}]")
                };
                let (own, there) = (range(self), range(&other));
                refuse(format!(
                    "has the range {own} for number {i} of a configuration, the space {there}"
                ))
            }
            None => Ok(()),
        }
    }

    /// The robots, for people.
    fn name(&self) -> String {
        let names: Vec<String> = (self.robots.iter())
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        match names.len() {
            0 => " of a space without robots".to_owned(),
            _ => format!(" of {}", names.join(", ")),
        }
    }
}
