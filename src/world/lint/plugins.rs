//! Parts of other simulators in a robot's file.

use super::{Warnings, listed};
use crate::world::RobotRef;

/// Checks for plugins of Gazebo, which a URDF brings in its `<gazebo>` elements.
pub(super) fn plugins(robot: RobotRef<'_>, found: &mut Warnings) {
    let kept = robot.model().properties().iter();
    let kept = kept.filter(|(key, _)| key.starts_with("urdf."));
    let names: Vec<String> = kept.flat_map(|(_, text)| names(text)).collect();
    if names.is_empty() {
        return;
    }
    let s = if names.len() == 1 { "" } else { "s" };
    let problem = format!(
        "{} plugin{s} of Gazebo, kept and not run: {}",
        names.len(),
        listed(&names)
    );
    let help = "what they add (sensors, controllers, closed loops) is missing here: give sensors and controllers in a setup of \
                `simulate`, or with `sim` of the library";
    found.add(&format!("robot `{}`", robot.name()), problem, help);
}

/// The files, or else the names, of the `<plugin>` elements in a text.
fn names(text: &str) -> impl Iterator<Item = String> + '_ {
    let tags = text.split("<plugin").skip(1);
    let tags =
        tags.filter(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/'));
    tags.map(|rest| {
        let tag = rest.split('>').next().unwrap_or_default();
        let name = attribute(tag, "filename").or_else(|| attribute(tag, "name"));
        name.unwrap_or("unnamed").to_owned()
    })
}

/// The value of an attribute in a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let ends_a_word = |before: &str| before.ends_with(char::is_whitespace);
    let at = tag
        .match_indices(name)
        .find(|(at, _)| tag.get(..*at).is_some_and(ends_a_word))?
        .0;
    let value = tag
        .get(at + name.len()..)?
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value.get(1..)?.split(quote).next()
}

#[cfg(test)]
mod tests {
    #[test]
    fn plugins_are_named_by_their_files() {
        let text = "<gazebo><plugin name=\"a\" filename = 'libcontrol.so'><x/></plugin></gazebo>\n\
                    <gazebo reference='l'><sensor><plugin\nfilename=\"libcamera.so\"/></sensor>\
                    <plugin name=\"only\"/><plugin/><pluginfo filename='no'/></gazebo>";
        let names: Vec<String> = super::names(text).collect();
        assert_eq!(names, ["libcontrol.so", "libcamera.so", "only", "unnamed"]);
    }
}
