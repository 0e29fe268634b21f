//! Completions of shells, and the manual page, from the definition of the command line.

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::Failure;
use crate::args::Cli;

/// The script that completes command lines of this tool.
pub(crate) fn of(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "kinworld", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The manual page: the tool, then each command with its options.
pub(crate) fn man() -> Result<String, Failure> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    let render = |page: &mut Vec<u8>| {
        let man = Man::new(command.clone());
        man.render_title(page)?;
        man.render_name_section(page)?;
        man.render_synopsis_section(page)?;
        man.render_description_section(page)?;
        man.render_options_section(page)?;
        for sub in command
            .get_subcommands()
            .filter(|sub| sub.get_name() != "help")
        {
            let mut heading = Roff::new();
            heading.control(
                "SH",
                [format!("kinworld {}", sub.get_name())
                    .to_uppercase()
                    .as_str()],
            );
            let about = sub.get_long_about().or(sub.get_about());
            heading.text([roman(about.map(ToString::to_string).unwrap_or_default())]);
            heading.to_writer(page)?;
            let man = Man::new(sub.clone());
            man.render_synopsis_section(page)?;
            man.render_options_section(page)?;
            man.render_extra_section(page)?;
        }
        man.render_extra_section(page)?;
        man.render_version_section(page)
    };
    render(&mut page).map_err(Failure::Output)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
