//! The statements that are more than a list: joints, drivers, mounts, properties.

use super::document::{DriverLine, DriverWords, Item, JointLine, MountLine, PropertyLine};
use super::lex::Statement;
use super::reader::{Reader, any_number, finite};
use crate::Diagnostic;
use crate::io::words::{Word, counted};

/// The types of drivers, for messages.
const TYPES: &str = "known are `normal`, `affine`, `translation` and `rotation`, in lower case";

impl Reader<'_> {
    /// `joint TYPE LINK [BASE]`
    pub(super) fn joint<'a>(&self, s: &Statement<'a>) -> Result<JointLine<'a>, Diagnostic> {
        let &[kind, link, ref rest @ ..] = s.words.as_slice() else {
            let message = "`joint` needs a type and a link";
            return Err(self
                .error(s.keyword.position, message)
                .help("such as `joint normal 0`"));
        };
        self.left_over(s, rest.get(1));
        Ok(JointLine {
            kind,
            link,
            base: rest.first().copied(),
        })
    }

    /// `driver normal LINK`, `driver affine N …`, `driver translation A B`, `driver rotation A B`
    pub(super) fn driver<'a>(&self, s: &Statement<'a>) -> Result<DriverLine<'a>, Diagnostic> {
        let position = s.keyword.position;
        let kind = match s.words.as_slice() {
            [] => return Err(self.error(position, "`driver` needs a type").help(TYPES)),
            [kind, rest @ ..] => match (kind.text, rest) {
                ("normal", &[link, ref rest @ ..]) => {
                    self.left_over(s, rest.first());
                    DriverWords::Normal(link)
                }
                ("translation", &[link, base, ref rest @ ..]) => {
                    self.left_over(s, rest.first());
                    DriverWords::Translation(link, base)
                }
                ("rotation", &[link, base, ref rest @ ..]) => {
                    self.left_over(s, rest.first());
                    DriverWords::Rotation(link, base)
                }
                ("affine", rest) => self.affine(s, rest)?,
                ("normal", _) => return Err(self.error(position, "`driver normal` needs a link")),
                (kind @ ("translation" | "rotation"), _) => {
                    return Err(self.error(position, format!("`driver {kind}` needs two links")));
                }
                (other, _) => {
                    let message = format!("`{other}` is not a type of driver");
                    return Err(self.error(kind.position, message).help(TYPES));
                }
            },
        };
        Ok(DriverLine { position, kind })
    }

    /// `N  l1..lN  s1..sN  o1..oN  qmin qmax vmin vmax tmin tmax`
    fn affine<'a>(
        &self,
        s: &Statement<'a>,
        words: &[Word<'a>],
    ) -> Result<DriverWords<'a>, Diagnostic> {
        let position = s.keyword.position;
        let Some((count, words)) = words.split_first() else {
            return Err(self.error(position, "`driver affine` needs the number of its links"));
        };
        let n = count.text.parse::<usize>().ok().filter(|&n| n > 0);
        let Some(n) = n else {
            let message = format!("`{}` is not a number of links", count.text);
            return Err(self.error(count.position, message));
        };
        let parts = || {
            let (links, words) = words.split_at_checked(n)?;
            let (scale, words) = words.split_at_checked(n)?;
            let (offset, words) = words.split_at_checked(n)?;
            let (limits, rest) = words.split_first_chunk::<6>()?;
            Some((links, scale, offset, limits, rest))
        };
        let Some((links, scale, offset, limits, rest)) = parts() else {
            let message = format!(
                "`driver affine` of {} needs a link, a scale and an offset for each, and 6 limits; got {} words",
                counted(n, "link", "links"),
                words.len()
            );
            return Err(self.error(count.position, message));
        };
        let number = |word: &Word<'_>| match finite(word) {
            Some(item) => Ok(item.value),
            None => Err(self.error(word.position, format!("`{}` is not a number", word.text))),
        };
        let scale = scale.iter().map(number).collect::<Result<_, _>>()?;
        let offset = offset.iter().map(number).collect::<Result<_, _>>()?;
        let limit = |word: &Word<'_>, none: f64| {
            let number = any_number(word.text).filter(|x| !x.is_nan());
            number.unwrap_or_else(|| {
                let text = word.text;
                let message = format!("`{text}` is not a number; the driver has no such limit");
                self.warn(word.position, message, "write `inf` or `-inf` for no limit");
                none
            })
        };
        let [q_min, q_max, v_min, v_max, tau_min, tau_max] = limits;
        let limits = [[q_min, q_max], [v_min, v_max], [tau_min, tau_max]]
            .map(|[low, high]| [limit(low, f64::NEG_INFINITY), limit(high, f64::INFINITY)]);
        self.left_over(s, rest.first());
        Ok(DriverWords::Affine {
            links: links.to_vec(),
            scale,
            offset,
            limits,
        })
    }

    /// `geomtransform LINK` and a 4 × 4 matrix
    pub(super) fn geom_transform<'a>(
        &self,
        s: &Statement<'a>,
    ) -> Result<(Word<'a>, [f64; 16]), Diagnostic> {
        let Some((&link, words)) = s.words.split_first() else {
            let message = "`geomtransform` needs a link and 16 numbers";
            return Err(self.error(s.keyword.position, message));
        };
        let matrix: [f64; 16] = self.leading(s, words)?;
        self.left_over(s, words.get(16));
        if matrix.last_chunk() != Some(&[0.0, 0.0, 0.0, 1.0]) {
            let position = words.get(12).map_or(link.position, |word| word.position);
            let message = "the last row of a transform must be 0 0 0 1";
            return Err(self.error(position, message));
        }
        Ok((link, matrix))
    }

    /// `mount LINK FILE [12 numbers] [as NAME]`
    pub(super) fn mount<'a>(&self, s: &Statement<'a>) -> Result<MountLine<'a>, Diagnostic> {
        let &[link, file, ref words @ ..] = s.words.as_slice() else {
            let message = "`mount` needs a link and a file";
            return Err(self.error(s.keyword.position, message));
        };
        let number = words.first().filter(|word| finite(word).is_some());
        let (transform, words) = match number {
            Some(&Word { position, .. }) => {
                let value: [f64; 12] = self.leading(s, words)?;
                let rest = words.get(value.len()..).unwrap_or_default();
                (Some(Item { value, position }), rest)
            }
            None => (None, words),
        };
        let (prefix, rest) = match words {
            [word, name, rest @ ..] if word.text == "as" => (Some(name.text), rest),
            [word] if word.text == "as" => {
                return Err(self.error(word.position, "`as` needs a name after it"));
            }
            rest => (None, rest),
        };
        self.left_over(s, rest.first());
        Ok(MountLine {
            link,
            file,
            transform,
            prefix: prefix.filter(|name| !name.is_empty()),
        })
    }

    /// `property KEY VALUE`
    pub(super) fn property<'a>(&self, s: &Statement<'a>) -> Result<PropertyLine<'a>, Diagnostic> {
        let Some((&key, value)) = s.words.split_first() else {
            return Err(self.error(s.keyword.position, "`property` needs a key"));
        };
        Ok(PropertyLine {
            key,
            value: value.to_vec(),
        })
    }
}
