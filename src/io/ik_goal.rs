//! Klampt's goals of inverse kinematics: a `.ikgoal` has a link, the frame of the targets, and two constraints.

use std::path::Path;

use super::config::{self, Fault, finite};
use super::context::Context;
use super::output;
use super::position::Position;
use super::source::FilePath;
use super::text::number;
use super::words::Word;
use crate::kinematics::ik::{Anchor, Objective, PositionGoal, RotationGoal};
use crate::math::{Point, Rotation, Vector, so3};
use crate::robot::LinkId;
use crate::{Diagnostic, Error, LoadError, Result};

/// All goals in a text.
fn parse(text: &str) -> Result<Vec<Objective>, Fault> {
    let mut words = config::words(text);
    std::iter::from_fn(|| next(&mut words).transpose()).collect()
}

/// The next goal: `link anchor position… rotation…`; `None` at the end.
fn next<'a>(
    words: &mut impl Iterator<Item = Result<Word<'a>, Fault>>,
) -> Result<Option<Objective>, Fault> {
    let Some(first) = words.next().transpose()? else {
        return Ok(None);
    };
    let mut rest = Rest {
        position: first.position,
        words,
    };
    let link = link(&first)?;
    let anchor = rest.word("the link that targets are relative to, -1 for the world")?;
    let anchor = match anchor.text {
        "-1" => Anchor::World,
        _ => Anchor::Link(self::link(&anchor)?),
    };
    let kind = rest.word("N, P, L or F for the position")?;
    let position = match kind.text {
        "N" => PositionGoal::Free,
        "F" => PositionGoal::Point {
            p_link: rest.point()?,
            target: rest.point()?,
        },
        "L" => PositionGoal::Line {
            p_link: rest.point()?,
            through: rest.point()?,
            direction: rest.direction()?,
        },
        "P" => PositionGoal::Plane {
            p_link: rest.point()?,
            through: rest.point()?,
            normal: rest.direction()?,
        },
        _ => return Err(unknown(&kind, "a position: N, P, L or F")),
    };
    let kind = rest.word("N, A or F for the rotation")?;
    let rotation = match kind.text {
        "N" => RotationGoal::Free,
        "A" => RotationGoal::Axis {
            d_link: rest.direction()?,
            target: rest.direction()?,
        },
        "F" => RotationGoal::Fixed(so3::from_rotation_vector(&rest.vector()?)),
        "T" => {
            let problem = "a rotation about two axes, which Klampt cannot solve either";
            return Err((kind.position, problem.to_owned()));
        }
        _ => return Err(unknown(&kind, "a rotation: N, A or F")),
    };
    let objective = Objective::position(link, position).with_rotation(rotation);
    Ok(Some(objective.relative_to(anchor)))
}

/// The words of a goal after the first one.
struct Rest<'w, W> {
    words: &'w mut W,
    /// Position of the last word.
    position: Position,
}

impl<'a, W: Iterator<Item = Result<Word<'a>, Fault>>> Rest<'_, W> {
    fn word(&mut self, wanted: &str) -> Result<Word<'a>, Fault> {
        let Some(word) = self.words.next().transpose()? else {
            return Err((self.position, format!("the goal ends before {wanted}")));
        };
        self.position = word.position;
        Ok(word)
    }

    fn vector(&mut self) -> Result<Vector, Fault> {
        let mut next = || finite(&self.word("three numbers")?);
        Ok(Vector::new(next()?, next()?, next()?))
    }

    fn point(&mut self) -> Result<Point, Fault> {
        Ok(Point::from(self.vector()?))
    }

    fn direction(&mut self) -> Result<Vector, Fault> {
        let direction = self.vector()?;
        if direction.norm() > f64::MIN_POSITIVE {
            return Ok(direction);
        }
        Err((self.position, "a direction of length zero".to_owned()))
    }
}

fn link(word: &Word<'_>) -> Result<LinkId, Fault> {
    let index = word.text.parse::<usize>();
    index
        .map(LinkId::new)
        .map_err(|_| unknown(word, "the number of a link"))
}

fn unknown(word: &Word<'_>, wanted: &str) -> Fault {
    let shown: String = word.text.chars().take(40).collect();
    (word.position, format!("`{shown}` is not {wanted}"))
}

/// The goals in a file.
pub(super) fn load(ctx: &mut Context<'_>, path: &FilePath) -> Result<Vec<Objective>, LoadError> {
    let text = ctx.read_text(path)?;
    parse(&text).map_err(|(Position { line, column }, problem)| {
        let error = Diagnostic::error(problem).at(path, line, column);
        let help = "a goal is a link, -1 or another link, then a position and a rotation: `6 -1 F 0 0 0  1 2 3 N`";
        error.help(help).into()
    })
}

/// Writes goals to a `.ikgoal` file, one after the other, as Klampt reads the first of them.
///
/// Targets relative to an object are written in world coordinates. The returned warnings list what is lost:
/// weights. The file reads back to the last bit, rotations to rounding. A failed save leaves the old file unchanged.
///
/// # Errors
///
/// [`Error::Load`](crate::Error::Load) for a file that cannot be written, [`Error::Invalid`](crate::Error::Invalid) for several
/// points at once, which the format cannot hold.
///
/// # Examples
///
/// ```
/// use kinworld::io::{Loader, save_objectives};
/// use kinworld::kinematics::ik::Objective;
/// use kinworld::{LinkId, Point};
///
/// let path = std::env::temp_dir().join("kinworld_doc.ikgoal");
/// let goal = Objective::point(LinkId::new(6), Point::new(0.0, 0.0, 0.1), Point::new(0.4, 0.2, 0.5));
/// assert!(save_objectives(&path, &[goal.clone()])?.is_empty());
/// assert_eq!(Loader::new().objectives(&path)?.value, [goal]);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn save_objectives(path: impl AsRef<Path>, goals: &[Objective]) -> Result<Vec<Diagnostic>> {
    let path = path.as_ref();
    let (mut text, mut lost) = (String::new(), Vec::new());
    for (i, goal) in goals.iter().enumerate() {
        push(&mut text, goal).map_err(|problem| Error::invalid(format!("goal {i}"), problem))?;
        let weights = [goal.position_weight, goal.rotation_weight];
        if weights.iter().any(|w| (w - 1.0).abs() > 0.0) {
            let problem = format!("goal {i}: the format cannot hold weights, {weights:?} are lost");
            lost.push(Diagnostic::warning(problem).in_file(path));
        }
    }
    let written = output::write_bytes(path, text.as_bytes());
    written.map_err(LoadError::from)?;
    Ok(lost)
}

fn push(text: &mut String, goal: &Objective) -> Result<(), &'static str> {
    let (anchor, x_wa) = match goal.anchor {
        Anchor::World => (-1, crate::Pose::identity()),
        Anchor::Object(pose) => (-1, pose),
        Anchor::Link(link) => (
            i64::try_from(link.index()).unwrap_or(i64::MAX),
            crate::Pose::identity(),
        ),
    };
    let mut line = |kind: &str, vectors: &[Vector]| {
        text.push_str(kind);
        for vector in vectors {
            for x in vector {
                text.push(' ');
                text.push_str(&number(*x));
            }
        }
        text.push('\n');
    };
    line(&format!("{} {anchor}", goal.link.index()), &[]);
    let to_world = |p: &Point| (x_wa * p).coords;
    let along = |d: &Vector| x_wa.rotation * d;
    match &goal.position {
        PositionGoal::Free => line("N", &[]),
        PositionGoal::Point { p_link, target } => line("F", &[p_link.coords, to_world(target)]),
        PositionGoal::Line {
            p_link,
            through,
            direction,
        } => line("L", &[p_link.coords, to_world(through), along(direction)]),
        PositionGoal::Plane {
            p_link,
            through,
            normal,
        } => line("P", &[p_link.coords, to_world(through), along(normal)]),
        PositionGoal::Points(points) => match points.as_slice() {
            [] => line("N", &[]),
            [(p_link, target)] => line("F", &[p_link.coords, to_world(target)]),
            _ => return Err("the format cannot hold several points: write a goal for each"),
        },
    }
    match &goal.rotation {
        RotationGoal::Free => line("N", &[]),
        RotationGoal::Axis { d_link, target } => line("A", &[*d_link, along(target)]),
        RotationGoal::Fixed(target) => {
            let seen: Rotation = x_wa.rotation * target;
            line("F", &[so3::to_rotation_vector(&seen)]);
        }
    }
    Ok(())
}
