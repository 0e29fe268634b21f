//! `spherize`: sphere covers of links.

use kinworld::geometry::Sphere;
use kinworld::io::Loader;
use kinworld::world::{SpherizeOptions, Spherized};
use serde_json::{Value, json};

use crate::answer::{Answer, json_line};
use crate::args::Spherize;
use crate::json::{number, numbers};
use crate::outfile::OutFile;
use crate::output::Output;
use crate::report::{self, Report};
use crate::request::{Key, Refusal};
use crate::session::{SPHERES, Session};
use crate::table::{self, Table, words};
use crate::{Failure, load, missing, print, progress};

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

/// Sphere covers of each link.
pub(crate) struct SphereCover(Spherized);

impl SphereCover {
    /// Covers of a robot of a session; links without the geometry that they should have are named.
    pub(crate) fn of(
        session: &Session,
        robot: Option<&Key>,
        max: Option<usize>,
    ) -> Result<Self, Refusal> {
        let robot = session.robot(robot)?;
        let max = max.unwrap_or(SPHERES);
        if max == 0 || max > MOST {
            return Err(Refusal(format!("`max` must be from 1 to {MOST}")));
        }
        let options = SpherizeOptions::from(max).with_allow_missing_geometry(true);
        Ok(Self(robot.model().spherized(options)?))
    }
}

/// Maximum number of spheres per link that a request may ask for.
const MOST: usize = 256;

impl Answer for SphereCover {
    fn json(&self) -> Value {
        let list = |spheres: &[Sphere]| -> Vec<Value> {
            let sphere = |s: &Sphere| json!({"center": numbers(&s.center.coords), "radius": number(s.radius)});
            spheres.iter().map(sphere).collect()
        };
        let links = self.0.robot.links().iter().zip(&self.0.outer);
        let links = links.zip(&self.0.inner).map(|((link, outer), inner)| {
            json!({
                "name": link.name(),
                "outer": list(&outer.spheres),
                "overshoot": number(outer.overshoot),
                "inner": list(inner),
            })
        });
        let answer = json!({"robot": self.0.robot.name(), "links": links.collect::<Vec<_>>()});
        missing::with(answer, &missing::links(&self.0.robot))
    }

    fn text(&self) -> String {
        let mut table = Table::new([
            words("link"),
            table::numbers("spheres"),
            table::numbers("overshoot [m]"),
            table::numbers("inner spheres"),
        ]);
        let links = self.0.robot.links().iter().zip(&self.0.outer);
        for ((link, outer), inner) in links.zip(&self.0.inner) {
            if !outer.spheres.is_empty() {
                table.row([
                    link.name().to_owned(),
                    outer.spheres.len().to_string(),
                    format!("{:.4}", outer.overshoot),
                    inner.len().to_string(),
                ]);
            }
        }
        format!("{table}{}", missing::line(&missing::links(&self.0.robot)))
    }
}
