//! How a shape looks.

/// How a shape looks: kept as data.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Appearance {
    /// The name of the material, often empty.
    pub name: String,
    /// Red, green, blue, opacity from 0 to 1.
    pub color: Option<[f64; 4]>,
    /// The image file, as the file names it.
    pub texture: Option<String>,
}
