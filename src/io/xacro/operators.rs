//! Arithmetic and comparison, by Python's rules.

use super::value::{LONGEST, Value};

/// A sign between two values.
pub(super) fn binary(sign: &'static str, a: &Value, b: &Value) -> Result<Value, String> {
    match (sign, a, b) {
        ("+", Value::Text(a), Value::Text(b)) => {
            joined(a.len() + b.len(), || Value::text(format!("{a}{b}")))
        }
        ("+", Value::List(a), Value::List(b)) => joined(a.len() + b.len(), || {
            Value::list(a.iter().chain(b.iter()).cloned().collect())
        }),
        ("*", Value::Text(text), n) | ("*", n, Value::Text(text)) => {
            let n = times(n)?;
            joined(text.len().saturating_mul(n), || Value::text(text.repeat(n)))
        }
        ("*", Value::List(list), n) | ("*", n, Value::List(list)) => {
            let n = times(n)?;
            let repeated = || (0..n).flat_map(|_| list.iter().cloned());
            joined(list.len().saturating_mul(n), || {
                Value::list(repeated().collect())
            })
        }
        _ => match (a.int(), b.int()) {
            (Some(a), Some(b)) if sign != "/" && !(sign == "**" && b < 0) => of_ints(sign, a, b),
            _ => of_numbers(sign, a, b),
        },
    }
}

fn joined(size: usize, make: impl FnOnce() -> Value) -> Result<Value, String> {
    if size > LONGEST {
        return Err(format!("it gets longer than {LONGEST}"));
    }
    Ok(make())
}

fn times(n: &Value) -> Result<usize, String> {
    let n = n
        .int()
        .ok_or_else(|| format!("a text or a list cannot be multiplied by {}", n.kind()))?;
    Ok(usize::try_from(n).unwrap_or(0))
}

fn of_ints(sign: &str, a: i64, b: i64) -> Result<Value, String> {
    if b == 0 && matches!(sign, "//" | "%") {
        return Err("division by zero".to_owned());
    }
    let small = u32::try_from(b).ok();
    let value = match sign {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        // rounded down, so that the remainder has the sign of the divisor
        "//" => a
            .checked_div(b)
            .map(|q| q - i64::from(a % b != 0 && (a < 0) != (b < 0))),
        "%" => a.checked_rem(b).map(|r| {
            if r != 0 && (r < 0) != (b < 0) {
                r + b
            } else {
                r
            }
        }),
        "**" => small.and_then(|b| a.checked_pow(b)),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "<<" => small.and_then(|b| a.checked_mul(1_i64.checked_shl(b).filter(|_| b < 62)?)),
        _ => small.map(|b| a.checked_shr(b).unwrap_or(if a < 0 { -1 } else { 0 })),
    };
    value
        .map(Value::Int)
        .ok_or_else(|| format!("{a} {sign} {b} is too large"))
}

fn of_numbers(sign: &'static str, a: &Value, b: &Value) -> Result<Value, String> {
    let (Some(x), Some(y)) = (a.number(), b.number()) else {
        return Err(format!(
            "`{sign}` cannot stand between {} and {}",
            a.kind(),
            b.kind()
        ));
    };
    if y == 0.0 && matches!(sign, "/" | "//" | "%") {
        return Err("division by zero".to_owned());
    }
    Ok(Value::Float(match sign {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" => x / y,
        "//" => (x / y).floor(),
        "%" => x - y * (x / y).floor(),
        "**" => {
            let power = x.powf(y);
            if power.is_nan() && !x.is_nan() && !y.is_nan() {
                return Err(format!("{x} ** {y} is not a real number"));
            }
            power
        }
        _ => return Err(format!("`{sign}` needs whole numbers")),
    }))
}

/// A sign before a value.
pub(super) fn unary(sign: &'static str, value: &Value) -> Result<Value, String> {
    let wrong = || format!("`{sign}` cannot stand before {}", value.kind());
    match (sign, value) {
        ("not", value) => Ok(Value::Bool(!value.is_true())),
        ("+", Value::Float(x)) => Ok(Value::Float(*x)),
        ("-", Value::Float(x)) => Ok(Value::Float(-x)),
        (sign, value) => {
            let i = value.int().ok_or_else(wrong)?;
            let value = match sign {
                "+" => Some(i),
                "-" => i.checked_neg(),
                _ => Some(!i),
            };
            value.map(Value::Int).ok_or_else(wrong)
        }
    }
}

/// The truth of a comparison.
pub(super) fn compare(sign: &'static str, a: &Value, b: &Value) -> Result<bool, String> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let is_nan = |x: &Value| x.number().is_some_and(f64::is_nan);
    let order = match sign {
        "==" => return Ok(a.equals(b)),
        "!=" => return Ok(!a.equals(b)),
        "in" => return is_in(a, b),
        "not in" => return is_in(a, b).map(|holds| !holds),
        _ if is_nan(a) || is_nan(b) => return Ok(false),
        _ => a.order(b),
    };
    let order = order.ok_or_else(|| format!("{} and {} have no order", a.kind(), b.kind()))?;
    Ok(match sign {
        "<" => order == Less,
        ">" => order == Greater,
        "<=" => order == Less || order == Equal,
        _ => order == Greater || order == Equal,
    })
}

fn is_in(part: &Value, whole: &Value) -> Result<bool, String> {
    match (part, whole) {
        (Value::Text(part), Value::Text(whole)) => Ok(whole.contains(&**part)),
        (_, Value::List(items)) => Ok(items.iter().any(|item| item.equals(part))),
        (_, Value::Map(items)) => Ok(items.iter().any(|(key, _)| key.equals(part))),
        _ => Err(format!("nothing can be `in` {}", whole.kind())),
    }
}
