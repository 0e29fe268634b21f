//! Names that a format wants each once.

use std::collections::HashSet;

/// The names of one kind of element.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Names of which these are taken.
    pub(crate) fn without(taken: &[&str]) -> Self {
        Self {
            taken: taken.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    /// The wish, or the wish with a number where it is taken; `default` where it is empty.
    pub(crate) fn unique(&mut self, wish: &str, default: &str) -> String {
        let wish = match wish.trim() {
            "" => default,
            wish => wish,
        };
        let mut name = wish.to_owned();
        let mut k = 1;
        while !self.taken.insert(name.clone()) {
            k += 1;
            name = format!("{wish}_{k}");
        }
        name
    }

    /// The wish where it is not empty and not taken.
    pub(crate) fn free(&mut self, wish: &str) -> Option<String> {
        let wish = wish.trim();
        (!wish.is_empty() && self.taken.insert(wish.to_owned())).then(|| wish.to_owned())
    }
}
