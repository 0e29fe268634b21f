//! Who is let in.

use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message};

use super::live::View;
use super::{cell, parsed, paths};
use crate::common::run;

fn view() -> View {
    View::of(&paths(&cell()))
}

#[test]
fn without_the_token_nothing_is_told() {
    let view = view();
    let wrong = "0".repeat(32);
    let nearly = format!("{}0", view.token);
    for path in ["/", "/scene", "/socket", "/other"] {
        for token in [
            "",
            "?token=",
            &format!("?token={wrong}"),
            &format!("?token={nearly}"),
        ] {
            let (status, body) = view.get(&format!("{path}{token}"));
            assert_eq!(status, 403, "{path}{token}");
            assert!(body.contains("the token is wrong"), "{body}");
        }
    }
    assert_eq!(view.get("/other?token=TOKEN").0, 404);
    assert_eq!(view.get("/?token=TOKEN").0, 200);
    assert_eq!(view.get("/socket?token=TOKEN").0, 426);
}

#[test]
fn other_hosts_and_other_origins_are_refused() {
    let view = view();
    let path = format!("/scene?token={}", view.token);
    let get = |headers: &str| {
        view.http(&format!("GET {path} HTTP/1.1\r\n{headers}\r\n"))
            .0
    };
    assert_eq!(get("Host: HOST\r\n"), 200);
    assert_eq!(get(&format!("Host: localhost:{}\r\n", view.port)), 200);
    assert_eq!(get("Host: HOST\r\nOrigin: http://HOST\r\n"), 200);
    for headers in [
        "",
        "Host: example.org\r\n",
        "Host: 127.0.0.1\r\n",
        "Host: HOST.example.org\r\n",
        "Host: HOST\r\nHost: example.org\r\n",
        "Host: HOST\r\nOrigin: http://example.org\r\n",
        "Host: HOST\r\nOrigin: https://HOST\r\n",
        "Host: HOST\r\nOrigin: null\r\n",
        "Host: HOST\r\nOrigin: http://HOST.example.org\r\n",
        "Host: HOST\r\nSec-Fetch-Site: cross-site\r\n",
    ] {
        assert_eq!(get(headers), 403, "{headers:?}");
    }
    assert_eq!(view.socket(Some("http://example.org")).unwrap_err(), 403);
    assert_eq!(view.socket(Some("http://localhost:PORT")).unwrap_err(), 403);
    assert!(view.socket(Some("http://127.0.0.1:PORT")).is_ok());
}

#[test]
fn bodies_and_heads_that_are_too_large_are_refused() {
    let view = view();
    let post = |head: &str, body: &str| view.http(&format!("{head}Host: HOST\r\n\r\n{body}")).0;
    let body = "x".repeat(1 << 20);
    let length = format!("Content-Length: {}\r\n", body.len());
    assert_eq!(post(&format!("GET / HTTP/1.1\r\n{length}"), &body), 413);
    let chunked = "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n";
    assert_eq!(post(chunked, "0\r\n\r\n"), 413);
    assert_eq!(post(&format!("POST / HTTP/1.1\r\n{length}"), &body), 405);
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n", "x".repeat(60_000));
    assert_eq!(post(&long, ""), 431);
    assert_eq!(view.http("hello\r\n\r\n").0, 400);
    assert_eq!(view.get("/?token=TOKEN").0, 200, "it is still there");
}

#[test]
fn a_message_that_is_too_long_ends_its_connection_and_no_other() {
    let view = view();
    let [mut long, mut other] = [view.client(), view.client()];
    // the server may close before all is sent
    let _ = long.socket.send(Message::text("x".repeat((16 << 20) + 1)));
    let end = loop {
        match long.socket.read() {
            Ok(Message::Close(frame)) => break frame.map(|frame| frame.code),
            Ok(_) => {}
            Err(Error::ConnectionClosed | Error::AlreadyClosed) => break None,
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(end, Some(CloseCode::Size));
    assert!(other.ask(r#"{"op":"state"}"#).contains("arm6"));
    // a message that is no text is answered
    other.socket.send(Message::binary(vec![1, 2])).unwrap();
    assert_eq!(parsed(&other.text())["error"], "a message must be text");
}

#[test]
fn the_ninth_connection_is_refused_until_another_ends() {
    let view = view();
    let mut clients: Vec<_> = (0..8).map(|_| view.client()).collect();
    assert_eq!(view.socket(None).unwrap_err(), 503);
    let mut first = clients.remove(0);
    first.socket.close(None).unwrap();
    while first.socket.read().is_ok() {}
    // it is forgotten once both sides know
    let mut tries = (0..200).map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        view.socket(None)
    });
    assert!(tries.any(|client| client.is_ok()));
    for client in &mut clients {
        assert!(client.ask(r#"{"op":"state"}"#).contains("arm6"));
    }
}

#[test]
fn a_file_with_an_error_at_the_start_is_an_error() {
    let run = run(&["view", "--no-open", "no/such.urdf"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("no/such.urdf"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}
