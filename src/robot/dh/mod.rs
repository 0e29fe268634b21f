//! Robots from Denavit-Hartenberg tables, and tables from robots.
//!
//! | convention | one row, `q` added to θ of a revolute or to d (r) of a prismatic joint | |
//! |---|---|---|
//! | [`Standard`] | `Rz(θ) Tz(d) Tx(a) Rx(α)` | the joint first: its axis is the z of the previous link |
//! | [`Modified`] | `Rx(α) Tx(d) Rz(θ) Tz(r)` | the joint last: its axis is the z of its own link |
//!
//! | [`General`] | `before` · joint · `after` | any axis: a robot whose frames were not chosen by Denavit and Hartenberg |
//!
//! The symbols of [`Modified`] are those of Khalil and Kleinfinger (1986); Craig (1989) writes a for their d and d
//! for their r, see [`Modified::from_craig`].
//!
//! A row becomes two links: `name_joint`, massless, which moves, and `name`, fixed to it, which carries the mass
//! and whose frame is that of the table. So both frames of the literature exist; fixed links cost no time. [`DhTable::row_links`] has their ids.
//!
//! # Examples
//!
//! An arm of two links of 0.3 m in the plane, and its table back:
//!
//! ```
//! use kinworld::State;
//! use kinworld::robot::dh::{self, DhParameters, DhRow, DhTable, Modified, Standard};
//!
//! let link = |name| DhRow::revolute(name, Standard { a: 0.3, ..Standard::default() });
//! let table = DhTable::new("scara", vec![link("upper"), link("lower")]);
//! let arm = table.build()?;
//!
//! let mut state = State::new(&arm);
//! state.set_config(&arm, &[0.0, std::f64::consts::FRAC_PI_2])?;
//! let tip = state.pose(&arm, arm.link_id("lower")?).translation;
//! assert!((tip.x - 0.3).abs() < 1e-15 && (tip.y - 0.3).abs() < 1e-15);
//!
//! // in the other convention the second row has the length of the first one
//! let read = dh::modified(&arm, arm.link_id("lower")?)?;
//! let second = Modified { d: 0.3, ..Modified::default() };
//! assert_eq!(read.rows[1].parameters, DhParameters::Modified(second));
//! # Ok::<(), kinworld::Error>(())
//! ```

mod frames;
mod read;
mod row;
mod table;

pub use read::{modified, row_dofs, row_values, standard};
pub use row::{DhParameters, General, Modified, Standard};
pub use table::{DhParent, DhRow, DhTable, RowLinks};
