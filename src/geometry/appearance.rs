//! Appearance of a shape.

/// Material of a shape, kept as data.
#[doc(alias = "material")]
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Appearance {
    /// Name of the material, often empty.
    pub name: String,
    /// Red, green, blue, opacity from 0 to 1.
    pub color: Option<[f64; 4]>,
    /// Path of the texture image, as the file gives it.
    pub texture: Option<String>,
}
