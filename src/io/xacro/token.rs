//! Tokeniser of expressions.

use super::value::{Value, float};

/// A word or a sign.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Name(String),
    Literal(Value),
    Sign(&'static str),
}

/// Longer ones first, so that `**` is not two `*`.
const SIGNS: [&str; 27] = [
    "**", "//", "==", "!=", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "<", ">", "(", ")",
    "[", "]", ",", ".", ":", "=", "&", "|", "^", "~",
];

/// Largest number of words of an expression.
const MOST: usize = 4000;

/// Splits an expression into words.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if tokens.len() == MOST {
            return Err(format!("it has more than {MOST} words"));
        }
        let (token, after) = match first {
            '\'' | '"' => quoted(rest, first)?,
            _ if is_number(rest) => number(rest)?,
            _ if first.is_alphabetic() || first == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
                (Token::Name(name.to_owned()), after)
            }
            _ => {
                let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
                let sign = sign.ok_or_else(|| format!("`{first}` is not expected here"))?;
                (Token::Sign(sign), rest.strip_prefix(sign).unwrap_or(""))
            }
        };
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('.').unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

fn number(text: &str) -> Result<(Token, &str), String> {
    let mut end = 0;
    let mut before = ' ';
    for c in text.chars() {
        let is_sign_of_exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
        if !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || is_sign_of_exponent) {
            break;
        }
        end += c.len_utf8();
        before = c;
    }
    let (word, after) = text.split_at(end);
    let plain = word.replace('_', "");
    let value = match plain.get(..2) {
        Some("0x" | "0X") => i64::from_str_radix(plain.get(2..).unwrap_or(""), 16)
            .ok()
            .map(Value::Int),
        _ => plain
            .parse()
            .ok()
            .map(Value::Int)
            .or_else(|| float(&plain).map(Value::Float)),
    };
    let value = value.ok_or_else(|| format!("`{word}` is not a number"))?;
    Ok((Token::Literal(value), after))
}

fn quoted(text: &str, quote: char) -> Result<(Token, &str), String> {
    let mut inside = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => {
                let after = text.get(at + 1..).unwrap_or("");
                return Ok((Token::Literal(Value::text(inside)), after));
            }
            '\\' => match chars.next() {
                Some((_, 'n')) => inside.push('\n'),
                Some((_, 't')) => inside.push('\t'),
                Some((_, c @ ('\\' | '\'' | '"'))) => inside.push(c),
                Some((_, c)) => inside.extend(['\\', c]),
                None => break,
            },
            c => inside.push(c),
        }
    }
    Err(format!("a text lacks its closing {quote}"))
}
