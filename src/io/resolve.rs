//! Resolution of names in files: relative paths, `package://`, and the list of paths that were tried.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use super::decode::to_text;
use super::options::LoadOptions;
use super::report::Report;
use super::roots::normalized;
use super::source::{ADVICE, FilePath, Source};
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
    /// Search path of the options, then `KINWORLD_PACKAGE_PATH`, `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH`, for the file
    /// that the caller named.
    pub(crate) fn new(options: &LoadOptions, source: &Source, file: &Path) -> Self {
        Self::from_variables(options, source, file, |variable| std::env::var_os(variable))
    }

    /// The same with given values of the environment variables.
    fn from_variables(
        options: &LoadOptions,
        source: &Source,
        file: &Path,
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
        let packages = options.packages.iter().map(|(_, folder)| folder);
        let given = options.roots.iter().chain(packages).chain(&folders);
        Self {
            source: source.confined(file, &given.cloned().collect::<Vec<_>>()),
            packages: options.packages.clone(),
            folders,
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
        self.find_optional(from, name, report)?
    }

    /// The file that `name` means in `from`, or the error that there is none. The outer error is about a name that is
    /// refused, whether there is such a file or not.
    pub(crate) fn find_optional(
        &self,
        from: Referrer<'_>,
        name: &str,
        report: &Report,
    ) -> Result<Result<FilePath, Diagnostic>, Diagnostic> {
        let mut tried = Vec::new();
        let mut search = |name: &str| match name.split_once("://") {
            Some(("package" | "model", rest)) => self.in_package(from, rest, &mut tried),
            Some(("file", rest)) => {
                let path = rest.strip_prefix("localhost/");
                let path = path.map_or_else(|| rest.to_owned(), |path| format!("/{path}"));
                self.relative(from.file, &path, report, &mut tried)
            }
            Some((scheme, _)) => Err(Refused::Scheme(scheme.to_owned())),
            None => self.relative(from.file, name, report, &mut tried),
        };
        let mut found = search(name);
        if let (Ok(None), Some(plain)) = (&found, unescaped(name)) {
            found = search(&plain);
        }
        match found {
            Ok(Some(path)) => Ok(Ok(path)),
            Ok(None) => Ok(Err(not_found(name, &tried))),
            Err(reason) => Err(reason.of(name)),
        }
    }

    /// The folder of a package.
    #[cfg(feature = "xacro")]
    pub(crate) fn find_package(
        &self,
        from: Referrer<'_>,
        package: &str,
    ) -> Result<PathBuf, Diagnostic> {
        let refused = |reason: Refused| reason.of(&format!("package://{package}"));
        let (name, path) = package_and_path(package).map_err(refused)?;
        if path.starts_with("..") {
            return Err(refused(Refused::Package));
        }
        let mut folders = self.package_folders(from, name);
        folders
            .iter_mut()
            .for_each(|folder| *folder = folder.join(&path));
        // these belong to the caller or are known to exist, so that asking tells nothing
        let found = folders.iter().find(|folder| self.source.is_folder(folder));
        // an empty path in the package leaves a slash at the end
        let found = found.map(|folder| folder.components().collect());
        found.ok_or_else(|| not_found(&format!("package://{package}"), &folders))
    }

    /// The file `package/path` that a `package://` address means.
    fn in_package(
        &self,
        from: Referrer<'_>,
        address: &str,
        tried: &mut Vec<PathBuf>,
    ) -> Result<Option<FilePath>, Refused> {
        let (package, path) = package_and_path(address)?;
        let folders = self.package_folders(from, package);
        let paths = folders.iter().map(|folder| folder.join(&path));
        self.first_existing(paths, tried)
    }

    /// The folders that may be a package, first to last; those around the file exist and may be named.
    fn package_folders(&self, from: Referrer<'_>, package: &str) -> Vec<PathBuf> {
        let named = |folder: &Path| folder.file_name().is_some_and(|name| name == package);

        // named by the caller, then by the environment
        let given = self.packages.iter().filter(|(name, _)| name == package);
        let mut folders: Vec<PathBuf> = given.map(|(_, folder)| folder.clone()).collect();
        for folder in &self.folders {
            if named(folder) || self.is_package(folder, package) {
                folders.push(folder.clone());
            }
            folders.push(folder.join(package));
        }

        // around the file: a folder above it that is the package, or contains it
        let above = self.source.folders_above(from.file);
        let itself = |folder: &&PathBuf| named(folder) || self.is_package(folder, package);
        folders.extend(above.iter().filter(itself).cloned());
        let may_be_named =
            |folder: &PathBuf| self.source.permits(&FilePath::by_file(folder.clone()));
        let beside = above.iter().map(|folder| folder.join(package));
        let beside = beside.filter(|folder| may_be_named(folder) && self.source.is_folder(folder));
        folders.extend(beside);

        // the package root of the file itself
        let root = from.package_root.map(|root| root.join(package));
        folders.extend(root.filter(may_be_named));
        folders
    }

    /// A file beside the one that names it; else, with a warning, in the current folder.
    fn relative(
        &self,
        file: &Path,
        name: &str,
        report: &Report,
        tried: &mut Vec<PathBuf>,
    ) -> Result<Option<FilePath>, Refused> {
        let here = file.parent().unwrap_or(Path::new(""));
        let mut name = PathBuf::from(name);
        if name.components().any(|part| part == Component::ParentDir) {
            // a folder that does not exist must not decide what `..` behind it means
            name = normalized(&name);
        }
        // joining an absolute path replaces the folder
        let beside = self.first_existing([here.join(&name)], tried);
        if let Ok(Some(path)) = beside {
            return Ok(Some(path));
        }
        match self.first_existing([name.clone()], tried) {
            Ok(Some(path)) => {
                let base = self.source.base_name();
                let message = format!(
                    "`{}` is not beside the file that names it; found in {base} instead",
                    name.display()
                );
                report.add(Diagnostic::warning(message).in_file(file));
                Ok(Some(path))
            }
            _ => beside,
        }
    }

    fn first_existing(
        &self,
        paths: impl IntoIterator<Item = PathBuf>,
        tried: &mut Vec<PathBuf>,
    ) -> Result<Option<FilePath>, Refused> {
        let mut is_outside = false;
        for path in paths {
            let path = FilePath::by_file(path);
            if !self.source.permits(&path) {
                is_outside = true;
                continue;
            }
            if self.source.exists(&path) {
                return Ok(Some(path));
            }
            if !tried.iter().any(|tried| *tried == *path) {
                tried.push(path.to_path_buf());
            }
        }
        if is_outside {
            Err(Refused::Outside)
        } else {
            Ok(None)
        }
    }

    /// True if the folder's `package.xml` gives it this name.
    fn is_package(&self, folder: &Path, package: &str) -> bool {
        const LIMIT: u64 = 1 << 20;
        // the loader asks, and tells nobody what else the file holds
        let manifest = FilePath::by_caller(folder.join("package.xml"));
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

/// A reason not to look for a file.
#[derive(Debug)]
enum Refused {
    /// An address of this scheme.
    Scheme(String),
    /// A package without a name of its own.
    Package,
    /// A path outside of the roots.
    Outside,
}

impl Refused {
    fn of(self, name: &str) -> Diagnostic {
        match self {
            Self::Scheme(scheme) => {
                let message = format!("`{name}` cannot be fetched: `{scheme}://` is not supported");
                Diagnostic::error(message).help("download the file and name it by its path")
            }
            Self::Package => {
                let message = format!("`{name}` names no package");
                Diagnostic::error(message).help("write `package://NAME/path/in/the/package`")
            }
            Self::Outside => {
                let message =
                    format!("`{name}` is outside the folders whose files this file may name");
                Diagnostic::error(message).help(ADVICE)
            }
        }
    }
}

/// The name of the package, and the path in it.
fn package_and_path(address: &str) -> Result<(&str, PathBuf), Refused> {
    let (package, path) = address.split_once('/').unwrap_or((address, ""));
    let mut parts = Path::new(package).components();
    match (parts.next(), parts.next()) {
        // an absolute path would replace the folder of the package
        (Some(Component::Normal(_)), None) => {
            let path = normalized(Path::new(path.trim_start_matches('/')));
            Ok((package, path))
        }
        _ => Err(Refused::Package),
    }
}

/// A name with its percent escapes as characters; `None` if it has none, or they are no text.
fn unescaped(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|_| byte == b'%');
        let escaped = digits
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped {
            Some(byte) => {
                bytes.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    let plain = String::from_utf8(bytes).ok()?;
    (plain != name).then_some(plain)
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
        let file = Path::new("/none/arm.urdf");
        let variables = |variable: &str| match variable {
            "KINWORLD_PACKAGE_PATH" => Some(["/own/arm", "", "/own"].join(separator).into()),
            "ROS_PACKAGE_PATH" => Some("/ros".into()),
            "AMENT_PREFIX_PATH" => Some("/ament".into()),
            _ => None,
        };
        let disk = Source::disk();
        let search = SearchPath::from_variables(&options, &disk, file, variables);
        let from = Referrer::new(file);
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
        ];
        assert_eq!(tried, expected);
    }
}
