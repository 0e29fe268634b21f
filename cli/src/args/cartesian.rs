//! The arguments of `cartesian`.

use std::f64::consts::PI;
use std::path::PathBuf;

use clap::Args;

use super::motion_limits::MotionLimits;
use super::plan::{Shape, pose_of};
use super::values::{Numbers, key, numbers};
use super::{Files, Format, Html, Load, Missing};
use crate::request::{CartesianRequest, Config, Key, PIECES, Piece, Refusal, SPACING, Space};

/// A world, a link, and the pieces of its path.
#[derive(Debug, Args)]
pub(crate) struct Cartesian {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Robot, by name or index in load order [default: the first]
    #[arg(long, value_name = "ROBOT", allow_hyphen_values = true, value_parser = key)]
    robot: Option<Key>,
    /// Link that moves, by name or index
    #[arg(long, value_name = "LINK", allow_hyphen_values = true, value_parser = key)]
    link: Key,
    /// Start configuration: one value per dof or driver, some joints by name, or a named state [default: as loaded]
    #[arg(
        long,
        value_name = "Q1,Q2,…|JOINT=Q,…|@STATE",
        allow_hyphen_values = true
    )]
    from: Option<String>,
    /// Piece of the path; may be given several times, one after the other
    ///
    /// move=X,Y,Z: straight by a vector in world axes.
    ///
    /// move_local=X,Y,Z: straight by a vector in the axes of the link, as they are then.
    ///
    /// line=X,Y,Z[,QX,QY,QZ,QW|,R,P,Y]: straight to a pose, without angles with the same orientation.
    ///
    /// arc=CX,CY,CZ,AX,AY,AZ,ANGLE: about an axis A through a point C, without turning the link.
    ///
    /// screw=PX,PY,PZ,AX,AY,AZ,ANGLE,SHIFT: the link turns about an axis A through a point P, and shifts along it.
    #[arg(
        long,
        value_name = "KIND=NUMBERS",
        required = true,
        allow_hyphen_values = true
    )]
    piece: Vec<String>,
    /// Another link that moves at the same time, with a piece of its path as in --piece; without one it stays where it is
    ///
    /// May be given several times, for one link one piece after the other. All paths begin and end together.
    #[arg(long, value_name = "LINK[:KIND=NUMBERS]", allow_hyphen_values = true)]
    also: Vec<String>,
    /// Radius within which corners between pieces are rounded, so that the motion need not stop there, m: at most half of a piece
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    blend: f64,
    /// Group of joints that move: all others stay as at the start
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,
    /// Largest distance of the link between two configurations, m
    #[arg(long, value_name = "M", default_value_t = SPACING, allow_hyphen_values = true)]
    spacing: f64,
    /// Angles in degrees, in options and in the table; JSON, lengths and files stay as they are
    #[arg(long)]
    pub(crate) degrees: bool,
    /// Collision geometry of links and objects
    #[arg(long, value_enum, value_name = "SHAPE", default_value_t)]
    shape: Shape,
    #[command(flatten)]
    limits: MotionLimits,
    /// Largest speed of the link that goes farthest, m/s: it turns by 5 rad/s for each of them at most
    #[arg(
        long,
        value_name = "M/S",
        allow_hyphen_values = true,
        help_heading = "Trajectory"
    )]
    speed: Option<f64>,
    /// File to write the path to: .csv, .json, or Klampt's .path with a waypoint per second, or with the times of a trajectory [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) page: Html,
    #[command(flatten)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}

impl Cartesian {
    /// The request of these arguments.
    pub(crate) fn request(&self) -> Result<CartesianRequest, Refusal> {
        let option = |name: &'static str| move |problem| Refusal(format!("{name}: {problem}"));
        let config = |text: &String| Config::parse_state(text);
        let from = self.from.as_ref().map(config).transpose();
        let from = from.map_err(option("--from"))?;
        let pieces = self.piece.iter().map(|text| piece(text, self.degrees));
        let also = also(&self.also, self.degrees).map_err(option("--also"))?;
        let timing = self.limits.timing();
        Ok(CartesianRequest {
            space: Space {
                robot: self.robot.clone(),
                shape: self.shape.into(),
            },
            link: self.link.clone(),
            from: from.map(|config| config.in_degrees(self.degrees)),
            pieces: pieces
                .collect::<Result<_, _>>()
                .map_err(option("--piece"))?,
            also,
            blend: self.blend,
            group: self.group.clone(),
            spacing: self.spacing,
            degrees: self.degrees && self.output.is_none(),
            timing: match self.speed {
                Some(_) => Some(timing.unwrap_or_default()),
                None => timing,
            },
            speed: self.speed,
        })
    }
}

/// Links and the pieces of their paths, in the order in which the links are first named.
fn also(texts: &[String], degrees: bool) -> Result<Vec<(Key, Vec<Piece>)>, String> {
    let mut links: Vec<(&str, Vec<Piece>)> = Vec::new();
    for text in texts {
        // names of links may have colons
        let colon = PIECES
            .iter()
            .find_map(|kind| text.rfind(&format!(":{kind}=")));
        let (link, piece) = match colon {
            Some(colon) => (&text[..colon], Some(piece(&text[colon + 1..], degrees)?)),
            None if text.contains('=') => {
                return Err(format!(
                    "expected a link, or LINK:{}, got `{text}`",
                    kinds()
                ));
            }
            None => (text.as_str(), None),
        };
        let found = links.iter().position(|(name, _)| *name == link);
        let at = found.unwrap_or_else(|| {
            links.push((link, Vec::new()));
            links.len() - 1
        });
        links[at].1.extend(piece);
    }
    let entry = |(link, pieces): (&str, Vec<Piece>)| (Key::Word(link.to_owned()), pieces);
    Ok(links.into_iter().map(entry).collect())
}

fn piece(text: &str, degrees: bool) -> Result<Piece, String> {
    let Some((kind, values)) = text.split_once('=') else {
        return Err(format!("expected {}, got `{text}`", kinds()));
    };
    if kind == "line" {
        let (position, rotation) = pose_of(values, degrees)?;
        return Ok(Piece::Line { position, rotation });
    }
    let Numbers(values) = numbers(values)?;
    let unit = if degrees { PI / 180.0 } else { 1.0 };
    match (kind, &values[..]) {
        ("move", &[x, y, z]) => Ok(Piece::Move([x, y, z])),
        ("move_local", &[x, y, z]) => Ok(Piece::MoveLocal([x, y, z])),
        ("arc", &[x, y, z, u, v, w, angle]) => Ok(Piece::Arc {
            center: [x, y, z],
            axis: [u, v, w],
            angle: angle * unit,
        }),
        ("screw", &[x, y, z, u, v, w, angle, shift]) => Ok(Piece::Screw {
            through: [x, y, z],
            axis: [u, v, w],
            angle: angle * unit,
            shift,
        }),
        ("move" | "move_local", _) => Err(counted(kind, 3, values.len())),
        ("arc", _) => Err(counted(kind, 7, values.len())),
        ("screw", _) => Err(counted(kind, 8, values.len())),
        _ => Err(format!("expected {}, got `{kind}`", kinds())),
    }
}

fn counted(kind: &str, expected: usize, found: usize) -> String {
    format!("{kind}: expected {expected} values, got {found}")
}

fn kinds() -> String {
    let [others @ .., last] = PIECES;
    let others = others.map(|kind| format!("{kind}=…"));
    format!("{} or {last}=…", others.join(", "))
}
