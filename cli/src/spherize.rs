//! `spherize`: sphere covers of links.

use kinworld::io::Loader;
use kinworld::world::SpherizeOptions;

use crate::answer::{Answer, SphereCover, json_line};
use crate::args::Spherize;
use crate::outfile::OutFile;
use crate::output::Output;
use crate::report::{self, Report};
use crate::request::Refusal;
use crate::{Failure, load, print, progress};

pub(crate) fn run(args: Spherize, output: &mut Output) -> Result<(), Failure> {
    let mut report = Report::short();
    let path = load::unplaced(&args.path, "spheres are in the frames of links")?;
    let mut loader = Loader::with_options(args.load.into());
    let robot = match loader.robot(&path) {
        Ok(loaded) => {
            report.diagnostics(&loaded.diagnostics);
            loaded.value
        }
        Err(error) => {
            report.error(&error);
            return Err(Failure::Refused);
        }
    };
    let missing = args.missing.allow_missing_geometry;
    let options = SpherizeOptions::from(args.spheres).with_allow_missing_geometry(missing);
    let file = args.output.as_deref();
    let file = file.map(|path| OutFile::of(path, &loader.files_read()));
    let file = file.transpose().map_err(refused)?;
    let cover = progress::waiting("covering links", || robot.spherized(options));
    let cover = cover.map(SphereCover);
    match (file, cover) {
        (Some(file), Ok(cover)) => write(&cover, &file, &mut report).map_err(refused),
        (_, cover) => print(output, args.format, cover.map_err(Refusal::from)),
    }
}

fn write(cover: &SphereCover, file: &OutFile, report: &mut Report) -> Result<(), Refusal> {
    let suffix = file.path().extension();
    if suffix.is_some_and(|suffix| suffix == "json") {
        return file.write(&(json_line(None, &Ok(cover.json())) + "\n"));
    }
    let lost = cover.0.robot.save_with(file.path(), file.options())?;
    report.diagnostics(&lost);
    Ok(())
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}
