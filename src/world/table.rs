//! Tables of rows with stable handles, which store the elements of a world.

use super::id::{Handle, Key};
use crate::{Error, Result};

/// A row: a named element.
pub(super) trait Row {
    /// The noun for messages.
    const KIND: &'static str;

    fn name(&self) -> &str;
    fn rename(&mut self, name: String);
}

/// Rows in the order in which they were added; handles grow along it.
#[derive(Debug, Clone)]
pub(super) struct Table<I, T> {
    rows: Vec<(I, T)>,
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<I: Handle, T: Row> Table<I, T> {
    /// Appends a row under a handle larger than all before.
    pub(super) fn push(&mut self, id: I, row: T) {
        self.rows.push((id, row));
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (I, &T)> {
        self.rows.iter().map(|(id, row)| (*id, row))
    }

    pub(super) fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> {
        self.rows.iter_mut().map(|(_, row)| row)
    }

    /// All rows, each with its handle.
    pub(super) fn rows_mut(&mut self) -> impl ExactSizeIterator<Item = (I, &mut T)> {
        self.rows.iter_mut().map(|(id, row)| (*id, row))
    }

    pub(super) fn into_rows(self) -> impl Iterator<Item = T> {
        self.rows.into_iter().map(|(_, row)| row)
    }

    /// The row at a valid index.
    pub(super) fn at(&self, position: usize) -> (I, &T) {
        let (id, row) = &self.rows[position];
        (*id, row)
    }

    /// Index of a handle.
    pub(super) fn position_of(&self, id: I) -> Option<usize> {
        self.rows.binary_search_by_key(&id, |(id, _)| *id).ok()
    }

    pub(super) fn position(&self, key: Key<'_, I>) -> Result<usize> {
        let (found, asked) = match key {
            Key::Id(id) => (self.position_of(id), id.to_string()),
            Key::Index(index) => (
                (index < self.rows.len()).then_some(index),
                index.to_string(),
            ),
            Key::Name(name) => {
                let found = self.rows.iter().position(|(_, row)| row.name() == name);
                (found, name.to_owned())
            }
        };
        found.ok_or_else(|| {
            let known = self.rows.iter().map(|(_, row)| row.name());
            Error::not_found(T::KIND, asked, known)
        })
    }

    pub(super) fn get(&self, key: Key<'_, I>) -> Result<(I, &T)> {
        Ok(self.at(self.position(key)?))
    }

    pub(super) fn get_mut(&mut self, key: Key<'_, I>) -> Result<&mut T> {
        let position = self.position(key)?;
        Ok(&mut self.rows[position].1)
    }

    pub(super) fn remove(&mut self, key: Key<'_, I>) -> Result<T> {
        let position = self.position(key)?;
        Ok(self.rows.remove(position).1)
    }
}
