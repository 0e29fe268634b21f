//! Klampt's configurations: the number of values, then the values. One in a `.config`, any number in a `.configs`.

use std::path::Path;

use super::context::Context;
use super::output::{SaveOptions, write_file};
use super::position::Position;
use super::source::FilePath;
use super::text::number;
use super::words::{OpenQuote, Word, Words};
use crate::{Diagnostic, LoadError, Result};

/// All configurations in a text.
pub(super) fn parse(text: &str) -> Result<Vec<Vec<f64>>, Fault> {
    let mut words = words(text);
    std::iter::from_fn(|| next(&mut words).transpose()).collect()
}

/// An error and its position.
pub(super) type Fault = (Position, String);

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = Result<Word<'_>, Fault>> {
    let lines = (1..).zip(text.lines());
    let words = lines.flat_map(|(number, line)| Words::new(line, number));
    words.map(|word| {
        word.map_err(|OpenQuote(position)| (position, "`\"` is not a number".to_owned()))
    })
}

/// The next configuration: the number of its values, then the values; `None` at the end.
pub(super) fn next<'a>(
    words: &mut impl Iterator<Item = Result<Word<'a>, Fault>>,
) -> Result<Option<Vec<f64>>, Fault> {
    let Some(count) = words.next().transpose()? else {
        return Ok(None);
    };
    let Ok(n) = count.text.parse::<usize>() else {
        let problem = format!("`{}` is not a number of values", shown(count.text));
        return Err((count.position, problem));
    };
    // allocates for the values present, not for the announced number
    let values: Vec<f64> = (words.take(n).map(|word| finite(&word?))).collect::<Result<_, _>>()?;
    if values.len() < n {
        let problem = format!("{n} values are announced, but only {} follow", values.len());
        return Err((count.position, problem));
    }
    Ok(Some(values))
}

/// A word as a finite number.
pub(super) fn finite(word: &Word<'_>) -> Result<f64, Fault> {
    match word.text.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => {
            let problem = format!("`{}` is not a finite number", shown(word.text));
            Err((word.position, problem))
        }
    }
}

/// Writes a configuration: the number of its values, then the values.
pub(super) fn push(text: &mut String, q: &[f64]) {
    text.push_str(&q.len().to_string());
    for x in q {
        text.push(' ');
        text.push_str(&number(*x));
    }
    text.push('\n');
}

/// The configurations in a file.
pub(super) fn load(ctx: &mut Context<'_>, path: &FilePath) -> Result<Vec<Vec<f64>>, LoadError> {
    let text = ctx.read_text(path)?;
    parse(&text).map_err(|(Position { line, column }, problem)| {
        let error = Diagnostic::error(problem).at(path, line, column);
        let help = "a configuration is the number of its values, then the values: `3 0 0.5 -1`";
        error.help(help).into()
    })
}

/// Writes configurations to a `.config` or `.configs` file, one per line.
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
/// use kinworld::io::{Loader, save_configurations};
///
/// let path = std::env::temp_dir().join("kinworld_doc.configs");
/// save_configurations(&path, &[vec![0.1, -2.0], vec![0.0, 1e-9]])?;
/// assert_eq!(Loader::new().configurations(&path)?.value[1], [0.0, 1e-9]);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn save_configurations(path: impl AsRef<Path>, configs: &[Vec<f64>]) -> Result<()> {
    save_configurations_with(path, configs, &SaveOptions::default())
}

/// [`save_configurations`] with options.
///
/// # Errors
///
/// Those of [`save_configurations`], and [`Error::Load`](crate::Error::Load) for one of the
/// [`inputs`](SaveOptions::inputs).
pub fn save_configurations_with(
    path: impl AsRef<Path>,
    configs: &[Vec<f64>],
    options: &SaveOptions,
) -> Result<()> {
    let mut text = String::new();
    for q in configs {
        push(&mut text, q);
    }
    write_file(path, text.as_bytes(), options)
}

fn shown(word: &str) -> String {
    word.chars().take(40).collect()
}
