//! Drawings as PNG, with an embedded font: the Latin and Greek letters of DejaVu Sans (see `LICENSE_DEJAVU`).

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use tiny_skia::{
    Color, LineCap, LineJoin, Paint, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, Transform,
};

use crate::request::Refusal;
use kinworld::sim::plot::{Drawing, Mark, TextAnchor};

/// PNG of a drawing, with two pixels per user unit.
pub(super) fn png(drawing: &Drawing) -> Result<Vec<u8>, Refusal> {
    let refuse = |problem: &dyn std::fmt::Display| Refusal(format!("the plot: {problem}"));
    let font = FontRef::try_from_slice(FONT).map_err(|error| refuse(&error))?;
    let size = |units: f64| (units * f64::from(SCALE)).ceil() as u32;
    let (width, height) = (size(drawing.width), size(drawing.height));
    let mut pixmap = Pixmap::new(width, height)
        .ok_or_else(|| refuse(&"is too large for an image; name fewer --columns"))?;
    pixmap.fill(Color::WHITE);
    for mark in &drawing.marks {
        match mark {
            Mark::Line {
                points,
                color,
                width,
            } => line(&mut pixmap, points, rgb(color), *width as f32),
            Mark::Text {
                at,
                anchor,
                color,
                text,
            } => words(&mut pixmap, &font, *at, *anchor, rgb(color), text),
        }
    }

    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|error| refuse(&error))?;
    // white below everything: no pixel is transparent
    let pixels = pixmap.pixels().iter();
    let data: Vec<u8> = pixels
        .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
        .collect();
    let written = writer.write_image_data(&data);
    written
        .and_then(|()| writer.finish())
        .map_err(|error| refuse(&error))?;
    Ok(out)
}

fn line(
    pixmap: &mut Pixmap,
    points: &[Option<(f64, f64)>],
    [red, green, blue]: [u8; 3],
    width: f32,
) {
    let mut path = PathBuilder::new();
    let mut is_down = false;
    for point in points {
        match point {
            None => is_down = false,
            Some((x, y)) if is_down => path.line_to(*x as f32, *y as f32),
            Some((x, y)) => {
                path.move_to(*x as f32, *y as f32);
                is_down = true;
            }
        }
    }
    // a line without length has no path
    let Some(path) = path.finish() else {
        return;
    };
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    let stroke = Stroke {
        width,
        line_cap: LineCap::Butt,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    let scale = Transform::from_scale(SCALE, SCALE);
    pixmap.stroke_path(&path, &paint, &stroke, scale, None);
}

fn words(
    pixmap: &mut Pixmap,
    font: &FontRef<'_>,
    (x, y): (f64, f64),
    anchor: TextAnchor,
    color: [u8; 3],
    text: &str,
) {
    let font = font.as_scaled(PxScale::from(HEIGHT * SCALE));
    let advance = |letter: char| font.h_advance(font.glyph_id(letter));
    let length: f32 = text.chars().map(advance).sum();
    let mut x = x as f32 * SCALE
        - match anchor {
            TextAnchor::Start => 0.0,
            TextAnchor::Middle => 0.5 * length,
            TextAnchor::End => length,
        };
    let y = y as f32 * SCALE;
    for letter in text.chars() {
        let glyph = font.glyph_id(letter);
        let glyph = glyph.with_scale_and_position(font.scale(), point(x, y));
        x += advance(letter);
        let Some(outline) = font.outline_glyph(glyph) else {
            continue;
        };
        let (left, top) = (outline.px_bounds().min.x, outline.px_bounds().min.y);
        let (width, height) = (pixmap.width(), pixmap.height());
        outline.draw(|column, row, part| {
            let (x, y) = (left + column as f32, top + row as f32);
            if !(0.0..width as f32).contains(&x) || !(0.0..height as f32).contains(&y) {
                return;
            }
            let index = y as usize * width as usize + x as usize;
            if let Some(pixel) = pixmap.pixels_mut().get_mut(index) {
                *pixel = over(*pixel, color, part);
            }
        });
    }
}

/// A part of a colour over an opaque pixel.
fn over(below: PremultipliedColorU8, color: [u8; 3], part: f32) -> PremultipliedColorU8 {
    let part = part.clamp(0.0, 1.0);
    let mixed = |below: u8, above: u8| {
        (f32::from(below) + part * (f32::from(above) - f32::from(below))).round() as u8
    };
    let [red, green, blue] = color;
    PremultipliedColorU8::from_rgba(
        mixed(below.red(), red),
        mixed(below.green(), green),
        mixed(below.blue(), blue),
        255,
    )
    .unwrap_or(below)
}

/// Red, green and blue of `#rgb` or `#rrggbb`.
fn rgb(color: &str) -> [u8; 3] {
    let digits: Vec<u8> = color
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    match *digits {
        [r, g, b] => [17 * r, 17 * g, 17 * b],
        [a, b, c, d, e, f] => [16 * a + b, 16 * c + d, 16 * e + f],
        _ => [0; 3],
    }
}

const FONT: &[u8] = include_bytes!("DejaVuSans-latin.ttf");
/// Pixels per user unit.
const SCALE: f32 = 2.0;
/// Height of a line of text, of which the em is 12 units.
const HEIGHT: f32 = 13.97;

#[cfg(test)]
mod tests {
    use super::*;

    /// Colours and their numbers of pixels.
    fn counts(drawing: &Drawing) -> std::collections::BTreeMap<[u8; 3], usize> {
        let bytes = png(drawing).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        let size = (f64::from(frame.width), f64::from(frame.height));
        assert_eq!(size, (2.0 * drawing.width, 2.0 * drawing.height));
        let mut counts = std::collections::BTreeMap::new();
        for pixel in pixels.chunks_exact(3) {
            *counts.entry([pixel[0], pixel[1], pixel[2]]).or_default() += 1;
        }
        counts
    }

    #[test]
    fn lines_and_letters_are_drawn_in_their_colours() {
        let mut drawing = Drawing::new(100.0, 50.0);
        assert_eq!(counts(&drawing), [([255; 3], 20_000)].into());
        let line = [
            Some((10.0, 10.0)),
            None,
            Some((20.0, 30.0)),
            Some((60.0, 30.0)),
        ];
        drawing.line(line, "#0072b2", 2.0);
        // 40 by 2 units
        assert_eq!(counts(&drawing)[&[0, 0x72, 0xb2]], 320);
        drawing.text((90.0, 20.0), TextAnchor::End, "#d55e00", "q_α [deg] é");
        let drawn = counts(&drawing);
        assert!(drawn[&[0xd5, 0x5e, 0]] > 50, "{drawn:?}");
        assert_eq!(drawn[&[0, 0x72, 0xb2]], 320);
    }
}
