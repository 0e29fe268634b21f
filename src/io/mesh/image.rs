//! Decoding of PNG and JPEG images, for height maps.

use std::io::Cursor;
use std::path::Path;

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::Diagnostic;

/// A decoded image: rows from top to bottom, the samples of a pixel interleaved.
#[derive(Debug)]
pub(super) struct Image {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Samples per pixel: 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA.
    channels: usize,
    samples: Samples,
}

/// Samples of 8 or 16 bits.
#[derive(Debug)]
enum Samples {
    Eight(Vec<u8>),
    Sixteen(Vec<u16>),
}

impl Image {
    /// Decodes a file of at most `limit` pixels, PNG or JPEG by its first bytes.
    pub(super) fn decode(bytes: &[u8], path: &Path, limit: u64) -> Result<Self, Diagnostic> {
        let refuse = |message: String| Diagnostic::error(message).in_file(path);
        let broken = |problem: String| refuse(format!("the image is broken: {problem}"));
        let check = |width: u32, height: u32| {
            if u64::from(width) * u64::from(height) > limit {
                let problem =
                    format!("the image has {width} by {height} pixels, the limit is {limit}");
                return Err(refuse(problem));
            }
            Ok(())
        };
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            png(bytes, check, broken)
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            jpeg(bytes, check, broken)
        } else {
            Err(refuse("is not a PNG or JPEG image".to_owned()).help("convert it to .png"))
        }
    }

    /// Brightness of each pixel, from 0 to 65535; of colours by the weights of Rec. 709.
    pub(super) fn luma(&self) -> Vec<u16> {
        match &self.samples {
            Samples::Eight(samples) => {
                let pixels = samples.chunks_exact(self.channels);
                pixels.map(|p| luma(p, |x| 257 * u64::from(x))).collect()
            }
            Samples::Sixteen(samples) => {
                let pixels = samples.chunks_exact(self.channels);
                pixels.map(|p| luma(p, u64::from)).collect()
            }
        }
    }

    /// Colour of each pixel with 8 bits per sample; opaque where the image has no alpha.
    pub(super) fn rgba(&self) -> Vec<[u8; 4]> {
        match &self.samples {
            Samples::Eight(samples) => {
                let pixels = samples.chunks_exact(self.channels);
                pixels.map(|p| rgba(p, |x| x)).collect()
            }
            Samples::Sixteen(samples) => {
                let pixels = samples.chunks_exact(self.channels);
                let narrow = |x: u16| ((u32::from(x) + 128) / 257) as u8;
                pixels.map(|p| rgba(p, narrow)).collect()
            }
        }
    }
}

fn luma<T: Copy>(pixel: &[T], widen: impl Fn(T) -> u64) -> u16 {
    let luma = match *pixel {
        [r, g, b] | [r, g, b, _] => {
            (2126 * widen(r) + 7152 * widen(g) + 722 * widen(b) + 5000) / 10_000
        }
        [gray] | [gray, _] => widen(gray),
        _ => 0,
    };
    luma as u16
}

fn rgba<T: Copy>(pixel: &[T], narrow: impl Fn(T) -> u8) -> [u8; 4] {
    let opaque = u8::MAX;
    match *pixel {
        [gray] => [narrow(gray), narrow(gray), narrow(gray), opaque],
        [gray, a] => [narrow(gray), narrow(gray), narrow(gray), narrow(a)],
        [r, g, b] => [narrow(r), narrow(g), narrow(b), opaque],
        [r, g, b, a] => [narrow(r), narrow(g), narrow(b), narrow(a)],
        _ => [0; 4],
    }
}

fn png(
    bytes: &[u8],
    check: impl Fn(u32, u32) -> Result<(), Diagnostic>,
    broken: impl Fn(String) -> Diagnostic,
) -> Result<Image, Diagnostic> {
    let problem = |error: png::DecodingError| broken(error.to_string());
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    // expands palettes to colours, and fewer than eight bits to eight
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(problem)?;
    let (width, height) = reader.info().size();
    check(width, height)?;
    let size = reader.output_buffer_size();
    let size = size.ok_or_else(|| broken("its size overflows".to_owned()))?;
    let mut data = vec![0; size];
    let frame = reader.next_frame(&mut data).map_err(problem)?;
    data.truncate(frame.buffer_size());
    let samples = match frame.bit_depth {
        png::BitDepth::Sixteen => {
            let pairs = data.as_chunks::<2>().0.iter();
            Samples::Sixteen(pairs.map(|&pair| u16::from_be_bytes(pair)).collect())
        }
        _ => Samples::Eight(data),
    };
    Ok(Image {
        width,
        height,
        channels: frame.color_type.samples(),
        samples,
    })
}

fn jpeg(
    bytes: &[u8],
    check: impl Fn(u32, u32) -> Result<(), Diagnostic>,
    broken: impl Fn(String) -> Diagnostic,
) -> Result<Image, Diagnostic> {
    let problem = |error: zune_jpeg::errors::DecodeErrors| broken(error.to_string());
    let any_size = usize::from(u16::MAX);
    let options = DecoderOptions::default()
        .set_max_width(any_size)
        .set_max_height(any_size);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(problem)?;
    let info = decoder.info();
    let info = info.ok_or_else(|| broken("it has no header".to_owned()))?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    check(width, height)?;
    let (space, channels) = if info.components == 1 {
        (ColorSpace::Luma, 1)
    } else {
        (ColorSpace::RGB, 3)
    };
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let data = decoder.decode().map_err(problem)?;
    Ok(Image {
        width,
        height,
        channels,
        samples: Samples::Eight(data),
    })
}
