//! `robot_descriptions:NAME` on the command line: files in the cache of that Python package, which downloads them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use kinworld::Error;

/// Names, files and arguments of xacro files.
const TABLE: &str = include_str!("table.txt");

/// What names of the package begin with.
const SCHEME: &str = "robot_descriptions:";

/// A description.
#[derive(Debug, PartialEq)]
struct Description<'t> {
    name: &'t str,
    /// Below the cache.
    file: &'t str,
    /// `NAME=VALUE` of its xacro file.
    arguments: Vec<&'t str>,
}

/// The descriptions of the table.
fn descriptions() -> impl Iterator<Item = Description<'static>> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut words = line.split(' ');
        Some(Description {
            name: words.next()?,
            file: words.next()?,
            arguments: words.collect(),
        })
    })
}

/// Words of the command line with the files of descriptions in place of their names.
///
/// What the xacro file of one needs is added as `--xacro-arg`, unless such an argument is given.
pub(crate) fn expanded(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    if !words.iter().any(|word| is_name(word)) {
        return Ok(words);
    }
    let cache = cache().ok_or("there is no home folder; set ROBOT_DESCRIPTIONS_CACHE")?;
    let given: Vec<OsString> = words.clone();
    let has = |argument: &str| {
        let name = argument.split('=').next().unwrap_or_default();
        given.iter().any(|word| {
            let word = word.to_string_lossy();
            let word = word.strip_prefix("--xacro-arg=").unwrap_or(&word);
            word.starts_with(&format!("{name}="))
        })
    };
    let mut all = Vec::with_capacity(words.len());
    for word in words {
        let name = word.to_str().and_then(|word| word.strip_prefix(SCHEME));
        let Some(name) = name else {
            all.push(word);
            continue;
        };
        // a pose may follow
        let (name, pose) = match name.split_once('@') {
            Some((name, pose)) => (name, format!("@{pose}")),
            None => (name, String::new()),
        };
        let description = found(name)?;
        let path = present(&description, &cache)?;
        for argument in description
            .arguments
            .iter()
            .filter(|argument| !has(argument))
        {
            all.push(format!("--xacro-arg={argument}").into());
        }
        let mut file = path.into_os_string();
        file.push(pose);
        all.push(file);
    }
    Ok(all)
}

fn is_name(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| word.starts_with(SCHEME))
}

/// The folder of the cache.
fn cache() -> Option<PathBuf> {
    let home = || {
        std::env::var_os("HOME")
            .filter(|home| !home.is_empty())
            .map(PathBuf::from)
    };
    match std::env::var_os("ROBOT_DESCRIPTIONS_CACHE").filter(|folder| !folder.is_empty()) {
        Some(folder) => match Path::new(&folder).strip_prefix("~") {
            Ok(rest) => Some(home()?.join(rest)),
            Err(_) => Some(folder.into()),
        },
        None => Some(home()?.join(".cache/robot_descriptions")),
    }
}

/// The description of a name; `panda` stands for `panda_description`.
fn found(name: &str) -> Result<Description<'static>, String> {
    let full = format!("{name}_description");
    let all = || descriptions().filter(|known| known.name == name || known.name == full);
    all().next().ok_or_else(|| {
        let error = Error::not_found("description", name, descriptions().map(|known| known.name));
        let closest = match error {
            Error::NotFound { closest: Some(closest), .. } => format!("; did you mean `{closest}`?"),
            _ => String::new(),
        };
        let n = descriptions().count();
        format!("`{SCHEME}{name}`: no description of this name among the {n} of robot_descriptions 3.3.0{closest}")
    })
}

/// The file of a description, where the package has downloaded it.
fn present(description: &Description<'_>, cache: &Path) -> Result<PathBuf, String> {
    let Description { name, file, .. } = description;
    let path = cache.join(file);
    if path.exists() {
        return Ok(path);
    }
    let folder = file.split('/').next().unwrap_or_default();
    let problem = match cache.join(folder).exists() {
        true => format!(
            "{} is not in the copy of `{folder}` there; it may be of another version",
            path.display()
        ),
        false => format!("the cache {} has no `{folder}`", cache.display()),
    };
    Err(format!(
        "`{SCHEME}{name}`: {problem}\n  get it with: pip install robot_descriptions && python -c \"import robot_descriptions.{name}\""
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_table_has_each_name_once_and_files_inside_of_the_cache() {
        let mut names = HashSet::new();
        for Description {
            name,
            file,
            arguments,
        } in descriptions()
        {
            assert!(names.insert(name), "{name} is there twice");
            assert!(name.ends_with("_description"), "{name}");
            let parts: Vec<&str> = file.split('/').collect();
            assert!(
                parts.len() > 1 && parts.iter().all(|part| !part.is_empty() && *part != ".."),
                "{file}"
            );
            assert!(
                arguments.iter().all(|argument| argument.contains('=')),
                "{name}"
            );
            let is_xacro = file.ends_with(".xacro");
            assert!(arguments.is_empty() || is_xacro, "{name}");
        }
        assert!(names.len() > 200, "{}", names.len());
    }

    #[test]
    fn other_words_stay_as_they_are() {
        let words: Vec<OsString> = ["kinworld", "info", "a:b", "arm.rob"]
            .map(Into::into)
            .into();
        assert_eq!(expanded(words.clone()), Ok(words));
    }

    #[test]
    fn unknown_names_get_the_closest_one() {
        let error = found("panda_descripton").unwrap_err();
        assert!(
            error.contains("did you mean `panda_description`?"),
            "{error}"
        );
        assert_eq!(
            found("panda").map(|found| found.name),
            Ok("panda_description")
        );
    }
}
