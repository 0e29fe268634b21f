//! Pictures as PNG.

use png::{BitDepth, ColorType, Encoder};

use super::Picture;

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

fn encoded(
    [width, height]: [usize; 2],
    color: ColorType,
    depth: BitDepth,
    bytes: &[u8],
) -> Vec<u8> {
    let mut file = Vec::new();
    let side = |n: usize| u32::try_from(n).expect("a camera has few pixels");
    let mut encoder = Encoder::new(&mut file, side(width), side(height));
    encoder.set_color(color);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().expect("a vector takes all bytes");
    let written = writer.write_image_data(bytes);
    written.expect("there are as many bytes as pixels ask for");
    drop(writer);
    file
}
