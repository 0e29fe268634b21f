//! JSON nodes with their path from the root for messages: `meshes/0/primitives/1/indices`.

use std::path::Path;

use serde_json::Value;

use crate::Diagnostic;

/// Parses a JSON text.
pub(super) fn parse(text: &[u8], path: &Path) -> Result<Value, Diagnostic> {
    serde_json::from_slice(text).map_err(|error| {
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or("").to_owned();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (line, column) = (number(error.line()), number(error.column()));
        Diagnostic::error(format!("the JSON is broken: {what}")).at(path, line, column.max(1))
    })
}

/// A JSON value with its path.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    value: &'a Value,
    pointer: String,
    path: &'a Path,
}

impl<'a> Node<'a> {
    /// The root of a document.
    pub(super) fn root(value: &'a Value, path: &'a Path) -> Self {
        Self {
            value,
            pointer: String::new(),
            path,
        }
    }

    /// An error about this node.
    pub(super) fn error(&self, message: &str) -> Diagnostic {
        let message = match self.pointer.as_str() {
            "" => message.to_owned(),
            pointer => format!("{pointer}: {message}"),
        };
        Diagnostic::error(message).in_file(self.path)
    }

    /// A warning about this node.
    pub(super) fn warning(&self, message: &str) -> Diagnostic {
        Diagnostic {
            severity: crate::Severity::Warning,
            ..self.error(message)
        }
    }

    fn below(&self, value: &'a Value, step: &str) -> Self {
        let pointer = match self.pointer.as_str() {
            "" => step.to_owned(),
            pointer => format!("{pointer}/{step}"),
        };
        Self {
            value,
            pointer,
            path: self.path,
        }
    }

    /// A member; `None` if it is missing.
    pub(super) fn member(&self, name: &str) -> Option<Self> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(self.below(value, name))
    }

    /// A mandatory member.
    pub(super) fn needed(&self, name: &str) -> Result<Self, Diagnostic> {
        let missing = || self.error(&format!("`{name}` is missing"));
        self.member(name).ok_or_else(missing)
    }

    /// The items of a list; empty if the list is missing.
    pub(super) fn list(&self, name: &str) -> Result<Vec<Self>, Diagnostic> {
        let Some(list) = self.member(name) else {
            return Ok(Vec::new());
        };
        let Value::Array(items) = list.value else {
            return Err(list.error("must be a list"));
        };
        let numbered = items.iter().enumerate();
        Ok(numbered
            .map(|(i, item)| list.below(item, &i.to_string()))
            .collect())
    }

    /// The item of the list `name` at the index that this node holds.
    pub(super) fn in_list(&self, root: &Self, name: &str) -> Result<Self, Diagnostic> {
        let index = self.index()?;
        let missing = || self.error(&format!("there is no {index} in `{name}`"));
        root.item(name, index).ok_or_else(missing)
    }

    /// The item of a list at an index.
    pub(super) fn item(&self, name: &str, index: usize) -> Option<Self> {
        let item = self.value.get(name)?.get(index)?;
        Some(self.below(item, &format!("{name}/{index}")))
    }

    /// This node as text.
    pub(super) fn text(&self) -> Result<&'a str, Diagnostic> {
        self.value
            .as_str()
            .ok_or_else(|| self.error("must be text"))
    }

    /// This node as a whole number.
    pub(super) fn index(&self) -> Result<usize, Diagnostic> {
        let number = self.value.as_u64();
        let number = number.and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| self.error("must be a whole number from 0 up"))
    }

    /// A whole number in a member; 0 if it is missing.
    pub(super) fn index_or_zero(&self, name: &str) -> Result<usize, Diagnostic> {
        self.member(name).map_or(Ok(0), |member| member.index())
    }

    /// This node as a list of `N` finite numbers.
    pub(super) fn numbers<const N: usize>(&self) -> Result<[f64; N], Diagnostic> {
        let wrong = || self.error(&format!("must be a list of {N} numbers"));
        let list = self.value.as_array().filter(|list| list.len() == N);
        let mut numbers = [0.0; N];
        for (number, item) in numbers.iter_mut().zip(list.ok_or_else(wrong)?) {
            let value = item.as_f64().filter(|x| x.is_finite());
            *number = value.ok_or_else(wrong)?;
        }
        Ok(numbers)
    }

    /// This node as a list of two whole numbers.
    pub(super) fn indices(&self) -> Result<[usize; 2], Diagnostic> {
        let index = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let pair = match self.value.as_array().map(Vec::as_slice) {
            Some([a, b]) => index(a).zip(index(b)),
            _ => None,
        };
        let wrong = || self.error("must be a list of 2 whole numbers from 0 up");
        pair.map(|(a, b)| [a, b]).ok_or_else(wrong)
    }

    /// This node as a list of two numbers, each of which may be missing.
    pub(super) fn range(&self) -> Result<[Option<f64>; 2], Diagnostic> {
        let end = |value: &Value| match value {
            Value::Null => Some(None),
            value => value.as_f64().map(Some),
        };
        let pair = match self.value.as_array().map(Vec::as_slice) {
            Some([low, high]) => end(low).zip(end(high)),
            _ => None,
        };
        let wrong = || self.error("must be a list of 2 numbers or nulls");
        pair.map(|(low, high)| [low, high]).ok_or_else(wrong)
    }

    /// This node as a list of finite numbers.
    pub(super) fn all_numbers(&self) -> Result<Vec<f64>, Diagnostic> {
        let number = |item: &Value| item.as_f64().filter(|x| x.is_finite());
        let list = self.value.as_array();
        let numbers = list.and_then(|list| list.iter().map(number).collect());
        numbers.ok_or_else(|| self.error("must be a list of numbers"))
    }

    /// This node as a whole number of 64 bits.
    pub(super) fn natural(&self) -> Result<u64, Diagnostic> {
        let wrong = || self.error("must be a whole number from 0 up");
        self.value.as_u64().ok_or_else(wrong)
    }

    /// This node as a finite number.
    pub(super) fn number(&self) -> Result<f64, Diagnostic> {
        let number = self.value.as_f64().filter(|x| x.is_finite());
        number.ok_or_else(|| self.error("must be a number"))
    }

    /// Returns whether this node is `true`.
    pub(super) fn is_true(&self) -> bool {
        self.value.as_bool() == Some(true)
    }
}
