//! Many messages.

use std::time::Instant;

use serde_json::json;

use super::live::View;
use super::{Random, cell, parsed, paths};
use crate::common::scratch;

/// Memory of a process, in KiB.
#[cfg(target_os = "linux")]
fn memory(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let words = line.expect("its memory").split_whitespace().nth(1);
    words.and_then(|word| word.parse().ok()).expect("a number")
}

/// 2 000 messages, 100 000 with `KINWORLD_FULL`: a day of clicks.
#[cfg(target_os = "linux")]
#[test]
fn no_answer_of_many_is_lost_and_the_memory_stays() {
    let is_full = std::env::var_os("KINWORLD_FULL").is_some();
    let n = if is_full { 100_000 } else { 2_000 };
    let files = cell();
    let view = View::of(&paths(&files));
    let [mut client, mut other] = [view.client(), view.client()];
    let mut random = Random(7);
    // both send at once, and hear of each other
    let begun = Instant::now();
    let mut sizes = Vec::new();
    for _ in 0..10 {
        for batch in 0..n / 200 {
            for k in 0..10 {
                let id = batch * 10 + k;
                client.send(&random.request(id));
                let q = random.list(6, 1.0);
                other.send(&json!({ "op": "set", "robots": { "arm6": q }, "id": id }).to_string());
            }
            for client in [&mut client, &mut other] {
                let mut answers = 0;
                while answers < 10 {
                    let text = client.text();
                    if text.starts_with("{\"event\"") {
                        continue;
                    }
                    let answer = parsed(&text);
                    // a request that cannot be read has no id
                    if let Some(id) = answer["id"].as_u64() {
                        assert_eq!(id, batch as u64 * 10 + answers);
                    }
                    answers += 1;
                }
            }
        }
        sizes.push(memory(view.child.id()));
    }
    let (first, last) = (sizes[1], sizes[9]);
    assert!(last < first + 8_192, "KiB: {sizes:?}");
    let seconds = begun.elapsed().as_secs_f64();
    let facts = json!({ "messages": n, "seconds": seconds, "memory in KiB": sizes });
    scratch("view/stress.json", &facts.to_string());
}
