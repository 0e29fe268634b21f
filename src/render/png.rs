//! Pictures as PNG.

use png::{BitDepth, ColorType, Encoder};

use super::Picture;
use crate::{Error, Result};

impl Picture {
    /// The colours as PNG.
    #[must_use]
    pub fn to_png(&self) -> Vec<u8> {
        encoded(self.size, ColorType::Rgb, BitDepth::Eight, &self.rgb)
    }

    /// The depths as PNG with 16 bits, in millimetres; 0 where there is nothing, or nothing nearer than 65.5 m.
    #[must_use]
    pub fn depth_to_png(&self) -> Vec<u8> {
        let millimetres = self.depth.iter().map(|depth| {
            let whole = (f64::from(*depth) * 1000.0).round();
            match whole <= f64::from(u16::MAX) {
                true => whole as u16,
                false => 0,
            }
        });
        let bytes: Vec<u8> = millimetres.flat_map(u16::to_be_bytes).collect();
        encoded(self.size, ColorType::Grayscale, BitDepth::Sixteen, &bytes)
    }

    /// The [elements](Self::segmentation) as PNG with 16 bits; 65535 for all from that number on.
    #[must_use]
    pub fn segmentation_to_png(&self) -> Vec<u8> {
        let short = |id: &u32| u16::try_from(*id).unwrap_or(u16::MAX).to_be_bytes();
        let bytes: Vec<u8> = self.ids.iter().flat_map(short).collect();
        encoded(self.size, ColorType::Grayscale, BitDepth::Sixteen, &bytes)
    }
}

/// Pictures of one size as an animated PNG, which browsers play again and again; `frame` makes each of them when its turn has
/// come, so that only one is kept.
///
/// # Errors
///
/// [`Error::Invalid`] for no frame, a frame of another size, or a rate that is not between 0.02 and 1000 per second; and the errors of `frame`.
pub fn animation(
    size: [usize; 2],
    n_frames: usize,
    frames_per_second: f64,
    mut frame: impl FnMut(usize) -> Result<Picture>,
) -> Result<Vec<u8>> {
    let refuse = |problem: String| Error::invalid("an animation", problem);
    let n = u32::try_from(n_frames).ok().filter(|n| *n > 0);
    let n = n.ok_or_else(|| refuse(format!("{n_frames} frames")))?;
    if !(0.02..=1000.0).contains(&frames_per_second) {
        return Err(refuse(format!("{frames_per_second} frames per second")));
    }
    let delay = (1000.0 / frames_per_second).round() as u16;
    let mut file = Vec::new();
    let mut encoder = encoder(&mut file, size, ColorType::Rgb, BitDepth::Eight);
    // these refuse a number of 0 only
    let set = encoder.set_animated(n, 0);
    let set = set.and_then(|()| encoder.set_frame_delay(delay, 1000));
    set.map_err(|error| refuse(error.to_string()))?;
    let writer = encoder.write_header();
    let mut writer = writer.map_err(|error| refuse(error.to_string()))?;
    for i in 0..n_frames {
        let picture = frame(i)?;
        if picture.size != size {
            return Err(refuse(format!("frame {i} has another size")));
        }
        let written = writer.write_image_data(&picture.rgb);
        written.map_err(|error| refuse(error.to_string()))?;
    }
    drop(writer);
    Ok(file)
}

fn encoder(
    file: &mut Vec<u8>,
    [width, height]: [usize; 2],
    color: ColorType,
    depth: BitDepth,
) -> Encoder<'static, &mut Vec<u8>> {
    let side = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut encoder = Encoder::new(file, side(width), side(height));
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder
}

fn encoded(size: [usize; 2], color: ColorType, depth: BitDepth, bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let writer = encoder(&mut file, size, color, depth).write_header();
    let mut writer = writer.expect("a vector takes all bytes");
    let written = writer.write_image_data(bytes);
    written.expect("there are as many bytes as pixels ask for");
    drop(writer);
    file
}
