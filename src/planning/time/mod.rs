//! From a path to a motion: time-optimal parameterisation within limits of velocity, acceleration and torque.
//!
//! [`TimeParameterization`] is reachability analysis (Pham and Pham, "A New Approach to Time-Optimal Path
//! Parameterization Based on Reachability Analysis", IEEE T-RO 2018, "TOPP-RA"). Along a path q(s) the square of the speed, `x = ṡ²`, and the
//! acceleration `u = s̈` enter all limits linearly:
//!
//! ```text
//! q̈ = q′ u + q″ x        τ = a u + b x + c        x(s) = x_i + 2 u_i (s − s_i)  within an interval of the grid
//! ```
//!
//! A pass from the end finds the speeds from which the end can be reached, one from the start takes the largest of them.
//! The limits of velocity and acceleration are held *between* the points of the grid too: within an interval a polynomial path
//! makes them polynomials, and those are held where their Bernstein coefficients are. Limits of jerk are held by a moving average
//! of the motion.
//!
//! [`PointToPoint`] needs no path: it goes from state to state within limits of velocity, acceleration and jerk.

mod along;
mod averaged;
mod blend;
mod dynamics;
mod limits;
mod parameterization;
mod path;
mod pieces;
mod point_to_point;
mod profile;
mod reachability;
mod rounded;
mod rows;
mod smooth;
mod spline;
mod torques;
mod violation;

pub(super) use blend::{distance, distinct};
pub use limits::MotionLimits;
pub use parameterization::TimeParameterization;
pub use path::GeometricPath;
pub use point_to_point::PointToPoint;
pub(super) use rounded::sample_times;
pub use smooth::SmoothTrajectory;
pub use torques::PathDynamics;
pub use violation::{LimitKind, Utilization, Violation};
