//! Parser of `.rob` text into its [`Document`].

use super::document::{Document, Item, List};
use super::keyword;
use super::lex::{Statement, statements};
use super::reader::{Reader, Unit, finite, texts};
use crate::Diagnostic;
use crate::io::report::FileReport;
use crate::io::words::{Word, closest};

/// Parses a text into a document.
pub(super) fn parse<'a>(text: &'a str, file: FileReport<'_>) -> Result<Document<'a>, Diagnostic> {
    let statements = statements(text, file)?;
    let read = Reader { file };
    let mut doc = Document::default();
    for s in &statements {
        add(&mut doc, s, &read)?;
    }
    Ok(doc)
}

/// Adds one statement.
fn add<'a>(doc: &mut Document<'a>, s: &Statement<'a>, read: &Reader<'_>) -> Result<(), Diagnostic> {
    let is_prismatic = doc.joint_type.items.as_slice();
    match s.keyword.text.to_ascii_lowercase().as_str() {
        // the tree
        "links" => doc.links.add(s, texts(s)),
        "parents" => doc.parents.add(s, read.integers(s)),
        "jointtype" => doc.joint_type.add(s, joint_types(s, read)?),

        // placements
        "tparent" => doc.t_parent.add(s, read.tuples(s)?),
        "axis" => doc.axis.add(s, read.tuples(s)?),
        "alpha" => doc.alpha.add(s, read.numbers(s)?),
        "alphadeg" => doc.alpha.add(s, read.angles(s)?),
        "a" => doc.a.add(s, read.numbers(s)?),
        "d" => doc.d.add(s, read.numbers(s)?),
        "theta" => doc.theta.add(s, read.numbers(s)?),
        "thetadeg" => doc.theta.add(s, read.angles(s)?),
        "translation" => doc.translation = Some(read.tuple(s)?),
        "rotation" => doc.rotation = Some(read.tuple(s)?),
        "scale" => doc.scale = Some(only(read.tuple(s)?)),

        // positions and limits
        "q" => doc.q.add(s, read.quantities(s, Unit::Own)?),
        "qdeg" => doc.q.add(s, read.quantities(s, Unit::Degrees)?),
        "qmin" => doc.q_min.add(s, read.quantities(s, Unit::Own)?),
        "qmindeg" => {
            let items = read.quantities(s, Unit::DegreesUnless(is_prismatic))?;
            doc.q_min.add(s, items);
        }
        "qmax" => doc.q_max.add(s, read.quantities(s, Unit::Own)?),
        "qmaxdeg" => {
            let items = read.quantities(s, Unit::DegreesUnless(is_prismatic))?;
            doc.q_max.add(s, items);
        }
        "velmin" => doc.vel_min.add(s, read.quantities(s, Unit::Own)?),
        "velmindeg" => doc.vel_min.add(s, read.quantities(s, Unit::Degrees)?),
        "velmax" => doc.vel_max.add(s, read.quantities(s, Unit::Own)?),
        "velmaxdeg" => doc.vel_max.add(s, read.quantities(s, Unit::Degrees)?),
        "accmax" => doc.acc_max.add(s, read.quantities(s, Unit::Own)?),
        "accmaxdeg" => doc.acc_max.add(s, read.quantities(s, Unit::Degrees)?),
        "torquemax" => doc.torque_max.add(s, read.quantities(s, Unit::Own)?),
        "powermax" => doc.power_max.add(s, read.quantities(s, Unit::Own)?),
        "autotorque" => doc.auto_torque = Some(only(read.tuple(s)?)),

        // inertia
        "mass" => doc.mass.add(s, read.numbers(s)?),
        "com" => doc.com.add(s, read.tuples(s)?),
        "inertia" => doc.inertia.add(s, read.tuples(s)?),
        "inertiadiag" => {
            let diagonals = read.tuples(s)?;
            doc.inertia
                .add(s, diagonals.into_iter().map(spelt_out).collect());
        }
        "automass" => {
            let fraction = s.words.first().and_then(finite).map(|item| item.value);
            read.left_over(s, s.words.get(usize::from(fraction.is_some())));
            doc.auto_mass = Some(Item {
                value: fraction,
                position: s.keyword.position,
            });
        }

        // shapes and self-collision pairs
        "geometry" => doc.geometry.add(s, texts(s)),
        "geomscale" => doc.geom_scale.add(s, read.numbers(s)?),
        "geommargin" => doc.geom_margin.add(s, read.numbers(s)?),
        "geomtransform" => doc.geom_transforms.push(read.geom_transform(s)?),
        "selfcollision" => doc.self_collision.add(s, read.pairs(s)),
        "noselfcollision" => doc.no_self_collision.add(s, read.pairs(s)),
        name @ ("collision" | "nocollision") if !s.words.is_empty() => {
            let message = format!("`{name}` with names of links is not supported");
            let help = "remove the line, and ignore pairs with the filter of the world's collider";
            return Err(read.error(s.keyword.position, message).help(help));
        }
        "collision" | "nocollision" => {}

        // joints and drivers
        "joint" => doc.joints.push(read.joint(s)?),
        "driver" => doc.drivers.push(read.driver(s)?),
        "drivers" => doc.driver_names.add(s, texts(s)),
        "servop" => doc.servo_p.add(s, read.numbers(s)?),
        "servoi" => doc.servo_i.add(s, read.numbers(s)?),
        "servod" => doc.servo_d.add(s, read.numbers(s)?),
        "dryfriction" => doc.dry_friction.add(s, read.numbers(s)?),
        "viscousfriction" => doc.viscous_friction.add(s, read.numbers(s)?),

        // other files and properties
        "mount" => doc.mounts.push(read.mount(s)?),
        "property" => doc.properties.push(read.property(s)?),
        _ => return Err(unknown(s, read)),
    }
    Ok(())
}

impl<T> List<T> {
    /// Appends the items of one more line.
    fn add(&mut self, s: &Statement<'_>, items: Vec<Item<T>>) {
        self.keyword.get_or_insert_with(|| Item {
            value: s.keyword.text.to_owned(),
            position: s.keyword.position,
        });
        self.items.extend(items);
    }
}

fn joint_types(s: &Statement<'_>, read: &Reader<'_>) -> Result<Vec<Item<bool>>, Diagnostic> {
    let is_prismatic = |text: &str| match text {
        "r" => Some(false),
        "p" => Some(true),
        _ => None,
    };
    let item = |word: &Word<'_>| match is_prismatic(word.text) {
        Some(value) => Ok(Item {
            value,
            position: word.position,
        }),
        None => {
            let message = format!("`{}` is not a joint type", word.text);
            let error = read.error(word.position, message);
            Err(error.help("write `r` for revolute or `p` for prismatic"))
        }
    };
    s.words.iter().map(item).collect()
}

/// A diagonal as the rows of its matrix.
fn spelt_out(diagonal: Item<[f64; 3]>) -> Item<[f64; 9]> {
    let [x, y, z] = diagonal.value;
    Item {
        value: [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z],
        position: diagonal.position,
    }
}

fn only(item: Item<[f64; 1]>) -> Item<f64> {
    let (position, [value]) = (item.position, item.value);
    Item { value, position }
}

fn unknown(s: &Statement<'_>, read: &Reader<'_>) -> Diagnostic {
    let word = s.keyword.text;
    let shown: String = word.chars().take(40).collect();
    let message = format!("`{shown}` is not a keyword of .rob files");
    let error = read.error(s.keyword.position, message);
    match closest(word, keyword::ALL) {
        Some(known) => error.help(format!("did you mean `{known}`?")),
        None => error.help("a continued list needs a backslash at the end of the line before"),
    }
}
