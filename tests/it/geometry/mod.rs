//! Shapes, and the questions about one or two of them.

mod brute;
mod contacts;
mod degenerate;
mod hard;
mod hulls;
mod inside;
mod many;
mod maps;
mod mass;
mod pairs;
mod parts;
mod prepared;
mod properties;
mod shapes;
mod spheres;
