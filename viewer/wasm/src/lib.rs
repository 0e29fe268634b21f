//! The protocol of `kinworld query` for a page: a world as data, JSON requests and JSON answers, all in plain memory.
//!
//! The code that answers is that of the tool, file by file; what it needs of a command line and of files is in [`args`] and
//! [`load`]. A page writes into the memory that [`reserve`] gives, calls [`open`] or [`ask`], and reads the text at [`said`].

#![allow(
    dead_code,
    unexpected_cfgs,
    unfulfilled_lint_expectations,
    unused_imports,
    reason = "files of the tool hold more than a page needs, and have features of the tool"
)]

#[path = "../../../cli/src/answer/mod.rs"]
mod answer;
mod args;
#[path = "../../../cli/src/change.rs"]
mod change;
#[path = "../../../cli/src/config.rs"]
mod config;
#[path = "../../../cli/src/dof_values.rs"]
mod dof_values;
#[path = "../../../cli/src/hints.rs"]
mod hints;
#[path = "../../../cli/src/json.rs"]
mod json;
mod load;
#[path = "../../../cli/src/missing.rs"]
mod missing;
#[path = "../../../cli/src/output.rs"]
mod output;
#[path = "../../../cli/src/query/mod.rs"]
mod query;
#[path = "../../../cli/src/request.rs"]
mod request;
#[path = "../../../cli/src/session.rs"]
mod session;
#[path = "../../../cli/src/table.rs"]
mod table;

use std::cell::RefCell;
use std::io;

use kinworld::WorldModel;

use args::{Files, Load, Missing};
use query::{Library, Talk};
use session::Session;

/// Reason for an early exit, as in the tool.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Input cannot be read.
    Input(io::Error),
    /// Output cannot be written.
    Output(io::Error),
}

/// What a page has said and is told.
#[derive(Debug, Default)]
struct Memory {
    input: Vec<u8>,
    output: String,
    talk: Option<Talk>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
    /// The message of a panic, after which the module has stopped.
    static LAST_WORDS: RefCell<String> = RefCell::default();
}

/// The address of `n` bytes for the next call, which it reads.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(n: usize) -> *mut u8 {
    MEMORY.with_borrow_mut(|memory| {
        memory.input.clear();
        memory.input.resize(n, 0);
        memory.input.as_mut_ptr()
    })
}

/// Takes a world: a MessagePack of whether missing geometry is free space, and the world.
///
/// The length of what is wrong with it; 0 where nothing is.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> usize {
    std::panic::set_hook(Box::new(|info| {
        LAST_WORDS.set(info.to_string());
    }));
    MEMORY.with_borrow_mut(|memory| {
        let read = rmp_serde::from_slice::<(bool, WorldModel)>(&memory.input);
        memory.input = Vec::new();
        memory.output = match read {
            Ok((allow_missing_geometry, world)) => {
                let missing = Missing {
                    allow_missing_geometry,
                };
                let session = Session::new(world).allowing(missing);
                let library = Library::new(&Files::default(), Load::default());
                memory.talk = Some(Talk::new(session, library));
                String::new()
            }
            Err(problem) => problem.to_string(),
        };
        memory.output.len()
    })
}

/// Answers a request; the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    MEMORY.with_borrow_mut(|memory| {
        let Memory {
            input,
            output,
            talk,
        } = memory;
        *output = talk
            .as_mut()
            .map_or_else(String::new, |talk| talk.reply(input));
        output.len()
    })
}

/// The address of the text of the last call.
#[unsafe(no_mangle)]
pub extern "C" fn said() -> *const u8 {
    MEMORY.with_borrow(|memory| memory.output.as_ptr())
}

/// The length of the message of a panic, which is then at [`last_words_at`].
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> usize {
    LAST_WORDS.with_borrow(String::len)
}

/// The address of the message of a panic.
#[unsafe(no_mangle)]
pub extern "C" fn last_words_at() -> *const u8 {
    LAST_WORDS.with_borrow(|words| words.as_ptr())
}
