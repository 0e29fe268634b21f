//! Parsers of the values of options.

use std::convert::Infallible;
use std::path::PathBuf;

use crate::request::{Key, LARGEST};

/// A list of finite numbers; a type of its own, since clap reads `Vec` as a repeated option.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Numbers(pub(crate) Vec<f64>);

pub(super) fn numbers(text: &str) -> Result<Numbers, String> {
    if text.trim().is_empty() {
        return Ok(Numbers(Vec::new()));
    }
    text.split(',')
        .map(|word| match word.trim().parse::<f64>() {
            Ok(x) if x.abs() <= LARGEST => Ok(x),
            Ok(x) if x.is_finite() => Err(format!("`{word}` is beyond {LARGEST:?}")),
            Ok(_) => Err(format!("`{word}` is not finite")),
            Err(_) => Err(format!("`{word}` is not a number")),
        })
        .collect::<Result<_, _>>()
        .map(Numbers)
}

pub(super) fn point(text: &str) -> Result<[f64; 3], String> {
    let Numbers(values) = numbers(text)?;
    <[f64; 3]>::try_from(values)
        .map_err(|values| format!("expected 3 values, got {}", values.len()))
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        _ => Err(format!("`{text}` is not a number of seconds")),
    }
}

pub(super) fn metres(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        _ => Err(format!("`{text}` is not a number of metres from 0 on")),
    }
}

pub(super) fn now_dq(_: &str) -> Result<Infallible, &'static str> {
    Err("the option is now --dq")
}

pub(super) fn now_ddq(_: &str) -> Result<Infallible, &'static str> {
    Err("the option is now --ddq")
}

pub(super) fn now_tau(_: &str) -> Result<Infallible, &'static str> {
    Err("the option is now --tau")
}

pub(super) fn key(text: &str) -> Result<Key, Infallible> {
    Ok(Key::Word(text.to_owned()))
}

pub(super) fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, dir)) if !name.is_empty() && !dir.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(dir)))
        }
        _ => Err("expected NAME=DIR, for instance my_robot=/opt/models/my_robot".to_owned()),
    }
}

/// A file, with the name of its robot before it; the whole text where a file has that name.
pub(super) fn srdf(text: &str) -> Result<(Option<String>, PathBuf), Infallible> {
    let whole = PathBuf::from(text);
    Ok(match text.split_once('=') {
        Some((robot, file)) if !robot.is_empty() && !whole.exists() => {
            (Some(robot.to_owned()), PathBuf::from(file))
        }
        _ => (None, whole),
    })
}

pub(super) fn argument(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE, for instance prefix=left_".to_owned()),
    }
}
