//! The protocol: one JSON request, or a list of them, per line in; one answer, or a list of them, per line out.

mod batch;
mod change;
mod fields;
mod goals;
mod library;
mod line;
mod ops;
mod parse;
mod pieces;

use std::borrow::Cow;
use std::io::BufRead;

use serde_json::json;

use crate::Failure;
use crate::answer::{self, answer};
use crate::output::Output;
use crate::request::Refusal;
use crate::session::Session;
use fields::Fields;
pub(crate) use library::Library;
use line::Line;

/// Answers every line of the input until it ends.
pub(crate) fn run(
    session: Session,
    library: Library,
    mut input: impl BufRead,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut talk = Talk::new(session, library);
    loop {
        let reply = match line::read(&mut input, LONGEST_LINE).map_err(Failure::Input)? {
            Line::End => return Ok(()),
            Line::Bytes(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => continue,
            Line::Bytes(bytes) => talk.reply(&bytes),
            Line::TooLong => {
                let problem = format!("the line is longer than {LONGEST_LINE} bytes");
                answer::line(None, &Err(Refusal(problem)))
            }
        };
        output.line(&reply)?;
    }
}

/// A session that requests change.
#[derive(Debug)]
pub(crate) struct Talk {
    pub(crate) session: Session,
    pub(crate) library: Library,
    /// Number of changes so far.
    pub(crate) changes: Changes,
    /// Files that were loaded by requests, with the names of what they added.
    loads: Vec<Loaded>,
}

/// A file that a request loaded.
#[derive(Debug)]
struct Loaded {
    #[cfg_attr(not(feature = "view"), expect(dead_code, reason = "the view needs it"))]
    file: String,
    #[cfg_attr(not(feature = "view"), expect(dead_code, reason = "the view needs it"))]
    name: Option<String>,
    added: Vec<String>,
}

/// Number of changes of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Those of poses and attachments.
    pub(crate) moves: u64,
    /// Those by which elements come or go.
    pub(crate) elements: u64,
}

impl Talk {
    pub(crate) fn new(session: Session, library: Library) -> Self {
        Self {
            session,
            library,
            changes: Changes::default(),
            loads: Vec::new(),
        }
    }

    /// Another session with the files that requests have loaded and not removed since, and what is wrong with them.
    #[cfg(feature = "view")]
    pub(crate) fn with_loads(&self, mut session: Session) -> (Session, Vec<String>) {
        let mut problems = Vec::new();
        for load in &self.loads {
            let is_there = |name: &String| self.session.world.entity(name).is_ok();
            if !load.added.iter().any(is_there) {
                continue;
            }
            match self.library.load(&session, &load.file, load.name.clone()) {
                Ok((with, _)) => session = with,
                Err(Refusal(problem)) => problems.push(problem),
            }
        }
        (session, problems)
    }

    /// Answer to one line: a request, or a list of them, which is answered by a list.
    pub(crate) fn reply(&mut self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let is_utf8 = matches!(text, Cow::Borrowed(_));
        let requests = match fields::requests(&text, MOST_REQUESTS) {
            Some(Ok(requests)) if is_utf8 => requests,
            Some(Err(problem)) if is_utf8 => return answer::line(None, &Err(Refusal(problem))),
            _ => return self.reply_to(&text, is_utf8),
        };
        listed(&requests, batch::LONGEST, |request| {
            self.reply_to(request, true)
        })
    }

    /// Answer to one request, with its `id` if that can be read.
    fn reply_to(&mut self, text: &str, is_utf8: bool) -> String {
        let (fields, well_formed) = Fields::split(text);
        let id = fields.id();
        let outcome = || {
            if !is_utf8 {
                return Err(Refusal("the line is not UTF-8".to_owned()));
            }
            well_formed.map_err(Refusal)?;
            id.as_ref().map_err(|problem| Refusal(problem.clone()))?;
            self.outcome(&fields)
        };
        let outcome = outcome();
        answer::line(id.ok().flatten().as_deref(), &outcome)
    }

    /// Text of the answer. A session is replaced by a changed one as a whole: an error changes nothing.
    fn outcome(&mut self, fields: &Fields<'_>) -> Result<String, Refusal> {
        let op = ops::of(fields)?;
        match op.name {
            "load" => {
                let file: String = fields.need("file", "a path, a string")?;
                let name = fields.find("name", "a name, a string")?;
                let (session, answer) = self.library.load(&self.session, &file, name.clone())?;
                self.session = session;
                let added = serde_json::from_value(answer["added"].clone()).unwrap_or_default();
                self.loads.retain(|load| {
                    let mut names = load.added.iter();
                    names.any(|name| self.session.world.entity(name).is_ok())
                });
                self.loads.push(Loaded { file, name, added });
                self.changes.elements += 1;
                Ok(answer.to_string())
            }
            name if op.changes => {
                let change = fields.change(name)?;
                let changed = self.session.changed(&change)?;
                changed.check_limits(&change.moved_robots(&self.session.world)?)?;
                self.session = changed;
                match change.remove.is_empty() {
                    true => self.changes.moves += 1,
                    false => self.changes.elements += 1,
                }
                let mut answer = json!({});
                self.session.take_hints().add_to(&mut answer);
                Ok(answer.to_string())
            }
            name => {
                let change = fields.scratch()?;
                let mut moved = Vec::new();
                let scratch = match &change {
                    None => None,
                    Some(change) => {
                        moved = change.moved_robots(&self.session.world)?;
                        self.given_once(fields, &moved)?;
                        Some(self.session.changed(change)?)
                    }
                };
                let session = scratch.as_ref().unwrap_or(&self.session);
                moved.retain(|&robot| session.world.robot(robot).is_ok());
                let ask = |fields: &Fields<'_>| {
                    let request = parse::request(name, fields)?;
                    session.check_limits(&moved)?;
                    answer(session, &request)
                };
                match batch::configurations(fields)? {
                    None => Ok(ask(fields)?.to_string()),
                    Some(each) => batch::answers(&each, ask),
                }
            }
        }
    }

    /// Refuses two configurations of one robot.
    fn given_once(
        &self,
        fields: &Fields<'_>,
        moved: &[kinworld::world::RobotId],
    ) -> Result<(), Refusal> {
        let own = ["q", "q0"]
            .into_iter()
            .find(|name| fields.raw(name).is_some());
        let Some(own) = own else {
            return Ok(());
        };
        // an error of the robot is one of the answer
        let robot = fields.key("robot")?;
        match self.session.robot(robot.as_ref()) {
            Ok(robot) if moved.contains(&robot.id()) => Err(Refusal(format!(
                "the configuration of `{}` is given twice, in `{own}` and in `robots`",
                robot.name()
            ))),
            _ => Ok(()),
        }
    }
}

/// List of the answers to requests. Once it is longer than a number of bytes the others are refused, and nothing of them is done.
fn listed(requests: &[&str], longest: usize, mut reply: impl FnMut(&str) -> String) -> String {
    let mut list = String::new();
    for request in requests {
        let answer = match list.len() > longest {
            false => reply(request),
            true => {
                let mib = longest >> 20;
                let problem = format!(
                    "the answers before it in the list are longer than {mib} MiB: ask in several lines"
                );
                let id = Fields::split(request).0.id().ok().flatten();
                answer::line(id.as_deref(), &Err(Refusal(problem)))
            }
        };
        list.push(if list.is_empty() { '[' } else { ',' });
        list += &answer;
    }
    list + "]"
}

/// Maximum number of requests in a list.
const MOST_REQUESTS: usize = 64;

/// Maximum length of a line, in bytes.
pub(crate) const LONGEST_LINE: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn behind_long_answers_requests_are_refused_and_nothing_of_them_is_done() {
        let requests = [r#"{"id":1}"#, r#"{"id":2}"#, r#"{"id":[3]}"#, "{"];
        let mut asked = Vec::new();
        let list = listed(&requests, 1 << 20, |request| {
            asked.push(request.to_owned());
            format!("\"{}\"", "a".repeat(600_000))
        });
        assert_eq!(asked, requests[..2]);
        let answers: Vec<serde_json::Value> = serde_json::from_str(&list).expect("a list");
        let ids: Vec<_> = answers[2..].iter().map(|answer| answer.get("id")).collect();
        assert_eq!(ids, [Some(&serde_json::json!([3])), None]);
        for answer in &answers[2..] {
            let error = answer["error"].as_str().expect("an error");
            assert!(error.contains("longer than 1 MiB"), "{error}");
        }
    }
}
