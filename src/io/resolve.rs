//! Resolution of names in files: relative paths, `package://`, and the list of paths that were tried.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::decode::to_text;
use super::options::LoadOptions;
use super::report::Report;
use super::source::{FilePath, Source};
use crate::Diagnostic;

/// A file that names another one: its own path, and its package root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Referrer<'a> {
    /// The file that holds the name.
    pub(crate) file: &'a Path,
    /// `<klampt package_root>`, as a folder.
    pub(crate) package_root: Option<&'a Path>,
}

impl<'a> Referrer<'a> {
    /// A file without a package root.
    pub(crate) fn new(file: &'a Path) -> Self {
        Self {
            file,
            package_root: None,
        }
    }
}

/// A source of files with its package folders, without the folders around the file that refers to them.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchPath {
    /// Names with their folders.
    packages: Vec<(String, PathBuf)>,
    /// Folders that hold packages, or are one.
    folders: Vec<PathBuf>,
    source: Source,
}

impl SearchPath {
    /// Search path of the options, then `KINWORLD_PACKAGE_PATH`, `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH`.
    pub(crate) fn new(options: &LoadOptions, source: &Source) -> Self {
        Self::from_variables(options, source, |variable| std::env::var_os(variable))
    }

    /// The same with given values of the environment variables.
    fn from_variables(
        options: &LoadOptions,
        source: &Source,
        value: impl Fn(&str) -> Option<std::ffi::OsString>,
    ) -> Self {
        let listed = |variable: &str| -> Vec<PathBuf> {
            // a bare WebAssembly module has no variables, and splitting traps there
            let Some(value) = value(variable) else {
                return Vec::new();
            };
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
            source: source.clone(),
        }
    }

    /// The source of the files.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// The file that `name` means in `from`.
    ///
    /// An error lists every path that was tried; a file that was found in an unexpected folder is reported.
    pub(crate) fn find(
        &self,
        from: Referrer<'_>,
        name: &str,
        report: &Report,
    ) -> Result<FilePath, Diagnostic> {
        let mut tried = Vec::new();
        let found = match name.split_once("://") {
            Some(("package" | "model", rest)) => self.in_package(from, rest, &mut tried),
            Some(("file", rest)) => self.first_existing([PathBuf::from(rest)], &mut tried),
            Some((scheme, _)) => {
                let message = format!("`{name}` cannot be fetched: `{scheme}://` is not supported");
                return Err(
                    Diagnostic::error(message).help("download the file and name it by its path")
                );
            }
            None => self.relative(from.file, name, report, &mut tried),
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
    ) -> Option<FilePath> {
        let (package, path) = address.split_once('/').unwrap_or((address, ""));
        let named = |folder: &Path| folder.file_name().is_some_and(|name| name == package);

        // named by the caller, then by the environment
        let given = self.packages.iter().filter(|(name, _)| name == package);
        let given = given.map(|(_, folder)| folder.join(path));
        let listed = self.folders.iter().flat_map(|folder| {
            let is_itself = named(folder) || self.is_package(folder, package);
            let itself = is_itself.then(|| folder.join(path));
            itself.into_iter().chain([folder.join(package).join(path)])
        });
        if let Some(found) = self.first_existing(given.chain(listed), tried) {
            return Some(found);
        }

        // around the file: a folder above it that is the package, or contains it
        let above = self.source.folders_above(from.file);
        for folder in &above {
            if (named(folder) || self.is_package(folder, package))
                && let Some(found) = self.first_existing([folder.join(path)], tried)
            {
                return Some(found);
            }
        }
        let beside = above.iter().map(|folder| folder.join(package));
        let beside = beside.filter(|folder| self.source.is_folder(folder));
        if let Some(found) = self.first_existing(beside.map(|folder| folder.join(path)), tried) {
            return Some(found);
        }

        // the package root of the file itself
        let root = from.package_root.map(|root| root.join(package).join(path));
        self.first_existing(root, tried)
    }

    /// A file beside the one that names it; else, with a warning, in the current folder.
    fn relative(
        &self,
        file: &Path,
        name: &str,
        report: &Report,
        tried: &mut Vec<PathBuf>,
    ) -> Option<FilePath> {
        let here = file.parent().unwrap_or(Path::new(""));
        // joining an absolute path replaces the folder
        if let Some(path) = self.first_existing([here.join(name)], tried) {
            return Some(path);
        }
        let path = self.first_existing([PathBuf::from(name)], tried)?;
        let base = self.source.base_name();
        let message =
            format!("`{name}` is not beside the file that names it; found in {base} instead");
        report.add(Diagnostic::warning(message).in_file(file));
        Some(path)
    }

    fn first_existing(
        &self,
        paths: impl IntoIterator<Item = PathBuf>,
        tried: &mut Vec<PathBuf>,
    ) -> Option<FilePath> {
        for path in paths {
            let path = FilePath::by_file(path);
            if self.source.exists(&path) {
                return Some(path);
            }
            if !tried.iter().any(|tried| *tried == *path) {
                tried.push(path.to_path_buf());
            }
        }
        None
    }

    /// True if the folder's `package.xml` gives it this name.
    fn is_package(&self, folder: &Path, package: &str) -> bool {
        const LIMIT: u64 = 1 << 20;
        let manifest = FilePath::by_file(folder.join("package.xml"));
        if !self.source.exists(&manifest) {
            return false;
        }
        let report = Report::default();
        let bytes = self.source.read(&manifest, LIMIT);
        let Ok(text) = bytes.and_then(|bytes| to_text(bytes, report.of_file(&manifest))) else {
            return false;
        };
        let name = text.split_once("<name>");
        let name = name.and_then(|(_, rest)| rest.split_once("</name>"));
        name.is_some_and(|(name, _)| name.trim() == package)
    }
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
        let options = LoadOptions::default().with_packages(vec![("arm".into(), "/given".into())]);
        let search =
            SearchPath::from_variables(&options, &Source::disk(), |variable| match variable {
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
            .find(from, "package://arm/a.off", &Report::default())
            .expect_err("the folder is empty");
        let tried: Vec<&str> = error
            .message
            .split_once("tried ")
            .map_or_else(Vec::new, |(_, tried)| tried.split(", ").collect());
        let expected = [
            "/given/a.off",
            "/own/arm/a.off",
            "/own/arm/arm/a.off",
            "/ros/arm/a.off",
            "/ament/share/arm/a.off",
            "/root/arm/a.off",
        ];
        assert_eq!(tried, expected);
    }
}
