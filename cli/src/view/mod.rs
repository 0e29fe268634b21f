//! `view`: a page on this computer that shows a world and answers what one does there.
//!
//! The page and any program talk to it as to `query`, over a WebSocket; [`hub`] owns the session and passes changes on.

mod auth;
mod carry;
mod diagnostics;
mod http;
mod hub;
mod outbox;
mod server;
mod socket;
mod watch;

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::args::View;
use crate::output::Output;
use crate::query::{Library, Talk};
use crate::report::{self, Report};
use crate::{Failure, load};
use auth::Auth;
use hub::Hub;
use watch::Watch;

/// Time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(250);

pub(crate) fn run(args: &View, output: &mut Output) -> Result<(), Failure> {
    let mut report = Report::short().keeping();
    let read = |report: &mut Report| {
        let session = load::session_reported(&args.files, None, false, args.load.clone(), report)?;
        Ok::<_, Failure>(session.allowing(args.missing))
    };
    let session = read(&mut report)?;
    let mut watch = Watch::of(&session.inputs);
    let library = Library::new(&args.files, args.load.clone());
    let hub = Hub::new(Talk::new(session, library), &report.into_kept());
    let hub = Arc::new(hub);

    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(|error| {
        report::refusal(&format!("cannot listen on port {}: {error}", args.port));
        Failure::Refused
    })?;
    let port = listener.local_addr().map_err(Failure::Input)?.port();
    let auth = Auth::new(port).map_err(|error| {
        report::refusal(&format!("no random numbers for the address: {error}"));
        Failure::Refused
    })?;
    let address = auth.address();
    // Ctrl-C ends the loop below
    let (stop, stopped) = mpsc::channel();
    let handler = ctrlc::set_handler(move || {
        let _ = stop.send(());
    });
    if let Err(error) = handler {
        report::note(&format!("Ctrl-C ends the view without a farewell: {error}"));
    }
    server::start(listener, auth, Arc::clone(&hub)).map_err(Failure::Input)?;
    output.line(&address)?;
    if !args.no_open && has_desktop() && open::that_detached(&address).is_err() {
        report::note("no browser was found: open the address in one");
    }

    while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(PERIOD) {
        if args.no_watch || !watch.has_changed() {
            continue;
        }
        let mut report = Report::short().keeping();
        let session = read(&mut report).ok();
        let diagnostics = report.into_kept();
        match &session {
            Some(session) => {
                watch = Watch::of(&session.inputs);
                report::note("the files have changed, and are loaded again");
            }
            None => {
                let named = diagnostics.iter().filter_map(|item| item.path.clone());
                watch.add(named);
                report::note("the files have changed; the view keeps the world as it was");
            }
        }
        hub.reload(session, &diagnostics);
    }
    hub.close();
    Ok(())
}

/// Returns whether there may be a browser to open.
fn has_desktop() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", windows)) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
