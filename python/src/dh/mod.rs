//! Denavit-Hartenberg tables.

mod row;
mod table;

pub(crate) use row::{DhRow, Parameters};
pub(crate) use table::{DhTable, modified, row_dofs, row_values, standard};
