//! What is to be sent to one connection.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

/// Bytes that may wait before nothing more is read from a connection.
const ENOUGH: usize = 1 << 20;

/// What a frame is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// An answer, or a frame of the protocol below: each is sent.
    Answer,
    /// The state of the world: only the last is sent.
    State,
    /// What was said of the files: only the last is sent.
    Files,
}

/// Frames in the order in which they are sent.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    frames: VecDeque<(Topic, Vec<u8>)>,
    bytes: usize,
    is_closed: bool,
}

impl Outbox {
    /// Adds a text message; of an event that still waits only the last is sent.
    pub(super) fn message(&self, topic: Topic, text: &str) {
        let frame = Frame::message(text.to_owned(), OpCode::Data(Data::Text), true);
        let mut bytes = Vec::with_capacity(frame.len());
        // a vector takes all
        if frame.format(&mut bytes).is_ok() {
            self.push(topic, bytes);
        }
    }

    /// Adds the bytes of whole frames.
    pub(super) fn push(&self, topic: Topic, bytes: Vec<u8>) {
        let mut queue = self.lock();
        if queue.is_closed {
            return;
        }
        if topic != Topic::Answer
            && let Some(at) = queue.frames.iter().position(|(other, _)| *other == topic)
            && let Some((_, old)) = queue.frames.remove(at)
        {
            queue.bytes -= old.len();
        }
        queue.bytes += bytes.len();
        queue.frames.push_back((topic, bytes));
        self.changed.notify_all();
    }

    /// The next frame, once there is one; nothing once all are sent and no more come.
    pub(super) fn pop(&self) -> Option<Vec<u8>> {
        let mut queue = self.lock();
        loop {
            if let Some((_, bytes)) = queue.frames.pop_front() {
                queue.bytes -= bytes.len();
                self.changed.notify_all();
                return Some(bytes);
            }
            if queue.is_closed {
                return None;
            }
            queue = self.wait(queue);
        }
    }

    /// Waits until little is left to send.
    pub(super) fn drain(&self) {
        let mut queue = self.lock();
        while queue.bytes > ENOUGH && !queue.is_closed {
            queue = self.wait(queue);
        }
    }

    /// Takes no more; what is there is still sent.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Takes no more, and forgets what is there.
    pub(super) fn abandon(&self) {
        let mut queue = self.lock();
        queue.is_closed = true;
        queue.frames.clear();
        queue.bytes = 0;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        let woken = self.changed.wait(queue);
        woken.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Outbox, Topic};

    #[test]
    fn of_events_that_wait_only_the_last_is_sent_and_every_answer() {
        let outbox = Outbox::default();
        for i in 0..3 {
            outbox.push(Topic::State, vec![i]);
            outbox.push(Topic::Answer, vec![10 + i]);
        }
        outbox.push(Topic::Files, vec![20]);
        outbox.close();
        outbox.push(Topic::Answer, vec![30]);
        let sent: Vec<Vec<u8>> = std::iter::from_fn(|| outbox.pop()).collect();
        assert_eq!(sent, [[10], [11], [2], [12], [20]]);
    }
}
