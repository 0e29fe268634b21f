//! Colours and amount of the messages on standard error.

use std::io::{self, Write};
use std::sync::OnceLock;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use kinworld::Severity;

use crate::args::{Color, Messages};

/// The options of the command line, the defaults until they are parsed.
static MESSAGES: OnceLock<Messages> = OnceLock::new();

/// Sets the options, once.
pub(crate) fn set(messages: Messages) {
    // a second call is none
    let _ = MESSAGES.set(messages);
}

/// The options.
pub(crate) fn messages() -> Messages {
    MESSAGES.get().copied().unwrap_or_default()
}

/// Writes text to standard error, without its colours where nobody sees them; errors of writing are ignored.
pub(crate) fn print(text: &str) {
    let choice = match messages().color {
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
        // a terminal, NO_COLOR, CLICOLOR and their like
        Color::Auto => AutoStream::choice(&io::stderr()),
    };
    let mut stream = AutoStream::new(io::stderr().lock(), choice);
    let _ = stream.write_all(text.as_bytes());
}

/// The word of a severity, in its colour.
pub(crate) fn severity(severity: Severity) -> String {
    let color = match severity {
        Severity::Warning => AnsiColor::Yellow,
        _ => AnsiColor::Red,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    painted(style, &severity.to_string())
}

/// The word before advice, in its colour.
pub(crate) fn help() -> String {
    let style = Style::new().fg_color(Some(AnsiColor::Cyan.into()));
    painted(style, "help")
}

fn painted(style: Style, word: &str) -> String {
    format!("{style}{word}{style:#}")
}
