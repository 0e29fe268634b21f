//! Shapes, and the questions about one or two of them.

mod mass;
mod pairs;
