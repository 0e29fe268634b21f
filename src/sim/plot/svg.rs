//! Drawings as SVG.

use std::fmt::Write as _;

use super::drawing::{Drawing, Mark, TextAnchor};

/// SVG of a drawing.
pub(super) fn svg(drawing: &Drawing) -> String {
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
"#,
        drawing.width, drawing.height
    );
    for mark in &drawing.marks {
        let written = match mark {
            Mark::Line {
                points,
                color,
                width,
            } => {
                let mut path = String::new();
                let mut pen = 'M';
                for point in points {
                    let Some((x, y)) = point else {
                        pen = 'M';
                        continue;
                    };
                    path.push_str(&format!("{pen}{x:.2} {y:.2}"));
                    pen = 'L';
                }
                writeln!(
                    out,
                    r#"<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>"#
                )
            }
            Mark::Text {
                at: (x, y),
                anchor,
                color,
                text,
            } => {
                let anchor = match anchor {
                    TextAnchor::Start => "",
                    TextAnchor::Middle => r#" text-anchor="middle""#,
                    TextAnchor::End => r#" text-anchor="end""#,
                };
                let text = escaped(text);
                writeln!(
                    out,
                    r#"<text x="{x:.2}" y="{y:.2}"{anchor} fill="{color}">{text}</text>"#
                )
            }
        };
        written.expect("a string takes everything");
    }
    out.push_str("</svg>\n");
    out
}

/// Text with the special characters of XML escaped.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
