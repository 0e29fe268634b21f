//! Parser of XML into [`Klampt`], the additions of Klampt to a URDF.

use super::document::{At, Attached, Klampt, KlamptLink, Mount, Pair};
use super::fields::Fields;
use crate::Diagnostic;
use crate::io::xml::Element;

/// `<klampt>`, of at most `most_pairs` pairs of links.
pub(super) fn klampt(
    fields: &mut Fields<'_>,
    element: &Element,
    most_pairs: usize,
) -> Result<Klampt, Diagnostic> {
    unknown_attributes(fields, element);
    let text = |name| fields.word(element, name).map(|word| word.value);
    let (package_root, world_frame) = (text("package_root"), text("world_frame"));
    let mut klampt = Klampt {
        use_vis_geom: fields.boolean(element, "use_vis_geom")?,
        flip_yz: fields.boolean(element, "flip_yz")?,
        freeze_root_link: fields.boolean(element, "freeze_root_link")?,
        package_root,
        world_frame,
        default_mass: fields.number(element, "default_mass")?,
        default_inertia: default_inertia(fields, element)?,
        default_acc_max: fields.bound(element, "default_acc_max")?,
        sensors: attached(fields, element, "sensors"),
        controller: attached(fields, element, "controller"),
        links: Vec::new(),
        self_collision: Vec::new(),
        no_self_collision: Vec::new(),
        mounts: Vec::new(),
    };
    for child in &element.children {
        match child.name.as_str() {
            "link" => klampt.links.push(link(fields, child)?),
            name @ ("selfcollision" | "noselfcollision") => {
                let known = klampt.self_collision.len() + klampt.no_self_collision.len();
                let Some(pairs) = pairs(fields, child, most_pairs.saturating_sub(known))? else {
                    let problem = format!("the file names more than {most_pairs} pairs of links");
                    let error = fields.error(child.position, problem);
                    return Err(error.help("raise `limits.pairs` of the load options"));
                };
                match name {
                    "selfcollision" => klampt.self_collision.extend(pairs),
                    _ => klampt.no_self_collision.extend(pairs),
                }
            }
            "mount" => klampt.mounts.push(mount(fields, child)?),
            "sensors" | "controller" => {}
            other => fields.unused(
                format!("element <{other}> of <klampt> is not known"),
                child.position,
            ),
        }
    }
    Ok(klampt)
}

/// Attributes that Klampt does not know; one misspelling is so common that it gets advice.
fn unknown_attributes(fields: &mut Fields<'_>, element: &Element) {
    const KNOWN: [&str; 11] = [
        "use_vis_geom",
        "flip_yz",
        "freeze_root_link",
        "package_root",
        "world_frame",
        "default_mass",
        "default_inertia",
        "default_acc_max",
        "sensors",
        "controller",
        "defaultAccMax",
    ];
    fields.only(element, &KNOWN);
    if let Some(attribute) = element.attribute("defaultAccMax") {
        let problem = "`defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`";
        fields.warn(attribute.position, problem);
    }
}

/// One number for a multiple of the identity, three for a diagonal, nine for a matrix.
fn default_inertia(fields: &Fields<'_>, element: &Element) -> Result<Option<[f64; 9]>, Diagnostic> {
    let Some(attribute) = element.attribute("default_inertia") else {
        return Ok(None);
    };
    let numbers = fields.all_numbers(element, attribute)?;
    let diagonal = |[x, y, z]: [f64; 3]| [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z];
    match numbers[..] {
        [all] => Ok(Some(diagonal([all; 3]))),
        [x, y, z] => Ok(Some(diagonal([x, y, z]))),
        _ => <[f64; 9]>::try_from(numbers).map(Some).map_err(|numbers| {
            let problem = format!(
                "`default_inertia` of <klampt> needs 1, 3 or 9 numbers, got {}",
                numbers.len()
            );
            fields.error(attribute.position, problem)
        }),
    }
}

/// The attribute of this name, a file, or else the child of this name.
fn attached(fields: &mut Fields<'_>, element: &Element, name: &str) -> Option<Attached> {
    if let Some(file) = fields.word(element, name) {
        return Some(Attached::File(file));
    }
    let child = fields.child(element, name)?;
    Some(Attached::Inline(fields.verbatim(child)))
}

fn link(fields: &mut Fields<'_>, element: &Element) -> Result<KlamptLink, Diagnostic> {
    fields.only(
        element,
        &[
            "name",
            "physical",
            "accMax",
            "servoP",
            "servoI",
            "servoD",
            "dryFriction",
            "viscousFriction",
        ],
    );
    Ok(KlamptLink {
        name: fields.required(element, "name")?,
        physical: fields.boolean(element, "physical")?,
        acc_max: fields.bound(element, "accMax")?,
        servo_p: fields.number(element, "servoP")?,
        servo_i: fields.number(element, "servoI")?,
        servo_d: fields.number(element, "servoD")?,
        dry_friction: fields.number(element, "dryFriction")?,
        viscous_friction: fields.number(element, "viscousFriction")?,
    })
}

/// `pairs="a b c d"`, or every combination of `group1` and `group2`; `None` where that is more than `limit`.
fn pairs(
    fields: &mut Fields<'_>,
    element: &Element,
    limit: usize,
) -> Result<Option<Vec<At<Pair>>>, Diagnostic> {
    fields.only(element, &["pairs", "group1", "group2"]);
    let at = |value: Pair, position| At { value, position };
    if let Some(attribute) = element.attribute("pairs") {
        let words = fields.words(attribute);
        let (pairs, rest) = words.as_chunks::<2>();
        if let [odd] = rest {
            let problem = format!(
                "`pairs` of <{}>: `{odd}` has no partner; it is ignored",
                element.name
            );
            fields.warn(attribute.position, problem);
        }
        if pairs.len() > limit {
            return Ok(None);
        }
        let pair = |[a, b]: &[String; 2]| at((a.clone(), b.clone()), attribute.position);
        return Ok(Some(pairs.iter().map(pair).collect()));
    }
    let (Some(first), Some(second)) = (element.attribute("group1"), element.attribute("group2"))
    else {
        let problem = format!("<{}> needs `pairs`, or `group1` and `group2`", element.name);
        return Err(fields.error(element.position, problem));
    };
    let (group1, group2) = (fields.words(first), fields.words(second));
    if group1.len().saturating_mul(group2.len()) > limit {
        return Ok(None);
    }
    let with = |a: String| {
        let pair = move |b: &String| at((a.clone(), b.clone()), first.position);
        group2.iter().map(pair)
    };
    Ok(Some(group1.into_iter().flat_map(with).collect()))
}

fn mount(fields: &mut Fields<'_>, element: &Element) -> Result<Mount, Diagnostic> {
    fields.only(element, &["link", "file", "transform", "prefix", "as"]);
    let text = |name| fields.word(element, name).map(|word| word.value);
    let prefix = text("as").or_else(|| text("prefix"));
    Ok(Mount {
        position: element.position,
        link: text("link").filter(|link| link != "-1"),
        file: fields.required(element, "file")?,
        transform: fields.numbers(element, "transform")?,
        prefix: prefix.filter(|prefix| !prefix.is_empty()),
    })
}
