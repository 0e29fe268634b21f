//! Shapes, and the questions about one or two of them.

mod contacts;
mod mass;
mod pairs;
mod properties;
