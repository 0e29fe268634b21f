//! Where a name in a file leads: relative paths, `package://`, and the list of what was tried.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::options::LoadOptions;
use super::source;
use crate::Diagnostic;

/// Who names a file: its own path, and what it says about packages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Referrer<'a> {
    /// The file that holds the name.
    pub(crate) file: &'a Path,
    /// `<klampt package_root>`, as a folder.
    pub(crate) package_root: Option<&'a Path>,
}

impl<'a> Referrer<'a> {
    /// A file that says nothing about packages.
    pub(crate) fn new(file: &'a Path) -> Self {
        Self {
            file,
            package_root: None,
        }
    }
}

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// Said where the file was found by a rule that surprises people.
    pub(crate) remark: Option<String>,
}

/// Where packages are looked for, apart from the surroundings of the file that names them.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchPath {
    /// Names with their folders.
    packages: Vec<(String, PathBuf)>,
    /// Folders that hold packages, or are one.
    folders: Vec<PathBuf>,
}

impl SearchPath {
    /// The options first, then `KINWORLD_PACKAGE_PATH`, `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH`.
    pub(crate) fn new(options: &LoadOptions) -> Self {
        Self::from_variables(options, |variable| std::env::var_os(variable))
    }

    /// The same for other values of the environment's variables.
    fn from_variables(
        options: &LoadOptions,
        value: impl Fn(&str) -> Option<std::ffi::OsString>,
    ) -> Self {
        let listed = |variable: &str| -> Vec<PathBuf> {
            let value = value(variable).unwrap_or_default();
            let folders = std::env::split_paths(&value);
            folders.filter(|f| !f.as_os_str().is_empty()).collect()
        };
        let mut folders = listed("KINWORLD_PACKAGE_PATH");
        folders.extend(listed("ROS_PACKAGE_PATH"));
        folders.extend(
            listed("AMENT_PREFIX_PATH")
                .iter()
                .map(|prefix| prefix.join("share")),
        );
        Self {
            packages: options.packages.clone(),
            folders,
        }
    }

    /// The file that `name` means in `from`.
    ///
    /// An error lists every path that was tried.
    pub(crate) fn find(&self, from: Referrer<'_>, name: &str) -> Result<Found, Diagnostic> {
        let plain = |path| Found { path, remark: None };
        let mut tried = Vec::new();
        let found = match name.split_once("://") {
            Some(("package" | "model", rest)) => self.in_package(from, rest, &mut tried).map(plain),
            Some(("file", rest)) => first_existing([PathBuf::from(rest)], &mut tried).map(plain),
            Some((scheme, _)) => {
                let message = format!("`{name}` cannot be fetched: `{scheme}://` is not supported");
                return Err(
                    Diagnostic::error(message).help("download the file and name it by its path")
                );
            }
            None => relative(from.file, name, &mut tried),
        };
        found.ok_or_else(|| not_found(name, &tried))
    }

    /// The folder of a package.
    #[cfg(feature = "xacro")]
    pub(crate) fn find_package(
        &self,
        from: Referrer<'_>,
        package: &str,
    ) -> Result<PathBuf, Diagnostic> {
        let mut tried = Vec::new();
        let found = self.in_package(from, package, &mut tried);
        // an empty path in the package leaves a slash at the end
        let found = found.map(|folder| folder.components().collect());
        found.ok_or_else(|| not_found(&format!("package://{package}"), &tried))
    }

    /// The file `package/path` that a `package://` address means.
    fn in_package(
        &self,
        from: Referrer<'_>,
        address: &str,
        tried: &mut Vec<PathBuf>,
    ) -> Option<PathBuf> {
        let (package, path) = address.split_once('/').unwrap_or((address, ""));
        let named = |folder: &Path| folder.file_name().is_some_and(|name| name == package);

        // told by the caller, then by the environment
        let told = self.packages.iter().filter(|(name, _)| name == package);
        let told = told.map(|(_, folder)| folder.join(path));
        let listed = self.folders.iter().flat_map(|folder| {
            let is_itself = named(folder) || is_package(folder, package);
            let itself = is_itself.then(|| folder.join(path));
            itself.into_iter().chain([folder.join(package).join(path)])
        });
        if let Some(found) = first_existing(told.chain(listed), tried) {
            return Some(found);
        }

        // around the file: a folder above it that is the package, or that holds it
        let file = std::path::absolute(from.file).unwrap_or_else(|_| from.file.to_path_buf());
        for folder in file.ancestors().skip(1) {
            if (named(folder) || is_package(folder, package))
                && let Some(found) = first_existing([folder.join(path)], tried)
            {
                return Some(found);
            }
        }
        let beside = file.ancestors().skip(1).map(|f| f.join(package));
        let beside = beside.filter(|folder| folder.is_dir());
        if let Some(found) = first_existing(beside.map(|folder| folder.join(path)), tried) {
            return Some(found);
        }

        // what the file says itself
        let root = from.package_root.map(|root| root.join(package).join(path));
        first_existing(root, tried)
    }
}

/// Beside the file that names it, else, with a remark, in the current folder.
fn relative(file: &Path, name: &str, tried: &mut Vec<PathBuf>) -> Option<Found> {
    let here = file.parent().unwrap_or(Path::new(""));
    // joining an absolute path replaces the folder
    if let Some(path) = first_existing([here.join(name)], tried) {
        return Some(Found { path, remark: None });
    }
    let path = first_existing([PathBuf::from(name)], tried)?;
    let remark = format!(
        "`{name}` is not beside the file that names it; found in the current folder instead"
    );
    Some(Found {
        path,
        remark: Some(remark),
    })
}

fn first_existing(
    paths: impl IntoIterator<Item = PathBuf>,
    tried: &mut Vec<PathBuf>,
) -> Option<PathBuf> {
    for path in paths {
        if source::exists(&path) {
            return Some(path);
        }
        if !tried.contains(&path) {
            tried.push(path);
        }
    }
    None
}

/// Whether the folder's `package.xml` gives it this name.
fn is_package(folder: &Path, package: &str) -> bool {
    const LIMIT: u64 = 1 << 20;
    let manifest = folder.join("package.xml");
    if !source::exists(&manifest) {
        return false;
    }
    let Ok(text) = source::read_text(&manifest, LIMIT) else {
        return false;
    };
    let name = text.content.split_once("<name>");
    let name = name.and_then(|(_, rest)| rest.split_once("</name>"));
    name.is_some_and(|(name, _)| name.trim() == package)
}

fn not_found(name: &str, tried: &[PathBuf]) -> Diagnostic {
    let mut message = format!("`{name}` cannot be found; tried ");
    for (i, path) in tried.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(message, "{comma}{}", path.display());
    }
    let help = match name.split_once("://") {
        Some(("package" | "model", rest)) => {
            let package = rest.split('/').next().unwrap_or(rest);
            if tried.is_empty() {
                message = format!("`{name}` cannot be found: no folder is known for the package");
            }
            format!(
                "say where the package lies (option `packages`, `--package {package}=DIR`), \
                 or add the folder that holds it to KINWORLD_PACKAGE_PATH"
            )
        }
        _ => "paths are relative to the file that names them".to_owned(),
    };
    Diagnostic::error(message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_asked_in_order_behind_the_options() {
        let separator = if cfg!(windows) { ";" } else { ":" };
        let options = LoadOptions {
            packages: vec![("arm".into(), "/told".into())],
            ..LoadOptions::default()
        };
        let search = SearchPath::from_variables(&options, |variable| match variable {
            "KINWORLD_PACKAGE_PATH" => Some(["/own/arm", "", "/own"].join(separator).into()),
            "ROS_PACKAGE_PATH" => Some("/ros".into()),
            "AMENT_PREFIX_PATH" => Some("/ament".into()),
            _ => None,
        });
        let root = Path::new("/root");
        let from = Referrer {
            file: Path::new("/none/arm.urdf"),
            package_root: Some(root),
        };
        let error = search
            .find(from, "package://arm/a.off")
            .expect_err("nothing is there");
        let tried: Vec<&str> = error
            .message
            .split_once("tried ")
            .map_or_else(Vec::new, |(_, tried)| tried.split(", ").collect());
        let expected = [
            "/told/a.off",
            "/own/arm/a.off",
            "/own/arm/arm/a.off",
            "/ros/arm/a.off",
            "/ament/share/arm/a.off",
            "/root/arm/a.off",
        ];
        assert_eq!(tried, expected);
    }
}
