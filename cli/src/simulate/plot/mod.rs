//! Line plots of table columns over time, as SVG or PNG.

#[cfg(feature = "png")]
mod png;

use std::path::Path;

use kinworld::sim::Table;
use kinworld::sim::plot::Drawing;

use crate::request::Refusal;

/// Format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlotFormat {
    Svg,
    #[cfg(feature = "png")]
    Png,
}

impl PlotFormat {
    /// Format of a file, by its suffix.
    pub(super) fn of(path: &Path) -> Result<Self, Refusal> {
        let suffix = path.extension().map(|suffix| suffix.to_ascii_lowercase());
        if suffix.as_ref().is_some_and(|suffix| suffix == "svg") {
            return Ok(Self::Svg);
        }
        let is_png = suffix.is_some_and(|suffix| suffix == "png");
        #[cfg(feature = "png")]
        if is_png {
            return Ok(Self::Png);
        }
        let advice = match is_png {
            true => "this build of the tool has no PNG (feature `png`): name the plot with `.svg`",
            false => "plots are written as SVG or PNG: name it with `.svg` or `.png`",
        };
        Err(Refusal(format!("{}: {advice}", path.display())))
    }

    /// Plot of these columns over time; of all columns where none is named.
    ///
    /// Values that are not finite interrupt a line. An unknown column is refused.
    pub(super) fn plot(self, table: &Table, columns: &[&str]) -> Result<Vec<u8>, Refusal> {
        let drawing = Drawing::of_table(table, columns)?;
        match self {
            Self::Svg => Ok(drawing.to_svg().into_bytes()),
            #[cfg(feature = "png")]
            Self::Png => png::png(&drawing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_pictures_are_refused() {
        assert_eq!(
            PlotFormat::of(Path::new("run.SVG")).unwrap(),
            PlotFormat::Svg
        );
        let refusal = PlotFormat::of(Path::new("run.jpg")).unwrap_err();
        assert!(
            refusal
                .0
                .starts_with("run.jpg: plots are written as SVG or PNG"),
            "{}",
            refusal.0
        );
    }
}
