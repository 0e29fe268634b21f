//! Heads of requests, and responses. httparse, through tungstenite, reads the heads.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use tungstenite::Error;
use tungstenite::error::ProtocolError;
use tungstenite::handshake::machine::TryParse;
use tungstenite::handshake::server::{Request, write_response};
use tungstenite::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use tungstenite::http::{Response, StatusCode};

/// Maximum length of the head of a request, in bytes.
const LONGEST_HEAD: usize = 16 << 10;

/// Time in which a request has to arrive, and a response to leave.
const PATIENCE: Duration = Duration::from_secs(5);

/// A request that is refused.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) status: StatusCode,
    pub(super) text: &'static str,
}

impl Problem {
    pub(super) fn new(status: StatusCode, text: &'static str) -> Self {
        Self { status, text }
    }
}

/// Reads the head of a request, and the bytes after it. An error is one of the connection: it has no response.
pub(super) fn request(stream: &mut TcpStream) -> io::Result<Result<(Request, Vec<u8>), Problem>> {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let left = PATIENCE.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let n = stream.read(&mut part)?;
        if n == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&part[..n]);
        match Request::try_parse(&bytes) {
            Ok(Some((size, request))) => {
                let rest = bytes.split_off(size);
                return Ok(checked(request).map(|request| (request, rest)));
            }
            Ok(None) if bytes.len() > LONGEST_HEAD => {
                let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
                return Ok(Err(Problem::new(status, "the request is too long")));
            }
            Ok(None) => {}
            Err(Error::Protocol(ProtocolError::WrongHttpMethod)) => {
                let text = "only GET is answered here: use the WebSocket at /socket";
                return Ok(Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, text)));
            }
            Err(_) => {
                let problem = Problem::new(StatusCode::BAD_REQUEST, "this is no HTTP request");
                return Ok(Err(problem));
            }
        }
    }
}

/// A request that asks for something, and brings nothing.
fn checked(request: Request) -> Result<Request, Problem> {
    let headers = request.headers();
    let is_empty = |length: &tungstenite::http::HeaderValue| length == "0";
    let has_body = headers.contains_key(TRANSFER_ENCODING)
        || !headers.get_all(CONTENT_LENGTH).iter().all(is_empty);
    if has_body {
        let text = "requests have no body here: use the WebSocket at /socket";
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, text));
    }
    Ok(request)
}

/// Writes a response, and ends the connection.
pub(super) fn respond(
    stream: &mut TcpStream,
    status: StatusCode,
    kind: &str,
    body: &str,
) -> io::Result<()> {
    let response = Response::builder()
        .status(status)
        .header("Content-Type", kind)
        .header("Content-Length", body.len())
        .header("Connection", "close")
        .header("Cache-Control", "no-store")
        .header("Content-Security-Policy", "frame-ancestors 'none'")
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header("Cross-Origin-Resource-Policy", "same-origin")
        .header("Referrer-Policy", "no-referrer")
        .header("X-Content-Type-Options", "nosniff")
        .body(());
    let response = response.map_err(io::Error::other)?;
    let mut head = Vec::new();
    write_response(&mut head, &response).map_err(io::Error::other)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(&head)?;
    stream.write_all(body.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    // what is still on its way is read, or the response could be lost
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    io::copy(&mut stream.take(1 << 20), &mut io::sink())?;
    Ok(())
}

/// Writes the reason of a refusal.
pub(super) fn refuse(stream: &mut TcpStream, problem: &Problem) -> io::Result<()> {
    let text = format!("{}\n", problem.text);
    respond(stream, problem.status, TEXT, &text)
}

pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const JSON: &str = "application/json";
pub(super) const TEXT: &str = "text/plain; charset=utf-8";
