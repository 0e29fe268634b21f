//! Settings of `<compiler>`, with MuJoCo's defaults.

use super::document::{Document, Node};
use super::fields::Fields;
use super::notes::Notes;
use crate::Diagnostic;

/// Settings of a model.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    /// Radians per unit of an angle.
    pub(super) angle: f64,
    /// Axes of the three rotations of `euler`; upper case letters are fixed in the parent.
    pub(super) eulerseq: [char; 3],
    pub(super) autolimits: bool,
    pub(super) inertia_from_geom: InertiaFromGeom,
    /// Groups of the geoms that inertias are inferred from.
    pub(super) group_range: [f64; 2],
    pub(super) bound_mass: f64,
    pub(super) bound_inertia: f64,
    pub(super) balance_inertia: bool,
    /// The mass of all bodies, where it is positive.
    pub(super) total_mass: f64,
    pub(super) fit_aabb: bool,
    pub(super) discard_visual: bool,
    pub(super) align_free: bool,
    pub(super) strip_path: bool,
    pub(super) mesh_dir: String,
}

/// `inertiafromgeom`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InertiaFromGeom {
    Never,
    Always,
    /// Where a body has no `<inertial>`.
    Auto,
}

impl Settings {
    /// The settings of a document.
    pub(super) fn of(document: &Document, notes: &Notes<'_>) -> Result<Self, Diagnostic> {
        let mut settings = Self {
            angle: 1f64.to_radians(),
            eulerseq: ['x', 'y', 'z'],
            autolimits: true,
            inertia_from_geom: InertiaFromGeom::Auto,
            group_range: [0.0, 5.0],
            bound_mass: 0.0,
            bound_inertia: 0.0,
            balance_inertia: false,
            total_mass: -1.0,
            fit_aabb: false,
            discard_visual: false,
            align_free: false,
            strip_path: false,
            mesh_dir: String::new(),
        };
        for node in &document.compilers {
            settings.read(node, document, notes)?;
        }
        Ok(settings)
    }

    fn read(
        &mut self,
        node: &Node,
        document: &Document,
        notes: &Notes<'_>,
    ) -> Result<(), Diagnostic> {
        let fields = Fields::plain(node, "compiler", document, notes);
        if let Some(i) = fields.choice("angle", &["radian", "degree"])? {
            self.angle = if i == 0 { 1.0 } else { 1f64.to_radians() };
        }
        if let Some(sequence) = fields.word("eulerseq") {
            let letters: Vec<char> = sequence.chars().collect();
            let letters = <[char; 3]>::try_from(letters).ok();
            let letters = letters.filter(|l| l.iter().all(|c| "xyzXYZ".contains(*c)));
            self.eulerseq = letters.ok_or_else(|| {
                let problem = "`eulerseq` must be three letters of x, y, z, X, Y and Z";
                fields.error_at("eulerseq", problem)
            })?;
        }
        if fields.choice("coordinate", &["local", "global"])? == Some(1) {
            let problem = "coordinate=\"global\" is no longer part of MJCF";
            let error = fields.error_at("coordinate", problem);
            return Err(error.help(
                "MuJoCo 2.3.3 or older loads such a model and saves it in local coordinates",
            ));
        }
        let flag = |name: &str, value: &mut bool| -> Result<(), Diagnostic> {
            *value = fields.flag(name)?.unwrap_or(*value);
            Ok(())
        };
        flag("autolimits", &mut self.autolimits)?;
        flag("balanceinertia", &mut self.balance_inertia)?;
        flag("fitaabb", &mut self.fit_aabb)?;
        flag("discardvisual", &mut self.discard_visual)?;
        flag("alignfree", &mut self.align_free)?;
        flag("strippath", &mut self.strip_path)?;
        let number = |name: &str, value: &mut f64| -> Result<(), Diagnostic> {
            *value = fields.number(name)?.unwrap_or(*value);
            Ok(())
        };
        number("boundmass", &mut self.bound_mass)?;
        number("boundinertia", &mut self.bound_inertia)?;
        number("settotalmass", &mut self.total_mass)?;
        for name in ["boundmass", "boundinertia"] {
            if fields.number(name)?.is_some_and(|bound| bound < 0.0) {
                return Err(fields.error_at(name, format!("`{name}` cannot be negative")));
            }
        }
        if let Some(range) = fields.numbers::<2>("inertiagrouprange")? {
            self.group_range = range;
        }
        if let Some(i) = fields.choice("inertiafromgeom", &["false", "true", "auto"])? {
            use InertiaFromGeom::{Always, Auto, Never};
            self.inertia_from_geom = if i == 0 {
                Never
            } else if i == 1 {
                Always
            } else {
                Auto
            };
        }
        for name in ["assetdir", "meshdir"] {
            if let Some(folder) = fields.word(name) {
                self.mesh_dir = folder.to_owned();
            }
        }
        Ok(())
    }

    /// The name of a mesh or height field file, relative to the main file.
    pub(super) fn mesh_file(&self, name: &str) -> String {
        let name = if self.strip_path {
            name.rsplit(['/', '\\']).next().unwrap_or(name)
        } else {
            name
        };
        let is_absolute = name.starts_with('/') || name.contains("://");
        if self.mesh_dir.is_empty() || is_absolute {
            return name.to_owned();
        }
        format!("{}/{name}", self.mesh_dir.trim_end_matches('/'))
    }
}
