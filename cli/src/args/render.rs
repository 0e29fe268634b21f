//! The arguments of `render`.

use std::path::PathBuf;

use clap::Args;

use super::values::numbers;
use super::{Load, Missing, Posture};

/// Files of a world, and the picture to write.
#[derive(Debug, Args)]
pub(crate) struct Render {
    /// Files to load into one world, in this order, then the picture to write: its name ends with `.png`
    #[arg(value_name = "FILE… PICTURE.png", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) posture: Posture,
    /// Width and height in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x640", value_parser = size)]
    pub(crate) size: [usize; 2],
    /// Place of the camera and the point that it looks at, in metres [default: where all is seen]
    #[arg(long, value_name = "X,Y,Z,TO_X,TO_Y,TO_Z", allow_hyphen_values = true, value_parser = eye)]
    pub(crate) camera: Option<[f64; 6]>,
    /// Vertical field of view in degrees, for --camera
    #[arg(long, value_name = "DEGREES", default_value_t = 38.0, value_parser = angle)]
    pub(crate) fov: f64,
    /// File for the depths: PNG with 16 bits, in millimetres along the optical axis, 0 for nothing
    #[arg(long, value_name = "DEPTH.png")]
    pub(crate) depth: Option<PathBuf>,
    /// File for the elements: PNG with 16 bits, 1 more than the Klampt id, 0 for nothing
    #[arg(long, value_name = "SEGMENTS.png")]
    pub(crate) segmentation: Option<PathBuf>,
    /// Motion to draw as an animated PNG, which browsers play: as for `export`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "segmentation"])]
    pub(crate) motion: Option<PathBuf>,
    /// Frames per second of --motion
    #[arg(long, value_name = "N", default_value_t = 20.0)]
    pub(crate) fps: f64,
    /// Paint elements that collide red
    #[arg(long)]
    pub(crate) collisions: bool,
    #[command(flatten)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) load: Load,
}

impl Render {
    /// The picture to write.
    pub(crate) fn picture(&self) -> Option<&PathBuf> {
        self.paths.last()
    }
}

fn size(text: &str) -> Result<[usize; 2], String> {
    let expected = || format!("`{text}` is not a size, for instance 960x640");
    let (width, height) = text.split_once(['x', '×']).ok_or_else(expected)?;
    let side = |text: &str| text.trim().parse::<usize>().map_err(|_| expected());
    Ok([side(width)?, side(height)?])
}

fn eye(text: &str) -> Result<[f64; 6], String> {
    let values = numbers(text)?.0;
    <[f64; 6]>::try_from(values)
        .map_err(|values| format!("expected 6 values, got {}", values.len()))
}

fn angle(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x < 180.0 => Ok(x),
        _ => Err(format!(
            "`{text}` is not an angle between 0 and 180 degrees"
        )),
    }
}
