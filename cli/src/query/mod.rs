//! The protocol: one JSON request per line in, one JSON answer per line out.

mod fields;
mod line;
mod parse;

use std::borrow::Cow;
use std::io::BufRead;

use crate::Failure;
use crate::answer::{answer, json_line};
use crate::output::Output;
use crate::request::Refusal;
use crate::session::Session;
use fields::Fields;
use line::Line;

/// Answers every line of the input until it ends.
pub(crate) fn run(
    session: &Session,
    mut input: impl BufRead,
    output: &mut Output,
) -> Result<(), Failure> {
    loop {
        let reply = match line::read(&mut input, LONGEST_LINE).map_err(Failure::Input)? {
            Line::End => return Ok(()),
            Line::Bytes(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => continue,
            Line::Bytes(bytes) => reply(session, &bytes),
            Line::TooLong => {
                let problem = format!("the line is longer than {LONGEST_LINE} bytes");
                json_line(None, &Err(Refusal(problem)))
            }
        };
        output.line(&reply)?;
    }
}

/// Answer to one line, with its `id` if that can be read.
fn reply(session: &Session, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let (fields, well_formed) = Fields::split(&text);
    let id = fields.id();
    let outcome = || {
        if matches!(text, Cow::Owned(_)) {
            return Err(Refusal("the line is not UTF-8".to_owned()));
        }
        well_formed.map_err(Refusal)?;
        id.as_ref().map_err(|problem| Refusal(problem.clone()))?;
        answer(session, &parse::request(&fields)?)
    };
    let outcome = outcome();
    json_line(id.ok().flatten().as_deref(), &outcome)
}

/// Maximum length of a request, in bytes.
const LONGEST_LINE: usize = 16 << 20;
