//! `acm`: allowed-collision matrices.

use std::path::Path;
use std::sync::Mutex;

use kinworld::Robot;
use kinworld::io::{LoadOptions, Loader, SaveOptions};
use kinworld::planning::{LearnedPair, MaskOptions, PairClass, SelfCollisionMask};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::args::Acm;
use crate::json::number;
use crate::output::Output;
use crate::progress::Progress;
use crate::report::Report;
use crate::request::Refusal;
use crate::table::{self, Table, words};
use crate::{Failure, load, missing, print};

/// Confidence of the printed bound.
const CONFIDENCE: f64 = 0.95;

pub(crate) fn run(args: Acm, output: &mut Output) -> Result<(), Failure> {
    let mut report = Report::short();
    let path = load::unplaced(
        &args.path,
        "links collide with each other wherever the robot is",
    )?;
    let mut options: LoadOptions = args.load.into();
    // an existing SRDF of the output is completed
    let old = args
        .output
        .clone()
        .filter(|path| is_srdf(path) && path.exists());
    options.srdf = options.srdf.or(old);
    let mut loader = Loader::with_options(options);
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
    if let Some(file) = &args.output
        && let Err(error) = SaveOptions::default().check(file)
    {
        report.error(&error);
        return Err(Failure::Refused);
    }
    let options = MaskOptions::default()
        .with_samples(args.samples)
        .with_seed(args.seed)
        .with_disable_default(args.disable_default)
        .with_allow_missing_geometry(args.missing.allow_missing_geometry);
    let learned = learn(&robot, &options).and_then(|mask| {
        let bound = mask.missed_bound(CONFIDENCE)?;
        Ok(Learned { robot, mask, bound })
    });
    if let (Some(file), Ok(learned)) = (&args.output, &learned)
        && let Err(error) = loader.save_mask(&learned.mask, &path, file)
    {
        report.error(&error);
        return Err(Failure::Refused);
    }
    print(output, args.format, learned.map_err(Refusal::from))
}

/// Learns a mask, with a progress bar where that takes longer than a moment.
fn learn(robot: &Robot, options: &MaskOptions) -> kinworld::Result<SelfCollisionMask> {
    let progress = Mutex::new((Progress::new("sampling"), 0));
    SelfCollisionMask::learn_observed(robot, options, |samples| {
        // a thread that panics takes the command with it
        let Ok(mut progress) = progress.lock() else {
            return Ok(());
        };
        let (bar, done) = &mut *progress;
        *done += samples;
        let part = *done as f64 / options.samples as f64;
        bar.show(part, || format!("{done} samples"));
        Ok(())
    })
}

fn is_srdf(path: &Path) -> bool {
    path.extension()
        .is_some_and(|suffix| suffix.eq_ignore_ascii_case("srdf"))
}

/// A robot and its learned mask.
struct Learned {
    robot: Robot,
    mask: SelfCollisionMask,
    bound: f64,
}

impl Learned {
    fn names(&self, pair: &LearnedPair) -> [&str; 2] {
        [pair.links.0, pair.links.1].map(|link| self.robot.link(link).name())
    }
}

impl Answer for Learned {
    fn json(&self) -> Value {
        let pair = |pair: &LearnedPair| json!({"links": self.names(pair), "class": pair.class.name(), "collisions": pair.collisions, "tested": self.mask.is_tested(pair.class)});
        let answer = json!({
            "robot": self.robot.name(),
            "samples": self.mask.samples(),
            "checked": self.mask.checked(),
            "missed": self.mask.missed(),
            "missed_bound": number(self.bound),
            "confidence": number(CONFIDENCE),
            "pairs": self.mask.pairs().iter().map(pair).collect::<Vec<_>>(),
        });
        missing::with(answer, &missing::links(&self.robot))
    }

    fn text(&self) -> String {
        let mut table = Table::new([
            words("link"),
            words("link"),
            words("class"),
            table::numbers("collisions [%]"),
        ]);
        for pair in self.mask.pairs() {
            let [a, b] = self.names(pair);
            let was_seen = !matches!(pair.class, PairClass::Adjacent | PairClass::Given);
            let share = 100.0 * pair.collisions as f64 / self.mask.samples() as f64;
            table.row([
                a.to_owned(),
                b.to_owned(),
                pair.class.name().to_owned(),
                if was_seen {
                    format!("{share:.2}")
                } else {
                    String::new()
                },
            ]);
        }
        let classes = [
            PairClass::Adjacent,
            PairClass::Default,
            PairClass::Always,
            PairClass::Never,
            PairClass::Given,
            PairClass::Sometimes,
        ];
        let list = |is_tested: bool| {
            let classes = classes
                .iter()
                .filter(|&&class| self.mask.is_tested(class) == is_tested);
            let counts = classes.map(|&class| (self.mask.count(class), class.name()));
            let counts: Vec<_> = counts
                .map(|(count, name)| format!("{count} {name}"))
                .collect();
            counts.join(", ")
        };
        format!(
            "{table}\ntested: {}; disabled: {}\n{} of {} validation samples collide in a disabled pair that is not Adjacent, Always or \
             User; at {} % confidence, at most {:.3} % of all configurations do\n{}",
            list(true),
            list(false),
            self.mask.missed(),
            self.mask.checked(),
            100.0 * CONFIDENCE,
            100.0 * self.bound,
            missing::line(&missing::links(&self.robot)),
        )
    }
}
