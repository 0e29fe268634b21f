//! The session that all connections share, and what they hear of each other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kinworld::viewer::Page;
use kinworld::{Diagnostic, WorldModel};
use serde_json::{Value, json};
use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::CloseCode;

use super::outbox::{Outbox, Topic};
use super::{carry, diagnostics};
use crate::answer;
use crate::query::Talk;
use crate::request::Refusal;
use crate::session::Session;

/// Maximum number of connections.
const MOST: usize = 8;

/// Time for the last messages when the view ends.
const FAREWELL: Duration = Duration::from_millis(300);

/// A session, and the connections that share it. Answers and events of one change are queued before the next.
#[derive(Debug)]
pub(super) struct Hub {
    live: Mutex<Live>,
    members: Mutex<Vec<Arc<Outbox>>>,
}

#[derive(Debug)]
struct Live {
    talk: Talk,
    /// The world as the files have it.
    loaded: WorldModel,
    /// The last event about the files.
    files: String,
}

/// A connection.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) outbox: Arc<Outbox>,
}

impl Hub {
    pub(super) fn new(talk: Talk, said: &[Diagnostic]) -> Self {
        Self {
            live: Mutex::new(Live {
                loaded: talk.session.world.clone(),
                files: diagnostics::event(true, said),
                talk,
            }),
            members: Mutex::default(),
        }
    }

    /// Admits a connection, which is sent the state; nothing where there are enough.
    pub(super) fn join(&self) -> Option<Member> {
        let outbox = Arc::new(Outbox::default());
        {
            let mut members = self.members();
            if members.len() >= MOST {
                return None;
            }
            members.push(Arc::clone(&outbox));
        }
        Some(Member { outbox })
    }

    /// Sends the state to a new connection.
    pub(super) fn greet(&self, member: &Member) {
        let live = self.live();
        member.outbox.message(Topic::State, &live.state());
        member.outbox.message(Topic::Files, &live.files);
    }

    /// Forgets a connection.
    pub(super) fn leave(&self, member: &Member) {
        let is_other = |outbox: &Arc<Outbox>| !Arc::ptr_eq(outbox, &member.outbox);
        self.members().retain(is_other);
    }

    /// Answers a request, and tells the others what it changed.
    pub(super) fn answer(&self, member: &Member, request: &[u8]) {
        let mut live = self.live();
        let before = live.talk.changes;
        let answer = live.talk.reply(request);
        member.outbox.message(Topic::Answer, &answer);
        let after = live.talk.changes;
        if after == before {
            return;
        }
        let are_others = after.elements == before.elements;
        let members = self.members();
        let others = members
            .iter()
            .filter(|outbox| !are_others || !Arc::ptr_eq(outbox, &member.outbox));
        let mut event = None;
        for outbox in others {
            let event = event.get_or_insert_with(|| live.state());
            outbox.message(Topic::State, event);
        }
    }

    /// Answers that a message is no request.
    pub(super) fn refuse(&self, member: &Member, problem: &str) {
        let refusal = Err(Refusal(problem.to_owned()));
        let answer = answer::line(None, &refusal);
        member.outbox.message(Topic::Answer, &answer);
    }

    /// Takes the session of files that were loaded again, and says what was said of them; without one the old session stays.
    pub(super) fn reload(&self, session: Option<Session>, said: &[Diagnostic]) {
        let mut live = self.live();
        let mut said = said.to_vec();
        live.files = diagnostics::event(session.is_some(), &said);
        if let Some(session) = session {
            let loaded = session.world.clone();
            let (session, more) = live.talk.with_loads(session);
            let (session, moved) = carry::over(&live.loaded, &live.talk.session, session);
            said.extend(more.into_iter().chain(moved).map(Diagnostic::warning));
            live.files = diagnostics::event(true, &said);
            live.loaded = loaded;
            live.talk.session = session;
            live.talk.changes.elements += 1;
        }
        let state = live.state();
        for outbox in self.members().iter() {
            outbox.message(Topic::State, &state);
            outbox.message(Topic::Files, &live.files);
        }
    }

    /// The data of the page, with the number of changes that it shows.
    pub(super) fn scene(&self) -> kinworld::Result<String> {
        let (world, scene) = {
            let live = self.live();
            let Talk {
                session, changes, ..
            } = &live.talk;
            (session.world.clone(), changes.elements)
        };
        let data = Page::new(&world).data()?;
        Ok(format!("{{\"scene\":{scene},\"data\":{data}}}"))
    }

    /// Says farewell to all connections.
    pub(super) fn close(&self) {
        let mut bytes = Vec::new();
        let frame = Frame::close(Some(CloseFrame {
            code: CloseCode::Away,
            reason: "the view has ended".into(),
        }));
        let is_written = frame.format(&mut bytes).is_ok();
        for outbox in self.members().iter().filter(|_| is_written) {
            outbox.push(Topic::Answer, bytes.clone());
            outbox.close();
        }
        let begun = Instant::now();
        while begun.elapsed() < FAREWELL && !self.members().is_empty() {
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn members(&self) -> MutexGuard<'_, Vec<Arc<Outbox>>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    /// The event of the state.
    fn state(&self) -> String {
        let mut event = json!({ "event": "state", "scene": self.talk.changes.elements });
        match answer::state(&self.talk.session) {
            Ok(Value::Object(fields)) => {
                for (name, value) in fields {
                    event[name] = value;
                }
            }
            Ok(_) => {}
            Err(Refusal(problem)) => event["error"] = problem.into(),
        }
        event.to_string()
    }
}
