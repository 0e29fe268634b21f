//! Shapes, and the questions about one or two of them.

mod brute;
mod contacts;
mod degenerate;
mod inside;
mod maps;
mod mass;
mod pairs;
mod properties;
mod shapes;
mod spheres;
