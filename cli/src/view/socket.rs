//! A WebSocket: messages in, answers and events out.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use super::hub::{Hub, Member};
use super::outbox::{Outbox, Topic};
use crate::query::LONGEST_LINE;

/// Time in which a connection has to take what is sent.
const PATIENCE: Duration = Duration::from_secs(30);

/// Reads from a connection, and has what it writes itself, such as pongs, sent in order with all else.
struct Wire {
    stream: TcpStream,
    outbox: Arc<Outbox>,
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.outbox.push(Topic::Answer, bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Answers a connection until it ends; `rest` are bytes that were read already.
pub(super) fn serve(
    stream: TcpStream,
    rest: Vec<u8>,
    hub: &Hub,
    member: &Member,
) -> io::Result<()> {
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let outbox = &member.outbox;
    let writer = {
        let (stream, outbox) = (stream.try_clone()?, Arc::clone(outbox));
        let write = move || send(&stream, &outbox);
        thread::Builder::new().spawn(write)?
    };
    let config = WebSocketConfig::default()
        .max_message_size(Some(LONGEST_LINE))
        .max_frame_size(Some(LONGEST_LINE));
    let wire = Wire {
        stream,
        outbox: Arc::clone(outbox),
    };
    let mut socket = WebSocket::from_partially_read(wire, rest, Role::Server, Some(config));
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => hub.answer(member, text.as_bytes()),
            Ok(Message::Binary(_)) => hub.refuse(member, "a message must be text"),
            Ok(_) => {}
            Err(Error::Capacity(_)) => {
                let reason = format!("a message is longer than {LONGEST_LINE} bytes");
                let frame = CloseFrame {
                    code: CloseCode::Size,
                    reason: reason.into(),
                };
                let _ = socket.close(Some(frame));
                let _ = socket.flush();
                break;
            }
            Err(_) => break,
        }
        // who does not read is not read
        outbox.drain();
    }
    outbox.close();
    let _ = writer.join();
    let stream = &mut socket.get_mut().stream;
    // what is on its way is read, or the last frames could be lost
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut rest = stream.take(LONGEST_LINE as u64);
    io::copy(&mut rest, &mut io::sink())?;
    Ok(())
}

/// Sends all frames of an outbox.
fn send(mut stream: &TcpStream, outbox: &Outbox) {
    while let Some(frame) = outbox.pop() {
        if stream.write_all(&frame).is_err() {
            outbox.abandon();
            let _ = stream.shutdown(Shutdown::Both);
            return;
        }
    }
    let _ = stream.shutdown(Shutdown::Write);
}
