//! The parts of a road map that are saved.

use super::graph::{EdgeState, Graph};
use super::scene::{Owner, Seen};
use super::{MOST, RoadMap};
use crate::planning::CSpace;
use crate::{Error, Result, kinematics};

/// What is saved of a map: all but the scene in which it was used.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Parts {
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub(crate) owner: Owner,
    pub(crate) seed: u64,
    /// Number of samples that were drawn.
    pub(crate) drawn: u64,
    /// The step of the samples of edges, where some were checked.
    pub(crate) step: Option<f64>,
    pub(crate) milestones: Vec<Vec<f64>>,
    pub(crate) edges: Vec<[usize; 2]>,
    /// Of each edge, what is known.
    pub(crate) states: Vec<EdgeState>,
}

impl RoadMap {
    /// What is saved of this map.
    pub(crate) fn parts(&self) -> Parts {
        Parts {
            owner: self.owner.clone(),
            seed: self.seed,
            drawn: self.drawn,
            step: self.seen.as_ref().map(Seen::step).or(self.read),
            milestones: self.milestones().map(<[f64]>::to_vec).collect(),
            edges: self.edges().iter().map(|edge| edge.ends).collect(),
            states: self.edges().iter().map(|edge| edge.state).collect(),
        }
    }

    /// Checks that this map is one of a space.
    pub(crate) fn check_owner(&self, space: &impl CSpace) -> Result<()> {
        self.owner.check(space)
    }

    /// Takes what was saved about edges to hold in the scene of the space that the map is used with first; otherwise it is
    /// forgotten then. It has to be the same in all that checks depend on: robots, objects and where they are, filter, and
    /// resolution, which alone is compared.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{RoadMap, RobotCSpace};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let space = RobotCSpace::new(&world, &[world.robot("arm")?.id()])?;
    /// let mut map = RoadMap::new(&space);
    /// map.grow(&space, 30)?;
    /// map.check_edges(&space, |_| true)?;
    ///
    /// let path = std::env::temp_dir().join("kinworld_doc_trusted.json");
    /// map.save(&path)?;
    /// let mut read = RoadMap::load(&space, &path)?.value;
    /// assert_eq!(read.clone().repair(&space)?.kept, 0);
    /// read.trust_states();
    /// assert_eq!(read.repair(&space)?.kept, map.edges().len());
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn trust_states(&mut self) {
        self.is_trusted = true;
    }
}

/// A map that was saved, of which nothing is measured yet.
impl TryFrom<Parts> for RoadMap {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self> {
        let Parts {
            owner,
            seed,
            drawn,
            step,
            milestones,
            edges,
            states,
        } = parts;
        let refuse = |problem: String| Err(Error::invalid("a road map", problem));
        for (i, [low, high]) in owner.bounds.iter().enumerate() {
            let is_number = |x: &Option<f64>| x.is_none_or(f64::is_finite);
            if !is_number(low) || !is_number(high) || low.zip(*high).is_some_and(|(a, b)| a > b) {
                return refuse(format!("has no range for number {i} of a configuration"));
            }
        }
        if let Some(step) = step.filter(|step| !(*step > 0.0 && step.is_finite())) {
            return refuse(format!("has samples on edges at a distance of {step}"));
        }
        if milestones.len() > MOST || edges.len() > MOST {
            return refuse("has more than 2³¹ milestones or edges".to_owned());
        }
        if states.len() != edges.len() {
            let (states, edges) = (states.len(), edges.len());
            return refuse(format!("has {edges} edges, and what is known of {states}"));
        }
        let n = owner.bounds.len();
        let mut graph = Graph::new(n);
        for (i, q) in milestones.iter().enumerate() {
            if let Err(error) = kinematics::check_values("a configuration", n, q) {
                return refuse(format!("milestone {i}: {error}"));
            }
            graph.push(q);
        }
        for (i, (&[a, b], state)) in edges.iter().zip(states).enumerate() {
            let count = graph.len();
            if a.max(b) >= count || a == b {
                let problem = format!("edge {i} joins {a} and {b}, of {count} milestones");
                return refuse(problem);
            }
            // measured where the map is used first
            graph.join(a, b, 0.0);
            graph.edges[i].state = state;
        }
        let read = step;
        Ok(Self {
            owner,
            seed,
            drawn,
            graph,
            seen: None,
            read,
            is_trusted: false,
        })
    }
}

#[cfg(feature = "serde")]
impl From<RoadMap> for Parts {
    fn from(map: RoadMap) -> Self {
        map.parts()
    }
}
