//! `spherize`: sphere covers of links.

use std::path::Path;

use kinworld::geometry::Sphere;
use kinworld::io::Loader;
use kinworld::world::Spherized;
use serde_json::{Value, json};

use crate::answer::{Answer, json_line};
use crate::args::Spherize;
use crate::json::{number, numbers};
use crate::output::Output;
use crate::report::{self, Report};
use crate::request::Refusal;
use crate::table::{self, Table, words};
use crate::{Failure, print, progress};

pub(crate) fn run(args: Spherize, output: &mut Output) -> Result<(), Failure> {
    let mut report = Report::short();
    let robot = match Loader::with_options(args.load.into()).robot(&args.path) {
        Ok(loaded) => {
            report.diagnostics(&loaded.diagnostics);
            loaded.value
        }
        Err(error) => {
            report.error(&error);
            return Err(Failure::Refused);
        }
    };
    let cover = progress::waiting("covering links", || robot.spherized(args.spheres));
    let cover = cover.map(SphereCover);
    match (args.output, cover) {
        (Some(file), Ok(cover)) => write(&cover, &file, &mut report).map_err(|Refusal(problem)| {
            report::refusal(&problem);
            Failure::Refused
        }),
        (_, cover) => print(output, args.format, cover.map_err(Refusal::from)),
    }
}

fn write(cover: &SphereCover, file: &Path, report: &mut Report) -> Result<(), Refusal> {
    if file.extension().is_some_and(|suffix| suffix == "json") {
        let text = json_line(None, &Ok(cover.json())) + "\n";
        return std::fs::write(file, text)
            .map_err(|error| Refusal(format!("{}: cannot be written: {error}", file.display())));
    }
    report.diagnostics(&cover.0.robot.save(file)?);
    Ok(())
}

/// Sphere covers of each link.
struct SphereCover(Spherized);

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
        json!({"robot": self.0.robot.name(), "links": links.collect::<Vec<_>>()})
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
        table.to_string()
    }
}
