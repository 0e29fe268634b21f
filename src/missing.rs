//! Collision geometry that should be there and is not.

/// Reason why an element lacks collision geometry that it should have.
///
/// A link without any shape in its file, such as a frame or a tool point, lacks nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum MissingGeometry {
    /// Its shapes were not loaded: [`LoadOptions::load_geometry`](crate::io::LoadOptions::load_geometry) is false.
    NotLoaded,
    /// A shape could not be read, such as a mesh that is not there; a warning of the loader says which.
    LeftOut,
    /// A shape of it is empty: a mesh without triangles, a cloud without points.
    Empty,
    /// It has visual geometry and no collision geometry.
    VisualOnly,
    /// No link of its robot has any geometry.
    NoShapes,
}

impl MissingGeometry {
    /// Name: `not loaded`, `left out`, `empty`, `visual only` or `no shapes`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotLoaded => "not loaded",
            Self::LeftOut => "left out",
            Self::Empty => "empty",
            Self::VisualOnly => "visual only",
            Self::NoShapes => "no shapes",
        }
    }

    /// What elements that lack it have, for a list of their names.
    fn lack(self) -> &'static str {
        match self {
            Self::NotLoaded => "geometry that was not loaded",
            Self::LeftOut => "shapes that could not be read",
            Self::Empty => "empty shapes",
            Self::VisualOnly => "visual geometry alone",
            Self::NoShapes => "no geometry at all",
        }
    }

    /// What a caller of the library can do.
    fn remedy(self) -> &'static str {
        match self {
            Self::NotLoaded => "load the geometry",
            Self::LeftOut => "give `LoadOptions::packages`",
            Self::Empty => "repair the file",
            Self::VisualOnly => "load with `LoadOptions::use_visual`",
            Self::NoShapes => "add collision geometry to the file",
        }
    }

    const ALL: [Self; 5] = [
        Self::NotLoaded,
        Self::LeftOut,
        Self::Empty,
        Self::VisualOnly,
        Self::NoShapes,
    ];
}

/// Elements and what they lack, as a sentence.
pub(crate) fn problem(elements: &[(String, MissingGeometry)]) -> String {
    /// Names in a list, at most.
    const SHOWN: usize = 8;
    let mut parts = Vec::new();
    for reason in MissingGeometry::ALL {
        let names = elements.iter().filter(|(_, why)| *why == reason);
        let names: Vec<String> = names.map(|(name, _)| format!("`{name}`")).collect();
        if names.is_empty() {
            continue;
        }
        let mut list = names[..names.len().min(SHOWN)].join(", ");
        if names.len() > SHOWN {
            list.push_str(&format!(" and {} more", names.len() - SHOWN));
        }
        let verb = if names.len() == 1 { "has" } else { "have" };
        parts.push(format!("{list} {verb} {}", reason.lack()));
    }
    format!(
        "collisions could be missed, for geometry is not there: {}",
        parts.join("; ")
    )
}

/// Advice for a caller of the library.
pub(crate) fn remedy(elements: &[(String, MissingGeometry)]) -> String {
    let here = |reason: &MissingGeometry| elements.iter().any(|(_, why)| why == reason);
    let known = MissingGeometry::ALL.iter().filter(|reason| here(reason));
    let mut advice: Vec<&str> = known.map(|reason| reason.remedy()).collect();
    advice.push("accept it with `allow_missing_geometry`");
    advice.join(", or ")
}
