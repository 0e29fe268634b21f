//! Links along lines, arcs and screws: `cartesian`.

use kinworld::kinematics::State;
use kinworld::planning::{CartesianPath, RobotCSpace};
use kinworld::{Point, Pose, Vector};
use serde_json::{Value, json};

use super::path::{columns, of_group};
use super::planning::missing_of;
use super::timed::{Limits, Timed};
use super::{Answer, Path};
use crate::json::{number, numbers};
use crate::missing;
use crate::request::{CartesianRequest, Key, Piece, Refusal};
use crate::session::Session;

/// Configurations along paths of links, as far as they go.
#[derive(Debug)]
pub(crate) struct Cartesian {
    path: Path,
    /// The configurations before it stops, where it does.
    before: Vec<Vec<f64>>,
    /// Length of the longest path of a link up to the last configuration, and all of it, m.
    reached: f64,
    length: f64,
    /// Largest distance of a link from its path.
    deviation: f64,
}

impl Cartesian {
    pub(crate) fn of(session: &Session, request: &CartesianRequest) -> Result<Self, Refusal> {
        if request.pieces.is_empty() {
            return Err(Refusal("the path of the link has no piece".to_owned()));
        }
        let group = request.group.as_deref();
        session.in_space(&request.space, |robot, space| {
            let model = robot.model();
            let start = robot.config();
            let from = match &request.from {
                Some(config) => config.resolve(robot, start, group)?,
                None => start.to_vec(),
            };
            let own = group.map(|name| of_group(space, robot, name, &from));
            let own = own.transpose()?;
            let space: &RobotCSpace = own.as_ref().unwrap_or(space);
            let timing = request.timing.as_ref();
            let limits = timing.map(|timing| Limits::of(session, robot, timing));
            let limits = limits.transpose()?;
            let mut state = State::new(model);
            state.set_config(model, &from)?;
            let path = |link: &Key, pieces: &[Piece]| {
                let link = session.link(robot, link)?;
                let path = CartesianPath::new(link.id(), &state.pose(model, link.id()));
                let path = with_pieces(path, pieces).map_err(|Refusal(problem)| {
                    Refusal(match request.also.len() {
                        0 => problem,
                        _ => format!("`{}`: {problem}", link.name()),
                    })
                })?;
                Ok::<_, Refusal>(path.with_blend(request.blend)?)
            };
            let mut paths = vec![path(&request.link, &request.pieces)?];
            for (link, pieces) in &request.also {
                paths.push(path(link, pieces)?);
            }
            let length = paths.iter().map(CartesianPath::length).fold(0.0, f64::max);

            let followed = space.follow_together(&paths, &from, request.spacing)?;
            let mut corners = vec![from];
            if let Some(found) = &followed.path {
                corners.extend(found.breaks()[1..].iter().map(|&s| found.at(s)));
            }
            let timed = match (&followed.path, &followed.stop, limits) {
                (Some(found), None, Some(limits)) => {
                    let speed = request.speed.unwrap_or(f64::INFINITY);
                    Some(Timed::of_link(robot, space, found, speed, &limits)?)
                }
                _ => None,
            };
            let reason = followed.stop.map(|stop| {
                let (at, reason) = (stop.at, stop.reason);
                format!("stops before {at:.4} of {length:.4} m: {reason}")
            });
            let (corners, before) = match reason {
                Some(reason) => (Err(reason), corners),
                None => (Ok(corners), Vec::new()),
            };
            Ok(Self {
                path: Path {
                    corners,
                    columns: columns(robot, request.degrees),
                    reached: None,
                    missing: missing_of(space),
                    timed,
                },
                before,
                reached: followed.reached,
                length,
                deviation: followed.deviation,
            })
        })
    }
}

fn with_pieces(mut path: CartesianPath, pieces: &[Piece]) -> Result<CartesianPath, Refusal> {
    for (i, piece) in pieces.iter().enumerate() {
        let next = match piece {
            Piece::Move(by) => path.moved(&Vector::from(*by)),
            Piece::MoveLocal(by) => path.moved_locally(&Vector::from(*by)),
            Piece::Line { position, rotation } => {
                let rotation = rotation.unwrap_or(path.end().rotation);
                path.line(&Pose::from_parts(Vector::from(*position).into(), rotation))
            }
            Piece::Arc {
                center,
                axis,
                angle,
            } => path.arc(&Point::from(*center), &Vector::from(*axis), *angle),
            Piece::Screw {
                through,
                axis,
                angle,
                shift,
            } => {
                let (through, axis) = (Point::from(*through), Vector::from(*axis));
                path.screw(&through, &axis, *angle, *shift)
            }
        };
        path = next.map_err(|error| Refusal(format!("piece {}: {error}", i + 1)))?;
    }
    Ok(path)
}

impl AsRef<Path> for Cartesian {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

impl Answer for Cartesian {
    fn json(&self) -> Value {
        let (corners, reason) = match &self.path.corners {
            Ok(corners) => (corners, None),
            Err(reason) => (&self.before, Some(reason)),
        };
        let corners: Vec<Value> = corners.iter().map(numbers).collect();
        let mut answer = json!({
            "path": corners,
            "reached": number(self.reached),
            "length": number(self.length),
            "deviation": number(self.deviation),
        });
        if let Some(reason) = reason {
            answer["reason"] = reason.as_str().into();
        }
        if let Some(timed) = &self.path.timed {
            answer["trajectory"] = timed.json();
        }
        missing::with(answer, &self.path.missing)
    }

    fn text(&self) -> String {
        self.path.text()
    }

    fn reason(&self) -> Option<String> {
        self.path.reason()
    }
}
