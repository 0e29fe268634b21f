//! Self-collision masks written into existing files.

mod rob;
mod xml;

use std::collections::BTreeSet;
use std::path::Path;

use super::decode::to_text;
use super::loader::Loader;
use super::output::{SaveOptions, write_file};
use super::report::Report;
use super::source::{self, FilePath};
use super::srdf::Srdf;
use crate::planning::{PairClass, SelfCollisionMask};
use crate::robot::{LinkId, Robot};
use crate::{Diagnostic, Error, LoadError, Result};

/// Largest number of pairs that is written.
const MOST: usize = 1_000_000;

impl Loader {
    /// Writes the disabled pairs of a mask into a file, and keeps the rest of the file, comments and white space included.
    ///
    /// | `output` | what is written |
    /// |---|---|
    /// | `.rob` | the text of `file`, a `.rob`, with lines `noselfcollision` |
    /// | `.urdf` | the text of `file`, a `.urdf`, with `<noselfcollision>` in its `<klampt>` |
    /// | `.srdf` | `output` as it is, or a new one, with `<disable_collisions>` for `file`; adjacent links are named, too |
    ///
    /// `file` and `output` may be the same. Nothing is written unless it reads back with exactly the pairs that `file` and the
    /// mask have in common.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] for a file that cannot be read or written, for a URDF without `<klampt>` (to add one would change how
    /// the robot is attached to the world), and where what would be written does not read back: `output` in another folder than
    /// `file`, so that meshes are not found, or links of one name.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::io::Loader;
    /// use kinworld::planning::{MaskOptions, SelfCollisionMask};
    ///
    /// let mut loader = Loader::new();
    /// let robot = loader.robot("data/robots/arm6.urdf")?.value;
    /// let options = MaskOptions::default().with_samples(200);
    /// let mask = SelfCollisionMask::learn(&robot, &options)?;
    ///
    /// let output = std::env::temp_dir().join("kinworld_doc_mask.srdf");
    /// # let _ = std::fs::remove_file(&output);
    /// loader.save_mask(&mask, "data/robots/arm6.urdf", &output)?;
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn save_mask(
        &mut self,
        mask: &SelfCollisionMask,
        file: impl AsRef<Path>,
        output: impl AsRef<Path>,
    ) -> Result<()> {
        let (file, output) = (file.as_ref(), output.as_ref());
        let into_srdf = match super::suffix(output).as_str() {
            "srdf" => true,
            kind @ ("rob" | "urdf") if super::suffix(file) == kind => false,
            "rob" | "urdf" => {
                let problem = format!(
                    "is another kind of file than {}, whose text it would keep",
                    file.display()
                );
                let help = "run `kinworld convert` first, or write an .srdf";
                return Err(refusal(output, problem, help));
            }
            _ => {
                let help = "known are .rob, .urdf and .srdf";
                return Err(refusal(output, "cannot hold a mask", help));
            }
        };

        // the file without the new mask, to find the new pairs
        let source = self.source().with_own_list();
        let mut reader = self.clone().with_source(source);
        reader.options_mut().strict = false;
        reader.options_mut().srdf =
            (into_srdf && source::is_on_disk(output)).then(|| output.to_path_buf());
        let robot = reader.robot(file)?.value;
        // mounted robots and meshes; an SRDF keeps its text, and so does the robot's file
        let edited = reader
            .source()
            .canonical(if into_srdf { output } else { file });
        let mut inputs = reader.files_read();
        inputs.retain(|input| *input != edited);
        let options = SaveOptions::default().with_inputs(inputs);
        options.check(output)?;
        let expected: BTreeSet<_> = mask.apply(&robot)?.self_collision_pairs().collect();
        let text = if into_srdf {
            self.srdf_text(mask, &robot, output)?
        } else {
            let off: Vec<_> = mask.disabled(&robot).collect();
            refuse_too_many(off.len(), output)?;
            let text = self.exact_text(file)?;
            match super::suffix(output).as_str() {
                "rob" => rob::with_pairs(&text, &robot, mask, &off),
                _ => xml::with_pairs(&text, file, &robot, mask, &off, &self.options().limits)?,
            }
        };

        // reads the result before it is written
        let source = reader.source().clone();
        let mut reader = reader.with_source(source.with_file(output, text.clone().into_bytes()));
        let back = if into_srdf {
            reader.options_mut().srdf = Some(output.to_path_buf());
            reader.robot(file)?
        } else {
            reader.robot(output)?
        };
        let pairs: BTreeSet<_> = back.value.self_collision_pairs().collect();
        if pairs != expected {
            let problem = "is not written: it would not read back with the same pairs of links";
            let help = "write it beside the robot's file, so that meshes are found, and give each link a name of its own";
            return Err(refusal(output, problem, help));
        }
        write_file(output, text.as_bytes(), &options)
    }

    /// The text of a file that can be written again.
    fn exact_text(&self, path: &Path) -> Result<String> {
        let file = FilePath::by_caller(path);
        let report = Report::default();
        let bytes = self.source().read(&file, self.options().limits.text_size);
        let text = bytes.and_then(|bytes| to_text(bytes, report.of_file(path)));
        let text = text.map_err(LoadError::from)?;
        if report.into_warnings().is_empty() {
            return Ok(text);
        }
        let problem = "is not UTF-8, and would change";
        Err(refusal(path, problem, "save it as UTF-8"))
    }

    /// An SRDF with its contents so far and all pairs that are not tested.
    fn srdf_text(&self, mask: &SelfCollisionMask, robot: &Robot, output: &Path) -> Result<String> {
        let (text, known) = if source::is_on_disk(output) {
            let known = Srdf::load(output)?.value.disabled;
            let names = known.into_iter().map(|pair| pair.links);
            (
                Some(self.exact_text(output)?),
                names.collect::<BTreeSet<_>>(),
            )
        } else {
            (None, BTreeSet::new())
        };
        let tested: BTreeSet<_> = mask.tested().collect();
        let ids = (0..robot.links().len()).map(LinkId::new);
        let shaped: Vec<LinkId> = ids.filter(|&id| robot.link(id).shape().is_some()).collect();
        let name = |id: LinkId| robot.link(id).name().to_owned();
        let mut off = Vec::new();
        for (i, &a) in shaped.iter().enumerate() {
            for &b in shaped.get(i + 1..).unwrap_or_default() {
                let (a, b) = (a.min(b), a.max(b));
                let is_known =
                    known.contains(&[name(a), name(b)]) || known.contains(&[name(b), name(a)]);
                if !is_known && !tested.contains(&(a, b)) {
                    off.push((a, b));
                }
            }
            refuse_too_many(off.len(), output)?;
        }
        xml::srdf(
            text.as_deref(),
            output,
            robot,
            mask,
            &off,
            &self.options().limits,
        )
    }
}

/// A comment line about the origin of a mask.
fn origin(mask: &SelfCollisionMask) -> String {
    format!(
        "found by kinworld in {} random configurations; of the last {}, {} collided in a pair that is left out without colliding always",
        mask.samples(),
        mask.checked(),
        mask.missed()
    )
}

/// The class of a pair; links that move as one have none in a mask, and are adjacent.
fn class_of(mask: &SelfCollisionMask, pair: (LinkId, LinkId)) -> PairClass {
    let found = mask.pairs().binary_search_by_key(&pair, |pair| pair.links);
    let pair = found.ok().and_then(|i| mask.pairs().get(i));
    pair.map_or(PairClass::Adjacent, |pair| pair.class)
}

fn refuse_too_many(pairs: usize, output: &Path) -> Result<()> {
    if pairs <= MOST {
        return Ok(());
    }
    let problem = format!("is not written: more than {MOST} pairs are left out");
    Err(refusal(output, problem, "give fewer links a shape"))
}

fn refusal(path: &Path, problem: impl Into<String>, help: &str) -> Error {
    let error = Diagnostic::error(problem.into()).in_file(path).help(help);
    Error::Load(LoadError::from(error))
}
