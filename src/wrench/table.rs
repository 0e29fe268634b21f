//! Balances as text.

use std::fmt::{self, Write};

use super::{AppliedWrench, Balance, FrameId, Site};
use crate::robot::Robot;

/// Balances as tables, one below the other, each under a line that names the link and the observer.
///
/// # Examples
///
/// ```
/// use kinworld::robot::JointKind;
/// use kinworld::wrench::{self, Frames, Segment, Site};
/// use kinworld::{State, Vector};
///
/// let segments = [Segment::new("thigh", 0.45, 8.0), Segment::new("shank", 0.42, 3.5)];
/// let leg = wrench::limb("leg", JointKind::Normal, &segments)?;
/// let frames = Frames::new(&leg, &State::new(&leg), &[0.0, 0.0])?;
/// let gravity = Vector::new(0.0, 9.81, 0.0); // the limb points down, along +y
///
/// let balances = wrench::chain(&frames, &Site::WORLD, &gravity, &[])?;
/// let table = wrench::table(&leg, &balances);
/// assert!(table.starts_with("thigh, about its origin, observed from the world\n"));
/// assert!(table.contains("joint            0.0000      0.0000      0.0000        0.0000   -112.8150      0.0000"));
/// # Ok::<(), kinworld::Error>(())
/// ```
///
/// # Panics
///
/// If the balances belong to a robot with more links.
#[must_use]
pub fn table(robot: &Robot, balances: &[Balance]) -> String {
    let mut text = String::new();
    for balance in balances {
        if !text.is_empty() {
            text.push('\n');
        }
        let link = robot.link(balance.link).name();
        let observer = name(robot, &balance.observer);
        let written = writeln!(
            text,
            "{link}, about its origin, observed from {observer}\n{balance}"
        );
        written.expect("writing to a `String` does not fail");
    }
    text
}

/// Name of the observer, with its position if not the origin of its frame.
fn name(robot: &Robot, observer: &Site) -> String {
    let name = match observer.frame {
        FrameId::World => "the world".to_owned(),
        FrameId::Link(link) => robot.link(link).name().to_owned(),
        FrameId::Custom(i) => format!("frame {i}"),
    };
    let p = observer.position;
    if p.coords.iter().all(|x| x.abs() < f64::MIN_POSITIVE) {
        return name;
    }
    format!("{name} at ({}, {}, {}) m", p.x, p.y, p.z)
}

/// Moment in N·m and force in N, in fixed columns.
impl fmt::Display for AppliedWrench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        columns(f, &<[f64; 6]>::from(self.wrench), |f, &x| {
            if x.abs() >= 1e6 {
                write!(f, "{x:>11.4e}")
            } else {
                // no minus before a zero
                write!(f, "{:>11.4}", if x.abs() < 5e-5 { 0.0 } else { x })
            }
        })
    }
}

/// A table with a line per wrench, the sum last.
impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<12}", "")?;
        columns(f, &HEADS, |f, head| write!(f, "{head:>11}"))?;
        writeln!(f)?;
        let rows = self.rows();
        for (name, wrench) in &rows[1..] {
            writeln!(f, "{name:<12}{wrench}")?;
        }
        let (name, wrench) = rows[0];
        write!(f, "{:<12}{wrench}", format!("= {name}"))
    }
}

/// Writes six cells, with a gap between moment and force.
fn columns<T>(
    f: &mut fmt::Formatter<'_>,
    cells: &[T],
    cell: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (k, content) in cells.iter().enumerate() {
        f.write_str(["", " ", " ", "   ", " ", " "][k % 6])?;
        cell(f, content)?;
    }
    Ok(())
}

const HEADS: [&str; 6] = [
    "Mx / Nm", "My / Nm", "Mz / Nm", "Fx / N", "Fy / N", "Fz / N",
];
