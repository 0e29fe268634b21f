//! Loaders and their options.

use std::path::PathBuf;

use kinworld::io::{Base, FixedJoints, LoadLimits, LoadOptions as Options, Loader};
use pyo3::prelude::*;

use crate::describe::{first, quoted};
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
        let (given, default) = (&self.0, Options::default());
        let mut parts = Vec::new();
        let mut flag = |name: &str, value: bool, default: bool| {
            if value != default {
                parts.push(format!("{name}={}", python(value)));
            }
        };
        flag("geometry", given.load_geometry, default.load_geometry);
        flag("use_visual", given.use_visual, default.use_visual);
        flag("hulls", given.hulls, default.hulls);
        flag("degrees", given.degrees, default.degrees);
        flag("strict", given.strict, default.strict);
        if given.base != default.base {
            let base = if given.base == Base::Fixed {
                "fixed"
            } else {
                "floating"
            };
            parts.push(format!("base='{base}'"));
        }
        if given.fixed_joints != default.fixed_joints {
            let keep = given.fixed_joints == FixedJoints::Keep;
            parts.push(format!(
                "fixed_joints='{}'",
                if keep { "keep" } else { "merge" }
            ));
        }
        if !given.packages.is_empty() {
            let pairs = first(&given.packages, |(name, path)| {
                format!("{}: {}", quoted(name), quoted(&path.display().to_string()))
            });
            parts.push(format!("packages={{{pairs}}}"));
        }
        if !given.roots.is_empty() {
            let roots = first(&given.roots, |path| quoted(&path.display().to_string()));
            parts.push(format!("roots=[{roots}]"));
        }
        if let Some(srdf) = &given.srdf {
            parts.push(format!("srdf={}", quoted(&srdf.display().to_string())));
        }
        for (name, n) in [
            ("robot_srdfs", given.robot_srdfs.len()),
            ("states", given.states.len()),
            ("xacro_args", given.xacro_args.len()),
        ] {
            if n > 0 {
                parts.push(format!("{name}: {n}"));
            }
        }
        if given.limits != default.limits {
            parts.push("limits: changed".to_owned());
        }
        format!("LoadOptions({})", parts.join(", "))
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
