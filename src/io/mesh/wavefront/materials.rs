//! Reader of Wavefront MTL: diffuse colour, opacity and texture of each material.

use crate::Diagnostic;
use crate::geometry::Appearance;
use crate::io::mesh::page::Page;
use crate::io::report::FileReport;

/// Reads the materials of a library, in file order.
pub(super) fn parse(text: &str, file: FileReport<'_>) -> Result<Vec<Appearance>, Diagnostic> {
    let page = Page { text, file };
    let mut materials: Vec<Appearance> = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or("").trim();
        let (keyword, rest) = line
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((line, ""));
        let rest = rest.trim();
        if keyword == "newmtl" {
            materials.push(Appearance {
                name: rest.to_owned(),
                ..Appearance::default()
            });
            continue;
        }
        let is_known = matches!(keyword, "Kd" | "d" | "Tr" | "map_Kd");
        let Some(material) = materials.last_mut().filter(|_| is_known) else {
            if is_known {
                let warning = format!("`{keyword}` before the first `newmtl` is ignored");
                page.warn(keyword, warning);
            }
            continue;
        };
        match keyword {
            "Kd" => {
                let numbers: Vec<f64> = rest
                    .split_ascii_whitespace()
                    .map_while(|word| word.parse().ok())
                    .filter(|x: &f64| x.is_finite())
                    .collect();
                let opacity = material.color.map_or(1.0, |[.., opacity]| opacity);
                match numbers[..] {
                    [grey] => material.color = Some([grey, grey, grey, opacity]),
                    [r, g, b, ..] => material.color = Some([r, g, b, opacity]),
                    _ => {
                        let warning = format!("`{line}` is ignored: a colour needs 3 numbers");
                        page.warn(line, warning);
                    }
                }
            }
            "map_Kd" => material.texture = texture(rest),
            _ => {
                let number = rest.parse::<f64>().ok().filter(|x| (0.0..=1.0).contains(x));
                let Some(number) = number else {
                    let warning = format!("`{line}` is ignored: it needs a number from 0 to 1");
                    page.warn(line, warning);
                    continue;
                };
                let opacity = if keyword == "d" { number } else { 1.0 - number };
                // white until a colour follows
                let [r, g, b, _] = material.color.unwrap_or([1.0; 4]);
                material.color = Some([r, g, b, opacity]);
            }
        }
    }
    let has_words = |line: &str| !line.split('#').next().unwrap_or("").trim().is_empty();
    if materials.is_empty() && text.lines().any(has_words) {
        let message = "is not a library of materials: it has no `newmtl`";
        return Err(Diagnostic::error(message).in_file(file.path));
    }
    Ok(materials)
}

/// The name of an image: the rest of the line, or its last word if options precede it.
fn texture(rest: &str) -> Option<String> {
    let name = if rest.starts_with('-') {
        rest.split_ascii_whitespace().last()?
    } else {
        rest
    };
    (!name.is_empty()).then(|| name.to_owned())
}
