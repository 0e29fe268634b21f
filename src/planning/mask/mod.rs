//! Masks of self collisions: the pairs of links to test, learned from random configurations.

mod bound;
mod learn;

use std::collections::BTreeSet;

use crate::robot::{LinkId, Robot, RobotBuilder};
use crate::{Error, Result};

/// Options of [`SelfCollisionMask::learn`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MaskOptions {
    /// Number of random configurations, from 2 to ten million.
    pub samples: usize,
    /// Seed: equal seeds give equal masks on every machine, with any number of threads.
    pub seed: u64,
    /// Disables pairs of class [`Default`](PairClass::Default), too, which collide at the reference configuration: their
    /// collisions in other configurations are missed then, and count in the bound. False by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub disable_default: bool,
    /// Accepts links [without the collision geometry](crate::Robot::missing_geometry) that they should have: pairs with them
    /// are left out. False by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub allow_missing_geometry: bool,
}

impl Default for MaskOptions {
    fn default() -> Self {
        Self {
            samples: 20_000,
            seed: 0,
            disable_default: false,
            allow_missing_geometry: false,
        }
    }
}

impl MaskOptions {
    /// With another number of random configurations.
    #[must_use]
    pub fn with_samples(mut self, samples: usize) -> Self {
        self.samples = samples;
        self
    }

    /// With another [`disable_default`](Self::disable_default).
    #[must_use]
    pub fn with_disable_default(mut self, disable: bool) -> Self {
        self.disable_default = disable;
        self
    }

    /// With another [`allow_missing_geometry`](Self::allow_missing_geometry).
    #[must_use]
    pub fn with_allow_missing_geometry(mut self, allow: bool) -> Self {
        self.allow_missing_geometry = allow;
        self
    }

    /// With another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}

/// Reason why a pair of links is tested, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PairClass {
    /// Not tested: one is a child of the other, by one degree of freedom at most and with no other shape between them.
    Adjacent,
    /// They collide at the reference configuration: tested, unless
    /// [`disable_default`](MaskOptions::disable_default) leaves such pairs out.
    Default,
    /// Not tested: they collided in every configuration that was checked, the reference included.
    Always,
    /// Not tested: they collided in none.
    Never,
    /// Not tested: the robot's description leaves the pair out.
    Given,
    /// Tested: they collided in some configurations.
    Sometimes,
}

impl PairClass {
    /// Name of the class: the `reason` of an SRDF.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Adjacent => "Adjacent",
            Self::Default => "Default",
            Self::Always => "Always",
            Self::Never => "Never",
            Self::Given => "User",
            Self::Sometimes => "Sometimes",
        }
    }
}

/// Result of learning for one pair of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LearnedPair {
    /// The links, smaller id first.
    pub links: (LinkId, LinkId),
    /// Reason why the pair is tested, or why not.
    pub class: PairClass,
    /// Number of configurations in which they collided; 0 for pairs that were not checked, because the description leaves them
    /// out.
    pub collisions: usize,
}

/// The pairs of links of a robot to test for collision, learned from random configurations within its limits.
///
/// Pairs that the robot's description leaves out stay out; of the others, those that carry no information are left out. The
/// classes are those of MoveIt's setup assistant.
///
/// | class | the pair | tested |
/// |---|---|---|
/// | [`Adjacent`](PairClass::Adjacent) | is parent and child | no |
/// | [`Default`](PairClass::Default) | collides at the reference, and not always | yes, unless [`disable_default`](MaskOptions::disable_default) |
/// | [`Always`](PairClass::Always) | collides in every sample | no |
/// | [`Never`](PairClass::Never) | collides in no sample | no |
/// | [`Given`](PairClass::Given) | is left out already | no |
/// | [`Sometimes`](PairClass::Sometimes) | all others | yes |
///
/// *Reference.* It is the robot's [initial configuration](crate::Robot::initial_config), with the centre of its limits for each
/// degree of freedom whose initial value is outside of them.
///
/// *Missed collisions.* That no sample shows a collision does not prove that there is none. The first half of the samples
/// proposes the pairs that never collide. The second half, independent of the first, counts configurations in which one of
/// these pairs collides after all; such a pair is tested again. Pairs of class `Default` that are left out count there as well.
/// So [`missed_bound`](Self::missed_bound) is a bound on the share of configurations with a collision that the mask misses, at a
/// given confidence (Clopper and Pearson 1934). Only adjacent pairs and those that always collide do not count, and those that
/// were left out before.
///
/// # Examples
///
/// ```
/// use kinworld::Robot;
/// use kinworld::planning::{MaskOptions, SelfCollisionMask};
///
/// let robot = Robot::load("data/robots/arm6.rob")?.value;
/// let options = MaskOptions::default().with_samples(400);
/// let mask = SelfCollisionMask::learn(&robot, &options)?;
///
/// let lighter = mask.apply(&robot)?;
/// let tested = lighter.self_collision_pairs().count();
/// assert_eq!(tested, mask.tested().count());
/// assert!(tested < robot.self_collision_pairs().count());
/// println!("misses at most {:.1} % of all collisions", 100.0 * mask.missed_bound(0.95)?);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SelfCollisionMask {
    pairs: Vec<LearnedPair>,
    samples: usize,
    checked: usize,
    missed: usize,
    #[cfg_attr(feature = "serde", serde(default))]
    disables_default: bool,
}

impl SelfCollisionMask {
    /// Every pair of links with a shape that do not move as one, sorted.
    #[must_use]
    pub fn pairs(&self) -> &[LearnedPair] {
        &self.pairs
    }

    /// The pairs that are tested, sorted.
    pub fn tested(&self) -> impl Iterator<Item = (LinkId, LinkId)> + '_ {
        let tested = self.pairs.iter().filter(|pair| self.is_tested(pair.class));
        tested.map(|pair| pair.links)
    }

    /// Returns whether pairs of this class are tested.
    #[must_use]
    pub fn is_tested(&self, class: PairClass) -> bool {
        match class {
            PairClass::Sometimes => true,
            PairClass::Default => !self.disables_default,
            _ => false,
        }
    }

    /// Number of pairs of a class.
    #[must_use]
    pub fn count(&self, class: PairClass) -> usize {
        self.pairs.iter().filter(|pair| pair.class == class).count()
    }

    /// Number of configurations.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Number of configurations that checked the proposed pairs, without a part in proposing them.
    #[must_use]
    pub fn checked(&self) -> usize {
        self.checked
    }

    /// Number of these in which a pair collided that was proposed, or is left out as [`Default`](PairClass::Default).
    /// Proposed pairs that collided are tested.
    #[must_use]
    pub fn missed(&self) -> usize {
        self.missed
    }

    /// Upper bound on the share of random configurations in which a pair of class [`Never`](PairClass::Never) collides, or one of
    /// class [`Default`](PairClass::Default) that is left out, at a confidence such as 0.95. With 0 of `n` found, it is `1 − (1 − confidence)^(1/n)`, about `3 / n` at 0.95.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a confidence that is not between 0 and 1.
    pub fn missed_bound(&self, confidence: f64) -> Result<f64> {
        if !(confidence > 0.0 && confidence < 1.0) {
            let problem = format!("must be between 0 and 1, got {confidence}");
            return Err(Error::invalid("the confidence of a mask", problem));
        }
        Ok(bound::upper(self.missed, self.checked, 1.0 - confidence))
    }

    /// The same robot, with tests of these pairs only.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for another robot, which lacks some of the links.
    pub fn apply(&self, robot: &Robot) -> Result<Robot> {
        let mut builder = RobotBuilder::from(robot);
        builder.self_collision.except.extend(self.disabled(robot));
        builder.build()
    }

    /// The pairs that the description of the robot tests, and the mask does not; sorted.
    pub(crate) fn disabled<'a>(
        &'a self,
        robot: &'a Robot,
    ) -> impl Iterator<Item = (LinkId, LinkId)> + 'a {
        let tested: BTreeSet<_> = self.tested().collect();
        let enabled = robot.self_collision_pairs();
        enabled.filter(move |pair| !tested.contains(pair))
    }
}
