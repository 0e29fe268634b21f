//! A running view, and its clients.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, Message, WebSocket, client};

use crate::common::command;

/// A view, which ends with the test.
#[derive(Debug)]
pub(super) struct View {
    pub(super) child: Child,
    pub(super) port: u16,
    pub(super) token: String,
}

impl View {
    pub(super) fn of(files: &[&str]) -> Self {
        let args = [&["view", "--no-open"], files].concat();
        let mut child = command(&args)
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it has an output"))
            .read_line(&mut line)
            .expect("it prints its address");
        let (host, token) = line
            .trim()
            .split_once("/?token=")
            .unwrap_or_else(|| panic!("an address, not {line:?}"));
        let (_, port) = host.rsplit_once(':').expect("a port");
        assert_eq!(token.len(), 32);
        Self {
            child,
            port: port.parse().expect("a number"),
            token: token.to_owned(),
        }
    }

    /// The status and the body of the response to a request, of which `HOST` is the server.
    pub(super) fn http(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let request = request.replace("HOST", &format!("127.0.0.1:{}", self.port));
        // a server may refuse before all is sent
        let _ = stream.write_all(request.as_bytes());
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a response");
        let (head, body) = text
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("{text:?}"));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        (status.expect("a status"), body.to_owned())
    }

    /// The status and the body of a page.
    pub(super) fn get(&self, path: &str) -> (u16, String) {
        let path = path.replace("TOKEN", &self.token);
        self.http(&format!("GET {path} HTTP/1.1\r\nHost: HOST\r\n\r\n"))
    }

    /// A socket, or the status with which it is refused.
    pub(super) fn socket(&self, origin: Option<&str>) -> Result<Client, u16> {
        let address = format!("ws://127.0.0.1:{}/socket?token={}", self.port, self.token);
        let mut request = address.into_client_request().expect("a request");
        if let Some(origin) = origin {
            let origin = origin.replace("PORT", &self.port.to_string());
            let value = origin.parse().expect("a header");
            request.headers_mut().insert("Origin", value);
        }
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).expect("a timeout");
        match client(request, stream) {
            Ok((socket, _)) => Ok(Client { socket }),
            Err(error) => match error {
                tungstenite::HandshakeError::Failure(Error::Http(response)) => {
                    Err(response.status().as_u16())
                }
                error => panic!("{error}"),
            },
        }
    }

    /// A socket that has read its greeting.
    pub(super) fn client(&self) -> Client {
        let mut client = self.socket(None).expect("it is let in");
        assert_eq!(client.event()["event"], "state");
        assert_eq!(client.event()["event"], "files");
        client
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program that talks to a view.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) socket: WebSocket<TcpStream>,
}

impl Client {
    pub(super) fn send(&mut self, request: &str) {
        let message = Message::text(request.to_owned());
        self.socket.send(message).expect("it is sent");
    }

    /// The next message.
    pub(super) fn text(&mut self) -> String {
        loop {
            match self.socket.read().expect("a message") {
                Message::Text(text) => return text.to_string(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("a text, not {other:?}"),
            }
        }
    }

    /// The next message, an event.
    #[track_caller]
    pub(super) fn event(&mut self) -> Value {
        let text = self.text();
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert!(value.get("event").is_some(), "an event, not {text}");
        value
    }

    /// The answer to a request, as text; events before it are left out.
    pub(super) fn ask(&mut self, request: &str) -> String {
        self.send(request);
        loop {
            let text = self.text();
            if !text.starts_with("{\"event\"") {
                return text;
            }
        }
    }
}
