//! Loaders and their options.

use std::path::PathBuf;

use kinworld::io::{Base, FixedJoints, LoadLimits, LoadOptions as Options, Loader};
use pyo3::prelude::*;

use crate::error::error;

/// Options of loaders; the defaults load all contents of a file.
///
/// - ``geometry``: whether meshes and shapes are loaded.
/// - ``use_visual``: visual geometry stands in where collision geometry is missing.
/// - ``packages``: folders of ROS packages by name, for ``package://`` addresses.
/// - ``roots``: further folders whose files a model may name.
/// - ``base``: ``"auto"``, ``"fixed"`` or ``"floating"``, the joint between world and root of a URDF.
/// - ``fixed_joints``: ``"auto"``, ``"keep"`` or ``"merge"``.
/// - ``srdf``: an SRDF for robots from URDF; ``robot_srdfs``: one for each robot by name.
/// - ``states``: files with named configurations, each for the robot of a name or for all (``None``).
/// - ``degrees``: angles of tables without a unit are degrees.
/// - ``limits``: largest sizes by name, such as ``{"file_size": 1 << 30}``: ``file_size``, ``text_size`` (bytes),
///   ``nesting``, ``elements``, ``vertices``, ``pairs``, ``links``, ``world_links``, ``mount_depth``, ``mounts``.
/// - ``xacro_args``: arguments of xacro files.
/// - ``strict``: warnings are errors.
#[pyclass(frozen, module = "kinworld")]
#[derive(Clone)]
pub(crate) struct LoadOptions(Options);

impl LoadOptions {
    /// A loader with these options, or the default ones.
    pub(crate) fn loader(options: Option<&Self>) -> Loader {
        options.map_or_else(Loader::new, |options| {
            Loader::with_options(options.0.clone())
        })
    }
}

#[pymethods]
impl LoadOptions {
    #[new]
    #[pyo3(signature = (*, geometry=true, use_visual=false, hulls=false, packages=None, roots=None, base="auto",
        fixed_joints="auto", srdf=None, robot_srdfs=None, states=None, xacro_args=None, degrees=false, limits=None,
        strict=false))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn new(
        geometry: bool,
        use_visual: bool,
        hulls: bool,
        packages: Option<std::collections::BTreeMap<String, PathBuf>>,
        roots: Option<Vec<PathBuf>>,
        base: &str,
        fixed_joints: &str,
        srdf: Option<PathBuf>,
        robot_srdfs: Option<std::collections::BTreeMap<String, PathBuf>>,
        states: Option<Vec<(Option<String>, PathBuf)>>,
        xacro_args: Option<std::collections::BTreeMap<String, String>>,
        degrees: bool,
        limits: Option<std::collections::BTreeMap<String, usize>>,
        strict: bool,
    ) -> PyResult<Self> {
        let base = match base {
            "auto" => Base::Auto,
            "fixed" => Base::Fixed,
            "floating" => Base::Floating,
            _ => {
                return Err(error(format!(
                    "base is \"auto\", \"fixed\" or \"floating\", not {base:?}"
                )));
            }
        };
        let fixed_joints = match fixed_joints {
            "auto" => FixedJoints::Auto,
            "keep" => FixedJoints::Keep,
            "merge" => FixedJoints::Merge,
            other => {
                return Err(error(format!(
                    "fixed_joints is \"auto\", \"keep\" or \"merge\", not {other:?}"
                )));
            }
        };
        Ok(Self(
            Options::default()
                .with_load_geometry(geometry)
                .with_use_visual(use_visual)
                .with_hulls(hulls)
                .with_packages(packages.unwrap_or_default().into_iter().collect())
                .with_roots(roots.unwrap_or_default())
                .with_base(base)
                .with_fixed_joints(fixed_joints)
                .with_srdf(srdf)
                .with_robot_srdfs(robot_srdfs.unwrap_or_default().into_iter().collect())
                .with_states(states.unwrap_or_default())
                .with_degrees(degrees)
                .with_limits(load_limits(limits.unwrap_or_default())?)
                .with_xacro_args(xacro_args.unwrap_or_default().into_iter().collect())
                .with_strict(strict),
        ))
    }

    fn __repr__(&self) -> String {
        let o = &self.0;
        format!(
            "LoadOptions(geometry={}, use_visual={}, strict={})",
            python(o.load_geometry),
            python(o.use_visual),
            python(o.strict)
        )
    }
}

/// The limits of names; the others have their defaults.
fn load_limits(given: std::collections::BTreeMap<String, usize>) -> PyResult<LoadLimits> {
    let mut limits = LoadLimits::default();
    for (name, most) in given {
        let bytes = u64::try_from(most).unwrap_or(u64::MAX);
        match name.as_str() {
            "file_size" => limits.file_size = bytes,
            "text_size" => limits.text_size = bytes,
            "nesting" => limits.nesting = most,
            "elements" => limits.elements = most,
            "vertices" => limits.vertices = most,
            "pairs" => limits.pairs = most,
            "links" => limits.links = most,
            "world_links" => limits.world_links = most,
            "mount_depth" => limits.mount_depth = most,
            "mounts" => limits.mounts = most,
            _ => {
                return Err(error(format!(
                    "unknown limit {name:?}; there are file_size, text_size, nesting, elements, vertices, pairs, links, \
                     world_links, mount_depth and mounts"
                )));
            }
        }
    }
    Ok(limits)
}

fn python(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}
