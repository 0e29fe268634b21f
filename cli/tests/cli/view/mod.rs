//! `view`: who may talk to it, what it answers, what others hear, and what an edit of its files does.

mod access;
mod live;
mod reload;
mod stress;

use serde_json::{Value, json};

use crate::common::{data, feed, scratch};
use live::View;

/// An arm, a table and a crate.
fn cell() -> [String; 3] {
    [
        "robots/arm6.urdf",
        "terrains/table.env",
        "objects/crate.obj",
    ]
    .map(|path| data(path).display().to_string())
}

fn paths(files: &[String]) -> Vec<&str> {
    files.iter().map(String::as_str).collect()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn list(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * (2.0 * self.next() - 1.0)).collect()
    }

    /// A request of any kind, some of them with errors.
    fn request(&mut self, id: usize) -> String {
        let q = self.list(6, 2.0);
        let at = self.list(3, 0.6);
        let mut request = match (self.next() * 16.0) as usize {
            0 => json!({ "op": "fk", "q": q }),
            1 => json!({ "op": "collide", "q": q }),
            2 => json!({ "op": "set", "robots": { "arm6": q } }),
            3 => {
                json!({ "op": "set", "objects": { "crate": { "translation": at, "rpy": [0, 0, at[0]] } } })
            }
            4 => json!({ "op": "distance", "nearest": 3 }),
            5 => json!({ "op": "ik", "link": "flange", "position": at, "starts": 2 }),
            6 => json!({ "op": "attach", "object": "crate", "link": "flange" }),
            7 => json!({ "op": "detach", "object": "crate" }),
            8 => json!({ "op": "state" }),
            9 => json!({ "op": "clearance", "q": q }),
            10 => {
                json!({ "op": "collide", "with": { "objects": { "crate": { "translation": at } } } })
            }
            11 => json!({ "op": "contacts", "robots": { "arm6": q } }),
            12 => json!({ "op": "ray", "origin": [0, 0, 3], "direction": at }),
            13 => json!({ "op": "set", "robots": { "arm6": &q[..4] } }),
            14 => json!({ "op": "fk", "q": [q.clone(), self.list(6, 1.0)] }),
            _ => {
                return [
                    "{\"op\":\"fk\",",
                    "[1]",
                    "{}",
                    "é{",
                    "{\"op\":\"dance\",\"id\":\"<b>\"}",
                ][(self.next() * 5.0) as usize]
                    .to_owned();
            }
        };
        request["id"] = id.into();
        request.to_string()
    }
}

#[test]
fn answers_are_those_of_query_to_the_letter() {
    let files = cell();
    let mut random = Random(23);
    let requests: Vec<String> = (0..300).map(|id| random.request(id)).collect();
    let lines = requests.join("\n") + "\n";
    let args = [&["query"], &paths(&files)[..]].concat();
    let expected = feed(&args, lines.as_bytes()).stdout;
    let expected: Vec<&str> = expected.lines().collect();
    assert_eq!(expected.len(), requests.len());
    let refused = expected.iter().filter(|line| line.contains("\"ok\":false"));
    assert!((10..200).contains(&refused.count()), "both kinds are tried");

    let view = View::of(&paths(&files));
    let mut client = view.client();
    for (request, expected) in requests.iter().zip(&expected) {
        assert_eq!(&client.ask(request), expected, "{request}");
    }
    // as many at once
    let mut client = view.client();
    client.ask(r#"{"op":"detach","object":"crate"}"#);
    for id in 0..100 {
        client.send(&json!({ "op": "fk", "id": id }).to_string());
    }
    for id in 0..100 {
        assert_eq!(parsed(&client.text())["id"], id);
    }
}

#[test]
fn the_others_hear_of_a_change_and_its_author_does_not() {
    let files = cell();
    let view = View::of(&paths(&files));
    let [mut author, mut other] = [view.client(), view.client()];
    let q = [0.5, 1.0, 0.0, 0.0, 0.0, 0.0];
    author.ask(&json!({ "op": "set", "robots": { "arm6": q } }).to_string());
    let state = other.event();
    assert_eq!(state["robots"]["arm6"], json!(q));
    assert_eq!(state["scene"], 0);

    author.ask(r#"{"op":"attach","object":"crate","link":"flange"}"#);
    let attached = &other.event()["objects"]["crate"]["attached"];
    assert_eq!(attached["robot"], "arm6");
    assert_eq!(attached["link"], "flange");
    // a question changes nothing
    author.ask(r#"{"op":"collide"}"#);
    // its own changes, but for elements, are no news
    let answer = parsed(&author.ask(r#"{"op":"state"}"#));
    author.send(r#"{"op":"remove","element":"table"}"#);
    assert_eq!(parsed(&author.text()), json!({ "ok": true }));
    for client in [&mut author, &mut other] {
        let event = client.event();
        assert_eq!(event["scene"], 1);
        assert_eq!(event["objects"], answer["objects"]);
    }
}

#[test]
fn names_that_are_markup_are_data_of_the_page() {
    let evil = "<img src=x onerror=alert(1)></script>";
    let escaped = evil.replace('<', "&lt;").replace('>', "&gt;");
    let urdf = format!("<robot name=\"{escaped}\"><link name=\"{escaped}\"/></robot>");
    let file = scratch("view/markup.urdf", &urdf);
    let view = View::of(&[&file]);
    let (status, page) = view.get("/?token=TOKEN");
    assert_eq!(status, 200);
    assert!(!page.contains("alert(1)"), "the page has no data");
    let host = format!("127.0.0.1:{}", view.port);
    assert!(page.contains(&format!("connect-src http://{host} ws://{host};")));
    assert!(page.contains("default-src 'none'"));
    let (status, scene) = view.get("/scene?token=TOKEN");
    assert_eq!(status, 200);
    assert_eq!(parsed(&scene)["data"]["robots"][0]["name"], evil);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_with_a_farewell() {
    let files = cell();
    let mut view = View::of(&paths(&files));
    let mut client = view.client();
    let pid = view.child.id().to_string();
    let signal = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(signal.expect("there is `kill`").success());
    match client.socket.read() {
        Ok(tungstenite::Message::Close(Some(frame))) => {
            assert_eq!(frame.reason.as_str(), "the view has ended");
        }
        other => panic!("a farewell, not {other:?}"),
    }
    assert_eq!(view.child.wait().expect("it ends").code(), Some(0));
}
