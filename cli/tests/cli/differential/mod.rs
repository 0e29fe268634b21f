//! Every op of `query` against the library, for random configurations of robots and worlds in `data/`.

mod kinematics;
mod questions;
mod worlds;

use serde_json::{Value, json};

/// Compares two values; numbers to rounding.
#[track_caller]
pub(crate) fn assert_near(ours: &Value, expected: &Value, what: &str) {
    assert!(
        near(ours, expected),
        "{what}:\n{ours}\ninstead of\n{expected}"
    );
}

fn near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-9 * (1.0 + a.abs())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            // an answer may have more fields than the library's call gives
            let has = |(key, b): (&String, &Value)| a.get(key).is_some_and(|a| near(a, b));
            b.iter().all(has)
        }
        _ => a == b,
    }
}

/// The answer that a result of the library has.
pub(crate) fn expected(result: kinworld::Result<Value>) -> Value {
    match result {
        Ok(mut answer) => {
            answer["ok"] = json!(true);
            answer
        }
        Err(error) => json!({ "ok": false, "error": error.to_string() }),
    }
}

/// Rows of a matrix.
macro_rules! rows {
    ($matrix:expr) => {
        $matrix
            .row_iter()
            .map(|row| row.iter().copied().collect::<Vec<f64>>())
            .collect::<Vec<_>>()
    };
}
pub(crate) use rows;

/// Components of a vector or point.
macro_rules! list {
    ($vector:expr) => {
        $vector.iter().copied().collect::<Vec<f64>>()
    };
}
pub(crate) use list;

/// Random numbers, the same in every run.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number between -1 and 1.
    pub(crate) fn real(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn reals(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.real()).collect()
    }

    pub(crate) fn point(&mut self) -> [f64; 3] {
        [self.real(), self.real(), self.real()]
    }
}
