//! The functions and constants of expressions: a closed list.

use std::f64::consts;

use super::value::{LONGEST, Value, float};

/// A built-in name.
pub(super) fn global(name: &str) -> Option<Value> {
    constant(name).or_else(|| {
        let all = PLAIN.iter().chain(&MATH);
        let function = all.copied().find(|known| *known == name);
        let module = || MODULES.into_iter().find(|known| *known == name);
        function
            .map(Value::Function)
            .or_else(|| module().map(Value::Module))
    })
}

/// A name of a module.
pub(super) fn member(module: &str, name: &str) -> Option<Value> {
    let found = |names: &'static [&'static str]| names.iter().copied().find(|known| *known == name);
    match module {
        "math" => constant(name).or_else(|| found(&MATH).map(Value::Function)),
        "python" => found(&PLAIN).map(Value::Function),
        _ => found(&XACRO).map(Value::Function),
    }
}

const MODULES: [&str; 3] = ["math", "python", "xacro"];

const PLAIN: [&str; 19] = [
    "abs",
    "all",
    "any",
    "bool",
    "dict",
    "enumerate",
    "float",
    "int",
    "len",
    "list",
    "max",
    "min",
    "range",
    "reversed",
    "round",
    "sorted",
    "str",
    "sum",
    "zip",
];

const MATH: [&str; 31] = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "copysign", "cos", "cosh",
    "degrees", "dist", "exp", "expm1", "fabs", "floor", "fmod", "hypot", "isfinite", "isinf",
    "isnan", "log", "log10", "log2", "pow", "radians", "sin", "sqrt", "tan", "trunc",
];

/// Functions of more than their arguments, see [`super::evaluate`].
const XACRO: [&str; 9] = [
    "abs_filename",
    "arg",
    "error",
    "fatal",
    "load_yaml",
    "message",
    "print_location",
    "tokenize",
    "warning",
];

fn constant(name: &str) -> Option<Value> {
    Some(Value::Float(match name {
        "pi" => consts::PI,
        "e" => consts::E,
        "tau" => consts::TAU,
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => return None,
    }))
}

/// The value of a function of its arguments only.
pub(super) fn call(name: &str, args: &[Value]) -> Result<Value, String> {
    if let Some(value) = of_numbers(name, args)? {
        return Ok(value);
    }
    let wrong = || wrong(name, args);
    match (name, args) {
        ("str", [x]) => Ok(Value::text(x.to_text())),
        ("bool", [x]) => Ok(Value::Bool(x.is_true())),
        ("float", [Value::Text(text)]) => float(text).map(Value::Float).ok_or_else(wrong),
        ("int", [Value::Text(text)]) => text.trim().parse().map(Value::Int).map_err(|_| wrong()),
        ("float", [x]) => x.number().map(Value::Float).ok_or_else(wrong),
        ("int", [x]) => whole(x.number().ok_or_else(wrong)?.trunc()),
        ("len", [Value::Text(text)]) => size(text.chars().count()),
        ("len", [Value::Map(items)]) => size(items.len()),
        ("len", [x]) => size(items(x).ok_or_else(wrong)?.len()),
        ("list", []) => Ok(Value::list(Vec::new())),
        ("list", [x]) => Ok(Value::list(items(x).ok_or_else(wrong)?)),
        ("dict", []) => Ok(Value::map(Vec::new())),
        ("dict", [map @ Value::Map(_)]) => Ok(map.clone()),
        ("all", [x]) => Ok(Value::Bool(
            items(x).ok_or_else(wrong)?.iter().all(Value::is_true),
        )),
        ("any", [x]) => Ok(Value::Bool(
            items(x).ok_or_else(wrong)?.iter().any(Value::is_true),
        )),
        ("min" | "max", [x]) => extreme(name, items(x).ok_or_else(wrong)?),
        ("min" | "max", args) => extreme(name, args.to_vec()),
        ("range", args) => range(args),
        ("reversed", [x]) => Ok(Value::list(
            items(x).ok_or_else(wrong)?.into_iter().rev().collect(),
        )),
        ("sorted", [x]) => {
            let mut items = items(x).ok_or_else(wrong)?;
            items.sort_by(|a, b| a.order(b).unwrap_or(std::cmp::Ordering::Equal));
            Ok(Value::list(items))
        }
        ("sum", [x]) => {
            let items = items(x).ok_or_else(wrong)?;
            let add =
                |sum: Result<Value, String>, x: &Value| super::operators::binary("+", &sum?, x);
            items.iter().fold(Ok(Value::Int(0)), add)
        }
        ("enumerate", [x]) => {
            let items = items(x).ok_or_else(wrong)?.into_iter().enumerate();
            let pair = |(i, x)| Ok(Value::list(vec![size(i)?, x]));
            Ok(Value::list(items.map(pair).collect::<Result<_, String>>()?))
        }
        ("zip", [a, b]) => {
            let pairs = items(a)
                .ok_or_else(wrong)?
                .into_iter()
                .zip(items(b).ok_or_else(wrong)?);
            Ok(Value::list(
                pairs.map(|(a, b)| Value::list(vec![a, b])).collect(),
            ))
        }
        ("tokenize", [Value::Text(text)]) => Ok(split(text, |c| matches!(c, ',' | ';' | ' '))),
        _ => Err(wrong()),
    }
}

/// Functions of numbers; `None` for the others.
fn of_numbers(name: &str, args: &[Value]) -> Result<Option<Value>, String> {
    let numbers: Option<Vec<f64>> = args.iter().map(Value::number).collect();
    let Some(numbers) = numbers else {
        return Ok(None);
    };
    let value = match (name, &numbers[..]) {
        ("abs", [x]) => match args {
            [Value::Int(i)] => return Ok(i.checked_abs().map(Value::Int)),
            _ => x.abs(),
        },
        ("round", [x]) => return whole(x.round_ties_even()).map(Some),
        ("round", &[x, n]) => match args.first() {
            Some(whole @ Value::Int(_)) if n >= 0.0 => return Ok(Some(whole.clone())),
            _ => rounded(x, n),
        },
        ("ceil", [x]) => return whole(x.ceil()).map(Some),
        ("floor", [x]) => return whole(x.floor()).map(Some),
        ("trunc", [x]) => return whole(x.trunc()).map(Some),
        ("isnan", [x]) => return Ok(Some(Value::Bool(x.is_nan()))),
        ("isinf", [x]) => return Ok(Some(Value::Bool(x.is_infinite()))),
        ("isfinite", [x]) => return Ok(Some(Value::Bool(x.is_finite()))),
        ("acos", [x]) => x.acos(),
        ("acosh", [x]) => x.acosh(),
        ("asin", [x]) => x.asin(),
        ("asinh", [x]) => x.asinh(),
        ("atan", [x]) => x.atan(),
        ("atanh", [x]) => x.atanh(),
        ("cos", [x]) => x.cos(),
        ("cosh", [x]) => x.cosh(),
        ("degrees", [x]) => x * (180.0 / consts::PI),
        ("radians", [x]) => x * (consts::PI / 180.0),
        ("exp", [x]) => x.exp(),
        ("expm1", [x]) => x.exp_m1(),
        ("fabs", [x]) => x.abs(),
        ("log", [x]) => x.ln(),
        ("log", &[x, base]) => x.ln() / base.ln(),
        ("log10", [x]) => x.log10(),
        ("log2", [x]) => x.log2(),
        ("sin", [x]) => x.sin(),
        ("sqrt", [x]) => x.sqrt(),
        ("tan", [x]) => x.tan(),
        ("atan2", &[y, x]) => y.atan2(x),
        ("copysign", &[x, y]) => x.copysign(y),
        ("fmod", &[x, y]) => x % y,
        ("pow", &[x, y]) => x.powf(y),
        ("hypot", &[x, y]) => x.hypot(y),
        _ => return Ok(None),
    };
    // Python refuses arguments outside the domain, as in sqrt(-1)
    if value.is_nan() && !numbers.iter().any(|x| x.is_nan()) {
        return Err(format!("`{name}` has no value there"));
    }
    Ok(Some(Value::Float(value)))
}

/// Rounds the exact value of a number to decimal places.
fn rounded(x: f64, digits: f64) -> f64 {
    if !(0.0..=300.0).contains(&digits) {
        let scale = 10_f64.powf(-digits);
        return (x / scale).round_ties_even() * scale;
    }
    format!("{x:.*}", digits as usize).parse().unwrap_or(x)
}

/// The items of a loop.
pub(super) fn items(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::List(items) => Some(items.to_vec()),
        Value::Map(items) => Some(items.iter().map(|(key, _)| key.clone()).collect()),
        Value::Text(text) => Some(text.chars().map(|c| Value::text(c.to_string())).collect()),
        _ => None,
    }
}

/// A function of a text or a map.
pub(super) fn method(of: &Value, name: &str, args: &[Value]) -> Result<Value, String> {
    let list = |items: Vec<Value>| Ok(Value::list(items));
    match (of, name, args) {
        (Value::Map(items), "keys", []) => list(items.iter().map(|(key, _)| key.clone()).collect()),
        (Value::Map(items), "values", []) => list(items.iter().map(|(_, x)| x.clone()).collect()),
        (Value::Map(items), "items", []) => {
            let pair = |(key, x): &(Value, Value)| Value::list(vec![key.clone(), x.clone()]);
            list(items.iter().map(pair).collect())
        }
        (Value::Map(items), "get", [key, default @ ..]) => {
            let found = items.iter().find(|(known, _)| known.equals(key));
            let default = default.first().cloned().unwrap_or(Value::None);
            Ok(found.map_or(default, |(_, x)| x.clone()))
        }
        (Value::Text(text), _, _) => of_text(text, name, args),
        _ => Err(format!("{} has no function `{name}`", of.kind())),
    }
}

fn of_text(text: &str, name: &str, args: &[Value]) -> Result<Value, String> {
    let is = |holds: bool| Ok(Value::Bool(holds));
    let new = |text: String| {
        if text.len() > LONGEST {
            return Err(format!("a text of more than {LONGEST} bytes"));
        }
        Ok(Value::text(text))
    };
    match (name, args) {
        ("lower", []) => new(text.to_lowercase()),
        ("upper", []) => new(text.to_uppercase()),
        ("strip", []) => new(text.trim().to_owned()),
        ("lstrip", []) => new(text.trim_start().to_owned()),
        ("rstrip", []) => new(text.trim_end().to_owned()),
        ("isdigit", []) => is(!text.is_empty() && text.chars().all(|c| c.is_ascii_digit())),
        ("startswith", [Value::Text(part)]) => is(text.starts_with(&**part)),
        ("endswith", [Value::Text(part)]) => is(text.ends_with(&**part)),
        ("split", []) => Ok(split(text, char::is_whitespace)),
        ("split", [Value::Text(by)]) if !by.is_empty() => {
            Ok(Value::list(text.split(&**by).map(Value::text).collect()))
        }
        ("replace", [Value::Text(from), Value::Text(to)]) => {
            let times = text.matches(&**from).count();
            if times.saturating_mul(to.len()) > LONGEST {
                return Err(format!("a text of more than {LONGEST} bytes"));
            }
            new(text.replace(&**from, to))
        }
        ("join", [list]) => {
            let items = items(list).ok_or("`join` needs a list")?;
            let mut joined = String::new();
            for (i, item) in items.iter().enumerate() {
                let Value::Text(item) = item else {
                    return Err(format!("`join` needs texts, got {}", item.kind()));
                };
                if i > 0 {
                    joined.push_str(text);
                }
                joined.push_str(item);
                if joined.len() > LONGEST {
                    break;
                }
            }
            new(joined)
        }
        ("format", args) => new(formatted(text, args)?),
        _ => Err(format!("a text has no function `{name}` for that")),
    }
}

/// `"{}_{}".format(a, b)`: plain braces only.
fn formatted(text: &str, args: &[Value]) -> Result<String, String> {
    let mut parts = text.split("{}");
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut args = args.iter();
    for part in parts {
        let value = args.next().ok_or("`format` has too few values")?;
        out += &value.to_text();
        out += part;
        if out.len() > LONGEST {
            break;
        }
    }
    Ok(out)
}

fn split(text: &str, at: impl Fn(char) -> bool) -> Value {
    let parts = text.split(at).filter(|part| !part.is_empty());
    Value::list(parts.map(Value::text).collect())
}

fn extreme(name: &str, items: Vec<Value>) -> Result<Value, String> {
    use std::cmp::Ordering::{Greater, Less};
    let better = if name == "min" { Less } else { Greater };
    let mut items = items.into_iter();
    let mut best = items.next().ok_or_else(|| format!("`{name}` of nothing"))?;
    for item in items {
        let order = item.order(&best);
        let order = order.ok_or_else(|| wrong(name, &[best.clone(), item.clone()]))?;
        if order == better {
            best = item;
        }
    }
    Ok(best)
}

fn range(args: &[Value]) -> Result<Value, String> {
    let ints: Option<Vec<i64>> = args.iter().map(Value::int).collect();
    let (from, to, step) = match ints.as_deref() {
        Some(&[to]) => (0, to, 1),
        Some(&[from, to]) => (from, to, 1),
        Some(&[from, to, step]) if step != 0 => (from, to, step),
        _ => return Err(wrong("range", args)),
    };
    let mut items = Vec::new();
    let mut i = from;
    while if step > 0 { i < to } else { i > to } {
        if items.len() == LONGEST {
            return Err(format!("a list of more than {LONGEST} items"));
        }
        items.push(Value::Int(i));
        match i.checked_add(step) {
            Some(next) => i = next,
            None => break,
        }
    }
    Ok(Value::list(items))
}

fn whole(x: f64) -> Result<Value, String> {
    const LARGEST: f64 = 9e18;
    if x.abs() <= LARGEST {
        return Ok(Value::Int(x as i64));
    }
    Err(format!("{x} is not a whole number in range"))
}

fn size(n: usize) -> Result<Value, String> {
    i64::try_from(n).map(Value::Int).map_err(|e| e.to_string())
}

fn wrong(name: &str, args: &[Value]) -> String {
    let kinds: Vec<&str> = args.iter().map(Value::kind).collect();
    format!("`{name}` cannot be used on ({})", kinds.join(", "))
}
