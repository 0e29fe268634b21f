//! Wrench balances of links in the frame of any observer, with fictitious wrenches. Layer 3, beside `kinematics`.
//!
//! The balance of one link, after the wrench toolbox of Mielke (2020): the rate of its momentum equals the sum of the
//! wrenches on it. A moving observer measures other accelerations, and adds four fictitious wrenches; the joint wrench
//! that results is the same for all observers.
//!
//! ```text
//!     dynamic = joint + gravity + tip + external + d'Alembert + Euler + centrifugal + Coriolis
//! ```
//!
//! | wrench | force, at the centre of mass C | moment about C |
//! |---|---|---|
//! | dynamic | `m r̈`, as the observer measures it | `I α + ω × I ω`, with the absolute `ω` and `α` |
//! | d'Alembert | `−m a` of the observer's origin | 0 |
//! | Euler | `−m α_o × r` | 0 |
//! | centrifugal | `−m ω_o × (ω_o × r)` | 0 |
//! | Coriolis | `−2 m ω_o × ṙ` | 0 |
//!
//! `r` is the vector from the observer's origin to C, and dots are rates of its components in the observer's axes; `ω_o`,
//! `α_o` are those of the observer in the world. All wrenches are about the origin of the link, in the observer's axes.
//!
//! | item | holds |
//! |---|---|
//! | [`Frames`] | poses, velocities and accelerations of all frames at one instant |
//! | [`FrameId`], [`Site`] | a frame; a point fixed in a frame, which is also an observer |
//! | [`AppliedWrench`] | moment and force, with the point and the axes that they are given in; mixing those is an error |
//! | [`Balance`] | the equation above for one link; [`table()`] prints it |
//!
//! # Examples
//!
//! A stone on a sling of 1 m at 3 rad/s. In the world the joint force points inward; an observer that rotates with the
//! stone sees it at rest, with the joint force against the centrifugal force:
//!
//! ```
//! use kinworld::math::Inertia;
//! use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
//! use kinworld::wrench::{self, Frames, Site};
//! use kinworld::{Point, State, Vector};
//!
//! let mut stone = LinkSpec::new("stone", None, LinkMotion::Revolute(Vector::z()));
//! stone.inertia = Inertia { mass: 2.0, com: Point::new(1.0, 0.0, 0.0), ..Inertia::zero() };
//! let mut sling = RobotBuilder::new("sling");
//! let stone = sling.add_link(stone);
//! let sling = sling.build()?;
//!
//! let mut state = State::new(&sling);
//! state.set_velocity(&sling, &[3.0])?;
//! let frames = Frames::new(&sling, &state, &[0.0])?;
//!
//! let inward = Vector::new(-18.0, 0.0, 0.0);
//! let seen = wrench::balance(&frames, stone, &Site::WORLD, &Vector::zeros(), &[])?;
//! assert_eq!((seen.dynamic.wrench.force, seen.joint.wrench.force), (inward, inward));
//!
//! let seen = wrench::balance(&frames, stone, &Site::link(stone), &Vector::zeros(), &[])?;
//! assert_eq!((seen.dynamic.wrench.force, seen.joint.wrench.force), (Vector::zeros(), inward));
//! assert_eq!(seen.centrifugal.wrench.force, -inward);
//! # Ok::<(), kinworld::Error>(())
//! ```

mod applied;
mod balance;
mod frames;
mod limb;
mod site;
mod table;

pub use applied::AppliedWrench;
pub use balance::{Balance, balance, chain};
pub use frames::{FrameMotion, Frames, Relative};
pub use limb::{Segment, limb};
pub use site::{FrameId, Site};
pub use table::table;
