//! The options of every command: messages and their colours.

use clap::{Args, ColorChoice, CommandFactory, FromArgMatches, ValueEnum};

use super::Cli;

/// Which messages are printed, and how.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Messages {
    /// Print no warnings and no progress; errors are printed
    #[arg(long, short, global = true, help_heading = MESSAGES)]
    pub(crate) quiet: bool,
    /// Print each warning by itself: without it, three or more of a kind are printed as one
    #[arg(
        long,
        short,
        global = true,
        conflicts_with = "quiet",
        help_heading = MESSAGES
    )]
    pub(crate) verbose: bool,
    /// Colours of messages and help; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t, help_heading = MESSAGES)]
    pub(crate) color: Color,
}

/// When messages have colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Cli {
    /// Parses the command line; ends the process after help and wrong usage.
    pub(crate) fn of_the_command_line() -> Self {
        // errors of the parser need the colours before it has found them
        let words: Vec<_> = std::env::args_os().collect();
        let texts = words.iter().map(|word| word.to_string_lossy());
        let texts: Vec<_> = texts.take_while(|word| word != "--").collect();
        let wants = |choice: &str| {
            let apart = [String::from("--color"), choice.to_owned()];
            texts.contains(&format!("--color={choice}").into())
                || texts.windows(2).any(|pair| pair == apart)
        };
        let color = match (wants("always"), wants("never")) {
            (true, false) => ColorChoice::Always,
            (false, true) => ColorChoice::Never,
            _ => ColorChoice::Auto,
        };
        let mut command = Self::command().color(color);
        let words = crate::descriptions::expanded(words).unwrap_or_else(|problem| {
            command
                .error(clap::error::ErrorKind::ValueValidation, problem)
                .exit()
        });
        let matches = command.clone().get_matches_from(words);
        match Self::from_arg_matches(&matches) {
            Ok(cli) => cli,
            Err(error) => error.format(&mut command).exit(),
        }
    }
}

const MESSAGES: &str = "Messages";
