//! Lines and words of a picture, whatever its format.

/// Picture: marks in user units, from the top left.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) marks: Vec<Mark>,
}

/// Line or word.
#[derive(Debug)]
pub(super) enum Mark {
    /// Line through points; `None` interrupts it.
    Line {
        points: Vec<Option<(f64, f64)>>,
        color: &'static str,
        width: f64,
    },
    /// Words, at their baseline.
    Text {
        at: (f64, f64),
        anchor: Anchor,
        color: &'static str,
        text: String,
    },
}

/// Position of a word relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    pub(super) fn line(
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

    pub(super) fn text(
        &mut self,
        at: (f64, f64),
        anchor: Anchor,
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
