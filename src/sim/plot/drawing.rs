//! Lines and words of a picture, whatever its format.

/// A picture: marks in user units, x to the right and y down from the top left.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Drawing {
    /// Width, user units.
    pub width: f64,
    /// Height, user units.
    pub height: f64,
    /// Lines and words, later ones above earlier ones.
    pub marks: Vec<Mark>,
}

/// A line or a word.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// Line through points; `None` interrupts it.
    Line {
        /// Points, user units.
        points: Vec<Option<(f64, f64)>>,
        /// Colour, as `#rrggbb`.
        color: &'static str,
        /// Width, user units.
        width: f64,
    },
    /// Words, at their baseline.
    Text {
        /// Point of the baseline, user units.
        at: (f64, f64),
        /// Where the words are from there.
        anchor: TextAnchor,
        /// Colour, as `#rrggbb`.
        color: &'static str,
        /// The words.
        text: String,
    },
}

/// Position of words relative to their point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextAnchor {
    /// They start there.
    Start,
    /// Their middle is there.
    Middle,
    /// They end there.
    End,
}

impl Drawing {
    /// An empty drawing of a size, user units.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            marks: Vec::new(),
        }
    }

    /// Adds a line.
    pub fn line(
        &mut self,
        points: impl IntoIterator<Item = Option<(f64, f64)>>,
        color: &'static str,
        width: f64,
    ) {
        let points = points.into_iter().collect();
        self.marks.push(Mark::Line {
            points,
            color,
            width,
        });
    }

    /// Adds words.
    pub fn text(
        &mut self,
        at: (f64, f64),
        anchor: TextAnchor,
        color: &'static str,
        text: impl Into<String>,
    ) {
        self.marks.push(Mark::Text {
            at,
            anchor,
            color,
            text: text.into(),
        });
    }
}
