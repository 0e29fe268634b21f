//! Rules for one file from the options and the `<klampt>` element: degrees of freedom and defaults.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use nalgebra::Matrix3;

use super::document::{Document, Klampt, KlamptLink};
use crate::io::context::Context;
use crate::io::options::{Base, FixedJoints};

/// Rules for reading one file.
#[derive(Debug)]
pub(super) struct Rules<'d> {
    pub(super) klampt: Option<&'d Klampt>,
    /// `<klampt><link>` by name.
    pub(super) tuning: HashMap<&'d str, &'d KlamptLink>,
    pub(super) root: Root,
    /// A fixed joint becomes a weld with a degree of freedom.
    pub(super) keep_fixed: bool,
    /// The collision shapes of a link are its visual ones.
    pub(super) use_visual: bool,
    /// Mesh vertices (x, y, z) mean (x, −z, y).
    pub(super) flip_yz: bool,
    /// `package_root`, as a folder.
    pub(super) package_root: Option<PathBuf>,
    /// For links without `<inertial>`.
    pub(super) default_mass: f64,
    /// For links without `<inertial>`.
    pub(super) default_moment: Matrix3<f64>,
    /// For joints without a limit of acceleration.
    pub(super) default_a_max: f64,
}

/// Joint between the world and the root link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// A link without a degree of freedom.
    Fixed,
    /// The last of six virtual links.
    Floating,
    /// The last of six virtual links that are welded.
    Frozen,
    /// No link: the world itself.
    World,
}

impl<'d> Rules<'d> {
    pub(super) fn new(
        document: &'d Document,
        root_name: &str,
        file: &Path,
        context: &Context<'_>,
    ) -> Self {
        let keep_fixed = match context.fixed_joints() {
            FixedJoints::Auto => document.klampt.is_some(),
            FixedJoints::Keep => true,
            FixedJoints::Merge => false,
        };
        let Some(klampt) = &document.klampt else {
            let floats = match context.base() {
                Base::Floating => true,
                Base::Fixed => false,
                Base::Auto => document.free_base.is_some(),
            };
            return Self {
                klampt: None,
                tuning: HashMap::new(),
                root: if floats { Root::Floating } else { Root::Fixed },
                keep_fixed,
                use_visual: false,
                flip_yz: false,
                package_root: None,
                default_mass: 0.0,
                default_moment: Matrix3::zeros(),
                default_a_max: f64::INFINITY,
            };
        };
        let is_world = klampt.world_frame.as_deref().unwrap_or("world") == root_name;
        let root = match context.base() {
            Base::Floating => Root::Floating,
            Base::Auto | Base::Fixed if is_world => Root::World,
            Base::Fixed => Root::Fixed,
            Base::Auto if klampt.freeze_root_link == Some(true) => Root::Frozen,
            Base::Auto => Root::Floating,
        };
        let moment = klampt.default_inertia.map(|m| Matrix3::from_row_slice(&m));
        Self {
            klampt: Some(klampt),
            tuning: klampt
                .links
                .iter()
                .map(|link| (link.name.value.as_str(), link))
                .collect(),
            root,
            keep_fixed,
            use_visual: klampt.use_vis_geom == Some(true),
            flip_yz: klampt.flip_yz == Some(true),
            package_root: klampt
                .package_root
                .as_ref()
                .map(|root| file.parent().unwrap_or(Path::new("")).join(root)),
            default_mass: klampt.default_mass.unwrap_or(1e-4),
            default_moment: moment.unwrap_or_else(|| Matrix3::identity() * 1e-8),
            default_a_max: klampt.default_acc_max.unwrap_or(10.0),
        }
    }
}
