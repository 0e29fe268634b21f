//! Connections: which page or socket each asks for.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tungstenite::handshake::server::{Request, create_response, write_response};
use tungstenite::http::StatusCode;

use super::auth::Auth;
use super::http::{self, Problem};
use super::hub::Hub;
use super::socket;

/// Maximum number of connections that are open at once, of whatever kind.
const MOST: usize = 32;

/// Stack of a thread that answers, as large as that of a main thread.
const STACK: usize = 8 << 20;

/// Answers connections, each in a thread of its own.
pub(super) fn start(listener: TcpListener, auth: Auth, hub: Arc<Hub>) -> io::Result<()> {
    let (auth, open) = (Arc::new(auth), Arc::new(AtomicUsize::new(0)));
    let accept = move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                // too many files are open, for now
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let (auth, hub, guard) = (
                Arc::clone(&auth),
                Arc::clone(&hub),
                Open::of(Arc::clone(&open)),
            );
            if guard.is_too_many() {
                continue;
            }
            let answer = move || {
                // an error is one of a connection that has ended
                let _ = serve(stream, &auth, &hub);
                drop(guard);
            };
            let _ = thread::Builder::new().stack_size(STACK).spawn(answer);
        }
    };
    thread::Builder::new().spawn(accept)?;
    Ok(())
}

/// Counts a connection as long as it is open.
#[derive(Debug)]
struct Open {
    all: Arc<AtomicUsize>,
    others: usize,
}

impl Open {
    fn of(all: Arc<AtomicUsize>) -> Self {
        let others = all.fetch_add(1, Ordering::Relaxed);
        Self { all, others }
    }

    fn is_too_many(&self) -> bool {
        self.others >= MOST
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.all.fetch_sub(1, Ordering::Relaxed);
    }
}

fn serve(mut stream: TcpStream, auth: &Auth, hub: &Hub) -> io::Result<()> {
    let (request, rest) = match http::request(&mut stream)? {
        Ok(request) => request,
        Err(problem) => return http::refuse(&mut stream, &problem),
    };
    match route(&request, auth, hub) {
        Ok(Route::Page(text)) => http::respond(&mut stream, StatusCode::OK, http::HTML, &text),
        Ok(Route::Scene(text)) => http::respond(&mut stream, StatusCode::OK, http::JSON, &text),
        Ok(Route::Nothing) => http::respond(&mut stream, StatusCode::NO_CONTENT, http::TEXT, ""),
        Ok(Route::Socket(response)) => {
            let full = "there are 8 connections already: close one";
            let Some(member) = hub.join() else {
                let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, full);
                return http::refuse(&mut stream, &problem);
            };
            let served = stream.write_all(&response).and_then(|()| {
                hub.greet(&member);
                socket::serve(stream, rest, hub, &member)
            });
            hub.leave(&member);
            served
        }
        Err(problem) => http::refuse(&mut stream, &problem),
    }
}

/// What a request asks for.
enum Route {
    Page(String),
    Scene(String),
    Nothing,
    /// The response that opens a WebSocket.
    Socket(Vec<u8>),
}

fn route(request: &Request, auth: &Auth, hub: &Hub) -> Result<Route, Problem> {
    let host = auth.host(request)?;
    let path = request.uri().path();
    if path == "/favicon.ico" {
        return Ok(Route::Nothing);
    }
    auth.check_token(request)?;
    match path {
        "/" => Ok(Route::Page(kinworld::viewer::live_page(host))),
        "/scene" => hub.scene().map(Route::Scene).map_err(|_| {
            let text = "the world cannot be shown";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, text)
        }),
        "/socket" => {
            let no_socket = "this address is one of a WebSocket";
            let upgrade = |_| Problem::new(StatusCode::UPGRADE_REQUIRED, no_socket);
            let response = create_response(request).map_err(upgrade)?;
            let mut bytes = Vec::new();
            write_response(&mut bytes, &response).map_err(upgrade)?;
            Ok(Route::Socket(bytes))
        }
        _ => Err(Problem::new(StatusCode::NOT_FOUND, "there is no such page")),
    }
}
