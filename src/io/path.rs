//! Klampt's trajectories: a `.path` holds a time and a configuration per milestone.

use std::path::Path;

use super::config::{self, Fault};
use super::context::Context;
use super::output::{SaveOptions, write_file};
use super::position::Position;
use super::source::FilePath;
use super::text::number;
use crate::planning::Trajectory;
use crate::{Diagnostic, LoadError, Result};

/// The times and milestones in a text.
fn parse(text: &str) -> Result<(Vec<f64>, Vec<Vec<f64>>), Fault> {
    let mut words = config::words(text);
    let (mut times, mut milestones) = (Vec::new(), Vec::new());
    while let Some(word) = words.next().transpose()? {
        times.push(config::finite(&word)?);
        let Some(milestone) = config::next(&mut words)? else {
            return Err((word.position, "a time without a configuration".to_owned()));
        };
        milestones.push(milestone);
    }
    Ok((times, milestones))
}

/// The trajectory in a file.
pub(super) fn load(ctx: &mut Context<'_>, path: &FilePath) -> Result<Trajectory, LoadError> {
    let text = ctx.read_text(path)?;
    let help = "a line has a time, the number of values, and the values: `0.5  3 0 0.5 -1`";
    let (times, milestones) = parse(&text).map_err(|(Position { line, column }, problem)| {
        Diagnostic::error(problem).at(path, line, column).help(help)
    })?;
    let refused = |error: crate::Error| {
        Diagnostic::error(error.to_string())
            .in_file(path)
            .help(help)
    };
    Ok(Trajectory::new(times, milestones).map_err(refused)?)
}

impl Trajectory {
    /// Writes a `.path` file: a line for each milestone, its time and then the configuration.
    ///
    /// The file reads back to the last bit. A failed save leaves the old file unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) for a file that cannot be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::io::Loader;
    /// use kinworld::planning::Trajectory;
    ///
    /// let path = std::env::temp_dir().join("kinworld_doc.path");
    /// let wave = Trajectory::new(vec![0.0, 0.5], vec![vec![0.1, -2.0], vec![0.0, 1e-9]])?;
    /// wave.save(&path)?;
    /// assert_eq!(Loader::new().trajectory(&path)?.value, wave);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.save_with(path, &SaveOptions::default())
    }

    /// [`save`](Self::save) with options.
    ///
    /// # Errors
    ///
    /// Those of [`save`](Self::save), and [`Error::Load`](crate::Error::Load) for one of the
    /// [`inputs`](SaveOptions::inputs).
    pub fn save_with(&self, path: impl AsRef<Path>, options: &SaveOptions) -> Result<()> {
        let mut text = String::new();
        for (time, milestone) in self.times().iter().zip(self.milestones()) {
            text.push_str(&number(*time));
            text.push('\t');
            config::push(&mut text, milestone);
        }
        write_file(path, text.as_bytes(), options)
    }
}
